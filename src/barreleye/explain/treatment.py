"""How a search dealt with a root move: how often it looked, how deeply, and what ended each look."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from barreleye.core.techniques import TECHNIQUES

if TYPE_CHECKING:
    from barreleye.explain.inquiry import Finding, Inquiry
    from barreleye.tree import Visit

NAMES = frozenset(technique.name for technique in TECHNIQUES)


@dataclass(frozen=True, slots=True)
class Look:
    """One look at a root move. Values are for the side to move at the root."""

    iteration: int
    kind: str                       # first, reduced, again, scout, open: as the recorder names visits
    depth: int                      # plies that were searched after the move
    full: int                       # plies that the first move was given
    alpha: int                      # what the move had to beat,
    value: int                      # and what it came to
    ending: str                     # a technique that cut the look short, or how it ended otherwise

    @property
    def short(self) -> int:
        """By how many plies it was less deep than the look at the first move."""
        return max(0, self.full - self.depth)

    @property
    def cut_by(self) -> str | None:
        """The technique that ended it before the replies were searched."""
        return self.ending if self.ending in NAMES else None


@dataclass(frozen=True, slots=True)
class Treatment:
    """All looks at a root move."""

    looks: tuple[Look, ...]         # in their order
    nodes: int
    share: float                    # of all nodes
    reduced: int                    # looks that were less deep than that at the first move
    cut_by: dict[str, int]          # how often each technique ended a look at once

    @property
    def last(self) -> Look:
        """The last one, by which the move was judged."""
        return self.looks[-1]


def treatment(inquiry: Inquiry, found: Finding, move: str) -> Treatment | None:
    """How the search that found this dealt with a move, by recording it once more; None if it never looked."""
    tree = inquiry.record(found, plies=1)
    looks = tuple(look_of(visit) for visit in tree.find(move) if visit.ending != "stopped")
    if not looks:
        return None
    nodes = found.ledger.effort().get(move, 0)
    cuts = Counter(look.cut_by for look in looks if look.cut_by is not None)
    return Treatment(looks, nodes, nodes / max(1, found.nodes), sum(look.short > 0 for look in looks),
                     dict(cuts.most_common()))


def look_of(visit: Visit) -> Look:
    """A recorded visit after a root move; its values are those of the opponent, its parent is the root."""
    root = visit.parent
    assert root is not None
    return Look(visit.iteration, visit.kind, max(0, visit.depth), root.depth - 1, -visit.beta, -visit.value,
                visit.ending)
