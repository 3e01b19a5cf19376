"""The application: the page's files, the pieces, and a websocket for each tab."""

from __future__ import annotations

import asyncio
from importlib.resources import files
from pathlib import Path

import chess
import chess.svg
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp
from starlette.websockets import WebSocket

from barreleye.analysis.replay import integrity
from barreleye.web.games import Shelf
from barreleye.web.guard import Guard
from barreleye.web.messages import MOST_PGN, Problem
from barreleye.web.session import Session

MOST_TABS = 4                   # each has an engine
REPORT_POLICY = (f"default-src 'none'; script-src '{integrity()}'; style-src 'unsafe-inline'; base-uri 'none'; "
                 "form-action 'none'; frame-ancestors 'none'")
TOO_MANY = 4429                 # a code of our own, which the page knows
STATIC = Path(str(files("barreleye.web"))) / "static"
PALETTE = Path(str(files("barreleye.pictures"))) / "palette.css"


async def page(_: Request) -> Response:
    return FileResponse(STATIC / "index.html", media_type="text/html")


async def palette(_: Request) -> Response:
    return FileResponse(PALETTE, media_type="text/css")


async def piece(request: Request) -> Response:
    """A man as a picture of its own, from the drawings that reports and notebooks use."""
    name = request.path_params["name"]
    drawn = chess.svg.PIECES.get(name[1:] if name[:1] == "b" else name[1:].upper()) if name[:1] in ("b", "w") else None
    if drawn is None or len(name) != 2:
        return PlainTextResponse("There is no such piece.\n", 404)
    return Response(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 45 45">{drawn}</svg>',
                    media_type="image/svg+xml", headers={"Cache-Control": "max-age=86400"})


async def games(request: Request) -> Response:
    """Games as PGN, brought by a tab."""
    text = bytearray()
    async for part in request.stream():
        text += part
        if len(text) > MOST_PGN:
            return JSONResponse({"error": f"A file may have up to {MOST_PGN >> 20} MiB."}, 413)
    shelf: Shelf = request.app.state.tabs.shelf
    try:
        return JSONResponse(await asyncio.to_thread(shelf.bring, text.decode("utf-8", "replace")))
    except Problem as problem:
        return JSONResponse({"error": str(problem)}, 422)


async def report(request: Request) -> Response:
    """A report of a game, as annotate writes it: its own script and no other, so its own styles may be used."""
    shelf: Shelf = request.app.state.tabs.shelf
    found = shelf.reports.get(request.path_params["name"])
    if found is None:
        return PlainTextResponse("This report is no longer here: annotate the game again.\n", 404)
    return HTMLResponse(found, headers={"Content-Security-Policy": REPORT_POLICY})


class Tabs:
    """Who is connected, and what they have brought."""

    def __init__(self) -> None:
        self.open: set[Session] = set()
        self.shelf = Shelf()

    async def talk(self, socket: WebSocket) -> None:
        """One tab, from its opening to its closing."""
        await socket.accept()
        if len(self.open) >= MOST_TABS:
            await socket.close(TOO_MANY, "too many tabs")
            return
        session = Session(socket, self.shelf)
        self.open.add(session)
        try:
            await session.serve()
        finally:
            self.open.discard(session)


def application(token: str, host: str, port: int) -> ASGIApp:
    """Everything, behind its guard."""
    tabs = Tabs()
    app = Starlette(routes=[
        Route("/", page), Route("/palette.css", palette), Route("/pieces/{name}.svg", piece),
        Route("/games", games, methods=["POST"]), Route("/report/{name}", report),
        WebSocketRoute("/talk", tabs.talk), Mount("/static", StaticFiles(directory=STATIC)),
    ])
    app.state.tabs = tabs
    return Guard(app, token, host, port)
