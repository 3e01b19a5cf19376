"""learn from games: self-play, networks, the numbers of the evaluation

Without WHAT, everything at once: `barreleye train --minutes 60` plays against itself, trains a network on the games,
writes it to a file and says how it fares against counting material. The single steps:
"""

from __future__ import annotations

import argparse
import contextlib
import signal
from importlib import import_module
from pathlib import Path

from barreleye.core.machine import processors
from barreleye.extras import how_to_install

EXAMPLES = """\
examples:
  barreleye train --minutes 3 --classical                         a first small network, from nothing
  barreleye train generate data/first --nodes 1000 --minutes 600
  barreleye train generate data/long --nodes 200                  until interrupted
  barreleye train inspect data/first
  barreleye train net data/first -o first.net --width 128
  barreleye train generate data/second --net first.net --minutes 600
  barreleye train relabel data/first -o relabelled.positions --net first.net
  barreleye train net data/second relabelled.positions -o second.net --width 256 --buckets 8

Play with a network by `setoption name EvalFile value first.net`, or measure it with `barreleye match`.
Interrupt it with Ctrl-C at any time: the same command goes on where it was, also after a crash. A training keeps what
it needs for that beside the network, in FILE.checkpoint.npz; data that has come since waits for the next training.
"""
# How games are searched, ended and kept: name, type, metavar, default, meaning.
DATA_SET: dict[str, list[tuple[str, type, str, int | float | str, str]]] = {
    "searches": [
        ("hard_nodes", int, "N", 0, "a search ends at so many nodes whatever it is at (default: eight times --nodes)"),
        ("check_share", float, "SHARE", 0.25, "share of --nodes for positions in check, which are not kept"),
        ("group_games", int, "N", 0,
         "games that share a table and histories (default: as many as suit --nodes, at most 16); 1 forgets after each"),
        ("hash_mb", int, "MB", 2, "table of each thread"),
    ],
    "openings": [
        ("opening_limit", int, "CP", 300, "openings are thrown away that a short search scores beyond this"),
    ],
    "the end of a game": [
        ("win_score", int, "CP", 1500, "a win is given at this score"),
        ("win_plies", int, "N", 5, "and when it was held for so many plies"),
        ("draw_score", int, "CP", 10, "a draw is given within this score"),
        ("draw_plies", int, "N", 10, "and when it was held for so many plies"),
        ("draw_after", int, "PLY", 70, "but no draw before this ply"),
        ("syzygy", str, "PATH", "", "folders with Syzygy tables, which end games with the exact result"),
    ],
    "what is kept": [
        ("first_ply", int, "PLY", 8, "no position before this ply, random ones included"),
        ("score_limit", int, "CP", 5000, "no position with a score beyond this"),
        ("harvest", int, "N", 0, "so many positions of the search tree for each one kept, 0 to 8; they have no result"),
        ("harvest_nodes", int, "N", 100, "soft node limit of the search that scores one of these"),
        ("shard_games", int, "N", 500, "games in a file"),
    ],
}
MODULES = {"tune": "train_tune", "net": "train_net", "grow": "train_net"}


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EXAMPLES
    threads = processors()
    parser.add_argument("--minutes", type=float, default=60.0, help="time for the whole (default %(default)s)")
    parser.add_argument("--folder", type=Path, default=Path("barreleye-data"),
                        help="where the games go (default %(default)s)")
    parser.add_argument("-o", "--output", type=Path, default=Path("grown.net"),
                        help="the network to write (default %(default)s)")
    parser.add_argument("--games", type=int, default=40, metavar="N",
                        help="games against material alone at the end (default %(default)s)")
    self_play(parser, threads, nodes=300)
    commands = parser.add_subparsers(dest="what", metavar="WHAT")

    def command(name: str, summary: str) -> argparse.ArgumentParser:
        return commands.add_parser(name, help=summary, description=summary, epilog=EXAMPLES,
                                   formatter_class=argparse.RawDescriptionHelpFormatter)

    generating(command("generate", "play against itself and keep the positions"), threads)
    replaying(command("positions", "the positions of stored games, by other filters if you like"))
    inspect = command("inspect", "counts, histograms, sample boards, agreement of scores with results")
    data(inspect)
    inspect.add_argument("--samples", type=int, default=3, metavar="N", help="boards to show (default %(default)s)")

    for name, summary in (("merge", "several data sets into one file"),
                          ("shuffle", "the games of a data set in another order"),
                          ("filter", "only the positions that meet conditions"),
                          ("dedup", "each position once, with its newest labels"),
                          ("relabel", "new scores from a search of each position")):
        one = command(name, summary)
        data(one)
        one.add_argument("-o", "--output", type=Path, required=True, metavar="FILE", help="the positions file to write")
        if name == "shuffle":
            one.add_argument("--seed", type=int, default=1)
        if name == "filter":
            one.add_argument("--max-score", type=int, metavar="CP", help="no score beyond this")
            one.add_argument("--min-ply", type=int, metavar="N", help="not before this ply")
            one.add_argument("--max-rule50", type=int, metavar="N", help="no more plies without progress than this")
            one.add_argument("--min-men", type=int, metavar="N", help="at least so many men")
            one.add_argument("--coherent", action="store_true", help="drop clear scores that the result contradicts")
        if name == "relabel":
            searches(one, threads, nodes=300)
            one.set_defaults(book="", book_share=0.0, random_plies=0, seed=1)

    net = command("net", "train a network on positions")
    data(net)
    add = net.add_argument
    add("-o", "--output", type=Path, required=True, metavar="FILE", help="the network to write")
    add("--width", type=int, default=128, help="of the hidden layer, a multiple of 16 (default %(default)s)")
    add("--buckets", type=int, default=1, help="output layers by men on the board, 1 to 8 (default %(default)s)")
    add("--epochs", type=int, default=20, help="passes over the positions (default %(default)s)")
    add("--steps", type=int, default=0, metavar="N",
        help="end after so many steps instead: positions seen = steps times batch, whatever the size of the data")
    add("--batch", type=int, default=16_384,
        help="positions to a step; a smaller batch makes more steps of the same positions (default %(default)s)")
    add("--rate", type=float, default=1e-3, help="largest step size (default %(default)s)")
    add("--first-share", type=float, default=0.05, metavar="SHARE",
        help="of the game's result in what is learned, at the beginning; the rest is the score (default %(default)s)")
    add("--last-share", type=float, default=0.05, metavar="SHARE",
        help="and at the end, in even steps between; the more games, the larger it may be (default %(default)s)")
    add("--validation", type=float, default=0.02, metavar="SHARE",
        help="of the games to check with, up to a million positions (default %(default)s)")
    add("--min-ply", type=int, default=0, metavar="N", help="learn nothing from positions before this ply")
    add("--scale", type=float, default=0.0,
        help="centipawns that make a win e times as likely as a loss (default: fitted)")
    add("--seed", type=int, default=1)
    add("--threads", type=int, default=threads, help="(default %(default)s)")
    add("--note", default="", help="words to keep in the file's header")

    calibrate = command("calibrate", "what scores mean in chances to win, draw and lose")
    data(calibrate)
    calibrate.add_argument("--png", type=Path, metavar="FILE", help="draw the chances into this file")

    from barreleye.cli import train_tune

    train_tune.configure(command("tune", "fit the weights of the hand-written evaluation to results"))


