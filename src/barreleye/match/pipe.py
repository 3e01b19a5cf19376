"""The engine's end of the wire: bytes in and out, time stamped as they arrive, looked at only for the awaited word.

Engines print far more than a match needs, and each line they flush wakes the runner up. So a chunk costs as little as
possible: it is put aside whole, and nothing is split into lines before the answer has come.
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections import deque
from dataclasses import dataclass
from time import perf_counter

CHUNK_BYTES = 16_384
KEPT_CHUNKS = 128  # of the talk, both ways
KEPT_BYTES = 16_384  # of an answer, and of what the engine wrote to stderr
FLOOD_LINES = 5_000  # a second, from a search: no sane engine prints so much


class EngineFault(Exception):
    """The engine failed in a way that costs it the game. `reason` is the short name the record uses."""

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(detail)
        self.reason = reason


@dataclass(frozen=True)
class Answer:
    """The line that was waited for, the end of the output before it, and when its chunk was read from the pipe."""

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
        self._edge = b""  # the end of the last chunk, where the word may have begun
        self._begun = False  # the awaited line has begun and not yet ended
        self._heard: deque[bytes] = deque(maxlen=KEPT_CHUNKS)  # since the question
        self._talk: deque[bytes | str] = deque(maxlen=KEPT_CHUNKS)  # theirs as bytes, ours as text
        self._lines = 0
        self._lines_since = 0.0
        self._stderr = bytearray()
        self.exited = self._loop.create_future()

    # What asyncio reports

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.SubprocessTransport)
        self._transport = transport
        stdin, stdout = transport.get_pipe_transport(0), transport.get_pipe_transport(1)
        assert isinstance(stdin, asyncio.WriteTransport) and isinstance(stdout, asyncio.ReadTransport)
        self._stdin = stdin
        if sys.platform != "win32":
            # asyncio's own reader takes two turns of the loop and a large buffer for each chunk; ours takes neither.
            stdout.pause_reading()
            fd = stdout.get_extra_info("pipe").fileno()
            self._loop.add_reader(fd, self._readable, fd, stdout)

    def _readable(self, fd: int, stdout: asyncio.ReadTransport) -> None:
        try:
            data = os.read(fd, CHUNK_BYTES)
        except (BlockingIOError, InterruptedError):
            return
        except OSError:
            data = b""
        if data:
            self._hear(data)
        else:
            self._loop.remove_reader(fd)
            if not stdout.is_closing():
                stdout.resume_reading()  # asyncio finds the end by itself and tidies up

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        if fd == 2:
            self._stderr += data
            del self._stderr[:-KEPT_BYTES]
        else:
            self._hear(data)

    def pipe_connection_lost(self, fd: int, exc: Exception | None) -> None:
        if fd == 1:
            self._loop.call_later(0.05, self._fail_as_dead)  # the exit code comes a moment later

    def process_exited(self) -> None:
        if not self.exited.done():
            self.exited.set_result(None)
        self._loop.call_later(0.1, self._fail_as_dead)  # what it said last may still be in the pipe

    # Listening

    def _hear(self, data: bytes) -> None:
        stamp = perf_counter()
        self._talk.append(data)
        waiter = self._waiter
        if waiter is None or waiter.done():
            return
        self._heard.append(data)
        seen = self._edge + data
        if (self._word in seen or self._begun) and self._answered(waiter, stamp):
            return
        self._edge = seen[-len(self._word) :]
        self._lines += data.count(b"\n")
        if self._lines > FLOOD_LINES:
            if stamp - self._lines_since <= 1:
                waiter.set_exception(EngineFault("flood", f"printed over {FLOOD_LINES} lines within a second"))
            self._lines, self._lines_since = 0, stamp

    def _answered(self, waiter: asyncio.Future[Answer], stamp: float) -> bool:
        """Whether the word begins a line that is complete; the waiter has it then."""
        output = b"".join(self._heard)
        start = output.find(self._word)
        while start > 0 and output[start - 1] not in b"\r\n":
            start = output.find(self._word, start + 1)
        if start < 0:
            return False
        end = output.find(b"\n", start)
        if end < 0:
            self._begun = True
            return False
        line = output[start:end].decode("utf-8", "replace").strip()
        waiter.set_result(Answer(line, output[max(0, start - KEPT_BYTES) : start], stamp))
        return True

    def _fail_as_dead(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_exception(EngineFault("crash", f"the engine process ended ({self.exit_text()})"))

    # Speaking

    def send(self, text: str) -> None:
        self._talk.append(text)
        if self._stdin and not self._stdin.is_closing():
            self._stdin.write(text.encode() + b"\n")

    async def ask(self, text: str, word: str, timeout: float, stop_after: float | None = None) -> Answer:
        """Send text and return the first line that begins with the word; on the way say `stop` if time is up."""
        if not self.is_alive:
            raise EngineFault("crash", f"the engine process ended ({self.exit_text()})")
        waiter: asyncio.Future[Answer] = self._loop.create_future()
        self._waiter = waiter
        self._word, self._edge, self._begun = word.encode(), b"", False
        self._heard.clear()
        self._lines, self._lines_since = 0, perf_counter()
        self.send(text)
        timers = [self._loop.call_later(timeout, self._expire, waiter, word, timeout)]
        if stop_after is not None:
            timers.append(self._loop.call_later(stop_after, self.send, "stop"))
        try:
            return await waiter
        finally:
            for timer in timers:
                timer.cancel()
            self._waiter = None

    @staticmethod
    def _expire(waiter: asyncio.Future[Answer], word: str, timeout: float) -> None:
        if not waiter.done():
            waiter.set_exception(EngineFault("no answer", f"no {word} within {timeout:.3g} s"))

    # The process

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

    def last_words(self, count: int = 12, width: int = 160) -> list[str]:
        """The last lines of the talk, `>` before ours, then what the engine wrote to stderr."""
        lines: list[str] = []
        heard = b""
        for said in self._talk:
            if isinstance(said, bytes):
                heard += said
            else:
                lines += _clean(heard, "  ") + [f"> {line}" for line in said.splitlines()]
                heard = b""
        lines += _clean(heard, "  ")
        lines = lines[-count:] + _clean(bytes(self._stderr), "stderr: ")[-count:]
        return [line if len(line) <= width else f"{line[:40]} ... {line[45 - width:]}" for line in lines]

    def close(self) -> None:
        if self._transport:
            self._transport.close()


def _clean(data: bytes, prefix: str) -> list[str]:
    return [prefix + line for line in data.decode("utf-8", "replace").splitlines() if line.strip()]
