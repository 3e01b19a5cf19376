"""Matches between UCI engines with sound statistics: `play_match` plays, `MatchResult` tells.

>>> from barreleye.match import EngineSpec, play_match
>>> result = play_match([EngineSpec(("stockfish",)), "toga2"], tc="nodes=5000", games=20)    # doctest: +SKIP
>>> print(result.score.elo())    # doctest: +SKIP
"""

from __future__ import annotations

import asyncio
import dataclasses
import shlex
from collections.abc import Sequence
from concurrent.futures import Executor
from typing import Any

from barreleye.match.engines.client import UciClient
from barreleye.match.engines.player import EngineError
from barreleye.match.engines.spec import EngineSpec
from barreleye.match.games.clock import TimeControl
from barreleye.match.games.game import GameRecord
from barreleye.match.games.referee import DrawRule, Resign
from barreleye.match.statistics.ratings import Rating, rating_table
from barreleye.match.statistics.score import Estimate, Score
from barreleye.match.statistics.sprt import Sprt
from barreleye.match.tournament.display import LineWatcher, LiveWatcher, Watcher
from barreleye.match.tournament.report import summary_lines
from barreleye.match.tournament.settings import MatchSettings, Openings
from barreleye.match.tournament.standings import Standings
from barreleye.match.tournament.tournament import Tournament

__all__ = [
    "DrawRule",
    "EngineError",
    "EngineSpec",
    "Estimate",
    "GameRecord",
    "LineWatcher",
    "LiveWatcher",
    "MatchResult",
    "MatchSettings",
    "Openings",
    "Rating",
    "Resign",
    "Score",
    "Sprt",
    "TimeControl",
    "UciClient",
    "Watcher",
    "play_match",
    "rating_table",
    "run_match",
]


@dataclasses.dataclass(frozen=True)
class MatchResult:
    """The standings when the match ended, and whether it was interrupted before it should."""

    standings: Standings
    interrupted: bool = False

    @property
    def score(self) -> Score:
        """The first engine's results against the second."""
        return self.standings.score

    @property
    def games(self) -> list[GameRecord]:
        return self.standings.records

    @property
    def verdict(self) -> str | None:
        """`H0` or `H1` when an SPRT was decided."""
        return self.standings.verdict

    def ratings(self) -> list[Rating]:
        return self.standings.ratings()

    def __str__(self) -> str:
        return "\n".join(summary_lines(self.standings))

    def _repr_mimebundle_(self, **_: Any) -> dict[str, Any]:
        """What notebooks show."""
        from barreleye.pictures.notebook import of_games

        return of_games(str(self), " against ".join(self.standings.names[:2]), self.score.wins, self.score.draws,
                        self.score.losses)


async def run_match(settings: MatchSettings, watcher: Watcher | None = None,
                    executor: Executor | None = None) -> MatchResult:
    """Play a match inside a running event loop. ValueError says what is wrong before any game is played.

    executor has the games played elsewhere, by engines that are installed there.
    """
    tournament = Tournament(settings, watcher or Watcher(), executor)
    standings = await tournament.run()
    return MatchResult(standings, tournament.interrupted)


def play_match(
    engines: Sequence[EngineSpec | str],
    tc: TimeControl | str = "8+0.08",
    *,
    watcher: Watcher | None = None,
    executor: Executor | None = None,
    **settings: Any,
) -> MatchResult:
    """Play a match to its end. A string is an engine's command line; the other settings are those of MatchSettings."""
    specs = tuple(EngineSpec(tuple(shlex.split(one))) if isinstance(one, str) else one for one in engines)
    control = TimeControl.parse(tc) if isinstance(tc, str) else tc
    return asyncio.run(run_match(MatchSettings(specs, control, **settings), watcher, executor))
