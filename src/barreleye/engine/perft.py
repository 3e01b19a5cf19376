"""Perft on any number of threads: the tree is cut into pieces for the core, so that Ctrl-C is heard between them.

>>> perft(4), divide(3)["e2e4"]
(197281, 600)
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import wait
from threading import Event

from barreleye.core.facts import MAX_THREADS
from barreleye.core.notation import START_FEN
from barreleye.core.perft import leaves
from barreleye.core.position import Position
from barreleye.engine.daemon_threads import DaemonThreads
from barreleye.engine.search_thread import PATIENCE_S

MAX_DEPTH = 64
PIECE_DEPTH = 4       # counted in one go: milliseconds of deafness, and hundreds of times what cutting it out costs


def count(position: Position, depth: int, bulk: bool, over: Event) -> int:
    """Leaves below a position; whatever it has come to when it is over."""
    if over.is_set():
        return 0
    if depth <= PIECE_DEPTH:
        return leaves(position, depth, bulk)
    total = 0
    for move in position.legal_moves():
        position.push(move)
        total += count(position, depth - 1, bulk, over)
        position.pop()
    return total


def iter_divide(depth: int = 1, fen: str = START_FEN, *, bulk: bool = True, threads: int = 1,
                chess960: bool = False) -> Iterator[tuple[str, int]]:
    """Yield (move, leaves) for each root move, in the order of generation, as soon as each is known."""
    if isinstance(depth, str) and not isinstance(fen, str):
        raise ValueError(f"perft takes the depth first and the position second: perft({fen!r}, {depth!r})")
    if not hasattr(depth, "__index__") or not 1 <= depth <= MAX_DEPTH:
        raise ValueError(f"perft depth is {depth!r}, expected a number from 1 to {MAX_DEPTH}")
    if not 1 <= threads <= MAX_THREADS:
        raise ValueError(f"perft threads are {threads}, expected a number from 1 to {MAX_THREADS}")
    root = Position(fen, chess960)
    over = Event()

    def below(move: str) -> int:
        position = root.copy()
        position.push(move)
        return count(position, depth - 1, bulk, over)

    moves = root.legal_moves()
    if threads == 1:
        for move in moves:
            yield move, below(move)
        return
    with DaemonThreads(threads, "barreleye perft") as pool:
        try:
            for move, counted in [(move, pool.submit(below, move)) for move in moves]:
                while not counted.done():
                    wait([counted], PATIENCE_S)
                yield move, counted.result()
        finally:
            over.set()          # after Ctrl-C, or when nobody wants the rest, the threads have nothing left to do


def divide(depth: int = 1, fen: str = START_FEN, *, bulk: bool = True, threads: int = 1,
           chess960: bool = False) -> dict[str, int]:
    """Leaves below each root move."""
    return dict(iter_divide(depth, fen, bulk=bulk, threads=threads, chess960=chess960))


def perft(depth: int = 1, fen: str = START_FEN, *, bulk: bool = True, threads: int = 1, chess960: bool = False) -> int:
    """Count the move sequences of this length from a position."""
    if depth == 0:
        Position(fen, chess960)
        return 1
    return sum(divide(depth, fen, bulk=bulk, threads=threads, chess960=chess960).values())
