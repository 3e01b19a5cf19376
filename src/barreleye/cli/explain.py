"""Say in plain words why Barreleye would play its move, and why not another one.

It searches the position, then searches again to answer: why this move and not the next best, when it changed its mind
and what it had seen, and how sure it is. Every sentence stands on searches that repeat exactly; --json shows them.
With a game and --move it also says why not the move that was played. Scores are from White's point of view, in pawns.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import time
from typing import TYPE_CHECKING

from barreleye.cli.position import Start, add_position, start_of

if TYPE_CHECKING:
    import chess
    from rich.console import Console, RenderableType

    from barreleye.engine import Engine
    from barreleye.explain.answer import Answer
    from barreleye.explain.explanation import Explanation
    from barreleye.explain.techniques import Techniques

MOST = {"nodes": 10**12, "depth": 200}
TECHNIQUES_SHOWN = 12
EXAMPLES = """\
examples:
  barreleye explain "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR b KQkq - 3 3"
  barreleye explain --moves "1. e4 e5 2. Nf3 f6" --why-not Nxe5
  barreleye explain game.pgn --move 23b              and why not what was played there
  barreleye explain FEN --why-not Nf5 --culprit      if it misses Nf5: which technique hides it?
  barreleye explain FEN --threat --network --piece f3
  barreleye explain FEN --technique                  what each technique of the search does here
  barreleye explain FEN --nodes 2000000 --json | jq '.answers[].sentences[].text'
