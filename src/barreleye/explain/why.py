"""Why this move: its line, how far ahead of the others it is, what they run into, what it cost, since when it leads."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from barreleye import wdl
from barreleye.core.facts import TABLEBASE_RANGE
from barreleye.explain import words
from barreleye.explain.answer import Answer, Sentence
from barreleye.explain.material import NOTHING
from barreleye.explain.mistake import Course
from barreleye.explain.refutation import consequence, ideas_of, is_close, moves_of, worth_of

if TYPE_CHECKING:
    from barreleye.explain.inquiry import Finding, Inquiry, Line

RIVALS = 3                      # other moves that are looked at more closely
SHOWN_GAIN = 50                 # centipawns of the score for each pawn that is won
EXHAUSTED = 100                 # a search that gets so deep has nothing left to look at
CLEAR = 60                      # centipawns that do: below it a rival is worse, but runs into nothing


@dataclass(frozen=True, slots=True)
class Rival:
    """A move that was not chosen, searched for itself. The gap is None where one of the scores is no number."""

    move: str
    line: tuple[str, ...]
    score: dict[str, int]           # for White
    depth: int
    gap: int | None                 # centipawns behind the best


@dataclass(frozen=True, slots=True, kw_only=True)
class Why(Answer):
    """Why the engine plays its move."""

    move: str
    line: tuple[str, ...]
    score: dict[str, int]           # for White
    depth: int
    nodes: int
    rivals: tuple[Rival, ...]       # best first
    effort: float                   # share of the nodes that were spent on the move
    since: int                      # the iteration from which on it was the first choice


def why(inquiry: Inquiry, found: Finding) -> Why:
    """Explain what a search chose."""
    board, best = inquiry.board, found.best_move
    assert best is not None
    others = [move for move in inquiry.position.legal_moves() if move != best]
    rivals = inquiry.search(only=others, multipv=min(RIVALS, len(others))).lines if others else ()
    sentences = [choice(inquiry, found), *ideas(inquiry, found)]
    if not others:
        sentences.append(Sentence(f"It is the only legal move{', because the king is in check' * board.is_check()}.",
                                  {"legal_moves": 1, "check": board.is_check()}))
    else:
        sentences += compared(inquiry, found, rivals)
        sentences.append(spent(inquiry, found))
    score = found.score
    return Why(question=f"Why {words.numbered(board, best)}?", fen=inquiry.fen, sentences=tuple(sentences), arrow=best,
               move=best, line=found.moves, score=words.white_score(score, board.turn), depth=found.depth,
               nodes=found.nodes, effort=share(found), since=led_since(found),
               rivals=tuple(Rival(line.moves[0], line.moves, words.white_score(line.score, board.turn), line.depth,
                                  gap(score, line.score)) for line in rivals))


def gap(best: int, other: int) -> int | None:
    """How far one score is behind another, None when one of them is a mate or known from tables."""
    return None if max(abs(best), abs(other)) >= TABLEBASE_RANGE else best - other


def choice(inquiry: Inquiry, found: Finding) -> Sentence:
    """The move, its line, and what it leads to."""
    board, score = inquiry.board, found.score
    best, rest = words.numbered(board, found.moves[0]), found.moves[1:]
    after = board.copy(stack=False)
    after.push(board.parse_uci(found.moves[0]))
    line = words.line(after, rest)
    won = gain(inquiry, found).won
    evidence = {"move": found.best_move, "line": list(found.moves), "depth": found.depth, "nodes": found.nodes,
                "score": words.white_score(score, board.turn), "wins": won.text}
    mate = wdl.mate_moves(score)
    if after.is_checkmate():
        text = f"{best} is mate."
    elif mate is not None and mate > 0:
        text = f"{best} forces mate in {words.number(mate)}: {line}."
    elif mate is not None:
        text = f"{best} holds out longest, but {inquiry.standing(score)} all the same: {line}."
    elif won.text and line:
        text = f"{best} wins {won.text}: after {line} {inquiry.standing(score)}."
    elif after.is_stalemate() or not line:
        text = f"With {best}, {inquiry.standing(score)}."
    else:
        text = f"{best} expects {line}, and then {inquiry.standing(score)}."
    return Sentence(text, evidence)


def gain(inquiry: Inquiry, found: Finding) -> Course:
    """The line with what it wins; nothing where the score does not show that somebody has won something."""
    course = Course.of(inquiry.board, moves_of(inquiry.board, found.moves), worth_of(found.score))
    shown = course.worth.mate is not None or course.worth.ceiled >= SHOWN_GAIN * course.won.pawns
    return course if shown else replace(course, won=NOTHING)


def ideas(inquiry: Inquiry, found: Finding) -> list[Sentence]:
    """The motif that the move rests on, if it has one that can be named."""
    course = gain(inquiry, found)
    found_motifs = ideas_of(course.walk, course.won)
    return [Sentence(motif.sentence, {"motif": motif.kind, "squares": motif.squares, "move": motif.move,
                                      "line": list(found.moves)}) for motif in found_motifs[:1]]


def compared(inquiry: Inquiry, found: Finding, rivals: tuple[Line, ...]) -> list[Sentence]:
    """How the others do: the second best, and what the next ones run into."""
    board, score = inquiry.board, found.score
    sentences, second = [], rivals[0]
    san = words.san(board, found.best_move)
    evidence = [{"move": line.moves[0], "line": list(line.moves), "depth": line.depth,
                 "score": words.white_score(line.score, board.turn), "gap": gap(score, line.score)} for line in rivals]
    behind = gap(score, second.score)
    rival = words.san(board, second.moves[0])
    mates = wdl.mate_moves(score), wdl.mate_moves(second.score)
    if is_close(score, second.score):
        sentences.append(Sentence(f"{rival} is about as good: with it, {inquiry.standing(second.score)}.", evidence[0]))
    elif second.score > score:
        sentences.append(Sentence(f"Searched without {san}, though, {rival} comes out even better, at depth "
                                  f"{second.depth}: with it, {inquiry.standing(second.score)}.", evidence[0]))
    elif mates[0] is not None and mates[1] is not None and (mates[0] > 0) == (mates[1] > 0):
        sentences.append(Sentence(f"{rival} {consequence(inquiry, second.moves, second.score, score)}.", evidence[0]))
    elif behind is not None and behind < CLEAR:
        sentences.append(Sentence(f"The next best is {rival}, {words.pawns(behind)} worse.", evidence[0]))
    else:
        sentences.append(Sentence(f"Nothing else comes near {san}: the next best, {rival}, "
                                  f"{consequence(inquiry, second.moves, second.score, score)}.", evidence[0]))
    for line, known in zip(rivals[1:], evidence[1:], strict=True):
        behind = gap(score, line.score)
        if behind is not None and behind >= CLEAR:
            sentences.append(Sentence(f"{words.san(board, line.moves[0])} "
                                      f"{consequence(inquiry, line.moves, line.score, score)}.", known))
    return sentences


def spent(inquiry: Inquiry, found: Finding) -> Sentence:
    """Where the effort went, and since when the move leads."""
    part, since = share(found), led_since(found)
    san = words.san(inquiry.board, found.best_move)
    lead = ("from the first look on" if since <= 1 else f"only since depth {since}, which it did not finish"
            if since > found.ledger.depth else f"since depth {since}"
            + (f" of {found.ledger.depth}" if found.ledger.depth < EXHAUSTED else ""))
    return Sentence(f"{san} has been the first choice {lead}, and {words.percent(part)} of the {found.nodes:,} "
                    "positions that were looked at come after it.",
                    {"since_depth": since, "depth": found.ledger.depth, "share": round(part, 4), "nodes": found.nodes})


def share(found: Finding) -> float:
    """The part of all nodes that was spent on the chosen move."""
    effort = found.ledger.effort()
    return effort.get(found.best_move or "", 0) / max(1, sum(effort.values()))


def led_since(found: Finding) -> int:
    """The iteration from which on the move was first; one more than the last finished one if that had another."""
    leaders = found.ledger.leaders()
    since = found.ledger.depth + 1
    for leader in reversed(leaders):
        if leader.move != found.best_move:
            break
        since = leader.iteration
    return since
