"""How many positions a second a thread looks up in endgame tablebases that are in memory.

Positions are few enough for their boards to stay in the cache, as the one board of a search does. The clock is the
thread's own time on the processor, so that other work on the machine does not count.

usage: python benchmarks/syzygy.py [FOLDER] [POSITIONS]
"""

import random
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from barreleye.core.position import Position
from barreleye.core.syzygy.probe import Tablebase
from barreleye.syzygy_files import open_tables

FOLDER = Path(__file__).resolve().parents[2] / "shared" / "data" / "syzygy"
SECONDS = 2.0


def random_position(name: str, rng: random.Random) -> Position:
    """A legal position of an ending, by trying."""
    while True:
        white, black = name.split("v")
        men = white + black.lower()
        squares = rng.sample(range(64), len(men))
        board = ["."] * 64
        for man, sq in zip(men, squares, strict=True):
            board[sq] = man
        ranks = ["".join(board[start:start + 8]) for start in range(0, 64, 8)]
        placement = "/".join("".join("1" if sq == "." else sq for sq in rank) for rank in ranks)
        try:
            return Position(f"{placement} {rng.choice('wb')} - - 0 1")
        except ValueError:
            continue


def rate(probe: Callable[[list[Position], int], int], positions: list[Position]) -> float:
    """Probes a second; every table is opened before the clock starts."""
    probe(positions, 1)
    rounds, started = 0, time.thread_time()
    while time.thread_time() - started < SECONDS:
        probe(positions, 10)
        rounds += 10
    return rounds * len(positions) / (time.thread_time() - started)


def main() -> None:
    folder = sys.argv[1] if len(sys.argv) > 1 else str(FOLDER)
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 700
    tables: Tablebase = open_tables(folder)
    rng = random.Random(2024)
    names = sorted({file.name for file in tables.files})
    positions = [random_position(names[number % len(names)], rng) for number in range(count)]
    print(f"{len(names)} endings, {len(positions)} positions")
    print(f"WDL {rate(tables.probe_all, positions) / 1e6:.2f} million probes a second")
    print(f"DTZ {rate(partial(tables.probe_all, distances=True), positions) / 1e6:.2f} million probes a second")


if __name__ == "__main__":
    main()
