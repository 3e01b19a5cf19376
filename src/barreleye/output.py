"""Files that are written whole or not at all, by every command: the old content stays until the new one is complete.

A regular file, also behind a link, is replaced by one that was written beside it and takes over its permissions. What
is no regular file (a device, a pipe, a terminal) cannot be replaced without destroying it, and is written to.
"""

from __future__ import annotations

import contextlib
import os
import stat
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

from barreleye import lock

SUFFIX = ".partial"                         # of a file that is not finished
NOT_FILES = ("/dev/fd/", "/dev/std", "/proc/")      # open already: where they lead to a file, it is written on


@contextlib.contextmanager
def writing(path: str | os.PathLike[str], mode: str = "w") -> Iterator[IO[Any]]:
    """Open a file to be written, text in UTF-8 ("w") or bytes ("wb"); it appears under its name when the block ends.

    If the block fails, or is interrupted, all is as before. BlockingIOError when another run is writing the same file.
    """
    encoding = None if "b" in mode else "utf-8"
    if not is_replaced(path):
        with open(path, mode.replace("w", "a"), encoding=encoding) as file:
            yield file
        return
    target = Path(os.path.realpath(path))
    with beside(target, str(path)) as temporary:
        with open(temporary, mode, encoding=encoding) as file:
            keep_permissions(target, file.fileno())
            yield file
        os.replace(temporary, target)


@contextlib.contextmanager
def beside(target: Path, name: str) -> Iterator[Path]:
    """The path of a temporary file that only this run writes to, and that is removed if anything goes wrong."""
    temporary = target.with_name(target.name + SUFFIX)
    with lock.created(temporary, name):
        try:
            yield temporary
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise


def write_bytes(path: str | os.PathLike[str], data: bytes) -> None:
    """Write a whole file."""
    with writing(path, "wb") as file:
        file.write(data)


def write_text(path: str | os.PathLike[str], text: str) -> None:
    """Write a whole file of text."""
    with writing(path) as file:
        file.write(text)


def is_replaced(path: str | os.PathLike[str]) -> bool:
    """Whether a new file takes the place of what is there: of a regular file, or of nothing."""
    if os.path.abspath(path).startswith(NOT_FILES) and sys.platform != "win32":
        return False
    try:
        return stat.S_ISREG(os.stat(path).st_mode)
    except FileNotFoundError:
        return True


def check(path: str | os.PathLike[str]) -> None:
    """Fail before the work rather than after it; ValueError says why nothing can be written there."""
    folder = Path(os.path.realpath(path)).parent
    if os.path.isdir(path):
        raise ValueError(f"{os.fspath(path)} is a folder: name a file")
    if not folder.is_dir():
        raise ValueError(f"there is no folder {folder} to write {Path(path).name} into")
    if is_replaced(path) and not os.access(folder, os.W_OK):
        raise ValueError(f"cannot write {os.fspath(path)}: the folder {folder} is not writable")


def check_apart(paths: dict[str, str | os.PathLike[str] | None]) -> None:
    """ValueError when two of the files, given by what they are for, are one: the later would destroy the earlier."""
    seen: dict[str, str] = {}
    for name, path in paths.items():
        if path is None or not is_replaced(path):
            continue
        if (other := seen.setdefault(os.path.realpath(path), name)) != name:
            raise ValueError(f"{os.fspath(path)} is given both for {other} and for {name}: name another file")


def keep_permissions(target: Path, descriptor: int) -> None:
    """Give a new file the permissions, and where that is allowed the owner, of the one it will replace."""
    if sys.platform == "win32":
        return
    try:
        old = os.stat(target)
    except FileNotFoundError:
        return
    with contextlib.suppress(OSError):
        os.fchown(descriptor, old.st_uid, old.st_gid)
    os.fchmod(descriptor, stat.S_IMODE(old.st_mode))
