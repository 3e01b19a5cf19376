"""Who may talk to the server: whoever has the token, from a page of this server, under a name that is ours."""

from __future__ import annotations

import ipaddress
import secrets
import socket
from http.cookies import CookieError, SimpleCookie
from typing import Any
from urllib.parse import parse_qs, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse, RedirectResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

# Nothing from elsewhere, nothing inline: a name in a game that looks like HTML stays a name.
POLICY = ("default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; object-src 'none'")
HEADERS = {"Content-Security-Policy": POLICY, "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer",
           "Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Resource-Policy": "same-origin",
           "Cache-Control": "no-cache"}
NOT_OURS = "This server answers only under the address that barreleye web has printed.\n"
NO_TOKEN = "Open the whole address that barreleye web has printed, with the token in it.\n"
POLICY_VIOLATION = 1008


class Guard:
    """Stands before the application and passes on only what comes from our own page."""

    def __init__(self, app: ASGIApp, token: str, host: str, port: int) -> None:
        self.app = app
        self.token = token
        self.cookie = f"barreleye-{port}"          # cookies know nothing of ports
        self.host = host
        self.port = port

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        problem = self.problem(scope, headers)
        if scope["type"] == "websocket":
            if problem or not self.has_token(headers):
                await send({"type": "websocket.close", "code": POLICY_VIOLATION})       # before it was accepted: 403
            else:
                await self.app(scope, receive, send)
            return
        if problem:
            await PlainTextResponse(problem, 403)(scope, receive, with_headers(send))
        elif self.brings_token(scope):
            answer = RedirectResponse("/", 303)
            answer.set_cookie(self.cookie, self.token, httponly=True, samesite="strict", path="/")
            await answer(scope, receive, with_headers(send))
        elif not self.has_token(headers):
            await PlainTextResponse(NO_TOKEN, 403)(scope, receive, with_headers(send))
        else:
            await self.app(scope, receive, with_headers(send))

    def problem(self, scope: Scope, headers: Headers) -> str | None:
        """Why a request is refused, None when it is not: browsers say what page it comes from where it matters."""
        if not self.is_ours(headers.get("host", "")):
            return NOT_OURS
        origin = headers.get("origin")
        if origin is None:
            return NOT_OURS if scope["type"] == "websocket" or scope.get("method") not in ("GET", "HEAD") else None
        return None if origin == f"http://{headers['host']}" else NOT_OURS

    def is_ours(self, host: str) -> bool:
        """Whether a name with a port is this server's: no name that somebody else's DNS could give to this machine."""
        try:
            parts = urlsplit(f"//{host}")
            name, port = parts.hostname or "", parts.port or 80
        except ValueError:
            return False
        if port != self.port:
            return False
        if name in ("localhost", self.host.lower()):
            return True
        try:
            address = ipaddress.ip_address(name)
        except ValueError:
            return is_open(self.host) and name == socket.gethostname().lower()
        return address.is_loopback or is_open(self.host)

    def brings_token(self, scope: Scope) -> bool:
        """Whether the address has the token in it."""
        given = parse_qs(scope.get("query_string", b"").decode("latin-1")).get("token", [""])[0]
        return scope["path"] == "/" and secrets.compare_digest(given.encode(), self.token.encode())

    def has_token(self, headers: Headers) -> bool:
        """Whether the browser has been given the token before."""
        try:
            known = SimpleCookie(headers.get("cookie", "")).get(self.cookie)
        except CookieError:
            return False
        return known is not None and secrets.compare_digest(known.value.encode(), self.token.encode())


def is_open(host: str) -> bool:
    """Whether other machines can reach a server that listens there."""
    try:
        return not ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host != "localhost"


def with_headers(send: Send) -> Send:
    """Every answer says what a browser may do with it; an answer's own word counts for more."""
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers: Any = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers.setdefault(name, value)
        await send(message)

    return sending
