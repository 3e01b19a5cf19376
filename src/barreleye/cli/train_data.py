"""`barreleye train generate`, and data sets: positions, inspect, merge, shuffle, filter, dedup, relabel, calibrate."""

from __future__ import annotations

import argparse
import time
from typing import TYPE_CHECKING, Any

import numpy as np
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.table import Table

from barreleye import nets, output
from barreleye.cli.cluster import cluster_of
from barreleye.extras import how_to_install
from barreleye.train import curate, dataset
from barreleye.train.generate import PlaySettings, Tally
from barreleye.train.generate import generate as play

if TYPE_CHECKING:
    from collections.abc import Callable

INTERRUPTED = 130
BAR = 24
RESULTS = ("0-1", "½-½", "1-0", "none")
PLAIN_SECONDS = 10.0      # between two lines of progress without a terminal,
MOST_SECONDS = 600.0      # growing to this in a run of days
SHOWN_RANGE = 25          # centipawns around a score whose games are counted


def player_of(args: argparse.Namespace) -> tuple[PlaySettings, Any]:
    """The settings of self-play and the network that plays."""
    if args.classical and args.net:
        raise ValueError("--classical plays without a network: leave out --net")
    path = args.net or (nets.DEFAULT if nets.DEFAULT.exists() else None)
    network = None if args.classical or path is None else nets.load(path)
    digest = nets.inspect(path).digest[:16] if network is not None and path is not None else ""
    given = {name: getattr(args, name) for name in PlaySettings.__dataclass_fields__ if hasattr(args, name)}
    return PlaySettings(**{**given, "net": digest}), network


def progress_bar(console: Console, *extra: str) -> Progress:
    columns = [TextColumn("{task.description}"), BarColumn(), *(TextColumn(text) for text in extra),
               TimeElapsedColumn(), TimeRemainingColumn()]
    return Progress(*columns, console=console, transient=False, disable=not console.is_terminal)


def watch(progress: Progress, task: Any, goal: Callable[[Tally], float]) -> Callable[[Tally], None]:
    """Show a tally as it grows: in the bar, or without a terminal as a line now and then."""
    due = [PLAIN_SECONDS]

    def show(tally: Tally) -> None:
        black, draws, white = tally.results
        figures = (f"{tally.games} games, {tally.positions} positions, {tally.speed:.0f}/s, "
                   f"+{white} ={draws} -{black}, {tally.rejected} openings thrown away")
        progress.update(task, completed=goal(tally), figures=figures)
        if not progress.console.is_terminal and tally.seconds >= due[0]:
            due[0] = tally.seconds + min(max(PLAIN_SECONDS, tally.seconds / 2), MOST_SECONDS)
            progress.console.print(f"self-play, {tally.seconds:.0f} s: {figures}", soft_wrap=True, highlight=False)

    return show


def generate(args: argparse.Namespace) -> int:
    settings, network = player_of(args)
    for name in ("positions", "games", "minutes"):
        if getattr(args, name) < 0:
            raise ValueError(f"--{name} is {getattr(args, name):g}, expected more than 0")
    console = Console(markup=False)
    wanted = [f"{getattr(args, name):g} {name}" for name in ("positions", "games", "minutes") if getattr(args, name)]

    def announce(found: Tally) -> None:
        there = f", which has {found.games} games already" if found.games else ""
        where = args.cluster or f"{args.threads} thread{'s' if args.threads > 1 else ''}"
        console.print(f"self-play into {args.folder}{there}, at {settings.nodes} nodes on {where}, "
                      f"until {' or '.join(wanted) or 'interrupted'}; "
                      "Ctrl-C keeps what was played", soft_wrap=True, highlight=False)

    with cluster_of(args) as executor, progress_bar(console, "{task.fields[figures]}") as progress:
        total = args.positions or args.games or 60 * args.minutes or None
        task = progress.add_task("self-play", total=total, figures="")

        def goal(tally: Tally) -> float:
            return tally.positions if args.positions else tally.games if args.games else tally.seconds

        try:
            tally = play(args.folder, settings, positions=args.positions, games=args.games, minutes=args.minutes,
                         threads=args.threads, network=network, begun=announce, progress=watch(progress, task, goal),
                         executor=executor)
        except KeyboardInterrupt:
            console.print(f"interrupted: what was played is in {args.folder}, the same command goes on from there",
                          soft_wrap=True, highlight=False)
            return INTERRUPTED
    console.print(f"{tally.games} games with {tally.positions} positions in {args.folder}, "
                  f"{tally.speed:.0f} positions a second")
    return 0


def positions(args: argparse.Namespace) -> int:
    from barreleye.train.rebuild import rebuild

    output.check(args.output)
    began = time.monotonic()
    total = rebuild(args.data, args.output, args.first_ply, args.score_limit)
    speed = total / (time.monotonic() - began)
    Console(markup=False).print(f"{total} positions written to {args.output}, {speed:.0f} a second", soft_wrap=True,
                                highlight=False)
    return 0


