"""What a move runs into, in words: material lost, mate, or simply a worse game, with the line that shows it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import chess

from barreleye import wdl
from barreleye.core.facts import TABLEBASE_RANGE
from barreleye.explain import words
from barreleye.explain.material import NOTHING, Outcome, Walk, outcome
from barreleye.explain.mistake import MOST_SHOWN, Course, Worth, costing, is_felt, telling
from barreleye.explain.motifs import MOST_PLIES, Motif, motifs_of

if TYPE_CHECKING:
    from barreleye.explain.inquiry import Inquiry

CLOSE = 10                      # centipawns that do not tell moves apart
BEYOND = 1000                   # centipawns from which on the number says no more than "much"
SHOWN = 5                       # plies of a refutation in a sentence, the refuted move counted


def consequence(inquiry: Inquiry, line: Sequence[str], score: int, best: int) -> str:
    """What comes of the first move of a line, as the end of a sentence about it: loses a knight to 12...gxf5, ...

    Scores are for the side to move: of the line, and of the best move.
    """
    board = inquiry.board
    after = board.copy(stack=False)
    after.push(board.parse_uci(line[0]))
    shown = words.line(after, line[1:SHOWN])
    end = inquiry.standing(score)
    mate, better = wdl.mate_moves(score), wdl.mate_moves(best)
    if mate is not None and mate > 0:
        if better is None or better <= 0 or mate == better:
            return f"mates in {words.number(mate)}" + " as well" * (mate == better)
        return f"{'takes longer' if mate > better else 'is quicker still'}, mating in {words.number(mate)}"
    if mate is not None:
        if better is not None and better <= 0:
            how = ("is mated sooner, in" if mate > better else "holds out longer, until mate in" if mate < better
                   else "is just as bad, with mate in")
            return f"{how} {words.number(-mate)}" + (f": {shown}" if shown else "")
        if mate == -1 and shown:
            return f"allows mate: {words.line(after, line[1:2])}"
        return f"allows mate in {words.number(-mate)}" + (f": {shown}" if shown else "")
    if after.is_stalemate():
        return "is stalemate"
    told = f"after {shown} {end}" if shown else f"with it {end}"
    lost = loss_of(board, line, score, best)
    if is_close(best, score):
        return f"is as good: {told}"
    if better is not None and better > 0:
        return f"lets the mate slip: {told}"
    if lost.text:
        late = " in the long run" * (lost.ply > MOST_SHOWN + 1)
        until = max(SHOWN, min(lost.ply, MOST_SHOWN + 1))
        return f"{costing(lost)}{late}: after {words.line(after, line[1:until])} {end}"
    if abs(score) >= TABLEBASE_RANGE or abs(best) >= TABLEBASE_RANGE:
        return f"gives the result away: {told}"
    return f"is {gap_text(best - score)} worse: {told}"


def loss_of(board: chess.Board, line: Sequence[str], score: int, best: int) -> Outcome:
    """The material that the first move of a line costs its side, if the scores show it too; nothing otherwise."""
    course = Course.of(board, moves_of(board, line), worth_of(score))
    return course.lost if is_felt(course.lost, worth_of(best), course.worth) else NOTHING


def motifs_against(board: chess.Board, line: Sequence[str]) -> tuple[Motif, ...]:
    """Why the reply to the first move of a line works: forks, pins, mates and the like, those that tell most first."""
    attack = Walk(board, moves_of(board, line)[:MOST_PLIES], 1)
    won = outcome(attack, attack.attacker)
    return ideas_of(attack, won)


def ideas_of(walk: Walk, won: Outcome) -> tuple[Motif, ...]:
    """The motifs of a line that say more than that it is mate, which the score says already."""
    return tuple(motif for motif in telling(motifs_of(walk, won), won)
                 if motif.kind != "mate" or "smothered" in motif.text)


def moves_of(board: chess.Board, line: Sequence[str]) -> list[chess.Move]:
    """UCI texts as moves of python-chess."""
    walk, moves = board.copy(stack=False), []
    for text in line:
        moves.append(walk.parse_uci(text))
        walk.push(moves[-1])
    return moves


def worth_of(score: int) -> Worth:
    """A score of the side to move as it is weighed against material."""
    return Worth(wdl.centipawns(score), wdl.mate_moves(score))


def is_close(best: int, other: int) -> bool:
    """Whether two scores do not tell moves apart: mates differ by a move, won games do not."""
    mates = wdl.mate_moves(best), wdl.mate_moves(other)
    if mates != (None, None):
        return mates[0] == mates[1]
    known = min(abs(best), abs(other)) >= words.WON
    return abs(best - other) < CLOSE or (known and (best > 0) == (other > 0))


def gap_text(behind: int) -> str:
    """How much worse or better, in pawns as long as they are worth counting."""
    return "much" if behind >= BEYOND else words.pawns(max(0, behind))
