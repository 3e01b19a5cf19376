"""The choice of a level: by weight, by seed and place, and never beyond what it sees."""

from collections import Counter

import pytest

from barreleye.core.chance import chosen

SEEDS = range(3000)


def shares(scores: list[int], spread: float) -> list[float]:
    counts = Counter(chosen(scores, spread, seed, 12345, 7) for seed in SEEDS)
    return [counts[index] / len(SEEDS) for index in range(len(scores))]


def test_a_line_a_spread_worse_is_e_times_rarer():
    best, middle, worst = shares([80, 30, -20], 50)
    assert best / middle == pytest.approx(2.718, rel=0.15) and middle / worst == pytest.approx(2.718, rel=0.2)


def test_equal_lines_are_equally_likely_wherever_they_stand():
    assert shares([0, 0, 0, 0], 10) == pytest.approx([0.25] * 4, abs=0.03)


def test_beyond_a_decided_score_nothing_is_better():
    assert shares([1500, 31_990], 50) == pytest.approx([0.5, 0.5], abs=0.04)
    assert shares([-31_990, -1500], 50) == pytest.approx([0.5, 0.5], abs=0.04)
    assert shares([0, -31_990], 20) == [1.0, 0.0]


def test_seed_position_and_ply_decide():
    scores = [0] * 10

    def choices(**place: int) -> list[int]:
        return [chosen(scores, 10, **{"seed": 1, "key": 99, "ply": 3, **place}) for _ in range(2)]

    assert len(set(choices())) == 1
    for name in ("seed", "key", "ply"):
        assert len({choices(**{name: number})[0] for number in range(40)}) > 5, name
    assert 0 <= chosen(scores, 10, 2**64 - 1, 2**64 - 1, 2_000) < 10


def test_the_only_line_is_chosen():
    assert {chosen([score], 30, seed, 1, 0) for score in (-32_000, 0, 32_000) for seed in range(20)} == {0}