"""


def configure(parser: argparse.ArgumentParser) -> None:
    from barreleye.explain.explanation import DEFAULT_NODES

    parser.epilog = EXAMPLES
    add_position(parser)
    questions = parser.add_argument_group("questions, besides why, when it changed its mind and how sure it is")
    ask = questions.add_argument
    ask("--why-not", action="append", default=[], metavar="MOVE", help="why not this move: what refutes it, when it "
        "fell behind, what it is worth when it is forced; may be given again for other moves")
    ask("--threat", action="store_true", help="what the other side would do if this one passed, and what it would win")
    ask("--culprit", action="store_true", help="with --why-not: look for the techniques without which the search would "
        "find the move (some fifty searches; done anyway up to 30,000 nodes if the search is wrong)")
    ask("--technique", action="store_true", help="the same search without each technique in turn: does the move "
        "change, and what does it cost? (some fifty searches with a tenth of the nodes each)")
    ask("--network", action="store_true", help="what each piece counts in the network's verdict")
    ask("--piece", metavar="SQUARE", help="where the network would like the piece on this square to stand")
    add = parser.add_argument
    add("--nodes", type=int, metavar="N", help=f"positions to look at in each search (default {DEFAULT_NODES:,})")
    add("--depth", type=int, metavar="N", help="end each search at this depth; with --nodes at whichever comes first")
    add("--syzygy", metavar="PATH", help="folder of endgame tablebases to ask")
    add("--flip", action="store_true", help="black at the bottom of the board")
    add("--json", action="store_true", help="print one JSON object, with the evidence behind every sentence")


def run(args: argparse.Namespace) -> int:
    from rich.console import Console

    from barreleye.engine import Engine
    from barreleye.typed_moves import parse_move

    start = start_of(args)
    limit = limit_from(args)
    board = start.board
    asked = [parse_move(board, word) for word in args.why_not]
    if not asked and start.next_move is not None:
        asked = [start.next_move]
    if args.culprit and not asked:
        raise ValueError("--culprit looks for what hides a move: name the move with --why-not")
    console = Console(highlight=False)
    began = time.perf_counter()
    with Engine(Hash=1) as engine:
        if args.syzygy:
            use_tables(engine, args.syzygy)
        start.show(engine)
        with console.status("thinking …") if console.is_terminal and not args.json else contextlib.nullcontext():
            explanation = engine.explain(None, limit, why_not=[move.uci() for move in dict.fromkeys(asked)],
                                         threat=args.threat, technique=args.technique, network=args.network,
                                         piece=args.piece, culprit=True if args.culprit else None)
    if args.json:
        print(json.dumps({**explanation.to_json(), "title": start.title or None}))
    elif console.is_terminal and not console.is_dumb_terminal:
        console.print(panel(explanation, start, console, time.perf_counter() - began, flipped=args.flip))
    else:
        print_plain(explanation, start)
    return 0


def use_tables(engine: Engine, path: str) -> None:
    """Let the engine ask these endgame tables; ValueError where there are none."""
    engine.on_note = lambda _: None             # what it would say is said here
    engine.set_option("SyzygyPath", path)
    if not engine.pool.tables.files:
        raise ValueError(f"--syzygy {path} holds no tablebases (.rtbw and .rtbz files)")


def limit_from(args: argparse.Namespace) -> dict[str, int] | None:
    """How long each search goes on."""
    given = {name: value for name in MOST if (value := getattr(args, name)) is not None}
    for name, value in given.items():
        if not 0 < value <= MOST[name]:
            raise ValueError(f"--{name} is {value}, expected a whole number from 1 to {MOST[name]:,}")
    return given or None


def print_plain(explanation: Explanation, start: Start) -> None:
    """Questions and answers as lines of text."""
    from barreleye.openings import opening

    for line in (start.title, str(opening(start.board) or "")):
        if line:
            print(line)
    print("\n\n".join(f"{answer.question}\n" + "\n".join(f"  {sentence}" for sentence in answer.sentences)
                      for answer in explanation))


def panel(explanation: Explanation, start: Start, console: Console, seconds: float, *,
          flipped: bool) -> RenderableType:
    """The board and the facts, then every question with its answer, framed as an analysis is."""
    from rich.console import Group
    from rich.padding import Padding
    from rich.panel import Panel
    from rich.text import Text

    from barreleye import __version__
    from barreleye.cli.board import ACCENT, QUIET, Screen, board_text
    from barreleye.cli.view import MARGIN, WIDEST, beside
    from barreleye.openings import opening

    board, width = start.board, min(console.width - MARGIN, WIDEST)
    best = explanation.why.move if explanation.why else None
    drawn = board_text(board, Screen.of(console), flipped=flipped, best=board.parse_uci(best) if best else None)
    top = beside(drawn, facts_of(explanation, board, seconds, width), width)
    heading = Text("".join(f"{line}\n" for line in (start.title, str(opening(board) or "")) if line), style=QUIET)
    title = Text.assemble((f" Barreleye {__version__} ", f"bold {ACCENT}"))
    title.append(f" move {board.fullmove_number}, {'White' if board.turn else 'Black'} to play ", style=QUIET)
    parts = [part for answer in explanation for part in answer_parts(answer, board)]
    above = [heading] if heading.plain else []
    return Panel(Padding(Group(*above, top, Text(), *parts), (1 - len(above), 2, 0, 2)), title=title,
                 title_align="left", border_style=QUIET, width=width)


def facts_of(explanation: Explanation, board: chess.Board, seconds: float, width: int) -> RenderableType:
    """Score, chances, move, depth, nodes and time, as an analysis shows them."""
    from rich.console import Group
    from rich.table import Table
    from rich.text import Text

    from barreleye.cli.board import ACCENT, QUIET
    from barreleye.cli.view import BLACK_BAR, DRAW_BAR, NARROW, WHITE_BAR, Shares

    why, sure = explanation.why, explanation.confidence
    if why is None or sure is None:
        return Text(str(explanation.answers[0]))
    said = why.score
    score = f"#{said['mate']}" if "mate" in said else f"{said['cp'] / 100:+.2f}"
    head = Text(score, style=f"bold {ACCENT}")
    win, draw, loss = (share / 10 for share in sure.chances)
    bar = Shares(((win, WHITE_BAR, " "), (draw, DRAW_BAR, " "), (loss, BLACK_BAR, " ")),
                 max(20, min(44, width - (6 if width < NARROW else 42))))
    chances = Text(f"White {win:.0f} %   draw {draw:.0f} %   Black {loss:.0f} %", style=QUIET)
    rows = Table.grid(padding=(0, 2))
    move = Text(board.san(board.parse_uci(why.move)), style="bold")
    move.append(f"  stays best in {100 * sure.stays_best:.0f} % of such cases", style=QUIET)
    for name, fact in (("move", move), ("depth", Text(str(why.depth))), ("nodes", Text(f"{why.nodes:,}")),
                       ("time", Text(f"{seconds:.1f} s"))):
        rows.add_row(Text(name, style=QUIET), fact)
    return Group(head, bar, chances, Text(), rows)


def answer_parts(answer: Answer, board: chess.Board) -> list[RenderableType]:
    """A question and what is said to it."""
    from rich.text import Text

    from barreleye.cli.board import ACCENT
    from barreleye.explain.techniques import Techniques

    parts: list[RenderableType] = [Text(answer.question, style=f"bold {ACCENT}"), Text(str(answer))]
    if isinstance(answer, Techniques):
        parts.append(technique_table(answer, board))
    return [*parts, Text()]


def technique_table(answer: Techniques, board: chess.Board) -> RenderableType:
    """The techniques that matter most here."""
    from rich.table import Table
    from rich.text import Text

    from barreleye.cli.board import BAD, QUIET

    table = Table(box=None, padding=(0, 2), header_style=QUIET)
    table.add_column("without")
    for head in ("move", "score", "positions", "times"):
        table.add_column(head, justify="right")
    for row in answer.without[:TECHNIQUES_SHOWN]:
        score = f"#{row.score['mate']}" if "mate" in row.score else f"{row.score['cp'] / 100:+.2f}"
        san = board.san(board.parse_uci(row.best_move))
        table.add_row(row.technique, Text(san, style=BAD if row.changes_move else ""), score, f"{row.nodes:,}",
                      f"{'>' * row.ended}{row.cost:.2f}")
    return table
