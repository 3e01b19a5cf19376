"""Think about a position and show it live: board, score, chances, speed and the best lines.

Without arguments it looks at the start position for a few seconds. Scores are from White's point of view, in pawns;
#3 is a mate in three. Ctrl-C ends the search and keeps what was found. Into a pipe it writes plain lines.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import select
import signal
import sys
import threading
from collections.abc import Iterator
from typing import TYPE_CHECKING

from barreleye.cli.position import add_position, start_of

if TYPE_CHECKING:
    from barreleye.cli.thinking import Thinking
    from barreleye.engine import Limits

DEFAULT_SECONDS = 5.0
MOST = {"time": 1e9, "depth": 10**9, "nodes": 10**18}        # what nobody reaches
FRAME_S = 0.12
PLIES_IN_A_LOG = 12
EXAMPLES = """\
examples:
  barreleye analyse
  barreleye analyse --moves "1. e4 e5 2. Nf3 Nc6 3. Bb5" --multipv 3 --time 10
  barreleye analyse "8/8/8/8/8/4k3/4p3/4K3 b - - 0 1" --depth 20
  barreleye analyse game.pgn --move 23b                   the position before Black's 23rd move
  barreleye analyse games.pgn --game 3 --time 30          the end of the third game
  barreleye analyse --infinite --threads 2 --hash 256
  barreleye analyse --infinite --json | jq .best_move     a line of JSON whenever there is something new
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EXAMPLES
    add = parser.add_argument
    add_position(parser)
    add("--time", type=float, metavar="S", help=f"seconds to think ({DEFAULT_SECONDS:g} if nothing else ends it)")
    add("--depth", type=int, metavar="N", help="end at this depth")
    add("--nodes", type=int, metavar="N", help="end after about so many positions")
    add("--infinite", action="store_true", help="go on until Ctrl-C")
    add("--multipv", type=int, default=1, metavar="K", help="show the K best moves (default %(default)s)")
    add("--threads", type=int, default=1, metavar="N", help="search on N threads (default %(default)s)")
    add("--hash", type=int, default=64, metavar="MB", help="size of the transposition table (default %(default)s MiB)")
    add("--flip", action="store_true", help="black at the bottom of the board")
    add("--json", action="store_true", help="print one JSON object at the end, and with --infinite one a line "
        "whenever the search has something new")


def run(args: argparse.Namespace) -> int:
    from barreleye.cli.thinking import Thinking, outcome_text
    from barreleye.engine import Engine

    start = start_of(args)
    limits = limits_from(args)
    engine = Engine(MultiPV=args.multipv, Threads=args.threads, Hash=args.hash)
    board = start.show(engine)
    thinking = Thinking(engine, board, limits, start.title)
    over = outcome_text(board)
    if over is not None:
        return show_ended_game(thinking, over, args)
    try:
        with ends_on_sigterm():
            if args.json:
                search_in_json(thinking, every_report=args.infinite)
            else:
                show(thinking, flipped=args.flip)
    finally:
        engine.finish()
    return 0


@contextlib.contextmanager
def ends_on_sigterm() -> Iterator[None]:
    """Let a program that asks us to end do as Ctrl-C does: what was found is still told."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def limits_from(args: argparse.Namespace) -> Limits:
    """When to end."""
    from barreleye.engine import Limits

    asked = {name: value for name in ("time", "depth", "nodes") if (value := getattr(args, name)) is not None}
    for name, value in asked.items():
        if not 0 < value <= MOST[name]:
            raise ValueError(f"--{name} is {value}, expected a number above 0 and not above {MOST[name]:.0e}")
    if args.infinite:
        if asked:
            raise ValueError(f"--infinite goes on until Ctrl-C: leave it out, or --{' and --'.join(asked)}")
        return Limits(infinite=True)
    return Limits.of(asked or {"time": DEFAULT_SECONDS})


def search_in_json(thinking: Thinking, *, every_report: bool) -> None:
    """Search to the end, or to Ctrl-C; the result as one line of JSON, and before it what is found on the way."""
    told = 0
    thinking.start()
    try:
        while not thinking.wait(FRAME_S):
            if every_report and reader_is_gone():
                raise BrokenPipeError
            heard = len(thinking.heard)
            if every_report and heard > told:
                print(json.dumps(thinking.as_json()), flush=True)
                told = heard
    except KeyboardInterrupt:
        thinking.stop()
    print(json.dumps(thinking.as_json()), flush=True)


def reader_is_gone() -> bool:
    """Whether nobody reads our output any more. Deep in a search there may be nothing to write that would tell."""
    try:
        poll = select.poll()
        poll.register(sys.stdout.fileno(), 0)
        return any(event & (select.POLLERR | select.POLLHUP) for _, event in poll.poll(0))
    except (AttributeError, OSError, ValueError):       # no such call here, or no file behind the output
        return False


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
    for line in thinking.heading():
        print(line)
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
        print(json.dumps({"fen": thinking.board.fen(), "best_move": None, "lines": [], "outcome": over, "done": True}))
        return 0
    console = Console(highlight=False)
    if console.is_terminal:
        console.print(View(thinking, console, flipped=args.flip).board())
    print(over)
    return 0
