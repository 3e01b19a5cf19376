"""Sees to it that engines neither keep a thread waiting nor outlive the runner."""

from __future__ import annotations

import threading

from barreleye.match.engines.guard import Guard
from barreleye.match.engines.pipe import EnginePipe

TICK_S = 0.05  # a late look delays no verdict: times are taken when an answer is read


class Watchdog:
    """A thread that looks in on every engine, and the guard process for the case that this process ends."""

    def __init__(self) -> None:
        self._pipes: set[EnginePipe] = set()
        self._guard = Guard()
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._run, name="match watchdog", daemon=True)
        self._thread.start()

    def watch(self, pipe: EnginePipe) -> None:
        self._guard.watch(pipe.pid)
        self._pipes.add(pipe)

    def forget(self, pipe: EnginePipe) -> None:
        self._pipes.discard(pipe)
        self._guard.forget(pipe.pid)

    def close(self) -> None:
        self._closing.set()
        self._thread.join()
        self._guard.close()

    def _run(self) -> None:
        while not self._closing.wait(TICK_S):
            for pipe in self._pipes.copy():
                pipe.look_in()
