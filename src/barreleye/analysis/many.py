"""Many positions at once: native threads in this process, results in order and the same however many threads there are.

The scheme is fishnet's. A game is cut into chunks of a few positions, each chunk is searched backwards from a clean
table after one position of the chunk behind it, on one thread. So a chunk's results depend on nothing but the chunk,
whoever searches it and whenever.
"""

from __future__ import annotations

import os
import queue
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias, cast

from barreleye.analysis import record
from barreleye.analysis.record import Line, Record
from barreleye.analysis.resume import Journal
from barreleye.background import ENDING_LIMITS, Limits, check_limits
from barreleye.convert import limits_of, line_of, move_text, played
from barreleye.core.notation import START_FEN
from barreleye.core.position import Position
from barreleye.searcher import Searcher

if TYPE_CHECKING:
    import chess.engine
    import chess.pgn

    from barreleye.convert import Place

    Item: TypeAlias = Place | "Game" | chess.pgn.Game
    Progress: TypeAlias = Callable[[int, int | None], None]

GAME_CHUNK = 6        # positions searched in a row, the one that overlaps included
LOOSE_CHUNK = 128     # the same where positions have nothing to do with each other
AHEAD = 4             # chunks in work for each thread, so that none waits for the reader


@dataclass(frozen=True, slots=True)
class Game:
    """Every position of a game, from a first one on; moves in UCI text."""

    moves: Sequence[str]
    fen: str = START_FEN
    chess960: bool = False


@dataclass(frozen=True, slots=True)
class Chunk:
    """Positions that are searched in a row: a run of one game, or loose ones."""

    first: int                       # index of the first record
    number: int                      # item of the input that it comes from, or begins with
    start: int                       # ply of its first position
    size: int
    places: tuple[Game | Position, ...]        # a loose position is the last one of its moves
    is_loose: bool = False
    overlap: bool = False


def analyse_many(items: Iterable[Item], limit: chess.engine.Limit | Mapping[str, int], workers: int | None = None, *,
                 multipv: int = 1, options: Mapping[str, object] | None = None, chunk: int | None = None,
                 resume: str | os.PathLike[str] | None = None, progress: Progress | None = None) -> Batch:
    """Analyse positions (as Engine takes them) and games (chess.pgn.Game or Game: every position of each), in order.

    limit is a chess.engine.Limit or a mapping such as {"nodes": 10000}; limits in nodes or depth give the same result
    every time. workers is the number of threads, one for each processor by default. options are the engine's, Hash
    counts for each thread. chunk says how many positions are searched in a row before everything is forgotten; with 1
    a result depends on its position alone. resume names a file in which results are kept: after an interruption the
    same call goes on where it was. progress hears how many positions are done, and of how many if that is known.
    """
    if isinstance(items, str):
        raise TypeError("items is a str: give a list of positions, of one if there is one")
    limits = check_limits(dict(limit) if isinstance(limit, Mapping) else limits_of(limit))
    if not limits.keys() & ENDING_LIMITS or limits.keys() & {"wtime", "btime", "ponder", "infinite"}:
        raise ValueError(f"a position cannot be analysed under {limit}: give nodes, a depth, a mate or a time")
    if workers is None:
        workers = processors()
    if workers < 1 or (chunk is not None and chunk < 1) or multipv < 1:
        raise ValueError("workers, chunk and multipv are numbers from 1 on")
    return Batch(items, limits, workers, multipv, dict(options or {}), chunk, resume, progress)


