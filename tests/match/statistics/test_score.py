import math

import numpy as np
import pytest
from tests.match.statistics.simulation import normalized_elo, pair_distribution

from barreleye.match.statistics.score import Score, elo_from_score, score_from_elo


def test_elo_and_score_are_inverse():
    for elo in (-300.0, 0.0, 7.5, 190.848501887865):
        assert elo_from_score(score_from_elo(elo)) == pytest.approx(elo)
    assert score_from_elo(400) == pytest.approx(10 / 11)
    assert elo_from_score(1) == math.inf and elo_from_score(0) == -math.inf


def test_closed_form_of_an_even_match():
    """20 pairs, half won 1.5-0.5, half lost: mean 1/2, variance 1/16 a pair."""
    score = Score(10, 10, 20, [0, 10, 0, 10, 0])
    elo, nelo = score.elo(), score.normalized_elo()
    reach = 1.959963984540054 * math.sqrt(1 / 16 / 20)
    assert elo.value == pytest.approx(0)
    assert elo.high == pytest.approx(400 * math.log10((0.5 + reach) / (0.5 - reach)))
    assert elo.low == pytest.approx(-elo.high)
    assert nelo.value == pytest.approx(0)
    assert nelo.error == pytest.approx(1.959963984540054 / math.sqrt(40) * 800 / math.log(10))
    assert score.likelihood_of_superiority() == pytest.approx(0.5)
    assert score.draw_ratio == 0.5


def test_closed_form_of_a_won_match():
    """8 pairs: mean 3/4, variance 1/32, so five standard errors above one half."""
    score = Score(10, 2, 4, [0, 0, 2, 4, 2])
    assert score.elo().value == pytest.approx(400 * math.log10(3))
    assert score.normalized_elo().value == pytest.approx(0.25 / math.sqrt(1 / 32) / math.sqrt(2) * 800 / math.log(10))
    assert score.likelihood_of_superiority() == pytest.approx(0.5 * math.erfc(-4 / math.sqrt(2)))


def test_pairs_that_all_ended_alike_give_no_interval():
    elo = Score(2, 2, 0, [0, 0, 2, 0, 0]).elo()
    assert (elo.value, elo.low, elo.high) == (0, -math.inf, math.inf)
    assert math.isinf(Score().elo().error) and math.isinf(Score().normalized_elo().error)
    assert Score().likelihood_of_superiority() == 0.5


def test_the_opponent_sees_the_mirror_image():
    score = Score(10, 2, 4, [0, 0, 2, 4, 2])
    other = score.reversed()
    assert other.elo().value == pytest.approx(-score.elo().value)
    assert other.elo().low == pytest.approx(-score.elo().high)


@pytest.mark.parametrize("elo", [0.0, 30.0, -150.0])
@pytest.mark.parametrize(("pairs", "shape"), [(100, {}), (1000, {"draw_elo": 400.0, "bias": 20.0})])
def test_intervals_cover_the_truth_in_95_percent(elo, pairs, shape):
    chances = pair_distribution(elo, **shape)
    truth = normalized_elo(chances)
    matches = 4000
    samples = np.random.default_rng(int(abs(elo)) + pairs).multinomial(pairs, chances, size=matches)
    covered = covered_normalized = 0
    for counts in samples.tolist():
        score = Score(pairs=counts)
        estimate, normalized = score.elo(), score.normalized_elo()
        covered += estimate.low <= elo <= estimate.high
        covered_normalized += normalized.low <= truth <= normalized.high
    assert 0.93 <= covered / matches <= 0.97
    assert 0.93 <= covered_normalized / matches <= 0.97
