"""Threads for tasks that nobody may live to see the end of: unlike an executor's, they do not hold up Python's exit."""

from __future__ import annotations

import contextlib
import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, TypeVar

from barreleye.core.machine import start

T = TypeVar("T")


class DaemonThreads:
    """Up to so many threads, started as tasks come. Leaving the `with` block waits for what has begun."""

    def __init__(self, count: int, name: str) -> None:
        self._count = count
        self._name = name
        self._threads: list[threading.Thread] = []
        self._tasks: queue.SimpleQueue[tuple[Future[Any], Callable[..., Any], tuple[Any, ...]] | None]
        self._tasks = queue.SimpleQueue()

    def submit(self, function: Callable[..., T], *arguments: object) -> Future[T]:
        """Have a function called on one of the threads."""
        future: Future[T] = Future()
        self._tasks.put((future, function, arguments))
        if len(self._threads) < self._count:
            thread = threading.Thread(target=self._run, name=self._name, daemon=True)
            start(thread)
            self._threads.append(thread)
        return future

    def _run(self) -> None:
        while (task := self._tasks.get()) is not None:
            future, function, arguments = task
            if future.set_running_or_notify_cancel():
                try:
                    future.set_result(function(*arguments))
                except BaseException as error:          # handed to whoever waits
                    future.set_exception(error)
            del task, future, function, arguments

    def cancel(self) -> None:
        """Drop what has not begun."""
        with contextlib.suppress(queue.Empty):
            while True:
                task = self._tasks.get_nowait()
                if task is not None:
                    task[0].cancel()

    def join(self) -> None:
        """Wait until all is done and the threads are gone."""
        for _ in self._threads:
            self._tasks.put(None)
        for thread in self._threads:
            thread.join()
        self._threads = []

    def __enter__(self) -> DaemonThreads:
        return self

    def __exit__(self, *_: object) -> None:
        self.cancel()
        self.join()
