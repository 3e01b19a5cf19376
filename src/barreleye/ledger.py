"""The root ledger as Python objects: what each iteration of a search thought of each root move, and what it cost."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from barreleye.core.notation import move_name


@dataclass(frozen=True, slots=True)
class RootVisit:
    """One root move in one window. Scores are the search's own numbers, for the side to move.

    A move that did not beat alpha has only an upper bound: it was looked at no further than it took to see that.
    """

    iteration: int
    depth: int                        # asked of the root; less than the iteration after scores that came out too high
    line: int                         # MultiPV: the line that was looked for, 1 for the best
    window: int                       # of this iteration and line: 1, and more when the score fell outside
    order: int                        # the move's turn, 1 was searched first
    move: str                         # UCI
    reply: str | None                 # the best answer found, which refutes the move if it failed; None when unknown
    reply_depth: int                  # how deep the table knows the position after the move, 0 when it does not
    alpha: int                        # the window when its turn came
    beta: int
    value: int
    nodes: int

    @property
    def bound(self) -> str:
        """What the value is: exact, lower (it may be more) or upper (it may be less)."""
        return "lower" if self.value >= self.beta else "upper" if self.value <= self.alpha else "exact"


FIELDS = RootVisit.__slots__


@dataclass(frozen=True, slots=True)
class Ledger:
    """Every visit of the root moves in one search, in the order in which they were made."""

    fen: str
    depth: int                        # the last iteration that was completed
    best_move: str | None
    nodes: int                        # of the whole search thread
    complete: bool                    # False: it grew too large, and later windows are missing
    visits: tuple[RootVisit, ...]

    @classmethod
    def of(cls, raw: Mapping[str, Any]) -> Ledger:
        """What Pool.ledger() tells."""
        chess960 = raw["chess960"]

        def name(move: int) -> str | None:
            return move_name(move, chess960) if move else None

        names = {move: name(move) for cell in raw["cells"] for move in cell[5:7]}
        visits = tuple(RootVisit(iteration, depth, line + 1, window + 1, order, names[move] or "", names[reply],
                                 reply_depth, alpha, beta, value, nodes)
                       for (iteration, depth, line, window, order, move, reply, reply_depth, alpha, beta, value,
                            nodes) in raw["cells"])
        return cls(raw["fen"], raw["depth"], name(raw["best"]), raw["nodes"], raw["complete"], visits)

    @property
    def iterations(self) -> tuple[int, ...]:
        """Those with at least one visit, the unfinished last one included."""
        return tuple(sorted({visit.iteration for visit in self.visits}))

    @property
    def moves(self) -> tuple[str, ...]:
        """Every root move that was searched, the best first, the others by the nodes spent on them."""
        effort = self.effort()
        return tuple(sorted(effort, key=lambda move: (move != self.best_move, -effort[move])))

    def of_move(self, move: str) -> tuple[RootVisit, ...]:
        """All visits of one move."""
        return tuple(visit for visit in self.visits if visit.move == move)

    def last(self, move: str, iteration: int | None = None) -> RootVisit | None:
        """The last visit of a move, in one iteration or in all of them."""
        return next((visit for visit in reversed(self.visits)
                     if visit.move == move and iteration in (None, visit.iteration)), None)

    def effort(self) -> dict[str, int]:
        """Nodes spent on each root move."""
        spent: dict[str, int] = {}
        for visit in self.visits:
            spent[visit.move] = spent.get(visit.move, 0) + visit.nodes
        return spent

    def leader(self, iteration: int) -> RootVisit | None:
        """The move that an iteration thought best when it ended: the last one that beat all before it."""
        lines: dict[int, list[RootVisit]] = {}
        for visit in self.visits:
            if visit.iteration == iteration:
                known = lines.setdefault(visit.line, [])
                if known and known[0].window != visit.window:
                    known.clear()
                known.append(visit)
        found = [next((visit for visit in reversed(known) if visit.value > visit.alpha), known[0])
                 for known in lines.values()]
        return max(found, key=lambda visit: (visit.value, -visit.line), default=None)

    def leaders(self) -> tuple[RootVisit, ...]:
        """The leader of each completed iteration."""
        return tuple(leader for iteration in range(1, self.depth + 1)
                     if (leader := self.leader(iteration)) is not None)

    def matrix(self) -> dict[str, dict[int, RootVisit]]:
        """For each root move and iteration the last visit, best move first: a heat map's worth of numbers."""
        rows: dict[str, dict[int, RootVisit]] = {move: {} for move in self.moves}
        for visit in self.visits:
            rows[visit.move][visit.iteration] = visit
        return rows

    def to_json(self) -> dict[str, Any]:
        """All of it as plain data, visits as rows under the names of their columns."""
        return {"fen": self.fen, "depth": self.depth, "best_move": self.best_move, "nodes": self.nodes,
                "complete": self.complete, "columns": [*FIELDS, "bound"],
                "visits": [[*(getattr(visit, name) for name in FIELDS), visit.bound] for visit in self.visits]}

    def __repr__(self) -> str:
        return (f"<Ledger of {self.fen}: {len(self.visits)} visits of {len(self.moves)} root moves "
                f"in {len(self.iterations)} iterations>")
