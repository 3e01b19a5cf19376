"""`barreleye lab tune`: the search's parameters, tuned by games of the engine against itself."""

from __future__ import annotations

import argparse
import contextlib
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from barreleye.cli.cluster import cluster_of
from barreleye.cli.duel import INTERRUPTED, add_endings, add_playing, clock_from, ending_on_terminate, rules_from

if TYPE_CHECKING:
    from barreleye.lab.tuning import Tuning

GAMES, VALIDATION = 60_000, 4000
DESCRIPTION = """\
Tune parameters of the search by games of the engine against itself (SPSA): in every pair of games all of them are
turned a little, each to a side drawn by lot, and then move towards the side that won. At the end the tuned engine plays
the one it began as. Needs a build whose engines have parameters of their own: make build TUNE=1.
"""
EXAMPLES = """\
Parameters are named as in core/params.pxd, by a pattern or by a group: 'search' is forty of the search, 'time' those
that share out a clock. NAME:STEP says how far a parameter is turned at the end (usually a twentieth of its range).

examples:
  barreleye lab tune search --nodes 8000 --openings noob_3moves.epd.zip --notes search.notes --into core/params.pxd
  barreleye lab tune time --clock 1+0.01 --games 40000 --notes time.notes
  barreleye lab tune "RAZOR_*" FUTILITY_MARGIN:5 --games 20000
  barreleye lab tune search --engine net=new.net --notes search.notes --plot search.png

Numbers worth 2 or 3 Elo each need tens of thousands of games, and what wins at 1,000 nodes may lose at 10,000. Give the
same command again to continue a tuning; that needs --notes. Nothing is written into FILE of --into before the
tuning is complete.

exit status: 0 tuned; 2 bad arguments; 130 interrupted
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.description, parser.epilog = DESCRIPTION, EXAMPLES
    parser.add_argument("parameters", metavar="PARAMETER", nargs="+",
                        help="a name, a pattern or a group (search, time), with :STEP if wanted")
    games = parser.add_argument_group("games")
    games.add_argument("--games", type=int, default=GAMES, metavar="N",
                       help="how many games, an even number (default %(default)s)")
    games.add_argument("--validate", type=int, default=VALIDATION, metavar="N",
                       help="games of the result against the start when it is tuned (default %(default)s; 0 for none)")
    games.add_argument("--engine", default="default", metavar="E",
                       help="the engine to tune, as 'barreleye lab duel' describes them (default: as it is)")
    add_playing(games, nodes=8000)
    ways = parser.add_argument_group("how the numbers move")
    ways.add_argument("--rate", type=float, default=0.002, metavar="R",
                      help="part of a step that a won game moves a number at the end (default %(default)s)")
    ways.add_argument("--batch", type=int, default=16, metavar="N",
                      help="pairs of games between two moves of the numbers (default %(default)s)")
    add_endings(parser.add_argument_group("when a game ends"))
    output = parser.add_argument_group("output")
    output.add_argument("--notes", type=Path, metavar="FILE",
                        help="keep the games here; the same command later goes on from them")
    output.add_argument("--into", type=Path, metavar="FILE", help="write the tuned numbers into this params.pxd")
    output.add_argument("--plot", type=Path, metavar="FILE", help="draw the numbers' paths, as .png, .svg or .pdf")
    output.add_argument("--json", action="store_true", help="print nothing but one JSON object at the end")


def run(args: argparse.Namespace) -> int:
    from barreleye import output
    from barreleye.cli.duel_view import duel_view
    from barreleye.cli.tune_view import check_plot, lines, save_plot, tuning_view
    from barreleye.core.parameters import rewritten
    from barreleye.lab.entrant import Entrant
    from barreleye.lab.notes import Notes
    from barreleye.lab.plan import Plan, check_numbers
    from barreleye.lab.spsa import Schedule
    from barreleye.lab.tuning import knobs, tune, validate

    engine = Entrant.parse(args.engine)
    chosen = knobs(args.parameters, engine)
    for games in (args.games, args.validate or 2):
        check_numbers(games, args.threads)
    schedule = Schedule(args.games // 2, args.rate, args.batch)
    plan = Plan(engine, engine, args.nodes, args.openings, args.seed, rules_from(args), clock_from(args))
    if args.into:
        rewritten(args.into.read_text(encoding="utf-8"), {knob.name: knob.start for knob in chosen})
    if args.plot:
        check_plot(args.plot)
    with contextlib.ExitStack() as stack:
        stack.enter_context(ending_on_terminate())
        notes = stack.enter_context(Notes(args.notes)) if args.notes else None
        executor = stack.enter_context(cluster_of(args))
        with tuning_view(args.json) as view:
            tuning = tune(chosen, plan, schedule, threads=args.threads, notes=notes, on_change=view.show,
                          executor=executor)
        if args.validate and tuning.is_complete and tuning.changes:
            with duel_view(args.json) as match:
                validate(tuning, args.validate, threads=args.threads, notes=notes, on_change=match.show,
                         executor=executor)
    if args.into and tuning.is_complete:
        output.write_text(args.into, rewritten(args.into.read_text(encoding="utf-8"), tuning.changes))
    if args.plot:
        save_plot(tuning, args.plot)
    if args.json:
        print(json.dumps(tuning.as_json()))
    else:
        print("\n".join(lines(tuning)))
    return told(args, tuning)


def told(args: argparse.Namespace, tuning: Tuning) -> int:
    """Say what else there is to say; the exit status."""
    if tuning.interrupted:
        again = "give the same command again to continue" if args.notes else "without --notes it cannot be continued"
        print(f"barreleye lab: interrupted; {again}", file=sys.stderr)
        return INTERRUPTED
    if args.into:
        print(f"barreleye lab: wrote {len(tuning.changes)} numbers into {args.into}", file=sys.stderr)
    return 0
