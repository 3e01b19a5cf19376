"""One tab: it asks over its websocket, an engine of its own answers. Closed, it leaves nothing running."""

from __future__ import annotations

import asyncio
import contextlib
import json
import struct
import threading
import traceback
from collections.abc import Awaitable, Callable
from typing import Any

from chess.engine import EngineError
from starlette.websockets import WebSocket, WebSocketDisconnect

from barreleye import __version__, levels
from barreleye.core.facts import MAX_HASH_MB
from barreleye.core.machine import processors
from barreleye.core.techniques import TECHNIQUES
from barreleye.engine import Engine
from barreleye.web import commands, icicle, positions, questions
from barreleye.web.games import Shelf
from barreleye.web.job import Job, Jobs, Stopped
from barreleye.web.messages import Problem, Request
from barreleye.web.reports import Reports, counters
from barreleye.web.trees import Trees

REPORTS_PER_S = 20
TICKS_PER_S = 3                 # nodes and counters between reports
MOST_HASH_MB = 4096
MOST_RECORDED = 20_000_000      # nodes
Answer = dict[str, Any] | None


class Session:
    """The conversation with one tab."""

    def __init__(self, socket: WebSocket, shelf: Shelf) -> None:
        self.socket = socket
        self.shelf = shelf
        self.engine = Engine(Hash=64)
        self.jobs = Jobs()
        self.trees: Trees | None = None
        self.watches = False                # whether the tab shows counters
        self.search_number = 0
        self._sending = asyncio.Lock()

    # Talking

    async def serve(self) -> None:
        """Answer until the tab is closed."""
        try:
            while True:
                message = await self.socket.receive()
                if message["type"] == "websocket.disconnect":
                    return
                await self.answer(message.get("text") or message.get("bytes") or "")
        except (WebSocketDisconnect, RuntimeError):         # gone, or going while it was being told something
            pass
        finally:
            await self.close()

    async def close(self) -> None:
        """Leave nothing behind."""
        await self.jobs.stop()
        await asyncio.to_thread(self.engine.quit)
        self.trees = None

    async def answer(self, text: str | bytes) -> None:
        """Do what one message asks. What is wrong with it is a sentence; the conversation goes on."""
        number: int | None = None
        try:
            request = Request(text)
            number = request.id
            if request.what not in COMMANDS:
                raise Problem(f"There is nothing called {request.what!r} to do.")
            said = await COMMANDS[request.what](self, request)
            if said is not None:
                await self.send({"id": number, "ok": said})
        except (Problem, EngineError, ValueError) as error:
            await self.send({"id": number, "error": positions.sentence(str(error))})
        except (WebSocketDisconnect, RuntimeError):
            raise
        except Exception as error:          # a mistake of ours is no reason to lose what the tab has
            traceback.print_exc()
            await self.send({"id": number, "error": f"Something went wrong in Barreleye: {error!r}."})

    async def send(self, message: dict[str, Any], data: bytes | None = None) -> None:
        """Tell the tab something; an array follows the words in the same message, at a multiple of four."""
        text = json.dumps(message, separators=(",", ":"))
        async with self._sending:
            if data is None:
                await self.socket.send_text(text)
                return
            words = text.encode()
            words += b" " * (-len(words) % 4)
            await self.socket.send_bytes(struct.pack("<I", len(words)) + words + data)

    async def later(self, request: Request, work: Callable[[Job], dict[str, Any]]) -> None:
        """Do something that takes its time as the job of this tab, and answer when it is done."""
        async def run(job: Job) -> None:
            try:
                said = await asyncio.to_thread(work, job)
                job.check()
                await self.tell({"id": request.id, "ok": said})
            except Stopped:
                await self.tell({"id": request.id, "stopped": True})
            except (Problem, EngineError, ValueError, RuntimeError, MemoryError) as error:
                await self.tell({"id": request.id, "stopped": True} if job.is_stopped else
                                {"id": request.id, "error": positions.sentence(str(error))})

        await self.jobs.begin(run)

    async def tell(self, message: dict[str, Any]) -> None:
        """Send from a job, which may go on a moment longer than its tab."""
        with contextlib.suppress(RuntimeError, WebSocketDisconnect):
            await self.send(message)

    # What can be asked

    async def hello(self, _: Request) -> Answer:
        """What the page has to know before anything else."""
        return {
            "version": __version__, "processors": processors(), "mostHash": min(MOST_HASH_MB, MAX_HASH_MB),
            "techniques": [{"name": one.name, "item": one.item, "text": one.description, "on": one.default}
                           for one in TECHNIQUES],
            "recorded": icicle.decisive(), "legend": icicle.legend(),
            "levels": [{"name": level.name, "elo": level.elo} for level in levels.LEVELS] + [{"name": levels.FULL}]}

    async def position(self, request: Request) -> Answer:
        return positions.facts(*positions.place_of(request), request.words("later", longest=5))

    async def typed(self, request: Request) -> Answer:
        return positions.typed(*positions.place_of(request), request.text("text", most=120))

    async def stop(self, _: Request) -> Answer:
        await self.jobs.stop()
        return {}

    async def watch(self, request: Request) -> Answer:
        self.watches = request.flag("counters")
        return {"counters": counters(self.engine.stats())}

    async def go(self, request: Request) -> Answer:
        """Think, and report as it goes."""
        fen, moves = positions.place_of(request)
        board = positions.board_of(fen, moves)
        limit, lines = request.limit(), request.number("lines", 1, 10, 3)
        settings = self.settings(request)
        await self.jobs.stop()
        self.engine.configure(settings)
        self.engine.set_option("MultiPV", lines)
        self.engine.position(fen, moves)
        self.search_number += 1
        number, reports, over = self.search_number, Reports(board), threading.Event()

        async def run(job: Job) -> None:
            self.engine.go(limit or None, on_info=reports.hear, on_done=lambda _: over.set(),
                           on_error=lambda _: over.set())
            job.at_stop(self.engine.stop)
            try:
                await self.report(number, reports, over)
            except (RuntimeError, WebSocketDisconnect):
                self.engine.stop()

        await self.jobs.begin(run)
        return {"search": number}

    async def report(self, number: int, reports: Reports, over: threading.Event) -> None:
        """Tell what is new, not too often, until the search is over."""
        beat, since = 1 / REPORTS_PER_S, 0.0
        while not over.is_set():
            await asyncio.sleep(beat)
            since += beat
            news = reports.take()
            if news["lines"] or since >= 1 / TICKS_PER_S:
                since = 0.0
                await self.send({"event": "lines", "search": number, **news, **self.so_far()})
        await self.send({"event": "lines", "search": number, "done": True, **reports.take(), **self.so_far()})

    def so_far(self) -> dict[str, Any]:
        """What has been counted, if the tab shows it."""
        told: dict[str, Any] = {"nodes": self.engine.pool.nodes}
        if self.watches:
            told["counters"] = counters(self.engine.stats())
        return told

    def settings(self, request: Request) -> dict[str, Any]:
        """The options that a message asks for."""
        off = {name.lower() for name in request.words("off", most=len(TECHNIQUES))}
        unknown = off - {one.name.lower() for one in TECHNIQUES}
        if unknown:
            raise Problem(f"There is no technique called {sorted(unknown)[0]}.")
        found: dict[str, Any] = {one.option: one.default and one.name.lower() not in off for one in TECHNIQUES}
        found["Threads"] = request.number("threads", 1, 512, 1)
        found["Hash"] = request.number("hash", 1, MOST_HASH_MB, 64)
        return {name: value for name, value in found.items() if value != self.engine.lasting(name)}

    async def record(self, request: Request) -> None:
        """Search and write everything down."""
        place, nodes = positions.place_of(request), request.number("nodes", 1, MOST_RECORDED, 200_000)
        positions.board_of(*place)
        await self.jobs.stop()
        self.engine.configure(self.settings(request))

        def work(job: Job) -> dict[str, Any]:
            trees = Trees(lambda begun: self.engine.record(place, {"nodes": nodes}, options=questions.RECORDED,
                                                           on_start=begun), job.on_start)
            job.check()
            self.trees = trees
            return trees.facts()

        await self.later(request, work)

    def tree_of(self) -> Trees:
        if self.trees is None:
            raise Problem("No search has been recorded yet.")
        return self.trees

    async def icicle(self, request: Request) -> None:
        """The picture of a part of the recorded search."""
        trees, number = self.tree_of(), node_of(request)
        width, technique = request.number("width", 50, 4000), request.text("technique", "", 40)
        told, cells = await asyncio.to_thread(trees.icicle, number, width, technique)
        await self.send({"id": request.id, "ok": told}, cells)

    async def visit(self, request: Request) -> Answer:
        number = node_of(request)
        if number is None:
            raise Problem("Which visit?")
        return self.tree_of().card(number)

    async def rows(self, request: Request) -> Answer:
        return {"rows": self.tree_of().rows(node_of(request))}

    async def open(self, request: Request) -> None:
        """Search again to see what lies within a visit."""
        trees, number = self.tree_of(), node_of(request)
        if number is None:
            raise Problem("Which visit?")

        def work(job: Job) -> dict[str, Any]:
            trees.open(number, job.on_start)
            return {}

        await self.later(request, work)


def node_of(request: Request) -> int | None:
    """The visit that a message is about, None for the whole search."""
    return None if request.fields.get("node") is None else request.number("node", 0, 1 << 62)


COMMANDS: dict[str, Callable[[Session, Request], Awaitable[Answer]]] = {
    "hello": Session.hello, "position": Session.position, "typed": Session.typed, "go": Session.go,
    "stop": Session.stop, "watch": Session.watch, "record": Session.record, "icicle": Session.icicle,
    "visit": Session.visit, "rows": Session.rows, "open": Session.open, **commands.COMMANDS,
}
