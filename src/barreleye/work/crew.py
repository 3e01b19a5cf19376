"""Work given to workers elsewhere: cut into tasks of some seconds, a bounded number under way, results in order.

A task that is lost with its worker is done again by another. What comes back depends on the work and its items alone:
neither the number of workers nor what happens to them shows in the results.
"""

from __future__ import annotations

import contextlib
import uuid
from collections import deque
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import Future
from concurrent.futures import TimeoutError as NotYet
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, TypeVar

from barreleye import caution
from barreleye.work.errors import ClusterError
from barreleye.work.facts import Needs
from barreleye.work.site import GOES_ON, site_of
from barreleye.work.task import Answer, Task, Work

T = TypeVar("T")
TASK_S = 2.0                # what a task should take: long beside what sending it costs, short beside patience
AHEAD = 3                   # tasks under way for each worker: one it does, one it has, one for the results to wait on
MOST_ITEMS = 2048           # of a task
GROWTH = 4                  # by which a task may have more items than the one before
ATTEMPTS = 10               # that a task has
LOOK_S = 0.25               # between two looks at whether there are workers, and whether anybody still waits


def never() -> bool:
    """Whether nobody waits for results any more: somebody does to the end."""
    return False


@dataclass
class Flight:
    """A task that is under way, and what to send again if it is lost."""

    task: Task
    future: Future[Answer]


class Crew:
    """Whoever does one kind of work. Leaving the `with` block calls off what is still under way."""

    def __init__(self, executor: Any, work: Work, name: str, needs: Needs, networks: dict[str, Path] | None = None,
                 ) -> None:
        """Ask every worker whether it is fit for the work, and send it the networks that it lacks.

        name is what Dask's dashboard shows, words with hyphens; networks are files by their digests.
        """
        self._site = site_of(executor)
        self._work, self._name, self._needs, self._networks = work, name, needs, networks or {}
        self._job = uuid.uuid4().hex
        self._size = 1                          # items of the next task
        self._sent = 0
        self._flying: deque[Flight] = deque()
        self._said: set[str] = set()
        self.cpu_seconds = 0.0                  # of the workers, for what has come back
        self._identity = self._site.prepare(needs, work, self._networks)

    @property
    def count(self) -> int:
        """How many tasks are done at the same time."""
        return self._site.slots()

    def in_order(self, items: Iterable[Any], until: Callable[[], bool] = never,
                 total: int = 0) -> Generator[Any, None, None]:
        """The result for each item, in the order of the items, of which only the next ones are asked for.

        until is asked now and then whether nobody waits for more; the results end then. Where the number of items is
        known, the last tasks are small, so that all workers are done at about the same time.
        """
        source = iter(items)
        try:
            is_exhausted, taken = False, 0
            while not until():
                if not is_exhausted and len(self._flying) < AHEAD * self.count:
                    batch = tuple(islice(source, self._share(total - taken) if total else self._size))
                    taken += len(batch)
                    is_exhausted = not batch
                    if batch:
                        self._flying.append(self._send(batch))
                    if self._flying and not self._flying[0].future.done():
                        continue
                if not self._flying:
                    return
                for result in self._landed(until):
                    yield result
                    if until():
                        return
        finally:
            self.close()

    def _share(self, left: int) -> int:
        """How many of the items that are left the next task has."""
        return max(1, min(self._size, left // (AHEAD * self.count)))

    def _send(self, items: tuple[Any, ...]) -> Flight:
        self._sent += 1
        piece = Task(f"{self._name}-{self._sent}", self._job, self._needs, self._work, self._identity, items)
        return Flight(piece, self._site.submit(piece))

    def _landed(self, until: Callable[[], bool]) -> tuple[Any, ...]:
        """The results of the first task that is under way, whatever it took to get them; none when nobody waits."""
        flight = self._flying[0]
        for _ in range(ATTEMPTS):
            answer = self._answer(flight, until)
            if until():
                return ()
            if answer is not None and answer.results is not None:
                self._note(answer, len(flight.task.items))
                self._flying.popleft()
                return answer.results
            piece = flight.task
            if answer is not None and answer.problem is not None:
                self._site.refuse(answer)
            elif answer is not None and answer.lacks:
                piece = piece.with_networks({one: self._networks[one].read_bytes() for one in answer.lacks})
            flight.future = self._site.submit(piece)
        raise ClusterError(f"{flight.task.__name__} was lost {ATTEMPTS} times in a row; {GOES_ON}")

    def _answer(self, flight: Flight, until: Callable[[], bool]) -> Answer | None:
        """What came back; None when the task was lost and is to be sent again, or nobody waits."""
        while not until():
            try:
                return flight.future.result(timeout=LOOK_S)
            except NotYet:
                if flight.future.done():            # the task itself was out of time
                    raise
                self._site.slots()                  # says so when nobody is left
            except Exception as error:
                if not self._site.recover(error):
                    raise
                return None
        return None

    def _note(self, answer: Answer, items: int) -> None:
        """Learn from a task how large the next should be, and pass on what the worker had to say."""
        self.cpu_seconds += answer.cpu_seconds
        wanted = int(TASK_S * items / max(answer.seconds, 1e-6))
        self._size = max(1, min(wanted, GROWTH * max(self._size, items), MOST_ITEMS))
        for note in answer.notes:
            if note not in self._said:
                self._said.add(note)
                caution.warn(f"worker {answer.name}: {note}")

    def close(self) -> None:
        """Call off what is under way; nobody waits for it."""
        if not self._flying:
            return
        while self._flying:
            with contextlib.suppress(Exception):            # the scheduler may be gone
                self._flying.pop().future.cancel()
        self._site.call_off(self._job)

    def __enter__(self) -> Crew:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
