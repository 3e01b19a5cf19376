"""The engine's end of the wire: lines in and out, of which the loop sees only the few that answer a question.

Engines print far more than a match needs, and each line they flush would wake the event loop up. So every engine has a
thread that does nothing but read, in which a line that is no answer runs through no Python code at all.
"""

from __future__ import annotations

import asyncio
import contextlib
import math
import os
import re
import threading
from collections import deque
from dataclasses import dataclass
from itertools import filterfalse
from time import perf_counter

KEPT_BYTES = 16_384  # of what the engine wrote to stderr
KEPT_LINES = 64
FLOOD_LINES = 5_000  # a second, from a search: no sane engine prints so much
FLOOD_CHECK_S = 0.5
_ANSWER = re.compile(rb"(?:uciok|readyok|bestmove)\b")


class EngineFault(Exception):
    """The engine failed in a way that costs it the game. `reason` is the short name the record uses."""

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(detail)
        self.reason = reason


@dataclass(frozen=True)
class Answer:
    """The line that was waited for, the lines before it, and the moment it was read from the pipe."""

    line: str
    before: list[bytes]
    stamp: float


class EnginePipe(asyncio.SubprocessProtocol):
    """One question at a time: `ask` sends text and waits for the line that begins with a word."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._transport: asyncio.SubprocessTransport | None = None
        self._stdin: asyncio.WriteTransport | None = None
        self._waiter: asyncio.Future[Answer] | None = None
        self._word = ""
        self._patience_s = self._stop_at = self._give_up_at = math.inf
        self._seen = 0  # lines at the last look
        self._heard: list[bytes] = []  # lines since the question, ours with `> ` before; the reading thread appends
        self._talk: deque[bytes] = deque(maxlen=KEPT_LINES)  # the same, up to the question
        self._stderr = bytearray()
        self.exited = self._loop.create_future()

    @classmethod
    async def open(cls, command: list[str], directory: str | None) -> EnginePipe:
        """Start the program in a process group of its own and begin to listen to it."""
        ours, theirs = os.pipe()
        try:
            _, pipe = await asyncio.get_running_loop().subprocess_exec(
                cls, *command, cwd=directory, stdout=theirs, start_new_session=True
            )
        except BaseException:
            os.close(ours)
            raise
        finally:
            os.close(theirs)
        pipe.listen(ours)
        return pipe

    # What the process does

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.SubprocessTransport)
        self._transport = transport
        stdin = transport.get_pipe_transport(0)
        assert isinstance(stdin, asyncio.WriteTransport)
        self._stdin = stdin

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        self._stderr += data
        del self._stderr[:-KEPT_BYTES]

    def process_exited(self) -> None:
        if not self.exited.done():
            self.exited.set_result(None)
        self._loop.call_later(0.1, self._fail_as_dead)  # what it said last may still be on its way

    @property
    def pid(self) -> int:
        return self._transport.get_pid() if self._transport else 0

    @property
    def is_alive(self) -> bool:
        return not self.exited.done()

    def exit_text(self) -> str:
        code = self._transport.get_returncode() if self._transport else None
        if code is None:
            return "its output was closed"
        return f"signal {-code}" if code < 0 else f"exit code {code}"

    def close(self) -> None:
        if self._transport:
            self._transport.close()

    # Listening

    def listen(self, fd: int) -> None:
        threading.Thread(target=self._read, args=(fd,), name="engine output", daemon=True).start()

    def _read(self, fd: int) -> None:
        """Runs in the thread. `append` returns None, so filterfalse keeps every line and lets every line pass."""
        with open(fd, "rb") as output, contextlib.suppress(RuntimeError):  # the loop may have ended before us
            for line in filter(_ANSWER.match, filterfalse(self._heard.append, output)):
                self._loop.call_soon_threadsafe(self._hear, line, perf_counter())
            self._loop.call_soon_threadsafe(self._loop.call_later, 0.05, self._fail_as_dead)

    def _hear(self, line: bytes, stamp: float) -> None:
        text = line.decode("utf-8", "replace").strip()
        if self._waiter is not None and not self._waiter.done() and text.startswith(self._word):
            self._waiter.set_result(Answer(text, self._heard.copy(), stamp))

    def _fail_as_dead(self) -> None:
        self._fail("crash", f"the engine process ended ({self.exit_text()})")

    def _fail(self, reason: str, detail: str) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_exception(EngineFault(reason, detail))

    def _look_in(self) -> None:
        """See to a question that is still open: say stop, give up, or complain of a flood, when it is time for it.

        One timer serves all three, since most questions are answered before any of them is due.
        """
        now = self._loop.time()
        fresh = len(self._heard) - self._seen
        if fresh > FLOOD_LINES * FLOOD_CHECK_S:
            self._fail("flood", f"printed {fresh} lines within {FLOOD_CHECK_S:g} s")
        if now >= self._give_up_at:
            self._fail("no answer", f"no {self._word} within {self._patience_s:.3g} s")
        if now >= self._stop_at:
            self._stop_at = math.inf
            self.send("stop")
        del self._heard[:-FLOOD_LINES]
        self._look_in_later(now)

    def _look_in_later(self, now: float) -> None:
        self._seen = len(self._heard)
        due = min(now + FLOOD_CHECK_S, self._stop_at, self._give_up_at)
        self._timer = self._loop.call_at(due, self._look_in)

    # Speaking

    def send(self, text: str) -> None:
        self._heard += [b"> " + line.encode() for line in text.splitlines()]
        if self._stdin and not self._stdin.is_closing():
            self._stdin.write(text.encode() + b"\n")

    async def ask(self, text: str, word: str, timeout: float, stop_after: float | None = None) -> Answer:
        """Send text and return the first line that begins with the word; on the way say `stop` if time is up."""
        if not self.is_alive:
            raise EngineFault("crash", f"the engine process ended ({self.exit_text()})")
        waiter: asyncio.Future[Answer] = self._loop.create_future()
        self._waiter, self._word = waiter, word
        self._talk.extend(self._heard[-KEPT_LINES:])
        self._heard.clear()
        self.send(text)
        now = self._loop.time()
        self._patience_s, self._give_up_at = timeout, now + timeout
        self._stop_at = now + stop_after if stop_after is not None else math.inf
        self._look_in_later(now)
        try:
            return await waiter
        finally:
            self._timer.cancel()
            self._waiter = None

    def last_words(self, count: int = 12, width: int = 160) -> list[str]:
        """The last lines of the talk, `>` before ours, then what the engine wrote to stderr."""
        talk = [line.decode("utf-8", "replace").rstrip() for line in [*self._talk, *self._heard[-count:]]]
        talk = [line if line.startswith("> ") else f"  {line}" for line in talk if line]
        errors = [f"stderr: {line}" for line in self._stderr.decode("utf-8", "replace").splitlines()]
        lines = talk[-count:] + errors[-count:]
        return [line if len(line) <= width else f"{line[:40]} ... {line[45 - width :]}" for line in lines]
