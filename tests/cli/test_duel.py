"""`barreleye lab duel`: what it says, what it refuses, and that nothing ends it without leave to go on."""

import json
import os
import signal
import subprocess
import sys
import time

import pytest

from barreleye.cli import main
from barreleye.cli.duel_view import panel
from barreleye.cli.progress import duration
from barreleye.core.pool import IS_TUNING_BUILD
from barreleye.lab.duel import duel
from barreleye.lab.notes import Notes
from barreleye.match.statistics.sprt import Sprt

QUICK = ["--games", "4", "--nodes", "60"]
COMMAND = [sys.executable, "-m", "barreleye", "lab", "duel"]


def said(capsys, *words):
    assert main(["lab", "duel", *words]) == 0
    return capsys.readouterr()


def test_a_duel_in_one_short_line(capsys):
    out = said(capsys, "off=Null Move", *QUICK).out
    assert out.startswith("off=Null Move - default: 4 of 4 games, W ") and "Elo" in out and "LOS" in out
    assert "4 games in " in out and "s of CPU time each" in out


def test_for_programs(capsys):
    output = said(capsys, "nodes=200", "default", "--json", "--sprt", "elo0=0", "elo1=10", *QUICK)
    found = json.loads(output.out)
    assert output.err == "" and found["engines"] == ["nodes=200", "default"] and found["games"] == 4
    assert found["wins"] + found["draws"] + found["losses"] == 4 and sum(found["pairs"]) == 2
    assert found["sprt"]["elo1"] == 10 and found["nodes_a_move"][0] > found["nodes_a_move"][1]


def test_engines_that_are_the_same_are_told(capsys):
    output = said(capsys, "off=Razoring", *QUICK)
    assert "both engines are the same" in output.err and "[0, 0, 2, 0, 0]" in output.out
    assert "the same" not in said(capsys, "level=newcomer", "level=newcomer", *QUICK).err


def test_how_games_end_can_be_said(capsys, data_dir):
    found = json.loads(said(capsys, "default", "--resign", "score=1", "moves=1", "--json", *QUICK).out)
    assert "resign adjudication" in found["endings"]
    found = json.loads(said(capsys, "default", "--play-out", "--max-moves", "2", "--json", *QUICK).out)
    assert found["endings"] == {"maximum length": 4} and found["plies"] == 16
    found = json.loads(said(capsys, "default", "--draw", "number=1", "moves=1", "score=500", "--tb",
                            str(data_dir / "syzygy"), "--json", *QUICK).out)
    assert "draw adjudication" in found["endings"]


@pytest.mark.skipif(not IS_TUNING_BUILD, reason="needs a tuning build: make test TUNE=1")
def test_parameters_are_said_like_any_word(capsys):
    output = said(capsys, "ASPIRATION_DELTA=12", *QUICK)
    assert output.out.startswith("ASPIRATION_DELTA=12 - default: 4 of 4 games") and "the same" not in output.err
    assert main(["lab", "duel", "TELEPATHY=12", *QUICK]) == 2
    assert "'TELEPATHY' is not a parameter" in capsys.readouterr().err


@pytest.mark.skipif(IS_TUNING_BUILD, reason="a tuning build takes every parameter")
def test_parameters_need_a_tuning_build(capsys):
    assert main(["lab", "duel", "ASPIRATION_DELTA=12", *QUICK]) == 2
    assert "not a tuning build" in capsys.readouterr().err


@pytest.mark.parametrize(("words", "complaint"), [
    (["off=Telepathy"], "'Telepathy' is not a technique"), (["net=/nowhere.net"], "/nowhere.net: No such file"),
    (["default", "colour=red"], "colour= is not a setting of an engine"), (["default", "--games", "3"], "even"),
    (["default", "--sprt", "0", "5"], "--sprt does not know '0'; it takes elo0="),
    (["default", "--nodes", "0"], "the number of nodes is 0"),
    (["default", "--play-out", "--resign", "score=5"], "leave out --resign"),
    (["default", "--threads", "-2"], "the number of threads is -2"),
    (["default", "--notes", "/nowhere/x.notes"], "/nowhere/x.notes: No such file"),
    (["default", "--openings", "/nowhere.epd"], "cannot read the book"), (["default", "--tb", "/nowhere"], "/nowhere"),
])
def test_bad_arguments_are_one_line(capsys, words, complaint):
    assert main(["lab", "duel", *words]) == 2
    output = capsys.readouterr()
    assert output.out == "" and complaint in output.err and output.err.count("\n") == 1


