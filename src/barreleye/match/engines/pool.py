"""Started engines waiting for their next game, shared by all games that are played at the same time."""

from __future__ import annotations

import asyncio

from barreleye.match.engines.client import UciClient
from barreleye.match.engines.player import UciPlayer
from barreleye.match.engines.spec import EngineSpec
from barreleye.match.engines.watchdog import Watchdog

MAX_IDLE = 16  # processes kept waiting; beyond it the one that waited longest is ended


class EnginePool:
    def __init__(self, chess960: bool = False) -> None:
        self._watchdog = Watchdog()
        self._chess960 = chess960
        self._idle: list[UciClient] = []  # longest waiting first
        self._all: set[UciClient] = set()

    async def acquire(self, spec: EngineSpec) -> UciClient:
        """A running engine of this kind that nobody else plays with."""
        for client in [one for one in self._idle if one.player.spec is spec]:
            self._idle.remove(client)
            if client.player.is_alive:
                return client
            await self.discard(client)
        client = UciClient(UciPlayer(spec, self._watchdog))
        await client.start(self._chess960)
        self._all.add(client)
        return client

    async def release(self, client: UciClient) -> None:
        self._idle.append(client)
        if len(self._idle) > MAX_IDLE:
            await self.discard(self._idle.pop(0))

    async def discard(self, client: UciClient, at_once: bool = False) -> None:
        self._all.discard(client)
        await client.close(at_once)

    async def close(self, at_once: bool = False) -> None:
        """End every engine, then the watchdog: afterwards no process is left, and every game's thread has ended."""
        if at_once:
            for client in self._all:
                client.player.kill()
        await asyncio.gather(*(client.close(at_once) for client in self._all))
        self._all.clear()
        self._idle.clear()
        self._watchdog.close()
