"""A second, vectorised computation of the SPRT for many matches at once, and a source of pairs of known strength."""

from __future__ import annotations

import math

import numpy as np

from barreleye.match.statistics.score import NELO_PER_SIGMA, score_from_elo
from barreleye.match.statistics.sprt import Sprt

SCORES = np.array([0.0, 0.25, 0.5, 0.75, 1.0])


def pair_distribution(elo: float, draw_elo: float = 200.0, bias: float = 80.0) -> np.ndarray:
    """Chances of the five pair results: games by the draw-Elo model, the opening worth `bias` to one side.

    The strength that the model needs for the wanted expected score is found by bisection.
    """
    low, high = elo - 2000, elo + 2000
    for _ in range(100):
        strength = (low + high) / 2
        pairs = np.convolve(_game(strength + bias, draw_elo), _game(strength - bias, draw_elo))
        low, high = (strength, high) if pairs @ SCORES < score_from_elo(elo) else (low, strength)
    return pairs


def normalized_distribution(nelo: float, **shape: float) -> np.ndarray:
    """As pair_distribution, for a wanted normalised Elo."""
    low, high = -500.0, 500.0
    for _ in range(100):
        pairs = pair_distribution((low + high) / 2, **shape)
        low, high = ((low + high) / 2, high) if normalized_elo(pairs) < nelo else (low, (low + high) / 2)
    return pairs


def normalized_elo(pairs: np.ndarray) -> float:
    mean = pairs @ SCORES
    sigma = math.sqrt(pairs @ (SCORES - mean) ** 2)
    return float((mean - 0.5) / sigma / math.sqrt(2) * NELO_PER_SIGMA)


def _game(strength: float, draw_elo: float) -> np.ndarray:
    win, loss = score_from_elo(strength - draw_elo), score_from_elo(-strength - draw_elo)
    return np.array([loss, 1 - win - loss, win])


class LlrRows:
    """Log-likelihood ratios of many matches at once, one column each; every solution starts from the one before it."""

    def __init__(self, sprt: Sprt, matches: int) -> None:
        self.sprt = sprt
        self.roots = {elo: np.zeros(matches) for elo in (sprt.elo0, sprt.elo1)}
        self.fits = {elo: np.full((5, matches), 0.2) for elo in (sprt.elo0, sprt.elo1)}

    def keep(self, mask: np.ndarray) -> None:
        self.roots = {elo: root[mask] for elo, root in self.roots.items()}
        self.fits = {elo: fit[:, mask] for elo, fit in self.fits.items()}

    def llr(self, counts: np.ndarray) -> np.ndarray:
        """The ratios for counts of shape (5, matches)."""
        filled = np.where(counts == 0, 0.001, counts)
        seen = filled / filled.sum(0)
        for elo in (self.sprt.elo0, self.sprt.elo1):
            self._fit(seen, elo)
        ratios: np.ndarray = (filled * np.log(self.fits[self.sprt.elo1] / self.fits[self.sprt.elo0])).sum(0)
        return ratios

    def _fit(self, seen: np.ndarray, elo: float) -> None:
        scores = SCORES[:, None]
        if self.sprt.model == "logistic":
            self.fits[elo] = self._tilt(seen, np.broadcast_to(scores - score_from_elo(elo), seen.shape), elo)
            return
        t = math.sqrt(2) * elo / NELO_PER_SIGMA
        for _ in range(100):
            last = self.fits[elo]
            mean = (last * scores).sum(0)
            sigma = np.sqrt((last * (scores - mean) ** 2).sum(0))
            self.fits[elo] = self._tilt(seen, scores - 0.5 - t / 2 * (sigma + (scores - mean) ** 2 / sigma), elo)
            if np.abs(last - self.fits[elo]).max() < 1e-7:
                return

    def _tilt(self, seen: np.ndarray, values: np.ndarray, elo: float) -> np.ndarray:
        """seen / (1 + x * values) with the x, found by Newton's method, that makes the values average zero."""
        low, high = -1 / values.max(0), -1 / values.min(0)
        x = np.clip(self.roots[elo], 0.999 * low, 0.999 * high)
        for _ in range(100):
            share = values / (1 + x * values)
            weighted = seen * share
            height = weighted.sum(0)
            low, high = np.where(height > 0, x, low), np.where(height > 0, high, x)
            step = height / (weighted * share).sum(0)
            inside = (x + step > low) & (x + step < high)
            small = np.abs(step) < 1e-9
            x = np.where(small, x, np.where(inside, x + step, (low + high) / 2))
            if small.all():
                break
        self.roots[elo] = x
        tilted: np.ndarray = seen / (1 + x * values)
        return tilted


def llr(sprt: Sprt, pairs: list[int]) -> float:
    """The log-likelihood ratio of one match, computed the second way."""
    return float(LlrRows(sprt, 1).llr(np.array(pairs, dtype=float)[:, None])[0])


def accept_rate(sprt: Sprt, chances: np.ndarray, matches: int, seed: int) -> tuple[float, float]:
    """Play that many matches to their verdicts, looking after each pair: share of H1, average number of pairs."""
    random = np.random.default_rng(seed)
    rows = LlrRows(sprt, matches)
    counts = np.zeros((5, matches))
    accepted, pairs_played = 0, 0
    limits = np.cumsum(chances)[:-1]
    while counts.size:
        going = counts.shape[1]
        counts[np.searchsorted(limits, random.random(going)), np.arange(going)] += 1
        pairs_played += going
        ratio = rows.llr(counts)
        open_still = (ratio < sprt.upper) & (ratio > sprt.lower)
        if not open_still.all():
            accepted += int((ratio >= sprt.upper).sum())
            counts = counts[:, open_still]
            rows.keep(open_still)
    return accepted / matches, pairs_played / matches
