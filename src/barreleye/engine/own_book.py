"""The engine's own opening book: which move it has for a search, as the options say."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import random

    from barreleye.core.position import Position
    from barreleye.engine.limits import Limits
    from barreleye.polyglot import PolyglotBook

BOOK_LIMIT = {"depth": 1}         # a move from the book is searched just enough to have a score


class OwnBook:
    """A Polyglot book, or none. Nothing of python-chess is loaded before there is one."""

    def __init__(self) -> None:
        self._book: PolyglotBook | None = None
        self._chance: random.Random | None = None

    def open(self, path: str) -> None:
        """Play from this file from now on, from none without a path; ValueError says why it cannot be."""
        book = open_book(path)
        if self._book is not None:
            self._book.close()
        self._book = book

    def move(self, position: Position, limits: Limits, values: Mapping[str, Any]) -> str | None:
        """The book's move where a move is wanted, in UCI text; an analysis is never answered from a book."""
        if self._book is None or not values["OwnBook"] or values["UCI_AnalyseMode"]:
            return None
        if limits.infinite or limits.ponder or not limits.ends or limits.mate is not None:
            return None
        import chess

        board = chess.Board(position.fen(shredder=position.chess960), chess960=position.chess960)
        if board.fullmove_number > values["Book Depth"]:
            return None
        known = self._book.choose(board, None if values["Best Book Move"] else self._drawn())
        return known.move.uci() if known else None

    def _drawn(self) -> random.Random:
        import random

        self._chance = self._chance or random.Random()
        return self._chance


def open_book(path: str) -> PolyglotBook | None:
    """The book of that path, None without one."""
    if not path:
        return None
    from barreleye.polyglot import PolyglotBook

    return PolyglotBook(path)
