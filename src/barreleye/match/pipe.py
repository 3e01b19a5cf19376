"""The engine's end of the wire: bytes in and out, time stamped as they arrive, looked at only for the awaited word.

Engines print far more than a match needs. A search's output is kept as bytes, its tail only, and nothing is split into
lines before the answer has come.
"""

from __future__ import annotations

import asyncio
from collections import deque
from dataclasses import dataclass
from time import perf_counter

KEPT_BYTES = 32_768  # of an answer, and of the talk kept for a report
FLOOD_LINES = 5_000  # lines in one second of one search that no sane engine prints


class EngineFault(Exception):
    """The engine failed in a way that costs it the game. `reason` is the short name the record uses."""

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(detail)
        self.reason = reason


@dataclass(frozen=True)
class Answer:
    """The line that was waited for, the output before it, and when its chunk was read from the pipe."""

    line: str
    before: bytes
    stamp: float


class EnginePipe(asyncio.SubprocessProtocol):
    """One question at a time: `ask` sends text and waits for the line that begins with a word."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._transport: asyncio.SubprocessTransport | None = None
        self._stdin: asyncio.WriteTransport | None = None
        self._waiter: asyncio.Future[Answer] | None = None
        self._word = b""
        self._buffer = bytearray()
        self._scanned = 0
        self._window_start = 0.0
        self._window_lines = 0
        self._talk: deque[tuple[bool, bytes]] = deque()  # (sent by us, bytes), oldest first
        self._talk_bytes = 0
        self._stderr = bytearray()
        self.exited = self._loop.create_future()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.SubprocessTransport)
        self._transport = transport
        stdin = transport.get_pipe_transport(0)
        assert isinstance(stdin, asyncio.WriteTransport)
        self._stdin = stdin

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        stamp = perf_counter()
        if fd == 2:
            self._stderr += data
            del self._stderr[:-KEPT_BYTES]
            return
        self._remember(False, data)
        if self._waiter is None or self._waiter.done():
            return
        self._buffer += data
        start = self._find_word()
        end = self._buffer.find(b"\n", start) if start >= 0 else -1
        if end >= 0:
            line = self._buffer[start:end].decode("utf-8", "replace").strip()
            self._waiter.set_result(Answer(line, bytes(self._buffer[:start]), stamp))
            return
        self._watch_for_flood(data, stamp)
        if len(self._buffer) > 2 * KEPT_BYTES:
            del self._buffer[:-KEPT_BYTES]
            self._scanned = 0

    def pipe_connection_lost(self, fd: int, exc: Exception | None) -> None:
        if fd == 1:
            self._loop.call_later(0.05, self._fail_as_dead)  # the exit code comes a moment later

    def process_exited(self) -> None:
        if not self.exited.done():
            self.exited.set_result(None)
        self._loop.call_later(0.1, self._fail_as_dead)  # what it said last may still be in the pipe

    def _find_word(self) -> int:
        """Where the awaited word begins a line in the buffer, or -1; nothing is searched twice."""
        start = max(0, self._scanned - len(self._word))
        self._scanned = len(self._buffer)
        while (start := self._buffer.find(self._word, start)) > 0:
            if self._buffer[start - 1] in b"\r\n":
                self._scanned = start
                return start
            start += 1
        if start == 0:
            self._scanned = 0
        return start

    def _watch_for_flood(self, data: bytes, stamp: float) -> None:
        if stamp - self._window_start > 1:
            self._window_start, self._window_lines = stamp, 0
        self._window_lines += data.count(b"\n")
        if self._window_lines > FLOOD_LINES and self._waiter:
            self._waiter.set_exception(EngineFault("flood", f"printed over {FLOOD_LINES} lines within a second"))

    def _fail_as_dead(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_exception(EngineFault("crash", f"the engine process ended ({self.exit_text()})"))

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

    def send(self, text: str) -> None:
        data = text.encode() + b"\n"
        self._remember(True, data)
        if self._stdin and not self._stdin.is_closing():
            self._stdin.write(data)

    async def ask(self, text: str, word: str, timeout: float) -> Answer:
        """Send text (may be empty) and return the first line that begins with the word."""
        if not self.is_alive:
            raise EngineFault("crash", f"the engine process ended ({self.exit_text()})")
        waiter: asyncio.Future[Answer] = self._loop.create_future()
        self._waiter = waiter
        self._word = word.encode()
        self._buffer.clear()
        self._scanned = 0
        self._window_start, self._window_lines = perf_counter(), 0
        if text:
            self.send(text)
        timer = self._loop.call_later(timeout, self._expire, waiter, word, timeout)
        try:
            return await waiter
        finally:
            timer.cancel()
            self._waiter = None

    @staticmethod
    def _expire(waiter: asyncio.Future[Answer], word: str, timeout: float) -> None:
        if not waiter.done():
            waiter.set_exception(EngineFault("no answer", f"no {word} within {timeout:.3g} s"))

    def _remember(self, sent: bool, data: bytes) -> None:
        self._talk.append((sent, data))
        self._talk_bytes += len(data)
        while self._talk_bytes > KEPT_BYTES and len(self._talk) > 1:
            self._talk_bytes -= len(self._talk.popleft()[1])

    def last_words(self, count: int = 12, width: int = 160) -> list[str]:
        """The last lines of the talk, `>` before ours, then what the engine wrote to stderr."""
        lines: list[str] = []
        heard = b""
        for sent, data in self._talk:
            if sent:
                lines += _clean(heard, "  ") + _clean(data, "> ")
                heard = b""
            else:
                heard += data
        lines += _clean(heard, "  ")
        lines = lines[-count:] + _clean(bytes(self._stderr), "stderr: ")[-count:]
        return [line if len(line) <= width else f"{line[:40]} ... {line[45 - width:]}" for line in lines]

    def close(self) -> None:
        if self._transport:
            self._transport.close()


def _clean(data: bytes, prefix: str) -> list[str]:
    return [prefix + line for line in data.decode("utf-8", "replace").splitlines() if line.strip()]
