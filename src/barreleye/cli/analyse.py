"""Think about a position and show it live: board, score, chances, speed and the best lines.

Without arguments it looks at the start position for a few seconds. Scores are from white's point of view, in pawns;
#3 is a mate in three. Ctrl-C ends the search and keeps what was found. Into a pipe it writes plain lines.
"""

from __future__ import annotations

import argparse
import json
import re
from typing import TYPE_CHECKING

from barreleye.core.notation import START_FEN

if TYPE_CHECKING:
    import chess

    from barreleye.cli.thinking import Thinking
    from barreleye.engine import Engine, Limits

DEFAULT_SECONDS = 5.0
FRAME_S = 0.12
PLIES_IN_A_LOG = 12
EXAMPLES = """\
examples:
  barreleye analyse
  barreleye analyse --moves "1. e4 e5 2. Nf3 Nc6 3. Bb5" --multipv 3 --time 10
  barreleye analyse --fen "8/8/8/8/8/4k3/4p3/4K3 b - - 0 1" --depth 20
  barreleye analyse --infinite --threads 2 --hash 256
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EXAMPLES
    add = parser.add_argument
    add("--fen", default=START_FEN, help="the position (default: the start position)")
    add("--moves", nargs="+", default=[], metavar="MOVE",
        help="moves played from there, as in a book or as UCI: e4 e5 Nf3, or e2e4 e7e5")
    add("--time", type=float, metavar="S", help=f"seconds to think ({DEFAULT_SECONDS:g} if nothing else ends it)")
    add("--depth", type=int, metavar="N", help="end at this depth")
    add("--nodes", type=int, metavar="N", help="end after about so many positions")
    add("--infinite", action="store_true", help="go on until Ctrl-C")
    add("--multipv", type=int, default=1, metavar="K", help="show the K best moves (default %(default)s)")
    add("--threads", type=int, default=1, metavar="N", help="search on N threads (default %(default)s)")
    add("--hash", type=int, default=64, metavar="MB", help="size of the transposition table (default %(default)s MiB)")
    add("--chess960", action="store_true", help="the position is one of Chess960")
    add("--flip", action="store_true", help="black at the bottom of the board")
    add("--json", action="store_true", help="print one JSON object at the end and nothing else")


def run(args: argparse.Namespace) -> int:
    from barreleye.cli.thinking import Thinking, outcome_text
    from barreleye.engine import Engine

    engine = Engine(MultiPV=args.multipv, Threads=args.threads, Hash=args.hash, UCI_Chess960=args.chess960)
    board = set_up(engine, args.fen, " ".join(args.moves))
    thinking = Thinking(engine, board, limits_from(args))
    over = outcome_text(board)
    if over is not None:
        return show_ended_game(thinking, over, args)
    try:
        if args.json:
            wait_for(thinking)
            print(json.dumps(thinking.as_json()))
        else:
            show(thinking, flipped=args.flip)
    finally:
        engine.finish()
    return 0


def set_up(engine: Engine, fen: str, moves: str) -> chess.Board:
    """Give the engine the position and return it as python-chess knows it, moves played."""
    import chess

    engine.position(fen)
    board = chess.Board(engine.board.fen(), chess960=engine.board.chess960)
    for word in re.sub(r"\d+\.+|…", " ", moves).split():
        try:
            board.push(parse_move(board, word))
        except ValueError as error:
            raise ValueError(f"--moves: {word!r} cannot be played here: {error}") from None
    engine.position(fen, [move.uci() for move in board.move_stack])
    return board


def parse_move(board: chess.Board, word: str) -> chess.Move:
    """A legal move written as SAN or as UCI."""
    try:
        return board.parse_san(word)
    except ValueError as error:
        try:
            return board.parse_uci(word.lower())
        except ValueError:
            raise error from None


def limits_from(args: argparse.Namespace) -> Limits:
    """When to end."""
    from barreleye.engine import Limits

    asked = {name: value for name in ("time", "depth", "nodes") if (value := getattr(args, name)) is not None}
    for name, value in asked.items():
        if not 0 < value < 1e12:
            raise ValueError(f"--{name} is {value}, expected a number above 0")
    if args.infinite:
        return Limits(infinite=True)
    return Limits.of(asked or {"time": DEFAULT_SECONDS})


def wait_for(thinking: Thinking, frame_s: float = FRAME_S) -> None:
    """Search to the end, or to Ctrl-C."""
    thinking.start()
    try:
        while not thinking.wait(frame_s):
            pass
    except KeyboardInterrupt:
        thinking.stop()


def show(thinking: Thinking, *, flipped: bool) -> None:
    """The live view in a terminal, plain lines elsewhere."""
    from rich.console import Console
    from rich.live import Live

    from barreleye.cli.view import View

    console = Console(highlight=False)
    if not console.is_terminal or console.is_dumb_terminal:
        show_lines(thinking)
        return
    view = View(thinking, console, flipped=flipped)
    thinking.start()
    with Live(view, console=console, auto_refresh=False) as live:
        try:
            while not thinking.wait(FRAME_S):
                live.refresh()
        except KeyboardInterrupt:
            thinking.stop()
        live.refresh()


def show_lines(thinking: Thinking) -> None:
    """A line of text for every line of play the search reports, then the result."""
    from barreleye.cli.thinking import verdict

    printed = 0
    thinking.start()
    try:
        ended = False
        while not ended:
            ended = thinking.wait(FRAME_S)
            printed = print_new(thinking, printed)
    except KeyboardInterrupt:
        thinking.stop()
        print_new(thinking, printed)
    best = thinking.lines[1]
    moves = thinking.san(best)
    reply = f", expecting {moves[1]}" if len(moves) > 1 else ""
    print(f"best move {moves[0]}{reply}: {verdict(thinking, best)}")
    print(f"{thinking.nodes} nodes in {thinking.seconds:.2f} s, {thinking.nps / 1e6:.2f} Mnps")


def print_new(thinking: Thinking, printed: int) -> int:
    """Write what has been heard since; the search repeats its last lines at the end, we do not."""
    from barreleye.cli.thinking import score_text

    for index in range(printed, len(thinking.heard)):
        info = thinking.heard[index]
        said = [(old.depth, old.multipv, old.score, old.pv[:1]) for old in thinking.heard[max(0, index - 256):index]]
        if (info.depth, info.multipv, info.score, info.pv[:1]) in said:
            continue
        line = " ".join(thinking.san(info)[:PLIES_IN_A_LOG])
        print(f"depth {info.depth:2}/{info.sel_depth:<2} {score_text(thinking, info):>7} {info.nodes:>11} nodes "
              f"{info.time_us / 1e6:7.2f} s  {line}", flush=True)
    return len(thinking.heard)


def show_ended_game(thinking: Thinking, over: str, args: argparse.Namespace) -> int:
    """A position without legal moves is shown, not searched."""
    from rich.console import Console

    from barreleye.cli.view import View

    if args.json:
        print(json.dumps({"fen": thinking.board.fen(), "best_move": None, "lines": [], "outcome": over}))
        return 0
    console = Console(highlight=False)
    if console.is_terminal:
        console.print(View(thinking, console, flipped=args.flip).board())
    print(over)
    return 0
