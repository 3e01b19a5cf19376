"""Self-play into shards: the same games whatever the threads and interruptions."""

import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from dataclasses import replace
from pathlib import Path

import chess
import numpy as np
import pytest
from tests.train.conftest import SETTINGS

from barreleye.cli import main
from barreleye.cli.train import DATA_SET
from barreleye.core.notation import move_name
from barreleye.core.position import Position
from barreleye.lock import held
from barreleye.train import dataset
from barreleye.train.generate import BEFORE, PlaySettings, Tally, generate


def contents(folder: Path, shards: int) -> list[bytes]:
    return [(folder / f"{number:06d}{suffix}").read_bytes() for number in range(shards)
            for suffix in (".positions", ".games")]


def test_threads_do_not_matter(tmp_path: Path, data_folder: Path) -> None:
    generate(tmp_path, SETTINGS, games=30, threads=1)
    whole = [path.name for path in sorted(data_folder.glob("*.positions"))
             if dataset.read_facts(path)["seeds"] == SETTINGS.shard_games]
    again = [name for name in whole if (tmp_path / name).exists()
             and dataset.read_facts(tmp_path / name)["seeds"] == SETTINGS.shard_games]
    assert len(again) >= 3
    for name in again:
        for suffix in (".positions", ".games"):
            assert ((tmp_path / name).with_suffix(suffix).read_bytes()
                    == (data_folder / name).with_suffix(suffix).read_bytes())


def test_an_interrupted_shard_goes_on(tmp_path: Path) -> None:
    whole, broken = tmp_path / "whole", tmp_path / "broken"
    generate(whole, SETTINGS, games=12)
    generate(broken, SETTINGS, games=3)
    assert 0 < dataset.read_facts(broken / "000000.positions")["seeds"] < SETTINGS.shard_games
    generate(broken, SETTINGS, games=12)
    assert contents(broken, 2) == contents(whole, 2)


def test_an_interrupted_group_leaves_nothing_behind(tmp_path: Path) -> None:
    whole, broken = tmp_path / "whole", tmp_path / "broken"
    settings = replace(SETTINGS, shard_games=400, group_games=40)
    generate(whole, settings, games=60)
    stop = threading.Event()
    generate(broken, settings, stop=stop, progress=lambda tally: stop.set())
    done = sum(dataset.read_facts(path)["seeds"] for path in broken.glob("*.positions"))
    assert done % settings.group_games == 0
    if done < 400:
        generate(broken, settings, games=60)
        assert contents(broken, 1) == contents(whole, 1)


def test_a_kill_between_the_files_of_a_shard_doubles_nothing(tmp_path: Path) -> None:
    whole, broken = tmp_path / "whole", tmp_path / "broken"
    generate(whole, SETTINGS, games=6)
    generate(broken, SETTINGS, games=2)
    later = tmp_path / "later"
    shutil.copytree(broken, later)
    generate(later, SETTINGS, games=4)
    shutil.copy(later / "000000.games", broken)                 # the games came to the disk, the positions did not
    (broken / "000000.positions.partial").write_bytes(b"half")
    generate(broken, SETTINGS, games=6)
    assert contents(broken, 1) == contents(whole, 1)
    seeds = [game.seed for game in dataset.read_games(broken / "000000.games")]
    assert seeds == sorted(set(seeds))
    assert not list(broken.glob("*.partial"))


