"""A lock on a file or folder that two runs must not write at once. The system lets go of it however a process ends."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

FAR = 1 << 40               # Windows locks bytes: one that no file here has


def try_lock(file: IO[Any]) -> bool:
    """Take the lock on an open file unless somebody else has it; it is given back when the file is closed."""
    try:
        if sys.platform == "win32":
            import msvcrt

            place = file.tell()
            file.seek(FAR)
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
            file.seek(place)
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


@contextmanager
def held(path: Path, what: str) -> Iterator[None]:
    """Hold the lock file at this path; BlockingIOError, which says what is in use, if somebody else does."""
    with path.open("a+b") as file:
        if not try_lock(file):
            raise BlockingIOError(f"{what} is in use by another run: wait for it, or end it first")
        yield
