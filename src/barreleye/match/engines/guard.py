"""A small process that outlives the runner by a moment and kills the engines the runner could not.

It is started as a plain script: its standard input says `+PID` when an engine starts and `-PID` when one has ended.
The end of that input is the end of the runner, however it came.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys


def kill_tree(pid: int) -> None:
    """Kill an engine and, where there are process groups, whatever it started."""
    try:
        if os.name == "posix":
            os.killpg(pid, signal.SIGKILL)
        else:
            os.kill(pid, signal.SIGTERM)
    except OSError:
        pass  # it is gone already


class Guard:
    """The runner's end of the pipe."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-I", "-S", os.path.abspath(__file__)],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            start_new_session=True,
        )

    def watch(self, pid: int) -> None:
        self._say(f"+{pid}\n")

    def forget(self, pid: int) -> None:
        self._say(f"-{pid}\n")

    def close(self) -> None:
        if self._process.stdin:
            self._process.stdin.close()
        self._process.wait()

    def _say(self, line: str) -> None:
        if self._process.stdin and self._process.poll() is None:
            os.write(self._process.stdin.fileno(), line.encode())


def main() -> None:
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    watched: set[int] = set()
    for line in sys.stdin:
        pid = int(line[1:])
        if line[0] == "+":
            watched.add(pid)
        else:
            watched.discard(pid)
    for pid in watched:
        kill_tree(pid)


if __name__ == "__main__":
    main()
