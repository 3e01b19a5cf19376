"""What a grown network is measured by: counting material, and a play-off from the openings of self-play."""

from pathlib import Path

import pytest

from barreleye import nets
from barreleye.core.evaluate.nnue import Accumulators, evaluate_with
from barreleye.core.position import Position
from barreleye.train import dataset
from barreleye.train.grow import material_network, play_off


@pytest.fixture
def material(tmp_path: Path) -> Path:
    path = tmp_path / "material.net"
    material_network(path)
    return path


def test_material_alone_is_counted(material: Path) -> None:
    accumulators = Accumulators(nets.load(material))
    assert abs(evaluate_with(accumulators, Position())) <= 10
    assert evaluate_with(accumulators, Position("rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")) > 700


def test_a_play_off_is_a_duel_of_networks(material: Path, data_folder: Path) -> None:
    records = dataset.load([data_folder])
    standing = play_off(nets.DEFAULT, material, records, 12, 60)
    assert standing.names == (nets.DEFAULT.stem, "material") and standing.games == 12
    assert standing.score.points > 8
    lost = records[:0]
    with pytest.raises(ValueError, match="no balanced opening"):
        play_off(nets.DEFAULT, material, lost, 2, 60)
