"""What is wrong with a move, and what was better: from two lines that are known already, without another search."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import chess

from barreleye.explain.answer import Answer, Sentence
from barreleye.explain.material import NOTHING, Outcome, Walk, balance, outcome
from barreleye.explain.motifs import MOST_PLIES, Motif, motifs_of
from barreleye.explain.pieces import en_prise, kind_name, named, value
from barreleye.explain.words import EVEN, line, number, pawns, pawns_text, side

MOST_SHOWN = 7                  # plies of the refutation in a sentence
LATE_LOSS = 3                   # pawns that a move must lose to be blamed for what happens after these plies
LEAST_SHARE = 0.4               # of the material lost that the score must show, else there is something for it
WON, LOST, DECIDED = 1000, -1000, 700        # centipawns; beyond them what a move costs means little


@dataclass(frozen=True, slots=True)
class Worth:
    """What a position is worth to the side that made the move: centipawns, or moves to mate (negative: against it)."""

    cp: int = 0
    mate: int | None = None

    @property
    def is_mated(self) -> bool:
        """Whether the other side mates, or has mated."""
        return self.mate is not None and self.mate <= 0

    @property
    def ceiled(self) -> int:
        """Centipawns, a mate as much as a game that is won."""
        return self.cp if self.mate is None else (WON if self.mate > 0 else LOST)


@dataclass(frozen=True, slots=True, kw_only=True)
class Mistake(Answer):
    """What is wrong with a move: its refutation, what it loses and why, and what was better."""

    has_own_board: ClassVar[bool] = True

    move: str                       # UCI
    refutation: tuple[str, ...]     # from the position after it
    better: tuple[str, ...]         # the line that should have been played
    loses: str                      # a knight, the exchange; empty when nothing is lost that can be counted
    misses: str                     # the same of what the better line wins
    motifs: tuple[Motif, ...]       # of the refutation
    missed: tuple[Motif, ...]       # of the better line

    def _repr_mimebundle_(self, **_: Any) -> dict[str, Any]:
        """What notebooks show."""
        from barreleye.pictures.notebook import of_mistake

        return of_mistake(self)


@dataclass(frozen=True, slots=True)
class Course:
    """One of two ways that a game can go on, seen by the side to move: what it wins and what it loses by it.

    What is only won back counts as won from here, not since the other side took it.
    """

    walk: Walk
    won: Outcome
    won_from_here: Outcome
    lost: Outcome
    worth: Worth

    @classmethod
    def of(cls, board: chess.Board, moves: Sequence[chess.Move], worth: Worth) -> Course:
        walk = Walk(board, moves[:MOST_PLIES])
        before = before_capture(board)
        from_here = backed(outcome(walk, board.turn), board, board.turn, worth)
        won = from_here if before is None else backed(outcome(walk, board.turn, before), before, board.turn, worth)
        return cls(walk, won, from_here, outcome(walk, not board.turn), worth)


def what_is_wrong(board: chess.Board, move: chess.Move, refutation: Sequence[chess.Move],
                  better: Sequence[chess.Move], before: Worth, after: Worth) -> Mistake:
    """What is wrong with a move of this position, answered as it was refuted, instead of the better line.

    Worths are those of the position: with best play, and after the move.
    """
    san = board.san(move)
    played = Course.of(board, [move, *refutation], after)
    other = Course.of(board, better, before)
    attack = Walk(board, played.walk.moves, 1)
    found = telling(motifs_of(attack, played.lost), played.lost)
    missed = telling(motifs_of(other.walk, other.won), other.won)
    evidence = {"move": move.uci(), "refutation": [step.uci() for step in refutation],
                "better": [step.uci() for step in better], "before": plain(before), "after": plain(after)}
    wrong = fault(san, played, attack, found, other, evidence)
    right = remedy(board, played, other, missed, evidence)
    return Mistake(question=f"What is wrong with {san}?", fen=board.fen(shredder=board.chess960),
                   sentences=(wrong, *right), arrow=better[0].uci() if better else None, move=move.uci(),
                   refutation=tuple(evidence["refutation"]), better=tuple(evidence["better"]),
                   loses=played.lost.text if is_felt(played.lost, before, after) else "", misses=other.won.text,
                   motifs=found, missed=missed)


def plain(worth: Worth) -> dict[str, int]:
    """For evidence."""
    return {"cp": worth.cp} if worth.mate is None else {"mate": worth.mate}


def backed(won: Outcome, start: chess.Board, color: chess.Color, worth: Worth) -> Outcome:
    """What a side wins, if its score shows that too, compared with the material it had; nothing otherwise.

    A pawn that has to be given back later, or is paid for with the initiative, is not won.
    """
    above = worth.ceiled - 100 * balance(start, color)
    shown = above >= 100 * LEAST_SHARE * won.pawns or worth.ceiled >= DECIDED
    return won if shown else NOTHING


def is_felt(lost: Outcome, before: Worth, after: Worth) -> bool:
    """Whether the scores show the loss of this material too, or the game is decided and they show nothing any more."""
    fall = before.ceiled - after.ceiled
    if lost.ply > MOST_SHOWN + 1 and lost.pawns < LATE_LOSS:
        return False
    return bool(lost.pawns) and (fall >= 100 * LEAST_SHARE * lost.pawns or abs(after.ceiled) >= DECIDED)


def fault(san: str, played: Course, attack: Walk, found: tuple[Motif, ...], other: Course,
          evidence: dict[str, Any]) -> Sentence:
    """What is wrong with the move; what it misses is said of the better one."""
    worth, before, after = played.worth, other.worth, attack[0].after
    evidence = {**evidence, "motifs": [motif.text for motif in found], "loses": played.lost.text}
    kinds = {motif.kind for motif in found}
    reply = line(after, [attack[1].move.uci()]) if len(attack) > 1 else ""
    if after.is_stalemate():
        return Sentence(f"{san} stalemates {side(after.turn)}.", evidence)
    if worth.is_mated and reply:
        where = " on the back rank" if "back rank" in kinds and attack.end.is_checkmate() else ""
        if attack[1].after.is_checkmate():
            return Sentence(f"{san} allows mate{where}: {reply}.", evidence)
        return Sentence(f"{san} allows mate in {number(-(worth.mate or 0))}{where}, beginning with {reply}.", evidence)
    if "perpetual check" in kinds:
        return Sentence(f"{san} allows perpetual check, beginning with {reply}.", evidence)
    if "stalemate" in kinds:
        return Sentence(f"{san} lets {side(attack.end.turn)} be stalemated.", evidence)
    if declines(attack.start, played, other):
        return Sentence(f"{san} does not take back on {chess.square_name(other.walk[0].move.to_square)}.", evidence)
    if is_felt(played.lost, before, worth):
        return Sentence(f"{san} {costing(played.lost)} {how(attack, found, played.lost.ply)}.", evidence)
    if is_chance_missed(played, other) and worth.ceiled > -EVEN:
        return Sentence(f"{san} misses a chance.", evidence)
    tail = f"; the best reply is {reply}" if reply else ""
    return Sentence(f"{san} costs {pawns_text(before.ceiled - worth.ceiled)}{tail}.", evidence)


def is_chance_missed(played: Course, other: Course) -> bool:
    """Whether the better line wins something, or mates."""
    mates = other.worth.mate is not None and other.worth.mate > 0
    return mates or (other.won.pawns > played.won.pawns and is_felt(other.won, other.worth, played.worth))


def declines(board: chess.Board, played: Course, other: Course) -> bool:
    """Whether the better move takes back what the other side has just taken with, and that is what it comes down to."""
    if not len(other.walk) or before_capture(board) is None:
        return False
    move, target = other.walk[0].move, board.peek().to_square
    return (move.to_square == target and board.is_capture(move) and played.walk[0].move.to_square != target
            and value(board, target) >= max(played.lost.pawns, other.won.pawns))


def costing(lost: Outcome) -> str:
    """What a move costs: loses a knight, allows a new queen."""
    return f"{'allows' if lost.promoted else 'loses'} {lost.text}"


def winning(won: Outcome) -> str:
    """What a move would have done: won a knight, got a new queen."""
    return f"{'got' if won.promoted else 'won'} {won.text}"


def how(attack: Walk, found: tuple[Motif, ...], settled: int) -> str:
    """By which move or line something is lost, and by which motif; without one, the line until things are settled."""
    last = max(found[0].ply, 1) if found else settled - 1
    if last > MOST_SHOWN:
        return f"in the long run, beginning with {line(attack[0].after, [attack[1].move.uci()])}"
    shown = line(attack[0].after, [move.uci() for move in attack.moves[1:last + 1]])
    is_reply = last == 1 and not (found and found[0].kind == "promotion")
    return f"{'to' if is_reply else 'after'} {shown}" + (f": {found[0].text}" if found else "")


def remedy(board: chess.Board, played: Course, other: Course, missed: tuple[Motif, ...],
           evidence: dict[str, Any]) -> list[Sentence]:
    """What was better, and why; nothing where that cannot be told."""
    if not len(other.walk) or other.walk[0].move == played.walk[0].move:
        return []
    evidence = {**evidence, "missed": [motif.text for motif in missed], "wins": other.won.text}
    worth = other.worth
    if worth.mate is not None and worth.mate > 0:
        done = "mated at once" if worth.mate == 1 else f"forced mate in {number(worth.mate)}"
    elif is_chance_missed(played, other) and not (played.worth.is_mated and worth.ceiled < EVEN):
        done = winning(other.won) + (f": {missed[0].text}" if missed else "")
    elif played.worth.is_mated:
        held = worth.ceiled > -DECIDED
        done = f"avoided that and {keeping(worth, board.turn)}" if held else "held out longer"
    elif other.won_from_here.pawns > played.won_from_here.pawns and is_felt(other.won_from_here, worth, played.worth):
        done = f"won back {other.won_from_here.text}"
    elif is_felt(played.lost, worth, played.worth):
        done = saving(board, played, other)
    else:
        done = keeping(worth, board.turn)
    return [Sentence(f"{other.walk[0].san} would have {done}.", evidence)]


def before_capture(board: chess.Board) -> chess.Board | None:
    """The position before the move that led here, if that took something."""
    if not board.move_stack:
        return None
    before = board.copy()
    last = before.pop()
    return before if last and before.is_capture(last) else None


def telling(found: tuple[Motif, ...], won: Outcome) -> tuple[Motif, ...]:
    """The motifs that account for a good part of what is won, the earliest first."""
    soon = [motif for motif in found
            if motif.ply <= MOST_SHOWN and (not motif.worth or 2 * motif.worth >= won.pawns)]
    return tuple(sorted(soon, key=lambda motif: motif.ply))


def saving(board: chess.Board, played: Course, other: Course) -> str:
    """How the better move saves what was lost: what followed would have."""
    move, after = other.walk[0].move, other.walk[0].after
    lost = next((step.taken for step in played.walk.steps[1::2] if step.taken is not None), None)
    reply = played.walk[1].move
    if other.lost.pawns >= played.lost.pawns:
        return keeping(other.worth, board.turn)
    if other.lost.pawns:
        return f"{'allowed' if other.lost.promoted else 'lost'} only {other.lost.text}"
    if lost is not None and board.color_at(lost) == board.turn:
        if move.from_square == lost and not en_prise(after, move.to_square) and not board.is_capture(move):
            return f"brought the {kind_name(board, lost)} to safety"
        if lost in after.attacks(move.to_square) and not en_prise(after, lost) and en_prise(played.walk[0].after, lost):
            return f"defended {named(board, lost)}"
    if move.to_square == reply.from_square and board.is_capture(move):
        return f"taken the {kind_name(board, move.to_square)} first"
    return "lost no material"


def keeping(worth: Worth, white: bool) -> str:
    """How the game stands with the better move, as what it would have done."""
    if abs(worth.ceiled) < EVEN:
        return "kept the game even"
    if worth.ceiled > 0:
        return f"kept {side(white)} ahead by {pawns(worth.ceiled)}"
    return f"kept {side(not white)}'s lead at {pawns(worth.ceiled)}"
