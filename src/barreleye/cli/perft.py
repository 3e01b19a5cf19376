"""Count the positions that legal play reaches: a proof that the rules are right, and a measure of speed.

Every engine that knows the rules gets the same number. With --divide the count is split by first move, which is how two
engines that disagree find the move they disagree about.
"""

import argparse
import json
import time
from typing import Any

from barreleye.cli.position import add_position, is_named, start_of
from barreleye.core.notation import START_FEN
from barreleye.engine import perft

EXAMPLES = """\
examples:
  barreleye perft 6
  barreleye perft --divide --threads 2 5 'r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -'
"""


def configure(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("depth", metavar="DEPTH", type=int, help="how many moves of either side (plies) deep to count")
    add("--divide", action="store_true", help="show the count below each first move")
    add("--threads", metavar="N", type=int, default=1, help="share the work among N threads (default: 1)")
    add("--no-bulk", action="store_true", help="play every last move on the board instead of counting them")
    add("--json", action="store_true", help="print one JSON object instead of text")
    add_position(parser)
    parser.epilog = EXAMPLES


def run(args: argparse.Namespace) -> int:
    fen, chess960 = START_FEN, args.chess960
    if is_named(args):
        board = start_of(args).board
        fen, chess960 = board.fen(), board.chess960
    settings = {"bulk": not args.no_bulk, "threads": args.threads, "chess960": chess960}
    started = time.perf_counter()
    if args.divide:
        moves = divide(fen, args.depth, settings, show=not args.json)
        nodes = sum(moves.values())
    else:
        moves = None
        nodes = perft.perft(args.depth, fen, **settings)
    seconds = time.perf_counter() - started
    nps = round(nodes / max(seconds, 1e-9))
    if args.json:
        record = {"fen": fen, "depth": args.depth, **settings, "nodes": nodes, "seconds": seconds, "nps": nps}
        print(json.dumps(record if moves is None else {**record, "divide": moves}))
    else:
        print(f"{nodes} nodes in {seconds:.3f} s, {nps / 1e6:.1f} Mnps")
    return 0


def divide(fen: str, depth: int, settings: dict[str, Any], show: bool) -> dict[str, int]:
    """The count below each first move, shown as soon as it is known."""
    moves = {}
    for move, nodes in perft.iter_divide(depth, fen, **settings):
        moves[move] = nodes
        if show:
            print(f"{move}: {nodes}", flush=True)
    return moves
