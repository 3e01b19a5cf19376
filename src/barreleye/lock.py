"""A lock on a file or folder that two runs must not write at once. The system lets go of it however a process ends."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

FAR = 1 << 40               # Windows locks bytes: one that no file has, so that others may read it


def take(file: IO[Any], what: str) -> None:
    """Lock an open file until it is closed; BlockingIOError, which says what is in use, if somebody else has."""
    try:
        if sys.platform == "win32":
            place = file.tell()
            file.seek(FAR)
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
            file.seek(place)
        else:
            fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        raise BlockingIOError(f"{what} is in use by another run: wait for it, or end it first") from None


@contextmanager
def held(path: Path, what: str) -> Iterator[None]:
    """Hold the lock file at this path, as `take` does."""
    with path.open("a+b") as file:
        take(file, what)
        yield
