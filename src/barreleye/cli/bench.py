"""Search a fixed set of positions: the signature of this build, and how fast it is here.

The number of nodes is the same on every machine and in every run on one thread; it changes when the search or the
evaluation does. Testing frameworks read the last line.
"""

from __future__ import annotations

import argparse
import json

from barreleye.core.origin import CORE
from barreleye.engine import Engine, Limits, bench
from barreleye.uci.bench import KINDS, positions_of

EXAMPLES = """\
examples:
  barreleye bench
  barreleye bench --depth 10
  barreleye bench 64 2 12          MiB of hash, threads, depth: the order in which Stockfish takes them
  barreleye bench --json
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EXAMPLES
    add = parser.add_argument
    add("hash", nargs="?", type=int, default=bench.HASH, help="MiB of hash table (default %(default)s)")
    add("threads", nargs="?", type=int, default=bench.THREADS, help="search threads (default %(default)s)")
    add("limit", nargs="?", type=int, default=bench.DEPTH, help="depth of each search (default %(default)s)")
    add("positions", nargs="?", default="default", help="default, or a file with one FEN a line")
    add("kind", nargs="?", default="depth", choices=KINDS, help="what the limit counts (default %(default)s)")
    add("unused", nargs="?", help=argparse.SUPPRESS)       # scripts for Stockfish may say which evaluation to use
    add("--depth", type=int, help="search to this depth, with the default hash and threads")
    add("--json", action="store_true", help="print one JSON object and nothing else")


def run(args: argparse.Namespace) -> int:
    from barreleye.uci import Uci

    limit, kind = (args.limit, args.kind) if args.depth is None else (args.depth, "depth")
    if not args.json:
        Uci().bench([str(args.hash), str(args.threads), str(limit), args.positions, kind])
        return 0
    result = bench.bench(Limits.of({kind: limit}), args.threads, args.hash,
                         positions=positions_of(args.positions, Engine(Hash=1)))
    print(json.dumps({kind: limit, "threads": args.threads, "hash": args.hash, "nodes": result.nodes,
                      "milliseconds": result.time_ms, "nps": result.nps, "core": CORE}))
    return 0
