"""Files that may be packed: what is in a plain, gzipped or zipped file, told by its first bytes and not by its name."""

from __future__ import annotations

import codecs
import gzip
import io
import zipfile
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import IO

GZIP, ZIP = b"\x1f\x8b", b"PK\x03\x04"
EMPTY_ZIP = b"PK\x05\x06"
ROOM = 64 << 20                 # bytes that any file may unpack to,
MOST_TIMES = 200                # and beyond that so many times its size: text does not pack better
PIECE = 1 << 20


def read(path: str | Path) -> bytes:
    """A whole file, unpacked; of an archive its first file. OSError or ValueError says why it cannot be read."""
    return unpacked(Path(path).read_bytes(), str(path))[0][1]


def unpacked(data: bytes, name: str, suffixes: Sequence[str] = ()) -> list[tuple[str, bytes]]:
    """The names and contents of what a file holds: itself, or the files of an archive whose names end so.

    ValueError says what is wrong with an archive that is damaged, encrypted, or made to fill the memory.
    """
    try:
        if data.startswith(GZIP):
            with gzip.open(io.BytesIO(data)) as stream:
                return [(Path(name).name.removesuffix(".gz"), drained(stream, len(data), name))]
        if data.startswith((ZIP, EMPTY_ZIP)):
            with zipfile.ZipFile(io.BytesIO(data)) as archive:
                wanted = [entry for entry in archive.infolist() if not entry.is_dir()
                          and entry.filename.lower().endswith(tuple(suffixes) or "")]
                if not wanted:
                    kinds = f" that ends with {' or '.join(suffixes)}" if suffixes else ""
                    raise ValueError(f"{name}: there is no file{kinds} in the archive")
                found = []
                for entry in wanted:
                    with archive.open(entry) as part:
                        found.append((Path(entry.filename).name, drained(part, len(data), name)))
                return found
        if name.lower().endswith((".gz", ".zip")):
            raise ValueError(f"{name} is not packed as its name says: it is damaged, or something else")
    except (EOFError, zlib.error, zipfile.BadZipFile, gzip.BadGzipFile, NotImplementedError) as error:
        raise ValueError(f"{name} cannot be unpacked: {error or 'it is cut short'}") from None
    except RuntimeError:
        raise ValueError(f"{name} is encrypted: unpack it first") from None
    return [(Path(name).name, data)]


def drained(stream: IO[bytes] | gzip.GzipFile, size: int, name: str) -> bytes:
    """What a stream holds, unless that is beyond all measure."""
    limit = max(ROOM, MOST_TIMES * size)
    whole = bytearray()
    while piece := stream.read(PIECE):
        whole += piece
        if len(whole) > limit:
            raise ValueError(f"{name} unpacks to more than {limit >> 20} MiB, which no file of this size should")
    return bytes(whole)


def text(data: bytes) -> str:
    """Bytes as text: by the mark that a file begins with, else UTF-8; older files are in neither."""
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return data.decode("utf-16", "replace")
    data = data.removeprefix(codecs.BOM_UTF8)
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data.decode("latin-1")
