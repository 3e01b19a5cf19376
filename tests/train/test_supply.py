"""Positions on their way to the learner: each once in an epoch, no game on both sides, well mixed."""

from pathlib import Path

import numpy as np
import pytest

from barreleye.train import dataset, supply
from barreleye.train.dataset import Part, Records
from barreleye.train.supply import Supply


@pytest.fixture(scope="module")
def parts(data_folder: Path) -> list[Part]:
    return dataset.find_parts([data_folder])


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(supply, "BLOCK", 60)


def names(records: Records) -> list[bytes]:
    """Each record by its bytes."""
    data = records.tobytes()
    return [data[place:place + 32] for place in range(0, len(data), 32)]


def learned(source: Supply, epoch: int, window: int) -> Records:
    """An epoch's positions in the order in which they are learned from."""
    found = []
    for first in range(0, source.positions, window):
        records, order = source.window(epoch, first, min(window, source.positions - first))
        found.append(records[order])
    return np.concatenate(found)


@pytest.mark.parametrize("window", [100, 333, 10_000])
def test_an_epoch_has_each_position_once(parts: list[Part], window: int) -> None:
    source = Supply(parts, 0.2, 1)
    everything = np.concatenate([part.read(0, part.count) for part in parts])
    assert len(source.blocks) > 10
    assert source.positions + len(source.checking) == source.total == len(everything)
    for epoch in range(2):
        assert sorted(names(learned(source, epoch, window)) + names(source.checking)) == sorted(names(everything))


def test_games_are_not_split(parts: list[Part]) -> None:
    source = Supply(parts, 0.3, 1)
    apart = set(names(source.checking))
    games = 0
    for part in parts:
        records = part.read(0, part.count)
        for game in np.split(records, np.flatnonzero(np.diff(dataset.game_numbers(records))) + 1):
            games += 1
            assert len({name in apart for name in names(game)}) == 1
    assert games == source.games
    assert 0.1 < len(source.checking) / source.total < 0.6


def test_the_split_depends_on_seed_alone(parts: list[Part], monkeypatch: pytest.MonkeyPatch) -> None:
    first = Supply(parts, 0.3, 1).checking.tobytes()
    assert Supply(parts, 0.3, 2).checking.tobytes() != first
    monkeypatch.setattr(supply, "BLOCK", 10_000)
    assert Supply(parts, 0.3, 1).checking.tobytes() == first, "whatever the blocks"


def test_positions_are_mixed(parts: list[Part]) -> None:
    source = Supply(parts, 0.2, 1)
    one, two = learned(source, 0, 10_000), learned(source, 1, 10_000)
    assert names(one) != names(two)
    assert names(one) == names(learned(source, 0, 10_000)), "the same on every run"
    # Neighbours in the order are seldom neighbours in a game: the ply falls as often as it rises.
    falls = np.mean(np.diff(one["ply"].astype(int)) < 0)
    assert 0.45 < falls < 0.55
    order = source.window(0, 0, source.positions)[1]
    assert abs(np.corrcoef(order, np.arange(len(order)))[0, 1]) < 0.1


def test_early_plies_are_left_out(parts: list[Part]) -> None:
    source = Supply(parts, 0.2, 1, min_ply=40)
    whole = Supply(parts, 0.2, 1)
    assert (learned(source, 0, 500)["ply"] >= 40).all() and (source.checking["ply"] >= 40).all()
    assert source.positions == int((learned(whole, 0, 500)["ply"] >= 40).sum())
    with pytest.raises(ValueError, match="too few to train on from ply 9999"):
        Supply(parts, 0.2, 1, min_ply=9999)


def test_few_games_are_refused(tmp_path: Path, parts: list[Part]) -> None:
    records = parts[0].read(0, parts[0].count)
    path = tmp_path / "one.positions"
    dataset.write_positions(path, {}, records[dataset.game_numbers(records) == 0])
    with pytest.raises(ValueError, match="1 games are too few"):
        Supply(dataset.find_parts([path]), 0.2, 1)


def test_files_may_grow_but_not_shrink(tmp_path: Path, parts: list[Part]) -> None:
    path = tmp_path / "growing.positions"
    path.write_bytes(parts[0].path.read_bytes())
    source = Supply(dataset.find_parts([path]), 0.2, 1)
    before = names(learned(source, 0, 500))
    with path.open("ab") as file:
        file.write(bytes(320))
    assert names(learned(source, 0, 500)) == before
    with path.open("r+b") as file:
        file.truncate(2000)
    with pytest.raises(ValueError, match="has become shorter"):
        learned(source, 0, 500)


def test_chances_are_even() -> None:
    drawn = supply.chances(np.arange(100_000), 5)
    assert drawn.min() >= 0 and drawn.max() < 1
    assert np.histogram(drawn, 10)[0] == pytest.approx(10_000, rel=0.05)
    assert abs(np.corrcoef(drawn[1:], drawn[:-1])[0, 1]) < 0.02
    assert abs(np.corrcoef(drawn, supply.chances(np.arange(100_000), 6))[0, 1]) < 0.02
