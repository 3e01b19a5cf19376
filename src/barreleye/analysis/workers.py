"""Whoever searches: threads here or a cluster's workers. A task has a pool to itself and finds it empty, so its result
depends on the task alone.
"""

from __future__ import annotations

import contextlib
import queue
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable, Mapping
from concurrent.futures import CancelledError, Future
from typing import Protocol, TypeAlias, TypeVar

from barreleye.core.pool import Pool
from barreleye.engine.daemon_threads import DaemonThreads
from barreleye.engine.search_thread import PATIENCE_S
from barreleye.engine.searcher import Searcher

T = TypeVar("T")
SearchTask: TypeAlias = Callable[[Pool, threading.Event], T]
AHEAD = 4             # tasks in work for each thread, so that none waits for the reader


class Team(Protocol):
    """Whoever does tasks. Leaving the `with` block ends what is still running."""

    is_remote: bool

    def in_order(self, tasks: Iterable[SearchTask[T]], ahead: int = AHEAD) -> Generator[T, None, None]:
        """The result of each task, in the order of the tasks; only the next ones are asked for."""

    def close(self) -> None: ...

    def __enter__(self) -> Team: ...

    def __exit__(self, *_: object) -> None: ...


class Workers:
    """So many threads, each with a searcher of these options. Leaving the `with` block ends what is still running."""

    is_remote = False

    def __init__(self, count: int, options: Mapping[str, object]) -> None:
        self.count = count
        self._options = complete(options)
        self._searchers: list[Searcher] = []               # made when there is something to do
        self._idle: queue.SimpleQueue[Searcher | None] = queue.SimpleQueue()
        self._over = threading.Event()
        self._threads = DaemonThreads(count, "barreleye analysis")

    def in_order(self, tasks: Iterable[SearchTask[T]], ahead: int = AHEAD) -> Generator[T, None, None]:
        """The result of each task, in the order of the tasks, of which only the next ones are asked for."""
        waiting: deque[Future[T]] = deque()
        for task in tasks:
            waiting.append(self.submit(task))
            if len(waiting) > ahead * self.count or waiting[0].done():
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()

    def submit(self, task: SearchTask[T]) -> Future[T]:
        """Have a task done. Its event says between two searches that nobody waits for the result any more."""
        if not self._searchers:
            self._searchers = [Searcher(**self._options) for _ in range(self.count)]
            for searcher in self._searchers:
                self._idle.put(searcher)
        return self._threads.submit(self._do, task)

    def _do(self, task: SearchTask[T]) -> T:
        searcher = self._idle.get()
        if searcher is None:                               # taken up just before the end: all searchers are gone
            raise CancelledError
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
                if (idle := self._idle.get(timeout=PATIENCE_S)) is not None:
                    self._searchers.remove(idle)
        for _ in range(self.count):
            self._idle.put(None)
        self._threads.join()

    def __enter__(self) -> Workers:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def complete(options: Mapping[str, object]) -> dict[str, object]:
    """The options of every searcher of many."""
    return {"Hash": 16, **options, "Threads": 1}
