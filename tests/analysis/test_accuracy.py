"""Lichess's formulas, against numbers worked out by hand."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from barreleye.analysis.accuracy import (
    WhiteScore,
    average_loss,
    game_accuracy,
    harmonic_mean,
    move_accuracies,
    move_accuracy,
    move_losses,
    win_percent,
    winning_chances,
)

scores = st.lists(st.integers(-2000, 2000), max_size=120)


@pytest.mark.parametrize(("cp", "percent"), [
    # 50 + 50 * (2 / (1 + exp(-0.00368208 * cp)) - 1) by bc
    (0, 50.0), (15, 51.380429), (100, 59.102590), (-100, 40.897410), (300, 75.112550), (1000, 97.544744),
    (-1000, 2.455256),
])
def test_win_percent(cp: int, percent: float):
    assert win_percent(cp) == pytest.approx(percent, abs=1e-6)


def test_win_percent_is_ceiled_and_winning_chances_are_not():
    assert win_percent(5000) == win_percent(1000)
    assert winning_chances(5000) > winning_chances(1000)
    assert winning_chances(10**9) == 1 and winning_chances(-(10**9)) == -1


@pytest.mark.parametrize(("before", "after", "accuracy"), [
    (50, 50, 100), (50, 70, 100),
    (51.38, 50.0, 94.98), (60, 50, 64.58), (70, 50, 41.02), (75, 25, 9.53), (100, 0, 0),
])
def test_move_accuracy(before: float, after: float, accuracy: float):
    """103.1668100711649 * exp(-0.04354415386753951 * loss) - 2.166924740191411, between 0 and 100."""
    assert move_accuracy(before, after) == pytest.approx(accuracy, abs=0.01)


def test_average_loss_begins_at_15_is_ceiled_and_rounded():
    # White: 15 -> 0 loses 15; 50 -> -100 loses 150: mean 82.5 is 83. Black: 0 -> 50 loses 50; -100 -> 2000 loses 1100.
    assert average_loss([0, 50, -100, 2000]) == (83, 575)
    assert move_losses([0, 50, -100, 2000]) == [15, 50, 150, 1100]
    assert average_loss([40]) == (0, None)
    assert average_loss([]) == (None, None)


def test_a_game_of_two_moves_by_hand():
    """1. something level, then Black throws away three pawns.

    Chances: 51.3804 (15 cp), 50 (0 cp), 75.1126 (300 cp). Windows of 2: (51.3804, 50), (50, 75.1126); deviations 0.690
    and 12.557, clamped to 12. White's only move costs 1.3804: 103.16681 * exp(-0.0601128) - 2.16692 = 94.98; Black's
    25.1126: 103.16681 * exp(-1.0935064) - 2.16692 = 32.40. With one move each, both means are that move's accuracy.
    """
    white, black = game_accuracy([0, 300])
    assert white == pytest.approx(94.98, abs=0.01) and black == pytest.approx(32.40, abs=0.01)


def test_a_game_of_four_moves_by_hand():
    """Two moves a side, so that weights and both means matter.

    cps 15 | 0, 0, -100, -100: White loses 1.3804 (94.98), then 9.1026 (103.16681 * exp(-0.396365) - 2.16692 = 67.24).
    Windows of 2: (51.38, 50) 0.690; (50, 50) 0 -> 0.5; (50, 40.90) 4.551; (40.90, 40.90) 0 -> 0.5. White's weights are
    0.690 and 4.551: weighted mean (94.98 * 0.690 + 67.24 * 4.551) / 5.241 = 70.89; harmonic mean
    2 / (1/94.98 + 1/67.24) = 78.74; together 74.82. Black never loses anything.
    """
    white, black = game_accuracy([0, 0, -100, -100])
    assert white == pytest.approx(74.82, abs=0.02) and black == 100


def test_long_games_have_wide_windows_at_the_start_too():
    """Thirty moves: windows of 3, the first one twice, so that there is one for each move."""
    cps = [10 * index for index in range(30)]
    white, black = game_accuracy(cps)
    percents = [win_percent(cp) for cp in (15, *cps)]
    windows = [percents[:3]] + [percents[first:first + 3] for first in range(29)]
    assert len(windows) == 30
    weights = []
    for window in windows:
        mean = sum(window) / 3
        weights.append(min(12, max(0.5, math.sqrt(sum((value - mean) ** 2 for value in window) / 3))))
    own = move_accuracies(cps)[1::2]
    weighted = sum(a * w for a, w in zip(own, weights[1::2], strict=True)) / sum(weights[1::2])
    assert black == pytest.approx((weighted + harmonic_mean(own)) / 2) and white and black and white > black


def test_black_may_move_first():
    assert game_accuracy([300, 300], start=0, white_first=False)[0] == 100
    assert average_loss([300, 200], start=0, white_first=False) == (100, 300)


@settings(deadline=None)
@given(scores, st.booleans())
def test_accuracy_is_a_share_and_mirrors(cps: list[int], white_first: bool):
    white, black = game_accuracy(cps, 0, white_first)
    for share in (white, black):
        assert share is None or 0 <= share <= 100
    mirrored = game_accuracy([-cp for cp in cps], 0, not white_first)
    assert mirrored[1] == pytest.approx(white)
    assert mirrored[0] == pytest.approx(black)


def test_scores():
    scores = WhiteScore(1500), WhiteScore(-1500), WhiteScore(mate=5), WhiteScore(mate=-1)
    assert [score.ceiled for score in scores] == [
        1000, -1000, 1000, -1000]
