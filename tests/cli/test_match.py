"""The match command from outside: results, bad input, interruption, and engines that must not survive."""

import json
import os
import pty
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from tests.waiting import eventually

from barreleye.cli import main

FAKE = Path(__file__).parent.parent / "match" / "fake_engine.py"
MATCH = [sys.executable, "-m", "barreleye", "match"]


def engine(mode="good", name=None, *words):
    return ["--engine", f"cmd='{sys.executable}' '{FAKE}' {mode}", f"name={name or mode}", *words]


TWO = [*engine(name="a"), *engine(name="b"), "--tc", "nodes=1"]


def test_a_match_and_its_report(capsys, tmp_path):
    arguments = [*TWO, "--games", "10", "--max-moves", "2", "--concurrency", "2", "--json", str(tmp_path / "r.json")]
    assert main(["match", *arguments, "--sprt", "elo0=0", "elo1=10", "model=normalized"]) == 0
    out, err = capsys.readouterr()
    assert err.count("\n") == 1 and "without --openings" in err
    assert "a - b: 10 of 10 games, W 0 L 0 D 10 (50.0 %)" in out
    assert "SPRT [0, 10] normalized" in out
    assert re.search(r"CPU time: engines [\d.]+ s, runner [\d.]+ s", out)


def test_quiet_prints_the_result_only(capsys):
    assert main(["match", *TWO, "--games", "20", "--max-moves", "1", "--quiet"]) == 0
    assert capsys.readouterr().out.startswith("a - b: 20 of 20 games")


def test_trouble_is_loud_even_when_quiet(capsys):
    players = [*engine("illegal"), *engine()]
    assert main(["match", *players, "--tc", "nodes=1", "--games", "2", "--quiet"]) == 0
    out, err = capsys.readouterr()
    assert "illegal loses by illegal move: played e2e5 in rnbqkbnr" in err
    assert "!   > go nodes 1" in err
    assert "! illegal lost 2 by illegal move" in out


def test_a_terminal_sees_the_games_live():
    """Run in a real pseudo-terminal; the panel shows the score, the pace and what is being played."""
    leader, follower = pty.openpty()
    players = [*engine("slow", "a"), *engine("slow", "b"), "--tc", "nodes=1", "--games", "4", "--max-moves", "12"]
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "120", "LINES": "40"}
    runner = subprocess.Popen([*MATCH, *players], stdout=follower, stderr=follower, env=environment)
    os.close(follower)
    seen = b""
    while True:
        try:
            chunk = os.read(leader, 65536)
        except OSError:  # how a pseudo-terminal ends on Linux
            break
        if not chunk:
            break
        seen += chunk
    os.close(leader)
    assert runner.wait(timeout=20) == 0
    text = seen.decode()
    assert "games/min" in text
    assert re.search(r"game \d: [ab] - [ab] move \d+, last [a-h][1-8]", text)
    assert "a - b: 4 of 4 games" in text


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--engine", "cmd=no-such-engine", *engine()], "no program 'no-such-engine'"),
        (["--engine", "cmd=true", *engine()], "did not start"),
        ([*engine(name="a"), *engine("good", "b", "option.Nonsense=1")], "no option 'Nonsense'"),
        ([*TWO, "--each", "option.Hash=lots"], "whole number"),
        ([*TWO, "--openings", "file=/no/such/book.epd"], "/no/such/book.epd"),
        ([*TWO, "--openings", "file=/dev/null"], "no openings"),
        ([*TWO, "--openings", "order=random"], "--openings needs more than that; not given: file="),
        ([*TWO, "--sprt", "elo0=0"], "elo1="),
        ([*TWO, "--sprt", "elo0=x", "elo1=1"], "elo0 is 'x', expected a number"),
        ([*TWO, "--resign", "score"], "--resign"),
        ([*TWO, "--tc", "quick"], "time control"),
        ([*TWO, "--games", "7"], "even"),
        ([*TWO, "--gauntlet", "--round-robin"], "not both"),
        ([*TWO, "--json", "/dev/null/r.json"], "r.json"),
        ([*TWO, "--json", "out", "--pgn", "out"], "out is given both for --pgn and for --json"),
        ([*TWO, "--openings", "file=b.pgn", "--pgn", "b.pgn"], "b.pgn is given both for --openings and for --pgn"),
        (engine(), "at least two"),
    ],
)
def test_bad_input_is_one_line_before_any_game(capsys, arguments, complaint):
    assert main(["match", *arguments]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("barreleye match: ") and err.count("\n") == 1
    assert complaint in err


def test_other_settings_do_not_resume(capsys, tmp_path):
    results = ["--json", str(tmp_path / "r.json"), "--games", "2", "--max-moves", "1", "--quiet"]
    assert main(["match", *TWO, *results]) == 0
    assert main(["match", *TWO, *results, "--tc", "depth=2"]) == 2
    assert 'control: "nodes=1" there, "depth=2" now' in capsys.readouterr().err


def is_running(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def games_in(path):
    """The games of a file that may be in the middle of being written."""
    try:
        return json.loads(path.read_text())["games"]
    except (FileNotFoundError, json.JSONDecodeError):
        return []


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="looks for processes in /proc")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL], ids=["ctrl-c", "term", "kill"])
def test_engines_end_with_the_runner_however_it_ends(tmp_path, number):
    """One engine is busy and deaf, the other the child of a shell: neither closing pipes nor the pid would do."""
    pids = tmp_path / "pids"
    shell = f'cmd=sh -c "\'{sys.executable}\' \'{FAKE}\' good; true"'
    players = [*engine("silent"), "--engine", shell, "name=shell"]
    runner = subprocess.Popen(
        [*MATCH, *players, "--tc", "100+1", "--games", "2", "--concurrency", "2"],
        env={**os.environ, "FAKE_PIDS": str(pids)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        assert eventually(lambda: pids.exists() and len(pids.read_text().split()) == 4)
        engines = [int(pid) for pid in pids.read_text().split()]
        assert all(is_running(pid) for pid in engines)
        runner.send_signal(number)
        status = runner.wait(timeout=20)
        assert status == (-signal.SIGKILL if number == signal.SIGKILL else 130)
        assert eventually(lambda: not any(is_running(pid) for pid in engines))
    finally:
        runner.kill()


def test_an_interrupted_match_ends_with_exactly_its_games(tmp_path):
    results, pgn = tmp_path / "r.json", tmp_path / "g.pgn"
    command = [
        *MATCH, *engine("slow", "a"), *engine("slow", "b"), "--tc", "nodes=1", "--games", "12", "--max-moves", "2",
        "--concurrency", "2", "--json", str(results), "--pgn", str(pgn),
    ]  # fmt: skip
    for wanted in (2, 6):
        runner = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        assert eventually(lambda enough=wanted: len(games_in(results)) >= enough)
        runner.send_signal(signal.SIGINT)
        _, err = runner.communicate(timeout=20)
        assert runner.returncode == 130
        assert err == "barreleye match: interrupted; give the same command again to continue\n"
        assert wanted <= len(games_in(results)) < 12
    finished = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert finished.returncode == 0, finished.stderr
    assert re.search(r"resuming after \d+ of 12 games", finished.stdout)
    assert sorted(game["number"] for game in games_in(results)) == list(range(12))
    rounds = re.findall(r'\[Round "(\d+)\.(\d+)"\]', pgn.read_text())
    assert sorted((int(pair), int(game)) for pair, game in rounds) == [(p, g) for p in range(1, 7) for g in (1, 2)]
