"""Opening books in the format of Polyglot (.bin): which moves a book has for a position, and a choice among them."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import random

    import chess

ENTRY_BYTES = 16
SAMPLES = 256           # entries whose order is looked at to tell a book from other files


@dataclass(frozen=True, slots=True)
class BookMove:
    """A move of a book, with the share of the games in which the book wants it played."""

    move: chess.Move
    share: float


class PolyglotBook:
    """A book file, opened. ValueError says what is wrong with it; loads python-chess."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        from chess import polyglot

        self.path = os.fspath(path)
        try:
            size = os.stat(self.path).st_size
            if os.path.isdir(self.path):
                raise ValueError(f"the book {self.path} is a folder; name a Polyglot book, a .bin file")
            if not size or size % ENTRY_BYTES:
                raise ValueError(f"{self.path} is not a Polyglot book: its size is {size} bytes, expected a multiple "
                                 f"of {ENTRY_BYTES}")
            self._reader = polyglot.open_reader(self.path)
        except OSError as error:
            raise ValueError(f"the book {self.path} cannot be read: {error.strerror or error}") from None
        count = len(self._reader)
        keys = [self._reader[index * (count - 1) // SAMPLES].key for index in range(SAMPLES + 1)]
        if keys != sorted(keys):
            raise ValueError(f"{self.path} is not a Polyglot book: its entries are not in order")

    def moves(self, board: chess.Board) -> list[BookMove]:
        """What the book would play here, most wanted first; empty where it knows nothing."""
        entries = sorted(self._reader.find_all(board), key=lambda entry: (-entry.weight, entry.move.uci()))
        total = sum(entry.weight for entry in entries)
        return [BookMove(entry.move, entry.weight / total) for entry in entries]

    def choose(self, board: chess.Board, chance: random.Random | None = None) -> BookMove | None:
        """One of the moves by chance, as often as the book wants each; the most wanted one without chance."""
        known = self.moves(board)
        if not known or chance is None:
            return known[0] if known else None
        return chance.choices(known, [move.share for move in known])[0]

    def close(self) -> None:
        self._reader.close()
