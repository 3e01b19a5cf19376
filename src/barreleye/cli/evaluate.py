"""Explain the evaluation of a position, term by term, without searching.

Scores are from White's point of view, in pawns; each term has a value for the middlegame and one for the endgame, and
the phase of the game blends them.
"""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING, Any

from barreleye.core.notation import START_FEN

if TYPE_CHECKING:
    from rich.table import Table

EXAMPLES = """\
examples:
  barreleye eval
  barreleye eval --moves "e4 e5 Nf3"
  barreleye eval --fen "8/8/8/8/8/4k3/4p3/4K3 b - - 0 1" --json
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EXAMPLES
    add = parser.add_argument
    add("--fen", default=START_FEN, help="the position (default: the start position)")
    add("--moves", default="", help="moves played from there: \"e4 e5 Nf3\" or \"e2e4 e7e5\"")
    add("--chess960", action="store_true", help="the position is one of Chess960")
    add("--json", action="store_true", help="print one JSON object instead of a picture")


def run(args: argparse.Namespace) -> int:
    from rich.console import Console
    from rich.table import Table as Grid
    from rich.text import Text

    from barreleye.cli.analyse import set_up
    from barreleye.cli.board import QUIET, Screen, board_text
    from barreleye.core.evaluate.classical import breakdown
    from barreleye.engine import Engine

    engine = Engine(Hash=1, UCI_Chess960=args.chess960)
    board = set_up(engine, args.fen, args.moves)
    terms: dict[str, Any] = {} if board.is_check() else breakdown(engine.board)
    if args.json:
        print(json.dumps({"fen": board.fen(), "in_check": board.is_check(), **as_json(terms)}))
        return 0
    console = Console(highlight=False)
    if not terms:
        console.print("a position in check is not evaluated: the search looks further first")
        return 0
    numbers = Text("\n".join(f"{name}: {value}" for name, value in terms.items() if not isinstance(value, tuple)))
    numbers.stylize(QUIET)
    grid = Grid.grid(padding=(0, 3, 0, 0))
    grid.add_row(board_text(board, Screen.of(console)), numbers)
    console.print(grid)
    console.print(table(terms))
    return 0


def as_json(terms: dict[str, Any]) -> dict[str, Any]:
    """The terms by side and phase in centipawns, and the rest as it is."""
    sides = {name: {"white": {"middlegame": value[0], "endgame": value[1]},
                    "black": {"middlegame": value[2], "endgame": value[3]}}
             for name, value in terms.items() if isinstance(value, tuple)}
    return {"terms": sides, **{name: value for name, value in terms.items() if not isinstance(value, tuple)}}


def table(terms: dict[str, Any]) -> Table:
    """A row for each term: both sides, then White's lead."""
    from rich import box
    from rich.table import Table

    shown = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    shown.add_column("term")
    for head in ("White mg", "eg", "Black mg", "eg", "lead mg", "eg"):
        shown.add_column(head, justify="right")
    for name, value in terms.items():
        if isinstance(value, tuple):
            white_mg, white_eg, black_mg, black_eg = value
            cells = (white_mg, white_eg, black_mg, black_eg, white_mg - black_mg, white_eg - black_eg)
            shown.add_row(name, *(f"{cell / 100:.2f}" for cell in cells[:4]),
                          *(f"{cell / 100:+.2f}" for cell in cells[4:]))
    return shown
