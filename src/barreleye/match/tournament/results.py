"""The file of results: JSON at every moment, grown by one line a game; an interrupted match resumes from it."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any, BinaryIO

from barreleye.match.games.game import GameRecord

_GAMES = ',\n"games": [\n'
_END = "\n],\n"


class ResultsFile:
    """One line for the settings, one for each game, one for the summary. A game is appended in a single write."""

    def __init__(self, path: str, settings: dict[str, Any]) -> None:
        self._path = Path(path)
        self._settings = settings
        self._file: BinaryIO | None = None
        self._end = 0  # where the list of games ends
        self._count = 0

    def open(self) -> list[GameRecord]:
        """The games already in the file, or none when it is new; ValueError when it belongs to another match."""
        records: list[GameRecord] = []
        if self._path.exists() and self._path.stat().st_size:
            records = self._read()
        head = '{"match": ' + json.dumps(self._settings) + _GAMES
        body = ",\n".join(json.dumps(record.as_json()) for record in records)
        whole = (head + body).encode()
        temporary = self._path.with_name(self._path.name + ".new")
        try:
            temporary.write_bytes(whole + _tail({}))
            os.replace(temporary, self._path)
            self._file = self._path.open("r+b", buffering=0)
        except OSError as error:
            raise ValueError(f"cannot write {self._path}: {error.strerror or error}") from error
        self._end, self._count = len(whole), len(records)
        return records

    def _read(self) -> list[GameRecord]:
        try:
            lines = self._path.read_text().splitlines()
            settings = json.loads(lines[0].removesuffix(",") + "}")["match"]
            games = [line.removesuffix(",") for line in lines[2:] if line.startswith('{"number"')]
            if games and not games[-1].endswith("}"):
                games.pop()  # the writer was killed in the middle of this one
            records = [GameRecord(**json.loads(line)) for line in games]
        except OSError as error:
            raise ValueError(f"cannot read {self._path}: {error.strerror or error}") from error
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
        return records

    def append(self, record: GameRecord, summary: dict[str, Any]) -> None:
        assert self._file is not None, "the results file has not been opened"
        line = (",\n" if self._count else "") + json.dumps(record.as_json())
        data = line.encode()
        self._file.seek(self._end)
        self._file.write(data + _tail(summary))
        self._file.truncate()
        self._end += len(data)
        self._count += 1

    def close(self) -> None:
        if self._file:
            self._file.close()


def _tail(summary: dict[str, Any]) -> bytes:
    return (_END + '"summary": ' + json.dumps(summary) + "}\n").encode()
