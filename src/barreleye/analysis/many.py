"""Many positions at once: native threads in this process, results in order and the same however many threads there are.

Everything that analyses games goes this way. The scheme is fishnet's: a chunk of a game is searched backwards from a
clean table after one position of the chunk behind it, on one thread. So a chunk's results depend on nothing but the
chunk, whoever searches it and whenever.
"""

from __future__ import annotations

import os
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias

from barreleye.analysis import record
from barreleye.analysis.chunks import Chunk, chunks_of, count, position_at
from barreleye.analysis.record import Line, Record
from barreleye.analysis.resume import Journal
from barreleye.analysis.workers import Workers
from barreleye.background import ENDING_LIMITS, Limits, check_limits
from barreleye.convert import limits_of
from barreleye.core.machine import processors
from barreleye.core.pool import Pool
from barreleye.core.position import Position
from barreleye.core.report import SearchInfo

if TYPE_CHECKING:
    import chess.engine

    from barreleye.analysis.chunks import Item

    Progress: TypeAlias = Callable[[int, int | None], None]

AHEAD = 4             # chunks in work for each thread, so that none waits for the reader


@dataclass(frozen=True, slots=True)
class Request:
    """What is asked about every position."""

    limits: Limits
    multipv: int = 1
    prefers_exact: bool = False      # to the score of a search that was cut short on a bound; needs a listener
    on_position: Callable[[], None] | None = None        # called from the threads


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
        self._records = run(chunks_of(items if whole is None else whole, chunk), Request(limits, multipv),
                            Workers(workers, options), None if resume is None else Journal(resume, settings))
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


def run(chunks: Iterator[Chunk], request: Request, workers: Workers, journal: Journal | None = None,
        ) -> Generator[Record, None, None]:
    """The records in order: from the journal as far as it goes, then from the workers. Both are closed at the end."""
    waiting: deque[Future[list[Record]]] = deque()
    try:
        for chunk in chunks:
            if journal is not None and (known := journal.next()) is not None:
                yield from checked(known, chunk)
                continue
            waiting.append(workers.submit(partial(analyse_chunk, chunk=chunk, request=request)))
            if len(waiting) > AHEAD * workers.count or waiting[0].done():
                yield from finished(waiting.popleft(), journal)
        while waiting:
            yield from finished(waiting.popleft(), journal)
    finally:
        workers.close()
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


def analyse_chunk(pool: Pool, over: threading.Event, chunk: Chunk, request: Request) -> list[Record]:
    """The records of a chunk, first position first. [] when it is over."""
    pool.set_multipv(request.multipv)
    records: list[Record] = []
    if chunk.is_loose:
        for offset, place in enumerate(chunk.places):
            try:
                position = position_at(place)
            except ValueError as error:
                raise ValueError(f"position {chunk.first + offset}: {error}") from None
            records.append(analyse_one(pool, position, request, chunk.first + offset, chunk.number + offset, 0))
            if over.is_set():
                return []
        return records
    # A game is searched backwards: what the later positions taught helps the earlier ones.
    last = chunk.start + chunk.size - 1
    position = position_at(chunk.places[0], last + chunk.overlap)
    if chunk.overlap:
        pool.search(position, request.limits)
        position.pop()
    for ply in range(last, chunk.start - 1, -1):
        if over.is_set():
            return []
        records.append(analyse_one(pool, position, request, chunk.first + ply - chunk.start, chunk.number, ply))
        if ply:
            position.pop()
    return [] if over.is_set() else records[::-1]


def analyse_one(pool: Pool, position: Position, request: Request, index: int, game: int, ply: int) -> Record:
    """One search, straight on the pool: everything around it would cost more than a short search does."""
    if request.multipv == 1 and not request.prefers_exact:
        _, _, info = pool.search(position, request.limits)
        lines: tuple[Line, ...] = (Line.of(info, position),)
    else:
        infos = reports(pool, position, request.limits, request.prefers_exact)
        info = infos[0]
        lines = tuple([Line.of(said, position) for said in infos])
    if request.on_position is not None:
        request.on_position()
    return Record(index, game, ply, position.fen(), pool.nodes, info.sel_depth, lines)


def reports(pool: Pool, position: Position, limits: Limits, prefers_exact: bool) -> list[SearchInfo]:
    """Search, and give the last report on every line, best first.

    Exact ones are preferred where the search was cut short on a bound: the last exact score of the same move says more.
    """
    heard: list[SearchInfo] = []
    pool.search(position, limits, None, heard.append)
    last = {info.multipv: info for info in heard}
    last.pop(0, None)           # reports on the move being searched
    exact = {info.multipv: info for info in heard if info.bound == 0} if prefers_exact else last
    return [known if (known := exact.get(number, info)).pv[:1] == info.pv[:1] else info
            for number, info in sorted(last.items())]
