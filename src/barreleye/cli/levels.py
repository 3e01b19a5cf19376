"""`barreleye lab levels`: the levels of play, as they state their strength and as games measure it."""

from __future__ import annotations

import argparse
import contextlib
import json
import sys
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from barreleye.cli.cluster import add_cluster, cluster_of
from barreleye.levels import LEVELS, Level

if TYPE_CHECKING:
    from barreleye.lab.levels import Step
    from barreleye.lab.notes import Notes
    from barreleye.lab.plan import Games

INTERRUPTED, NOT_RIGHT = 130, 1
DESCRIPTION = """\
Levels next to each other in the table play a match, and the difference of their stated ratings is compared with the one
they earn.
"""
EXAMPLES = """\
examples:
  barreleye lab levels
  barreleye lab levels --games 400 --seed 2 --notes levels.notes --openings noob_3moves.epd.zip
  barreleye lab levels --level casual --level improver
  barreleye lab levels --games 2000 --notes levels.notes --cluster tcp://10.0.0.1:8786

The column "suggested" shows ratings that would agree with the games; they belong in LEVELS in levels.py. With --notes,
an interrupted run can be continued, and pairs that have been played are not played again, even after ratings have
changed.

exit status: 0 every difference is within 60 of what is stated, 1 some are not, 2 bad arguments, 130 interrupted
"""


def configure(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("--games", type=int, default=200, metavar="N", help="games for each pair of neighbours (default %(default)s)")
    add("--level", action="append", default=[], metavar="NAME",
        help="only this level against the one below it; may be given several times")
    add("--openings", default="", metavar="FILE", help="opening book (default: balanced random openings)")
    add("--seed", type=int, default=1, metavar="N", help="another seed gives other games (default %(default)s)")
    add("--threads", type=int, default=0, metavar="N", help="games played at the same time (default: one for each CPU)")
    add_cluster(parser)
    add("--notes", type=Path, metavar="FILE", help="keep the games here; the same command later goes on from them")
    add("--json", action="store_true", help="print nothing but one JSON object at the end")


def run(args: argparse.Namespace) -> int:
    from barreleye.cli.duel import ending_on_terminate
    from barreleye.lab.levels import suggested
    from barreleye.lab.notes import Notes
    from barreleye.lab.plan import Games

    neighbours = wanted(args.level)
    steps: list[Step] = []
    with contextlib.ExitStack() as stack:
        stack.enter_context(ending_on_terminate())
        games = Games(args.games, openings=args.openings, seed=args.seed, threads=args.threads,
                      executor=stack.enter_context(cluster_of(args)))
        notes = stack.enter_context(Notes(args.notes)) if args.notes else None
        for weaker, stronger in neighbours:
            step = played(weaker, stronger, games, notes)
            if step is None:
                again = "give the same command again to continue" if notes else "without --notes it cannot be continued"
                print(f"barreleye lab: interrupted; {again}", file=sys.stderr)
                return INTERRUPTED
            steps.append(step)
    ratings = suggested(LEVELS, steps)
    if args.json:
        print(json.dumps({"steps": [step.as_json() for step in steps], "suggested": ratings}))
    else:
        show(steps, ratings)
    return 0 if all(step.is_right for step in steps) else NOT_RIGHT


def wanted(names: list[str]) -> list[tuple[Level, Level]]:
    """The neighbours to be played; ValueError for a name that is none."""
    from barreleye import levels

    pairs = list(pairwise(LEVELS))
    asked = [levels.of_name(name) for name in names]
    if asked and (None in asked or LEVELS[0] in asked):
        raise ValueError("--level needs a level that has one below it: "
                         f"{', '.join(level.name for level in LEVELS[1:])}")
    return [pair for pair in pairs if not asked or pair[1] in asked]


def played(weaker: Level, stronger: Level, games: Games, notes: Notes | None) -> Step | None:
    """One step of the ladder, its games counted as they come; None when it was interrupted."""
    from barreleye.cli.progress import GameBar
    from barreleye.lab.levels import play

    with GameBar(games.count) as bar:
        bar.say(f"{stronger.name} against {weaker.name}")
        return play(weaker, stronger, games, notes, bar.follow)


def show(steps: list[Step], ratings: dict[str, int]) -> None:
    """Each level's lead over the one before it, as stated and as measured."""
    from rich import box
    from rich.console import Console
    from rich.table import Table

    from barreleye.cli.board import BAD, GOOD

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for head in ("level", "Elo", "nodes", "stated", "measured", "±", "won, drawn, lost", "suggested"):
        table.add_column(head, justify="left" if head == "level" else "right", no_wrap=True)
    table.add_row(LEVELS[0].name, str(LEVELS[0].elo), str(LEVELS[0].nodes), *[""] * 4, str(LEVELS[0].elo))
    for step in steps:
        level, score = step.stronger, step.score
        table.add_row(level.name, str(level.elo), str(level.nodes), f"{step.stated:+}", f"{step.measured:+.0f}",
                      f"{step.margin:.0f}", f"{score.wins}, {score.draws}, {score.losses}",
                      str(ratings.get(level.name, "")), style=GOOD if step.is_right else BAD)
    # A pipe or a file has no edge at which a column would have to be cut.
    Console(highlight=False, width=None if sys.stdout.isatty() else 120).print(table)
