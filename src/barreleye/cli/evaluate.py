"""Explain the evaluation of a position, piece by piece and term by term, without searching.

Scores are from White's point of view, in pawns. The network's verdict is the one that counts. Shown with it are how
much each piece adds to it, and the hand-written terms, each with a value for the middlegame and one for the endgame.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from barreleye.cli.position import add_position, start_of

if TYPE_CHECKING:
    import chess
    from rich.table import Table

    from barreleye.cli.board import Screen
    from barreleye.engine.evaluation import Evaluation

EXAMPLES = """\
examples:
  barreleye eval
  barreleye eval --moves "e4 e5 Nf3"
  barreleye eval "8/8/8/8/8/4k3/4p3/4K3 b - - 0 1" --json
  barreleye eval game.pgn --move 23b
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EXAMPLES
    add = parser.add_argument
    add_position(parser)
    add("--net", type=Path, metavar="FILE", help="ask this network instead of the one that comes with Barreleye")
    add("--json", action="store_true", help="print one JSON object instead of a picture")


def run(args: argparse.Namespace) -> int:
    from rich.console import Console
    from rich.table import Table as Grid
    from rich.text import Text

    from barreleye.cli.board import QUIET, Screen, board_text
    from barreleye.engine import Engine

    settings = {"EvalFile": str(args.net)} if args.net else {}
    engine = Engine(Hash=1, **settings)
    board = start_of(args).show(engine)
    found = None if board.is_check() else engine.evaluate()
    if args.json:
        print(json.dumps({"fen": board.fen(), "in_check": found is None, **(as_json(found) if found else {})}))
        return 0
    console = Console(highlight=False)
    if found is None:
        console.print("a position in check is not evaluated: the search looks further first")
        return 0
    network = "none" if found.network is None else f"{found.network / 100:+.2f}"
    numbers = Text(f"evaluation  {found.centipawns / 100:+.2f}\n\nnetwork      {network}\n"
                   f"hand-written {found.classical / 100:+.2f}{' (known ending)' if found.is_known else ''}\n"
                   f"phase        {found.phase} of 24\nscale        {found.scale} of 64")
    numbers.stylize(QUIET, numbers.plain.index("\n"))
    grid = Grid.grid(padding=(0, 3, 0, 0))
    grid.add_row(board_text(board, Screen.of(console)), numbers)
    console.print(grid)
    if found.pieces:
        console.print(pieces_table(found.pieces, board, Screen.of(console)))
    console.print(table(found))
    return 0


def as_json(found: Evaluation) -> dict[str, Any]:
    """Everything known of an evaluation, in centipawns for White; terms by side and phase."""
    sides = {name: {side: {"middlegame": value[0], "endgame": value[1]}
                    for side, value in (("white", term.white), ("black", term.black))}
             for name, term in found.terms.items()}
    return {"centipawns": found.centipawns, "network": found.network, "classical": found.classical,
            "known": found.is_known, "phase": found.phase, "scale": found.scale, "pieces": found.pieces, "terms": sides}


def pieces_table(pieces: dict[str, int], board: chess.Board, screen: Screen) -> Table:
    """What each piece is worth to the network, where it stands."""
    import chess
    from rich import box
    from rich.table import Table

    shown = Table(box=box.SQUARE, show_header=False, show_lines=True, padding=0,
                  title="how much each piece adds to the network's verdict, in pawns for White")
    for _ in range(8):
        shown.add_column(justify="center", min_width=7)
    for rank in range(7, -1, -1):
        cells = []
        for file in range(8):
            square = chess.square(file, rank)
            piece = board.piece_at(square)
            value = pieces.get(chess.square_name(square))
            cells.append("" if piece is None else (piece.unicode_symbol() if screen.unicode else piece.symbol()) + (
                "" if value is None else f"\n{value / 100:+.2f}"))
        shown.add_row(*cells)
    return shown


def table(found: Evaluation) -> Table:
    """A row for each term: both sides, then White's lead."""
    from rich import box
    from rich.table import Table

    shown = Table(box=box.SIMPLE_HEAD, pad_edge=False, title="the hand-written terms")
    shown.add_column("term")
    for head in ("White mg", "eg", "Black mg", "eg", "lead mg", "eg"):
        shown.add_column(head, justify="right")
    for name, term in found.terms.items():
        shown.add_row(name, *(f"{value / 100:.2f}" for value in (*term.white, *term.black)),
                      *(f"{value / 100:+.2f}" for value in term.total))
    return shown
