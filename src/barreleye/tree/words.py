"""What a visit and a decision say in plain words."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from barreleye import wdl
from barreleye.core.facts import TABLEBASE_RANGE

if TYPE_CHECKING:
    from barreleye.tree.visit import Event, Visit

PASS = "0000"
ONE_PLY = re.compile(r"\b1 plies\b")
INFINITE = 32001
KINDS = {
    "window": "The root, within a window",
    "first": "The first move of the principal variation",
    "open": "A move that did better than expected, searched again with an open window",
    "reduced": "The first look at a late move",
    "again": "The same move again, deeper, because the first look surprised",
    "scout": "A move that only has to show whether it beats the best one",
    "pass": "The opponent's turn after a pass",
    "verify": "The node itself, without passing, to see whether the pass can be believed",
    "singular": "The node itself without the table's move",
    "capture": "A capture that may beat beta by a margin",
    "razor": "The node itself, captures only",
    "leaf": "A capture or check in quiescence",
    "open leaf": "A capture or check in quiescence, on the principal variation",
}
ENDINGS = {
    "fail low": "no move beat alpha: the opponent has something better elsewhere, or this is simply bad",
    "exact": "the best move's value lies within the window",
    "fail high": "a move reached beta: the opponent will not allow this",
    "stand pat": "the evaluation alone reached beta, so that no capture was needed",
    "draw": "it is a draw by repetition, by material or by the fifty-move rule",
    "repetition": "a move that repeats an earlier position would be enough for a draw",
    "mate": "it is mate",
    "stalemate": "it is stalemate",
    "alone": "there is no other move than the one left out",
    "too deep": "the line is as long as the engine can look",
    "stopped": "the search was stopped here",
    "unknown": "it is not known",
}
# What each technique did, where it had success. {left} and {right} are what was compared.
WORKED = {
    "Mate Distance": "a shorter mate is already known, so nothing here can matter",
    "TT Cutoff": "the table already knew a value of {left}, {side}",
    "Tablebases": "the endgame tables know the result: {left}",
    "TT Eval": "the table's value {left} took the place of the evaluation {right}",
    "Upcoming Repetition": "a move that repeats a position makes a draw the least",
    "Hindsight": "with the evaluation known, {left} plies became {right}",
    "Razoring": "the evaluation {left} is so far below {right} that only captures were looked at",
    "Futility": "the evaluation less a margin, {left}, still reaches beta, {right}",
    "Null Move": "even after a pass the value {left} reaches beta, {right}",
    "Null Verification": "without the pass only {left} was found, below beta, {right}: the pass deceived",
    "Internal Reduction": "without a move from the table, {left} plies became {right}",
    "ProbCut": "a capture reached {left}, at least the raised bar of {right}",
    "Small ProbCut": "the table's value {left} lies far above beta, {right} with its margin",
    "Late Move Pruning": "after {left} moves, of which {right} are enough here, the other quiet moves were skipped",
    "Capture Futility": "{move} was skipped: what it captures gives at most {left}, not above alpha, {right}",
    "Capture SEE": "{move} was skipped: the exchange loses more than {loss}",
    "History Pruning": "{move} was skipped: as an answer it has not worked so far ({points} points, less than {bar})",
    "Quiet Futility": "{move} was skipped: the evaluation with a margin gives {left}, not above alpha, {right}",
    "Quiet SEE": "{move} was skipped: the piece would be lost there, more than {loss}",
    "Singular Extension": "all other moves stay at {left}, below {right}: {move} is singular and is searched deeper",
    "Double Extension": "the others stay at {left}, even below {right}: deeper by another ply",
    "Multi Cut": "even without {move} the value {left} reaches beta, {right}: several moves do",
    "Negative Extension": "{move} is not singular: {left} plies became {right}",
    "Check Extension": "{move} gives check: {left} plies became {right}",
    "Late Move Reduction": "{move} stayed at {left} in that search, not above alpha, {right}",
    "Deeper Research": "{move} surprised: if it is searched again, then with {right} plies instead of {left}",
    "Full Depth Reduction": "{move} is searched with {right} plies instead of {left}",
    "Alpha Reduction": "with a better move in hand the others get {right} plies instead of {left}",
    "Fail High Blend": "the value {left}, above beta, was drawn towards it: {right}",
    "Quiescence Checks": "the check {move} gives {left}, above {right}",
    "Quiescence Move Count": "{move} was skipped: the best {right} captures have been tried",
    "Quiescence Futility": "{move} was skipped: what it wins gives at most {left}, not above alpha, {right}",
    "Quiescence SEE": "{move} was skipped: the exchange loses material",
    "Quiescence History": "{move} was skipped: nothing good is known of it ({points} points, not more than {bar})",
    "Aspiration": "the value {left} lies within the window",
}
BEGUN = {
    "Null Move": "the evaluation {left} reaches beta, {right}: would a pass do?",
    "Null Verification": "a pass would do; is that so without it, at {right} of {left} plies?",
    "ProbCut": "does a capture reach {right}?",
    "Singular Extension": "the table values {move} at {left}: do all others stay below {right}?",
    "Late Move Reduction": "{move} is searched with {right} plies first, instead of {left}",
    "Tablebases": "with {men} men left the endgame tables are asked",
    "Aspiration": "the window is {left} to {right}",
}
REPEATED = {
    "Late Move Reduction": "{move} surprised with {left}, above alpha, {right}: it is searched again, deeper",
    "ProbCut": "{move} reaches {left} in quiescence: is that so at reduced depth?",
    "Aspiration": "the value {left} lies outside the window: it is widened",
}
# Their numbers are plies, moves or points of history, not values.
PLAIN = frozenset({"Hindsight", "Internal Reduction", "Late Move Pruning", "Negative Extension", "Check Extension",
                   "Deeper Research", "Full Depth Reduction", "Alpha Reduction", "Quiescence Move Count"})
BEGUN_PLAIN = frozenset({"Null Verification", "Late Move Reduction"})


def value(score: int) -> str:
    """A value as people write it: pawns, or a mate."""
    if abs(score) >= INFINITE:
        return "anything"
    mate = wdl.mate_moves(score)
    if mate is not None:
        return f"mate in {mate}" if mate > 0 else f"mated in {-mate}" if mate < 0 else "mated"
    if abs(score) >= TABLEBASE_RANGE:
        return "a won ending" if score > 0 else "a lost ending"
    return f"{wdl.centipawns(score) / 100:+.2f}"


def in_san(visit: Visit, move: str) -> str:
    """A move of a visit's position as people write it."""
    import chess

    return visit.board().san(chess.Move.from_uci(move))


