"""How a duel or a tuning is shown while it is played: a live panel in a terminal, now and then a line elsewhere."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from rich.console import Console
from rich.live import Live as RichLive
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from barreleye.cli.board import ACCENT, BAD, GOOD, QUIET
from barreleye.cli.progress import duration
from barreleye.match.tournament.report import elo_text

if TYPE_CHECKING:
    from barreleye.lab.standing import Standing

T = TypeVar("T")
LINE_S = 10.0               # between two lines without a terminal
BAR = 40                    # letters of the bar of results


class Silent(Generic[T]):
    """Shows nothing."""

    def __enter__(self) -> Silent[T]:
        return self

    def __exit__(self, *_: object) -> None:
        """There is nothing to put away."""

    def show(self, found: T) -> None:
        """Hear of a change."""


class Lines(Silent[T]):
    """A line at the beginning of something resumed and one every few seconds, for logs and pipes."""

    def __init__(self, standing_of: Callable[[T], Standing], line_of: Callable[[T], str]) -> None:
        self._standing_of, self._line_of = standing_of, line_of
        self._last = time.monotonic()

    def show(self, found: T) -> None:
        standing = self._standing_of(found)
        if standing.found and standing.games == standing.found and not standing.seconds:
            print(f"going on after {standing.found} of {standing.total} games", file=sys.stderr, flush=True)
        elif time.monotonic() - self._last >= LINE_S:
            self._last = time.monotonic()
            print(f"{self._line_of(found)}; {going(standing)}", file=sys.stderr, flush=True)


class Live(Silent[T]):
    """A panel that follows."""

    def __init__(self, panel_of: Callable[[T], Panel]) -> None:
        self._panel_of = panel_of
        self._found: T | None = None
        self._live = RichLive(console=Console(stderr=True, highlight=False), get_renderable=self._panel,
                              refresh_per_second=2, transient=True, vertical_overflow="crop")

    def __enter__(self) -> Live[T]:
        self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._live.stop()

    def show(self, found: T) -> None:
        self._found = found

    def _panel(self) -> Any:
        return Text("") if self._found is None else self._panel_of(self._found)


def view_of(is_quiet: bool, standing_of: Callable[[T], Standing], line_of: Callable[[T], str],
            panel_of: Callable[[T], Panel]) -> Silent[T]:
    """Who shows how games go on: nobody, a live panel in a terminal, lines elsewhere."""
    return Silent() if is_quiet else Live(panel_of) if sys.stderr.isatty() else Lines(standing_of, line_of)


def duel_view(is_quiet: bool) -> Silent[Standing]:
    """Who shows how a duel goes on."""
    return view_of(is_quiet, lambda standing: standing, lambda standing: standing.line(), panel)


def panel(standing: Standing) -> Panel:
    """A standing as it is drawn."""
    score = standing.score
    grid = Table.grid(padding=(0, 2))
    grid.add_column(style=QUIET)
    grid.add_column(no_wrap=True)
    share = f"  {100 * score.points / score.games:.1f} %" if score.games else ""
    grid.add_row("games", f"{standing.games} of {standing.total}{share}")
    grid.add_row("won", results_bar(standing))
    grid.add_row("", f"{score.wins} won, {score.draws} drawn, {score.losses} lost")
    grid.add_row("Elo", Text(elo_text(score.elo()), style=ACCENT))
    grid.add_row("nElo", elo_text(score.normalized_elo()))
    grid.add_row("stronger", f"{100 * score.likelihood_of_superiority():.1f} % likely")
    grid.add_row("pairs", " ".join(map(str, score.pairs)) + "   by points 0, 0.5, 1, 1.5, 2")
    if standing.sprt and standing.llr is not None:
        sprt = standing.sprt
        grid.add_row("SPRT", f"[{sprt.elo0:g}, {sprt.elo1:g}]  LLR {standing.llr:.2f} "
                             f"({sprt.lower:.2f}, {sprt.upper:.2f})")
    if standing.seconds:
        grid.add_row("pace", going(standing))
    first, second = standing.names
    return Panel(grid, title=Text(f"{first} against {second}"), title_align="left", expand=False, border_style=QUIET)


def going(standing: Standing) -> str:
    """The pace and what is left; a sequential test may be over sooner."""
    left = standing.seconds_left
    most = "at most " if standing.sprt else ""
    return f"{standing.games_an_hour:.0f} games an hour" + ("" if left is None else f", {most}{duration(left)} left")


def results_bar(standing: Standing) -> Text:
    """Wins, draws and losses as lengths."""
    score, games = standing.score, max(1, standing.games)
    wins = round(BAR * score.wins / games)
    losses = round(BAR * score.losses / games)
    return Text.assemble(("█" * wins, GOOD), ("█" * ((BAR - wins - losses) if standing.games else 0), QUIET),
                         ("█" * losses, BAD))