@pytest.mark.parametrize("step", range(8))
@pytest.mark.parametrize("moment", ["before", "after"])
def test_a_fault_at_any_step_of_saving_doubles_and_loses_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
                                                                 step: int, moment: str) -> None:
    """A shard has two files, each put into place by a rename: the run fails around one of them and goes on later."""
    whole, broken = tmp_path / "whole", tmp_path / "broken"
    generate(whole, SETTINGS, games=8)
    rename, renamed = os.replace, []

    def failing(source: Path, target: Path) -> None:
        renamed.append(target)
        if len(renamed) != step + 1 or moment == "after":
            rename(source, target)
        if len(renamed) == step + 1:
            raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(os, "replace", failing)
        patched.setattr("barreleye.train.generate.SAVE_SECONDS", 0.0)
        with pytest.raises(OSError, match="what was written before is safe"):
            generate(broken, SETTINGS, games=8)
    assert not list(broken.glob("*.partial"))
    generate(broken, SETTINGS, games=8)
    assert contents(broken, 1) == contents(whole, 1)
    for path in broken.glob("*.games"):
        seeds = [game.seed for game in dataset.read_games(path)]
        facts = dataset.read_facts(path.with_suffix(".positions"))
        assert seeds == sorted(set(seeds)) and len(seeds) == facts["games"]


def test_a_second_run_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with held(tmp_path / ".lock", "the folder"):
        with pytest.raises(BlockingIOError, match="in use by another run"):
            generate(tmp_path, SETTINGS, games=1)
        assert main(["train", "generate", str(tmp_path), "--games", "1"]) == 2
        said = capsys.readouterr().err
        assert str(tmp_path) in said and said.count("\n") == 1
    assert generate(tmp_path, SETTINGS, games=1).games > 0


def test_a_killed_run_lets_go_of_its_folder(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "barreleye", "train", "generate", str(tmp_path), "--nodes", "50", "--threads", "1"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert "until interrupted" in process.stdout.readline()
    while not list(tmp_path.glob("*.positions")):
        time.sleep(0.05)
    process.kill()
    process.communicate(timeout=60)
    before = len(dataset.load([tmp_path]))
    done = subprocess.run([*command, "--positions", str(before + 1)], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert len(dataset.load([tmp_path])) > before


def test_old_folders_are_continued_or_refused(tmp_path: Path) -> None:
    old = replace(SETTINGS, **{name: value for name, value in BEFORE.items() if name != "harvest_nodes"})
    generate(tmp_path, old, games=2)
    for path in tmp_path.glob("0*"):
        magic = path.read_bytes()[:len(dataset.GAMES_MAGIC)]
        facts = dataset.read_facts(path, magic)
        facts["settings"] = {name: value for name, value in facts["settings"].items() if name not in BEFORE}
        dataset.write_file(path, magic, facts, path.read_bytes()[dataset.HEADER_SIZE:])
    with pytest.raises(ValueError, match="group games 1"):
        generate(tmp_path, SETTINGS, games=3)
    assert generate(tmp_path, old, games=3).games >= 3


def test_settings_that_do_not_fit_are_refused_before_a_game(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="shorter path"):
        generate(tmp_path, replace(SETTINGS, syzygy="x" * 700), games=1)
    assert not list(tmp_path.iterdir())


def test_other_settings_are_refused(data_folder: Path) -> None:
    with pytest.raises(ValueError, match="other settings"):
        generate(data_folder, replace(SETTINGS, nodes=61), games=31)


def test_tally_counts_what_the_folder_has(data_folder: Path) -> None:
    tally = generate(data_folder, SETTINGS, games=1)
    facts = [dataset.read_facts(path) for path in data_folder.glob("*.positions")]
    assert tally.games == sum(fact["games"] for fact in facts) == sum(tally.results)
    assert tally.positions == sum(fact["positions"] for fact in facts) == len(dataset.load([data_folder]))


def test_games_lead_to_their_positions(data_folder: Path) -> None:
    """Every kept position occurs in its game, with the score that stands beside the move."""
    path = sorted(data_folder.glob("*.positions"))[0]
    records = dataset.read_positions(path)
    index = 0
    for game in dataset.read_games(path.with_suffix(".games")):
        board = chess.Board(game.start)
        numbers = np.frombuffer(game.moves, "<u2").reshape(-1, 2)
        scores = np.frombuffer(game.moves, "<i2").reshape(-1, 2)[:, 1]
        for (number, _), score in zip(numbers, scores, strict=True):
            if index < len(records) and dataset.fen(records[index]) == board.fen(en_passant="legal"):
                assert records[index]["result"] == game.result
                assert records[index]["score"] == score
                index += 1
            board.push(board.parse_uci(move_name(int(number), False)))
    assert index == len(records)


@pytest.mark.parametrize("damage", [lambda data: b"", lambda data: b"X" + data[1:],
                                    lambda data: data[:16] + b"{" + data[17:40].replace(b'"', b"{") + data[40:]])
def test_damaged_files_are_named(tmp_path: Path, data_folder: Path, damage) -> None:
    path = tmp_path / "damaged.positions"
    path.write_bytes(damage(sorted(data_folder.glob("*.positions"))[0].read_bytes()))
    with pytest.raises(ValueError, match="damaged"):
        dataset.read_positions(path)


def test_an_event_to_stop_by_is_left_alone(tmp_path: Path) -> None:
    stop = threading.Event()
    generate(tmp_path, SETTINGS, games=1, stop=stop)
    assert not stop.is_set()


@pytest.mark.parametrize("words", ["--random-plies 700 --games 1", "--random-plies -1 --games 1", "--minutes -1",
                                   "--games -3", "--games 1 --book-share 2", "--games 1 --seed -1"])
def test_impossible_wishes_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str], words: str) -> None:
    assert main(["train", "generate", str(tmp_path), *words.split()]) == 2
    assert "expected" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_random_plies_have_room(tmp_path: Path) -> None:
    player = SETTINGS.player()
    player.random_plies = 601
    with pytest.raises(ValueError, match="random plies"):
        player.play(Position(), 1)


