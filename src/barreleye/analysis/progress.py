"""What a long analysis has found so far, in a file beside its output: it can go on after an interruption."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, TextIO

from barreleye.analysis.study import Evaluation, Lines


class Journal:
    """One line for the settings, one for every analysed game. A journal of another analysis is begun anew."""

    def __init__(self, path: Path | None, settings: dict[str, Any]) -> None:
        self.path = path
        self.known: dict[int, list[Lines]] = {}
        self.added = 0
        self._file: TextIO | None = None
        if path is None:
            return
        if path.exists():
            self.known = read(path, settings)
        self._file = path.open("w", encoding="utf-8")
        self._write(settings)
        for number, lines in self.known.items():
            self._write(record(number, lines))

    def add(self, number: int, lines: list[Lines]) -> None:
        """Keep a game."""
        self.added += 1
        self._write(record(number, lines))

    def close(self, finished: bool) -> None:
        """Done with it; of a finished analysis nothing needs to be kept."""
        if self._file is not None:
            self._file.close()
        if self.path is not None and finished:
            self.path.unlink(missing_ok=True)

    def _write(self, value: object) -> None:
        if self._file is not None:
            self._file.write(json.dumps(value) + "\n")
            self._file.flush()


def record(number: int, lines: list[Lines]) -> dict[str, Any]:
    return {"game": number, "positions": [[line.as_json() for line in position] for position in lines]}


def read(path: Path, settings: dict[str, Any]) -> dict[int, list[Lines]]:
    """The games of a journal with these settings, none when it is of something else; a torn last line is left out."""
    known: dict[int, list[Lines]] = {}
    try:
        first, *rest = path.read_text(encoding="utf-8").splitlines() or [""]
        if json.loads(first) != settings:
            return {}
        for line in rest:
            found = json.loads(line)
            known[found["game"]] = [[Evaluation.from_json(one) for one in position] for position in found["positions"]]
    except (ValueError, KeyError, TypeError):
        pass
    return known
