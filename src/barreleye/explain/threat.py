"""What is the threat? What the other side would do if the side to move passed, and what that would win."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import chess

from barreleye import wdl
from barreleye.core.facts import TABLEBASE_RANGE
from barreleye.explain.answer import Answer, Sentence
from barreleye.explain.material import Outcome, Walk, outcome
from barreleye.explain.mistake import DECIDED, LEAST_SHARE, Course, backed
from barreleye.explain.motifs import Motif, motifs_of
from barreleye.explain.pieces import named
from barreleye.explain.refutation import moves_of, worth_of
from barreleye.explain.words import WON, line, listed, number, pawns_text, score_text, side, white_score

if TYPE_CHECKING:
    from barreleye.explain.inquiry import Finding, Inquiry

MORE = 5                    # times the nodes: what the other side would do deserves a good look
FORCED_PLIES = 8            # of the threat's line: what is won later is no threat yet
REAL = 50                   # centipawns that passing costs, from which on a threat to win something is real
SERIOUS = 100               # the same where nothing is won that can be counted; a mere tempo is worth less


@dataclass(frozen=True, slots=True, kw_only=True)
class Threat(Answer):
    """What is threatened: by whom, the move, its line, and what it would win."""

    has_own_board: ClassVar[bool] = True

    is_threat: bool
    move: str | None                # UCI; None in check and when the game is over
    line: tuple[str, ...]           # from the position after the pass
    wins: str                       # a knight, the exchange; empty when it is mate or nothing that can be counted
    mate: int | None                # in so many moves
    cost: int | None                # centipawns that passing costs, a mate counted as in the search; None in check
    motifs: tuple[Motif, ...]

    def _repr_mimebundle_(self, **_: Any) -> dict[str, Any]:
        """What notebooks show."""
        from barreleye.pictures.notebook import of_threat

        return of_threat(self)


def threat(inquiry: Inquiry, before: Finding | None = None) -> Threat:
    """The answer, by two searches: of the position, unless that is known, and of the same with the other to move."""
    board = inquiry.board
    if board.is_check() or not any(board.legal_moves):
        return without_pass(inquiry, board)
    passed = board.copy(stack=False)
    passed.push(chess.Move.null())
    if not any(passed.legal_moves):
        text = f"{side(passed.turn)} has no move at all, so nothing is threatened."
        return nothing(inquiry, text, {"legal_moves": 0}, None)
    before = before or inquiry.search()
    after = inquiry.search_from(passed.fen(shredder=board.chess960), more=MORE)
    walk = Walk(passed, [passed.parse_uci(move) if not ply else chess.Move.from_uci(move)
                         for ply, move in enumerate(after.moves[:FORCED_PLIES])])
    return judged(inquiry, passed, before, after, walk)


def judged(inquiry: Inquiry, passed: chess.Board, before: Finding, after: Finding, walk: Walk) -> Threat:
    """What the two searches say: a threat gains something for who makes it, a missed chance only saves something."""
    board, cost, stood = inquiry.board, before.score + after.score, stands(inquiry, passed)
    gained = min(after.score, WON) - min(stood, WON)
    won = outcome(walk, walk.attacker)
    if gained < 100 * LEAST_SHARE * won.pawns:
        won = backed(won, passed, passed.turn, worth_of(after.score))
    found, mate = motifs_of(walk, won), wdl.mate_moves(after.score)
    if mate is not None and (mate <= 0 or (2 * mate > FORCED_PLIES and stood >= DECIDED)):
        mate = None                         # a long way to mate that has been open all the time is no threat
    attacker, defender, first = side(passed.turn), side(board.turn), line(passed, after.moves[:1])
    evidence = {"line": list(after.moves), "before": white_score(before.score, board.turn),
                "after": white_score(after.score, passed.turn), "nodes": [before.nodes, after.nodes], "gained": gained}
    is_threat, price = True, changed(board, before, after, evidence)
    first_come = [Sentence(f"But it is {defender}'s move, and {could}.", evidence)
                  for could in chances(inquiry, before, won.pawns + 1)]
    if mate is not None:
        sentences = [*mate_sentences(passed, after, mate, before.score, evidence), *first_come]
    elif won.pawns and cost >= REAL:
        text = f"{attacker} threatens {first}, {winning(won, found)}."
        sentences = [Sentence(text, {**evidence, "wins": won.text, "motifs": [motif.text for motif in found]}),
                     going_on(passed, after, evidence), *first_come, price]
    elif inquiry.is_known and cost >= TABLEBASE_RANGE:
        is_threat = after.score >= TABLEBASE_RANGE and not first_come
        sentences = [Sentence(f"Passing would give the result away: after {first} {inquiry.standing(-after.score)}.",
                              evidence)]
    elif won.pawns:
        is_threat = False
        text = (f"{attacker} could play {first}, {winning(won, found)}, but {defender} need not fear it: passing costs "
                "next to nothing.")
        sentences = [Sentence(text, {**evidence, "wins": won.text}), price]
    elif cost < SERIOUS or before.score <= -DECIDED:
        return nothing(inquiry, f"There is no threat: {attacker}'s best would be {first}.", evidence, after, cost)
    elif gained >= REAL and not (first_come and after.score <= -SERIOUS):
        text = (f"No material is threatened, but passing would cost {defender} {pawns_text(cost)}: {first} would "
                "follow." if not first_come else f"{attacker} threatens {first}, to gain about {pawns_text(gained)}.")
        sentences = [Sentence(text, evidence), *first_come, price]
    else:
        could = next(iter(chances(inquiry, before, 1)), f"with {line(board, before.moves[:1])} "
                                                        f"{inquiry.standing(before.score)}")
        text = f"{attacker} threatens nothing, but {defender} would miss a chance by waiting: {could}."
        is_threat, sentences = False, [Sentence(text, evidence), price]
    return Threat(question="What is the threat?", fen=inquiry.fen, sentences=tuple(sentences), arrow=after.best_move,
                  is_threat=is_threat, move=after.best_move, line=after.moves, wins="" if mate else won.text, mate=mate,
                  cost=cost, motifs=found)


def stands(inquiry: Inquiry, passed: chess.Board) -> int:
    """How the game stands for the side that would threaten, if nobody moved: the evaluation, whoever's move it is."""
    position = inquiry.position
    turned = type(position)(passed.fen(shredder=passed.chess960), position.chess960)
    both = [inquiry.engine.evaluate(one).centipawns for one in (position, turned)]
    return sum(both) // (2 if passed.turn else -2)


