"""What a person sees while games are played: a live panel in a terminal, plain lines elsewhere, or only trouble."""

from __future__ import annotations

import asyncio
import contextlib
import sys
from time import monotonic
from typing import Any, TextIO

from barreleye.match.games.game import GameRecord, MatchGame
from barreleye.match.tournament.report import fault_report, status_line, summary_lines
from barreleye.match.tournament.standings import Standings

LINE_EVERY = 10  # games between two plain lines
REFRESH_S = 1.0  # drawing takes time that running clocks should not pay for often


class Watcher:
    """Hears of everything; this one shows nothing but trouble, which is never kept silent."""

    def __init__(self, errors: TextIO | None = None) -> None:
        self._errors = errors or sys.stderr

    def begin(self, standings: Standings) -> None:
        """The engines have started; games follow."""

    def game_started(self, slot: int, game: MatchGame) -> None:
        """A game begins in one of the places where games are played at the same time."""

    def game_finished(self, record: GameRecord, standings: Standings) -> None:
        if record.fault:
            print(fault_report(record), file=self._errors, flush=True)

    def end(self) -> None:
        """No more games; called also after an error."""


class LineWatcher(Watcher):
    """A line every few games, for logs and pipes."""

    _said = 0  # games that the last line told of

    def begin(self, standings: Standings) -> None:
        self._said = standings.played
        if standings.played:
            print(f"resuming after {standings.played} of {standings.total} games", flush=True)

    def game_finished(self, record: GameRecord, standings: Standings) -> None:
        super().game_finished(record, standings)
        if standings.played // LINE_EVERY > self._said // LINE_EVERY:
            self._said = standings.played
            print(status_line(standings), flush=True)


class LiveWatcher(Watcher):
    """A panel drawn once a second with rich: the score, the pace, and the games on the boards."""

    def __init__(self) -> None:
        super().__init__()
        self._games: dict[int, MatchGame] = {}
        self._live: Any = None
        self._task: asyncio.Task[None] | None = None
        self._standings: Standings | None = None
        self._started = 0.0
        self._games_before = 0

    def begin(self, standings: Standings) -> None:
        from rich.live import Live

        self._standings = standings
        self._started, self._games_before = monotonic(), standings.played
        self._live = Live(self._panel(), auto_refresh=False, transient=True)
        self._live.start()
        self._task = asyncio.get_running_loop().create_task(self._draw())

    def game_started(self, slot: int, game: MatchGame) -> None:
        self._games[slot] = game

    def game_finished(self, record: GameRecord, standings: Standings) -> None:
        if record.fault:
            self._live.console.print(fault_report(record), style="red", markup=False, highlight=False)

    def end(self) -> None:
        if self._task:
            self._task.cancel()
        if self._live:
            self._live.stop()

    async def _draw(self) -> None:
        while True:
            await asyncio.sleep(REFRESH_S)
            with contextlib.suppress(BlockingIOError):  # a terminal that does not keep up misses a frame
                self._live.update(self._panel(), refresh=True)

    def _panel(self) -> Any:
        from rich.panel import Panel
        from rich.text import Text

        assert self._standings is not None
        lines = summary_lines(self._standings)
        minutes = (monotonic() - self._started) / 60
        fresh = self._standings.played - self._games_before
        if minutes > 0 and fresh:
            lines.append(f"{fresh / minutes:.1f} games/min")
        lines += [game_line(self._games[slot]) for slot in sorted(self._games)]
        return Panel(Text("\n".join(lines)), expand=False)


def game_line(game: MatchGame) -> str:
    """What is being played on one board."""
    white, black = (player.spec.name for player in game.players)
    last = game.replies[-1] if game.replies else None
    score = f", {last.score_cp / 100:+.2f} for the side that moved" if last and last.score_cp is not None else ""
    move = f" move {len(game.moves) // 2 + 1}, last {game.moves[-1]}" if game.moves else ""
    return f"game {game.number + 1}: {white} - {black}{move}{score}"
