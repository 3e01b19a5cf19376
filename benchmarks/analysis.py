"""How fast many positions are analysed: threads compared, and what each position costs beside its search.

python benchmarks/analysis.py [--positions 2000] [--nodes 10000] [--workers 1 2]
"""

from __future__ import annotations

import argparse
import time

import barreleye
from barreleye.core.pool import Pool
from barreleye.core.position import Position
from barreleye.engine.bench import POSITIONS


def seconds(items: list[str], nodes: int, workers: int) -> float:
    """Time to analyse every position."""
    start = time.perf_counter()
    found = sum(1 for _ in barreleye.analyse_many(items, {"nodes": nodes}, workers, options={"Hash": 1}))
    assert found == len(items)
    return time.perf_counter() - start


def bare_seconds(items: list[str]) -> float:
    """Time of the shortest searches alone, on positions that are already set up."""
    pool, positions = Pool(1, 1), [Position(fen) for fen in items]
    start = time.perf_counter()
    for position in positions:
        pool.search(position, {"nodes": 1})
    return time.perf_counter() - start


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--positions", type=int, default=2000)
    parser.add_argument("--nodes", type=int, default=10_000)
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2])
    args = parser.parse_args()
    items = [POSITIONS[number % len(POSITIONS)] for number in range(args.positions)]
    # Twice as many positions take so much longer: what starting the threads costs falls out.
    more = min(seconds(items * 2, 1, 1) for _ in range(3)) - min(seconds(items, 1, 1) for _ in range(3))
    bare = min(bare_seconds(items) for _ in range(3))
    print(f"shortest searches: {1e6 * more / len(items):.1f} us a position, "
          f"{1e6 * (more - bare) / len(items):.1f} of them around the search")
    first = None
    for workers in args.workers:
        took = seconds(items, args.nodes, workers)
        first = first or took
        print(f"{workers} workers: {took:.2f} s, {len(items) / took:.0f} positions a second, "
              f"{first / took:.2f} times as fast")


if __name__ == "__main__":
    main()
