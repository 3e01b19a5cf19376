"""Names of openings, found by position, so that transpositions are recognised.

The names are those of lichess's chess-openings (https://github.com/lichess-org/chess-openings), a collection of facts
in the public domain. `names.bin` holds them in a form of our own, which `python -m barreleye.openings.make` writes.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b
from importlib.resources import files
from typing import TYPE_CHECKING, Any, TypeAlias

from barreleye.core.notation import START_FEN
from barreleye.core.position import Position

if TYPE_CHECKING:
    import chess
    import chess.pgn

    Line: TypeAlias = chess.Board | chess.pgn.GameNode | Position | str | Iterable[chess.Move | str]

HEAD = b"barreleye openings 1\n"
KEY_BYTES = 6
LONGEST = 40                        # plies looked at; the longest line that has a name is a little shorter
MOVE_NUMBERS = re.compile(r"\d+\.+|…")


@dataclass(frozen=True, slots=True)
class Opening:
    """An opening: its code in the Encyclopaedia, its name, and after how many plies of the line it was reached."""

    eco: str
    name: str
    ply: int

    def __str__(self) -> str:
        return f"{self.eco} {self.name}"


def opening(line: Line) -> Opening | None:
    """The last named opening that a line of play goes through, None when it goes through none.

    A line is a chess.Board with its moves, a game of chess.pgn, a Position, a FEN, or moves from the start position,
    as text or one by one, in UCI or as in a book. Of a FEN and a Position only the position itself is looked at.

    >>> str(opening("1. d4 e6 2. e4 d5"))
    'C00 French Defense'
    >>> opening(["e2e4", "c7c5", "g1f3", "d7d6"]).name
    'Sicilian Defense: Modern Variations'
    """
    found = None
    for ply, epd in enumerate(positions_of(line)):
        if ply > LONGEST:
            break
        if (named := names().get(key_of(epd))) is not None:
            eco, _, name = named.partition(" ")
            found = Opening(eco, name, ply)
    return found


def positions_of(line: Any) -> Iterator[str]:
    """Every position of a line, first to last, as the four fields of a FEN that tell positions apart."""
    if isinstance(line, Position):
        yield epd_of(line)
    elif isinstance(line, str) and "/" in line:
        yield epd_of(Position(line))
    elif hasattr(line, "move_stack"):
        yield from along(line.root(), line.move_stack)
    elif hasattr(line, "game"):
        yield from along(line.game().board(), line.game().mainline_moves())
    elif isinstance(line, Iterable):
        yield from played(MOVE_NUMBERS.sub(" ", line).split() if isinstance(line, str) else line)
    else:
        raise TypeError(f"{line!r} is not a line of play: give a chess.Board, a game of chess.pgn, a Position, a FEN, "
                        "or moves such as '1. e4 e5'")


def along(board: chess.Board, moves: Iterable[chess.Move]) -> Iterator[str]:
    """The positions of a line that python-chess holds; from the start position they can be had faster."""
    if board.fen() == START_FEN and all(moves):         # a null move is nothing that can be played
        yield from played(moves)
        return
    board = board.copy()
    yield board.epd()
    for move in moves:
        board.push(move)
        yield board.epd()


def played(moves: Iterable[chess.Move | str]) -> Iterator[str]:
    """The positions that moves lead to from the start; ValueError names a move that cannot be played."""
    position = Position(START_FEN)
    yield epd_of(position)
    for move in moves:
        position.push(uci_of(move, position))
        yield epd_of(position)


def uci_of(move: chess.Move | str, position: Position) -> str:
    """A move as UCI text, whichever way it was written."""
    if not isinstance(move, str) and not hasattr(move, "uci"):
        raise TypeError(f"{move!r} is not a move: give text such as 'e2e4' or 'Nf3', or a chess.Move")
    text = move if isinstance(move, str) else move.uci()
    if position.is_legal(text):
        return text
    import chess

    try:
        return chess.Board(position.fen()).parse_san(text).uci()
    except ValueError:
        raise ValueError(f"{text!r} is not a legal move after {position.ply} plies") from None


def epd_of(position: Position) -> str:
    return " ".join(position.fen().split()[:4])


def key_of(epd: str) -> bytes:
    """What names.bin calls a position."""
    return blake2b(epd.encode(), digest_size=KEY_BYTES).digest()


@cache
def names() -> dict[bytes, str]:
    """Code and name of every position that has one, read when first needed."""
    data = files("barreleye.openings").joinpath("names.bin").read_bytes()
    if not data.startswith(HEAD):
        raise ValueError("barreleye/openings/names.bin is damaged: install Barreleye again")
    texts, _, keys = zlib.decompress(data[len(HEAD):]).partition(b"\0")
    return {keys[KEY_BYTES * index:KEY_BYTES * (index + 1)]: text
            for index, text in enumerate(texts.decode().split("\n"))}
