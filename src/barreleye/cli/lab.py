"""Experiment with the search: what is each technique worth?

`duel` has two versions of the engine play each other that differ in a network, a switch, an option or a parameter.
`ablate` switches every technique of the search, one at a time, and measures what that costs: nodes and time to a fixed
depth over the bench positions and, with --games, the Elo of the techniques that matter most. `levels` has neighbouring
levels play each other and compares their stated ratings with those they earn. `tune` changes the search's parameters
step by step towards those that win.
"""

from __future__ import annotations

import argparse
import contextlib
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from barreleye.cli import duel, levels, tune
from barreleye.cli.cluster import add_cluster, cluster_of

if TYPE_CHECKING:
    from rich.console import Console

    from barreleye.lab.notebook import Notebook
    from barreleye.lab.plan import Games

INTERRUPTED = 130
EXAMPLES = """\
examples:
  barreleye lab duel net=new.net default --games 5000 --openings noob_3moves.epd.zip
  barreleye lab ablate
  barreleye lab levels
  barreleye lab tune search --notes search.notes

'barreleye lab WHAT --help' explains each of them, with more examples.
"""
ABLATE_EXAMPLES = """\
examples:
  barreleye lab ablate
  barreleye lab ablate --depth 9 --technique "Null Move" --technique Razoring
  barreleye lab ablate --json ablation.json --games 400 --nodes 5000 --openings noob_3moves.epd.zip --markdown

Give the same command again to continue an interrupted run; that needs --json. Games are kept beside that file, in
ablation.notes.
"""
ABLATE = """\
Switch each technique of the search (off if it is on), search the bench positions to a fixed depth, and compare nodes
and time with those of the ordinary search.
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EXAMPLES
    commands = parser.add_subparsers(dest="what", required=True, metavar="WHAT")
    raw = argparse.RawDescriptionHelpFormatter
    duel.configure(commands.add_parser("duel", help="have two versions of the engine play each other",
                                       formatter_class=raw))
    ablate = commands.add_parser("ablate", help="switch techniques one at a time and measure the cost",
                                 description=ABLATE,
                                 epilog=ABLATE_EXAMPLES, formatter_class=raw)
    add = ablate.add_argument
    add("--depth", type=int, default=11, metavar="N",
        help="depth to search the bench positions to (default %(default)s)")
    add("--technique", action="append", default=[], metavar="NAME",
        help="measure only this technique; may be given several times")
    add("--positions", type=int, metavar="N", help="search only the first N bench positions")
    add("--games", type=int, metavar="N", help="also play N games for each of the techniques that matter most")
    add("--nodes", type=int, default=5000, metavar="N", help="nodes for each move of those games (default %(default)s)")
    add("--top", type=int, default=10, metavar="N", help="how many techniques to play games for (default %(default)s)")
    add("--openings", default="", metavar="FILE",
        help="opening book for the games (default: balanced random openings)")
    add("--threads", type=int, default=0, metavar="N", help="games played at the same time (default: one for each CPU)")
    add_cluster(ablate)
    add("--json", type=Path, metavar="FILE", help="keep the results here; the same command later goes on from them")
    add("--markdown", action="store_true", help="print the result as Markdown")
    add("--into", type=Path, metavar="FILE", help="put the Markdown into this document, between its ablation marks")
    tune.configure(commands.add_parser("tune", help="tune the search's parameters by games", formatter_class=raw))
    levels.configure(commands.add_parser("levels", help="have neighbouring levels play each other",
                                         description=levels.DESCRIPTION,
                                         epilog=levels.EXAMPLES, formatter_class=raw))


def run(args: argparse.Namespace) -> int:
    return {"duel": duel.run, "ablate": run_ablation, "levels": levels.run, "tune": tune.run}[args.what](args)


def run_ablation(args: argparse.Namespace) -> int:
    from rich.console import Console

    from barreleye import output
    from barreleye.engine.bench import POSITIONS
    from barreleye.lab.effect import bench_signature, wanted_techniques
    from barreleye.lab.notebook import Notebook
    from barreleye.lab.table import insert, markdown, terminal

    techniques = wanted_techniques(args.technique)
    if args.cluster is not None and args.games is None:
        raise ValueError("only games are played on a cluster: give --games too, or leave out --cluster")
    games = games_from(args)
    positions = POSITIONS[:args.positions]
    if args.into:
        insert("", args.into.read_text(encoding="utf-8"))
    if args.depth < 1 or not positions:
        raise ValueError("--depth and --positions must be at least 1")
    progress = Console(stderr=True, highlight=False)
    notebook = Notebook(args.json, bench_signature(args.depth, positions), args.depth)
    if notebook.is_resumed:
        progress.print(f"continuing from {args.json}: {len(notebook.effects)} techniques measured, "
                       f"{len(notebook.strengths)} played")
    try:
        with cluster_of(args) as executor:
            measure_all(notebook, techniques, positions, progress)
            finished = games is None or play_all(notebook, techniques, replace(games, executor=executor), args.top,
                                                 progress)
    except KeyboardInterrupt:
        finished = False
    if args.into:
        output.write_text(args.into, insert(markdown(notebook), args.into.read_text(encoding="utf-8")))
    elif args.markdown:
        print(markdown(notebook), end="")
    else:
        console = Console(highlight=False)
        for part in terminal(notebook):
            console.print(part)
    if not finished:
        again = "give the same command again to continue" if args.json else "without --json it cannot be continued"
        print(f"barreleye lab: interrupted; {again}", file=sys.stderr)
    return 0 if finished else INTERRUPTED


def games_from(args: argparse.Namespace) -> Games | None:
    """How games are to be played, None when none are wanted; ValueError for games that cannot be."""
    from barreleye.lab.plan import Games
    from barreleye.lab.strength import check

    if args.games is None:
        return None
    games = Games(args.games, args.nodes, args.openings, threads=args.threads)
    check(games)
    return games


def measure_all(notebook: Notebook, techniques: list[Any], positions: Any, console: Console) -> None:
    """Nodes and time of every technique that the notebook does not know yet, a line for each."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    from barreleye.lab.effect import measure
    from barreleye.lab.table import cells

    missing = [technique for technique in techniques if technique.name not in notebook.effects]
    columns = TextColumn("{task.description:<24}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task("", total=len(missing) * len(positions))
        for technique in missing:
            progress.update(task, description=technique.name)
            effect = measure(technique, notebook.head["depth"], positions, lambda _: progress.advance(task))
            notebook.add(effect)
            name, item, nodes, seconds, *_ = cells(effect, None)
            console.print(f"{name:<24}{item:<18} nodes x{nodes:<7} time x{seconds}")


def play_all(notebook: Notebook, techniques: list[Any], games: Games, top: int, console: Console) -> bool:
    """The games of the largest effects that have not been played; False when interrupted."""
    from barreleye.cli.duel import ending_on_terminate
    from barreleye.cli.progress import GameBar
    from barreleye.lab.notes import Notes
    from barreleye.lab.strength import play
    from barreleye.lab.table import elo_cell

    by_name = {technique.name: technique for technique in techniques}
    rows = [row for row in notebook.largest(top) if row.technique in by_name]
    with contextlib.ExitStack() as stack:
        stack.enter_context(ending_on_terminate())
        notes = stack.enter_context(Notes(notebook.games_path)) if notebook.games_path else None
        for number, row in enumerate(rows, 1):
            if row.technique in notebook.strengths:
                continue
            with GameBar(games.count) as bar:
                bar.say(f"{row.technique} ({number} of {len(rows)})")
                strength = play(by_name[row.technique], games, notes, bar.follow)
            if strength is None:
                return False
            notebook.add(strength)
            console.print(f"{row.technique:<24}{row.item:<18} Elo {elo_cell(strength)}")
    return True
