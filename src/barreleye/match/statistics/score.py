"""Elo, its interval and its likelihood from the results of one pairing, counted in pairs of games.

Two games from one opening with colours reversed are one observation: the bias of the opening falls out, and what is
left is closer to independent. A pair yields 0, 0.5, 1, 1.5 or 2 points; scores here are points per game, 0 to 1.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from statistics import NormalDist

PAIR_SCORES = (0.0, 0.25, 0.5, 0.75, 1.0)
ELO_PER_NAT = 400 / math.log(10)  # logistic Elo per unit of log odds
NELO_PER_SIGMA = 800 / math.log(10)  # normalised Elo per standard deviation of one game
_NORMAL = NormalDist()


def elo_from_score(score: float) -> float:
    """Logistic Elo difference of an expected score.

    >>> round(elo_from_score(0.75), 2)
    190.85
    """
    if score <= 0:
        return -math.inf
    return math.inf if score >= 1 else ELO_PER_NAT * math.log(score / (1 - score))


def score_from_elo(elo: float) -> float:
    """Expected score of a logistic Elo difference.

    >>> round(score_from_elo(100), 4)
    0.6401
    """
    return 1 / (1 + 10 ** (-elo / 400))


@dataclass(frozen=True)
class Estimate:
    """A value with the ends of its confidence interval."""

    value: float
    low: float
    high: float

    @property
    def error(self) -> float:
        """Half the width of the interval."""
        return (self.high - self.low) / 2

    def __str__(self) -> str:
        return f"{self.value:+.1f} ± {self.error:.1f}"


@dataclass
class Score:
    """The results of one player against another: single games, and the finished pairs among them."""

    wins: int = 0
    losses: int = 0
    draws: int = 0
    pairs: list[int] = field(default_factory=lambda: [0, 0, 0, 0, 0])  # by half points: 0, 0.5, 1, 1.5, 2

    @property
    def games(self) -> int:
        return self.wins + self.losses + self.draws

    @property
    def points(self) -> float:
        return self.wins + self.draws / 2

    @property
    def draw_ratio(self) -> float:
        return self.draws / self.games if self.games else 0.0

    def reversed(self) -> Score:
        """The same results seen by the opponent."""
        return Score(self.losses, self.wins, self.draws, self.pairs[::-1])

    def add_game(self, points: float) -> None:
        if points == 1:
            self.wins += 1
        elif points == 0:
            self.losses += 1
        else:
            self.draws += 1

    def add_pair(self, points: float) -> None:
        self.pairs[round(2 * points)] += 1

    def mean_and_variance(self) -> tuple[float, float]:
        """Mean and variance of a pair's score per game, over the finished pairs; an even score before the first."""
        total = sum(self.pairs)
        if total == 0:
            return 0.5, 0.0
        mean = sum(n * a for n, a in zip(self.pairs, PAIR_SCORES, strict=True)) / total
        return mean, sum(n * (a - mean) ** 2 for n, a in zip(self.pairs, PAIR_SCORES, strict=True)) / total

    def elo(self, confidence: float = 0.95) -> Estimate:
        """Logistic Elo with its interval, which is symmetric in score, not in Elo.

        As long as all pairs ended alike there is nothing to tell the interval's width from, and it is infinite.
        """
        mean, variance = self.mean_and_variance()
        if variance == 0:
            return Estimate(elo_from_score(mean), -math.inf, math.inf)
        reach = _quantile(confidence) * math.sqrt(variance / sum(self.pairs))
        return Estimate(elo_from_score(mean), elo_from_score(mean - reach), elo_from_score(mean + reach))

    def normalized_elo(self, confidence: float = 0.95) -> Estimate:
        """Elo in units of the noise of a game, which does not depend on the draw rate.

        The noise is itself estimated: far from equality that widens the interval, by the distribution's shape.
        """
        mean, variance = self.mean_and_variance()
        if variance == 0:
            return Estimate(math.copysign(math.inf, mean - 0.5) if mean != 0.5 else 0.0, -math.inf, math.inf)
        total, sigma = sum(self.pairs), math.sqrt(variance)
        steps = [(a - mean) / sigma for a in PAIR_SCORES]
        skewness, kurtosis = (sum(n * z**k for n, z in zip(self.pairs, steps, strict=True)) / total for k in (3, 4))
        t = (mean - 0.5) / sigma
        spread = max(0.0, 1 - t * skewness + t * t * (kurtosis - 1) / 4)
        unit = NELO_PER_SIGMA / math.sqrt(2)  # a pair's average has 1/sqrt(2) of the noise of one game
        reach = unit * _quantile(confidence) * math.sqrt(spread / total)
        return Estimate(unit * t, unit * t - reach, unit * t + reach)

    def likelihood_of_superiority(self) -> float:
        """The probability that this player is the stronger one, given the pairs and no other knowledge."""
        mean, variance = self.mean_and_variance()
        if variance == 0:
            return 0.5 if mean == 0.5 else float(mean > 0.5)
        return _NORMAL.cdf((mean - 0.5) / math.sqrt(variance / sum(self.pairs)))


def finite(values: Sequence[float]) -> list[float | None]:
    """Numbers for JSON, which knows no infinities."""
    return [round(value, 2) if math.isfinite(value) else None for value in values]


def _quantile(confidence: float) -> float:
    return _NORMAL.inv_cdf((1 + confidence) / 2)
