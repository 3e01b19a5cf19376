"""Where the opening of a game ends and where its endgame begins, as lichess divides games."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import chess

OPENING, MIDDLEGAME, ENDGAME = "opening", "middlegame", "endgame"
PHASES = (OPENING, MIDDLEGAME, ENDGAME)
MIDDLEGAME_PIECES, ENDGAME_PIECES = 10, 6
SPARSE_BACK_RANK = 4
MIXED = 150


@dataclass(frozen=True, slots=True)
class Division:
    """The first position (by number from 0) of the middlegame and of the endgame, None where there is none."""

    middle: int | None = None
    end: int | None = None

    def phase(self, index: int) -> str:
        """The phase that the position of this number belongs to."""
        if self.end is not None and index >= self.end:
            return ENDGAME
        return MIDDLEGAME if self.middle is not None and index >= self.middle else OPENING


def divide(boards: Sequence[chess.Board]) -> Division:
    """The phases of a game, given the position before each move and the last one."""
    middle = next((index for index, board in enumerate(boards) if is_past_opening(board)), None)
    if middle is None:
        return Division()
    end = next((index for index, board in enumerate(boards) if pieces(board) <= ENDGAME_PIECES), None)
    return Division(middle if end is None or middle < end else None, end)


def is_past_opening(board: chess.Board) -> bool:
    """Few pieces are left, a back rank has been developed, or the armies have mingled."""
    return (pieces(board) <= MIDDLEGAME_PIECES
            or chess.popcount(board.occupied_co[chess.WHITE] & chess.BB_RANK_1) < SPARSE_BACK_RANK
            or chess.popcount(board.occupied_co[chess.BLACK] & chess.BB_RANK_8) < SPARSE_BACK_RANK
            or mixedness(board) > MIXED)


def pieces(board: chess.Board) -> int:
    """Queens, rooks, bishops and knights of both sides."""
    return chess.popcount(board.occupied & ~board.kings & ~board.pawns)


def mixedness(board: chess.Board) -> int:
    """How much the armies have run into each other, summed over all squares of two by two."""
    total = 0
    for rank in range(7):
        for file in range(7):
            block = 0x0303 << (file + 8 * rank)
            white = chess.popcount(board.occupied_co[chess.WHITE] & block)
            black = chess.popcount(board.occupied_co[chess.BLACK] & block)
            total += block_score(rank + 1, white, black)
    return total


def block_score(y: int, white: int, black: int) -> int:
    """Men of both sides in one block count most; men of one side the more, the further they are from home."""
    match white, black:
        case 1, 0:
            return 1 + (8 - y)
        case 2, 0:
            return 2 + (y - 2) if y > 2 else 0
        case (3 | 4), 0:
            return 3 + (y - 1) if y > 1 else 0
        case 0, 1:
            return 1 + y
        case 1, 1:
            return 5 + abs(3 - y)
        case (2 | 3), 1:
            return white + 2 + y
        case 0, 2:
            return 2 + (6 - y) if y < 6 else 0
        case 1, (2 | 3):
            return black + 2 + (6 - y)
        case 2, 2:
            return 7
        case 0, (3 | 4):
            return 3 + (7 - y) if y < 7 else 0
        case _:
            return 0
