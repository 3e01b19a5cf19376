"""One visit of a node and one decision in it, read from a recording when somebody looks."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Any

from barreleye.core.facts import NO_VALUE
from barreleye.core.notation import move_name
from barreleye.core.recorder import (
    ALWAYS,
    ENDINGS,
    EVENT_FORMAT,
    FIRST_ENDING,
    FLAGS,
    KINDS,
    OUTCOMES,
    RELATIONS,
    VISIT_FIELDS,
    VISIT_FORMAT,
)
from barreleye.core.techniques import TECHNIQUES
from barreleye.tree import words

if TYPE_CHECKING:
    import chess

    from barreleye.core.position import Position
    from barreleye.tree.tree import Tree

VISIT = struct.Struct(VISIT_FORMAT)
EVENT = struct.Struct(EVENT_FORMAT)
BOUNDS = (None, "at most", "at least", "exact")
BOUND_SHIFT = 8
NO_VISIT = ALWAYS                 # the parent of a visit of the root
VALUES = frozenset({"evaluation", "static_eval", "estimate", "tt_value"})       # of which there may be none
MOVES = frozenset({"move", "best_move", "tt_move", "excluded"})
PROVEN = frozenset({"draw", "mate", "stalemate"})               # whatever the window is
WHOLE = 7                         # bits of an event's outcome


class Visit:
    """One visit of a node: what was asked, what was known, what came of it.

    Values are centipawns for the side to move; moves are UCI text, a pass 0000, None for no move. Two visits are equal
    when they are the same visit of the same recording.
    """

    __slots__ = ("_cell", "index", "thread", "tree")

    def __init__(self, tree: Tree, thread: int, index: int) -> None:
        self.tree = tree
        self.thread = thread
        self.index = index                 # among the kept ones
        self._cell = VISIT.unpack_from(tree.cells(thread), index * VISIT.size)

    if TYPE_CHECKING:                      # what __getattr__ finds in the cell
        number: int                        # in the order of their beginning
        size: int                          # visits within, itself among them
        key: int
        nodes: int                         # of the search when it began
        span: int                          # visits within that are kept
        alpha: int
        beta: int
        value: int
        evaluation: int | None             # static, before its correction
        static_eval: int | None            # and after
        estimate: int | None               # with what the table knew
        tt_value: int | None
        tt_depth: int
        depth: int                         # asked for
        depth_left: int                    # as the node changed it
        ply: int
        move: str | None                   # that led here
        best_move: str | None
        tt_move: str | None
        excluded: str | None
        move_number: int                   # of the move among those tried
        line_number: int                   # of several lines of the root
        iteration: int

    def __getattr__(self, name: str) -> Any:
        try:
            value = self._cell[FIELD[name]]
        except KeyError:
            raise AttributeError(f"a visit has no {name!r}") from None
        if name in MOVES:
            return move_name(value, self.tree.chess960) if value else None
        return None if name in VALUES and value == NO_VALUE else value

    def __reduce__(self) -> tuple[Any, ...]:
        return Visit, (self.tree, self.thread, self.index)          # a copy must not ask __getattr__ for its cell

    @property
    def kind(self) -> str:
        """Why the node was visited: window, first, reduced, again, scout, open, pass, verify, singular, and so on."""
        kind: int = self._cell[FIELD["kind"]]
        return KINDS[kind]

    @property
    def ending(self) -> str:
        """How it ended: the name of the technique that ended it, or fail low, exact, fail high, draw, mate, ..."""
        number: int = self._cell[FIELD["ending"]]
        return ENDINGS[number - FIRST_ENDING] if number >= FIRST_ENDING else TECHNIQUES[number].name

    @property
    def bound(self) -> str:
        """What the value is: exact where it lies within the window, else at most or at least what the node is worth."""
        if self.ending in PROVEN or self.alpha < self.value < self.beta:
            return "exact"
        return "at most" if self.value <= self.alpha else "at least"

    @property
    def flags(self) -> frozenset[str]:
        """Those that hold: cut_node, in_check, improving, worsening, table_hit, former_pv, quiescence, collapsed."""
        bits = self._cell[FIELD["flags"]]
        return frozenset(name for number, name in enumerate(FLAGS) if bits >> number & 1)

    @property
    def tt_bound(self) -> str | None:
        """What the table's value was: at most, at least or exact."""
        return BOUNDS[self._cell[FIELD["flags"]] >> BOUND_SHIFT & 3]

    @property
    def is_pv(self) -> bool:
        """Whether it was searched with an open window."""
        return self.kind in ("window", "first", "open", "open leaf")

    @property
    def is_collapsed(self) -> bool:
        """Whether what lies within was counted, not kept; `open()` has it recorded."""
        return "collapsed" in self.flags

    @property
    def parent(self) -> Visit | None:
        """The visit it belongs to; None at the root."""
        number = self._cell[FIELD["parent"]]
        return None if number == NO_VISIT else self.tree.visit(number, self.thread)

    @property
    def children(self) -> tuple[Visit, ...]:
        """The visits that belong to it, in their order."""
        found, index, end = [], self.index + 1, self.index + self.span
        while index < end:
            child = Visit(self.tree, self.thread, index)
            found.append(child)
            index += child.span
        return tuple(found)

    @property
    def path(self) -> tuple[Visit, ...]:
        """The visits that lead here, from the root's on, itself the last."""
        found = [self]
        while (parent := found[-1].parent) is not None:
            found.append(parent)
        return tuple(reversed(found))

    @property
    def line(self) -> tuple[str, ...]:
        """The moves that lead here from the root, a pass as 0000."""
        return tuple(visit.move for visit in self.path if visit.move is not None)

    @property
    def events(self) -> tuple[Event, ...]:
        """What was decided in it, in the order in which it was."""
        recording = self.tree.recordings[self.thread]
        return tuple(Event(self.tree, self.thread, index) for index in recording.own_events(self.index))

    def events_within(self) -> tuple[Event, ...]:
        """What was decided in it and in all visits within."""
        first, last = self.tree.recordings[self.thread].events_within(self.index)
        return tuple(Event(self.tree, self.thread, index) for index in range(first, last))

    def position(self) -> Position:
        """The position as the search had it, with the history that repetitions need."""
        position = self.tree.position.copy()
        for move in self.line:
            if move == words.PASS:
                position.push_null()
            else:
                position.push(move)
        return position

    def board(self) -> chess.Board:
        """The position as a board of python-chess, with the moves that lead to it."""
        board = self.tree.board()
        for move in self.line:
            board.push_uci(move)
        return board

    def open(self) -> Visit:
        """The same visit with all that lies within it and every decision, recorded by searching once more."""
        return self.tree.open(self)

    @property
    def reason(self) -> str:
        """Why it ended as it did, in a sentence."""
        return words.reason(self)

    def __str__(self) -> str:
        return words.describe(self)

    def __repr__(self) -> str:
        return f"<Visit {self.number}: {' '.join(self.line) or 'root'}, {self.kind}, depth {self.depth}, {self.ending}>"

    def __eq__(self, other: object) -> bool:
        return (isinstance(other, Visit) and self.tree is other.tree and self.thread == other.thread
                and self.index == other.index)

    def __hash__(self) -> int:
        return hash((id(self.tree), self.thread, self.index))

    def to_json(self) -> dict[str, Any]:
        """All of it as plain data."""
        names = [name for name in FIELD if name not in ("kind", "ending", "flags", "reserved", "events", "parent")]
        return {**{name: getattr(self, name) for name in names}, "bound": self.bound, "kind": self.kind,
                "ending": self.ending, "flags": sorted(self.flags), "tt_bound": self.tt_bound,
                "moves": list(self.line), "reason": self.reason, "events": [event.to_json() for event in self.events]}


