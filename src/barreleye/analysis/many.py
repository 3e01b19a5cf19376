"""Many positions at once: native threads here, or the workers of a cluster; results in order, the same wherever.

Everything that analyses games goes this way. The scheme is fishnet's: a chunk of a game is searched backwards from a
clean table after one position of the chunk behind it, on one thread. So a chunk's results depend on nothing but the
chunk, whoever searches it and whenever.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Any, TypeAlias

from barreleye import caution
from barreleye.analysis import record
from barreleye.analysis.chunks import Chunk, Game, chunks_of, count, portable, position_at
from barreleye.analysis.record import Line, Record
from barreleye.analysis.resume import Journal
from barreleye.analysis.workers import Team, Workers
from barreleye.core.machine import processors
from barreleye.core.pool import Pool
from barreleye.core.position import Position
from barreleye.core.report import SearchInfo
from barreleye.engine.limits import Limits

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from barreleye.analysis.chunks import Item
    from barreleye.engine.limits import AnyLimit

    Progress: TypeAlias = Callable[[int, int | None], None]


@dataclass(frozen=True, slots=True)
class Request:
    """What is asked about every position."""

    limits: Mapping[str, int]
    multipv: int = 1
    prefers_exact: bool = False      # to the score of a search that was cut short on a bound; needs a listener
    on_position: Callable[[], None] | None = None        # called from the threads
    on_known: Callable[[int], None] | None = None        # how many positions an earlier run has left


def analyse_many(items: Iterable[Item], limit: AnyLimit, workers: int | None = None, *,
                 multipv: int = 1, options: Mapping[str, object] | None = None, chunk: int | None = None,
                 resume: str | os.PathLike[str] | None = None, progress: Progress | None = None,
                 on_problem: Callable[[int, ValueError], None] | None = None,
                 executor: Executor | None = None) -> Batch:
    """Analyse positions (as Engine takes them) and games (chess.pgn.Game or Game: every position of each), in order.

    limit is a chess.engine.Limit or a mapping such as {"nodes": 10000}; limits in nodes or depth give the same result
    every time. workers is the number of threads, one for each processor by default. options are the engine's, Hash
    counts for each thread. chunk says how many positions are searched in a row before everything is forgotten; with 1
    a result depends on its position alone. resume names a file in which results are kept: after an interruption the
    same call goes on where it was. progress hears how many positions are done, and of how many if that is known.
    An item that is no position or game of chess is left out and told to on_problem by its number, or else in a warning.
    executor has the work done elsewhere, as on a cluster: `dask.distributed.Client(...).get_executor()`.
    """
    if isinstance(items, str):
        raise TypeError("items is a str: give a list of positions, of one if there is one")
    limits = Limits.of(limit)
    if not limits.ends or limits.has_clock or limits.ponder or limits.infinite:
        raise ValueError(f"a position cannot be analysed under {limit}: give nodes, a depth, a mate or a time")
    if workers is None:
        workers = processors()
    if workers < 1 or (chunk is not None and chunk < 1) or multipv < 1:
        raise ValueError("workers, chunk and multipv are numbers from 1 on")
    return Batch(items, limits.words(), workers, multipv, dict(options or {}), chunk, resume, progress, on_problem,
                 executor)


class Batch:
    """The iterator that analyse_many returns. Closing it, or dropping it, ends the work."""

    def __init__(self, items: Iterable[Item], limits: dict[str, int], workers: int, multipv: int,
                 options: dict[str, object], chunk: int | None, resume: str | os.PathLike[str] | None,
                 progress: Progress | None, on_problem: Callable[[int, ValueError], None] | None,
                 executor: Executor | None) -> None:
        # A sequence is short enough to look through; of anything else only the next items are asked for.
        whole = list(items) if isinstance(items, Sequence) and not isinstance(items, str) else None
        self.total = None if whole is None else sum(count(item) for item in whole)
        settings = {"limit": limits, "multipv": multipv, "chunk": chunk,
                    "options": {name: str(value) for name, value in sorted(options.items())}}
        self._headers: dict[int, Mapping[str, str]] = {}           # of the games in work
        self._on_problem = on_problem
        chunks = self._noted(chunks_of(items if whole is None else whole, chunk, self._left_out))
        team = team_of(workers, options, executor, "analyse-positions")
        journal = None if resume is None else Journal(resume, settings)
        self._records = run(chunks, Request(limits, multipv), team, journal)
        self._progress = progress
        self.done = 0

    def _noted(self, chunks: Iterator[Chunk]) -> Iterator[Chunk]:
        for chunk in chunks:
            if isinstance(game := chunk.places[0], Game) and not chunk.is_loose:
                self._headers[chunk.number] = game.headers
            yield chunk

    def _left_out(self, number: int, item: Item, error: ValueError) -> None:
        if self.total is not None:
            self.total -= count(item)
        if self._on_problem is not None:
            self._on_problem(number, error)
        else:
            caution.warn(f"item {number} is left out: {error}")

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

    def _with_headers(self) -> Iterator[tuple[Record, Mapping[str, str]]]:
        for found in self:
            for number in [number for number in self._headers if number < found.game]:
                del self._headers[number]
            yield found, self._headers.get(found.game, {})

    def to_rows(self) -> Iterator[dict[str, Any]]:
        """All that is left, a dictionary for each position as it is found, with the headers of its game."""
        return (record.to_row(found, headers) for found, headers in self._with_headers())

    def to_columns(self, headers: Sequence[str] = ()) -> dict[str, list[Any]]:
        """All that is left, as lists by column: pandas.DataFrame(batch.to_columns(headers=["White", "Black"]))."""
        return record.to_columns(self._with_headers(), headers)

    def to_arrow(self, headers: Sequence[str] = ()) -> Any:
        """All that is left, as a pyarrow.Table; needs pyarrow."""
        return record.to_arrow(self._with_headers(), headers)

    def to_parquet(self, path: str | os.PathLike[str], headers: Sequence[str] = ()) -> None:
        """All that is left, into a Parquet file; needs pyarrow."""
        table = self.to_arrow(headers)
        from pyarrow.parquet import write_table  # type: ignore[import-not-found,import-untyped,unused-ignore]

        write_table(table, os.fspath(path))


def team_of(threads: int, options: Mapping[str, object], executor: Executor | None, name: str) -> Team:
    """So many threads with these options; with an executor its workers, whose tasks have this name."""
    if executor is None:
        return Workers(threads, options)
    from barreleye.analysis.elsewhere import RemoteWorkers

    return RemoteWorkers(executor, options, name)


def run(chunks: Iterator[Chunk], request: Request, team: Team, journal: Journal | None = None,
        ) -> Generator[Record, None, None]:
    """The records in order: from the journal as far as it goes, then from the team. Both are closed at the end."""
    try:
        for chunk in chunks:
            if journal is None or (known := journal.next()) is None:
                yield from searched(chain([chunk], chunks), request, team, journal)
                return
            if request.on_known is not None:
                request.on_known(len(known))
            yield from checked(known, chunk)
    finally:
        team.close()
        if journal is not None:
            journal.close()


def searched(chunks: Iterable[Chunk], request: Request, team: Team, journal: Journal | None) -> Iterator[Record]:
    """The records of chunks that nobody knows yet, each chunk's written down before they are given away."""
    if team.is_remote:
        asked = replace(request, on_position=None, on_known=None)
        tasks = (partial(analyse_chunk, chunk=portable(chunk), request=asked) for chunk in chunks)
    else:
        tasks = (partial(analyse_chunk, chunk=chunk, request=request) for chunk in chunks)
    for records in team.in_order(tasks):
        if journal is not None:
            journal.write(records)
        if team.is_remote and request.on_position is not None:
            for _ in records:
                request.on_position()
        yield from records


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
            position = position_at(place)
            records.append(analyse_one(pool, position, request, chunk.first + offset, chunk.number + offset))
            if over.is_set():
                return []
        return records
    # A game is searched backwards: what the later positions taught helps the earlier ones.
    last = chunk.start + chunk.size - 1
    game = chunk.places[0]
    assert isinstance(game, Game)
    position = position_at(game, last + chunk.overlap)
    if chunk.overlap:
        pool.search(position, request.limits)
        position.pop()
    for ply in range(last, chunk.start - 1, -1):
        if over.is_set():
            return []
        played = game.moves[ply] if ply < len(game.moves) else None
        records.append(analyse_one(pool, position, request, chunk.first + ply - chunk.start, chunk.number, ply, played))
        if ply:
            position.pop()
    return [] if over.is_set() else records[::-1]


def analyse_one(pool: Pool, position: Position, request: Request, index: int, game: int, ply: int = 0,
                played: str | None = None) -> Record:
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
    return Record(index, game, ply, position.fen(), pool.nodes, info.sel_depth, lines, played)


def reports(pool: Pool, position: Position, limits: Mapping[str, int], prefers_exact: bool) -> list[SearchInfo]:
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
