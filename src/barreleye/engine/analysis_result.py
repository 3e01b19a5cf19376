"""A search as it goes on: its reports collected by line, read one by one, waited for; for threads and for asyncio."""

from __future__ import annotations

import asyncio
import queue
from collections.abc import Callable
from typing import TYPE_CHECKING

from chess.engine import INFO_ALL, AnalysisComplete, AnalysisResult, BestMove

from barreleye.core.position import Position
from barreleye.core.report import SearchInfo
from barreleye.engine.python_chess import InfoDict, info_dict, merge, move_of
from barreleye.engine.search_thread import PATIENCE_S, Result, Search

if TYPE_CHECKING:
    import chess.engine

    from barreleye.engine.searcher import Searcher


def best_move(result: Result) -> BestMove:
    """What a search decided, as python-chess says it."""
    return BestMove(move_of(result.best_move), move_of(result.ponder))


class Feed:
    """Hears a search, on the search's thread: keeps each line up to date and passes every report on."""

    def __init__(self, position: Position, selected: int, show_wdl: bool, *,
                 tell: tuple[Callable[[InfoDict], None] | None, ...] = ()) -> None:
        self.position = position
        self.selected = selected
        self.show_wdl = show_wdl
        self.tell = [listener for listener in tell if listener is not None]
        self.lines: list[InfoDict] = [InfoDict()]      # a line is replaced, never changed: others are reading it

    @property
    def listener(self) -> Callable[[SearchInfo], None] | None:
        """What to give the search; nothing when nobody wants to know."""
        return self.hear if self.selected or self.tell else None

    def hear(self, info: SearchInfo) -> None:
        """Take one report."""
        said = info_dict(info, self.position, self.selected or INFO_ALL, self.show_wdl)
        if self.selected:
            number = said.get("multipv", 1)
            self.lines += [InfoDict() for _ in range(number - len(self.lines))]
            self.lines[number - 1] = merge(self.lines[number - 1], said)
        for listener in self.tell:
            listener(said)


class Analysis:
    """An analysis that runs in the background, with the methods of chess.engine.SimpleAnalysisResult.

    Iterate over it for every report, or wait for its end; as a context manager it stops the search. A dropped one
    is freed together with its search.
    """

    def __init__(self, engine: Searcher, search: Search, feed: Feed,
                 reports: queue.SimpleQueue[InfoDict | None]) -> None:
        self._engine = engine             # lives as long as somebody reads
        self._search = search
        self._feed = feed
        self._reports = reports           # None comes last
        self._at_end = False
        search.future.add_done_callback(lambda _: reports.put(None))

    @property
    def info(self) -> InfoDict:
        """What is known of the best line."""
        return self.multipv[0]

    @property
    def multipv(self) -> list[InfoDict]:
        """What is known of every line."""
        return [line.copy() for line in self._feed.lines]

    def stop(self) -> None:
        """End it as soon as possible."""
        self._search.stop()

    def wait(self) -> BestMove:
        """The decision, once the search has ended."""
        return best_move(self._search.wait())

    def would_block(self) -> bool:
        """Whether the next report has yet to come."""
        return not self._at_end and self._reports.empty()

    def empty(self) -> bool:
        """Whether everything said so far has been read."""
        return self._at_end or self._reports.qsize() <= self._search.future.done()

    def get(self) -> InfoDict:
        """The next report; chess.engine.AnalysisComplete after the last one. Ctrl-C here ends the search."""
        said = None if self._at_end else self._next_report()
        if said is None:
            self._at_end = True
            self._search.wait()           # raises what went wrong
            raise AnalysisComplete
        return said

    def _next_report(self) -> InfoDict | None:
        try:
            while True:
                try:
                    return self._reports.get(timeout=PATIENCE_S)
                except queue.Empty:
                    if not self._search.is_alive and self._reports.empty():
                        return None
        except BaseException:
            self._search.end()
            raise

    def next(self) -> InfoDict | None:
        """The next report, None after the last one."""
        try:
            return self.get()
        except AnalysisComplete:
            return None

    def __iter__(self) -> Analysis:
        return self

    def __next__(self) -> InfoDict:
        try:
            return self.get()
        except AnalysisComplete:
            raise StopIteration from None

    def __enter__(self) -> Analysis:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()


class AsyncAnalysis(AnalysisResult):
    """The same for asyncio: python-chess's own AnalysisResult, fed by a search of this process."""

    def __init__(self, stop: Callable[[], None] | None = None) -> None:
        super().__init__(stop)
        self._loop = asyncio.get_running_loop()

    def post(self, info: chess.engine.InfoDict) -> None:
        """Take one report, in the loop. A new score takes the bounds of the old one with it."""
        if "score" in info:
            line = self.multipv[min(info.get("multipv", 1), len(self.multipv)) - 1]
            for bound in ("lowerbound", "upperbound"):
                line.pop(bound, None)     # type: ignore[misc]
        super().post(info)

    def attach(self, search: Search) -> None:
        """Stop this search when asked to."""
        self._stop = search.stop

    # From the search's thread

    def hear(self, said: InfoDict) -> None:
        """Pass a report to the loop; an error when there is no loop any more, which ends the search."""
        self._loop.call_soon_threadsafe(self.post, said)

    def done(self, result: Result) -> None:
        """Pass on the end."""
        self._call(self.set_finished, best_move(result))

    def failed(self, error: BaseException) -> None:
        """Pass on what went wrong."""
        self._call(self.set_exception, error if isinstance(error, Exception) else RuntimeError(repr(error)))

    def _call(self, what: Callable[..., object], *arguments: object) -> None:
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(what, *arguments)
