"""A lock on a file or folder that two runs must not write at once. The system lets go of it however a process ends."""

from __future__ import annotations

import os
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
    """Hold the lock file at this path, as `take` does. The file stays."""
    with path.open("a+b") as file:
        take(file, what)
        yield


@contextmanager
def created(path: Path, what: str) -> Iterator[None]:
    """Hold the lock on a file that is removed or renamed before it is let go of; one that is left over is taken on."""
    if sys.platform == "win32":             # what is open cannot be renamed there
        yield
        return
    with opened(path, what):
        yield


@contextmanager
def beside(path: Path, what: str) -> Iterator[None]:
    """Hold a lock file beside this path, which is gone afterwards."""
    file = path.with_name(path.name + ".lock")
    with created(file, what):
        try:
            yield
        finally:
            file.unlink(missing_ok=True)


def opened(path: str | os.PathLike[str], what: str = "", mode: str = "a+b", buffering: int = -1) -> IO[Any]:
    """A file to read and append to ("r+b": to write anywhere), made if need be, and locked until it is closed."""
    while True:
        file = open(path, mode, buffering, opener=make)         # noqa: SIM115  (whoever asked for it closes it)
        try:
            take(file, what or os.fspath(path))
            if is_still(file, path):        # else whoever held it has removed or renamed it meanwhile
                return file
        except BaseException:
            file.close()
            raise
        file.close()


def make(path: str, flags: int) -> int:
    """Open a file that need not be there yet."""
    return os.open(path, flags | os.O_CREAT, 0o666)


def is_still(file: IO[Any], path: str | os.PathLike[str]) -> bool:
    """Whether an open file is the one of this name."""
    try:
        return os.path.samestat(os.fstat(file.fileno()), os.stat(path))
    except FileNotFoundError:
        return False
