"""How fast the page's pictures are, and what its reports cost the search.

A tree of a million visits should be drawn within 300 ms of the search, each zoom within 100 ms and 200 KB, and the
search should keep 97 % of its speed while a tab listens.
"""

import json
import statistics
import sys
import threading
import time

import chess

from barreleye import Engine
from barreleye.web import icicle
from barreleye.web.reports import Reports, counters
from barreleye.web.session import REPORTS_PER_S, TICKS_PER_S

FEN = "r1bq1rk1/pp2nppp/2n1p3/2ppP3/3P4/P1PB1N2/2P2PPP/R1BQK2R w KQ - 1 10"
WIDTH = 1000


def pictures(nodes: int) -> None:
    """The whole search, then down the widest visit of each row."""
    tree = Engine().record(FEN, {"nodes": nodes})
    print(tree)
    start, times, sizes = None, [], []
    for _ in range(12):
        for technique in ("", "Null Move"):
            began = time.perf_counter()
            _, cells = icicle.picture(tree, start, WIDTH, technique)
            times.append(1000 * (time.perf_counter() - began))
            sizes.append(len(cells))
        within = tree.windows if start is None else start.children
        if not within:
            break
        start = max(within, key=lambda visit: visit.size)
    print(f"first picture {times[0]:.0f} ms, slowest {max(times):.0f} ms, median {statistics.median(times):.0f} ms, "
          f"largest {max(sizes) / 1000:.0f} KB")


def speed(nodes: int, listens: bool) -> float:
    """Processor time of a search, with a listener that does what a tab's session does or without."""
    engine, reports, over = Engine(Hash=64), Reports(chess.Board(FEN)), threading.Event()
    engine.set_option("MultiPV", 3)
    engine.position(FEN)
    began = time.process_time()
    engine.go({"nodes": nodes}, on_info=reports.hear if listens else None, on_done=lambda _: over.set())
    beats = 0
    while not over.wait(1 / REPORTS_PER_S if listens else None):
        json.dumps(reports.take())
        beats += 1
        if beats % (REPORTS_PER_S // TICKS_PER_S) == 0:
            json.dumps(counters(engine.stats()))
    return time.process_time() - began


def main() -> int:
    nodes = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    pictures(nodes)
    pairs = [(speed(4 * nodes, False), speed(4 * nodes, True)) for _ in range(3)]
    kept = sum(alone for alone, _ in pairs) / sum(heard for _, heard in pairs)
    print(f"with a tab listening the search keeps {kept:.1%} of its speed")
    return 0


if __name__ == "__main__":
    sys.exit(main())
