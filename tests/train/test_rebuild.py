"""Positions made again from stored games: the same ones by the same filters, others by others."""

from pathlib import Path

import numpy as np
import pytest

from barreleye.cli import main
from barreleye.train import dataset
from barreleye.train.rebuild import rebuild


def test_the_same_filters_give_the_same_positions(tmp_path: Path, data_folder: Path) -> None:
    target = tmp_path / "again.positions"
    count = rebuild([data_folder], target)
    assert dataset.read_positions(target).tobytes() == dataset.load([data_folder]).tobytes()
    assert count == sum(dataset.read_facts(target)["sources"].values())


def test_filters_can_be_chosen_anew(tmp_path: Path, data_folder: Path) -> None:
    target = tmp_path / "again.positions"
    rebuild([data_folder], target, first_ply=30, score_limit=200)
    before, after = dataset.load([data_folder]), dataset.read_positions(target)
    wanted = before[(before["ply"] >= 30) & (np.abs(before["score"].astype(int)) <= 200)]
    assert len(after) and after.tobytes() == wanted.tobytes()


def test_command_says_how_many(tmp_path: Path, data_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "again.positions"
    games = sorted(map(str, data_folder.glob("*.games")))[:2]
    assert main(["train", "positions", *games, "-o", str(target)]) == 0
    assert f"{len(dataset.read_positions(target))} positions written" in capsys.readouterr().out


def test_damaged_games_are_named(tmp_path: Path, data_folder: Path) -> None:
    path = tmp_path / "damaged.games"
    data = bytearray(sorted(data_folder.glob("*.games"))[0].read_bytes())
    data[-dataset.MOVE_SIZE:-2] = b"\0\0"
    path.write_bytes(data)
    with pytest.raises(ValueError, match=r"damaged.games: move \d+ .* is not legal"):
        rebuild([path], tmp_path / "out.positions")
    assert [file.name for file in tmp_path.iterdir()] == [path.name]


def test_a_folder_without_games_is_named(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no games in"):
        rebuild([tmp_path], tmp_path / "out.positions")
