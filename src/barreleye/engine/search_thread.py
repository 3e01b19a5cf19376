"""Searches in the background: the thread they run on, and what each decided."""

from __future__ import annotations

import os
import queue
import sys
import threading
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any

from barreleye.core.machine import start
from barreleye.core.notation import move_name
from barreleye.core.pool import Pool
from barreleye.core.report import SearchInfo
from barreleye.levels import Handicap

PATIENCE_S = 0.05      # how long a wait may be deaf to Ctrl-C where the system cannot interrupt it


@dataclass(frozen=True, slots=True)
class Result:
    """What a search decided, moves as UCI text; best_move is None when there is no legal move."""

    best_move: str | None
    ponder: str | None
    info: SearchInfo
    nodes: int
    fen: str | None = None            # what was searched, where search() waited for it

    def _repr_mimebundle_(self, **_: Any) -> dict[str, Any]:
        """What notebooks show."""
        from barreleye.pictures.notebook import of_result

        return of_result(self)


class SearchThread:
    """A thread that does one search after another; it ends when nobody holds this any more.

    A new thread for each search would cost more than all else around a short one.
    """

    def __init__(self) -> None:
        self._work: queue.SimpleQueue[Search | None] = queue.SimpleQueue()
        thread = threading.Thread(target=run_all, args=(self._work,), name="barreleye search", daemon=True)
        start(thread)
        self.ident = thread.ident

    def __del__(self) -> None:
        self._work.put(None)                   # never waits, so it may be done wherever this is collected

    def take(self, search: Search) -> None:
        """Do this search after those taken before."""
        self._work.put(search)


def run_all(work: queue.SimpleQueue[Search | None]) -> None:
    """Do each search that comes until None does, holding on to nothing in between."""
    while (search := work.get()) is not None:
        try:
            search.run()
        except BaseException:                  # of a listener to errors: told as a thread that ends by one would
            threading.excepthook(threading.ExceptHookArgs((*sys.exc_info(), threading.current_thread())))
        del search


class Search:
    """One search in the background. It holds the pool, not the searcher, so that this can be freed."""

    __slots__ = ("_afterwards", "_chess960", "_end", "_future", "_handicap", "_lock", "_on_done", "_on_error",
                 "_on_info", "_outcome", "_process", "_sparing", "_thread", "is_busy", "is_over", "pool")

    def __init__(self, pool: Pool, chess960: bool, handicap: Handicap | None = None, *, sparing: bool = False,
                 on_info: Callable[[SearchInfo], None] | None = None,
                 on_done: Callable[[Result], None] | None = None,
                 on_error: Callable[[BaseException], None] | None = None,
                 afterwards: Callable[[], Callable[[], None] | None] | None = None) -> None:
        self.pool = pool
        self.is_busy = True                    # the pool is in use
        self.is_over = False                   # searched, and told of
        self._chess960 = chess960
        self._handicap = handicap
        self._sparing = sparing and handicap is None
        self._on_info = on_info
        self._on_done = on_done
        self._on_error = on_error
        self._afterwards = afterwards
        self._outcome: Result | BaseException | None = None
        self._future: Future[Result] | None = None
        self._lock = threading.RLock()         # a collected engine stops its search wherever it is collected
        self._end = threading.Lock()           # held until it is over; an Event costs ten times as much to make
        self._end.acquire()
        self._process = os.getpid()
        self._thread: int | None = None        # that runs it now

    def run(self) -> None:
        """Search what was prepared in the pool, and tell of it. On the thread that took it."""
        with self._lock:
            if self.is_over:
                return
            self._thread = threading.get_ident()
        try:
            try:
                found = self.pool.run(self._on_info if self._handicap is None else self._handicap.hear, self._sparing)
                nodes = self.pool.nodes
            finally:
                with self._lock:
                    self.is_busy = False
            if self._afterwards is not None and (afterwards := self._afterwards()) is not None:
                afterwards()
                del afterwards
            if self._handicap is not None:
                found = self._handicap.decide(found, self._on_info)
            best, ponder, info = found
            result = Result(self._text(best), self._text(ponder), info, nodes)
            if self._on_done is not None:
                self._on_done(result)
            self._settle(result)
        except BaseException as error:      # handed to whoever waits
            try:
                if self._on_error is not None:
                    self._on_error(error)
            finally:
                self._settle(error)
        finally:
            self._on_info = self._on_done = self._on_error = None      # listeners tend to hold on to their engine
            self._close()

    def _settle(self, outcome: Result | BaseException) -> None:
        """This is what came of it."""
        with self._lock:
            self._outcome = outcome
            future = self._future
        if future is not None:
            fulfil(future, outcome)

    def _close(self) -> None:
        """Let those go on who wait for its end."""
        with self._lock:
            self._thread = None
            self.is_over = True
        self._end.release()

    @property
    def future(self) -> Future[Result]:
        """Its outcome as a future, for asyncio and for those who want to be called."""
        with self._lock:
            if self._future is None:
                self._future = Future()
                self._future.set_running_or_notify_cancel()
                if self._outcome is not None:
                    fulfil(self._future, self._outcome)
            return self._future

    def _text(self, move: int) -> str | None:
        return move_name(move, self._chess960) if move else None

    @property
    def is_alive(self) -> bool:
        """Whether it is still going on: searching, or telling of the result."""
        return not self.is_over and self._process == os.getpid()

    @property
    def is_mine(self) -> bool:
        """Whether the caller is one of its listeners."""
        return self._thread == threading.get_ident()

    def stop(self) -> None:
        """Let it come to its end now; a later search of the same pool is not touched."""
        with self._lock:
            if self.is_busy:
                self.pool.stop()

    def abandon(self) -> None:
        """End it; if it has not begun, before it begins."""
        with self._lock:
            if self._thread is None and not self.is_over:
                self.is_busy = False
                self._close()
        self.end()

    def end(self) -> None:
        """Stop it and wait until it has ended."""
        while self.is_alive:
            self.stop()
            self._await_end()

    def wait(self) -> Result:
        """Its result, once it has ended. Ctrl-C while waiting ends it."""
        try:
            while self.is_alive:
                self._await_end()
        except BaseException:
            self.end()
            raise
        if isinstance(self._outcome, BaseException):
            raise self._outcome
        if self._outcome is None:
            raise RuntimeError("this search belongs to the process that this one was forked from")
        return self._outcome

    def _await_end(self) -> None:
        """Wait for its end, but not for long."""
        if self._end.acquire(timeout=PATIENCE_S):
            self._end.release()


def fulfil(future: Future[Result], outcome: Result | BaseException) -> None:
    """Tell a future what came of the search."""
    if isinstance(outcome, BaseException):
        future.set_exception(outcome)
    else:
        future.set_result(outcome)
