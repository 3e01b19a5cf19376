"""One piece of work of a tab at a time: begun in the background, stopped when another begins or the tab is closed."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Callable, Coroutine
from typing import Any

from barreleye.engine.search_thread import Search


class Stopped(Exception):
    """The work was stopped before it came to anything."""


class Job:
    """What a thread works on for a tab. Whatever it searches with is told to it, and stopped with it."""

    def __init__(self) -> None:
        self.is_stopped = False
        self._lock = threading.Lock()
        self._stops: list[Callable[[], object]] = []

    def on_start(self, search: Search) -> None:
        """A search has begun."""
        self.at_stop(search.stop)

    def at_stop(self, stop: Callable[[], object]) -> None:
        """Call this when the job is stopped; at once when it has been."""
        with self._lock:
            self._stops.append(stop)
            stopped = self.is_stopped
        if stopped:
            stop()

    def check(self) -> None:
        """Go no further when the job has been stopped."""
        if self.is_stopped:
            raise Stopped

    def stop(self) -> None:
        """End it as soon as possible."""
        with self._lock:
            self.is_stopped = True
            stops = list(self._stops)
        for stop in stops:
            stop()


class Jobs:
    """The job of a tab; a new one ends the one before."""

    def __init__(self) -> None:
        self._job: Job | None = None
        self._task: asyncio.Task[None] | None = None

    async def stop(self) -> None:
        """End the present job and wait until it has."""
        job, task = self._job, self._task
        if job is None or task is None:
            return
        while not task.done():
            await asyncio.to_thread(job.stop)
            await asyncio.wait([task], timeout=0.05)        # a search may begin just after it was stopped
        with contextlib.suppress(asyncio.CancelledError):
            task.exception()

    async def begin(self, work: Callable[[Job], Coroutine[Any, Any, None]]) -> None:
        """Stop what is going on and do this instead, in the background."""
        await self.stop()
        self._job = Job()
        self._task = asyncio.create_task(work(self._job))
