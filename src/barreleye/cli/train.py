"""Learn from games: self-play, networks, the weights of the evaluation.

Without WHAT it does everything at once: `barreleye train --minutes 60` has the engine play itself, trains a network on
the games, writes it to a file and says how it does against an engine that only counts material. WHAT does one step:
"""

from __future__ import annotations

import argparse
import contextlib
import signal
from importlib import import_module
from pathlib import Path

from barreleye.cli.cluster import add_cluster
from barreleye.core.machine import processors
from barreleye.extras import how_to_install

EXAMPLES = """\
examples:
  barreleye train --minutes 3 --classical                         a first small network, from nothing
  barreleye train generate data/first --nodes 1000 --minutes 600
  barreleye train generate data/long --nodes 200                  until interrupted
  barreleye train generate data/large --positions 100000000 --cluster tcp://10.0.0.1:8786
  barreleye train inspect data/first
  barreleye train net data/first -o first.net --width 128
  barreleye train generate data/second --net first.net --minutes 600
  barreleye train relabel data/first -o relabelled.positions --net first.net
  barreleye train net data/second relabelled.positions -o second.net --width 256 --buckets 8

Play with a network by `setoption name EvalFile value first.net`, or measure it with `barreleye lab duel net=first.net`.
Any of this can be interrupted with Ctrl-C: give the same command again to continue, even after a crash. A training
keeps what it needs for that beside the network, in FILE.checkpoint.npz; data added meanwhile waits for the next one.
"""
# How games are searched, ended and kept: name, type, metavar, default, meaning.
DATA_SET: dict[str, list[tuple[str, type, str, int | float | str, str]]] = {
    "searches": [
        ("hard_nodes", int, "N", 0, "every search ends at so many nodes (default: eight times --nodes)"),
        ("check_share", float, "SHARE", 0.25, "part of --nodes that positions in check get, as they are not kept"),
        ("group_games", int, "N", 0,
         "games in a row that share a hash table and histories (default: up to 16, depending on --nodes)"),
        ("hash_mb", int, "MB", 2, "size of each thread's hash table in MiB"),
    ],
    "openings": [
        ("opening_limit", int, "CP", 300, "throw away openings that a short search scores beyond this"),
    ],
    "the end of a game": [
        ("win_score", int, "CP", 1500, "a game is won once the score is at least this"),
        ("win_plies", int, "N", 5, "for so many plies in a row"),
        ("draw_score", int, "CP", 10, "a game is drawn once the score is at most this"),
        ("draw_plies", int, "N", 10, "for so many plies in a row"),
        ("draw_after", int, "PLY", 70, "and the game has reached this ply"),
        ("syzygy", str, "PATH", "", "folders with Syzygy tables, which end games with their exact result"),
    ],
    "what is kept": [
        ("first_ply", int, "PLY", 8, "keep no position before this ply, counting random moves"),
        ("score_limit", int, "CP", 5000, "keep no position with a score beyond this"),
        ("harvest", int, "N", 0,
         "for each position kept, keep so many from its search tree as well, 0 to 8; these have no result"),
        ("harvest_nodes", int, "N", 100,
         "nodes of the search that scores each of these, after which no further iteration begins"),
        ("shard_games", int, "N", 500, "games in each file"),
    ],
}
MODULES = {"tune": "train_tune", "net": "train_net", "grow": "train_net"}


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EXAMPLES
    threads = processors()
    parser.add_argument("--minutes", type=float, default=60.0, metavar="N", help="time for everything (default 60)")
    parser.add_argument("--folder", type=Path, default=Path("barreleye-data"), metavar="FOLDER",
                        help="folder for the games (default %(default)s)")
    parser.add_argument("-o", "--output", type=Path, default=Path("grown.net"), metavar="FILE",
                        help="the network to write (default %(default)s)")
    parser.add_argument("--games", type=int, default=40, metavar="N",
                        help="games at the end against an engine that only counts material (default %(default)s)")
    self_play(parser, threads, nodes=300)
    commands = parser.add_subparsers(dest="what", metavar="WHAT")

    def command(name: str, summary: str) -> argparse.ArgumentParser:
        return commands.add_parser(name, help=summary, description=summary, epilog=EXAMPLES,
                                   formatter_class=argparse.RawDescriptionHelpFormatter)

    generating(command("generate", "play games against itself and keep the positions"), threads)
    replaying(command("positions", "take the positions from stored games again, with other filters if you like"))
    inspect = command("inspect",
                      "show what a data set holds: counts, histograms, sample boards, how well scores fit results")
    data(inspect)
    inspect.add_argument("--samples", type=int, default=3, metavar="N", help="boards to show (default %(default)s)")

    for name, summary in (("merge", "join data sets into one file"),
                          ("shuffle", "put the games of a data set into a random order"),
                          ("filter", "only the positions that meet conditions"),
                          ("dedup", "keep each position once, with its newest score and result"),
                          ("relabel", "search each position and give it the new score")):
        one = command(name, summary)
        data(one)
        one.add_argument("-o", "--output", type=Path, required=True, metavar="FILE", help="the positions file to write")
        if name == "shuffle":
            one.add_argument("--seed", type=int, default=1, metavar="N",
                             help="another seed gives another order (default %(default)s)")
        if name == "filter":
            one.add_argument("--max-score", type=int, metavar="CP", help="no position with a score beyond this")
            one.add_argument("--min-ply", type=int, metavar="N", help="no position before this ply")
            one.add_argument("--max-rule50", type=int, metavar="N",
                             help="no position with more plies than this since the last capture or pawn move")
            one.add_argument("--min-men", type=int, metavar="N",
                             help="no position with fewer pieces and pawns than this")
            one.add_argument("--coherent", action="store_true",
                             help="no position whose clear score the result contradicts")
        if name == "relabel":
            searches(one, threads, nodes=300)
            one.set_defaults(book="", book_share=0.0, random_plies=0, seed=1)

    training(command("net", "train a network on positions"), threads)
    calibrate = command("calibrate", "fit what a score means in chances to win, draw and lose")
    data(calibrate)
    calibrate.add_argument("--png", type=Path, metavar="FILE", help="draw the chances as a picture (needs matplotlib)")

    from barreleye.cli import train_tune

    train_tune.configure(command("tune", "fit the weights of the hand-written evaluation to results"))


