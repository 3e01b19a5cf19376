"""Names of openings, from a table that the user supplies: a TSV file with `eco`, `name` and `pgn`, or FENs in `epd`."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable
from pathlib import Path

import chess

Table = dict[str, tuple[str, str]]          # EPD of a position: its code and name
ENVIRONMENT = "BARRELEYE_ECO"
DEEPEST = 50                                # plies


def read_table(path: str) -> Table:
    """The openings of one file, or of all the .tsv files of a folder; ValueError says what is wrong with it."""
    files = sorted(Path(path).glob("*.tsv")) if Path(path).is_dir() else [Path(path)]
    if not files:
        raise ValueError(f"{path}: there are no .tsv files in this folder")
    table: Table = {}
    for file in files:
        with file.open(encoding="utf-8", errors="replace", newline="") as lines:
            rows = csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)
            if not {"eco", "name"} <= set(rows.fieldnames or ()) or not {"pgn", "epd"} & set(rows.fieldnames or ()):
                raise ValueError(f"{file}: the first line of a table of openings names its columns: eco, name, and "
                                 "pgn or epd, with tabs between them")
            try:
                for row in rows:
                    if not row["eco"] or not row["name"] or not (row.get("epd") or row.get("pgn")):
                        raise ValueError("a row has a code, a name and moves, with tabs between them")
                    table[row.get("epd") or epd_of(row["pgn"])] = (row["eco"], row["name"])
            except (ValueError, csv.Error) as error:
                raise ValueError(f"{file}, line {rows.line_num}: {error}") from None
    return table


def epd_of(moves: str) -> str:
    """The position that moves written as in a book lead to."""
    board = chess.Board()
    for word in re.sub(r"\d+\.+", " ", moves).split():
        board.push_san(word)
    return board.epd()


def opening_of(boards: Iterable[chess.Board], table: Table) -> tuple[str, str, int] | None:
    """Code and name of the last position of a game that has one, and that position's number."""
    found = None
    for index, board in enumerate(boards):
        if index > DEEPEST:
            break
        named = table.get(board.epd())
        if named:
            found = (*named, index)
    return found
