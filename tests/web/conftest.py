"""A real server on a free port, and tabs that talk to it over real sockets."""

import importlib.util
import json
import os
import shutil
import struct
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from tests.waiting import PATIENCE_S

TOKEN = "a-token-for-tests"
CHROMIUM = os.environ.get("BARRELEYE_CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")


def pytest_collection_modifyitems(items):
    missing = [name for name in ("starlette", "uvicorn", "websockets") if importlib.util.find_spec(name) is None]
    if missing:
        for item in items:
            if "tests/web" in str(item.path):
                item.add_marker(pytest.mark.skip(reason=f"the page's server needs {' and '.join(missing)}"))


class Served:
    """A running server, and how to get in."""

    def __init__(self, server):
        self.server = server
        self.port = server.sock.getsockname()[1]
        self.host = f"127.0.0.1:{self.port}"
        self.address = server.address
        self.cookie = f"barreleye-{self.port}={TOKEN}"

    @property
    def tabs(self):
        return self.server.config.app.app.state.tabs.open

    @contextmanager
    def tab(self, **headers: str) -> Iterator["Tab"]:
        from websockets.sync.client import connect
        from websockets.typing import Origin

        given = {"Cookie": self.cookie, "Origin": f"http://{self.host}", **headers}
        origin = given.pop("Origin")
        with connect(f"ws://{self.host}/talk", additional_headers=given, origin=Origin(origin) if origin else None,
                     max_size=None) as socket:
            yield Tab(socket)


class Tab:
    """One websocket, with the page's manners."""

    def __init__(self, socket: Any) -> None:
        self.socket = socket
        self.number = 0
        self.events: list[dict[str, Any]] = []

    def send(self, what: str, **fields: Any) -> int:
        self.number += 1
        self.socket.send(json.dumps({"id": self.number, "do": what, **fields}))
        return self.number

    def receive(self, timeout: float = PATIENCE_S) -> dict[str, Any]:
        data = self.socket.recv(timeout=timeout)
        if isinstance(data, str):
            return dict(json.loads(data))
        (length,) = struct.unpack_from("<I", data)
        message = json.loads(data[4:4 + length])
        return {**message, "cells": data[4 + length:]}

    def answer(self, number: int) -> dict[str, Any]:
        while True:
            message = self.receive()
            if message.get("id") == number:
                return message
            self.events.append(message)

    def ask(self, what: str, **fields: Any) -> dict[str, Any]:
        message = self.answer(self.send(what, **fields))
        assert "ok" in message, message
        return {**message["ok"], **({"cells": message["cells"]} if "cells" in message else {})}

    def refused(self, what: str, **fields: Any) -> str:
        return str(self.answer(self.send(what, **fields))["error"])

    def until_done(self) -> list[dict[str, Any]]:
        """All events of a search, up to its end."""
        while not any(event.get("done") for event in self.events):
            self.events.append(self.receive())
        events, self.events = self.events, []
        return events


@pytest.fixture(scope="session")
def served() -> Iterator[Served]:
    from barreleye.web.serve import Server, listen

    ready = threading.Event()
    server = Server("127.0.0.1", listen("127.0.0.1", 0), TOKEN, lambda _: ready.set())
    thread = threading.Thread(target=server.go_on, daemon=True)
    thread.start()
    assert ready.wait(PATIENCE_S)
    yield Served(server)
    server.should_exit = True
    thread.join(PATIENCE_S)
    assert not thread.is_alive()


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    if CHROMIUM is None:
        pytest.skip("there is no chromium here")
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def visit(chromium, served):
    """Opens the page; whatever it complains of, or asks of another host, fails the test."""
    contexts, complaints = [], []

    def go(state="", **settings):
        context = chromium.new_context(**{"viewport": {"width": 1280, "height": 860}, **settings})
        context.set_default_timeout(1000 * PATIENCE_S)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda said: complaints.append(said.text) if said.type == "error" else None)
        page.on("request", lambda asked: complaints.append(asked.url) if served.host not in asked.url else None)
        page.goto(served.address + state)
        page.wait_for_selector("[role=tab]")
        page.wait_for_selector("#status:not(:empty)")       # the position has come, and what may be moved
        return page

    yield go
    for context in contexts:
        context.close()
    assert complaints == []
