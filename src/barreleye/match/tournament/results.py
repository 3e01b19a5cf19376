"""The file of results: JSON at every moment, grown by one line a game; an interrupted match resumes from it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import IO, Any

from barreleye import lock, output
from barreleye.match.games.game import GameRecord

_GAMES = ',\n"games": [\n'
_END = "\n],\n"


class ResultsFile:
    """One line for the settings, one for each game, one for the summary. A game is appended in a single write.

    The file is locked while it is open. What cannot be read again, a pipe or a device, gets the same lines, once each.
    """

    def __init__(self, path: str, settings: dict[str, Any]) -> None:
        self._path = Path(path)
        self._settings = settings
        self._file: IO[Any] | None = None
        self._is_kept = output.is_replaced(path)
        self._end = 0  # where the list of games ends
        self._count = 0
        self._summary: dict[str, Any] = {}
        self.pgn_end: int | None = None  # how long the file of games was when the last game was recorded

    def open(self) -> list[GameRecord]:
        """The games already in the file, or none when it is new; ValueError when it belongs to another match."""
        try:
            if not self._is_kept:
                self._file = open(self._path, "wb", buffering=0)  # noqa: SIM115  (open as long as the match)
                self._write(self._head())
                return []
            self._file = lock.opened(self._path, mode="r+b", buffering=0)
            records = self._read(self._file.read())
            if not self._count:
                self._file.seek(0)
                self._write(self._head())
                self._end = self._file.tell()
            self._file.seek(self._end)
            self._write(_tail({}))
            self._file.truncate()
        except BlockingIOError:
            self.close()
            raise
        except OSError as error:
            self.close()
            raise ValueError(f"cannot write {self._path}: {error.strerror or error}") from error
        except BaseException:
            self.close()
            raise
        return records

    def _head(self) -> bytes:
        return ('{"match": ' + json.dumps(self._settings) + _GAMES).encode()

    def _read(self, whole: bytes) -> list[GameRecord]:
        """The games of the file, and where their list ends; a line whose writer was killed in its middle is dropped."""
        if not whole:
            return []
        records: list[GameRecord] = []
        try:
            lines = whole.split(b"\n")
            settings = json.loads(lines[0].removesuffix(b",") + b"}")["match"]
            place = len(lines[0]) + 1 + len(lines[1]) + 1
            for line in lines[2:]:
                if not line.startswith(b'{"number"') or not line.removesuffix(b",").endswith(b"}"):
                    break
                row = json.loads(line.removesuffix(b","))
                self.pgn_end = row.pop("pgn_end", None)
                records.append(GameRecord(**row))
                self._end = place + len(line.removesuffix(b","))
                place += len(line) + 1
        except (ValueError, TypeError, KeyError, IndexError) as error:
            raise ValueError(f"{self._path} is not a results file of a match: {error}") from error
        differences = [
            f"{key}: {json.dumps(settings.get(key))} there, {json.dumps(self._settings.get(key))} now"
            for key in sorted({*settings, *self._settings})
            if settings.get(key) != self._settings.get(key)
        ]
        if records and differences:
            changes = "; ".join(differences)
            raise ValueError(f"{self._path} holds a match with other settings ({changes}): name another file")
        self._count = len(records)
        return records

    def append(self, record: GameRecord, summary: dict[str, Any], pgn_end: int | None = None) -> None:
        """Write down a game; ValueError when there is no room for it. What got written of it the next run drops."""
        row = record.as_json() | ({} if pgn_end is None else {"pgn_end": pgn_end})
        data = ((",\n" if self._count else "") + json.dumps(row)).encode()
        self._summary = summary
        if not self._is_kept:
            self._write(data)
        else:
            assert self._file is not None, "the results file has not been opened"
            self._file.seek(self._end)
            self._write(data + _tail(summary))
            self._file.truncate()
            self._end += len(data)
        self._count += 1

    def _write(self, data: bytes) -> None:
        assert self._file is not None, "the results file has not been opened"
        try:
            while data:
                data = data[self._file.write(data) :]
        except OSError as error:
            problem = error.strerror or error
            raise ValueError(f"cannot write {self._path}: {problem}; the games before this one are safe") from error

    def close(self) -> None:
        if self._file:
            if not self._is_kept and not self._file.closed:
                self._write(_tail(self._summary))
            self._file.close()


def _tail(summary: dict[str, Any]) -> bytes:
    return (_END + '"summary": ' + json.dumps(summary) + "}\n").encode()
