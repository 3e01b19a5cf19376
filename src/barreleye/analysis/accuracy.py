"""How well a game was played, by lichess's formulas: winning chances, accuracy of moves and games, average loss.

Centipawns are from White's point of view throughout; a mate counts as ten pawns.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from barreleye.analysis.record import Line

CEILING = 1000              # centipawns; a mate is worth as much
START_CENTIPAWNS = 15       # what the start position is taken to be worth
STEEPNESS = 0.00368208      # of the winning chances over centipawns
LEAST_WINDOW, WIDEST_WINDOW = 2, 8
LEAST_WEIGHT, MOST_WEIGHT = 0.5, 12.0


@dataclass(frozen=True, slots=True)
class WhiteScore:
    """A score from White's point of view: centipawns, or moves to mate (negative when Black mates)."""

    cp: int = 0
    mate: int | None = None

    @classmethod
    def of(cls, line: Line, white_to_move: bool) -> WhiteScore:
        """Of a line. A mate on the board counts as one in one move: it has to tell whose it is."""
        if line.mate == 0:
            return cls(mate=-1 if white_to_move else 1)
        return cls(line.cp or 0, line.mate)

    @property
    def ceiled(self) -> int:
        """Centipawns within the ceiling, a mate at the ceiling."""
        if self.mate is not None:
            return CEILING if self.mate > 0 else -CEILING
        return max(-CEILING, min(CEILING, self.cp))

    @property
    def text(self) -> str:
        """As people write it.

        >>> WhiteScore(34).text, WhiteScore(-250).text, WhiteScore(mate=-3).text
        ('+0.34', '-2.50', '#-3')
        """
        return f"{self.cp / 100:+.2f}" if self.mate is None else f"#{self.mate}"


def winning_chances(cp: float) -> float:
    """From -1, lost, to 1, won.

    >>> winning_chances(0), round(winning_chances(100), 3)
    (0.0, 0.182)
    """
    return 2 / (1 + math.exp(max(-700.0, min(700.0, -STEEPNESS * cp)))) - 1


def win_percent(cp: float) -> float:
    """White's chances in per cent, of centipawns within the ceiling.

    >>> win_percent(0), round(win_percent(1000), 2), win_percent(5000) == win_percent(1000)
    (50.0, 97.54, True)
    """
    return 50 + 50 * winning_chances(max(-CEILING, min(CEILING, cp)))


def move_accuracy(before: float, after: float) -> float:
    """Of a move that changed the mover's chances so, in per cent; a move that loses nothing is 100.

    >>> move_accuracy(50, 50), round(move_accuracy(60, 50), 2)
    (100.0, 64.58)
    """
    if after >= before:
        return 100.0
    raw = 103.1668100711649 * math.exp(-0.04354415386753951 * (before - after)) - 3.166924740191411 + 1
    return max(0.0, min(100.0, raw))


def move_accuracies(cps: Sequence[int], start: int = START_CENTIPAWNS, white_first: bool = True) -> list[float]:
    """The accuracy of every move; cps holds the score after each of them."""
    percents = [win_percent(cp) for cp in (start, *cps)]
    signs = (1, -1) if white_first else (-1, 1)
    return [move_accuracy(signs[ply % 2] * before, signs[ply % 2] * after)
            for ply, (before, after) in enumerate(pairwise(percents))]


def game_accuracy(cps: Sequence[int], start: int = START_CENTIPAWNS,
                  white_first: bool = True) -> tuple[float | None, float | None]:
    """White's and Black's accuracy, None for a side that made no move.

    Moves count for more where the game swings: the weight of a move is the deviation of the chances around it. The
    harmonic mean, which one bad move pulls down, is averaged with that.
    """
    percents = [win_percent(cp) for cp in (start, *cps)]
    width = max(LEAST_WINDOW, min(WIDEST_WINDOW, len(cps) // 10))
    windows = [percents[:width]] * (min(width, len(percents)) - 2)
    windows += [percents[first:first + width] for first in range(max(1, len(percents) - width + 1))]
    weights = [max(LEAST_WEIGHT, min(MOST_WEIGHT, deviation(window))) for window in windows]
    accuracies = move_accuracies(cps, start, white_first)
    sides = []
    for first in (0, 1) if white_first else (1, 0):
        own = accuracies[first::2]
        sides.append((weighted_mean(own, weights[first:len(accuracies):2]) + harmonic_mean(own)) / 2 if own else None)
    return sides[0], sides[1]


def average_loss(cps: Sequence[int], start: int = START_CENTIPAWNS,
                 white_first: bool = True) -> tuple[int | None, int | None]:
    """White's and Black's average centipawn loss, None for a side that made no move."""
    losses = move_losses(cps, start, white_first)
    sides = [losses[first::2] for first in ((0, 1) if white_first else (1, 0))]
    white, black = (math.floor(sum(side) / len(side) + 0.5) if side else None for side in sides)
    return white, black


def move_losses(cps: Sequence[int], start: int = START_CENTIPAWNS, white_first: bool = True) -> list[int]:
    """What each move cost its side in centipawns, nothing at the least."""
    values = [max(-CEILING, min(CEILING, cp)) for cp in (start, *cps)]
    signs = (1, -1) if white_first else (-1, 1)
    return [max(0, signs[ply % 2] * (before - after))
            for ply, (before, after) in enumerate(pairwise(values))]


def deviation(values: Sequence[float]) -> float:
    """The standard deviation of a whole population."""
    mean = sum(values) / len(values)
    return math.sqrt(sum((value - mean) ** 2 for value in values) / len(values))


def weighted_mean(values: Sequence[float], weights: Sequence[float]) -> float:
    return sum(value * weight for value, weight in zip(values, weights, strict=True)) / sum(weights)


def harmonic_mean(values: Sequence[float]) -> float:
    """Values below 1 count as 1, so that one of them is no catastrophe."""
    return len(values) / sum(1 / max(1.0, value) for value in values)
