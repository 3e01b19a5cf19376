"""The file that a long analysis can be resumed from: a line that says what was asked, then a line for each chunk."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from barreleye import __version__, lock
from barreleye.analysis.record import Record


class Journal:
    """Reads what an earlier run has written, then writes on. A line that was cut short by a crash is dropped.

    What an analysis with other settings has left is refused, or with begins_anew thrown away. BlockingIOError when
    another run uses the file.
    """

    def __init__(self, path: str | os.PathLike[str], settings: dict[str, Any], begins_anew: bool = False) -> None:
        self.path = os.fspath(path)
        header = {"barreleye": __version__, **settings}
        self._file = lock.opened(self.path)
        self._file.seek(0)
        first = self._file.readline()
        if not first.endswith(b"\n"):
            self._start_over(header)
        elif not isinstance(found := parsed(first), dict) or "barreleye" not in found:
            self._file.close()
            raise ValueError(f"{self.path} is no file of an analysis: choose another name, or remove it")
        elif found != json.loads(json.dumps(header)):
            if not begins_anew:
                self._file.close()
                raise ValueError(
                    f"{self.path} belongs to another analysis: it was made with {found}, this one is {header}")
            self._start_over(header)
        self._first = self._file.tell()
        self._is_reading = True

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing in it to go on from; also when it is closed."""
        return not os.path.exists(self.path) or os.path.getsize(self.path) <= self._first

    def _start_over(self, header: dict[str, Any]) -> None:
        if self._file.seek(0, os.SEEK_END) and not self._begins_like_ours():
            self._file.close()
            raise ValueError(f"{self.path} is no file of an analysis: choose another name, or remove it")
        self._file.truncate(0)
        self._append(header)

    def _begins_like_ours(self) -> bool:
        self._file.seek(0)
        return bool(self._file.read(13) == b'{"barreleye":')

    def next(self) -> list[Record] | None:
        """The next chunk of an earlier run, None when there is no more of it."""
        if not self._is_reading:
            return None
        place = self._file.tell()
        rows = parsed(line) if (line := self._file.readline()).endswith(b"\n") else None
        if rows is not None:
            try:
                return [Record.from_row(row) for row in rows]
            except (TypeError, ValueError):
                raise ValueError(f"{self.path} was written by another version, or is damaged: remove it") from None
        self._file.truncate(place)
        self._is_reading = False
        return None

    def write(self, records: list[Record]) -> None:
        """Keep a chunk."""
        if records:
            self._append([record.as_row() for record in records])

    def _append(self, value: object) -> None:
        self._file.seek(0, os.SEEK_END)
        self._file.write(json.dumps(value, separators=(",", ":")).encode() + b"\n")
        self._file.flush()

    def close(self) -> None:
        """Let go of the file."""
        self._file.close()

    def remove(self) -> None:
        """Leave nothing behind: the analysis is complete, or never began."""
        self.close()
        Path(self.path).unlink(missing_ok=True)


def parsed(line: bytes) -> Any:
    """What a line says, None when it says nothing."""
    try:
        return json.loads(line)
    except ValueError:
        return None
