"""Scores averaged over what follows in the game, against the definition written out."""

from math import exp, log
from pathlib import Path

import numpy as np
import pytest

from barreleye.train import dataset, supply
from barreleye.train.dataset import NO_RESULT, RECORD, Records
from barreleye.train.foresight import look_ahead
from barreleye.train.network import TrainingSettings
from barreleye.train.supply import Supply


def some(plies: list[int], scores: list[int], results: list[int]) -> Records:
    records = np.zeros(len(plies), RECORD)
    records["ply"], records["score"], records["result"] = plies, scores, results
    return records


def expected(plies: list[int], scores: list[int], result: int, scale: float, fade: float) -> list[int]:
    """One game: every later chance weighed by its distance, the result by what is left."""
    found = []
    for place in range(len(plies)):
        total, left = 0.0, 1.0
        for number in range(place, len(plies)):
            following = plies[number + 1] if number + 1 < len(plies) else plies[number] + 1
            weight = fade ** (following - plies[number])
            total += left * (1 - weight) / (1 + exp(-scores[number] / scale))
            left *= weight
        total += left * result / 2
        found.append(round(scale * log(total / (1 - total))))
    return found


def test_later_scores_count_less_with_every_ply() -> None:
    first, second = [8, 9, 12, 13, 20], [9, 11]
    scores, others = [10, -40, 200, 150, 600], [-30, -900]
    records = some(first + second, scores + others, [2] * 5 + [0] * 2)
    look_ahead(records, 280.0, 0.8)
    assert records["score"].tolist() == (expected(first, scores, 2, 280.0, 0.8)
                                         + expected(second, others, 0, 280.0, 0.8))
    assert records["ply"].tolist() == first + second


def test_what_nobody_played_keeps_its_score() -> None:
    records = some([8, 8, 9], [0, 333, 100], [2, NO_RESULT, 2])
    look_ahead(records, 280.0, 0.8)
    assert records["score"].tolist() == [*expected([8, 9], [0, 100], 2, 280.0, 0.8)[:1], 333,
                                         *expected([8, 9], [0, 100], 2, 280.0, 0.8)[1:]]
    unplayed = some([8, 9], [10, 20], [NO_RESULT] * 2)
    look_ahead(unplayed, 280.0, 0.8)
    assert unplayed["score"].tolist() == [10, 20]


def test_a_lost_cause_stays_within_a_record() -> None:
    records = some([8, 9], [-32000, 32000], [0, 0])
    look_ahead(records, 1000.0, 0.0)
    assert records["score"].tolist() == [-11513, 11513]
    records = some([8, 9], [-32000, -32000], [0, 0])
    look_ahead(records, 4000.0, 0.99)
    assert records["score"].tolist() == [-32767, -32767]


def test_the_supply_gives_the_same_whatever_the_blocks(data_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    parts = dataset.find_parts([data_folder])
    found = []
    for size in (60, 10_000):
        monkeypatch.setattr(supply, "BLOCK", size)
        source = Supply(parts, 0.2, 1)
        own = source.checking.copy()
        source.look_ahead(280.0, 0.8)
        records, order = source.window(0, 0, source.positions)
        found.append(sorted(record.tobytes() for record in np.concatenate([records[order], source.checking])))
        assert (own["score"] != source.checking["score"]).mean() > 0.5
    assert found[0] == found[1]


@pytest.mark.parametrize("foresight", [-0.1, 1.0, float("nan")])
def test_foresight_is_a_part_of_one(foresight: float) -> None:
    with pytest.raises(ValueError, match="foresight is"):
        TrainingSettings(foresight=foresight)
