"""When the search changed its mind, and what it saw: each change with the score that fell and the reply that did it."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING

from barreleye.explain import words
from barreleye.explain.answer import Answer, Sentence

if TYPE_CHECKING:
    from barreleye.explain.inquiry import Finding, Inquiry
    from barreleye.ledger import RootVisit

FELL = 15                       # centipawns less than before that a person would call a fall
SETTLED = 4                     # iterations that are over before a change of mind means anything
TOLD = 3                        # changes told one by one, the last ones


@dataclass(frozen=True, slots=True)
class Change:
    """One change of mind. Scores are for White."""

    depth: int                      # the iteration that brought it
    nodes: int                      # looked at until that iteration ended
    old: str
    new: str
    old_before: dict[str, int]      # what the old move was worth before
    old_after: dict[str, int]       # and what was left of it,
    old_bound: str                  # exactly, or at most
    reply: str | None               # to the old move, which did it
    new_score: dict[str, int]
    fell: bool                      # the old move became worse; otherwise the new one turned out better


@dataclass(frozen=True, slots=True, kw_only=True)
class Changes(Answer):
    """When the search changed its mind."""

    changes: tuple[Change, ...]     # in the order in which they came
    depth: int
    settled: int                    # the iteration from which on the move stayed the same


def changes(inquiry: Inquiry, found: Finding) -> Changes:
    """Tell each change of the best move between two iterations."""
    all_changes = tuple(changed(inquiry, found))
    late = [change for change in all_changes if change.depth > SETTLED]
    real = [change for change in late if not is_tie(change)]
    told = real[-TOLD:]
    depth, last = found.ledger.depth, all_changes[-1].depth if all_changes else 1
    sentences = [sentence(inquiry, change) for change in told]
    san = words.san(inquiry.board, found.best_move)
    if late and not real:
        moves = sorted({words.san(inquiry.board, move) for change in late for move in (change.old, change.new)})
        between = words.listed(moves) if len(moves) <= TOLD else f"{words.number(len(moves))} moves"
        sentences = [Sentence(f"It wavered between {between}, which come to the same.",
                              {"changes": [change.depth for change in late], "score": late[-1].new_score})]
    elif not sentences:
        since = f"after a few first glances, from depth {last} on" if all_changes else "from the first look to the last"
        sentences = [Sentence(f"It did not change its mind: {san} was its choice {since}.",
                              {"move": found.best_move, "changes": [change.depth for change in all_changes],
                               "depth": depth})]
    elif len(told) < len(real):
        earlier = len(real) - len(told)
        sentences.insert(0, Sentence(f"Before depth {told[0].depth} it had already changed its mind {times(earlier)}.",
                                     {"changes": [change.depth for change in all_changes]}))
    return Changes(question="When did it change its mind?", fen=inquiry.fen, sentences=tuple(sentences),
                   arrow=found.best_move, changes=all_changes, depth=depth, settled=last)


def is_tie(change: Change) -> bool:
    """Whether the two moves were worth the same, so that either would do."""
    return not change.fell and change.old_bound == "exact" and change.old_after == change.new_score


def times(count: int) -> str:
    """How often."""
    return {1: "once", 2: "twice"}.get(count, f"{words.number(count)} times")


def changed(inquiry: Inquiry, found: Finding) -> list[Change]:
    """Every change of the leader, the one of an unfinished last iteration included."""
    ledger, white = found.ledger, inquiry.board.turn
    leaders = list(ledger.leaders())
    if leaders and found.best_move != leaders[-1].move:
        last = ledger.last(found.best_move or "", ledger.iterations[-1])
        leaders += [last] if last is not None else []
    seen: list[Change] = []
    for before, after in itertools.pairwise(leaders):
        if before.move == after.move:
            continue
        old = ledger.last(before.move, after.iteration) or before
        fell = old.value <= before.value - FELL
        seen.append(Change(after.iteration, nodes_until(found, after), before.move, after.move,
                           words.white_score(before.value, white), words.white_score(old.value, white), old.bound,
                           old.reply, words.white_score(after.value, white), fell))
    return seen


def nodes_until(found: Finding, visit: RootVisit) -> int:
    """How many nodes had been searched when a visit was over."""
    total = 0
    for other in found.ledger.visits:
        total += other.nodes
        if other is visit:
            break
    return total


def sentence(inquiry: Inquiry, change: Change) -> Sentence:
    """One change in words."""
    board = inquiry.board
    old, new = words.san(board, change.old), words.san(board, change.new)
    when = f"At depth {change.depth}, after {change.nodes:,} positions, it turned from {old} to {new}"
    worth = worth_of(change.new_score)
    if change.fell:
        reply = reply_text(inquiry, change)
        limit = "" if change.old_bound == "exact" else "at most " if board.turn else "at least "    # for White
        worse = "fallen" if board.turn else "gone"
        why = (f"{old} had {worse} from {said(change.old_before)} to {limit}{said(change.old_after)}{reply}, "
               f"while {new} was {worth}")
    else:
        why = f"{old} was still {worth_of(change.old_after)}, but {new} turned out to be {worth}"
        if change.old_bound != "exact":
            why = f"{old} had not become much worse, but {new} turned out to be {worth}"
    return Sentence(f"{when}: {why}.", {
        "depth": change.depth, "nodes": change.nodes, "old": change.old, "new": change.new,
        "old_before": change.old_before, "old_after": change.old_after, "old_bound": change.old_bound,
        "reply": change.reply, "new_score": change.new_score})


def reply_text(inquiry: Inquiry, change: Change) -> str:
    """The reply that did it."""
    if change.reply is None:
        return ""
    after = inquiry.board.copy(stack=False)
    after.push(inquiry.board.parse_uci(change.old))
    return f" because of {words.numbered(after, change.reply)}"


def said(score: dict[str, int]) -> str:
    """A score for White as it is printed, a mate in words: +0.31, mate in two, mate in two for Black."""
    if "mate" in score:
        return f"mate in {words.number(abs(score['mate']))}" + " for Black" * (score["mate"] < 0)
    return f"{score['cp'] / 100:+.2f}"


def worth_of(score: dict[str, int]) -> str:
    """What a move is: worth +0.31, mate in two."""
    return said(score) if "mate" in score else f"worth {said(score)}"
