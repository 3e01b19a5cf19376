"""An engine for asyncio: the calls of a player, awaited while they block a thread of their own."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TypeVar

from barreleye.match.engines.player import Reply, UciPlayer

Result = TypeVar("Result")


class UciClient:
    """Cancelling a call ends the engine, since a conversation broken off in the middle cannot be taken up again."""

    def __init__(self, player: UciPlayer) -> None:
        self.player = player

    async def start(self, chess960: bool = False) -> None:
        await self._in_thread(self.player.start, chess960)

    async def new_game(self) -> None:
        await self._in_thread(self.player.new_game)

    async def play(self, position: str, go: str, limit_s: float) -> Reply:
        return await self._in_thread(self.player.play, position, go, limit_s)

    async def close(self, at_once: bool = False) -> None:
        await asyncio.to_thread(self.player.close, at_once)

    async def _in_thread(self, call: Callable[..., Result], *arguments: object) -> Result:
        try:
            return await asyncio.to_thread(call, *arguments)
        except asyncio.CancelledError:
            self.player.kill()
            raise
