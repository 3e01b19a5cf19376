"""Search a fixed set of positions: the signature of this build, and how fast it is here.

The number of nodes is the same on every machine and in every run on one thread; it changes when the search or the
evaluation does. The last line is what testing frameworks read.
"""

from __future__ import annotations

import argparse
import json

from barreleye.engine import bench

EXAMPLES = """\
examples:
  barreleye bench
  barreleye bench 10
  barreleye bench 12 2 64          depth, threads, MiB of hash
  barreleye bench --json
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EXAMPLES
    add = parser.add_argument
    add("depth", nargs="?", type=int, default=bench.DEPTH, help="depth of each search (default %(default)s)")
    add("threads", nargs="?", type=int, default=bench.THREADS, help="search threads (default %(default)s)")
    add("hash", nargs="?", type=int, default=bench.HASH, help="MiB of the table (default %(default)s)")
    add("--json", action="store_true", help="print one JSON object and nothing else")


def run(args: argparse.Namespace) -> int:
    from barreleye import uci

    if not args.json:
        return uci.run_once(["bench", *map(str, (args.depth, args.threads, args.hash))], strict=True)
    result = bench.bench(args.depth, args.threads, args.hash)
    print(json.dumps({"depth": args.depth, "threads": args.threads, "hash": args.hash, "nodes": result.nodes,
                      "milliseconds": result.time_ms, "nps": result.nps}))
    return 0
