"""Experiment with the search: what does each technique bring?

`duel` plays two engines against each other that differ in a network, a switch, an option or a parameter. `ablate` turns
every technique of the search the other way, one at a time, and measures what that costs: nodes and time to a fixed
depth over the bench, and with --games the Elo of the techniques that matter most. `levels` lets neighbouring levels
play each other and compares the ratings they state with those they earn.
"""

from __future__ import annotations

import argparse
import contextlib
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from barreleye.cli import duel, levels

if TYPE_CHECKING:
    from rich.console import Console

    from barreleye.lab.duel import Games
    from barreleye.lab.notebook import Notebook

INTERRUPTED = 130
EXAMPLES = """\
examples:
  barreleye lab duel net=new.net default --games 5000 --openings noob_3moves.epd.zip
  barreleye lab ablate
  barreleye lab levels

'barreleye lab WHAT --help' explains each with more of them.
"""
ABLATE_EXAMPLES = """\
examples:
  barreleye lab ablate
  barreleye lab ablate --depth 9 --technique "Null Move" --technique Razoring
  barreleye lab ablate --json ablation.json --games 400 --nodes 5000 --openings noob_3moves.epd.zip --markdown

With --json an interrupted run goes on where it was when the same command is given again; the games are then kept in a
file beside it, ablation.notes.
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EXAMPLES
    commands = parser.add_subparsers(dest="what", required=True, metavar="WHAT")
    raw = argparse.RawDescriptionHelpFormatter
    duel.configure(commands.add_parser("duel", help="play two engines that differ in something against each other",
                                       formatter_class=raw))
    ablate = commands.add_parser("ablate", help="switch techniques one at a time and measure the cost",
                                 epilog=ABLATE_EXAMPLES, formatter_class=raw)
    add = ablate.add_argument
    add("--depth", type=int, default=11, help="depth the bench positions are searched to (default %(default)s)")
    add("--technique", action="append", default=[], metavar="NAME", help="only this one; may be given again")
    add("--positions", type=int, metavar="N", help="only the first N positions of the bench")
    add("--games", type=int, metavar="N", help="play so many games for each of the largest effects")
    add("--nodes", type=int, default=5000, metavar="N", help="nodes a move in those games (default %(default)s)")
    add("--top", type=int, default=10, metavar="N", help="how many techniques play games (default %(default)s)")
    add("--openings", default="", metavar="FILE",
        help="the book for the games; without one random openings that are balanced")
    add("--threads", type=int, default=0, metavar="N", help="games at the same time (default: all cores)")
    add("--json", type=Path, metavar="FILE", help="keep the results here and go on from them")
    add("--markdown", action="store_true", help="print the result as Markdown")
    add("--into", type=Path, metavar="FILE", help="write the Markdown between the ablation marks of this document")
    levels.configure(commands.add_parser("levels", help="play neighbouring levels against each other",
                                         epilog=levels.EXAMPLES, formatter_class=raw))


def run(args: argparse.Namespace) -> int:
    return {"duel": duel.run, "ablate": run_ablation, "levels": levels.run}[args.what](args)


def run_ablation(args: argparse.Namespace) -> int:
    from rich.console import Console

    from barreleye import output
    from barreleye.engine.bench import POSITIONS
    from barreleye.lab.effect import bench_signature, wanted_techniques
    from barreleye.lab.notebook import Notebook
    from barreleye.lab.table import insert, markdown, terminal

    techniques = wanted_techniques(args.technique)
    games = games_from(args)
    positions = POSITIONS[:args.positions]
    if args.into:
        insert("", args.into.read_text(encoding="utf-8"))
    if args.depth < 1 or not positions:
        raise ValueError("--depth and --positions are numbers from 1")
    progress = Console(stderr=True, highlight=False)
    notebook = Notebook(args.json, bench_signature(args.depth, positions), args.depth)
    if notebook.is_resumed:
        progress.print(f"going on from {args.json}: {len(notebook.effects)} techniques measured, "
                       f"{len(notebook.strengths)} played")
    try:
        measure_all(notebook, techniques, positions, progress)
        finished = games is None or play_all(notebook, techniques, games, args.top, progress)
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
        again = "the same command goes on from here" if args.json else "without --json it cannot be resumed"
        print(f"barreleye lab: interrupted; {again}", file=sys.stderr)
    return 0 if finished else INTERRUPTED


def games_from(args: argparse.Namespace) -> Games | None:
    """How games are to be played, None when none are wanted."""
    from barreleye.lab.duel import Games

    if args.games is None:
        return None
    return Games(args.games, args.nodes, args.openings, threads=args.threads)


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
    from barreleye.cli.progress import Bar
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
            with Bar("games", games.count) as bar:
                bar.say(f"{row.technique} ({number} of {len(rows)})")
                strength = play(by_name[row.technique], games, notes, bar.follow)
            if strength is None:
                return False
            notebook.add(strength)
            console.print(f"{row.technique:<24}{row.item:<18} Elo {elo_cell(strength)}")
    return True