class Batch:
    """The iterator that analyse_many returns. Closing it, or dropping it, ends the work."""

    def __init__(self, items: Iterable[Item], limits: Limits, workers: int, multipv: int, options: dict[str, object],
                 chunk: int | None, resume: str | os.PathLike[str] | None, progress: Progress | None) -> None:
        # A sequence is short enough to look through; of anything else only the next items are asked for.
        whole = list(items) if isinstance(items, Sequence) and not isinstance(items, str) else None
        self.total = None if whole is None else sum(count(item) for item in whole)
        settings = {"limit": limits, "multipv": multipv, "chunk": chunk,
                    "options": {name: str(value) for name, value in sorted(options.items())}}
        self._records = run(chunks_of(items if whole is None else whole, chunk), limits, workers, multipv, options,
                            None if resume is None else Journal(resume, settings))
        self._progress = progress
        self.done = 0

    def __iter__(self) -> Batch:
        return self

    def __next__(self) -> Record:
        found = next(self._records)
        self.done += 1
        if self._progress is not None:
            self._progress(self.done, self.total)
        return found

    def close(self) -> None:
        """End the work; what has been found stays in the file to resume from."""
        self._records.close()

    def __enter__(self) -> Batch:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def to_columns(self) -> dict[str, list[Any]]:
        """All that is left, as lists by column: pandas.DataFrame(batch.to_columns())."""
        return record.to_columns(self)

    def to_arrow(self) -> Any:
        """All that is left, as a pyarrow.Table; needs pyarrow."""
        return record.to_arrow(self)

    def to_parquet(self, path: str | os.PathLike[str]) -> None:
        """All that is left, into a Parquet file; needs pyarrow."""
        table = self.to_arrow()
        from pyarrow.parquet import write_table  # type: ignore[import-not-found,import-untyped,unused-ignore]

        write_table(table, os.fspath(path))


# Cutting the work


def as_game(item: Item) -> Game | None:
    """The game that an item is, None when it is a single position."""
    if isinstance(item, Game):
        return item
    if isinstance(item, (str, tuple, Position)) or not hasattr(item, "mainline_moves"):
        return None
    game = cast("chess.pgn.Game", item)
    board = game.board()
    return Game([move_text(move) for move in game.mainline_moves()], board.fen(shredder=board.chess960), board.chess960)


def as_it_is(item: Any) -> Game | Position:
    """A single position as it is now, whatever its owner does with the board later."""
    if isinstance(item, Position):
        return item.copy()
    fen, moves, chess960 = line_of(item)
    return Game(moves, fen, chess960)


def count(item: Item) -> int:
    """How many positions an item has."""
    game = as_game(item)
    return 1 if game is None else len(game.moves) + 1


def chunks_of(items: Iterable[Item], size: int | None) -> Iterator[Chunk]:
    """The chunks of the input, first to last. A game's are counted from its end, so that only the first is short."""
    index = 0
    loose: list[Game | Position] = []
    number = -1
    for number, item in enumerate(items):
        game = as_game(item)
        if game is None:
            loose.append(as_it_is(item))
        if loose and (game is not None or len(loose) == (size or LOOSE_CHUNK)):
            yield Chunk(index, number - len(loose) + (game is None), 0, len(loose), tuple(loose), is_loose=True)
            index += len(loose)
            loose = []
        if game is not None:
            positions, step = len(game.moves) + 1, max(1, (size or GAME_CHUNK) - 1)
            start = 0
            while start < positions:
                length = (positions - start - 1) % step + 1
                overlap = size != 1 and start + length < positions
                yield Chunk(index, number, start, length, (game,), overlap=overlap)
                index += length
                start += length
    if loose:
        yield Chunk(index, number - len(loose) + 1, 0, len(loose), tuple(loose), is_loose=True)


# Doing it