def generating(parser: argparse.ArgumentParser, threads: int) -> None:
    add = parser.add_argument
    add("folder", type=Path, metavar="FOLDER", help="folder for the games and positions; what is there is continued")
    add("--positions", type=int, default=0, metavar="N", help="stop when there are so many positions")
    add("--games", type=int, default=0, metavar="N", help="stop when there are so many games")
    add("--minutes", type=float, default=0.0, metavar="N",
        help="stop after so many minutes; without any of these three it plays until interrupted")
    add_cluster(parser)
    self_play(parser, threads, nodes=1000)
    # Everything else that a data set depends on; the names are those of generate.PlaySettings.
    for title, options in DATA_SET.items():
        group = parser.add_argument_group(title)
        for name, kind, metavar, default, words in options:
            group.add_argument(f"--{name.replace('_', '-')}", type=kind, default=default, metavar=metavar,
                               help=f"{words} (default {default})" if default not in (0, "") else words)


def training(parser: argparse.ArgumentParser, threads: int) -> None:
    data(parser)
    add = parser.add_argument
    add("-o", "--output", type=Path, required=True, metavar="FILE", help="the network to write")
    add("--width", type=int, default=128, metavar="N",
        help="width of the hidden layer, a multiple of 16 (default %(default)s)")
    add("--buckets", type=int, default=1, metavar="N",
        help="output layers, chosen by the number of pieces on the board, 1 to 8 (default %(default)s)")
    add("--regions", type=int, default=1, metavar="N",
        help="1, or 4 to see the board in another way with the king in the corner, in the centre of its first rank, on "
             "the second rank, or beyond (default %(default)s)")
    add("--start", type=Path, metavar="FILE",
        help="begin with the weights of this network instead of random ones; it may be narrower, and have no regions. "
             "Smaller steps then forget less (--rate 0.0001)")
    add("--epochs", type=int, default=20, metavar="N", help="passes over the positions (default %(default)s)")
    add("--steps", type=int, default=0, metavar="N",
        help="stop after so many steps instead, each of --batch positions, whatever the size of the data")
    add("--batch", type=int, default=16_384, metavar="N",
        help="positions in a step; a smaller batch makes more steps of the same positions (default %(default)s)")
    add("--rate", type=float, default=1e-3, metavar="X", help="largest learning rate (default %(default)s)")
    add("--first-share", type=float, default=0.05, metavar="SHARE",
        help="how much the result of the game counts at first, from 0 to 1; the score counts for the rest "
             "(default %(default)s)")
    add("--last-share", type=float, default=0.05, metavar="SHARE",
        help="how much it counts in the end; it changes evenly, and may be larger with more games "
             "(default %(default)s)")
    add("--foresight", type=float, default=0.85, metavar="X",
        help="how much the score of the position a ply later counts beside a position's own, and so on to the end of "
             "the game; 0 for its own score alone (default %(default)s)")
    add("--validation", type=float, default=0.02, metavar="SHARE",
        help="part of the games kept for checking, up to a million positions (default %(default)s)")
    add("--min-ply", type=int, default=0, metavar="N", help="learn nothing from positions before this ply")
    add("--scale", type=float, default=0.0, metavar="CP",
        help="centipawns that make a win e times as likely as a loss (default: fitted to the data)")
    add("--seed", type=int, default=1, metavar="N",
        help="another seed gives other first weights and another order (default %(default)s)")
    threaded(parser, threads)
    add("--note", default="", metavar="TEXT", help="a note to keep in the file's header")


