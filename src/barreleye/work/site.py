"""Where tasks are done: any executor; and Dask's, whose workers can be counted, named, asked and stopped."""

from __future__ import annotations

import contextlib
import re
import time
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future
from pathlib import Path
from typing import Any

from barreleye import caution
from barreleye.core.machine import processors
from barreleye.work import parcels, task
from barreleye.work.errors import ClusterError
from barreleye.work.facts import Needs
from barreleye.work.task import Answer, Task, Work

COUNT_S = 1.0               # between two counts of the workers
ROUNDS, ROUND_S = 10, 1.0   # looks for workers before there is work, and the time between them
CUT_S = 15.0                # that a lost connection may take to come back
GOODBYE_S = 5.0             # that workers have to hear that it is over
NO_MODULE = re.compile(r"No module named '(\w+)")
GOES_ON = "what has been written is safe: give the same command again to continue"


class Site:
    """An executor that tells nothing of its workers but by their answers."""

    def __init__(self, executor: Executor) -> None:
        self.executor = executor

    def slots(self) -> int:
        """How many tasks can be done at the same time, as far as is known."""
        return int(getattr(self.executor, "_max_workers", 0) or processors())

    def prepare(self, needs: Needs, work: Work, networks: dict[str, Path]) -> str | None:
        """See to it that every worker can do the work; ClusterError names one that cannot.

        Gives what the work is on all of them, None where that is not known yet.
        """
        return None

    def submit(self, piece: Task) -> Future[Answer]:
        try:
            return self.executor.submit(piece)
        except RuntimeError as error:               # broken, or shut down
            raise ClusterError(f"the executor takes no more work: {error}; {GOES_ON}") from None

    def recover(self, error: BaseException) -> bool:
        """Whether a task that ended so is worth sending again; ClusterError when nothing will help."""
        if isinstance(error, BrokenExecutor):
            raise ClusterError(f"a process that worked has ended ({error}); {GOES_ON}") from None
        if isinstance(error, CancelledError):
            raise ClusterError(f"the executor has been shut down; {GOES_ON}") from None
        return False

    def refuse(self, answer: Answer) -> None:
        """Give a worker that is not fit for the work nothing more of it."""
        raise ClusterError(f"worker {answer.name} {answer.problem}; {GOES_ON}")

    def call_off(self, job: str) -> None:
        """Stop what runs for a job, where workers can be told; elsewhere it ends by itself, task by task."""