def run(chunks: Iterator[Chunk], limits: Limits, workers: int, multipv: int, options: dict[str, object],
        journal: Journal | None) -> Generator[Record, None, None]:
    """The records in order: from the journal as far as it goes, then from the threads."""
    idle: queue.SimpleQueue[Searcher] = queue.SimpleQueue()
    searchers: list[Searcher] = []
    over = threading.Event()
    waiting: deque[Future[list[Record]]] = deque()
    threads = ThreadPoolExecutor(workers, thread_name_prefix="barreleye analysis")

    def work(chunk: Chunk) -> list[Record]:
        searcher = idle.get()
        try:
            return [] if over.is_set() else analyse_chunk(searcher.pool, chunk, limits, multipv, over)
        finally:
            idle.put(searcher)

    try:
        for chunk in chunks:
            if journal is not None and (known := journal.next()) is not None:
                yield from checked(known, chunk)
                continue
            if not searchers:
                searchers = [Searcher(**{"Hash": 16, **options, "Threads": 1}) for _ in range(workers)]
                for searcher in searchers:
                    idle.put(searcher)
            waiting.append(threads.submit(work, chunk))
            if len(waiting) > AHEAD * workers or waiting[0].done():
                yield from finished(waiting.popleft(), journal)
        while waiting:
            yield from finished(waiting.popleft(), journal)
    finally:
        over.set()
        for future in waiting:
            future.cancel()
        for searcher in searchers:
            searcher.pool.stop()
        threads.shutdown(wait=True)
        if journal is not None:
            journal.close()


def finished(future: Future[list[Record]], journal: Journal | None) -> list[Record]:
    """A chunk's records, written down before they are given away."""
    records = future.result()
    if journal is not None:
        journal.write(records)
    return records


def checked(known: list[Record], chunk: Chunk) -> list[Record]:
    """A chunk's records from the journal; ValueError when they are of something else."""
    last = position_at(chunk.places[-1], None if chunk.is_loose else chunk.start + chunk.size - 1)
    if not known or (known[0].index, len(known), known[-1].fen) != (chunk.first, chunk.size, last.fen()):
        raise ValueError(f"the file to resume from has other positions than the input from number {chunk.first} on")
    return known


def position_at(place: Game | Position, ply: int | None = None) -> Position:
    """A game's position after so many moves or at its end, with the moves before it."""
    if isinstance(place, Position):
        return place
    return played(Position(place.fen, place.chess960), place.moves if ply is None else place.moves[:ply])


def analyse_chunk(pool: Any, chunk: Chunk, limits: Limits, multipv: int, over: threading.Event) -> list[Record]:
    """The records of a chunk, first position first, searched on this thread from a clean state. [] when it is over."""
    pool.new_game()
    pool.set_multipv(multipv)
    records: list[Record] = []
    if chunk.is_loose:
        for offset, place in enumerate(chunk.places):
            try:
                position = position_at(place)
            except ValueError as error:
                raise ValueError(f"position {chunk.first + offset}: {error}") from None
            records.append(analyse_one(pool, position, limits, multipv, chunk.first + offset, chunk.number + offset, 0))
            if over.is_set():
                return []
        return records
    # A game is searched backwards: what the later positions taught helps the earlier ones.
    last = chunk.start + chunk.size - 1
    position = position_at(chunk.places[0], last + chunk.overlap)
    if chunk.overlap:
        pool.search(position, limits)
        position.pop()
    for ply in range(last, chunk.start - 1, -1):
        records.append(analyse_one(pool, position, limits, multipv, chunk.first + ply - chunk.start, chunk.number, ply))
        if over.is_set():
            return []
        if ply:
            position.pop()
    return records[::-1]


def analyse_one(pool: Any, position: Position, limits: Limits, multipv: int, index: int, game: int, ply: int) -> Record:
    """One search, straight on the pool: everything around it would cost more than a short search does."""
    if multipv == 1:
        _, _, info = pool.search(position, limits)
        lines: tuple[Line, ...] = (Line.of(info, position),)
    else:
        heard: dict[int, Any] = {}
        _, _, info = pool.search(position, limits, None, lambda said: heard.__setitem__(said.multipv, said))
        heard.pop(0, None)           # reports on the move being searched
        lines = tuple([Line.of(heard[number], position) for number in sorted(heard)])
    return Record(index, game, ply, position.fen(), pool.nodes, info.sel_depth, lines)


def processors() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
