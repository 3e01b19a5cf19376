"""What is sent to a worker and what comes back: some items of one kind of work, done there with a tool that is kept.

Everything here runs on the workers. A process of any executor will do; one of Dask's also tells its name.
"""

from __future__ import annotations

import os
import socket
import sys
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from barreleye.core.machine import start
from barreleye.work import parcels
from barreleye.work.facts import Needs, facts
from barreleye.work.keeper import Keeper, Tool

_keeper = Keeper()
_fit_for: dict[tuple[Needs, str], str] = {}         # work that this worker was found fit for, and what it is here


class Work(Protocol):
    """One kind of work. It is pickled, and its repr tells whether two of them can use the same tools."""

    def tool(self) -> Tool:
        """What does it, made on a worker and kept there."""

    def do(self, tool: Any, item: Any, over: threading.Event) -> Any:
        """The result for one item, which depends on the work and the item alone. Over: nobody wants it any more."""

    def identity(self) -> str:
        """What must be the same on all workers beside its needs, in words; ValueError says what is missing here."""


@dataclass(frozen=True)
class Answer:
    """What a worker says to a task: results, or why there are none."""

    address: str
    name: str
    results: tuple[Any, ...] | None = None          # None: refused, or called off
    identity: str = ""                              # of the work on this worker
    problem: str | None = None                      # why this worker is not fit for the work
    lacks: tuple[str, ...] = ()                     # networks that must be sent first
    notes: tuple[str, ...] = ()                     # what is worth knowing
    seconds: float = 0.0
    cpu_seconds: float = 0.0


class Task:
    """Some items of some work. Called on a worker it gives an Answer; Dask shows its `__name__`."""

    def __init__(self, name: str, job: str, needs: Needs, work: Work, identity: str | None, items: tuple[Any, ...],
                 networks: Mapping[str, bytes] | None = None) -> None:
        self.__name__ = name
        self.job, self.needs, self.work, self.identity = job, needs, work, identity
        self.items, self.networks = items, networks or {}

    def with_networks(self, networks: Mapping[str, bytes]) -> Task:
        """The same task, and networks that its worker lacks."""
        return Task(self.__name__, self.job, self.needs, self.work, self.identity, self.items, networks)

    def __call__(self) -> Answer:
        address, name = whoami()
        identity, problem = fitness(self.needs, self.work)
        if problem is None and self.identity not in (None, identity):
            problem = f"has {identity}, and others have {self.identity}"
        if problem is not None:
            return Answer(address, name, problem=problem)
        try:
            parcels.store(dict(self.networks))
            lacks = parcels.lacking(self.needs.nets)
        except ValueError as error:
            return Answer(address, name, problem=f"cannot do it: {error}")
        if lacks:
            return Answer(address, name, lacks=lacks)
        outcome = Outcome()
        # A thread of its own: not every system gives an executor's threads the stack that a search may need.
        thread = threading.Thread(target=self._run, args=(outcome,), name=self.__name__, daemon=True)
        start(thread)
        thread.join()
        if outcome.error is not None:
            raise outcome.error
        return Answer(address, name, outcome.results, notes=tuple(outcome.notes), seconds=outcome.seconds,
                      cpu_seconds=outcome.cpu_seconds)

    def _run(self, outcome: Outcome) -> None:
        clocks = time.monotonic(), time.thread_time()
        try:
            over = _keeper.over(self.job)
            found: list[Any] = []
            with _keeper.lent(self.job, repr(self.work), self.work.tool) as tool:
                for item in self.items:
                    if not over.is_set():
                        found.append(self.work.do(tool, item, over))
                outcome.notes = list(getattr(tool, "notes", ()))
            outcome.results = None if over.is_set() else tuple(found)
        except BaseException as error:              # handed to whoever waits
            outcome.error = error
        outcome.seconds, outcome.cpu_seconds = time.monotonic() - clocks[0], time.thread_time() - clocks[1]


@dataclass
class Outcome:
    """What became of a task, for the thread that waits for it."""

    results: tuple[Any, ...] | None = None
    error: BaseException | None = None
    notes: list[str] = field(default_factory=list)
    seconds: float = 0.0
    cpu_seconds: float = 0.0


def fitness(needs: Needs, work: Work) -> tuple[str, str | None]:
    """What the work is on this worker, and what keeps it from being done here; found fit for it, it stays so."""
    key = (needs, repr(work))
    if key in _fit_for:
        return _fit_for[key], None
    problem = needs.problem(facts())
    if problem is None:
        try:
            _fit_for[key] = work.identity()
        except ValueError as error:
            problem = f"cannot do it: {error}"
    return _fit_for.get(key, ""), problem


def inspect(needs: Needs, work: Work, dask_worker: Any = None) -> Answer:
    """What this worker says to some work before there is any: a problem, the networks that it lacks, or nothing."""
    address, name = whoami() if dask_worker is None else (str(dask_worker.address), str(dask_worker.name))
    identity, problem = fitness(needs, work)
    lacks: tuple[str, ...] = ()
    if problem is None:
        try:
            lacks = parcels.lacking(needs.nets)
        except ValueError as error:
            problem = f"cannot do it: {error}"
    return Answer(address, name, identity=identity, problem=problem, lacks=lacks)


def call_off(job: str) -> None:
    """Stop what this worker does for a job."""
    _keeper.call_off(job)


def whoami() -> tuple[str, str]:
    """This worker's address and name: Dask's, or else its machine and process."""
    if "distributed" in sys.modules:
        from distributed import get_worker

        try:
            worker = get_worker()
            return str(worker.address), str(worker.name)
        except ValueError:                  # imported, but not running this
            pass
    here = f"process {os.getpid()} on {socket.gethostname()}"
    return here, here