class DaskSite(Site):
    """The workers of a Dask cluster. They may come and go."""

    def __init__(self, executor: Executor) -> None:
        super().__init__(executor)
        self._client: Any = executor._client                # type: ignore[attr-defined]
        self._where = str(self._client.scheduler.address) if self._client.scheduler else "the scheduler"
        self._counted, self._threads = 0.0, {}              # type: ignore[var-annotated]
        self._refused: set[str] = set()
        self._empty_since: float | None = None

    def _count(self) -> dict[str, int]:
        """The threads of each worker that was not refused, as they were a moment ago."""
        if time.monotonic() - self._counted >= COUNT_S:
            with self._spoken():
                found = self._client.nthreads()
            self._threads = {address: count for address, count in found.items() if address not in self._refused}
            self._counted = time.monotonic()
        return self._threads

    def slots(self) -> int:
        count = sum(self._count().values())
        if count:
            self._empty_since = None
        elif self._empty_since is None:
            self._empty_since = time.monotonic()
            caution.warn(f"no worker is left at {self._where}: waiting for one")
        return max(1, count)

    def prepare(self, needs: Needs, work: Work, networks: dict[str, Path]) -> str | None:
        answers = self._inspected(needs, work)
        if not answers:
            raise ClusterError(f"there are no workers at {self._where}: start some with 'dask worker {self._where}'")
        problems = [said for address, answer in sorted(answers.items()) if (said := problem_of(address, answer))]
        if problems:
            more = len(problems) - 1
            raise ClusterError(problems[0] + (f" (and {more} more of the {len(answers)} workers)" if more else ""))
        first = answers[min(answers)]
        for answer in answers.values():
            if answer.identity != first.identity:
                raise ClusterError(f"worker {named(answer)} has {answer.identity}, and worker {named(first)} has "
                                   f"{first.identity}: install the same on both")
        for digest in needs.nets:
            lacking = [address for address, answer in answers.items() if digest in answer.lacks]
            if lacking:
                parcel = {digest: networks[digest].read_bytes()}
                with self._spoken():
                    said = self._client.run(parcels.store, parcel, workers=lacking, on_error="return")
                for address, problem in sorted(said.items()):
                    if isinstance(problem, ValueError):         # any other is of a worker that has died
                        raise ClusterError(f"worker {named(answers[address])} cannot do it: {problem}")
        return str(first.identity)

    def _inspected(self, needs: Needs, work: Work) -> dict[str, Any]:
        """What each worker says to the work; one that dies over it is not there."""
        for _ in range(ROUNDS):
            with self._spoken():
                said = self._client.run(task.inspect, needs, work, on_error="return")
            if answers := {address: answer for address, answer in said.items() if not isinstance(answer, OSError)}:
                return answers
            time.sleep(ROUND_S)
        return {}

    def submit(self, piece: Task) -> Future[Answer]:
        where = {"workers": sorted(self._count()), "allow_other_workers": False} if self._refused else {}
        with self._spoken():
            # Two tasks are never one for Dask, even if they are alike: the second may be sent because the first failed.
            submitted: Future[Answer] = self.executor.submit(piece, pure=False, **where)   # type: ignore[call-arg]
            return submitted

    def recover(self, error: BaseException) -> bool:
        if isinstance(error, CancelledError):
            deadline = time.monotonic() + CUT_S
            while self._client.status == "connecting" and time.monotonic() < deadline:
                time.sleep(0.1)
            if self._client.status == "running":
                return True
            raise ClusterError(f"the connection to the scheduler at {self._where} is lost; {GOES_ON}") from None
        if isinstance(error, RuntimeError) and "deserialization of the task graph" in str(error):
            raise ClusterError(f"the scheduler at {self._where} has no Barreleye, or another one: install the same "
                               "version on it") from None
        from distributed import KilledWorker

        if isinstance(error, KilledWorker):
            raise ClusterError(f"several workers in a row have died of one task, {error.task}; {GOES_ON}") from None
        return isinstance(error, OSError) and self._client.status == "connecting"

    def refuse(self, answer: Answer) -> None:
        """A worker that came late and is not fit is left alone from now on; the others go on."""
        if answer.address not in self._refused:
            self._refused.add(answer.address)
            self._counted = 0.0
            caution.warn(f"worker {named(answer)} {answer.problem}; it is given no work")
        if not self._count():
            raise ClusterError(f"worker {named(answer)} {answer.problem}; no other is left; {GOES_ON}")

    def call_off(self, job: str) -> None:
        with contextlib.suppress(Exception):        # whoever cannot be told any more finds out by its own task's end
            self._client.sync(self._client._run, task.call_off, job, on_error="ignore", callback_timeout=GOODBYE_S)

    @contextlib.contextmanager
    def _spoken(self) -> Any:
        """What fails in talking to the scheduler, in one sentence."""
        try:
            yield
        except (OSError, TimeoutError, CancelledError) as error:
            raise ClusterError(f"the scheduler at {self._where} does not answer "
                               f"({error or type(error).__name__}); {GOES_ON}") from None
        except RuntimeError as error:
            if self._client.status == "running":
                raise
            raise ClusterError(f"the connection to the scheduler at {self._where} is lost; {GOES_ON}") from error


def named(answer: Answer) -> str:
    """A worker by its name and where it is."""
    return answer.name if answer.name == answer.address else f"{answer.name} ({answer.address})"


def problem_of(address: str, answer: Any) -> str | None:
    """What is wrong with a worker by what it answered; None when nothing is."""
    if isinstance(answer, Answer):
        return f"worker {named(answer)} {answer.problem}" if answer.problem else None
    # What a worker cannot even unpickle comes back as text.
    if (missing := NO_MODULE.search(str(answer))) and missing[1] != "barreleye":
        return f"worker {address} has no {missing[1]}, which this work needs: install it there"
    if any(word in repr(answer) for word in ("ModuleNotFoundError", "ImportError", "AttributeError")):
        return f"worker {address} has no Barreleye, or another one: install the same version on it ({answer})"
    return f"worker {address} cannot be used: {answer}"


def site_of(executor: Any) -> Site:
    """The site that an executor, or a client of Dask, stands for."""
    if not isinstance(executor, Executor) and hasattr(executor, "get_executor"):
        executor = executor.get_executor()
    if not isinstance(executor, Executor):
        raise TypeError(f"{executor!r} is no executor: give a concurrent.futures.Executor or a dask.distributed.Client")
    return DaskSite(executor) if type(executor).__module__.startswith("distributed.") else Site(executor)
