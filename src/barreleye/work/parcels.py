"""Networks on a worker: sent to it once, kept in a folder under their digests, and checked to the last byte there."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from barreleye import nets


def folder() -> Path:
    """Where this machine keeps the networks it was sent; only its owner writes there, and that must be us."""
    owner = os.getuid() if hasattr(os, "getuid") else os.environ.get("USERNAME", "")
    place = Path(tempfile.gettempdir()) / f"barreleye-networks-{owner}"
    place.mkdir(mode=0o700, exist_ok=True)
    if hasattr(os, "getuid") and (place.is_symlink() or place.stat().st_uid != owner):
        raise ValueError(f"{place} belongs to somebody else: remove it, or set TMPDIR to a folder of your own")
    return place


def path_of(digest: str) -> Path:
    """The file of a network that has been sent here."""
    return folder() / f"{digest}.net"


def is_here(digest: str) -> bool:
    """Whether a network has been sent here, whole."""
    path = path_of(digest)
    try:
        nets.load(path)
        return nets.inspect(path).digest == digest
    except (OSError, ValueError):
        return False


def lacking(digests: tuple[str, ...]) -> tuple[str, ...]:
    """Those that have not been sent here yet."""
    return tuple(digest for digest in digests if not is_here(digest))


def store(parcels: dict[str, bytes]) -> None:
    """Keep networks that were sent. Several workers of a machine may do so at once: their files are alike."""
    for digest, data in parcels.items():
        if not is_here(digest):
            handle, name = tempfile.mkstemp(dir=folder())
            with os.fdopen(handle, "wb") as file:
                file.write(data)
            os.replace(name, path_of(digest))
