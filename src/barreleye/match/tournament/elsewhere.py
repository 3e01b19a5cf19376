"""The games of a match on a cluster: each played from start to end by one worker, with engines that run there."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from concurrent.futures import Executor
from dataclasses import dataclass, field, replace

from barreleye.match.engines.player import UciPlayer
from barreleye.match.engines.spec import EngineSpec
from barreleye.match.engines.watchdog import Watchdog
from barreleye.match.games.game import UNUSABLE, GameRecord, MatchGame
from barreleye.match.games.pgn import game_as_pgn
from barreleye.match.games.referee import Referee, TablebaseReferee
from barreleye.match.tournament.schedule import Fixture
from barreleye.match.tournament.settings import MatchSettings
from barreleye.opening_books import Start
from barreleye.work.crew import Crew
from barreleye.work.facts import needs_of


class TableTool:
    """The engines of a match, started when their first game begins and kept for the next ones."""

    def __init__(self, settings: MatchSettings) -> None:
        self._settings = settings
        self._watchdog = Watchdog()
        self._players: dict[str, UciPlayer] = {}
        self.tables = TablebaseReferee(settings.tablebase) if settings.tablebase else None

    def player(self, spec: EngineSpec) -> UciPlayer:
        """An engine that runs; ValueError says why it cannot."""
        player = self._players.get(spec.name)
        if player is None or not player.is_alive:
            self.discard(spec.name)
            player = UciPlayer(spec, self._watchdog)
            player.start(self._settings.chess960)
            self._players[spec.name] = player
        return player

    def discard(self, name: str) -> None:
        """End an engine that is not to be trusted any more."""
        if (player := self._players.pop(name, None)) is not None:
            player.close(at_once=True)

    def stop(self) -> None:
        for player in list(self._players.values()):
            player.kill()

    def close(self) -> None:
        for name in list(self._players):
            self._players.pop(name).close()
        self._watchdog.close()


@dataclass(frozen=True)
class GameWork:
    """The games of a match by its settings."""

    settings: MatchSettings
    with_pgn: bool = field(default=False)

    def tool(self) -> TableTool:
        return TableTool(self.settings)

    def do(self, tool: TableTool, item: tuple[Fixture, Start], over: threading.Event) -> tuple[GameRecord, str]:
        """A game's record, and its text if that is wanted."""
        fixture, opening = item
        settings = self.settings
        specs = settings.engines[fixture.white], settings.engines[fixture.black]
        white, black = (tool.player(spec) for spec in specs)
        referee = Referee(settings.resign, settings.draw, settings.max_moves, tool.tables)
        game = MatchGame(fixture.number, white, black, (settings.control_of(specs[0]), settings.control_of(specs[1])),
                         opening, referee, settings.chess960, settings.margin_ms, settings.hang_s)
        record = game.play()
        if record.fault and record.reason in UNUSABLE:
            tool.discard(record.fault)
        return record, asyncio.run(game_as_pgn(game, record)) if self.with_pgn else ""

    def identity(self) -> str:
        """The engines as they call themselves; ValueError names one that is not there, or does not start."""
        for engine in self.settings.engines:
            engine.resolved_command()
        with contextlib.closing(self.tool()) as tool:
            return ", ".join(f"{tool.player(engine).id_name} for {engine.name}" for engine in self.settings.engines)


def crew_for(executor: Executor, settings: MatchSettings, with_pgn: bool) -> Crew:
    """The workers of an executor, if they can play this match; ClusterError names one that cannot."""
    needs, _ = needs_of([], [settings.tablebase or ""])
    # Where results go, which book they come from and when they are enough is nothing to those who play.
    played = replace(settings, pgn=None, json=None, openings=None, sprt=None, concurrency=1)
    return Crew(executor, GameWork(played, with_pgn), "match-games", needs)
