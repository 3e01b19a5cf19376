"""Find puzzles in games: positions where exactly one move wins, with the solution.

Every position is searched for its two best moves. Where one of them wins and the other does not, or only one of them
mates, the win is checked with four times the nodes. Simple recaptures are left out. An interrupted run with --output
goes on where it was when the same command is given again.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import sys
from collections.abc import Generator, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

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

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from barreleye.analysis.puzzles import Puzzle
    from barreleye.analysis.resume import Journal
    from barreleye.analysis.workers import SearchTask, Team

EXAMPLES = """\
examples:
  barreleye puzzles games.pgn -o puzzles.pgn
  barreleye puzzles games.pgn --nodes 200000 --json > puzzles.jsonl
  barreleye puzzles games.pgn --most 20
  barreleye puzzles games.pgn -o puzzles.pgn --cluster tcp://10.0.0.1:8786

exit status: 0 all well (also when there are no puzzles), 1 some games could not be read, 2 nothing could be done
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EXAMPLES
    add = parser.add_argument
    add("file", metavar="GAMES.pgn", help="the games, plain, gzipped or zipped; - reads standard input")
    add("-o", "--output", type=Path, metavar="FILE", help="write the puzzles here as PGN (default: standard output)")
    add("--json", action="store_true", help="one JSON object per line instead of PGN")
    add("--most", type=int, metavar="N", help="stop after N puzzles")
    add_thinking(parser)


def run(args: argparse.Namespace) -> int:
    from itertools import islice

    from barreleye.analysis.annotate import as_pgn
    from barreleye.analysis.games import read_text

    if args.most is not None and args.most < 1:
        raise ValueError(f"--most is {args.most}, expected at least 1")
    text = read_text(args.file)
    problems: list[str] = []
    games: list[int] = []
    count = 0
    output.check_apart({"the games": None if args.file == "-" else args.file, "-o": args.output})
    with contextlib.ExitStack() as stack:
        executor = stack.enter_context(cluster_of(args))
        team = team_for(args, executor, "puzzles-positions")
        journal = stack.enter_context(resumable("puzzles", args.output, text, args))
        out = stack.enter_context(writing(args.output))
        analysis = found(text, args, team, executor, problems, games, journal)
        puzzles = stack.enter_context(contextlib.closing(analysis))
        for puzzle in islice(puzzles, args.most):
            count += 1
            out.write(json.dumps(puzzle.as_json()) + "\n" if args.json else as_pgn(puzzle.as_game()))
            out.flush()
        if not games:
            complain("puzzles", problems)
            raise ValueError(f"{args.file}: there is no game in it that can be analysed")
    complain("puzzles", problems)
    print(f"{count} {'puzzle' if count == 1 else 'puzzles'} in {len(games)} "
          f"{'game' if len(games) == 1 else 'games'}", file=sys.stderr)
    return SOME_NOT_READ if problems else 0


def found(text: str, args: argparse.Namespace, team: Team, executor: Executor | None, problems: list[str],
          games: list[int], journal: Journal | None) -> Generator[Puzzle, None, None]:
    """The puzzles of all games; games gets an entry for each game that could be read."""
    from barreleye.analysis.chunks import of_pgn
    from barreleye.analysis.puzzles import PROOF, candidates, solve_all

    analysis = analysed(text, args.nodes, 2, team, problems.append, journal=journal)

    def tasks() -> Iterator[SearchTask[list[Puzzle]]]:
        for game, records in analysis:
            games.append(1)
            if found_at := list(candidates(game, records)):
                yield partial(solve_all, game=of_pgn(game), found_at=found_at, nodes=PROOF * args.nodes,
                              source=dict(game.headers))

    # Proofs have workers of their own: behind the games that are read ahead a puzzle would come late.
    with team_for(args, executor, "puzzles-proofs") as provers, contextlib.closing(analysis):
        for puzzles in provers.in_order(tasks(), ahead=1):
            yield from puzzles
