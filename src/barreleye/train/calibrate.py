"""What a score means: chances to win, draw and lose, fitted to the results of our own games.

The model is the one of barreleye.wdl: the chance to win is a logistic curve of the score, the chance to lose the same
curve of the negative score, and what is left is the draw.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from barreleye.train.dataset import BLACK_TO_MOVE, NO_RESULT, Records

BIN = 10                        # centipawns
LARGEST = 1000
LEAST_CHANCE = 1e-4
ROUNDS = 12

Floats = np.ndarray[Any, Any]


@dataclass(frozen=True, slots=True)
class Calibration:
    """The two numbers of the model and what they were fitted to."""

    half_win: float             # the score at which every second game is won
    spread: float               # how gently the chances rise
    loss: float                 # mean negative log-likelihood of a result
    scores: Floats              # the middle of each bin
    results: Floats             # [bin][lost, drawn, won]: shares observed
    counts: Floats

    @property
    def model(self) -> Floats:
        """[bin][lost, drawn, won]: shares the model expects."""
        return expected(self.scores, self.half_win, self.spread)


def expected(scores: Floats, half_win: float, spread: float) -> Floats:
    """Chances of loss, draw and win for each score."""
    win = 1 / (1 + np.exp((half_win - scores) / spread))
    lose = 1 / (1 + np.exp((half_win + scores) / spread))
    return np.stack([lose, np.clip(1 - win - lose, LEAST_CHANCE, 1), win], axis=1)


def calibrate(records: Records) -> Calibration:
    """Fit the model to positions with scores and results; those without a result are left out."""
    records = records[records["result"] < NO_RESULT]
    black = records["side_ep"] & BLACK_TO_MOVE != 0
    score = np.where(black, -records["score"].astype(np.int32), records["score"])
    result = np.where(black, 2 - records["result"].astype(np.int32), records["result"])
    inside = np.abs(score) < LARGEST
    if not inside.any():
        raise ValueError("no position has both an ordinary score and a result to learn from")
    bins = (score[inside] + LARGEST) // BIN
    table = np.zeros((2 * LARGEST // BIN, 3))
    np.add.at(table, (bins, result[inside]), 1)
    middles = -LARGEST + BIN * (np.arange(len(table)) + 0.5)

    def loss(half_win: float, spread: float) -> float:
        return float(-(table * np.log(expected(middles, half_win, spread))).sum() / table.sum())

    best = (loss(100.0, 100.0), 100.0, 100.0)
    step = 80.0
    for _ in range(ROUNDS):                 # a grid that closes in on the best point
        _, half_win, spread = best
        for first in np.linspace(half_win - step, half_win + step, 9):
            for second in np.linspace(max(10.0, spread - step), spread + step, 9):
                best = min(best, (loss(max(0.0, float(first)), float(second)), max(0.0, float(first)), float(second)))
        step /= 2
    counts = table.sum(axis=1)
    shares = table / np.maximum(counts, 1)[:, None]
    return Calibration(best[1], best[2], best[0], middles, shares, counts)


def save_png(fitted: Calibration, path: Path) -> bool:
    """Draw shares observed and expected over the score; False where matplotlib is not installed."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        return False
    figure = Figure(figsize=(7, 4), dpi=120, layout="constrained")
    axes = figure.add_subplot()
    seen = fitted.counts >= 50
    for column, (name, colour) in enumerate((("lost", "tab:red"), ("drawn", "tab:gray"), ("won", "tab:green"))):
        axes.plot(fitted.scores[seen], fitted.results[seen, column], ".", color=colour, markersize=3)
        axes.plot(fitted.scores, fitted.model[:, column], color=colour, label=name)
    axes.set(title=f"{int(fitted.counts.sum())} positions of our own games: observed (dots) and expected",
             xlabel="score in centipawns, side to move", ylabel="share of the games", xlim=(-600, 600))
    axes.grid(alpha=0.3)
    axes.legend()
    figure.savefig(path)
    return True
