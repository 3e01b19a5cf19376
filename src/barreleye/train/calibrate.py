"""What a score means: chances to win, draw and lose, fitted to the results of our own games.

The model is the one of barreleye.wdl: the chance to win is a logistic curve of the score, the chance to lose the same
curve of the negative score, and what is left is the draw. Where the curve has its middle and how gently it rises are
polynomials in the material left on the board.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from barreleye.train.dataset import BLACK_TO_MOVE, NO_RESULT, PIECE_LETTERS, Records
from barreleye.wdl import LEAST_MATERIAL, MOST_MATERIAL, WORTH

BIN = 10                        # centipawns
LARGEST = 1000
DEGREE = 2                      # of the polynomials
FIRST_GUESS = 100.0             # for both, whatever the material
LEAST_HALF_WIN, LEAST_SPREAD = 5.0, 10.0
LEAST_CHANCE = 1e-9
ROUNDS = 200
BANDS = ((58, MOST_MATERIAL), (38, 57), (18, 37), (LEAST_MATERIAL, 17))         # of material, shown side by side
ENOUGH = 20                     # positions behind a dot of the picture

Floats = np.ndarray[Any, Any]

_MEN = np.array([WORTH.get(letter.lower(), 0) for letter in PIECE_LETTERS])
_PAIRS = (_MEN[np.arange(256) & 15] + _MEN[np.arange(256) >> 4]).astype(np.uint8)      # worth of a byte of pieces
SCORES = -LARGEST + BIN * (np.arange(2 * LARGEST // BIN) + 0.5)                 # the middle of each bin
MATERIAL = np.arange(LEAST_MATERIAL, MOST_MATERIAL + 1)
POWERS = np.vander(MATERIAL / MOST_MATERIAL, DEGREE + 1, increasing=True)       # [material][power]


@dataclass(frozen=True, slots=True)
class Calibration:
    """The numbers of the model and what they were fitted to."""

    half_win: tuple[float, ...]     # by power of the material: the score at which every second game is won
    spread: tuple[float, ...]       # likewise: how gently the chances rise
    loss: float                     # mean negative log-likelihood of a result
    counts: Floats                  # [material][score][lost, drawn, won]: positions observed

    @property
    def positions(self) -> int:
        """How many it was fitted to."""
        return int(self.counts.sum())

    @property
    def lines(self) -> str:
        """The numbers as barreleye/wdl.py has them."""
        return "\n".join(f"{name} = ({', '.join(f'{factor:.1f}' for factor in factors)})"
                         for name, factors in (("HALF_WIN", self.half_win), ("SPREAD", self.spread)))

    def band(self, least: int, most: int) -> tuple[Floats, Floats]:
        """[score][lost, drawn, won]: positions with so much material, and the shares that the model expects of them."""
        chosen = slice(least - LEAST_MATERIAL, most + 1 - LEAST_MATERIAL)
        counts = self.counts[chosen]
        seen = counts.sum(axis=(1, 2))
        model = expected(SCORES, POWERS[chosen] @ self.half_win, POWERS[chosen] @ self.spread)
        return counts.sum(axis=0), np.average(model, axis=0, weights=seen if seen.any() else None)


def material(records: Records) -> Floats:
    """What is left on the board in each position, as wdl.material counts it."""
    counted: Floats = _PAIRS[records["pieces"]].sum(axis=1, dtype=np.int32)
    return counted


def expected(scores: Floats, half_win: Floats, spread: Floats) -> Floats:
    """[material][score][lost, drawn, won]: chances for every score with every middle and spread."""
    middle, width = half_win[:, None], spread[:, None]
    lose, win = (1 / (1 + np.exp(np.minimum(50, (middle - side * scores) / width))) for side in (-1, 1))
    return np.stack([lose, np.maximum(1 - win - lose, LEAST_CHANCE), win], axis=2)


def count(records: Records) -> Floats:
    """[material][score][lost, drawn, won]: how often each was seen by the side to move."""
    records = records[records["result"] < NO_RESULT]
    black = records["side_ep"] & BLACK_TO_MOVE != 0
    score = np.where(black, -records["score"].astype(np.int32), records["score"])
    result = np.where(black, 2 - records["result"].astype(np.int32), records["result"])
    inside = np.abs(score) < LARGEST
    if not inside.any():
        raise ValueError("no position has both an ordinary score and a result to learn from")
    rows = np.clip(material(records[inside]), LEAST_MATERIAL, MOST_MATERIAL) - LEAST_MATERIAL
    table = np.zeros((len(MATERIAL), len(SCORES), 3))
    np.add.at(table, (rows, (score[inside] + LARGEST) // BIN, result[inside]), 1)
    return table


def calibrate(records: Records) -> Calibration:
    """Fit the model to positions with scores and results; those without a result are left out.

    The likelihood is climbed by the method of scoring, with steps held back (Levenberg) until they lead upwards.
    """
    table = count(records)
    total = table.sum()

    def loss(factors: Floats) -> float:
        half_win, spread = POWERS @ factors[0], POWERS @ factors[1]
        if half_win.min() < LEAST_HALF_WIN or spread.min() < LEAST_SPREAD:
            return float("inf")
        return float(-(table * np.log(expected(SCORES, half_win, spread))).sum() / total)

    factors = np.zeros((2, DEGREE + 1))
    factors[:, 0] = FIRST_GUESS
    least, damping = loss(factors), 1.0
    for _ in range(ROUNDS):
        upwards, information = slope(table, factors)
        step = np.linalg.solve(information + damping * 1e-6 * np.eye(len(upwards)), upwards).reshape(factors.shape)
        found = loss(factors + step)
        if found < least:
            done = least - found < 1e-10
            factors, least, damping = factors + step, found, damping / 10
            if done:
                break
        else:
            damping *= 10
    return Calibration(tuple(factors[0].tolist()), tuple(factors[1].tolist()), least, table)


def slope(table: Floats, factors: Floats) -> tuple[Floats, Floats]:
    """How the mean log-likelihood rises with each factor of half_win, then of spread; and Fisher's information."""
    half_win, spread = POWERS @ factors[0], POWERS @ factors[1]
    chance = expected(SCORES, half_win, spread)
    moved = np.zeros((2, *chance.shape))             # [by half_win, by spread][material][score][lost, drawn, won]
    for place, side in ((0, -1), (2, 1)):
        steep = chance[..., place] * (1 - chance[..., place]) / spread[:, None]
        moved[0, ..., place] = -steep
        moved[1, ..., place] = -steep * (side * SCORES - half_win[:, None]) / spread[:, None]
    moved[..., 1] = -moved[..., 0] - moved[..., 2]
    total = table.sum()
    upwards = np.einsum("pmsr,msr,mk->pk", moved, table / chance, POWERS) / total
    seen = table.sum(axis=2, keepdims=True) / chance
    blocks = np.einsum("pmsr,qmsr,msr->pqm", moved, moved, seen)
    information = np.einsum("pqm,mk,ml->pkql", blocks, POWERS, POWERS) / total
    return upwards.ravel(), information.reshape(upwards.size, upwards.size)


