"""Annotate games: judge every move, show better lines, measure accuracy, and draw a report.

Every position is searched with the same number of nodes, and again with more where the next position contradicts the
result. Moves are judged by the winning chances they lose, as on lichess. The number of threads changes the speed, not
the result. Comments, clocks, signs and variations already in the games are kept. An interrupted run goes on where it
was when the same command is given again.
"""

from __future__ import annotations

import argparse
import contextlib
import json
from collections import deque
from collections.abc import Generator, Iterator
from functools import partial
from pathlib import Path
from typing import IO, TYPE_CHECKING

from barreleye import output
from barreleye.cli.cluster import cluster_of
from barreleye.cli.collection import (
    SOME_NOT_READ,
    add_thinking,
    analysed,
    complain,
    resumable,
    team_for,
    writing,
)
from barreleye.terminal import SafeOutput, printable

if TYPE_CHECKING:
    from concurrent.futures import Executor

    import chess.pgn

    from barreleye.analysis.record import Record
    from barreleye.analysis.resume import Journal
    from barreleye.analysis.review import Review
    from barreleye.analysis.workers import SearchTask, Team

MOST_IN_A_REPORT = 500
EXAMPLES = """\
examples:
  barreleye annotate game.pgn                                  the annotated game, to the terminal
  barreleye annotate game.pgn -o annotated.pgn --html report.html
  barreleye annotate game.pgn --explain                        with a sentence or two behind each mistake
  barreleye annotate season.pgn -o out.pgn --nodes 500000 --threads 4
  barreleye annotate --json game.pgn | jq .white.accuracy
  barreleye annotate games.pgn.gz -o out.pgn
  cat *.pgn | barreleye annotate - -o all.pgn
  barreleye annotate season.pgn -o out.pgn --cluster tcp://10.0.0.1:8786

exit status: 0 all well, 1 some games or variations could not be read, 2 nothing could be done, 130 interrupted
Games that cannot be read are copied to the output unchanged.
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EXAMPLES
    add = parser.add_argument
    add("file", metavar="GAMES.pgn", help="the games, plain, gzipped or zipped; - reads standard input")
    add("-o", "--output", type=Path, metavar="FILE", help="the annotated games (default: standard output)")
    add("--html", type=Path, metavar="FILE", help="a report with boards and graphs, one file that works offline")
    add("--json", action="store_true", help="print one JSON object per game instead of PGN")
    add("--explain", action="store_true", help="say of each mistake what is wrong with it, and what was better and why")
    add_thinking(parser)


def run(args: argparse.Namespace) -> int:
    from barreleye.analysis.games import read_text

    text = read_text(args.file)
    output.check_apart({"the games": None if args.file == "-" else args.file, "-o": args.output, "--html": args.html})
    for path in (args.output, args.html):
        if path is not None and str(path) != "-":
            output.check(path)
    with cluster_of(args) as executor:
        team = team_for(args, executor, "annotate-positions")
        with resumable("annotate", args.output or args.html, text, args) as journal:
            return annotate_all(args, text, team, executor, journal)


def annotate_all(args: argparse.Namespace, text: str, team: Team, executor: Executor | None,
                 journal: Journal | None) -> int:
    """Read, evaluate, review and write, one game after the other."""
    from barreleye.analysis.annotate import annotate, as_pgn
    from barreleye.analysis.review import review

    problems: list[str] = []
    reviews: list[Review] = []
    skipped: list[str] = []                 # texts of games that could not be read, not yet written
    count = 0
    as_text = not args.json or args.output is not None
    analysis = analysed(text, args.nodes, 1, team, problems.append, skipped.append if as_text else None, journal)
    # Both files are open, and so locked, from the beginning: two runs must not think for hours about one of them.
    with writing(args.output) as out, report_file(args.html) as report, \
            contextlib.closing(settled(analysis, args, executor, skipped)) as games:
        for before, game, records in games:
            found = review(game, records, args.explain)
            count += 1
            if args.html and len(reviews) < MOST_IN_A_REPORT:
                reviews.append(found)
            annotate(game, found)
            if args.json:
                print(json.dumps(found.as_json()), flush=True)
            if as_text:
                out.write(before + as_pgn(game))
        complain("annotate", problems)
        if not count:
            raise ValueError(f"{args.file}: there is no game in it that can be analysed")
        out.write("".join(skipped))
        if report is not None:
            from barreleye.analysis.report import page

            report.write(page(reviews, args.nodes))
    if args.output or args.html:
        summarise(found if count == 1 else None, count, [args.output, args.html])
    return SOME_NOT_READ if problems else 0


def report_file(path: Path | None) -> contextlib.AbstractContextManager[IO[str] | SafeOutput | None]:
    """Where the report goes, None without one."""
    return contextlib.nullcontext() if path is None else writing(path)


def settled(analysis: Generator[tuple[chess.pgn.Game, list[Record]], None, None], args: argparse.Namespace,
            executor: Executor | None, skipped: list[str],
            ) -> Generator[tuple[str, chess.pgn.Game, list[Record]], None, None]:
    """The games with doubtful records searched again, and before each the texts that were skipped on the way to it."""
    from barreleye.analysis.chunks import of_pgn
    from barreleye.analysis.doubt import settle

    waiting: deque[tuple[str, chess.pgn.Game]] = deque()

    def tasks() -> Iterator[SearchTask[list[Record]]]:
        for game, records in analysis:
            waiting.append(("".join(skipped), game))
            skipped.clear()
            yield partial(settle, game=of_pgn(game), records=records, nodes=args.nodes)

    with team_for(args, executor, "annotate-doubts") as checkers, contextlib.closing(analysis):
        for records in checkers.in_order(tasks(), ahead=1):
            yield *waiting.popleft(), records


def summarise(review: Review | None, count: int, files: list[Path | None]) -> None:
    """What was done, for people: on standard error, so that it mixes with no output."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console = Console(stderr=True, highlight=False, markup=False)
    if review is not None:
        table = Table(box=None, header_style="bold", pad_edge=False, padding=(0, 3, 0, 0))
        for head in ("", "accuracy", "ACPL", "?!", "?", "??"):
            table.add_column(head, justify="left" if not head else "right")
        for side in (review.white, review.black):
            accuracy = "-" if side.accuracy is None else f"{side.accuracy:.1f} %"
            loss = "-" if side.average_loss is None else str(side.average_loss)
            table.add_row(Text(printable(side.name)), accuracy, loss, *(str(number) for number in side.counts.values()))
        console.print(table)
    written = " and ".join(printable(str(path)) for path in files if path)
    console.print(f"{count} {'game' if count == 1 else 'games'} annotated: {written}", soft_wrap=True)
