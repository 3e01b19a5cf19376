"""Look a position up in endgame tablebases: who wins, how far it is, and what every move leads to.

Distances are in plies to the next capture or pawn move that keeps the result (DTZ), which is what the fifty-move rule
counts. Tables that count in whole moves may say one ply more.
"""

from __future__ import annotations

import argparse
import json
import os
from typing import Any

import chess
from rich.console import Console, Group
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from barreleye import syzygy_files, tablebase
from barreleye.cli.board import Screen, board_text
from barreleye.cli.position import add_position, is_named, start_of
from barreleye.core.position import Position
from barreleye.engine.python_chess import played
from barreleye.tablebase import RankedMove

COLORS = {2: "#7fd1a4", 1: "#b9d8a8", 0: "#9fb3bf", -1: "#e0a886", -2: "#d1495b"}
LINE_PLIES = 120
EXAMPLES = """\
examples:
  barreleye tb --path ~/syzygy '8/8/8/4k3/8/8/4K3/4R3 w - - 0 1'
  barreleye tb --path ~/syzygy game.pgn --move 61w
  BARRELEYE_SYZYGY=~/syzygy barreleye tb --json '8/2k5/8/8/8/8/1p2K3/8 w - - 0 1'
"""


def configure(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add_position(parser)
    add("--path", metavar="PATH", help=f"folders with Syzygy tables, separated by {os.pathsep!r} "
        f"(default: ${tablebase.PATH_VARIABLE})")
    add("--no-line", action="store_true", help="do not show how play goes on")
    add("--json", action="store_true", help="print one JSON object instead of a picture")
    parser.epilog = EXAMPLES


def run(args: argparse.Namespace) -> int:
    tablebase.use(args.path if args.path is not None else os.environ.get(tablebase.PATH_VARIABLE, ""))
    if not is_named(args):
        raise ValueError("name a position with few men: a FEN, or a file with games and perhaps --move")
    start = start_of(args)
    position = played(Position(start.root_fen, start.board.chess960), start.moves)
    wdl, dtz = tablebase.probe_wdl(position), tablebase.probe_dtz(position)
    moves = tablebase.moves(position)
    if wdl is None or moves is None:
        raise ValueError(why_not(position))
    line = [] if args.no_line or not wdl else tablebase.line(position, plies=LINE_PLIES)
    if args.json:
        print(json.dumps(as_json(position, wdl, dtz, moves, line)))
    else:
        console = Console(highlight=False)
        console.print(picture(position, wdl, dtz, moves, line, Screen.of(console)))
    return 0


def why_not(position: Position) -> str:
    """Why the tables cannot tell."""
    tables = tablebase.tables_at()
    if not tables.files:
        return f"there are no tablebases: name their folder with --path or ${tablebase.PATH_VARIABLE}"
    if position.fen().split()[2] != "-":
        return "tablebases know no castling: the position must have no castling rights"
    if position.piece_count() > tables.cardinality:
        return f"the position has {position.piece_count()} men, the largest tablebase there {tables.cardinality}"
    problems = syzygy_files.new_problems(tables)
    return problems[0] if problems else "a tablebase that the position needs is missing"


def as_json(position: Position, wdl: int, dtz: int | None, moves: list[RankedMove], line: list[str]) -> dict[str, Any]:
    """Everything the picture shows, for programs."""
    board = chess.Board(position.fen())
    return {
        "fen": position.fen(), "wdl": wdl, "verdict": tablebase.VERDICTS[wdl], "dtz": dtz,
        "moves": [{"uci": move.uci, "san": board.san(chess.Move.from_uci(move.uci)), "wdl": move.wdl,
                   "verdict": move.verdict, "dtz": move.dtz, "mates": move.mates} for move in moves],
        "line": line,
    }


def picture(position: Position, wdl: int, dtz: int | None, moves: list[RankedMove], line: list[str],
            screen: Screen) -> Group:
    """The board, the verdict beside it, the moves below."""
    board = chess.Board(position.fen())
    text = Text(headline(board, wdl), style=f"bold {COLORS[wdl]}")
    for sentence in facts(board, wdl, dtz):
        text.append(f"\n{sentence}", style="not bold default")
    top = Table.grid(padding=(0, 3, 0, 0))
    top.add_row(board_text(board, screen), Padding(text, (2, 0, 0, 0)))
    rows: list[Any] = [top, Text()]
    if moves:
        rows.append(listed(board, moves))
    if line:
        game = board.variation_san([chess.Move.from_uci(move) for move in line])
        rows += [Text(), Text("play goes on ", style="bold").append(Text(game, style="not bold"))]
        if len(line) == LINE_PLIES:
            rows[-1].append(" ...")
    return Group(*rows)


def headline(board: chess.Board, wdl: int) -> str:
    """The verdict in words."""
    if board.is_checkmate():
        return f"{'Black' if board.turn else 'White'} has won: checkmate"
    if board.is_stalemate():
        return "Draw: stalemate"
    if wdl == 0:
        return "Draw"
    winner = "White" if (wdl > 0) == board.turn else "Black"
    return f"{winner} wins" if abs(wdl) == 2 else f"{winner} would win, but for the fifty-move rule"


def facts(board: chess.Board, wdl: int, dtz: int | None) -> list[str]:
    """What else is worth knowing."""
    said = [f"{'White' if board.turn else 'Black'} to move, {chess.popcount(board.occupied)} men"]
    if dtz and not board.is_checkmate():
        said.append(f"capture, pawn move or mate within {abs(dtz)} {'ply' if abs(dtz) == 1 else 'plies'}")
        if board.halfmove_clock and abs(wdl) == 2:
            left = 100 - board.halfmove_clock - abs(dtz)
            said.append(f"fifty-move counter at {board.halfmove_clock}: "
                        + (f"{left} plies to spare" if left >= 0 else "too late, this is a draw"))
    if dtz is None and wdl:
        said.append("how far it is no table there says")
    return said


def listed(board: chess.Board, moves: list[RankedMove]) -> Table:
    """Every move with its result and distance."""
    table = Table(box=None, header_style="bold", pad_edge=False, padding=(0, 3, 0, 0))
    table.add_column("move")
    table.add_column("result")
    table.add_column("plies", justify="right")
    for move in moves:
        plies = "mate" if move.mates else "" if not move.dtz else str(abs(move.dtz))
        table.add_row(board.san(chess.Move.from_uci(move.uci)), Text(move.verdict, style=COLORS[move.wdl]), plies)
    return table
