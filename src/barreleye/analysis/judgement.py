"""Inaccuracy, mistake or blunder: what lichess would call a move, from the scores before and after it."""

from __future__ import annotations

from enum import Enum

from barreleye.analysis.accuracy import WhiteScore, winning_chances


class Judgement(Enum):
    """A name, the numeric glyph of PGN, the sign people write, the least loss of winning chances (of 2) it takes."""

    INACCURACY = ("Inaccuracy", 6, "?!", 0.1)
    MISTAKE = ("Mistake", 2, "?", 0.2)
    BLUNDER = ("Blunder", 4, "??", 0.3)

    def __init__(self, title: str, nag: int, sign: str, loss: float) -> None:
        self.title = title
        self.nag = nag
        self.sign = sign
        self.loss = loss


WORST_FIRST = (Judgement.BLUNDER, Judgement.MISTAKE, Judgement.INACCURACY)
# A side so far behind that being mated changes little, or so far ahead that losing a mate does.
NEARLY_DECIDED, WELL_AHEAD = 999, 700
MATED, LOST_MATE = "Checkmate is now unavoidable", "Lost forced checkmate sequence"


def judge(before: WhiteScore, after: WhiteScore, white: bool) -> Judgement | None:
    """What a move is called that led from one score to the other; None when it needs no comment."""
    if before.mate is None and after.mate is None:
        loss = (winning_chances(before.cp) - winning_chances(after.cp)) * (1 if white else -1)
        return next((judgement for judgement in WORST_FIRST if loss >= judgement.loss), None)
    sign = 1 if white else -1
    mate_before = None if before.mate is None else sign * before.mate
    mate_after = None if after.mate is None else sign * after.mate
    if mate_before is None and mate_after is not None and mate_after < 0:
        return by_margin(-sign * before.cp)
    if mate_before is not None and mate_before > 0 and (mate_after is None or mate_after < 0):
        return by_margin(sign * after.cp if mate_after is None else 0)
    return None


def by_margin(cp: int) -> Judgement:
    """A mate created or lost matters less, the more the game was decided all the same."""
    if cp > NEARLY_DECIDED:
        return Judgement.INACCURACY
    return Judgement.MISTAKE if cp > WELL_AHEAD else Judgement.BLUNDER


def comment(judgement: Judgement, before: WhiteScore, after: WhiteScore, white: bool, best: str) -> str:
    """What to say of the move, in lichess's words; best is the move that should have been played."""
    sign = 1 if white else -1
    if before.mate is None and after.mate is not None and sign * after.mate < 0:
        said = MATED
    elif before.mate is not None and sign * before.mate > 0:
        said = LOST_MATE
    else:
        said = judgement.title
    return f"{said}. {best} was best." if best else f"{said}."
