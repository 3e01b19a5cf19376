"""A lock on a file or folder that two runs must not write at once. The system lets go of it however a process ends."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl


@contextmanager
def held(path: Path, what: str) -> Iterator[None]:
    """Hold the lock file at this path; BlockingIOError, which says what is in use, if somebody else does."""
    with path.open("a+b") as file:
        try:
            if sys.platform == "win32":
                file.seek(0)
                msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
            else:
                fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise BlockingIOError(f"{what} is in use by another run: wait for it, or end it first") from None
        try:
            yield
        finally:
            if sys.platform == "win32":
                file.seek(0)
                msvcrt.locking(file.fileno(), msvcrt.LK_UNLCK, 1)
