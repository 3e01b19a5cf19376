"""Threads that search: a task has a pool to itself and finds it empty, so its result depends on the task alone."""

from __future__ import annotations

import contextlib
import queue
import threading
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from typing import TypeVar

from barreleye.core.pool import Pool
from barreleye.engine.daemon_threads import DaemonThreads
from barreleye.engine.search_thread import PATIENCE_S
from barreleye.engine.searcher import Searcher

T = TypeVar("T")


class Workers:
    """So many threads, each with a searcher of these options. Leaving the `with` block ends what is still running."""

    def __init__(self, count: int, options: Mapping[str, object]) -> None:
        self.count = count
        self._options = {"Hash": 16, **options, "Threads": 1}
        self._searchers: list[Searcher] = []               # made when there is something to do
        self._idle: queue.SimpleQueue[Searcher] = queue.SimpleQueue()
        self._over = threading.Event()
        self._threads = DaemonThreads(count, "barreleye analysis")

    def submit(self, task: Callable[[Pool, threading.Event], T]) -> Future[T]:
        """Have a task done. Its event says between two searches that nobody waits for the result any more."""
        if not self._searchers:
            self._searchers = [Searcher(**self._options) for _ in range(self.count)]
            for searcher in self._searchers:
                self._idle.put(searcher)
        return self._threads.submit(self._do, task)

    def _do(self, task: Callable[[Pool, threading.Event], T]) -> T:
        searcher = self._idle.get()
        try:
            searcher.pool.new_game()
            found = task(searcher.pool, self._over)
            searcher.note_broken_tables()
            return found
        finally:
            self._idle.put(searcher)

    def close(self) -> None:
        """Drop what has not begun, stop what is running, and wait until the threads are gone."""
        self._over.set()
        self._threads.cancel()
        while self._searchers:
            for searcher in self._searchers:
                searcher.pool.stop()           # again and again: one that comes just before a search is not heard
            with contextlib.suppress(queue.Empty):
                self._searchers.remove(self._idle.get(timeout=PATIENCE_S))
        self._threads.join()

    def __enter__(self) -> Workers:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
