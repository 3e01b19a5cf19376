"""What the commands that go through collections of games have in common: reading, evaluating, resuming, writing."""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import os
import sys
from collections import deque
from collections.abc import Callable, Generator, Iterator
from itertools import islice
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from barreleye import output, terminal
from barreleye.cli.cluster import add_cluster
from barreleye.core.machine import processors

if TYPE_CHECKING:
    from concurrent.futures import Executor

    import chess.pgn

    from barreleye.analysis.record import Record
    from barreleye.analysis.resume import Journal
    from barreleye.analysis.workers import Team

SOME_NOT_READ = 1
MOST_NODES = 10**12           # a month for each position; second looks take a few times as many


def add_thinking(parser: argparse.ArgumentParser) -> None:
    """The arguments of every command that evaluates positions of games."""
    add = parser.add_argument
    add("--nodes", type=int, default=100_000, metavar="N", help="nodes for each position (default %(default)s)")
    add("--threads", type=int, default=processors(), metavar="N",
        help="how many positions are searched at once (default: one for each CPU, here %(default)s)")
    add("--hash", type=int, default=16, metavar="MB", help="hash table of each thread (default %(default)s MiB)")
    add("--syzygy", metavar="PATH", default="", help="endgame tablebases")
    add_cluster(parser)


def team_for(args: argparse.Namespace, executor: Executor | None, name: str) -> Team:
    """Whom add_thinking()'s arguments ask for: threads, or a cluster; ValueError names an argument that cannot be."""
    from barreleye.analysis.many import team_of
    from barreleye.core.facts import MAX_THREADS

    if not 1 <= args.nodes <= MOST_NODES:
        raise ValueError(f"the number of nodes is {args.nodes}, expected a number from 1 to {MOST_NODES}")
    if not 1 <= args.threads <= MAX_THREADS:
        raise ValueError(f"the number of threads is {args.threads}, expected a number from 1 to {MAX_THREADS}")
    for folder in args.syzygy.split(os.pathsep) if args.syzygy else ():
        if not os.path.isdir(folder):
            raise ValueError(f"there is no folder {folder} with tablebases")
    return team_of(args.threads, {"Hash": args.hash, "SyzygyPath": args.syzygy}, executor, name)


@contextlib.contextmanager
def resumable(command: str, beside: Path | None, text: str, args: argparse.Namespace) -> Iterator[Journal | None]:
    """The journal beside an output file, kept if the run does not come to its end; None where there is no such file."""
    from barreleye.analysis.resume import Journal

    if beside is None or not output.is_replaced(beside):
        yield None
        return
    output.check(beside)
    target = Path(os.path.realpath(beside))
    journal = Journal(target.with_name(target.name + ".progress"), fingerprint(command, text, args), begins_anew=True)
    finished = False
    try:
        yield journal
        finished = True
    except KeyboardInterrupt:
        kept = "nothing was kept" if journal.is_empty else "give the same command again to continue"
        print(f"barreleye {command}: interrupted; {kept}", file=sys.stderr)
        raise
    finally:
        if finished or journal.is_empty:
            journal.remove()
        else:
            journal.close()


def fingerprint(command: str, text: str, args: argparse.Namespace) -> dict[str, Any]:
    """What must be the same for an interrupted run to be gone on with."""
    return {"command": command, "games": hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest(),
            "nodes": args.nodes, "hash": args.hash, "syzygy": args.syzygy}


def analysed(text: str, nodes: int, multipv: int, team: Team, on_problem: Callable[[str], None],
             on_skipped: Callable[[str], None] | None = None, journal: Journal | None = None,
             ) -> Generator[tuple[chess.pgn.Game, list[Record]], None, None]:
    """Every game with the records of its positions, from the journal or newly found, with a progress bar.

    on_skipped gets the text of games that cannot be read, between the games they stand between.
    """
    from barreleye.analysis.chunks import chunks_of
    from barreleye.analysis.games import read_games, title
    from barreleye.analysis.many import Request
    from barreleye.analysis.many import run as records_of
    from barreleye.cli.progress import PositionBar

    waiting: deque[chess.pgn.Game | str] = deque()      # read, and further than the records are
    read = positions = 0

    def readable() -> Iterator[chess.pgn.Game]:
        nonlocal positions
        for game in read_games(text, on_problem, waiting.append if on_skipped else None, note_read):
            waiting.append(game)
            positions += 1 + sum(1 for _ in game.mainline_moves())
            bar.expect(round(positions * len(text) / read))
            yield game
        bar.expect(positions)

    def note_read(place: int) -> None:
        nonlocal read
        read = place

    with PositionBar() as bar:
        request = Request({"nodes": nodes}, multipv, prefers_exact=True, on_position=bar.tick, on_known=bar.resume)
        with contextlib.closing(records_of(chunks_of(readable()), request, team, journal)) as records:
            for first in records:
                while isinstance(game := waiting.popleft(), str):
                    assert on_skipped is not None
                    on_skipped(game)
                bar.say(title(game))
                yield game, [first, *islice(records, sum(1 for _ in game.mainline_moves()))]
    for skipped in waiting:
        assert on_skipped is not None and isinstance(skipped, str)
        on_skipped(skipped)


@contextlib.contextmanager
def writing(path: Path | None) -> Iterator[IO[str] | terminal.SafeOutput]:
    """The output file, as `output.writing` does it; without a name, or with `-`, standard output."""
    if path is None or str(path) == "-":
        yield terminal.SafeOutput(sys.stdout) if sys.stdout.isatty() else sys.stdout
    else:
        with output.writing(path) as file:
            yield file


def complain(command: str, problems: list[str]) -> None:
    """What could not be read, a line for each."""
    for problem in problems:
        print(f"barreleye {command}: {terminal.printable(problem)}", file=sys.stderr)
