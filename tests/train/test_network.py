"""The trainer: it learns, its files say what it learned, and an interrupted training ends like an uninterrupted one."""

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from barreleye import Engine, nets
from barreleye.cli import main
from barreleye.core.evaluate.nnue import Accumulators, evaluate_with
from barreleye.core.position import Position
from barreleye.train import dataset, grow, network, plot
from barreleye.train.dataset import Records

SETTINGS = network.Settings(width=16, buckets=2, epochs=6, batch=128, validation=0.1, patience=100)


@pytest.fixture(scope="module")
def records(data_folder: Path) -> Records:
    return dataset.load([data_folder])


def test_games_are_not_split(records: Records) -> None:
    learning, checking = network.split_by_game(records, 0.3, 1)
    assert len(learning) + len(checking) == len(records)
    assert dataset.game_numbers(learning)[-1] + dataset.game_numbers(checking)[-1] + 2 == (
        dataset.game_numbers(records)[-1] + 1)


def test_loss_falls_and_the_file_agrees(tmp_path: Path, records: Records) -> None:
    trainer = network.Trainer(records, SETTINGS, threads=2)
    history = list(trainer.run())
    assert len(history) == 6
    assert history[-1].learning < history[0].learning
    path = tmp_path / "small.net"
    trainer.save(path, "a test")
    facts = nets.inspect(path)
    assert (facts.width, facts.buckets, facts.note) == (16, 2, "a test")
    # The integers say what the floats say, to a few centipawns.
    accumulators = Accumulators(nets.load(path))
    logits = trainer.predict(trainer.checking[:200])
    found = [evaluate_with(accumulators, Position(dataset.fen(record))) for record in trainer.checking[:200]]
    assert np.mean(np.abs(np.array(found) - logits * facts.scale)) < 5 * max(1.0, facts.scale / 200)
    engine = Engine(EvalFile=str(path))
    engine.position()
    assert engine.search(depth=5).best_move


def test_checkpoint_goes_on_exactly(tmp_path: Path, records: Records) -> None:
    whole = network.Trainer(records, SETTINGS)
    list(whole.run())
    first = network.Trainer(records, SETTINGS)
    for epoch in first.run():
        if epoch.number == 3:
            break
    first.save_checkpoint(tmp_path / "some.npz")
    second = network.Trainer(records, SETTINGS)
    second.load_checkpoint(tmp_path / "some.npz")
    list(second.run())
    assert second.learner.get_weights() == whole.learner.get_weights()
    assert [epoch.checking for epoch in second.history] == [epoch.checking for epoch in whole.history]
    other = network.Trainer(records, replace(SETTINGS, batch=64))
    with pytest.raises(ValueError, match="another training"):
        other.load_checkpoint(tmp_path / "some.npz")
    (tmp_path / "bad.npz").write_bytes(b"nothing")
    with pytest.raises(ValueError, match="not a checkpoint"):
        other.load_checkpoint(tmp_path / "bad.npz")
    stored = (tmp_path / "some.npz").read_bytes()
    (tmp_path / "bad.npz").write_bytes(stored[:len(stored) // 2])
    with pytest.raises(ValueError, match="not a checkpoint"):
        other.load_checkpoint(tmp_path / "bad.npz")


def test_scale_is_found() -> None:
    rng = np.random.default_rng(2)
    records = np.zeros(40_000, dataset.RECORD)
    records["score"] = rng.integers(-600, 600, len(records))
    chance = 1 / (1 + np.exp(-records["score"] / 210.0))
    records["result"] = 2 * (rng.random(len(records)) < chance)
    assert network.fit_scale(records) == pytest.approx(210, rel=0.1)


def test_rate_rises_and_falls(records: Records) -> None:
    trainer = network.Trainer(records, SETTINGS)
    rates = [trainer.rate(step / 100) for step in range(101)]
    top = rates.index(max(rates))
    assert 0 < top < 10
    assert rates[top:] == sorted(rates[top:], reverse=True)
    assert rates[-1] == pytest.approx(SETTINGS.last_rate)


def test_material_network_counts_material(tmp_path: Path) -> None:
    path = tmp_path / "material.net"
    grow.material_network(path)
    accumulators = Accumulators(nets.load(path))
    for fen, least, most in (("4k3/8/8/8/8/8/8/4K3 w - - 0 1", -2, 2),
                             ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1", -2, 2),
                             ("4k3/8/8/8/8/8/8/Q3K3 w - - 0 1", 800, 1100),
                             ("4k3/8/8/8/8/8/8/Q3K3 b - - 0 1", -1100, -800),
                             ("4k3/8/8/8/8/8/P7/4K3 w - - 0 1", 80, 120)):
        assert least <= evaluate_with(accumulators, Position(fen)) <= most, fen


def test_curves_are_drawn() -> None:
    history = [network.Epoch(number, 1 / number, 1.1 / number, 0.1, 1.0) for number in range(1, 9)]
    lines = plot.loss_lines(history, 30, 5)
    assert len(lines) == 5 and "1.10000" in lines[0] and "0.12500" in lines[-1]
    assert any(ord(letter) > 0x2800 for letter in lines[0])


def test_net_command(tmp_path: Path, data_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "made.net"
    words = ["train", "net", str(data_folder), "-o", str(target), "--width", "16", "--epochs", "2", "--batch", "256",
             "--validation", "0.2", "--threads", "1"]
    assert main(words) == 0
    assert nets.inspect(target).width == 16
    assert main([*words[:-4], "--validation", "0.3", "--threads", "1"]) == 0, "a finished training blocks no other"
    for bad, problem in (("--batch", "batch is 0"), ("--epochs", "epochs is 0"), ("--rate", "rate is 0")):
        capsys.readouterr()
        assert main([*words, bad, "0"]) == 2
        assert problem in capsys.readouterr().err
    assert main([*words[:4], str(tmp_path / "nowhere" / "made.net")]) == 2
    assert "no folder" in capsys.readouterr().err


@pytest.mark.slow
def test_from_nothing_to_a_network_in_three_minutes(tmp_path: Path) -> None:
    """The whole way as a user goes it, with the budget the documentation promises."""
    target = tmp_path / "grown.net"
    result = subprocess.run(
        [sys.executable, "-m", "barreleye", "train", "--classical", "--minutes", "3", "-o", str(target),
         "--folder", str(tmp_path / "data"), "--games", "60"],
        capture_output=True, text=True, env={**os.environ, "COLUMNS": "200"}, check=False)
    assert result.returncode == 0, result.stderr
    assert nets.inspect(target).width in (32, 64)
    line = next(line for line in result.stdout.splitlines() if "against counting material" in line)
    assert int(line.rpartition("(")[2].rstrip("%)")) > 55, line