def generating(parser: argparse.ArgumentParser, threads: int) -> None:
    add = parser.add_argument
    add("folder", type=Path, help="where the shards go; what it has is continued")
    add("--positions", type=int, default=0, metavar="N", help="stop at so many positions")
    add("--games", type=int, default=0, metavar="N", help="stop after so many games")
    add("--minutes", type=float, default=0.0,
        help="stop after so many minutes; with none of the three it goes on until interrupted")
    self_play(parser, threads, nodes=1000)
    # Everything else that a data set depends on; the names are those of generate.PlaySettings.
    for title, options in DATA_SET.items():
        group = parser.add_argument_group(title)
        for name, kind, metavar, default, words in options:
            group.add_argument(f"--{name.replace('_', '-')}", type=kind, default=default, metavar=metavar,
                               help=f"{words} (default {default})" if default not in (0, "") else words)


def replaying(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("data", nargs="+", type=Path, metavar="GAMES", help=".games files, or folders of them")
    add("-o", "--output", type=Path, required=True, metavar="FILE", help="the positions file to write")
    add("--first-ply", type=int, metavar="PLY", help="no position before this ply (default: as the games were made)")
    add("--score-limit", type=int, metavar="CP",
        help="no position with a score beyond this (default: as the games were made)")


def data(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("data", nargs="+", type=Path, metavar="DATA", help="positions files, or folders of them")


def searches(parser: argparse.ArgumentParser, threads: int, nodes: int) -> None:
    """What self-play and relabelling have in common."""
    add = parser.add_argument
    add("--nodes", type=int, default=nodes, metavar="N", help="soft node limit of a search (default %(default)s)")
    add("--net", type=Path, metavar="FILE", help="the network that plays (default: the one that comes with Barreleye)")
    add("--classical", action="store_true", help="play by the hand-written evaluation instead of a network")
    add("--threads", type=int, default=threads, help="(default %(default)s)")


def self_play(parser: argparse.ArgumentParser, threads: int, nodes: int) -> None:
    """How games are played."""
    searches(parser, threads, nodes)
    add = parser.add_argument
    add("--book", default="", metavar="FILE", help="starts beside the usual one, EPD or PGN")
    add("--book-share", type=float, default=0.2, metavar="SHARE", help="games that begin there (default %(default)s)")
    add("--random-plies", type=int, default=8, metavar="N", help="random moves at the start (default %(default)s)")
    add("--seed", type=int, default=1, help="of the first game; never use one twice for one network")


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
