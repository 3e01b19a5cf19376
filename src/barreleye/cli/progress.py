"""The progress bar of long commands: on standard error, in a terminal only."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from barreleye.cli.board import ACCENT, QUIET

if TYPE_CHECKING:
    from barreleye.lab.standing import Standing


class Bar:
    """A bar that counts whole things, with small steps between two of them."""

    def __init__(self, unit: str, total: int) -> None:
        self._console = Console(stderr=True, highlight=False)
        self._progress = Progress(
            TextColumn("{task.description}", style=QUIET), BarColumn(complete_style=ACCENT, finished_style=ACCENT),
            MofNCompleteColumn(), TextColumn(unit, style=QUIET), TextColumn("{task.fields[steps]}", style=QUIET),
            TimeElapsedColumn(), TimeRemainingColumn(), console=self._console, transient=True,
            disable=not self._console.is_terminal)
        self._task = self._progress.add_task("", total=total, steps="")
        self._steps = 0

    def __enter__(self) -> Bar:
        self._progress.start()
        return self

    def __exit__(self, *_: Any) -> None:
        self._progress.stop()

    def say(self, text: str) -> None:
        """What is being done."""
        self._progress.update(self._task, description=text)

    def tick(self) -> None:
        """A small step; from any thread."""
        self._steps += 1
        self._progress.update(self._task, steps=f"{self._steps} positions")

    def follow(self, standing: Standing) -> None:
        """Show the games of a duel as they come."""
        self._progress.update(self._task, completed=standing.games)

    def advance(self) -> None:
        """One thing is done."""
        self._progress.advance(self._task)
