"""Scores in the words people use: centipawns, mates, and chances to win, draw and lose."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from barreleye.core.facts import MATE, MATE_RANGE, TABLEBASE, TABLEBASE_RANGE

if TYPE_CHECKING:
    import chess

TABLEBASE_CENTIPAWNS = 20_000
# A logistic model of results by score, fitted by `barreleye train calibrate` to 298,000 positions of the network's own
# fast games, before the network's scale was raised from 222 to 277; docs/nets.md has the picture.
HALF_WIN = 101.0
SPREAD = 248.0


def mate_moves(score: int) -> int | None:
    """Moves to mate (negative: being mated), or None when the score is none."""
    if score >= MATE_RANGE:
        return (MATE - score + 1) // 2
    if score <= -MATE_RANGE:
        return -((MATE + score) // 2)
    return None


def centipawns(score: int) -> int:
    """The score as GUIs show it: a win known from tablebases is 200 pawns, less a point for each ply until then.

    The search lets draws differ by a point, so that it does not take them all for the same; shown they are draws.
    """
    if abs(score) == 1:
        return 0
    if abs(score) < TABLEBASE_RANGE or mate_moves(score) is not None:
        return score
    return (1 if score > 0 else -1) * (TABLEBASE_CENTIPAWNS - TABLEBASE + abs(score))


def chances(score: int) -> tuple[int, int, int]:
    """Win, draw and loss in permille for the side that has this score."""
    def wins(value: float) -> int:
        return round(1000 / (1 + math.exp(min(50.0, (HALF_WIN - value) / SPREAD))))

    win, loss = wins(score), wins(-score)
    return win, 1000 - win - loss, loss


def possible(board: chess.Board, chances: tuple[int, int, int]) -> tuple[int, int, int]:
    """Chances for White in a position. A side that has nothing left to mate with cannot win, so the points that the
    score promises come from draws and the other side's wins alone.
    """
    win, draw, loss = chances
    if not any(board.has_insufficient_material(white) for white in (True, False)):
        return win, draw, loss
    more = max(0, win - loss) * (not board.has_insufficient_material(True))
    less = max(0, loss - win) * (not board.has_insufficient_material(False))
    return more, 1000 - more - less, less
