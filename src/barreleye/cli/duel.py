"""`barreleye lab duel`: two engines that differ in something play each other inside this process."""

from __future__ import annotations

import argparse
import contextlib
import json
import signal
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any

from barreleye.cli.cluster import add_cluster, cluster_of

if TYPE_CHECKING:
    from barreleye.lab.plan import NodeClock, Rules
    from barreleye.lab.standing import Standing

INTERRUPTED = 130
GAMES, SPRT_GAMES = 1000, 100_000
DESCRIPTION = """\
Two versions of this engine play each other inside one process, without UCI, on all processors. They may differ in their
network, switches, options or parameters. Each opening is played twice with colours reversed. The limit is in nodes, so
a busy machine changes only how long it takes: the same seed gives the same games on any number of threads, and on a
cluster.
"""
EXAMPLES = """\
A and B say how each version differs from the engine as it is; B may be left out:
  default                      not at all
  net=FILE                     another network; net=none is the hand-written evaluation
  scale=250                    the network's evaluations made larger or smaller: centipawns at a logit of one
  off=NAME, on=NAME            techniques to switch, separated by commas: off=Null Move,ProbCut
  nodes=N, hard=N              nodes for a move: none begins another iteration after N, each ends at hard (2 x N)
  Hash=N                       size of the transposition table in MiB (16)
  level=NAME                   a level of play instead of full strength
  RAZOR_BASE=250               a parameter of the search, in a tuning build
  name=WORD                    what to call it in the results
Put several into one argument: "name=new net=new.net off=Null Move Hash=8".

examples:
  barreleye lab duel off=ProbCut
  barreleye lab duel net=new.net default --games 5000 --nodes 5000 --openings noob_3moves.epd.zip
  barreleye lab duel net=new.net net=old.net --sprt elo0=0 elo1=5 --notes new.notes
  barreleye lab duel "net=new.net scale=250" net=new.net --games 5000 --nodes 3000 --seed 2
  barreleye lab duel net=new.net --games 20000 --notes new.notes --cluster tcp://10.0.0.1:8786
  barreleye lab duel "level=club" "level=casual" --games 200 --play-out --json

The Elo of the first engine is given with its 95 % interval: 1,000 games show differences of 20 Elo, 5,000 of 9 and
20,000 of 5. Give the same command again, if you like with more --games, to continue a duel; that needs --notes.

exit status: 0 played, or decided by the SPRT; 2 bad arguments; 130 interrupted
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.description, parser.epilog = DESCRIPTION, EXAMPLES
    parser.add_argument("first", metavar="A", help="the first engine, as described below")
    parser.add_argument("second", metavar="B", nargs="?", default="default",
                        help="the second engine (default: the engine as it is)")
    games = parser.add_argument_group("games")
    games.add_argument("--games", type=int, metavar="N",
                       help=f"how many games, an even number (default {GAMES}; with --sprt at most {SPRT_GAMES})")
    add_playing(games, nodes=5000)
    ending = parser.add_argument_group("when a game or the duel ends")
    add_sprt(ending)
    add_endings(ending)
    output = parser.add_argument_group("output")
    output.add_argument("--notes", type=Path, metavar="FILE",
                        help="keep the games here; the same command later goes on from them")
    output.add_argument("--json", action="store_true", help="print nothing but one JSON object at the end")


def add_playing(group: Any, nodes: int) -> None:
    """The options that say how games are played, and where."""
    group.add_argument("--nodes", type=int, default=nodes, metavar="N",
                       help="nodes for each move, after which no further iteration begins (default %(default)s)")
    group.add_argument("--clock", metavar="TC",
                       help="instead of --nodes: a clock as 1+0.01, seconds for the game and for each move; it counts "
                            "nodes")
    group.add_argument("--pace", type=int, metavar="N",
                       help="with --clock: so many nodes take a millisecond of it (default 1500)")
    group.add_argument("--openings", default="", metavar="FILE",
                       help="opening book, EPD or PGN (default: balanced random openings)")
    group.add_argument("--seed", type=int, default=1, metavar="N",
                       help="another seed gives other games (default %(default)s)")
    group.add_argument("--threads", type=int, default=0, metavar="N",
                       help="games played at the same time (default: one for each CPU)")
    add_cluster(group)


def clock_from(args: argparse.Namespace) -> NodeClock | None:
    """The clock that was asked for, if any."""
    from barreleye.lab.plan import NODES_PER_MS, NodeClock

    if args.clock is None:
        if args.pace is not None:
            raise ValueError("--pace says how fast a clock runs: give --clock as well")
        return None
    return NodeClock.parse(args.clock, NODES_PER_MS if args.pace is None else args.pace)


def add_sprt(group: Any) -> None:
    """The option that ends games once enough is known."""
    group.add_argument("--sprt", nargs="+", metavar="KEY=VALUE",
                       help="stop once the test is decided: elo0=0 elo1=5 [alpha=0.05] [beta=0.05] "
                            "[model=logistic|normalized]")


def add_endings(group: Any) -> None:
    """The options that say when games end."""
    words: dict[str, Any] = {"metavar": "KEY=VALUE"}
    group.add_argument("--resign", nargs="+", **words,
                       help="a game is lost when both engines have said so for some moves (default: score=600 moves=3)")
    group.add_argument("--draw", nargs="+", **words,
                       help="a game is drawn when both engines have said so for some moves (default: number=40 moves=8 "
                            "score=10)")
    group.add_argument("--play-out", action="store_true",
                       help="neither of these: play every game until the rules end it")
    group.add_argument("--max-moves", type=int, default=300, metavar="N",
                       help="call a game a draw after so many moves (default %(default)s)")
    group.add_argument("--tb", default="", metavar="PATH",
                       help="folders with Syzygy tables, which decide games with few pieces left")


def run(args: argparse.Namespace) -> int:
    from barreleye.cli.duel_view import duel_view
    from barreleye.cli.match import build
    from barreleye.lab.duel import duel
    from barreleye.lab.entrant import Entrant
    from barreleye.lab.notes import Notes
    from barreleye.match.statistics.sprt import Sprt

    first, second = Entrant.parse(args.first), Entrant.parse(args.second)
    rules = rules_from(args)
    sprt = build(Sprt, "--sprt", args.sprt, elo0=float, elo1=float, alpha=float, beta=float, model=str)
    games = args.games if args.games is not None else SPRT_GAMES if sprt else GAMES
    with contextlib.ExitStack() as stack:
        stack.enter_context(ending_on_terminate())
        executor = stack.enter_context(cluster_of(args))
        notes = stack.enter_context(Notes(args.notes)) if args.notes else None
        view = stack.enter_context(duel_view(args.json))
        standing = duel(first, second, games=games, nodes=args.nodes, openings=args.openings, seed=args.seed,
                        threads=args.threads, sprt=sprt, rules=rules, clock=clock_from(args), notes=notes,
                        is_alone=True, on_change=view.show, executor=executor)
    if args.json:
        print(json.dumps(standing.as_json()))
    else:
        print("\n".join([*standing.lines(), pace(standing)]))
        if first.described(args.nodes) == second.described(args.nodes) and not (first.level or second.level):
            print("barreleye lab: both engines are the same, so every pair of games is shared", file=sys.stderr)
    if standing.interrupted:
        again = "give the same command again to continue" if args.notes else "without --notes it cannot be continued"
        print(f"barreleye lab: interrupted; {again}", file=sys.stderr)
        return INTERRUPTED
    return 0


def rules_from(args: argparse.Namespace) -> Rules:
    """When games end before the rules end them; ValueError names the word that is wrong."""
    from barreleye.cli.match import build
    from barreleye.lab.plan import DRAW, RESIGN, Rules
    from barreleye.match.games.referee import DrawRule, Resign

    resign = build(Resign, "--resign", args.resign, score=int, moves=int)
    draw = build(DrawRule, "--draw", args.draw, number=int, moves=int, score=int)
    if args.play_out:
        if resign or draw:
            raise ValueError("--play-out plays every game to its end: leave out --resign and --draw")
        return Rules(None, None, args.max_moves, args.tb)
    return Rules(resign or RESIGN, draw or DRAW, args.max_moves, args.tb)


@contextlib.contextmanager
def ending_on_terminate() -> Iterator[None]:
    """Let a polite kill end the games as Ctrl-C does, where signals can be heard."""
    def interrupt(number: int, frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def pace(standing: Standing) -> str:
    """How fast the games of this run were."""
    fresh = standing.games - standing.found
    if not fresh:
        return "nothing was left to play"
    from barreleye.cli.progress import duration

    return (f"{fresh} games in {duration(standing.seconds)}: {standing.games_an_hour:.0f} an hour, "
            f"{standing.cpu_seconds / fresh:.2f} s of CPU time each")