def chances(inquiry: Inquiry, before: Finding, least: int) -> list[str]:
    """What the side to move can do itself, if it mates or wins so many pawns: 1.Kxb2 wins a rook."""
    board, mate = inquiry.board, wdl.mate_moves(before.score)
    first = line(board, before.moves[:1])
    if mate is not None and mate > 0:
        return [f"{first} forces mate in {number(mate)}" if mate > 1 else f"{first} is mate"]
    won = Course.of(board, moves_of(board, before.moves[:FORCED_PLIES]), worth_of(before.score)).won
    return [f"{first} {'gets' if won.promoted else 'wins'} {won.text}"] if won.pawns >= least else []


def without_pass(inquiry: Inquiry, board: chess.Board) -> Threat:
    """In check, and at the end of a game, nobody can pass."""
    king = board.king(board.turn)
    assert king is not None
    if board.is_checkmate():
        return nothing(inquiry, f"{side(board.turn)} is mated.", {"fen": inquiry.fen}, None)
    if not board.is_check():
        return nothing(inquiry, f"{side(board.turn)} is stalemated.", {"fen": inquiry.fen}, None)
    names = [named(board, checker) for checker in board.checkers()]
    text = f"{side(board.turn)} is in check from {listed(names)}, and has to see to that first."
    checkers = [chess.square_name(checker) for checker in board.checkers()]
    return Threat(question="What is the threat?", fen=inquiry.fen, is_threat=True, move=None, line=(), wins="",
                  mate=None, cost=None, motifs=(), sentences=(Sentence(text, {"checkers": checkers}),))


def nothing(inquiry: Inquiry, text: str, evidence: dict[str, Any], after: Finding | None,
            cost: int | None = None) -> Threat:
    """There is no threat."""
    move, moves = (None, ()) if after is None else (after.best_move, after.moves)
    return Threat(question="What is the threat?", fen=inquiry.fen, sentences=(Sentence(text, evidence),), arrow=move,
                  is_threat=False, move=move, line=moves, wins="", mate=None, cost=cost, motifs=())


def winning(won: Outcome, found: tuple[Motif, ...]) -> str:
    """What a line wins, and by which motif: winning a knight: the knight on e5 is undefended."""
    return f"{'getting' if won.promoted else 'winning'} {won.text}" + (f": {found[0].text}" if found else "")


def mate_sentences(passed: chess.Board, after: Finding, mate: int, before: int,
                   evidence: dict[str, Any]) -> list[Sentence]:
    """A threat of mate, and whether it can be met."""
    attacker, defender = side(passed.turn), side(not passed.turn)
    if mate == 1:
        first = f"{attacker} threatens mate: {line(passed, after.moves[:1])}."
    else:
        first = f"{attacker} threatens mate in {number(mate)}: {line(passed, after.moves)}."
    sentences = [Sentence(first, evidence)]
    lost = wdl.mate_moves(before)
    if lost is not None and lost < 0:
        told = f"can only delay it, to mate in {number(-lost)}" if -lost > mate else "cannot prevent it"
        sentences.append(Sentence(f"{defender} {told}.", evidence))
    return sentences


def going_on(passed: chess.Board, after: Finding, evidence: dict[str, Any]) -> Sentence:
    """How the threat would be carried out."""
    return Sentence(f"The line: {line(passed, after.moves)}.", evidence)


def changed(board: chess.Board, before: Finding, after: Finding, evidence: dict[str, Any]) -> Sentence:
    """What passing would change: a score, or where that says nothing any more, who wins."""
    was, then = before.score, -after.score
    counts = (min(was, then) >= WON or max(was, then) <= -WON)          # the same side wins: only the numbers differ
    told = [score_text(score, board.turn) if counts or abs(score) < WON or wdl.mate_moves(score) is not None
            else f"a won game for {side((score > 0) == board.turn)}" for score in (was, then)]
    what = "verdict" if any("won" in one for one in told) else "score"
    return Sentence(f"Passing would change the {what} from {told[0]} to {told[1]}.", evidence)
