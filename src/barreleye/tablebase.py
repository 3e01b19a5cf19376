"""Endgame tablebases for Python: results, distances and best moves from Syzygy files, read by the compiled prober.

The files of all engines of a process are listed here, so that each is mapped once, when somebody first needs it.

>>> import os
>>> tables = open_tables(os.environ.get("BARRELEYE_SYZYGY", ""))
>>> tables.cardinality in range(8)
True
"""

from __future__ import annotations

import mmap
import os
import re
import threading
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias
from weakref import WeakValueDictionary

from barreleye.core.position import Position
from barreleye.core.syzygy.probe import Tablebase
from barreleye.core.syzygy.root import rank_moves
from barreleye.core.syzygy.tables import TableFile

if TYPE_CHECKING:
    import chess

    Place: TypeAlias = Position | str | chess.Board

MAX_MEN = 7
PATH_VARIABLE = "BARRELEYE_SYZYGY"
NAME = re.compile(r"(K[QRBNP]*vK[QRBNP]*)\.(rtbw|rtbz)")
VERDICTS = {2: "win", 1: "cursed win", 0: "draw", -1: "blessed loss", -2: "loss"}

_files: WeakValueDictionary[str, TableFile] = WeakValueDictionary()
_files_lock = threading.Lock()
_default: Tablebase | None = None


# Opening


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
            except OSError as error:               # a dangling link, or a file that has just gone: the others count
                (warn or warn_of)(f"tablebase {os.path.join(folder, entry)} is not used: {error.strerror or error}")
    return Tablebase(list(found.values()))


def warn_of(problem: str) -> None:
    """Where nobody else listens, what is wrong is a warning."""
    warnings.warn(problem, RuntimeWarning, stacklevel=3)


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


# Asking


def use(path: str) -> Tablebase:
    """Let probes that name no path look here from now on."""
    global _default
    _default = open_tables(path)
    return _default


def tables_at(path: str | None = None) -> Tablebase:
    """The tables at a path; without one, those of use() or of the folder that $BARRELEYE_SYZYGY names."""
    if path is not None:
        return open_tables(path)
    return _default if _default is not None else use(os.environ.get(PATH_VARIABLE, ""))


def as_position(place: Place) -> Position:
    """A position given as such, as FEN text or as python-chess's board."""
    if isinstance(place, Position):
        return place
    return Position(place if isinstance(place, str) else place.fen())


def probe_wdl(place: Place, path: str | None = None) -> int | None:
    """The result for the side to move, with the fifty-move counter at zero: 2 win, 1 cursed win, 0 draw, -1, -2.

    None when the tables cannot tell: too many men, castling rights, no such table.
    """
    value: int | None = tables_at(path).wdl(as_position(place))
    return value


def probe_dtz(place: Place, path: str | None = None) -> int | None:
    """Plies to the capture or pawn move that keeps the result, signed like it; 0 is a draw, None as for probe_wdl."""
    value: int | None = tables_at(path).dtz(as_position(place))
    return value


def best_move(place: Place, path: str | None = None) -> str | None:
    """The move that keeps the result and gets on with it, in UCI text; None without legal moves or without tables."""
    ranked = moves(place, path)
    return ranked[0].uci if ranked else None


def result(place: Place, path: str | None = None, tables: Tablebase | None = None) -> float | None:
    """The score of a game that is decided here, from White's side: 1, 0.5 or 0; None when the tables cannot tell.

    Holds for positions right after a capture or pawn move, and for draws; elsewhere the fifty-move counter matters.
    """
    position = as_position(place)
    tables = tables or tables_at(path)
    if position.piece_count() > tables.cardinality:
        return None
    wdl = tables.wdl(position)
    if wdl is None or (wdl and position.halfmove_clock):
        return None
    return 0.5 if abs(wdl) < 2 else float((wdl > 0) == position.turn)


@dataclass(frozen=True, slots=True)
class RankedMove:
    """A legal move and what it leads to, for the side that makes it."""

    uci: str
    wdl: int
    dtz: int | None
    rank: int
    mates: bool = False

    @property
    def verdict(self) -> str:
        """Its result in words."""
        return VERDICTS[self.wdl]


def moves(place: Place, path: str | None = None, fifty_moves: bool = True) -> list[RankedMove] | None:
    """Every legal move with its result, best first; None when the tables cannot tell. Repetitions count as draws."""
    ranked = rank_moves(tables_at(path), as_position(place), fifty_moves)
    return None if ranked is None else [RankedMove(*row) for row in ranked]


def line(place: Place, path: str | None = None, plies: int = 200) -> list[str]:
    """How play goes on when both sides follow the tables, without giving pieces away for nothing."""
    from barreleye.endgame_lines import best_line

    return best_line(tables_at(path), as_position(place), plies)
