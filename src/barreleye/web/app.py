"""The application: the page's files, the pieces, and a websocket for each tab."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

import chess
import chess.svg
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import FileResponse, PlainTextResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp
from starlette.websockets import WebSocket

from barreleye.web.guard import Guard
from barreleye.web.session import Session

MOST_TABS = 4                   # each has an engine
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


class Tabs:
    """Who is connected."""

    def __init__(self) -> None:
        self.open: set[Session] = set()

    async def talk(self, socket: WebSocket) -> None:
        """One tab, from its opening to its closing."""
        await socket.accept()
        if len(self.open) >= MOST_TABS:
            await socket.close(TOO_MANY, "too many tabs")
            return
        session = Session(socket)
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
        WebSocketRoute("/talk", tabs.talk), Mount("/static", StaticFiles(directory=STATIC)),
    ])
    app.state.tabs = tabs
    return Guard(app, token, host, port)