def san_line(visit: Visit) -> str:
    """The moves that lead to a visit, numbered; a pass is written --."""
    import chess

    board, told = visit.tree.board(), []
    for number, text in enumerate(visit.line):
        move = chess.Move.from_uci(text)
        if board.turn:
            told.append(f"{board.fullmove_number}.{board.san(move)}")
        else:
            told.append(board.san(move) if number else f"{board.fullmove_number}...{board.san(move)}")
        board.push(move)
    return " ".join(told)


def sentence(text: str) -> str:
    """A sentence of what was said; one that begins with a move begins as the move does."""
    first = text.split()[0]
    begins_with_move = any(letter.isdigit() for letter in first) or first.startswith("O-O")
    return (text if begins_with_move else text[0].upper() + text[1:]) + ("" if text.endswith(("?", ".")) else ".")


def event(event: Event) -> str:
    """One decision in a sentence without its full stop."""
    texts = {"begun": BEGUN, "repeated": REPEATED}.get(event.outcome, WORKED)
    plain = event.technique in (BEGUN_PLAIN if event.outcome == "begun" else PLAIN)
    text = texts[event.technique]
    if event.relation == "exchange <" and event.technique == "Quiescence Futility":
        text = ("{move} was skipped: the exchange does not win the {gain} it would need" if event.left > 0
                else "{move} was skipped: the exchange loses more than {loss}")
    if event.technique == "Late Move Reduction" and event.outcome == "begun" and event.right >= event.left:
        text = ("{move} is not reduced: it is searched with all its {right} plies" if event.right == event.left
                else "{move} is promising: it is not reduced but searched with {right} plies, not just {left}")
    if event.technique == "Aspiration" and event.outcome == "begun" and min(-event.left, event.right) >= INFINITE:
        text = "the window is open: any value will do"
    move = in_san(event.visit, event.move) if event.move else "a move"
    told = text.format(
        left=max(0, event.left) if plain else value(event.left),
        right=max(0, event.right) if plain else value(event.right), move=move, points=event.left, bar=event.right,
        men=event.left, loss=f"{abs(event.left) / 100:.2f}", gain=f"{event.left / 100:.2f}",
        side="at least beta" if event.relation == ">=" else "not above alpha")
    return ONE_PLY.sub("1 ply", told)


def reason(visit: Visit) -> str:
    """Why a visit ended as it did, in a sentence."""
    if visit.ending in ENDINGS:
        text = ENDINGS[visit.ending]
        best = in_san(visit, visit.best_move) if visit.best_move else ""
        if visit.ending == "fail high" and best:
            text = f"{best} reached {value(visit.value)}, at least beta, {value(visit.beta)}"
        elif visit.ending == "fail low":
            text = f"no move beat alpha, {value(visit.alpha)}: the best that was seen is {value(visit.value)}"
        elif visit.ending == "exact" and best:
            text = f"{best} is best with {value(visit.value)}"
        elif visit.ending == "exact":
            text = f"nothing beats the evaluation, {value(visit.value)}"
        elif visit.ending == "stand pat":
            text = f"the evaluation alone, {value(visit.value)}, reaches beta, {value(visit.beta)}"
    else:
        deciding = [event for event in visit.events if event.technique == visit.ending and event.has_worked]
        text = str(deciding[-1]) if deciding else f"{visit.ending} ended it with {value(visit.value)}"
    return sentence(text)


def describe(visit: Visit) -> str:
    """A visit in a few sentences."""
    where = f"After {san_line(visit)}" if visit.line else "At the root"
    asked = ("captures and checks only" if "quiescence" in visit.flags
             else f"{visit.depth} {'ply' if visit.depth == 1 else 'plies'} deep")
    within = visit.size - 1             # its size counts itself
    inside = f" {within:,} {'visit lies' if within == 1 else 'visits lie'} within." if within else ""
    window = ("with an open window" if min(-visit.alpha, visit.beta) >= INFINITE
              else f"between {value(visit.alpha)} and {value(visit.beta)}")
    return (f"{where}. {KINDS[visit.kind]}: {asked}, {window}. "
            f"{reason(visit)}{inside}")