def test_notes_of_another_duel_are_refused(capsys, tmp_path):
    path = str(tmp_path / "duel.notes")
    said(capsys, "off=ProbCut", "--notes", path, *QUICK)
    assert main(["lab", "duel", "off=ProbCut", "--notes", path, "--games", "4", "--nodes", "70"]) == 2
    err = capsys.readouterr().err
    assert "holds a duel with other settings (first hard: 120 there, 140 now; first nodes: 60 there, 70 now" in err
    assert "nothing was left to play" in said(capsys, "off=ProbCut", "--notes", path, *QUICK).out
    longer = said(capsys, "off=ProbCut", "--notes", path, "--nodes", "60", "--games", "6")
    assert "going on after 4 of 6 games" in longer.err and "6 of 6 games" in longer.out
    with Notes(path):
        assert main(["lab", "duel", "off=ProbCut", "--notes", path, *QUICK]) == 2
    assert "in use by another run" in capsys.readouterr().err


def begin(path, *words):
    """A long duel in a process of its own, once it has finished some pairs."""
    command = [*COMMAND, "off=ProbCut", "--nodes", "60", "--notes", str(path), "--games", "20000", *words]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                               env={**os.environ, "PYTHONUNBUFFERED": "1"})
    deadline = time.monotonic() + 60
    while (not path.exists() or path.read_bytes().count(b"\n") < 6) and time.monotonic() < deadline:
        time.sleep(0.05)
    return process


def numbers(path):
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    return [row["pair"] for row in rows if "pair" in row]


def test_killed_at_any_moment_it_goes_on_without_losing_or_repeating_a_pair(tmp_path):
    path = tmp_path / "duel.notes"
    for _ in range(3):
        process = begin(path)
        time.sleep(0.3)
        process.kill()
        process.communicate()
    kept = numbers(path)
    games = 2 * (max(kept) + 4)
    with Notes(path) as notes:
        standing = duel("off=ProbCut", games=games, nodes=60, notes=notes, is_alone=True)
        assert len(numbers(path)) == len(set(numbers(path))) == games // 2
    assert standing.score == duel("off=ProbCut", games=games, nodes=60).score


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no polite signals")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_interrupted_it_says_what_there_is(tmp_path, number):
    path = tmp_path / "duel.notes"
    process = begin(path)
    process.send_signal(number)
    out, err = process.communicate(timeout=30)
    assert process.returncode == 130
    assert "off=ProbCut - default: " in out and "interrupted; give the same command again to continue" in err


def test_a_second_run_is_refused_while_the_first_goes_on(tmp_path, capsys):
    path = tmp_path / "duel.notes"
    process = begin(path)
    try:
        assert main(["lab", "duel", "off=ProbCut", "--nodes", "60", "--notes", str(path)]) == 2
        assert "in use by another run" in capsys.readouterr().err
    finally:
        process.kill()
        process.communicate()


def test_the_panel_shows_all_that_matters():
    from rich.console import Console

    standing = duel("off=Null Move", games=8, nodes=60, sprt=Sprt(0, 10))
    console = Console(width=100, color_system=None, file=open(os.devnull, "w"), record=True)        # noqa: SIM115
    console.print(panel(standing))
    text = console.export_text()
    for words in ("off=Null Move against default", "8 of 8", "Elo", "nElo", "likely", "pairs", "LLR", "games an hour",
                  f"{standing.score.wins} won, {standing.score.draws} drawn, {standing.score.losses} lost"):
        assert words in text


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pseudo-terminals")
def test_a_terminal_sees_it_live(tmp_path):
    import pty

    leader, follower = pty.openpty()
    process = subprocess.Popen([*COMMAND, "off=ProbCut", "--games", "40", "--nodes", "200"], stdout=subprocess.PIPE,
                               stderr=follower, text=True, env={**os.environ, "TERM": "xterm", "COLUMNS": "100"})
    os.close(follower)
    seen = b""
    try:
        while part := os.read(leader, 65536):
            seen += part
    except OSError:             # how Linux says that the other end is closed
        pass
    os.close(leader)
    out, _ = process.communicate(timeout=30)
    text = seen.decode()
    assert process.returncode == 0 and "off=ProbCut against default" in text and "games an hour" in text
    assert out.startswith("off=ProbCut - default: 40 of 40 games"), "the result goes to standard output"


def test_durations():
    assert [duration(seconds) for seconds in (0, 59.4, 60, 754, 9000)] == ["0 s", "59 s", "1:00", "12:34", "2:30:00"]
