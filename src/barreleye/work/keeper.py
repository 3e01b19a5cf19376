"""What a worker keeps between two tasks: its engines, and which jobs somebody has called off."""

from __future__ import annotations

import contextlib
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator
from time import monotonic
from typing import Any, Protocol

IDLE_S = 30.0               # after which nobody will ask for an engine again
LOOK_S = 1.0                # between two looks at who is idle
MOST_JOBS = 256             # that are remembered as called off


class Tool(Protocol):
    """What work is done with: an engine, two of them at a board, processes."""

    def stop(self) -> None:
        """End what it is doing, soon; from any thread. It is not used again."""

    def close(self) -> None:
        """Let go of what it holds."""


class Keeper:
    """Tools by what they are, each lent to one task at a time; one that stays idle is closed."""

    def __init__(self, idle_s: float = IDLE_S) -> None:
        self._idle_s = idle_s
        self._lock = threading.Lock()
        self._idle: list[tuple[float, str, Tool]] = []          # since when, longest waiting first
        self._lent: list[tuple[str, Tool]] = []                 # to which job
        self._over: OrderedDict[str, threading.Event] = OrderedDict()
        self._is_watched = False

    def over(self, job: str) -> threading.Event:
        """The event that says whether a job was called off."""
        with self._lock:
            event = self._over.setdefault(job, threading.Event())
            self._over.move_to_end(job)
            while len(self._over) > MOST_JOBS:
                self._over.popitem(last=False)
            return event

    @contextlib.contextmanager
    def lent(self, job: str, key: str, make: Callable[[], Any]) -> Iterator[Any]:
        """A tool of this kind for a task, kept from an earlier one or newly made; one that failed is not used again."""
        tool = self._take(key) or make()
        loan = (job, tool)
        with self._lock:
            self._lent.append(loan)
        is_sound = False
        try:
            yield tool
            is_sound = True
        finally:
            with self._lock:
                self._lent = [other for other in self._lent if other is not loan]
            if is_sound and not self.over(job).is_set():
                self._give_back(key, tool)
            else:
                tool.close()

    def call_off(self, job: str) -> None:
        """Stop what runs for a job and do no more of it."""
        self.over(job).set()
        with self._lock:
            tools = [tool for owner, tool in self._lent if owner == job]
        for tool in tools:
            tool.stop()

    def _take(self, key: str) -> Tool | None:
        with self._lock:
            for place, (_, kind, tool) in enumerate(self._idle):
                if kind == key:
                    del self._idle[place]
                    return tool
        return None

    def _give_back(self, key: str, tool: Tool) -> None:
        with self._lock:
            self._idle.append((monotonic(), key, tool))
            if self._is_watched:
                return
            self._is_watched = True
        threading.Thread(target=self._watch, name="barreleye keeper", daemon=True).start()

    def _watch(self) -> None:
        """Close what has been idle for too long, until there is nothing left to watch."""
        while True:
            threading.Event().wait(LOOK_S)
            now = monotonic()
            with self._lock:
                old = [tool for since, _, tool in self._idle if now - since > self._idle_s]
                self._idle = [entry for entry in self._idle if now - entry[0] <= self._idle_s]
                self._is_watched = bool(self._idle)
                is_done = not self._is_watched
            for tool in old:
                tool.close()
            if is_done:
                return
