"""Scores in the words people use: centipawns, mates, and chances to win, draw and lose."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from barreleye.core.facts import MATE, MATE_RANGE, TABLEBASE, TABLEBASE_RANGE

if TYPE_CHECKING:
    import chess

TABLEBASE_CENTIPAWNS = 20_000
WORTH = {"p": 1, "n": 3, "b": 3, "r": 5, "q": 9}
LEAST_MATERIAL, MOST_MATERIAL = 8, 78           # beyond these the chances stay as they are; a game begins with 78
# The model of results: the chance to win is a logistic curve of the score. The fewer men are left, the more it takes
# to win, an idea of Stockfish's. Where its middle is and how gently it rises are polynomials in the material, as a
# share of the most: the constant first. Printed by `barreleye train calibrate`; docs/nets.md has the picture.
HALF_WIN = (445.1, -447.7, 142.4)
SPREAD = (56.2, 128.3, -87.3)


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


def material(fen: str) -> int:
    """What is left on the board, both sides together: a pawn counts 1, a knight or bishop 3, a rook 5, a queen 9."""
    return sum(WORTH.get(letter, 0) for letter in fen.split(" ", 1)[0].lower())


def chances(score: int, material: int) -> tuple[int, int, int]:
    """Win, draw and loss in permille for the side that has this score, with so much material left on the board."""
    share = max(LEAST_MATERIAL, min(MOST_MATERIAL, material)) / MOST_MATERIAL
    half_win, spread = (sum(factor * share ** power for power, factor in enumerate(factors))
                        for factors in (HALF_WIN, SPREAD))

    def wins(value: int) -> int:
        return round(1000 / (1 + math.exp(min(50.0, (half_win - value) / spread))))

    win, loss = wins(score), wins(-score)
    return win, 1000 - win - loss, loss


def white_chances(score: int, board: chess.Board) -> tuple[int, int, int]:
    """The same for White in a position, of the score for the side to move. A side that has nothing left to mate with
    cannot win, so the points that the score promises come from draws and the other side's wins alone.
    """
    win, draw, loss = chances(score if board.turn else -score, material(board.board_fen()))
    if not any(board.has_insufficient_material(white) for white in (True, False)):
        return win, draw, loss
    more = max(0, win - loss) * (not board.has_insufficient_material(True))
    less = max(0, loss - win) * (not board.has_insufficient_material(False))
    return more, 1000 - more - less, less
