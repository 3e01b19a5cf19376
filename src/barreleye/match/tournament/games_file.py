"""The file of games: PGN that grows by one game at a time, without half a game or one twice, whatever ended a match."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import IO

from barreleye import lock, output

_OURS = b'[Event "Barreleye match"]'
_ROUND = re.compile(rb'\[Round "(\d+)\.([12])"\]')
_RESULTS = (b"1-0", b"0-1", b"1/2-1/2", b"*")
_END = re.compile(rb"(?:1-0|0-1|1/2-1/2|\*)\s*\n\n")  # of a whole game
_FAR = 1 << 20  # bytes that the last game is looked for in


class GamesFile:
    """Games are appended; other programs' games in the same file are never touched. Locked as long as it is open."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._is_kept = output.is_replaced(path)
        try:
            # What is kept is also read; opening a pipe for both would not wait for a reader.
            self._file: IO[bytes] = (lock.opened(path, buffering=0) if self._is_kept
                                    else open(path, "wb", buffering=0))  # noqa: SIM115
        except BlockingIOError as error:
            raise ValueError(str(error)) from error
        except OSError as error:
            raise ValueError(f"cannot write {path}: {error.strerror or error}") from error

    def mend(self, recorded_end: int | None = None, recorded: Collection[int] = ()) -> None:
        """Remove what a killed match has left behind its last recorded game: a part of a game, or one not recorded."""
        if not self._is_kept:
            return
        size = self._file.seek(0, 2)
        if recorded_end is not None and recorded_end < size:
            rest = self._from(recorded_end)
            number = _number(rest)
            if rest.startswith(_OURS) and rest.count(b"\n[Event ") == 0 and number not in recorded:
                self._file.truncate(recorded_end)
                size = recorded_end
        last = self._from(max(0, size - _FAR))
        ends = [found.end() for found in _END.finditer(last)]
        rest = last[ends[-1] if ends else 0 :]
        if (rest.startswith(_OURS) and rest.split()[-1] not in _RESULTS) or (rest and _OURS.startswith(rest)):
            self._file.truncate(size - len(rest))
        elif rest:
            self._file.write(b"\n" if rest.endswith(b"\n") else b"\n\n")

    def _from(self, place: int) -> bytes:
        self._file.seek(place)
        return self._file.read()

    def append(self, text: str) -> int | None:
        """Write a game and return how long the file is then, None for what has no length; ValueError if it is full."""
        data = text.encode()
        start = self._file.seek(0, 2) if self._is_kept else 0
        try:
            rest = data
            while rest:
                rest = rest[self._file.write(rest) :]
        except OSError as error:
            if self._is_kept:
                self._file.truncate(start)
            problem = error.strerror or error
            raise ValueError(f"cannot write {self._path}: {problem}; the games before this one are safe") from error
        return start + len(data) if self._is_kept else None

    def close(self) -> None:
        self._file.close()


def _number(game: bytes) -> int | None:
    """Which game of its match this is, by its round."""
    found = _ROUND.search(game)
    return 2 * (int(found[1]) - 1) + int(found[2]) - 1 if found else None