def replaying(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("data", nargs="+", type=Path, metavar="GAMES", help=".games files, or folders of them")
    add("-o", "--output", type=Path, required=True, metavar="FILE", help="the positions file to write")
    add("--first-ply", type=int, metavar="PLY",
        help="keep no position before this ply (default: as the games were made)")
    add("--score-limit", type=int, metavar="CP",
        help="keep no position with a score beyond this (default: as the games were made)")


def data(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("data", nargs="+", type=Path, metavar="DATA", help="positions files, or folders of them")


def searches(parser: argparse.ArgumentParser, threads: int, nodes: int) -> None:
    """What self-play and relabelling have in common."""
    add = parser.add_argument
    add("--nodes", type=int, default=nodes, metavar="N",
        help="nodes of a search, after which no further iteration begins (default %(default)s)")
    add("--net", type=Path, metavar="FILE", help="the network to use (default: the one that comes with Barreleye)")
    add("--classical", action="store_true", help="use the hand-written evaluation instead of a network")
    threaded(parser, threads)


def threaded(parser: argparse.ArgumentParser, threads: int) -> None:
    parser.add_argument("--threads", type=int, default=threads, metavar="N",
                        help="threads to work on (default: one for each CPU, here %(default)s)")


def self_play(parser: argparse.ArgumentParser, threads: int, nodes: int) -> None:
    """How games are played."""
    searches(parser, threads, nodes)
    add = parser.add_argument
    add("--book", default="", metavar="FILE", help="a book of other positions to begin from, EPD or PGN")
    add("--book-share", type=float, default=0.2, metavar="SHARE",
        help="part of the games that begin from it (default %(default)s)")
    add("--random-plies", type=int, default=8, metavar="N",
        help="random moves at the start of a game (default %(default)s)")
    add("--seed", type=int, default=1, metavar="N",
        help="seed of the first game; use each seed only once for a network (default %(default)s)")


def run(args: argparse.Namespace) -> int:
    try:
        import numpy  # noqa: F401
    except ImportError:
        raise ValueError(f"training needs numpy, which is not installed: {how_to_install('train')}") from None
    if getattr(args, "threads", 1) < 1:
        raise ValueError(f"--threads is {args.threads}, expected at least 1")
    with contextlib.suppress(ValueError):        # only the main thread may say what happens when we are told to end
        signal.signal(signal.SIGTERM, signal.default_int_handler)
    what = args.what or "grow"
    module = import_module(f"barreleye.cli.{MODULES.get(what, 'train_data')}")
    status: int = getattr(module, what)(args)
    return status
