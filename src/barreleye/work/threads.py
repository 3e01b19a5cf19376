"""The same work on threads of this process: what a crew does elsewhere, in the same order and with the same results."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import Future
from concurrent.futures import TimeoutError as NotYet
from typing import Any

from barreleye.engine.daemon_threads import DaemonThreads
from barreleye.work.crew import LOOK_S, never
from barreleye.work.keeper import Keeper
from barreleye.work.task import Work

AHEAD = 3                   # items in work for each thread, so that none waits for a slow one before it
JOB = "here"


class ThreadCrew:
    """So many threads, each with a tool of its own. Leaving the `with` block ends what is still running."""

    def __init__(self, count: int, work: Work) -> None:
        self.count = count
        self._work = work
        self._keeper = Keeper()
        self._threads = DaemonThreads(count, "barreleye work")
        self._running: set[Future[Any]] = set()
        self.cpu_seconds = 0.0

    def in_order(self, items: Iterable[Any], until: Callable[[], bool] = never) -> Generator[Any, None, None]:
        """The result for each item, in the order of the items, until nobody waits for more."""
        source = iter(items)
        waiting: deque[Future[tuple[Any, float]]] = deque()
        try:
            is_exhausted = False
            while not until():
                while not is_exhausted and len(waiting) < AHEAD * self.count:
                    item = next(source, self)
                    if is_exhausted := item is self:
                        break
                    waiting.append(self._threads.submit(self._do, item))
                if not waiting:
                    return
                try:
                    result, spent = waiting[0].result(timeout=LOOK_S)
                except NotYet:
                    if waiting[0].done():
                        raise
                    continue
                waiting.popleft()
                self.cpu_seconds += spent
                yield result
        finally:
            self.close()

    def _do(self, item: Any) -> tuple[Any, float]:
        over = self._keeper.over(JOB)
        began = time.thread_time()
        with self._keeper.lent(JOB, repr(self._work), self._work.tool) as tool:
            return None if over.is_set() else self._work.do(tool, item, over), time.thread_time() - began

    def close(self) -> None:
        """Drop what has not begun, stop what is running, and wait until the threads are gone."""
        self._keeper.call_off(JOB)
        self._threads.cancel()
        self._threads.join()

    def __enter__(self) -> ThreadCrew:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
