"""Two recorded searches of one position, side by side: where they first differ, and what came of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from barreleye.tree import words
from barreleye.tree.visit import FIELD, Event, Visit

if TYPE_CHECKING:
    from barreleye.tree.tree import Summary, Tree

ASKED = ("key", "move", "kind", "depth", "alpha", "beta", "excluded", "nodes")
CAME = ("value", "size", "ending", "best_move", "evaluation", "static_eval", "estimate", "tt_value", "tt_depth",
        "tt_move", "depth_left")


@dataclass(frozen=True)
class Difference:
    """Where two searches part, and what it made of them.

    `parting` is the last visit that both began alike, as each has it. Within it one decided otherwise: `decisions`
    holds what each decided there first that the other did not, `next` the visit that each began after that, None if it
    began none. It is None when they part before any visit: one searched longer, or began with another window.
    """

    parting: tuple[Visit, Visit] | None
    decisions: tuple[Event | None, Event | None]
    next: tuple[Visit | None, Visit | None]
    summaries: tuple[Summary, Summary]

    @property
    def nodes(self) -> tuple[int, int]:
        """What each search cost."""
        return self.summaries[0].nodes, self.summaries[1].nodes

    @property
    def is_same(self) -> bool:
        """Whether nothing differs."""
        return self.parting is None and self.next == (None, None)

    @property
    def where(self) -> str:
        """The place in a sentence."""
        if self.parting is None:
            window = self.next[0] or self.next[1]
            return f"Up to visit {window.number if window else 0:,}, a new window of the root, all is the same."
        visit = self.parting[0]
        place = f"after {words.san_line(visit)}" if visit.line else "at the root"
        return f"The first difference comes at visit {visit.number:,}, {place}, in iteration {visit.iteration}."

    @property
    def changes_move(self) -> bool:
        """Whether the two choose different moves."""
        return self.summaries[0].best_move != self.summaries[1].best_move

    @property
    def options(self) -> dict[str, tuple[Any, Any]]:
        """The options that differ."""
        one, other = self.summaries[0].options, self.summaries[1].options
        return {name: (one.get(name), other.get(name)) for name in sorted(one.keys() | other.keys())
                if one.get(name) != other.get(name)}

    def __str__(self) -> str:
        one, other = self.summaries
        if self.is_same:
            return f"The two searches are the same: {one.nodes:,} nodes, {one.best_san} with {words.value(one.score)}."
        told = [self.where]
        for name, event, follow in zip(("The first search", "The second"), self.decisions, self.next, strict=True):
            if event is not None:
                told.append(f"{name}: {event}".rstrip("?") + ("?" if str(event).endswith("?") else "."))
            elif follow is not None:
                move = (words.in_san(self.parting[0], follow.move) if self.parting and follow.move
                        else f"a search of {follow.depth} plies at the root" if follow.kind == "window"
                        else "the same position again")
                told.append(f"{name} goes on with {move}.")
        share = (other.nodes - one.nodes) / max(1, one.nodes)
        cost = "about as many nodes" if abs(share) < 0.005 else (
            f"{abs(share):.0%} {'more' if share > 0 else 'fewer'} nodes ({other.nodes:,} instead of {one.nodes:,})")
        told.append(f"The second search takes {cost} and " + (
            f"chooses {other.best_san} ({words.value(other.score)}) instead of {one.best_san} "
            f"({words.value(one.score)})." if self.changes_move
            else f"chooses {one.best_san} too, with {words.value(other.score)} instead of {words.value(one.score)}."))
        return " ".join(told)

    def to_json(self) -> dict[str, Any]:
        """All of it as plain data."""
        return {
            "parting": None if self.parting is None else self.parting[0].to_json(),
            "decisions": [event and event.to_json() for event in self.decisions],
            "next": [visit and visit.to_json() for visit in self.next],
            "nodes": list(self.nodes), "best_moves": [summary.best_move for summary in self.summaries],
            "scores": [summary.score for summary in self.summaries], "options": self.options, "text": str(self),
        }


def compare(one: Tree, other: Tree) -> Difference:
    """Where two searches first differ. Parts that were not kept are searched again, as far as they can be."""
    if one.position.fen() != other.position.fen():
        raise ValueError("the two trees are of different positions: only searches of one position can be compared")
    summaries = one.summary, other.summary
    pair = first_apart(one.windows, other.windows)
    if pair is None and summaries[0].nodes != summaries[1].nodes:
        pair = one.windows[-1], other.windows[-1]
    if pair is None:
        return Difference(None, (None, None), (None, None), summaries)
    a, b = pair
    if a is None or b is None or asked(a) != asked(b):
        return Difference(None, (None, None), (a, b), summaries)
    while True:
        if one.can_replay and other.can_replay and (a.is_collapsed or b.is_collapsed):
            a, b = a.open(), b.open()
        pair = first_apart(a.children, b.children)
        if pair is None and a.children and came(a) == came(b):
            pair = a.children[-1], b.children[-1]           # it only took another number of nodes, and not before these
        if pair is None:
            return Difference((a, b), decisions(a, b), (None, None), summaries)
        child, twin = pair
        if child is None or twin is None or asked(child) != asked(twin):
            return Difference((a, b), decisions(a, b), pair, summaries)
        a, b = child, twin


def first_apart(ones: tuple[Visit, ...], others: tuple[Visit, ...]) -> tuple[Visit | None, Visit | None] | None:
    """The first pair of which anything differs; None when all are alike.

    Nodes are counted through the whole search: if only their number differs where a pair begins, then the pair before
    it ended alike, but got there in different ways.
    """
    before: tuple[Visit, Visit] | None = None
    for one, other in zip(ones, others, strict=False):
        if asked(one) != asked(other) or came(one) != came(other):
            return before if before and costs_differ_before(one, other) else (one, other)
        before = one, other
    if len(ones) == len(others):
        return None
    place = min(len(ones), len(others))
    return (ones[place] if place < len(ones) else None), (others[place] if place < len(others) else None)


def costs_differ_before(one: Visit, other: Visit) -> bool:
    """Whether two visits began with the same but for the nodes that had been searched until then."""
    differing = [name for name, left, right in zip(ASKED, asked(one), asked(other), strict=True) if left != right]
    return differing == ["nodes"]


def asked(visit: Visit) -> tuple[Any, ...]:
    """What a visit began with."""
    return tuple(visit._cell[FIELD[name]] for name in ASKED)


def came(visit: Visit) -> tuple[Any, ...]:
    """What it knew and what came of it."""
    return tuple(visit._cell[FIELD[name]] for name in CAME)


def decisions(one: Visit, other: Visit) -> tuple[Event | None, Event | None]:
    """The first decision of each that the other did not make."""
    ones, others = one.events, other.events
    place = 0
    while place < min(len(ones), len(others)) and facts(ones[place]) == facts(others[place]):
        place += 1
    return (ones[place] if place < len(ones) else None), (others[place] if place < len(others) else None)


def facts(event: Event) -> tuple[Any, ...]:
    """What makes two decisions the same."""
    return event.technique, event.outcome, event.move, event.left, event.right
