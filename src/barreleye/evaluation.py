"""What a position is worth without search, and where the number comes from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from barreleye.core.evaluate.classical import breakdown
from barreleye.core.position import Position

if TYPE_CHECKING:
    import chess.engine


@dataclass(frozen=True, slots=True)
class Term:
    """One idea of the evaluation: centipawns for each side, in the middlegame and in the endgame."""

    white: tuple[int, int]
    black: tuple[int, int]

    @property
    def total(self) -> tuple[int, int]:
        """White's less Black's."""
        return self.white[0] - self.black[0], self.white[1] - self.black[1]


@dataclass(frozen=True, slots=True)
class Evaluation:
    """A static evaluation. Between middlegame and endgame terms count by phase: 24 with all pieces, 0 with none."""

    centipawns: int                   # for White
    white_to_move: bool
    terms: dict[str, Term]
    phase: int
    scale: int                        # 64ths of the endgame value that count
    is_known: bool                    # an ending whose value is known, whatever the terms say

    @property
    def score(self) -> chess.engine.PovScore:
        """The value as python-chess writes scores."""
        from chess.engine import Cp, PovScore

        return PovScore(Cp(self.centipawns if self.white_to_move else -self.centipawns), self.white_to_move)


def evaluate(position: Position) -> Evaluation:
    """The evaluation of a position, term by term; ValueError when the side to move is in check."""
    if position.is_check():
        raise ValueError(f"the side to move is in check, where the evaluation means nothing: {position.fen()}")
    table = breakdown(position)
    terms = {name: Term(row[:2], row[2:]) for name, row in table.items() if isinstance(row, tuple)}
    return Evaluation(table["total"], position.turn, terms, table["phase"], table["scale"], bool(table["known"]))
