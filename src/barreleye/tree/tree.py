"""Tree: a recorded search, to walk through, to look into more closely, and to take elsewhere."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from barreleye.core.notation import move_name
from barreleye.core.position import Position
from barreleye.core.recorder import Recording
from barreleye.core.techniques import TECHNIQUES, index_of
from barreleye.tree.visit import FIELD, Event, Visit
from barreleye.tree.words import PASS

if TYPE_CHECKING:
    import chess
    import numpy

    from barreleye.tree.compare import Difference

SAME = ("number", "parent", "size", "key", "alpha", "beta", "value", "depth", "ending")


@dataclass(frozen=True)
class Summary:
    """What the recorded search came to, and what it takes to search the same again."""

    fen: str
    best_move: str | None
    score: int                         # centipawns or mate, as the search counts, for the side to move
    depth: int
    pv: tuple[str, ...]
    nodes: int
    stats: dict[str, Any]
    options: dict[str, Any]
    limits: dict[str, Any]
    root_moves: tuple[str, ...] | None
    multipv: int

    @property
    def best_san(self) -> str:
        """The best move as people write it."""
        import chess

        if self.best_move is None:
            return "no move"
        board = chess.Board(self.fen, chess960=True)
        return board.san(board.parse_uci(self.best_move))


class Tree:
    """A recorded search. Visits come in the order in which they began; a visit has the visits within it as children.

    What did not fit into the budget was counted, not kept: the sizes are exact everywhere, and `open()` searches again
    to show the rest. With several threads there is a recording of each, and nothing can be searched again: threads
    that share a table never meet twice in the same way.
    """

    def __init__(self, recordings: Sequence[Recording], position: Position, summary: Summary,
                 replay: Callable[[Tree, dict[str, Any]], Tree] | None = None) -> None:
        self.recordings = tuple(recordings)
        self.position = position
        self.summary = summary
        self._replay = replay
        self._cells = [recording.visits() for recording in self.recordings]
        self._events = [recording.events() for recording in self.recordings]

    @property
    def threads(self) -> int:
        """How many threads searched, each with a recording."""
        return len(self.recordings)

    @property
    def chess960(self) -> bool:
        """Whether castling is written king takes rook."""
        return self.position.chess960

    @property
    def total(self) -> int:
        """Visits of the search, kept or not, of all threads."""
        return sum(recording.total for recording in self.recordings)

    @property
    def collapse(self) -> int:
        """Visits with up to so many visits within were given up for want of room; 0 when all are here."""
        return max(recording.collapse for recording in self.recordings)

    @property
    def can_replay(self) -> bool:
        """Whether parts of it can be searched again, and looked at in full."""
        return self._replay is not None

    def __len__(self) -> int:
        return sum(recording.visit_count for recording in self.recordings)

    def cells(self, thread: int = 0) -> memoryview:
        """The kept visits of a thread as bytes."""
        return self._cells[thread]

    def event_cells(self, thread: int = 0) -> memoryview:
        """The kept events of a thread as bytes."""
        return self._events[thread]

    def __iter__(self) -> Iterator[Visit]:
        """All kept visits, in the order in which they began."""
        for thread, recording in enumerate(self.recordings):
            for index in range(recording.visit_count):
                yield Visit(self, thread, index)

    @property
    def windows(self) -> tuple[Visit, ...]:
        """The visits of the root, of the first thread: one for each window of each iteration."""
        found, index = [], 0
        while index < self.recordings[0].visit_count:
            visit = Visit(self, 0, index)
            found.append(visit)
            index += visit.span
        return tuple(found)

    @property
    def root(self) -> Visit:
        """The last visit of the root that found the value of its best move; without one, the last that was finished."""
        windows = self.windows
        if not windows:
            raise ValueError("nothing was kept: ask for other visits" if self.total
                             else "nothing was searched: the position has no legal move")
        done = [window for window in windows if window.ending != "stopped"]
        exact = [window for window in done if window.ending == "exact"]
        return (exact or done or windows)[-1]

    def visit(self, number: int, thread: int = 0) -> Visit:
        """The visit with this number; IndexError when it is not kept."""
        if not 0 <= number < self.recordings[thread].total:
            raise IndexError(f"there is no visit {number}: {self.recordings[thread].total:,} were made, from 0 on")
        found = Visit(self, thread, self.recordings[thread].find(number))
        if found.number != number:
            raise IndexError(f"visit {number} was counted, not kept: open visit {found.number}, which it lies within")
        return found

    def find(self, *moves: chess.Move | str) -> tuple[Visit, ...]:
        """The visits after these moves from the root, in their order, of the first thread.

        Moves are SAN or UCI, a pass 0000, or of python-chess; ValueError names one that cannot be played.
        """
        found, position = list(self.windows), self.position.copy()
        for named in moves:
            move = self._text(position, named if isinstance(named, str) else named.uci())
            if move == PASS:
                position.push_null()
            else:
                position.push(move)
            found = [child for visit in found for child in self._reached(visit) if child.move == move]
        return tuple(found)

    def _text(self, position: Position, move: str) -> str:
        """A move as visits have it."""
        if move == PASS:
            return move
        if not position.is_legal(move):
            import chess

            from barreleye.typed_moves import parse_move

            board = chess.Board(position.fen(shredder=self.chess960), chess960=self.chess960)
            move = parse_move(board, move).uci()
        return move_name(position.move_number(move), self.chess960)

    def _reached(self, visit: Visit) -> Iterator[Visit]:
        """The visits a move further: those of the same position again are looked through."""
        for child in visit.children:
            if child.move is None:
                yield from self._reached(child)
            else:
                yield child

    def events(self, technique: str | None = None) -> Iterator[Event]:
        """All kept decisions in their order, or those of one technique; ValueError when there is no such technique."""
        wanted = None if technique is None else index_of(technique)
        return self._events_of(wanted)

    def _events_of(self, wanted: int | None) -> Iterator[Event]:
        for thread, recording in enumerate(self.recordings):
            for index in range(recording.event_count):
                event = Event(self, thread, index)
                if wanted is None or event.technique == TECHNIQUES[wanted].name:
                    yield event

    def board(self) -> chess.Board:
        """The root as a board of python-chess."""
        import chess

        return chess.Board(self.position.fen(shredder=self.chess960), chess960=self.chess960)

    # Looking closer

    def open(self, visit: Visit) -> Visit:
        """A visit with all that lies within it and every decision, recorded by searching once more."""
        if self._replay is None:
            raise ValueError("this search cannot be repeated: " + (
                "several threads never search the same way twice" if self.threads > 1
                else "a clock or a stop ended it; record one with a limit of nodes or depth"))
        wanted = {"first": visit.number, "last": visit.number + visit.size,
                  "path": tuple(above.number for above in visit.path[:-1])}
        again = self._replay(self, {**wanted, "nodes": visit.nodes + visit.size + 1000})
        try:
            found = again.visit(visit.number)
        except IndexError:
            found = None
        if found is None or any(found._cell[FIELD[name]] != visit._cell[FIELD[name]] for name in SAME):
            raise RuntimeError(f"the search went another way: visit {visit.number} is not what it was")
        return found

    def compare(self, other: Tree) -> Difference:
        """Where this search and another of the same position first differ, and what came of it."""
        from barreleye.tree.compare import compare

        return compare(self, other)

    # Taking it elsewhere

    def to_numpy(self, thread: int = 0) -> tuple[numpy.ndarray, numpy.ndarray]:
        """Visits and events as structured arrays over the same memory; needs numpy."""
        from barreleye.tree.export import arrays

        return arrays(self, thread)

    def to_sqlite(self, path: str | os.PathLike[str]) -> None:
        """Write tables `visits`, `events` and `search`."""
        from barreleye.tree.export import write_sqlite

        write_sqlite(self, path)

    def to_parquet(self, path: str | os.PathLike[str]) -> None:
        """Write visits and events as two files, PATH.visits.parquet and PATH.events.parquet; needs pyarrow."""
        from barreleye.tree.export import write_parquet

        write_parquet(self, path)

    def to_speedscope(self, path: str | os.PathLike[str]) -> None:
        """Write it for https://www.speedscope.app: a visit is a call, its visits are the time it took."""
        from barreleye.tree.export import write_speedscope

        write_speedscope(self, path)

    def to_stacks(self, path: str | os.PathLike[str]) -> None:
        """Write one line of moves with its count for each visit, as tools for flame graphs read them."""
        from barreleye.tree.export import write_stacks

        write_stacks(self, path)

    def __reduce__(self) -> tuple[Any, ...]:
        from barreleye.tree.sending import remade, told

        fen, moves = told(self.position)
        return remade, (self.recordings, fen, self.chess960, moves, self.summary, self._replay)

    def __repr__(self) -> str:
        summary = self.summary
        return f"<Tree of {self.total:,} visits, {len(self):,} kept: {summary.best_move} at depth {summary.depth}>"

    def _repr_mimebundle_(self, **_: Any) -> dict[str, Any]:
        """What notebooks show."""
        from barreleye.pictures.tree import of_tree

        return of_tree(self)
