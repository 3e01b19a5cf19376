"""The wire to an engine process: text out, lines in, of which only those that answer a question reach Python code.

Engines print far more than a match needs. Every line is read and kept by C code alone, in the thread that waits for the
answer; a watchdog in another thread sees to questions that stay open too long.
"""

from __future__ import annotations

import contextlib
import io
import math
import os
import re
import subprocess
import threading
from collections import deque
from dataclasses import dataclass
from itertools import filterfalse
from time import monotonic, perf_counter
from typing import Any

from barreleye.match.engines.guard import kill_tree
from barreleye.terminal import printable

KEPT_LINES = 64  # of the talk before the question, and of stderr
FLOOD_LINES = 2_500  # between two looks half a second apart: no sane engine prints so much
FLOOD_BYTES = 4_000_000  # the same for long lines
FLOOD_CHECK_S = 0.5
LONGEST_LINE = 1_000_000  # bytes without an end of the line: nobody knows how many would follow
KEPT_ERRORS = 16_384  # bytes of stderr
_ANSWER = re.compile(rb"(?:uciok|readyok|bestmove)\b")


class EngineFault(Exception):
    """The engine failed in a way that costs it the game. `reason` is the short name the record uses."""

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(detail)
        self.reason = reason


@dataclass(frozen=True)
class Answer:
    """The line that was waited for, the lines since the question, and the moment it was read from the pipe."""

    line: str
    lines: list[bytes]
    stamp: float


class EnginePipe:
    """A program in a process group of its own. One thread asks, another may `look_in`, `kill` or `close`."""

    def __init__(self, command: list[str], directory: str | None = None) -> None:
        self._process = subprocess.Popen(
            command,
            cwd=directory,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
        assert self._process.stdin and self._process.stdout and self._process.stderr
        self._output = _CountedOutput(self._process.stdout.fileno())
        self._stdin = self._process.stdin.fileno()
        self._writing = threading.Lock()
        self._heard: list[bytes] = []  # lines since the question, ours with `> ` before
        # `append` returns None, so filterfalse keeps every line and lets every line pass.
        self._answers = filter(_ANSWER.match, filterfalse(self._heard.append, io.BufferedReader(self._output)))
        self._talk: deque[bytes] = deque(maxlen=KEPT_LINES)  # both ways, up to the question
        self._errors = b""
        self._listener = threading.Thread(target=self._hear_errors, args=(self._process.stderr.fileno(),), daemon=True)
        self._listener.start()
        self._question: _Question | None = None

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def is_alive(self) -> bool:
        return self._process.poll() is None

    def send(self, text: str) -> None:
        data = text.encode()
        self._heard += [b"> " + line for line in data.splitlines()]
        with self._writing, contextlib.suppress(OSError):  # a dead engine shows when it does not answer
            os.write(self._stdin, data + b"\n")

    def ask(self, text: str, word: str, timeout: float, stop_after: float = math.inf) -> Answer:
        """Send text and return the first line that begins with the word; on the way say `stop` if time is up."""
        self._talk.extend(self._heard[-KEPT_LINES:])
        self._heard.clear()
        now = monotonic()
        question = self._question = _Question(f"no {word} within {timeout:.3g} s", now + timeout, now + stop_after)
        question.flood_check_at, question.bytes_seen = now + FLOOD_CHECK_S, self._output.count
        self.send(text)
        begin = word.encode()
        for line in self._answers:
            stamp = perf_counter()
            if line.startswith(begin):
                self._question = None
                return Answer(line.decode("utf-8", "replace").strip(), self._heard, stamp)
        self._question = None
        if self._output.is_endless:
            self.kill()
            raise EngineFault("flood", f"printed {LONGEST_LINE} bytes without an end of the line")
        raise question.fault or EngineFault("crash", f"the engine process ended ({self._exit_text()})")

    def look_in(self) -> None:
        """See to a question that is still open: say stop, or end an engine that floods or will not answer."""
        question, now = self._question, monotonic()
        if question is None:
            return
        # An engine that does not read what it is sent must not hold up whoever looks after all of them.
        if now >= question.stop_at and self._writing.acquire(blocking=False):
            self._writing.release()
            question.stop_at = math.inf
            self.send("stop")
        if now >= question.flood_check_at:
            fresh = len(self._heard) - question.lines_seen
            size = self._output.count - question.bytes_seen
            if fresh > FLOOD_LINES or size > FLOOD_BYTES:
                much = f"{fresh} lines" if fresh > FLOOD_LINES else f"{size} bytes"
                question.fault = EngineFault("flood", f"printed {much} within {FLOOD_CHECK_S:g} s")
            del self._heard[:-FLOOD_LINES]
            question.flood_check_at, question.lines_seen = now + FLOOD_CHECK_S, len(self._heard)
            question.bytes_seen = self._output.count
        if now >= question.give_up_at:
            question.fault = EngineFault("no answer", question.complaint)
        if question.fault:
            self.kill()

    def kill(self) -> None:
        """End the process and its children; a question that is open fails."""
        kill_tree(self.pid)

    def close(self, grace_s: float) -> None:
        """Wait for the end that somebody has asked for, then make sure of it."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(grace_s)
        self.kill()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(grace_s)

    def last_words(self, count: int = 12, width: int = 160) -> list[str]:
        """The last lines of the talk, `>` before ours, then what the engine wrote to stderr."""
        talk = [_shown(line, width - 2) for line in [*self._talk, *self._heard[-count:]]]
        talk = [line if line.startswith("> ") else f"  {line}" for line in talk if line]
        errors = [f"stderr: {_shown(line, width - 8)}" for line in self._errors.splitlines()]
        return talk[-count:] + errors[-count:]

    def _hear_errors(self, descriptor: int) -> None:
        """Keep the end of what comes on stderr, however much that is."""
        with contextlib.suppress(OSError):
            while piece := os.read(descriptor, KEPT_ERRORS):
                self._errors = (self._errors + piece)[-KEPT_ERRORS:]

    def _exit_text(self) -> str:
        try:
            code = self._process.wait(1)
        except subprocess.TimeoutExpired:
            return "its output was closed"
        self._listener.join(1)  # its last words may still be on their way; a child of it may keep the pipe open
        return f"signal {-code}" if code < 0 else f"exit code {code}"


class _CountedOutput(io.RawIOBase):
    """What an engine prints, counted on the way; it ends where a line does not."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._line = 0  # bytes since the last end of a line
        self.count = 0
        self.is_endless = False

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any, /) -> int:
        if self.is_endless:
            return 0
        piece = os.read(self._descriptor, len(buffer))
        buffer[: len(piece)] = piece
        self.count += len(piece)
        end = piece.rfind(b"\n")
        self._line = self._line + len(piece) if end < 0 else len(piece) - end - 1
        self.is_endless = self._line > LONGEST_LINE
        return len(piece)


def _shown(line: bytes, width: int) -> str:
    """A line of the talk as it may be shown: not too long, and nothing in it that a terminal obeys."""
    text = printable(line[: 10 * width].decode("utf-8", "replace").rstrip())
    return text if len(text) <= width else f"{text[:40]} ... {text[45 - width :]}"


@dataclass
class _Question:
    """What the watchdog knows of a question, in seconds of the monotonic clock."""

    complaint: str  # when it is never answered
    give_up_at: float
    stop_at: float
    flood_check_at: float = math.inf
    lines_seen: int = 0
    bytes_seen: int = 0
    fault: EngineFault | None = None