def inspect(args: argparse.Namespace) -> int:
    console = Console(markup=False)
    files = dataset.find_files(args.data)
    records = dataset.load(files)
    summary = curate.summarise(records)
    facts = dataset.read_facts(files[0])
    table = Table(title=f"{len(files)} file{'s' if len(files) > 1 else ''}, made by "
                        f"{'Barreleye ' + facts['version'] if 'version' in facts else 'merging'}", show_header=False)
    black, draws, white = (share / max(1, sum(summary.results)) for share in summary.results)
    table.add_row("positions", f"{summary.positions}")
    table.add_row("games", f"{summary.games}, {summary.positions / summary.games:.1f} positions each")
    table.add_row("results", f"white {white:.1%}, draws {draws:.1%}, black {black:.1%} of the positions played")
    if summary.unplayed:
        table.add_row("without result", f"{summary.unplayed / summary.positions:.1%}, found by the search")
    table.add_row("coherence", f"{summary.coherence:.1%} of clear scores in decisive games have the winner's sign")
    table.add_row("duplicates", f"{summary.duplicates:.1%}")
    for name, value in (facts.get("settings") or facts.get("sources") or {}).items():
        table.add_row(str(name), str(value))
    console.print(table)
    for title, rows in (("white's score", summary.scores), ("men", summary.men), ("ply", summary.plies)):
        most = max(count for _, count in rows) or 1
        chart = Table(title=title, show_header=False, box=None)
        for name, count in rows:
            chart.add_row(name, "█" * round(BAR * count / most), f"{count / summary.positions:.1%}")
        console.print(chart)
    if args.samples > 0:
        import chess

        for record in records[:: max(1, len(records) // args.samples)][:args.samples]:
            text = dataset.fen(record)
            console.print(f"\n{chess.Board(text).unicode(empty_square='·')}\n{text}\n"
                          f"score {record['score']:+d}, "
                          f"result {RESULTS[min(dataset.NO_RESULT, int(record['result']))]}")
    return 0


def write(args: argparse.Namespace, records: dataset.Records, facts: dict[str, Any], before: int) -> int:
    dataset.write_positions(args.output, facts, records)
    Console(markup=False).print(f"{len(records)} of {before} positions written to {args.output}")
    return 0


def merge(args: argparse.Namespace) -> int:
    records, facts = curate.merge(args.data)
    return write(args, records, facts, len(records))


def shuffle(args: argparse.Namespace) -> int:
    records, facts = curate.merge(args.data)
    return write(args, curate.shuffle(records, args.seed), facts, len(records))


def filter(args: argparse.Namespace) -> int:
    records, facts = curate.merge(args.data)
    kept = curate.select(records, args.max_score, args.min_ply, args.max_rule50, args.min_men, args.coherent)
    return write(args, kept, facts, len(records))


def dedup(args: argparse.Namespace) -> int:
    records, facts = curate.merge(args.data)
    return write(args, curate.dedup(records), facts, len(records))


def relabel(args: argparse.Namespace) -> int:
    settings, network = player_of(args)
    output.check(args.output)
    records, facts = curate.merge(args.data)
    console = Console(markup=False)
    done, said = [0], [time.monotonic()]

    def advance(count: int) -> None:
        done[0] += count
        progress.advance(task, count)
        if not console.is_terminal and time.monotonic() - said[0] >= PLAIN_SECONDS:
            said[0] = time.monotonic()
            console.print(f"searched again: {done[0]} of {len(records)}", soft_wrap=True, highlight=False)

    with progress_bar(console) as progress:
        task = progress.add_task("searching again", total=len(records))
        try:
            fresh = curate.relabel(records, settings, network, args.threads, advance)
        except KeyboardInterrupt:
            console.print(f"interrupted after {done[0]} of {len(records)} positions, nothing was written")
            return INTERRUPTED
    return write(args, fresh, {**facts, "relabelled": {"nodes": settings.nodes, "net": settings.net}}, len(records))


def calibrate(args: argparse.Namespace) -> int:
    from barreleye.train import calibrate as calibrating

    fitted = calibrating.calibrate(dataset.load(args.data))
    console = Console(markup=False, highlight=False)
    console.print(f"# fitted to {fitted.positions} positions, loss {fitted.loss:.4f}; for barreleye/wdl.py:")
    console.print(fitted.lines, soft_wrap=True)
    table = Table("material", "score", "positions", "won / drawn / lost", "expected")

    def told(shares: Any) -> str:
        return " / ".join(f"{share:.0%}" for share in shares[::-1])

    for least, most in calibrating.BANDS:
        counts, model = fitted.band(least, most)
        for score in range(0, 401, 100):
            near = np.abs(calibrating.SCORES - score) < SHOWN_RANGE
            seen = counts[near].sum()
            table.add_row(f"{least} to {most}", f"{score}", f"{seen:.0f}",
                          told(counts[near].sum(axis=0) / seen) if seen else "", told(model[near].mean(axis=0)),
                          end_section=score == 400)
    console.print(table)
    if args.png and not calibrating.save_png(fitted, args.png):
        raise ValueError(f"drawing needs matplotlib, which is not installed: {how_to_install('plot')}")
    return 0
