"""Which techniques hide a move: the fewest switches with which the same search finds it, by delta debugging."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from barreleye.core.techniques import TECHNIQUES

if TYPE_CHECKING:
    from barreleye.explain.inquiry import Finding, Inquiry

# Kinds of techniques that are switched off together, when none alone is to blame. Where each works is its item.
PRUNING = ("Razoring", "Futility", "Null Move", "ProbCut", "Small ProbCut", "Late Move Pruning", "Capture Futility",
           "Capture SEE", "History Pruning", "Quiet Futility", "Quiet SEE", "Multi Cut")
REDUCING = ("Hindsight", "Internal Reduction", "Late Move Reduction", "Full Depth Reduction", "Negative Extension",
            "Alpha Reduction")
QUIESCENCE = ("Quiescence Move Count", "Quiescence Futility", "Quiescence SEE", "Quiescence History")
SELECTIVE = frozenset((*PRUNING, *REDUCING, *QUIESCENCE))
PAIRED = 6                      # techniques that are tried in pairs: those without which the move came closest
WITHOUT_EFFECT = frozenset({"Prefetch"})        # on what is found


@dataclass(frozen=True, slots=True)
class Culprits:
    """A set of switches, as small as can be, with which the search finds the move; empty when none was found."""

    move: str
    nodes: int                              # of each search
    switches: tuple[str, ...]
    searches: int                           # how many were tried
    finding: Finding | None                 # the search that found it
    alone: tuple[str, ...]                  # every technique that hides it on its own


def culprits(inquiry: Inquiry, move: str, nodes: int) -> Culprits:
    """Look for the switches that hide a move from a search of so many nodes. All of this repeats exactly."""
    switches = [technique.name for technique in TECHNIQUES if technique.name not in WITHOUT_EFFECT
                and inquiry.engine.values[technique.option]]
    tried: dict[frozenset[str], Finding] = {}

    def finds(without: frozenset[str]) -> bool:
        if without not in tried:
            tried[without] = inquiry.search(without=without, nodes=nodes)
        return tried[without].best_move == move

    def result(found: Sequence[str]) -> Culprits:
        return Culprits(move, nodes, tuple(found), len(tried), tried.get(frozenset(found)) if found else None, alone)

    alone = tuple(name for name in switches if finds(frozenset({name})))
    if alone:
        # Of those that hide it alone, one that cuts or shortens says most, then the one without which it stands out.
        return result([max(alone, key=lambda name: (name in SELECTIVE, tried[frozenset({name})].score))])
    closest = sorted(switches, key=lambda name: -nearness(tried[frozenset({name})], move))[:PAIRED]
    kinds = (PRUNING, REDUCING, QUIESCENCE, PRUNING + REDUCING, SELECTIVE)
    sets = [frozenset(names) & frozenset(switches) for names in kinds]
    pairs = [frozenset({first, second}) for index, first in enumerate(closest) for second in closest[index + 1:]]
    for group in (*pairs, *sets, frozenset(switches)):
        if group and finds(group):
            return result(minimal(sorted(group), finds))
    return result(())


def nearness(found: Finding, move: str) -> int:
    """How near a move came to being chosen: how far the last look at it was behind the best, as a negative number."""
    visit = found.ledger.last(move)
    return -(1 << 20) if visit is None else visit.value - max(visit.alpha, found.score)


def minimal(names: list[str], holds: Callable[[frozenset[str]], bool]) -> list[str]:
    """A part of a set that still holds, and from which nothing can be left out. Zeller's delta debugging.

    >>> minimal(list("abcdefgh"), lambda part: part >= {"b", "g"})
    ['b', 'g']
    """
    pieces = 2
    while len(names) > 1:
        size = max(1, len(names) // pieces)
        parts = [names[start:start + size] for start in range(0, len(names), size)]
        rests = [[name for name in names if name not in part] for part in parts]
        smaller = next((part for part in [*parts, *rests] if part and len(part) < len(names)
                        and holds(frozenset(part))), None)
        if smaller is not None:
            names = smaller
            pieces = 2
        elif size == 1:
            break
        else:
            pieces = min(len(names), 2 * pieces)
    return names
