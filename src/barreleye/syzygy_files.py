"""The Syzygy files of a process: found in folders, mapped once for all engines, opened when first needed."""

from __future__ import annotations

import mmap
import os
import re
import threading
from collections.abc import Callable
from typing import Any
from weakref import WeakValueDictionary

from barreleye import caution
from barreleye.core.syzygy.probe import Tablebase
from barreleye.core.syzygy.tables import TableFile

MAX_MEN = 7
NAME = re.compile(r"(K[QRBNP]*vK[QRBNP]*)\.(rtbw|rtbz)")

_files: WeakValueDictionary[str, TableFile] = WeakValueDictionary()
_files_lock = threading.Lock()


def map_file(path: str) -> Any:
    """The bytes of a file, read by the system as they are needed."""
    with open(path, "rb") as file:
        if not os.fstat(file.fileno()).st_size:
            raise ValueError("it is empty")
        mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    if hasattr(mmap, "MADV_RANDOM"):
        mapped.madvise(mmap.MADV_RANDOM)
    return mapped


def folders(path: str) -> list[str]:
    """The folders that a SyzygyPath names, in its order."""
    return [part for part in (part.strip() for part in path.split(os.pathsep)) if part and part != "<empty>"]


def open_tables(path: str, warn: Callable[[str], None] | None = None) -> Tablebase:
    """The tables in one folder or several, as the system writes paths. Files are opened when first needed.

    A folder that cannot be read is left out after one warning; without warn it is an OSError.
    """
    found: dict[str, TableFile] = {}
    for folder in folders(path):
        try:
            entries = sorted(os.listdir(folder))
        except OSError as error:
            if warn is None:
                raise
            warn(f"no tablebases from {folder}: {error.strerror or error}")
            continue
        for entry in entries:
            try:
                if entry not in found and (file := table_file(folder, entry)) is not None:
                    found[entry] = file
            except OSError as error:               # a dangling link, or a file just gone: the others count
                problem = error.strerror or error
                (warn or caution.warn)(f"tablebase {os.path.join(folder, entry)} is not used: {problem}")
    return Tablebase(list(found.values()))


def table_file(folder: str, entry: str) -> TableFile | None:
    """The table a folder's entry is, the same object for everyone; None for other files and too many men."""
    match = NAME.fullmatch(entry)
    if match is None or not 3 <= len(match[1]) - 1 <= MAX_MEN:
        return None
    path = os.path.realpath(os.path.join(folder, entry))
    stamp = os.stat(path)
    # A file that was replaced is another one.
    key = f"{path} {stamp.st_size} {stamp.st_mtime_ns}"
    with _files_lock:
        file = _files.get(key)
        if file is None:
            file = _files[key] = TableFile(match[1], path, match[2] == "rtbz", map_file)
    return file


def new_problems(tables: Tablebase) -> list[str]:
    """One line for each table that turned out to be unusable and was not spoken of before."""
    problems = []
    for file in tables.files:
        if not file.reported and (problem := file.check()) is not None:
            file.reported = True
            problems.append(f"tablebase {file.path} is not used: {problem}")
    return problems
