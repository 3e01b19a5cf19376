"""Notes of duels: a file that grows by a line for each pair of games, so that an interrupted duel goes on from it.

The first line says what the file is. A line with settings begins a duel, the lines with its number are its pairs. A
line is written in one piece as soon as a pair is finished: whatever ends the process, finished pairs are neither lost
nor played again. The file is locked while it is open, and the lock ends with the process.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from types import TracebackType
from typing import Any

from barreleye import lock
from barreleye.lab.standing import Pair

FIRST_LINE = {"barreleye": "duels", "version": 1}


class Notes:
    """The duels of one file. ValueError when it is something else, BlockingIOError when another run uses it."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)
        self._duels: list[dict[str, Any]] = []          # their settings
        self._pairs: list[dict[int, Pair]] = []
        self._file = open(self.path, "a+b", buffering=0)        # noqa: SIM115  (open as long as the duel)
        try:
            lock.take(self._file, str(self.path))
            self._read()
        except BaseException:
            self._file.close()
            raise

    def _read(self) -> None:
        self._file.seek(0)
        whole = self._file.read()
        complete = whole[:whole.rfind(b"\n") + 1]
        first = json.dumps(FIRST_LINE).encode()
        try:
            lines = [json.loads(line) for line in complete.splitlines()]
            if lines[:1] not in ([], [FIRST_LINE]) or not (lines or first.startswith(whole)):
                raise ValueError("it does not begin like one")
            for row in lines[1:]:
                if "settings" in row:
                    self._duels.append(row["settings"])
                    self._pairs.append({})
                else:
                    self._pairs[row["duel"]][row["pair"]] = Pair.from_json(row)
        except (ValueError, KeyError, TypeError, IndexError) as error:
            raise ValueError(f"{self.path} does not hold notes of duels: name another file ({error})") from None
        if len(complete) < len(whole):
            self._file.truncate(len(complete))          # the writer was killed in the middle of this line
        if not lines:
            self._append(FIRST_LINE)

    def _append(self, row: dict[str, Any]) -> None:
        line = json.dumps(row).encode() + b"\n"
        try:
            if self._file.write(line) != len(line):
                raise ValueError(f"cannot write to {self.path}: the disk is full")
        except OSError as error:
            raise ValueError(f"cannot write to {self.path}: {error.strerror or error}") from None

    def take_up(self, settings: dict[str, Any], is_alone: bool = False) -> tuple[int, list[Pair]]:
        """The number of the duel with these settings, and its pairs so far; a new one when there is none.

        A duel that is to be alone in its file is not begun beside another: ValueError says what differs.
        """
        asked = json.loads(json.dumps(settings))
        if asked in self._duels:
            number = self._duels.index(asked)
            return number, [self._pairs[number][pair] for pair in sorted(self._pairs[number])]
        if is_alone and self._duels:
            changes = "; ".join(differences(self._duels[-1], asked))
            raise ValueError(f"{self.path} holds a duel with other settings ({changes}): name another file")
        self._duels.append(asked)
        self._pairs.append({})
        self._append({"duel": len(self._duels) - 1, "settings": asked})
        return len(self._duels) - 1, []

    def keep(self, duel: int, pair: Pair) -> None:
        """Write down a pair of a duel."""
        self._pairs[duel][pair.number] = pair
        self._append({"duel": duel, **pair.as_json()})

    def close(self) -> None:
        """Let go of the file."""
        self._file.close()

    def __enter__(self) -> Notes:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        self.close()


def differences(there: dict[str, Any], now: dict[str, Any], place: str = "") -> list[str]:
    """Where two settings differ, each in a few words.

    >>> differences({"nodes": 5000, "first": {"hash": 16}}, {"nodes": 800, "first": {"hash": 16}})
    ['nodes: 5000 there, 800 now']
    """
    found: list[str] = []
    for key in sorted({*there, *now}):
        one, other = there.get(key), now.get(key)
        if isinstance(one, dict) and isinstance(other, dict):
            found += differences(one, other, f"{place}{key} ")
        elif one != other:
            found.append(f"{place}{key}: {json.dumps(one)} there, {json.dumps(other)} now")
    return found
