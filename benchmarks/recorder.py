"""What recording costs: the bench positions with and without it, in turns, and one long search within a budget.

The times are processor time of the search's own thread, so that other work on the machine matters little.
"""

from __future__ import annotations

import argparse
import time
from statistics import median

from barreleye import nets
from barreleye.core.pool import Pool
from barreleye.core.position import Position
from barreleye.core.recorder import Recording
from barreleye.engine.bench import POSITIONS

WAYS = {"off": False, "on": True}
LONG = "r1bq1rk1/pp2nppp/2n1p3/2ppP3/3P4/P1PB1N2/2P2PPP/R1BQK2R w KQ - 1 10"


def cpu_seconds(nodes: int, is_recorded: bool) -> float:
    """Processor time of all bench positions."""
    pool, took = Pool(16, 1, nets.load_default()), 0.0
    for fen in POSITIONS:
        pool.new_game()
        if is_recorded:
            pool.set_recordings([Recording()])
        position = Position(fen)
        began = time.thread_time()
        pool.search(position, {"nodes": nodes})
        took += time.thread_time() - began
        pool.set_recordings(None)
    return took


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nodes", type=int, default=50_000, help="of each search (default %(default)s)")
    parser.add_argument("--rounds", type=int, default=5, help="(default %(default)s)")
    parser.add_argument("--long", type=int, default=10_000_000, help="nodes of the long search (default %(default)s)")
    parser.add_argument("--budget", type=int, default=256, help="of the long search, MiB (default %(default)s)")
    args = parser.parse_args()
    times: dict[str, list[float]] = {name: [] for name in WAYS}
    for _ in range(args.rounds):
        for name, is_recorded in WAYS.items():
            times[name].append(cpu_seconds(args.nodes, is_recorded))
    print("| recording | processor time | times as much |\n|---|---:|---:|")
    for name, took in times.items():
        ratio = median(mine / plain for mine, plain in zip(took, times["off"], strict=True))
        print(f"| {name} | {median(took):.2f} s | {ratio:.2f} |")
    recording = Recording(args.budget << 20)
    pool = Pool(64, 1, nets.load_default())
    pool.set_recordings([recording])
    began = time.thread_time()
    pool.search(Position(LONG), {"nodes": args.long})
    seconds, stats = time.thread_time() - began, pool.stats()
    pool.set_recordings(None)
    visits = stats["main_nodes"] + stats["quiescence_nodes"]
    print(f"\n{stats['nodes']:,} nodes, {visits:,} visits, recorded {recording.total:,}: {recording.visit_count:,} of "
          f"them and {recording.event_count:,} events kept in {args.budget} MiB,")
    print(f"what lies within visits of up to {recording.collapse:,} counted only; {seconds:.1f} s")


if __name__ == "__main__":
    main()
