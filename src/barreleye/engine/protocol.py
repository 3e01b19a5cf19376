"""A true chess.engine.Protocol without a process, and a true SimpleEngine around it; see barreleye.chess_engine."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Awaitable, Callable, Iterable, Mapping
from concurrent.futures import Future
from typing import TypeVar

import chess
from chess.engine import (
    INFO_ALL,
    INFO_NONE,
    AnalysisResult,
    ConfigMapping,
    ConfigValue,
    EngineError,
    EngineTerminatedError,
    Info,
    Limit,
    Opponent,
    PlayResult,
    Protocol,
    SimpleEngine,
    run_in_background,
)

from barreleye.engine import Engine

T = TypeVar("T")


class NativeTransport(asyncio.SubprocessTransport):
    """Stands where the pipes to a process would be. Closing it ends the engine."""

    def __init__(self, protocol: NativeProtocol) -> None:
        super().__init__()
        self._protocol = protocol
        self._code: int | None = None

    def get_pid(self) -> int:
        """The process the engine lives in: this one."""
        return os.getpid()

    def get_returncode(self) -> int | None:
        """0 once it is closed."""
        return self._code

    def close(self) -> None:
        """End the engine."""
        if self._code is None:
            self._code = 0
            self._protocol.connection_lost(None)

    kill = terminate = close


class NativeProtocol(Protocol):
    """chess.engine.Protocol without a process. A new command cancels the one before, as with any engine."""

    def __init__(self, engine: Engine | None = None) -> None:
        super().__init__()
        self.engine = engine or Engine()
        self.options = self.engine.options
        self.id = dict(self.engine.id)
        self._commands: set[asyncio.Task[object]] = set()

    def connection_lost(self, exc: Exception | None) -> None:
        """The transport was closed: whatever runs is over."""
        super().connection_lost(exc)
        for command in self._commands:
            command.cancel()
        self.engine.quit()

    async def _command(self, what: Callable[[], Awaitable[T]]) -> T:
        """Do one thing after cancelling what is still being done."""
        if self.returncode.done():
            raise EngineTerminatedError("this engine has been closed")
        before = list(self._commands)

        async def alone() -> T:
            for command in before:
                command.cancel()
            if before:
                await asyncio.wait(before)
            return await what()

        task = asyncio.ensure_future(alone())
        self._commands.add(task)
        task.add_done_callback(self._commands.discard)
        try:
            return await task
        except ValueError as error:
            raise EngineError(str(error)) from error
        except asyncio.CancelledError:
            if self.returncode.done():
                raise EngineTerminatedError("the engine was closed while it worked") from None
            raise

    async def initialize(self) -> None:
        """Nothing to wait for."""
        if self.initialized:
            raise EngineError("engine already initialized")
        self.initialized = True

    async def ping(self) -> None:
        """Return once the engine is idle."""
        await self._command(self.engine.aping)

    async def configure(self, options: ConfigMapping) -> None:
        """Set options for all searches to come."""
        await self._command(lambda: self.engine.aconfigure(options))

    async def send_opponent_information(self, *, opponent: Opponent | None = None,
                                        engine_rating: int | None = None) -> None:
        """Accepted and ignored: Barreleye plays the same against everyone."""

    async def play(self, board: chess.Board, limit: Limit, *, game: object = None, info: Info = INFO_NONE,
                   ponder: bool = False, draw_offered: bool = False, root_moves: Iterable[chess.Move] | None = None,
                   options: Mapping[str, ConfigValue] = {}, opponent: Opponent | None = None) -> PlayResult:
        """A move, and with ponder a search that goes on."""
        return await self._command(lambda: self.engine.aplay(
            board, limit, game=game, info=info, ponder=ponder, root_moves=root_moves, options=options))

    async def analysis(self, board: chess.Board, limit: Limit | None = None, *, multipv: int | None = None,
                       game: object = None, info: Info = INFO_ALL, root_moves: Iterable[chess.Move] | None = None,
                       options: Mapping[str, ConfigValue] = {}) -> AnalysisResult:
        """An analysis in the background."""
        return await self._command(lambda: self.engine.aanalysis(
            board, limit, multipv=multipv, game=game, info=info, root_moves=root_moves, options=options))

    async def send_game_result(self, board: chess.Board, winner: chess.Color | None = None,
                               game_ending: str | None = None, game_complete: bool = True) -> None:
        """Accepted and ignored: Barreleye does not learn from results."""

    async def quit(self) -> None:
        """End the engine."""
        assert self.transport is not None
        self.transport.close()


async def open_native(**settings: object) -> tuple[NativeTransport, NativeProtocol]:
    """What chess.engine.popen_uci gives, for an engine in this process; settings are options of Engine."""
    protocol = NativeProtocol(Engine(**settings))
    transport = NativeTransport(protocol)
    protocol.connection_made(transport)
    await protocol.initialize()
    return transport, protocol


def simple_engine(*, timeout: float | None = 10.0, debug: bool | None = None, **settings: object) -> SimpleEngine:
    """A chess.engine.SimpleEngine around an engine in this process. Close it as any other, best by `with`."""
    async def background(future: Future[SimpleEngine]) -> None:
        transport, protocol = await open_native(**settings)
        threading.current_thread().name = "SimpleEngine (barreleye)"
        engine = SimpleEngine(transport, protocol, timeout=timeout)
        try:
            future.set_result(engine)
            engine.returncode.set_result(await protocol.returncode)
        finally:
            engine.close()
        await engine.shutdown_event.wait()

    return run_in_background(background, name="SimpleEngine (barreleye)", debug=debug)
