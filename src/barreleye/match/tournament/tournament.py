"""Plays a whole schedule: several games at a time, every result recorded at once, until all are played or decided."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from functools import partial

from barreleye.match.engines.pool import EnginePool
from barreleye.match.games.game import UNUSABLE, GameRecord, MatchGame
from barreleye.match.games.pgn import game_as_pgn
from barreleye.match.games.referee import Referee, TablebaseReferee
from barreleye.match.tournament.display import Watcher
from barreleye.match.tournament.elsewhere import crew_for
from barreleye.match.tournament.games_file import GamesFile
from barreleye.match.tournament.results import ResultsFile
from barreleye.match.tournament.schedule import Fixture
from barreleye.match.tournament.settings import MatchSettings
from barreleye.match.tournament.standings import Standings
from barreleye.work.crew import Crew

SWITCH_S = 0.0005


class Tournament:
    """Everything wrong with the settings shows in the constructor or when `run` starts the engines, before any game."""

    def __init__(self, settings: MatchSettings, watcher: Watcher, executor: Executor | None = None) -> None:
        self._settings = settings
        self._watcher = watcher
        self._schedule = settings.schedule()
        for engine in settings.engines if executor is None else ():
            engine.resolved_command()
        self._crew = crew_for(executor, settings, settings.pgn is not None) if executor is not None else None
        self._book = settings.open_book()
        self._tablebase = TablebaseReferee(settings.tablebase) if settings.tablebase else None
        self.standings = Standings(settings, self._schedule)
        self._results = ResultsFile(settings.json, settings.described(self._book)) if settings.json else None
        known = self._results.open() if self._results else []
        for record in known:
            if record.number < self._schedule.total:
                self.standings.add(record)
        self._pgn = GamesFile(settings.pgn) if settings.pgn else None
        if self._pgn:
            self._pgn.mend(self._results.pgn_end if self._results else None, {record.number for record in known})
        self.interrupted = False
        self._workers: list[asyncio.Task[None]] = []
        self._threads = ThreadPoolExecutor(settings.concurrency, "game")
        self._main: asyncio.Task[object] | None = None

    async def run(self) -> Standings:
        """Play what is missing. An interruption keeps the finished games and drops those in progress."""
        with contextlib.ExitStack() as files:
            for file in (self._pgn, self._results):
                if file:
                    files.callback(file.close)
            if not self.standings.is_complete:
                await (self._play_missing() if self._crew is None else self._play_elsewhere(self._crew))
        return self.standings

    async def _play_elsewhere(self, crew: Crew) -> None:
        """Have what is missing played by a crew, whose games come in the order of their numbers."""
        loop, end = asyncio.get_running_loop(), threading.Event()
        thread = ThreadPoolExecutor(1, "cluster")
        fixtures = ((one, self._book.opening(one.opening, self._settings.chess960)) for one in self._missing())
        games = crew.in_order(fixtures, end.is_set, self._schedule.total - len(self.standings.numbers))
        try:
            with self._stopping_on_signals():
                self._watcher.begin(self.standings)
                while self.standings.verdict is None:
                    played = await loop.run_in_executor(thread, partial(next, games, None))
                    if played is None:
                        break
                    self._keep(*played)
        except asyncio.CancelledError:
            if not self.interrupted:
                raise
        finally:
            end.set()
            await loop.run_in_executor(thread, games.close)         # after what it is waiting for
            thread.shutdown()
            self._watcher.end()

    async def _play_missing(self) -> None:
        pool = EnginePool(self._settings.chess960)
        finished_well = False
        try:
            with self._stopping_on_signals(), _quick_thread_switches():
                for engine in self._settings.engines:
                    await pool.release(await pool.acquire(engine))
                self._watcher.begin(self.standings)
                missing = self._missing()
                self._workers = [
                    asyncio.create_task(self._work(slot, missing, pool)) for slot in range(self._settings.concurrency)
                ]
                await self._wait_for_workers()
                finished_well = self.standings.played >= self._schedule.total
        except asyncio.CancelledError:
            if not self.interrupted:  # then somebody else wants this task to end
                raise
        finally:
            await pool.close(at_once=not finished_well)
            self._threads.shutdown()
            self._watcher.end()

    def _missing(self) -> Iterator[Fixture]:
        done = self.standings.numbers
        return (self._schedule.fixture(number) for number in range(self._schedule.total) if number not in done)

    async def _wait_for_workers(self) -> None:
        try:
            done, _ = await asyncio.wait(self._workers, return_when=asyncio.FIRST_EXCEPTION)
            for task in done:
                if not task.cancelled() and (error := task.exception()):
                    raise error
        finally:
            for task in self._workers:
                task.cancel()
            await asyncio.gather(*self._workers, return_exceptions=True)

    async def _work(self, slot: int, missing: Iterator[Fixture], pool: EnginePool) -> None:
        for fixture in missing:
            if self.standings.verdict is not None:
                return
            await self._play(slot, fixture, pool)

    async def _play(self, slot: int, fixture: Fixture, pool: EnginePool) -> None:
        settings = self._settings
        specs = settings.engines[fixture.white], settings.engines[fixture.black]
        white, black = [await pool.acquire(spec) for spec in specs]
        game = MatchGame(
            fixture.number,
            white.player,
            black.player,
            (settings.control_of(specs[0]), settings.control_of(specs[1])),
            self._book.opening(fixture.opening, settings.chess960),
            Referee(settings.resign, settings.draw, settings.max_moves, self._tablebase),
            settings.chess960,
            settings.margin_ms,
            settings.hang_s,
        )
        self._watcher.game_started(slot, game)
        record = await asyncio.get_running_loop().run_in_executor(self._threads, game.play)
        text = await game_as_pgn(game, record) if self._pgn else ""
        self._keep(record, text)
        for client in (white, black):
            if record.fault == client.player.spec.name and record.reason in UNUSABLE:
                await pool.discard(client, at_once=True)
            else:
                await pool.release(client)

    def _keep(self, record: GameRecord, text: str) -> None:
        """Record a game everywhere without giving way, so that no interruption can part the files."""
        if self.standings.verdict is not None:
            return  # the test was decided while this game was being finished
        self.standings.add(record)
        pgn_end = self._pgn.append(text) if self._pgn else None
        if self._results:
            self._results.append(record, self.standings.as_json(), pgn_end)
        self._watcher.game_finished(record, self.standings)
        if self.standings.verdict is not None:
            self._cancel_workers()

    def _cancel_workers(self) -> None:
        current = asyncio.current_task()
        for task in self._workers:
            if task is not current:
                task.cancel()

    def _interrupt(self) -> None:
        self.interrupted = True
        for task in self._workers:
            task.cancel()
        if not self._workers and self._main:
            self._main.cancel()

    @contextlib.contextmanager
    def _stopping_on_signals(self) -> Iterator[None]:
        """Ctrl-C, a kill or a closed terminal end the match in order, where the platform lets a loop hear of them."""
        self._main = asyncio.current_task()
        if sys.platform == "win32" or threading.current_thread() is not threading.main_thread():
            yield
            return
        loop = asyncio.get_running_loop()
        numbers = [signal.SIGINT, signal.SIGTERM]
        if signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:  # under nohup the match is to go on
            numbers.append(signal.SIGHUP)
        for number in numbers:
            loop.add_signal_handler(number, self._interrupt)
        try:
            yield
        finally:
            for number in numbers:
                loop.remove_signal_handler(number)


@contextlib.contextmanager
def _quick_thread_switches() -> Iterator[None]:
    """Let a thread that has just read a move take its time stamp soon, whatever the others are computing."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(SWITCH_S)
    try:
        yield
    finally:
        sys.setswitchinterval(before)
