"""The trainer: it learns, its files say what it learned, and an interrupted training ends like an uninterrupted one."""

import os
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.train.conftest import SETTINGS as PLAY

from barreleye import Engine, nets
from barreleye.cli import main
from barreleye.core.evaluate.nnue import Accumulators, evaluate_with
from barreleye.core.evaluate.shape import INPUTS, row_count
from barreleye.core.learner import MAX_LEARNERS
from barreleye.core.position import Position
from barreleye.train import dataset, generate, grow, network, plot
from barreleye.train.checkpoint import Checkpoint
from barreleye.train.dataset import Part
from barreleye.train.weights import quantise

SETTINGS = network.TrainingSettings(width=16, buckets=2, epochs=6, batch=128, validation=0.1, patience=100)


@pytest.fixture(scope="module")
def parts(data_folder: Path) -> list[Part]:
    return dataset.find_parts([data_folder])


@pytest.mark.parametrize("regions", [1, 4])
def test_loss_falls_and_the_file_agrees(tmp_path: Path, parts: list[Part], regions: int) -> None:
    trainer = network.Trainer(parts, replace(SETTINGS, regions=regions), threads=2)
    history = list(trainer.run())
    assert len(history) == 6
    assert history[-1].learning < history[0].learning
    path = tmp_path / "small.net"
    trainer.save(path, "a test")
    facts = nets.inspect(path)
    assert (facts.width, facts.buckets, facts.regions, facts.note) == (16, 2, regions, "a test")
    # The integers say what the floats say, to a few centipawns.
    accumulators = Accumulators(nets.load(path))
    logits = trainer.predict(trainer.checking[:200])
    found = [evaluate_with(accumulators, Position(dataset.fen(record))) for record in trainer.checking[:200]]
    assert np.mean(np.abs(np.array(found) - logits * facts.scale)) < 5 * max(1.0, facts.scale / 200)
    engine = Engine(EvalFile=str(path))
    engine.position()
    assert engine.search(depth=5).best_move


def test_the_same_threads_come_to_the_same_network(parts: list[Part]) -> None:
    found = []
    for _ in range(2):
        trainer = network.Trainer(parts, SETTINGS, threads=2)
        list(trainer.run())
        found.append(trainer.learner.get_weights())
    assert found[0] == found[1]


@pytest.mark.parametrize(("before", "width", "regions"), [(1, 16, 1), (1, 32, 1), (1, 16, 4), (4, 16, 4), (4, 48, 4)])
def test_a_training_begins_with_what_a_network_knows(tmp_path: Path, parts: list[Part], before: int, width: int,
                                                     regions: int) -> None:
    path = tmp_path / "first.net"
    first = network.Trainer(parts, replace(SETTINGS, regions=before, rate=0.02))
    list(first.run())
    first.save(path)
    second = network.Trainer(parts, replace(SETTINGS, width=width, regions=regions, start=str(path)))
    known, begun = first.predict(first.checking[:200]), second.predict(second.checking[:200])
    assert np.max(np.abs(known - begun)) < 0.1 * np.std(known) + 0.02 < 0.5 * np.std(known)
    history = list(second.run())
    assert history[0].learning < first.history[0].learning
    # What was added has a say in the end.
    added = np.frombuffer(second.learner.get_weights(), "<f4").reshape(-1)[(regions * INPUTS + 1) * width:]
    assert np.all(np.any(added[:4 * width].reshape(4, width) != 0, axis=0))


@pytest.mark.parametrize("change", [{"width": 16}, {"buckets": 2}, {"regions": 1}])
def test_a_training_cannot_begin_with_a_network_of_another_shape(tmp_path: Path, parts: list[Part],
                                                                 change: dict[str, int]) -> None:
    path = tmp_path / "other.net"
    network.Trainer(parts, replace(SETTINGS, width=32, buckets=1, regions=4)).save(path)
    shape = {"width": 32, "buckets": 1, "regions": 4} | change
    with pytest.raises(ValueError, match=r"give --width 32 or more, --buckets 1 and --regions 4$"):
        network.Trainer(parts, replace(SETTINGS, **shape, start=str(path)))


