"""The progress bar of long commands: on standard error, in a terminal only."""

from __future__ import annotations

import sys
import threading
from time import monotonic
from typing import TYPE_CHECKING, Any, TypeVar

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from barreleye.cli.board import ACCENT, QUIET
from barreleye.terminal import printable

if TYPE_CHECKING:
    from barreleye.lab.standing import Standing

B = TypeVar("B", bound="Bar")


class Bar:
    """A bar at a terminal, with what is being done before it; nothing where nobody looks."""

    def __init__(self, *columns: ProgressColumn, total: int | None, **fields: Any) -> None:
        self._console = Console(stderr=True, highlight=False, markup=False)
        self._progress = Progress(
            TextColumn("{task.description}", style=QUIET, markup=False),
            BarColumn(complete_style=ACCENT, finished_style=ACCENT), *columns,
            console=self._console, transient=True, disable=not self._console.is_terminal)
        self._task = self._progress.add_task("", total=total, **fields)

    def __enter__(self: B) -> B:
        self._progress.start()
        return self

    def __exit__(self, *_: Any) -> None:
        self._progress.stop()

    def say(self, text: str) -> None:
        """What is being done."""
        self._progress.update(self._task, description=printable(text))


class GameBar(Bar):
    """A bar that counts games."""

    def __init__(self, total: int) -> None:
        super().__init__(MofNCompleteColumn(), TextColumn("games", style=QUIET), TimeElapsedColumn(),
                         TimeRemainingColumn(), total=total)

    def follow(self, standing: Standing) -> None:
        """Show the games of a duel as they come."""
        self._progress.update(self._task, completed=standing.games)


class PositionBar(Bar):
    """A bar that counts positions, with an estimate of the end. It is told from many threads."""

    def __init__(self) -> None:
        super().__init__(TextColumn("{task.fields[figures]}", style=QUIET, markup=False), TimeElapsedColumn(),
                         total=None, figures="")
        self._lock = threading.Lock()
        self._began = monotonic()
        self.known = self.fresh = 0             # positions of an interrupted run, and of this one
        self.total: int | None = None

    def __enter__(self) -> PositionBar:
        self._began = monotonic()
        return super().__enter__()

    def expect(self, total: int) -> None:
        """About how many positions there are in all; known better and better."""
        self.total = total

    def resume(self, count: int) -> None:
        """So many positions were found by an earlier run."""
        self.known += count
        self._show()

    def tick(self) -> None:
        """A position is done."""
        with self._lock:
            self.fresh += 1
            is_first = self.fresh == 1
        if is_first and self.known:
            print(f"going on after the {self.known} positions that an interrupted run has left", file=sys.stderr)
        self._show()

    def seconds_left(self) -> float | None:
        """Until the end at the pace of this run; None before there is one."""
        if self.total is None or not self.fresh:
            return None
        return max(0, self.total - self.known - self.fresh) * (monotonic() - self._began) / self.fresh

    def _show(self) -> None:
        done, total = self.known + self.fresh, self.total
        left = self.seconds_left()
        figures = f"{done} of about {total} positions" if total else f"{done} positions"
        self._progress.update(self._task, completed=done, total=total,
                              figures=figures + ("" if left is None else f", {duration(left)} left"))


def duration(seconds: float) -> str:
    """Seconds as people say them.

    >>> duration(42.4), duration(754), duration(9000)
    ('42 s', '12:34', '2:30:00')
    """
    minutes, rest = divmod(round(seconds), 60)
    if not minutes:
        return f"{rest} s"
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{rest:02d}" if hours else f"{minutes}:{rest:02d}"
