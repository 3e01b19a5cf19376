"""Annotate games: judge every move, show better lines, measure accuracy, and draw a report.

Every position is evaluated with the same number of nodes, on as many threads as asked for; the result does not depend
on how many those are. Moves are judged by what they lose in winning chances, as lichess does. Comments, clocks, signs
and variations of the games are kept. An interrupted run goes on when the same command is given again.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import json
import os
import sys
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from barreleye.core.machine import processors

if TYPE_CHECKING:
    import chess.pgn

    from barreleye.analysis.record import Record
    from barreleye.analysis.resume import Journal
    from barreleye.analysis.review import Review
    from barreleye.analysis.workers import Workers

SOME_NOT_READ = 1
MOST_IN_A_REPORT = 500
EXAMPLES = """\
examples:
  barreleye annotate game.pgn                                  the annotated game, to the terminal
  barreleye annotate game.pgn -o annotated.pgn --html report.html
  barreleye annotate season.pgn -o out.pgn --nodes 500000 --threads 4 --eco openings.tsv
  barreleye annotate --json game.pgn | jq .white.accuracy
  zcat games.pgn.gz | barreleye annotate - -o out.pgn

exit status: 0 all well, 1 some games or variations could not be read, 2 nothing could be done, 130 interrupted
games that cannot be read are written to the PGN as they are
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EXAMPLES
    add = parser.add_argument
    add("file", metavar="GAMES.pgn", help="the games; - reads standard input")
    add("-o", "--output", type=Path, metavar="FILE", help="the annotated games (default: standard output)")
    add("--html", type=Path, metavar="FILE", help="a report with boards and graphs, one file that works offline")
    add("--json", action="store_true", help="print one JSON object a game instead of PGN")
    add_thinking(parser)
    add("--eco", metavar="FILE", default=os.environ.get("BARRELEYE_ECO"),
        help="names of openings: a TSV file or a folder of them with eco, name and pgn (default: $BARRELEYE_ECO)")


def add_thinking(parser: argparse.ArgumentParser) -> None:
    """The arguments of every command that evaluates positions of games."""
    add = parser.add_argument
    add("--nodes", type=int, default=100_000, metavar="N", help="nodes for each position (default %(default)s)")
    add("--threads", type=int, default=processors(), metavar="N",
        help="positions looked at at the same time (default: one for each CPU, here %(default)s)")
    add("--hash", type=int, default=16, metavar="MB", help="table of each thread (default %(default)s MiB)")
    add("--syzygy", metavar="PATH", default="", help="endgame tablebases")


def workers_of(args: argparse.Namespace) -> Workers:
    """The threads that add_thinking()'s arguments ask for; ValueError names an argument that cannot be."""
    from barreleye.analysis.workers import Workers
    from barreleye.core.facts import MAX_THREADS

    if args.nodes < 1:
        raise ValueError(f"the number of nodes is {args.nodes}, expected at least 1")
    if not 1 <= args.threads <= MAX_THREADS:
        raise ValueError(f"the number of threads is {args.threads}, expected a number from 1 to {MAX_THREADS}")
    for folder in args.syzygy.split(os.pathsep) if args.syzygy else ():
        if not os.path.isdir(folder):
            raise ValueError(f"there is no folder {folder} with tablebases")
    return Workers(args.threads, {"Hash": args.hash, "SyzygyPath": args.syzygy})


def run(args: argparse.Namespace) -> int:
    from barreleye.analysis.games import read_text
    from barreleye.analysis.openings import read_table
    from barreleye.analysis.resume import Journal

    text = read_text(args.file)
    table = read_table(args.eco) if args.eco else None
    workers = workers_of(args)
    beside = args.output or args.html
    refuse_equal({"the games": None if args.file == "-" else Path(args.file), "-o": args.output, "--html": args.html})
    for path in (args.output, args.html):
        if path is not None and not path.absolute().parent.is_dir():
            raise ValueError(f"there is no folder {path.absolute().parent} to write {path.name} into")
    journal = beside and Journal(beside.with_name(beside.name + ".progress"), fingerprint(text, args), begins_anew=True)
    finished = False
    try:
        status = annotate_all(args, text, table, workers, journal)
        finished = True
    except KeyboardInterrupt:
        print("barreleye annotate: interrupted; "
              + ("the same command goes on from here" if journal and not journal.is_empty else "nothing was kept"),
              file=sys.stderr)
        raise
    finally:
        if journal and (finished or journal.is_empty):
            journal.remove()
    return status


def refuse_equal(paths: dict[str, Path | None]) -> None:
    """ValueError when two of the files are the same one: the later would destroy the earlier."""
    seen: dict[Path, str] = {}
    for name, path in paths.items():
        if path is None:
            continue
        if (other := seen.setdefault(path.resolve(), name)) != name:
            raise ValueError(f"{path} is given for {other} and for {name}; take another file")


