"""Why this move: its line, how far ahead of the others it is, what they run into, what it cost, since when it leads."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from barreleye import wdl
from barreleye.core.facts import TABLEBASE_RANGE
from barreleye.explain import words
from barreleye.explain.answer import Answer, Sentence
from barreleye.explain.mistake import Course
from barreleye.explain.refutation import consequence, ideas_of, is_close, moves_of, worth_of

if TYPE_CHECKING:
    from barreleye.explain.inquiry import Finding, Inquiry, Line

WRONG = 30                      # centipawns by which another move must be better for the search to be called wrong
RIVALS = 3                      # other moves that are looked at more closely
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


@dataclass(frozen=True, slots=True)
class Compared:
    """The line of a rival, and what the chosen move is worth by the same search or one like it."""

    moves: tuple[str, ...]
    score: int
    depth: int
    best: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Why(Answer):
    """Why the engine plays its move."""

    move: str
    line: tuple[str, ...]
    score: dict[str, int]           # for White
    depth: int
    nodes: int
    rivals: tuple[Rival, ...]       # best first
    doubt: str | None               # the rival that did better when both were compared side by side, if one did
    effort: float                   # share of the nodes that were spent on the move
    since: int                      # the iteration from which on it was the first choice


def why(inquiry: Inquiry, found: Finding, rivals: tuple[Compared, ...] | None = None,
        missed: Iterable[Line] = ()) -> Why:
    """Explain what a search chose. missed are lines that are known to be better, which no sentence may deny."""
    board, best = inquiry.board, found.best_move
    assert best is not None
    others = [move for move in inquiry.position.legal_moves() if move != best]
    known = [Compared(line.moves, line.score, line.depth, found.score) for line in missed]
    asked = {line.moves[0] for line in known}
    others_known = [rival for rival in (rivals_of(inquiry, found) if rivals is None else rivals)
                    if rival.moves[0] not in asked]
    rivals = in_order([*known, *others_known])
    doubt = rivals[0].moves[0] if rivals and is_better(rivals[0]) else None
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
               nodes=found.nodes, effort=share(found), since=led_since(found), doubt=doubt,
               rivals=tuple(Rival(one.moves[0], one.moves, words.white_score(one.score, board.turn), one.depth,
                                  gap(one.best, one.score)) for one in rivals))


def rivals_of(inquiry: Inquiry, found: Finding) -> tuple[Compared, ...]:
    """The best of the other moves, best first, each with what the chosen move is worth beside it.

    A rival that was searched without the chosen move may seem to be better, for want of depth. Such ones are searched
    together with it, and that decides.
    """
    others = [move for move in inquiry.position.legal_moves() if move != found.best_move]
    lines = inquiry.search(only=others, multipv=min(RIVALS, len(others))).lines if others else ()
    rivals = [Compared(line.moves, line.score, line.depth, found.score) for line in lines]
    better = [rival.moves[0] for rival in rivals if is_better(rival)]
    if better and found.best_move is not None:
        together = inquiry.search(only=[found.best_move, *better], multipv=1 + len(better)).lines
        known = {line.moves[0]: line for line in together}
        rivals = [Compared(line.moves, line.score, line.depth, known[found.best_move].score)
                  if (line := known.get(rival.moves[0])) is not None and found.best_move in known else rival
                  for rival in rivals]
    return in_order(rivals)


def in_order(rivals: Iterable[Compared]) -> tuple[Compared, ...]:
    """The nearest to the chosen move, or furthest ahead of it, first."""
    return tuple(sorted(rivals, key=lambda rival: rival.best - rival.score))


def is_better(rival: Compared) -> bool:
    """Whether it beats the chosen move, clearly enough to be told apart from it."""
    return rival.score > rival.best and not is_close(rival.best, rival.score)


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
    elif mate is not None and board.legal_moves.count() == 1:
        text = f"After {best} {inquiry.standing(score)}: {line}."
    elif mate is not None:
        text = f"{best} holds out longest, but {inquiry.standing(score)} all the same: {line}."
    elif won.text and line:
        text = f"{best} {'gets' if won.promoted else 'wins'} {won.text}: after {line} {inquiry.standing(score)}."
    elif after.is_stalemate() or not line:
        text = f"With {best}, {inquiry.standing(score, found.best_move)}."
    else:
        text = f"{best} expects {line}, and then {inquiry.standing(score)}."
    return Sentence(text, evidence)


def gain(inquiry: Inquiry, found: Finding) -> Course:
    """The line with what it wins."""
    return Course.of(inquiry.board, moves_of(inquiry.board, found.moves), worth_of(found.score))


def ideas(inquiry: Inquiry, found: Finding) -> list[Sentence]:
    """The motif that the move rests on, if it has one that can be named."""
    course = gain(inquiry, found)
    found_motifs = ideas_of(course.walk, course.won)
    return [Sentence(motif.sentence, {"motif": motif.kind, "squares": motif.squares, "move": motif.move,
                                      "line": list(found.moves)}) for motif in found_motifs[:1]]


def compared(inquiry: Inquiry, found: Finding, rivals: tuple[Compared, ...]) -> list[Sentence]:
    """How the others do: the second best, and what the next ones run into."""
    board, score = inquiry.board, rivals[0].best
    sentences, second = [], rivals[0]
    san = words.san(board, found.best_move)
    evidence = [{"move": line.moves[0], "line": list(line.moves), "depth": line.depth,
                 "score": words.white_score(line.score, board.turn), "gap": gap(line.best, line.score)}
                for line in rivals]
    behind = gap(score, second.score)
    rival = words.san(board, second.moves[0])
    mates = wdl.mate_moves(score), wdl.mate_moves(second.score)
    if is_close(score, second.score):
        stands = inquiry.standing(second.score, second.moves[0])
        agrees = score == found.score and \
            stands.split(" by ")[0] == inquiry.standing(score, found.best_move).split(" by ")[0]
        sentences.append(Sentence(f"{rival} is about as good{f': with it, {stands}' * agrees}.", evidence[0]))
    elif second.score > score:
        theirs, ours = inquiry.standing(second.score, second.moves[0]), inquiry.standing(score, found.best_move)
        if behind is None or -behind >= WRONG:
            told = (f"The search may be wrong here: looked at more closely, {rival} comes out better than {san}; with "
                    f"{rival} {theirs}, with {san} {ours}.")
        else:
            told = f"It is a close call: looked at more closely, {rival} comes out a little better than {san}."
        sentences.append(Sentence(told, {**evidence[0], "beside": words.white_score(score, board.turn)}))
    elif mates[0] is not None and mates[1] is not None and (mates[0] > 0) == (mates[1] > 0):
        sentences.append(Sentence(f"{rival} {consequence(inquiry, second.moves, second.score, score)}.", evidence[0]))
    elif behind is not None and behind < CLEAR:
        sentences.append(Sentence(f"The next best is {rival}, {words.pawns(behind)} worse.", evidence[0]))
    else:
        sentences.append(Sentence(f"Nothing else comes near {san}: the next best, {rival}, "
                                  f"{consequence(inquiry, second.moves, second.score, score)}.", evidence[0]))
    for line, known in zip(rivals[1:], evidence[1:], strict=True):
        behind = gap(line.best, line.score)
        if behind is not None and behind >= CLEAR:
            sentences.append(Sentence(f"{words.san(board, line.moves[0])} "
                                      f"{consequence(inquiry, line.moves, line.score, line.best)}.", known))
    return sentences


def spent(inquiry: Inquiry, found: Finding) -> Sentence:
    """Where the effort went, and since when the move leads."""
    part, since = share(found), led_since(found)
    san = words.san(inquiry.board, found.best_move)
    depth = found.ledger.depth
    lead = ("from the first look on" if since <= 1 else f"only since depth {since}, which it did not finish"
            if since > depth else f"only since depth {since}, the last" if since == depth
            else f"since depth {since}" + (f" of {depth}" if depth < EXHAUSTED else ""))
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
