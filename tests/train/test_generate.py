"""Self-play into shards: the same games whatever the threads and interruptions."""

import signal
import subprocess
import sys
import threading
from dataclasses import replace
from pathlib import Path

import chess
import numpy as np
import pytest
from tests.train.conftest import SETTINGS

from barreleye.cli import main
from barreleye.core.notation import move_name
from barreleye.core.position import Position
from barreleye.train import dataset
from barreleye.train.generate import Settings, Tally, generate


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
    stop = threading.Event()

    def after_two(tally: Tally) -> None:
        if tally.games >= 2:
            stop.set()

    generate(broken, SETTINGS, games=12, stop=stop, progress=after_two)
    before = sum(dataset.read_facts(path)["games"] for path in broken.glob("*.positions"))
    generate(broken, SETTINGS, games=12)
    assert before <= 12
    assert contents(broken, 2) == contents(whole, 2)


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
                generate(tmp_path / str(number), Settings(nodes=20), minutes=5, threads=1, progress=show)
            assert len(dataset.load([tmp_path / str(number)])) > 0
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
