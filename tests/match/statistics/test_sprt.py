import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.match.statistics.simulation import accept_rate, llr, normalized_distribution, pair_distribution

from barreleye.match.statistics.score import PAIR_SCORES, score_from_elo
from barreleye.match.statistics.sprt import Sprt, _fit_t

DRAWISH = {"draw_elo": 400.0, "bias": 20.0}
SHARP = {"draw_elo": 60.0, "bias": 150.0}
COUNTS = st.lists(st.integers(0, 3000), min_size=5, max_size=5).filter(any)


def test_the_bounds_are_walds():
    sprt = Sprt(0, 10, alpha=0.05, beta=0.1)
    assert sprt.lower == pytest.approx(math.log(0.1 / 0.95))
    assert sprt.upper == pytest.approx(math.log(0.9 / 0.05))


def test_two_results_have_a_closed_form():
    """When all pairs are 2-0 or 0-2 the distribution has one free parameter, and the ratio is the binomial one."""
    sprt = Sprt(0, 50)
    s1 = score_from_elo(50)
    expected = 60 * math.log(s1 / 0.5) + 40 * math.log((1 - s1) / 0.5)
    assert sprt.llr([40, 0, 0, 0, 60]) == pytest.approx(expected, abs=2e-3)  # the unseen results weigh a little


def test_symmetric_bounds_on_an_even_match_give_zero():
    for model in ("logistic", "normalized"):
        assert Sprt(-5, 5, model=model).llr([10, 50, 100, 50, 10]) == pytest.approx(0, abs=1e-9)


def test_near_equality_it_is_the_familiar_quadratic():
    """LLR = N (s1 - s0) (2 mean - s0 - s1) / (2 variance) for close hypotheses and many games."""
    pairs = [500, 2600, 4700, 2800, 600]
    total = sum(pairs)
    mean = sum(n * a for n, a in zip(pairs, PAIR_SCORES, strict=True)) / total
    variance = sum(n * (a - mean) ** 2 for n, a in zip(pairs, PAIR_SCORES, strict=True)) / total
    s0, s1 = score_from_elo(0), score_from_elo(5)
    assert Sprt(0, 5).llr(pairs) == pytest.approx(total * (s1 - s0) * (2 * mean - s0 - s1) / (2 * variance), rel=0.01)


@pytest.mark.parametrize("model", ["logistic", "normalized"])
@given(pairs=COUNTS)
@settings(max_examples=200, deadline=None)
def test_agrees_with_a_second_computation(model, pairs):
    sprt = Sprt(-3, 10, model=model)
    assert sprt.llr(pairs) == pytest.approx(llr(sprt, pairs), rel=1e-4, abs=1e-4)


@given(pairs=COUNTS, t=st.floats(-0.3, 0.3))
@settings(max_examples=100, deadline=None)
def test_the_normalized_fit_meets_its_condition_and_nothing_near_is_likelier(pairs, t):
    seen = np.array([n or 0.001 for n in pairs], dtype=float)
    seen /= seen.sum()
    fit = np.array(_fit_t(seen.tolist(), t))
    scores = np.array(PAIR_SCORES)

    def t_value(p):
        mean = p @ scores
        return (mean - 0.5) / math.sqrt(p @ (scores - mean) ** 2)

    assert fit.sum() == pytest.approx(1, abs=1e-4)
    assert t_value(fit) == pytest.approx(t, abs=1e-4)
    best = seen @ np.log(fit)
    gradient = np.array([(t_value(fit + 1e-7 * e) - t_value(fit - 1e-7 * e)) / 2e-7 for e in np.eye(5)])
    for seed in range(5):  # steps along the condition, in relative terms so that they stay positive
        step = np.random.default_rng(seed).normal(size=5) * fit
        for normal in (np.ones(5), gradient - gradient.mean()):
            step -= normal * (step @ normal) / (normal @ normal)
        step *= 1e-3 / np.abs(step / fit).max()
        assert seen @ np.log(fit + step) <= best + 1e-6


def check_error_rates(model, elo1, matches, shape):
    """Both kinds of error of the SPRT [0, elo1] in simulated matches whose true Elo is at one of the bounds."""
    sprt = Sprt(0, elo1, model=model)
    make = pair_distribution if model == "logistic" else normalized_distribution
    false_positives, _ = accept_rate(sprt, make(0, **shape), matches, seed=1)
    true_positives, _ = accept_rate(sprt, make(elo1, **shape), matches, seed=2)
    print(f"{sprt}, {shape}: false positives {false_positives:.4f}, false negatives {1 - true_positives:.4f}")
    assert false_positives <= 0.06
    assert 1 - true_positives <= 0.06


@pytest.mark.parametrize(("model", "elo1"), [("logistic", 10), ("normalized", 30)])
def test_error_rates(model, elo1):
    check_error_rates(model, elo1, 1000, {})


@pytest.mark.slow
@pytest.mark.parametrize("shape", [{}, DRAWISH, SHARP], ids=["usual", "drawish", "sharp"])
@pytest.mark.parametrize("model", ["logistic", "normalized"])
def test_error_rates_of_many_matches(model, shape):
    check_error_rates(model, 10, 4000, shape)


@pytest.mark.parametrize(
    "wrong", [{"elo0": 5, "elo1": 5}, {"elo0": 0, "elo1": 900}, {"model": "bayesian"}, {"alpha": 0}, {"beta": 0.7}]
)
def test_senseless_tests_are_refused(wrong):
    with pytest.raises(ValueError):
        Sprt(**{"elo0": 0, "elo1": 5, **wrong})