def fingerprint(text: str, args: argparse.Namespace) -> dict[str, Any]:
    """What must be the same for an interrupted analysis to be gone on with."""
    return {"games": hashlib.sha256(text.encode()).hexdigest(), "nodes": args.nodes, "hash": args.hash,
            "syzygy": args.syzygy}


def annotate_all(args: argparse.Namespace, text: str, table: Any, workers: Workers, journal: Journal | None) -> int:
    """Read, evaluate, review and write, one game after the other."""
    from barreleye.analysis.annotate import annotate, as_pgn
    from barreleye.analysis.review import review

    problems: list[str] = []
    reviews: list[Review] = []
    skipped: list[str] = []                 # texts of games that could not be read, not yet written
    count = 0
    as_text = not args.json or args.output is not None
    analysis = analysed(text, args.nodes, 1, workers, problems.append, skipped.append if as_text else None, journal)
    with writing(args.output) as out, contextlib.closing(analysis) as games:
        for game, records in games:
            found = review(game, records, table)
            count += 1
            if args.html and len(reviews) < MOST_IN_A_REPORT:
                reviews.append(found)
            annotate(game, found)
            if args.json:
                print(json.dumps(found.as_json()), flush=True)
            if as_text:
                out.write("".join(skipped) + as_pgn(game))
                skipped.clear()
        complain("annotate", problems)
        if not count:
            raise ValueError(f"{args.file}: there is no game in it that can be analysed")
        out.write("".join(skipped))
    if args.html:
        from barreleye.analysis.report import page

        args.html.write_text(page(reviews, args.nodes), encoding="utf-8")
    if args.output or args.html:
        summarise(found if count == 1 else None, count, [args.output, args.html])
    return SOME_NOT_READ if problems else 0


def analysed(text: str, nodes: int, multipv: int, workers: Workers, on_problem: Callable[[str], None],
             on_skipped: Callable[[str], None] | None = None, journal: Journal | None = None,
             ) -> Generator[tuple[chess.pgn.Game, list[Record]], None, None]:
    """Every game with the records of its positions, from the journal or newly found, with a progress bar.

    on_skipped gets the text of games that cannot be read, between the games they stand between.
    """
    from collections import deque
    from itertools import islice

    from barreleye.analysis.chunks import chunks_of
    from barreleye.analysis.games import count_games, read_games, title
    from barreleye.analysis.many import Request
    from barreleye.analysis.many import run as records_of
    from barreleye.cli.progress import Bar

    waiting: deque[chess.pgn.Game | str] = deque()      # read, and further than the records are

    def readable() -> Iterator[chess.pgn.Game]:
        for game in read_games(text, on_problem, waiting.append if on_skipped else None):
            waiting.append(game)
            yield game

    with Bar("games", count_games(text)) as bar:
        request = Request({"nodes": nodes}, multipv, prefers_exact=True, on_position=bar.tick)
        with contextlib.closing(records_of(chunks_of(readable()), request, workers, journal)) as records:
            for first in records:
                while isinstance(game := waiting.popleft(), str):
                    assert on_skipped is not None
                    on_skipped(game)
                bar.say(title(game))
                yield game, [first, *islice(records, sum(1 for _ in game.mainline_moves()))]
                bar.advance()
    for skipped in waiting:
        assert on_skipped is not None and isinstance(skipped, str)
        on_skipped(skipped)


@contextlib.contextmanager
def writing(path: Path | None) -> Iterator[TextIO]:
    """A file that appears under its name only when it is whole; standard output without a name."""
    if path is None:
        yield sys.stdout
        return
    temporary = path.with_name(path.name + ".part")
    try:
        with temporary.open("w", encoding="utf-8") as file:
            yield file
        os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)


def complain(command: str, problems: list[str]) -> None:
    """What could not be read, a line for each."""
    for problem in problems:
        print(f"barreleye {command}: {problem}", file=sys.stderr)


def summarise(review: Review | None, count: int, files: list[Path | None]) -> None:
    """What was done, for people: on standard error, so that it mixes with no output."""
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    console = Console(stderr=True, highlight=False)
    if review is not None:
        table = Table(box=None, header_style="bold", pad_edge=False, padding=(0, 3, 0, 0))
        for head in ("", "accuracy", "ACPL", "?!", "?", "??"):
            table.add_column(head, justify="left" if not head else "right")
        for side in (review.white, review.black):
            accuracy = "-" if side.accuracy is None else f"{side.accuracy:.1f} %"
            table.add_row(escape(side.name), accuracy, str(side.average_loss if side.average_loss is not None else "-"),
                          *(str(number) for number in side.counts.values()))
        console.print(table)
    written = " and ".join(str(path) for path in files if path)
    console.print(f"{count} {'game' if count == 1 else 'games'} annotated: {written}")
