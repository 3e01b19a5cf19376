"""A lock on an open file, which ends with the process that holds it, however that ends."""

from __future__ import annotations

import sys
from typing import IO, Any

FAR = 1 << 40               # Windows locks bytes: one that no file here has


def try_lock(file: IO[Any]) -> bool:
    """Take the lock unless somebody else has it; it is given back when the file is closed."""
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
