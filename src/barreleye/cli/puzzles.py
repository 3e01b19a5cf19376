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
from collections import deque
from collections.abc import Generator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from barreleye import output
from barreleye.cli.collection import (
    SOME_NOT_READ,
    add_thinking,
    analysed,
    complain,
    resumable,
    workers_of,
    writing,
)

if TYPE_CHECKING:
    from concurrent.futures import Future

    from barreleye.analysis.puzzles import Puzzle
    from barreleye.analysis.resume import Journal

EXAMPLES = """\
examples:
  barreleye puzzles games.pgn -o puzzles.pgn
  barreleye puzzles games.pgn --nodes 200000 --json > puzzles.jsonl
  barreleye puzzles games.pgn --most 20

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
    with resumable("puzzles", args.output, text, args) as journal, writing(args.output) as out, \
            contextlib.closing(found(text, args, problems, games, journal)) as puzzles:
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


def found(text: str, args: argparse.Namespace, problems: list[str],
          games: list[int], journal: Journal | None) -> Generator[Puzzle, None, None]:
    """The puzzles of all games; games gets an entry for each game that could be read."""
    from barreleye.analysis.chunks import of_pgn
    from barreleye.analysis.puzzles import PROOF, candidates, solve_all

    waiting: deque[Future[list[Puzzle]]] = deque()
    analysis = analysed(text, args.nodes, 2, workers_of(args), problems.append, journal=journal)
    # Proofs have threads of their own: behind the games that are read ahead a puzzle would come late.
    with workers_of(args) as provers, contextlib.closing(analysis):
        for game, records in analysis:
            games.append(1)
            if found_at := list(candidates(game, records)):
                waiting.append(provers.submit(partial(solve_all, game=of_pgn(game), found_at=found_at,
                                                      nodes=PROOF * args.nodes, source=dict(game.headers))))
            if len(waiting) > provers.count:
                yield from waiting.popleft().result()
        while waiting:
            yield from waiting.popleft().result()