@pytest.mark.parametrize("lessons", [1, 7, 20])
def test_a_training_goes_on_exactly_wherever_it_was_interrupted(tmp_path: Path, data_folder: Path, lessons: int,
                                                                monkeypatch: pytest.MonkeyPatch) -> None:
    """Killed between two lessons in the middle of an epoch, and without a word; small windows make it several."""
    monkeypatch.setattr(network, "WINDOW", 512)
    monkeypatch.setattr(network, "LESSON", 128)
    monkeypatch.setattr(network, "CHECKPOINT_SECONDS", 0.0)
    whole = network.open_training([data_folder], SETTINGS, 1, tmp_path / "whole.npz")
    list(whole.run())
    path = tmp_path / "some.npz"
    first = network.open_training([data_folder], SETTINGS, 1, path)
    left = [lessons]

    def kill(step: int, steps: int, loss: float) -> None:
        left[0] -= 1
        if left[0] == 0:
            raise RuntimeError("killed")

    with pytest.raises(RuntimeError, match="killed"):
        list(first.run(kill))
    second = network.open_training([data_folder], SETTINGS, 1, path)
    assert second.step == lessons - 1
    list(second.run())
    assert second.learner.get_weights() == whole.learner.get_weights()
    assert [epoch.checking for epoch in second.history] == [epoch.checking for epoch in whole.history]
    assert [epoch.learning for epoch in second.history] == pytest.approx([epoch.learning for epoch in whole.history])
    assert list(network.open_training([data_folder], SETTINGS, 1, path).run()) == [], "what is done is not done again"