def save_png(fitted: Calibration, path: Path) -> bool:
    """Draw shares observed and expected over the score, by material; False where matplotlib is not installed."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        return False
    figure = Figure(figsize=(10, 6.5), dpi=110, layout="constrained")
    figure.suptitle(f"{fitted.positions} positions of our own games: observed (dots) and expected")
    for axes, (least, most) in zip(figure.subplots(2, 2, sharex=True, sharey=True).flat, BANDS, strict=True):
        counts, model = fitted.band(least, most)
        seen = counts.sum(axis=1)
        dots = seen >= ENOUGH
        shares = counts / np.maximum(seen, 1)[:, None]
        for column, (name, colour) in enumerate((("lost", "tab:red"), ("drawn", "tab:gray"), ("won", "tab:green"))):
            axes.plot(SCORES[dots], shares[dots, column], ".", color=colour, markersize=3)
            axes.plot(SCORES, model[:, column], color=colour, label=name)
        axes.set(title=f"material {least} to {most}: {int(seen.sum())} positions", xlim=(-500, 500), ylim=(-0.03, 1.03))
        axes.grid(alpha=0.3)
    figure.supxlabel("score in centipawns, side to move")
    figure.supylabel("share of the games")
    figure.axes[0].legend()
    figure.savefig(path)
    return True