class Event:
    """One decision of a visit: a technique, the move in hand, and the two numbers that were compared."""

    __slots__ = (
        "after",
        "index",
        "left",
        "move",
        "number",
        "outcome",
        "relation",
        "right",
        "technique",
        "thread",
        "tree",
    )

    def __init__(self, tree: Tree, thread: int, index: int) -> None:
        self.tree = tree
        self.thread = thread
        self.index = index
        self.number, self.left, self.right, self.after, move, technique, what = EVENT.unpack_from(
            tree.event_cells(thread), index * EVENT.size)
        self.move = move_name(move, tree.chess960) if move else None
        self.technique = TECHNIQUES[technique].name
        self.outcome = OUTCOMES[what & WHOLE]         # worked, begun, confirmed or repeated
        self.relation = RELATIONS[what // (WHOLE + 1)]        # what holds between left and right when it worked

    @property
    def visit(self) -> Visit:
        """Whose decision it is."""
        return self.tree.visit(self.number, self.thread)

    @property
    def has_worked(self) -> bool:
        """Whether the technique had success."""
        return self.outcome in ("worked", "confirmed")

    @property
    def holds(self) -> bool | None:
        """Whether the relation holds between the two numbers; None where there is none or an exchange decides."""
        compare = {">=": int.__ge__, ">": int.__gt__, "<=": int.__le__, "<": int.__lt__}.get(self.relation)
        return None if compare is None else compare(self.left, self.right)

    def __str__(self) -> str:
        return words.event(self)

    def __repr__(self) -> str:
        return (f"<Event {self.technique} {self.outcome}{f', {self.move}' if self.move else ''}: "
                f"{self.left} {self.relation or '->'} {self.right}>")

    def to_json(self) -> dict[str, Any]:
        """All of it as plain data."""
        return {"technique": self.technique, "outcome": self.outcome, "move": self.move, "left": self.left,
                "relation": self.relation, "right": self.right, "after": self.after, "text": str(self)}


FIELD = {"line_number" if name == "line" else name: number for number, name in enumerate(VISIT_FIELDS)}
