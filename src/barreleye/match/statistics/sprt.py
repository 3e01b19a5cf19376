"""The sequential probability ratio test on pairs of games: play until one of two Elo hypotheses can be rejected.

The likelihoods are generalised ones: among all distributions over the five pair results that have the hypothesis's Elo,
the one closest to what was seen stands for it, so neither the draw rate nor the openings' bias has to be known. See
M. Van den Bergh, "Comments on normalized Elo" and "The generalized maximum likelihood ratio for the expectation value".
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from barreleye.match.statistics.score import NELO_PER_SIGMA, PAIR_SCORES, score_from_elo

MODELS = ("logistic", "normalized")
MAX_ELO = 200  # of a bound; beyond it the fits are not trusted
UNSEEN = 0.001  # stands for a count of zero, so that no result is ruled out
_MAX_ITERATIONS = 60


@dataclass(frozen=True)
class Sprt:
    """H0: the Elo difference is elo0. H1: it is elo1. Errors at most alpha (H1 by mistake) and beta (H0 by mistake)."""

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05
    model: str = "logistic"

    def __post_init__(self) -> None:
        if self.model not in MODELS:
            raise ValueError(f"the SPRT model is logistic or normalized, not {self.model!r}")
        if not self.elo0 < self.elo1:
            raise ValueError("an SPRT needs elo0 below elo1")
        if max(abs(self.elo0), abs(self.elo1)) > MAX_ELO:
            raise ValueError(f"elo0 and elo1 of an SPRT must lie between -{MAX_ELO} and {MAX_ELO}")
        if not (0 < self.alpha < 0.5 and 0 < self.beta < 0.5):
            raise ValueError("an SPRT needs alpha and beta between 0 and 0.5")

    @property
    def lower(self) -> float:
        return math.log(self.beta / (1 - self.alpha))

    @property
    def upper(self) -> float:
        return math.log((1 - self.beta) / self.alpha)

    def llr(self, pairs: Sequence[int]) -> float:
        """The log-likelihood ratio of H1 against H0 after these pairs."""
        total = sum(pairs)
        if total == 0:
            return 0.0
        counts = [n or UNSEEN for n in pairs]
        seen = [n / sum(counts) for n in counts]
        fit = _fit_score if self.model == "logistic" else _fit_t
        under_h0, under_h1 = fit(seen, self._target(self.elo0)), fit(seen, self._target(self.elo1))
        return sum(n * math.log(p1 / p0) for n, p0, p1 in zip(counts, under_h0, under_h1, strict=True))

    def _target(self, elo: float) -> float:
        """What the model fixes: the expected score, or the mean advantage in standard deviations of a pair."""
        return score_from_elo(elo) if self.model == "logistic" else math.sqrt(2) * elo / NELO_PER_SIGMA

    def verdict(self, pairs: Sequence[int]) -> str | None:
        """`H0` or `H1` once it is accepted, None while the games must go on."""
        llr = self.llr(pairs)
        if llr >= self.upper:
            return "H1"
        return "H0" if llr <= self.lower else None

    def __str__(self) -> str:
        return f"[{self.elo0:g}, {self.elo1:g}] {self.model}, alpha {self.alpha:g}, beta {self.beta:g}"


def _fit_score(seen: Sequence[float], score: float) -> list[float]:
    """The likeliest distribution with this expected score."""
    return _fit_zero_mean(seen, [a - score for a in PAIR_SCORES])


def _fit_t(seen: Sequence[float], t: float) -> list[float]:
    """The likeliest distribution whose mean lies t standard deviations above one half.

    The condition is not linear in the probabilities. It is replaced by its tangent at the last guess, which meets it
    exactly once the guess stands still.
    """
    guess = [1 / len(seen)] * len(seen)
    for _ in range(_MAX_ITERATIONS):
        mean = sum(p * a for p, a in zip(guess, PAIR_SCORES, strict=True))
        sigma = math.sqrt(sum(p * (a - mean) ** 2 for p, a in zip(guess, PAIR_SCORES, strict=True)))
        tangent = [a - 0.5 - t * sigma * (1 + ((a - mean) / sigma) ** 2) / 2 for a in PAIR_SCORES]
        last, guess = guess, _fit_zero_mean(seen, tangent)
        if max(abs(p - q) for p, q in zip(guess, last, strict=True)) < 1e-10:
            break
    return guess


def _fit_zero_mean(seen: Sequence[float], values: Sequence[float]) -> list[float]:
    """The likeliest distribution under which the values average zero: p_i = seen_i / (1 + x * value_i).

    Some value must be negative and some positive. x is the root of a falling function between its two poles: Newton's
    steps, halved back into the bracket when they leave it.
    """
    low, high = -1 / max(values), -1 / min(values)
    x = 0.0
    for _ in range(_MAX_ITERATIONS):
        slope = height = 0.0
        for p, v in zip(seen, values, strict=True):
            share = v / (1 + x * v)
            height += p * share
            slope -= p * share * share
        if height > 0:
            low = x
        else:
            high = x
        step = -height / slope
        if abs(step) < 1e-12 * (1 + abs(x)):
            break
        x = x + step if low < x + step < high else (low + high) / 2
    return [p / (1 + x * v) for p, v in zip(seen, values, strict=True)]
