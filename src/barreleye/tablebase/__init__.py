"""Endgame tablebases for Python: results, distances and best moves from Syzygy files, read by the compiled prober.

>>> import os
>>> tables = open_tables(os.environ.get("BARRELEYE_SYZYGY", ""))
>>> tables.cardinality in range(8)
True
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from barreleye.core.position import Position
from barreleye.core.syzygy.probe import Tablebase
from barreleye.core.syzygy.root import rank_moves
from barreleye.syzygy_files import open_tables

if TYPE_CHECKING:
    import chess

    Place: TypeAlias = Position | str | chess.Board

PATH_VARIABLE = "BARRELEYE_SYZYGY"
VERDICTS = {2: "win", 1: "cursed win", 0: "draw", -1: "blessed loss", -2: "loss"}

_default: Tablebase | None = None


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
    from barreleye.tablebase.lines import best_line

    return best_line(tables_at(path), as_position(place), plies)
