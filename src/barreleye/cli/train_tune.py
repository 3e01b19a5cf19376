"""`barreleye train tune`: fit the weights of the hand-written evaluation to results and write them back.

Compiled code needs no rebuild for new weights.
"""

from __future__ import annotations

import argparse
from pathlib import Path

EXAMPLES = """\
examples:
  barreleye train tune games.txt.gz
  barreleye train tune --epochs 200 --dry-run first.txt.gz second.txt.gz

Each line of a file is FEN;result or FEN;result;score: the result is 1-0, 1/2-1/2 or 0-1, the score is White's, in
centipawns. Positions should be quiet, and those of a game should stand together.
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EXAMPLES
    add = parser.add_argument
    add("files", nargs="+", type=Path, metavar="FILE", help="positions and results, plain or gzipped")
    add("--epochs", type=int, default=100, metavar="N", help="passes over the positions (default %(default)s)")
    add("--batch", type=int, default=16384, metavar="N", help="positions in a step (default %(default)s)")
    add("--rate", type=float, default=1.0, metavar="CP",
        help="size of the first steps in centipawns (default %(default)s)")
    add("--prior", type=float, default=30.0, metavar="CP",
        help="how far weights may move before it costs them much, in centipawns (default %(default)s)")
    add("--blend", type=float, default=0.5, metavar="SHARE",
        help="how much the score counts, from 0 to 1; the result counts for the rest (default %(default)s)")
    add("--validation", type=float, default=0.1, metavar="SHARE",
        help="part of the games kept for checking (default %(default)s)")
    add("--threads", type=int, default=1, metavar="N", help="threads that read positions (default %(default)s)")
    add("--limit", type=int, metavar="N", help="read no more than N positions")
    add("--output", type=Path, metavar="FILE", help="the weights file to rewrite (default: the installed one)")
    add("--dry-run", action="store_true", help="fit and report, but write nothing")


def tune(args: argparse.Namespace) -> int:
    from itertools import islice
    from math import exp

    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    from barreleye import output
    from barreleye.train.positions import read_samples
    from barreleye.train.tune import TuneSettings, trace_samples
    from barreleye.train.tune import tune as fit_weights
    from barreleye.train.weights_file import default_path, write_weights

    settings = TuneSettings(args.epochs, args.batch, args.rate, prior=args.prior, blend=args.blend)
    if args.threads < 1:
        raise ValueError(f"the number of threads is {args.threads}, expected at least 1")
    if not 0 < args.validation < 1:
        raise ValueError(f"--validation is {args.validation:g}, expected a share between 0 and 1: without games to "
                         "check with, nobody knows whether the weights are better")
    for path in args.files:
        path.open("rb").close()
    if not args.dry_run:
        output.check(args.output or default_path())
    console = Console(markup=False)
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    with Progress(*columns, console=console, transient=True) as progress:
        tracing = progress.add_task("tracing positions", total=args.limit)
        samples = islice(read_samples(args.files), args.limit)
        table = trace_samples(samples, args.threads, lambda count: progress.advance(tracing, count))
        learning, validation = table.split(args.validation)
        if not len(learning) or not len(validation):
            raise ValueError("there are too few games to learn from some and check with the others")
        progress.update(tracing, total=len(table), completed=len(table))
        fitting = progress.add_task("fitting weights", total=args.epochs)

        def show(epoch: int, loss: float) -> None:
            progress.update(fitting, completed=epoch + 1, description=f"fitting weights, loss {loss:.5f}")

        fit = fit_weights(learning, validation, settings, show)
    console.print(f"{len(learning)} positions to learn from, {len(validation)} to check with")
    console.print(f"steepness {fit.steepness:.6f}: a pawn ahead scores {1 / (1 + exp(-100 * fit.steepness)):.1%}")
    console.print(f"loss while learning {fit.before[0]:.5f} -> {fit.after[0]:.5f}")
    console.print(f"loss when checking  {fit.before[1]:.5f} -> {fit.after[1]:.5f}")
    if not args.dry_run:
        path = args.output or default_path()
        write_weights(path, fit.weights)
        console.print(f"weights written to {path}")
    return 0
