"""Openings to play from, as OpenBench asks for them: random moves, and a look that neither side is lost already."""

from __future__ import annotations

import random
from collections.abc import Iterator

from barreleye.core.position import Position
from barreleye.engine import Engine
from barreleye.match.openings import open_book, start_position_book

RANDOM_PLIES = 8
NODES = 1000                # of the look at the result
LARGEST_SCORE = 300         # centipawns that it may find


def openings(count: int, seed: int, book: str = "None") -> Iterator[str]:
    """FENs of balanced positions eight or nine random moves after the start, or after positions of a book."""
    rng = random.Random(seed)
    starts = start_position_book() if book == "None" else open_book(book, "sequential")
    engine = Engine(Hash=1)
    while count > 0:
        start = starts.opening(rng.randrange(len(starts)))
        board = Position(start.fen)
        for move in start.moves:
            board.push(move)
        for _ in range(RANDOM_PLIES + rng.randrange(2)):
            if moves := board.legal_moves():
                board.push(rng.choice(moves))
        engine.new_game()
        engine.position(board.fen())
        found = engine.search(nodes=NODES)
        if found.best_move is not None and abs(found.info.score) <= LARGEST_SCORE:
            yield board.fen()
            count -= 1
