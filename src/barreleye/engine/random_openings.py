"""Openings to play from without a book: random moves, and a look that neither side is lost already."""

from __future__ import annotations

import random

from barreleye.core.position import Position
from barreleye.engine import Engine
from barreleye.opening_books import Start, open_book, start_position_book

RANDOM_PLIES = 8
NODES = 1000                # of the look at the result
LARGEST_SCORE = 300         # centipawns that it may find, unless somebody wants less


class RandomOpenings:
    """Openings numbered from 0 without end: positions eight or nine random moves after the start, or after a book's.

    Each depends on its number, the seed and the engine. One thread at a time may ask.
    """

    def __init__(self, seed: int, largest_score: int = LARGEST_SCORE, book: str = "") -> None:
        self.name = f"random openings within {largest_score} centipawns"
        self._seed = seed
        self._largest_score = largest_score
        self._starts = open_book(book, "sequential") if book else start_position_book()
        self._engine = Engine(Hash=1)

    def __len__(self) -> int:
        """Of the book behind it."""
        return len(self._starts)

    def opening(self, number: int) -> Start:
        """The opening of this number."""
        rng = random.Random(f"{self._seed} {number}")
        self._engine.new_game()
        while True:
            start = self._starts.opening(rng.randrange(len(self._starts)))
            board = Position(start.fen)
            for move in start.moves:
                board.push(move)
            for _ in range(RANDOM_PLIES + rng.randrange(2)):
                if moves := board.legal_moves():
                    board.push(rng.choice(moves))
            self._engine.position(board.fen())
            found = self._engine.search(nodes=NODES)
            if found.best_move is not None and abs(found.info.score) <= self._largest_score:
                return Start(board.fen())