def test_a_polite_end_keeps_what_was_played(tmp_path: Path) -> None:
    process = subprocess.Popen([sys.executable, "-m", "barreleye", "train", "generate", str(tmp_path), "--nodes", "50",
                                "--minutes", "5", "--threads", "1"], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert "until 5 minutes" in process.stdout.readline()
    while " 0 positions" in (line := process.stdout.readline()):
        pass                                # a sanitizer takes its time over a first game
    assert "positions" in line
    process.terminate()
    said, _ = process.communicate(timeout=60)
    assert process.returncode == 130 and "interrupted" in said
    assert sum(len(dataset.read_positions(path)) for path in tmp_path.glob("*.positions")) > 0


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="this system has no timer to interrupt with")
def test_an_interrupt_at_any_moment_keeps_what_was_played(tmp_path: Path) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    def show(tally: Tally) -> None:
        if tally.positions and not signal.getitimer(signal.ITIMER_REAL)[0]:
            signal.setitimer(signal.ITIMER_REAL, delay)

    before = signal.signal(signal.SIGALRM, interrupt)
    try:
        for number in range(6):
            delay = 0.02 + 0.08 * number
            with pytest.raises(KeyboardInterrupt):
                generate(tmp_path / str(number), PlaySettings(nodes=20), minutes=5, threads=1, progress=show)
            assert len(dataset.load([tmp_path / str(number)])) > 0
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@pytest.mark.skipif(sys.platform == "win32", reason="no limit of file sizes to set")
def test_a_full_disk_is_one_sentence(tmp_path: Path) -> None:
    program = ("import resource, sys; resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000));"
               "from barreleye.cli import main; sys.exit(main(sys.argv[1:]))")
    words = ["train", "generate", str(tmp_path), "--nodes", "30", "--games", "40", "--threads", "2"]
    done = subprocess.run([sys.executable, "-c", program, *words], capture_output=True, text=True, timeout=120)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1 and f"cannot write to {tmp_path}" in done.stderr
    assert not list(tmp_path.glob("*.partial"))


