"""What a move runs into, in words: material lost, mate, or simply a worse game, with the line that shows it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from barreleye import wdl
from barreleye.core.facts import TABLEBASE_RANGE
from barreleye.explain import words

if TYPE_CHECKING:
    import chess

CLOSE = 10                      # centipawns that do not tell moves apart
SHOWN = 4                       # plies of a refutation in a sentence


def consequence(board: chess.Board, line: Sequence[str], score: int, best: int) -> str:
    """What comes of the first move of a line, as the end of a sentence about it: loses a knight to 12...gxf5, ...

    Scores are for the side to move: of the line, and of the best move.
    """
    after = board.copy(stack=False)
    after.push(board.parse_uci(line[0]))
    shown = words.line(after, line[1:1 + SHOWN])
    end = words.standing(score, board.turn)
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
    if abs(best - score) < CLOSE:
        return f"is as good: {told}"
    if better is not None and better > 0:
        return f"lets the mate slip: {told}"
    if abs(score) >= TABLEBASE_RANGE or abs(best) >= TABLEBASE_RANGE:
        return f"does not hold the result: {told}" if score < best else f"leads to the same: {told}"
    return f"is {gap_text(best, score)} worse: {told}"


def gap_text(best: int, other: int) -> str:
    """How far behind a score is, in pawns."""
    return words.pawns(max(0, best - other))
