"""Loss curves: in the terminal while a network trains, as a PNG when it is done."""

from __future__ import annotations

from collections.abc import Sequence
from math import log
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from barreleye.train.network import Epoch

DOTS = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))     # of a braille character, by row and column
BLANK = 0x2800


def braille(curves: Sequence[Sequence[float]], width: int = 60, height: int = 8) -> list[str]:
    """Curves over the same steps on a logarithmic scale, as lines of braille characters.

    >>> print(*braille([[8, 4, 2, 1]], width=2, height=1))
    ⠑⠤
    """
    values = [log(max(value, 1e-12)) for curve in curves for value in curve]
    low, high = min(values), max(values)
    cells = [[0] * width for _ in range(height)]
    columns, rows = 2 * width, 4 * height
    for curve in curves:
        for column in range(columns if len(curve) > 1 else 1):
            place = column * (len(curve) - 1) / max(columns - 1, 1)
            left = min(int(place), max(len(curve) - 2, 0))
            right = min(left + 1, len(curve) - 1)
            value = curve[left] + (curve[right] - curve[left]) * (place - left)
            share = (high - log(max(value, 1e-12))) / (high - low) if high > low else 0.5
            row = min(rows - 1, int(share * rows))
            cells[row // 4][column // 2] |= DOTS[row % 4][column % 2]
    return ["".join(chr(BLANK + cell) for cell in line) for line in cells]


def loss_lines(history: Sequence[Epoch], width: int = 60, height: int = 8) -> list[str]:
    """The losses while learning and checking, with the scale at the left."""
    curves = [[epoch.learning for epoch in history], [epoch.checking for epoch in history]]
    values = [value for curve in curves for value in curve]
    lines = braille(curves, width, height)
    marks = {0: f"{max(values):.5f}", height - 1: f"{min(values):.5f}"}
    return [f"{marks.get(number, ''):>8} {line}" for number, line in enumerate(lines)]


def save_png(history: Sequence[Epoch], path: Path, title: str) -> bool:
    """Draw the losses into a file; False where matplotlib is not installed."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        return False
    figure = Figure(figsize=(7, 4), dpi=120, layout="constrained")
    axes = figure.add_subplot()
    numbers = [epoch.number for epoch in history]
    axes.plot(numbers, [epoch.learning for epoch in history], label="learning")
    axes.plot(numbers, [epoch.checking for epoch in history], label="checking")
    axes.set(title=title, xlabel="epoch", ylabel="squared error of the expected score", yscale="log")
    axes.grid(alpha=0.3)
    axes.legend()
    figure.savefig(path)
    return True
