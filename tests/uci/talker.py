"""Talks UCI to a real process, line by line, and to a Uci object in this process."""

import contextlib
import io
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Iterator

from barreleye.uci import Uci

PATIENCE_S = 60.0  # how long an answer may take before the process counts as hung; not a measurement


class Talker:
    """`python -m barreleye` with its pipes. Use as a context manager: leaving it ends the process."""

    def __init__(self, *arguments: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "barreleye", *arguments],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, bufsize=1,
        )
        self.lines: queue.Queue[str | None] = queue.Queue()
        self.errors: list[str] = []
        self.readers = [threading.Thread(target=self._read, daemon=True),
                        threading.Thread(target=self._read_errors, daemon=True)]
        for reader in self.readers:
            reader.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.lines.put(line.rstrip("\n"))
        self.lines.put(None)

    def _read_errors(self) -> None:
        assert self.process.stderr is not None
        self.errors.extend(self.process.stderr)

    def __enter__(self) -> "Talker":
        return self

    def __exit__(self, *problem: object) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            with contextlib.suppress(OSError):
                stream.close()  # type: ignore[union-attr]

    def send(self, *lines: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write("".join(line + "\n" for line in lines))
        self.process.stdin.flush()

    def read(self) -> str:
        """The next line; fails when the process has ended or says nothing for a long time."""
        try:
            line = self.lines.get(timeout=PATIENCE_S)
        except queue.Empty:
            raise AssertionError("no answer: the process hangs") from None
        if line is None:
            raise AssertionError(f"the process ended with status {self.process.wait()}: {''.join(self.errors)}")
        return line

    def until(self, start: str) -> list[str]:
        """All lines up to the first that starts so."""
        lines = [self.read()]
        while not lines[-1].startswith(start):
            lines.append(self.read())
        return lines

    def sync(self) -> list[str]:
        """Everything said before the answer to isready."""
        self.send("isready")
        return self.until("readyok")[:-1]

    def go(self, command: str) -> list[str]:
        """The lines of one search, bestmove last."""
        self.send(command)
        return self.until("bestmove")

    def quit(self) -> list[str]:
        """Leave politely; returns what was still said. The process must end by itself with status 0."""
        assert self.process.stdin is not None
        self.send("quit")
        self.process.stdin.close()
        rest = list(self._rest())
        assert self.process.wait(PATIENCE_S) == 0, "".join(self.errors)
        self.readers[1].join()
        return rest

    def _rest(self) -> Iterator[str]:
        while (line := self.lines.get(timeout=PATIENCE_S)) is not None:
            yield line


class Conversation:
    """The same, in this process: a Uci whose lines can be waited for."""

    def __init__(self) -> None:
        self.out = Lines()
        self.uci = Uci(self.out)

    def send(self, *lines: str) -> None:
        for line in lines:
            self.uci.handle(line)

    def go(self, command: str) -> list[str]:
        start = len(self.out.lines)
        self.uci.handle(command)
        if self.uci.engine.is_searching:
            self.uci.engine.wait()
        return self.out.lines[start:]

    def wait(self, count: int, start: str = "bestmove", patience_s: float = PATIENCE_S) -> None:
        """Until so many lines start so."""
        deadline = time.monotonic() + patience_s
        while self.out.count(start) < count:
            if time.monotonic() > deadline:
                raise AssertionError(f"only {self.out.count(start)} of {count} lines start with {start}")
            time.sleep(0.001)


class Lines(io.StringIO):
    """Collects what is written, whole lines as they come."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []

    def write(self, text: str) -> int:
        self.lines.extend(text.rstrip("\n").split("\n"))
        return len(text)

    def count(self, start: str) -> int:
        return sum(line.startswith(start) for line in list(self.lines))