def test_a_checkpoint_belongs_to_its_training(tmp_path: Path, data_folder: Path) -> None:
    path, folder = tmp_path / "some.npz", tmp_path / "data"
    shutil.copytree(data_folder, folder)
    trainer = network.open_training([folder], SETTINGS, 1, path)
    trainer.save_checkpoint()
    shutil.copy(next(folder.glob("*.positions")), folder / "more.positions")
    assert network.open_training([folder], SETTINGS, 1, path).supply.total == trainer.supply.total, "new data waits"
    with pytest.raises(ValueError, match="another training"):
        network.open_training([folder], replace(SETTINGS, batch=64), 1, path)
    with pytest.raises(ValueError, match="another training"):
        network.open_training([folder / "more.positions"], SETTINGS, 1, path)
    stored = path.read_bytes()
    for bad in (b"nothing", stored[:len(stored) // 2], b""):
        path.write_bytes(bad)
        with pytest.raises(ValueError, match="not a checkpoint"):
            Checkpoint.load(path)


def test_steps_end_a_training(parts: list[Part]) -> None:
    trainer = network.Trainer(parts, replace(SETTINGS, steps=20, batch=100))
    history = list(trainer.run())
    assert trainer.learner.steps == 20
    assert len(history) == trainer.epochs == -(-20 // trainer.steps_an_epoch)


def test_the_share_of_the_result_moves_from_first_to_last(parts: list[Part], monkeypatch: pytest.MonkeyPatch) -> None:
    trainer = network.Trainer(parts, replace(SETTINGS, first_share=0.1, last_share=0.5))
    heard: list[float] = []
    learner = trainer.learner

    class Listening:
        """The learner, with an ear for the shares."""

        def __getattr__(self, name: str) -> Any:
            return getattr(learner, name)

        def learn(self, *arguments: Any) -> float:
            heard.extend(arguments[4].tolist())
            return float(learner.learn(*arguments))

    monkeypatch.setattr(trainer, "learner", Listening())
    list(trainer.run())
    assert len(heard) == trainer.steps
    assert heard[0] == pytest.approx(0.1) and heard[-1] == pytest.approx(0.5, abs=0.01)
    assert np.diff(heard) == pytest.approx(0.4 / trainer.steps, abs=1e-6)


def test_more_threads_than_a_learner_has(parts: list[Part]) -> None:
    assert network.Trainer(parts, SETTINGS, threads=1000).threads == MAX_LEARNERS


@pytest.mark.parametrize("regions", [1, 4])
def test_a_network_gone_wild_fits_the_engine(tmp_path: Path, regions: int) -> None:
    wild = np.full((row_count(2, regions) + (INPUTS if regions > 1 else 0)) * 1024 + 2, 3.8, "<f4")
    path = tmp_path / "wild.net"
    nets.save(path, 1024, 2, quantise(wild.tobytes(), 1024, 2, regions), regions=regions)
    assert nets.load(path).width == 1024


@pytest.mark.parametrize(("name", "value"), [
    ("rate", float("nan")), ("rate", float("inf")), ("scale", float("nan")), ("scale", float("inf")), ("scale", 5000)])
def test_impossible_settings_are_refused(name: str, value: Any) -> None:
    with pytest.raises(ValueError, match=name):
        replace(SETTINGS, **{name: value})


def test_scale_is_found() -> None:
    rng = np.random.default_rng(2)
    records = np.zeros(40_000, dataset.RECORD)
    records["score"] = rng.integers(-600, 600, len(records))
    chance = 1 / (1 + np.exp(-records["score"] / 210.0))
    records["result"] = 2 * (rng.random(len(records)) < chance)
    assert network.fit_scale(records) == pytest.approx(210, rel=0.1)
    records["result"][::2] = dataset.NO_RESULT
    assert network.fit_scale(records) == pytest.approx(210, rel=0.1)
    records["result"] = dataset.NO_RESULT
    with pytest.raises(ValueError, match="no position has a result"):
        network.fit_scale(records)


def test_rate_rises_and_falls(parts: list[Part]) -> None:
    trainer = network.Trainer(parts, SETTINGS)
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
    positions = tmp_path / "some.positions"
    assert main(["train", "merge", str(data_folder), "-o", str(positions)]) == 0
    before = positions.read_bytes()
    assert main(["train", "net", str(data_folder), str(positions), "-o", str(positions)]) == 2
    assert "given both for the data and for -o" in capsys.readouterr().err and positions.read_bytes() == before


def test_a_killed_command_goes_on(tmp_path: Path, data_folder: Path) -> None:
    def command(target: Path) -> list[str]:
        return [sys.executable, "-m", "barreleye", "train", "net", str(data_folder), "-o", str(target), "--width", "16",
                "--epochs", "60", "--batch", "256", "--validation", "0.2", "--threads", "2"]

    whole, broken = tmp_path / "whole.net", tmp_path / "broken.net"
    subprocess.run(command(whole), check=True, capture_output=True)
    wide = {**os.environ, "COLUMNS": "200"}
    with subprocess.Popen(command(broken), stdout=subprocess.PIPE, text=True, env=wide) as one:
        assert one.stdout is not None
        for line in one.stdout:
            if line.startswith("epoch 5/"):
                break
        one.kill()
    assert not broken.exists() and broken.with_name("broken.net.checkpoint.npz").exists()
    said = subprocess.run(command(broken), check=True, capture_output=True, text=True).stdout
    assert "going on after step" in said
    assert broken.read_bytes() == whole.read_bytes()
    assert not broken.with_name("broken.net.checkpoint.npz").exists()


def test_growing_goes_on_with_an_interrupted_training(tmp_path: Path, data_folder: Path,
                                                      monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(grow, "plan", lambda positions, minutes, threads: SETTINGS)
    played: list[float] = []
    monkeypatch.setattr(generate, "generate", lambda *_, minutes, **__: played.append(minutes))
    target, checkpoint = tmp_path / "grown.net", tmp_path / "grown.net.checkpoint.npz"

    def interrupt(epoch: network.Epoch, trainer: network.Trainer) -> None:
        if epoch.number == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        grow.grow(data_folder, target, 1.0, PLAY, checkpoint=checkpoint, on_epoch=interrupt)
    assert checkpoint.exists() and not target.exists() and played == [grow.PLAY_SHARE]
    heard: list[int] = []
    grown = grow.grow(data_folder, target, 1.0, PLAY, checkpoint=checkpoint,
                      on_epoch=lambda epoch, _: heard.append(epoch.number))
    assert heard == [3, 4, 5, 6] and len(played) == 1, "what was played is trained on before more is played"
    whole = network.Trainer(dataset.find_parts([data_folder]), SETTINGS)
    list(whole.run())
    assert grown.best == whole.best and target.exists()


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
