"""What the analysis of many positions finds: one record for each, ready for tables and files."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

from barreleye import wdl
from barreleye.core.notation import move_name
from barreleye.core.position import Position
from barreleye.core.report import SearchInfo

if TYPE_CHECKING:
    import chess.engine


@dataclass(frozen=True, slots=True)
class Line:
    """A line of play with its score for White: centipawns, or moves to mate (negative when Black mates)."""

    cp: int | None
    mate: int | None
    pv: tuple[str, ...]
    depth: int
    exact: bool                       # False: the search was cut short where it only had a bound

    @classmethod
    def of(cls, info: SearchInfo, position: Position) -> Line:
        """The line of a report."""
        sign = 1 if position.turn else -1
        mate = wdl.mate_moves(info.score)
        return cls(None if mate is not None else sign * wdl.centipawns(info.score),
                   None if mate is None else sign * mate,
                   tuple([move_name(move, position.chess960) for move in info.pv]), info.depth, info.bound == 0)


@dataclass(frozen=True, slots=True)
class Record:
    """One position, analysed. In a mate that is on the board the mate is 0 and the side to move has lost."""

    index: int                        # its place in the whole
    game: int                         # its item of the input,
    ply: int                          # and how many moves after that item's first position
    fen: str
    nodes: int
    seldepth: int
    lines: tuple[Line, ...]           # best first; as many as were asked for
    played: str | None = None         # what was played there; None at the end of a game and of a single position

    @property
    def white_to_move(self) -> bool:
        """Whose move it is."""
        return self.fen.split()[1] == "w"

    @property
    def best_move(self) -> str | None:
        """The move to play, None when the game is over."""
        return self.lines[0].pv[0] if self.lines[0].pv else None

    @property
    def cp(self) -> int | None:
        """The best line's centipawns for White."""
        return self.lines[0].cp

    @property
    def mate(self) -> int | None:
        """The best line's moves to mate, for White."""
        return self.lines[0].mate

    @property
    def score(self) -> chess.engine.PovScore:
        """The best line's score as python-chess writes it."""
        from chess.engine import Cp, Mate, PovScore

        best, sign = self.lines[0], 1 if self.white_to_move else -1
        return PovScore(Mate(sign * best.mate) if best.mate is not None else Cp(sign * (best.cp or 0)),
                        self.white_to_move)

    @property
    def best_san(self) -> str | None:
        """The move to play as books write it."""
        return san(self.fen, self.best_move)

    @property
    def played_san(self) -> str | None:
        """The move that was played as books write it."""
        return san(self.fen, self.played)

    def _repr_mimebundle_(self, **_: Any) -> dict[str, Any]:
        """What notebooks show."""
        from barreleye.pictures.notebook import of_record

        return of_record(self)

    def as_row(self) -> list[Any]:
        """The record as a JSON array."""
        lines = [[line.cp, line.mate, line.pv, line.depth, line.exact] for line in self.lines]
        return [self.index, self.game, self.ply, self.fen, self.nodes, self.seldepth, lines, self.played]

    @classmethod
    def from_row(cls, row: list[Any]) -> Record:
        """The record that as_row() was called on."""
        index, game, ply, fen, nodes, seldepth, lines, played = row
        return cls(index, game, ply, fen, nodes, seldepth,
                   tuple(Line(cp, mate, tuple(pv), depth, exact) for cp, mate, pv, depth, exact in lines), played)


def san(fen: str, move: str | None) -> str | None:
    """A move of a position as books write it; castling may be written in either way.

    >>> san("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1"), san("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "h1h8")
    ('O-O', 'Rh8+')
    """
    if move is None:
        return None
    import chess

    board = chess.Board(fen, chess960=True)
    return board.san(board.parse_uci(move))


# Name, Arrow type, value: what a table has of each record.
COLUMNS = (
    ("index", "int64", lambda record: record.index), ("game", "int64", lambda record: record.game),
    ("ply", "int32", lambda record: record.ply), ("fen", "string", lambda record: record.fen),
    ("cp", "int32", lambda record: record.cp), ("mate", "int32", lambda record: record.mate),
    ("exact", "bool_", lambda record: record.lines[0].exact),
    ("best_move", "string", lambda record: record.best_move),
    ("best_san", "string", lambda record: record.best_san),
    ("played", "string", lambda record: record.played), ("played_san", "string", lambda record: record.played_san),
    ("pv", "string", lambda record: " ".join(record.lines[0].pv)),
    ("depth", "int32", lambda record: record.lines[0].depth), ("seldepth", "int32", lambda record: record.seldepth),
    ("nodes", "int64", lambda record: record.nodes),
)
LINE_FIELDS = tuple(field.name for field in fields(Line))


def to_row(record: Record, headers: Mapping[str, str]) -> dict[str, Any]:
    """A value for each column, and the headers of the game."""
    return {name: value(record) for name, _, value in COLUMNS} | dict(headers)


def to_columns(records: Iterable[tuple[Record, Mapping[str, str]]],
               headers: Sequence[str] = ()) -> dict[str, list[Any]]:
    """A column for each value, as pandas.DataFrame or polars.DataFrame take them; `lines` holds all lines."""
    rows = list(records)
    columns: dict[str, list[Any]] = {name: [value(record) for record, _ in rows] for name, _, value in COLUMNS}
    columns["lines"] = [[{name: " ".join(line.pv) if name == "pv" else getattr(line, name) for name in LINE_FIELDS}
                         for line in record.lines] for record, _ in rows]
    return columns | {name: [said.get(name) for _, said in rows] for name in headers}


def to_arrow(records: Iterable[tuple[Record, Mapping[str, str]]], headers: Sequence[str] = ()) -> Any:
    """A pyarrow.Table."""
    try:
        import pyarrow  # type: ignore[import-not-found,import-untyped,unused-ignore]
    except ImportError as error:
        from barreleye.extras import how_to_install

        raise ImportError(f"Arrow and Parquet tables need pyarrow: {how_to_install('arrow')}") from error

    line = pyarrow.struct([("cp", pyarrow.int32()), ("mate", pyarrow.int32()), ("pv", pyarrow.string()),
                           ("depth", pyarrow.int32()), ("exact", pyarrow.bool_())])
    schema = pyarrow.schema([*((name, getattr(pyarrow, kind)()) for name, kind, _ in COLUMNS),
                             ("lines", pyarrow.list_(line)), *((name, pyarrow.string()) for name in headers)])
    return pyarrow.table(to_columns(records, headers), schema=schema)
