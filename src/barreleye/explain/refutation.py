"""What a move runs into, in words: material lost, mate, or simply a worse game, with the line that shows it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from barreleye import wdl
from barreleye.core.facts import TABLEBASE_RANGE
from barreleye.explain import words

if TYPE_CHECKING:
    from barreleye.explain.inquiry import Inquiry

CLOSE = 10                      # centipawns that do not tell moves apart
SHOWN = 4                       # plies of a refutation in a sentence


def consequence(inquiry: Inquiry, line: Sequence[str], score: int, best: int) -> str:
    """What comes of the first move of a line, as the end of a sentence about it: loses a knight to 12...gxf5, ...

    Scores are for the side to move: of the line, and of the best move.
    """
    board = inquiry.board
    after = board.copy(stack=False)
    after.push(board.parse_uci(line[0]))
    shown = words.line(after, line[1:1 + SHOWN])
    end = inquiry.standing(score)
    mate, better = wdl.mate_moves(score), wdl.mate_moves(best)
    if mate is not None and mate > 0:
        return f"takes longer, mating in {words.number(mate)}"
    if mate is not None:
        reply = f" after {shown}" if shown else ""
        return f"gets mated in {words.number(-mate)}{reply}" if better is None or better > 0 else (
            f"is mated sooner, in {words.number(-mate)}{reply}")
    if after.is_stalemate():
        return "is stalemate"
    told = f"after {shown} {end}" if shown else f"with it {end}"
    if is_close(best, score):
        return f"is as good: {told}"
    if better is not None and better > 0:
        return f"lets the mate slip: {told}"
    if abs(score) >= TABLEBASE_RANGE or abs(best) >= TABLEBASE_RANGE:
        return f"gives the result away: {told}"
    return f"is {gap_text(best, score)} worse: {told}"


def is_close(best: int, other: int) -> bool:
    """Whether two scores tell moves apart: results known from the tables do not differ by the way to them."""
    known = min(abs(best), abs(other)) >= TABLEBASE_RANGE and wdl.mate_moves(best) is wdl.mate_moves(other) is None
    return abs(best - other) < CLOSE or (known and (best > 0) == (other > 0))


def gap_text(best: int, other: int) -> str:
    """How far behind a score is, in pawns."""
    return words.pawns(max(0, best - other))