def test_harvested_positions_stand_behind_the_position_searched(tmp_path: Path) -> None:
    generate(tmp_path, replace(SETTINGS, harvest=2, harvest_nodes=30), games=6)
    records = dataset.load([tmp_path])
    harvested = records["result"] == 3
    assert 0.2 < harvested.mean() < 0.8 and not harvested[0]
    behind = np.flatnonzero(harvested)
    assert (records["ply"][behind] == records["ply"][behind - 1]).all()
    played = {dataset.fen(record).rsplit(" ", 2)[0] for record in records[~harvested]}
    found = [record for record in records[harvested] if dataset.fen(record).rsplit(" ", 2)[0] not in played]
    assert len(found) > harvested.sum() / 2                 # most of them are new
    for record in found:
        board = chess.Board(dataset.fen(record))
        assert board.is_valid() and not board.is_check() and any(board.legal_moves)
        assert abs(int(record["score"])) <= SETTINGS.score_limit


def test_books_of_games_are_played_on_from_their_end(tmp_path: Path) -> None:
    book = tmp_path / "book.pgn"
    book.write_text('[Event "?"]\n\n1. e4 e5 2. Nf3 *\n')
    generate(tmp_path / "data", replace(SETTINGS, book=str(book), book_share=1.0), games=2)
    starts = {game.start for game in dataset.read_games(tmp_path / "data" / "000000.games")}
    assert starts == {"rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2"}


def test_every_setting_is_an_option(tmp_path: Path) -> None:
    words = ("--nodes 40 --hard-nodes 400 --check-share 0.5 --random-plies 6 --opening-limit 900 --win-score 800 "
             "--win-plies 3 --draw-score 20 --draw-plies 6 --draw-after 40 --first-ply 10 --score-limit 700 "
             "--harvest 1 --harvest-nodes 20 --seed 5 --shard-games 4 --group-games 2 --hash-mb 1 "
             "--book-share 0.5 --games 4 --classical")
    assert main(["train", "generate", str(tmp_path), "--threads", "1", *words.split()]) == 0
    made = dataset.read_facts(tmp_path / "000000.positions")["settings"]
    given = dict(zip(*[iter(words.replace("--classical", "").split())] * 2, strict=True))
    for name in made.keys() - {"net", "book", "syzygy"}:
        assert made[name] == float(given[f"--{name.replace('_', '-')}"]), name
    records = dataset.load([tmp_path])
    assert np.abs(records["score"].astype(int)).max() <= 700 and records["ply"].min() >= 10


def test_options_have_the_defaults_of_the_settings() -> None:
    usual = PlaySettings()
    for name, kind, _, default, _ in (option for options in DATA_SET.values() for option in options):
        assert (kind, default) == (type(getattr(usual, name)), getattr(usual, name)), name


@pytest.mark.parametrize("words", ["--harvest 9", "--check-share 1.5", "--win-plies 0", "--first-ply -1"])
def test_impossible_settings_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str], words: str) -> None:
    assert main(["train", "generate", str(tmp_path / "data"), "--games", "1", *words.split()]) == 2
    assert "expected" in capsys.readouterr().err


def bad_folders(tmp_path: Path) -> list[list[str]]:
    """Arguments with which nothing can be played: a file for a folder, one below a file, tables that are not there."""
    (tmp_path / "file").write_text("")
    return [[str(tmp_path / "file")], [str(tmp_path / "file" / "below")],
            [str(tmp_path / "new"), "--syzygy", str(tmp_path / "nowhere")]]


def test_nothing_is_announced_that_does_not_begin(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for words in bad_folders(tmp_path):
        assert main(["train", "generate", *words, "--games", "1", "--threads", "1"]) == 2
        said = capsys.readouterr()
        assert said.out.strip() == "" and said.err.count("\n") == 1


def test_a_folder_that_has_games_is_announced_as_such(data_folder: Path, tmp_path: Path) -> None:
    heard: list[Tally] = []
    folder = shutil.copytree(data_folder, tmp_path / "data")
    generate(folder, SETTINGS, games=1, begun=heard.append)
    assert [tally.games >= 1 for tally in heard] == [True]
