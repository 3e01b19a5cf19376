"""Networks on a worker: sent to it once, kept in a folder under their digests, and checked to the last byte there."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from barreleye import nets


def folder() -> Path:
    """Where this machine keeps the networks it was sent; only its owner writes there, and that must be us.

    ValueError says what is wrong with the place.
    """
    owner = os.getuid() if hasattr(os, "getuid") else os.environ.get("USERNAME", "")
    place = Path(tempfile.gettempdir()) / f"barreleye-networks-{owner}"
    try:
        place.mkdir(mode=0o700, exist_ok=True)
    except OSError as error:
        raise ValueError(cannot_keep(place, error)) from None
    if hasattr(os, "getuid") and (place.is_symlink() or place.stat().st_uid != owner):
        raise ValueError(f"{place} belongs to somebody else: remove it, or set TMPDIR to a folder of your own")
    return place


def cannot_keep(place: Path, error: OSError) -> str:
    """Why networks cannot be kept in a folder."""
    return (f"networks cannot be kept in {place} ({error.strerror or error}): set TMPDIR to a folder that has room for "
            "them")


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
    """Keep networks that were sent. Several workers of a machine may do so at once: their files are alike.

    ValueError says why they cannot be kept.
    """
    for digest, data in parcels.items():
        if not is_here(digest):
            place = folder()
            try:
                keep(data, path_of(digest))
            except OSError as error:
                raise ValueError(cannot_keep(place, error)) from None


def keep(data: bytes, path: Path) -> None:
    """Write a file so that it is there whole or not at all. Several may do so at once, which `output` would refuse."""
    handle, name = tempfile.mkstemp(dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        os.replace(name, path)
    except OSError:
        os.unlink(name)
        raise
