"""Starting the server: a free port, an address with a token, a browser that opens it."""

from __future__ import annotations

import asyncio
import errno
import secrets
import socket
import threading
import webbrowser
from collections.abc import Callable

import uvicorn

from barreleye.web.app import application
from barreleye.web.guard import is_open
from barreleye.web.messages import MOST_BYTES

DEFAULT_PORT = 8532
PATIENCE_S = 1                  # for tabs that are still open when the server ends


def listen(host: str, port: int | None) -> socket.socket:
    """A socket that listens: at the port that is asked for, or at one that is free."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    asked = f"{host} port {port}" if port is not None else host
    for number in [port] if port is not None else [DEFAULT_PORT, 0]:
        found = socket.socket(family, socket.SOCK_STREAM)
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            found.bind((host, number))
            found.listen(64)
            return found
        except OSError as error:
            found.close()
            problem = error
    unknown = isinstance(problem, socket.gaierror) or problem.errno == errno.EADDRNOTAVAIL
    raise ValueError(f"{asked} cannot be used: {problem.strerror or problem}; choose another with "
                     f"{'--host' if unknown else '--port'}")


def address(host: str, port: int, token: str) -> str:
    """What to open in a browser on this machine."""
    name = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(host, f"[{host}]" if ":" in host else host)
    return f"http://{name}:{port}/?token={token}"


class Server(uvicorn.Server):
    """A server that says when it is ready."""

    def __init__(self, host: str, sock: socket.socket, token: str, on_ready: Callable[[str], object]) -> None:
        port = sock.getsockname()[1]
        self.sock = sock
        self.address = address(host, port, token)
        self.on_ready = on_ready
        super().__init__(uvicorn.Config(
            application(token, host, port), log_level="error", access_log=False, server_header=False,
            ws_max_size=MOST_BYTES, ws_ping_interval=20, lifespan="off", timeout_graceful_shutdown=PATIENCE_S))

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self.on_ready(self.address)

    def go_on(self) -> None:
        """Serve until it is told to end."""
        asyncio.run(self.serve([self.sock]))


def serve(host: str, port: int | None, opens_browser: bool, say: Callable[[str], object]) -> None:
    """Serve until Ctrl-C."""
    sock = listen(host, port)

    def ready(where: str) -> None:
        say(f"Barreleye is at {where}")
        if is_open(host):
            say("Whoever has this address can use it from other machines.")
        say("Press Ctrl-C to end it.")
        if opens_browser:
            threading.Thread(target=webbrowser.open, args=(where,), daemon=True).start()

    Server(host, sock, secrets.token_urlsafe(24), ready).go_on()
