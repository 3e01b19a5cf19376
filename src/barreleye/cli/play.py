"""Play a game against Barreleye in the terminal, at a level of your choice.

Type moves as in a book (Nf3, exd5, O-O, e8=Q) or as UCI (g1f3); small letters will do. Also understood: back, hint,
moves, board, flip, fen, opening, level, save, draw, resign, help, quit. The game is saved as PGN when it ends and when
you leave it; --resume goes on with it.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from barreleye import levels
from barreleye.cli.position import add_position, start_of

if TYPE_CHECKING:
    from barreleye.cli.table import Table
    from barreleye.polyglot import PolyglotBook

DEFAULT_LEVEL = "club"
EXAMPLES = f"""\
levels: {', '.join(levels.NAMES)}, or 1 to {len(levels.NAMES)}

examples:
  barreleye play
  barreleye play --level casual --color black --time 10+5
  barreleye play --elo {levels.DEFAULT_ELO} --seed 7
  barreleye play --moves e4 e5 f4                         an opening to practise
  barreleye play --book openings.bin
  barreleye play --resume games.pgn                       the last game there goes on
  barreleye play --level full --fen "8/8/8/8/8/4k3/4p3/4K3 w - - 0 1" --pgn endgames.pgn

Below full strength Barreleye chooses among plausible moves by chance; with the same --seed it makes the same choices.
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EXAMPLES
    add = parser.add_argument
    strength = parser.add_mutually_exclusive_group()
    strength.add_argument("--level", metavar="NAME",
                          help=f"how strong Barreleye plays: {', '.join(levels.NAMES)} (default {DEFAULT_LEVEL})")
    strength.add_argument("--elo", type=int, metavar="N",
                          help=f"the same as a rating, {levels.LEAST_ELO} to {levels.MOST_ELO}")
    add("--color", choices=("white", "black", "random"), help="your side (default: white)")
    add("--time", metavar="M+S", help="a clock: minutes for each side and seconds added with each move, like 10+5")
    add("--seed", type=int, metavar="N", help="the same seed plays the same game again (default: a new one)")
    add("--book", type=Path, metavar="FILE", help="an opening book in the format of Polyglot (.bin)")
    add("--think", type=float, default=1.0, metavar="S",
        help="seconds a move at full strength without a clock (default %(default)s)")
    add("--pgn", type=Path, metavar="FILE", help="save the game here, after those that are there "
        "(default: barreleye/games.pgn in your data folder, ~/.local/share)")
    add("--name", help="your name in the saved game (default: You)")
    add("--resume", type=Path, metavar="FILE",
        help="go on with a saved game: the last one in the file, or that of --game")
    add_position(parser)


def run(args: argparse.Namespace) -> int:
    table = table_from(args)
    table.play()
    return 0


def table_from(args: argparse.Namespace) -> Table:
    """Everything set up for a game; ValueError says what cannot be."""
    import random

    from barreleye.cli.clock import Clock
    from barreleye.cli.saved import SavedGame
    from barreleye.cli.table import Table
    from barreleye.engine import Engine
    from barreleye.polyglot import PolyglotBook

    if not 0 < args.think < 1e6:
        raise ValueError(f"--think is {args.think}, expected seconds above 0")
    book = PolyglotBook(args.book) if args.book else None
    if args.resume is not None:
        return resumed(args, book)
    level = levels.of_elo(args.elo) if args.elo is not None else levels.of_name(args.level or DEFAULT_LEVEL)
    clock = Clock.parse(args.time) if args.time else None
    chance = random.Random(args.seed)
    seed = args.seed if args.seed is not None else levels.drawn_seed()
    is_white = chance.random() < 0.5 if args.color == "random" else args.color != "black"
    start = start_of(args)
    engine = Engine(Hash=64)
    start.show(engine)
    return Table(engine, start.board, is_white, level, seed, clock=clock, think_s=args.think, book=book,
                 saved=SavedGame(args.pgn or default_path()), name=args.name or "You")


def resumed(args: argparse.Namespace, book: PolyglotBook | None) -> Table:
    """A saved game that goes on: its players, level, seed and clock, unless others are asked for."""
    from barreleye.cli.clock import Clock
    from barreleye.cli.saved import SavedGame, resume
    from barreleye.cli.table import Table
    from barreleye.engine import Engine

    given = [option for option, value in (("--fen", args.fen), ("--move", args.move), ("--moves", args.moves),
                                          ("--color", args.color)) if value]
    if args.position or given:
        raise ValueError(f"--resume goes on with a game as it is; leave {given[0] if given else args.position[0]} out")
    found = resume(args.resume, args.game)
    level = found.level
    if args.elo is not None or args.level is not None:
        level = levels.of_elo(args.elo) if args.elo is not None else levels.of_name(args.level)
    clock = Clock.parse(args.time) if args.time else Clock.of_header(found.game.headers.get("TimeControl", ""))
    board = found.game.end().board()
    engine = Engine(Hash=64, UCI_Chess960=board.chess960)
    saved = found.saved if args.pgn in (None, args.resume) else SavedGame(args.pgn)
    table = Table(engine, board, found.is_white, level, found.seed if args.seed is None else args.seed, clock=clock,
                  think_s=args.think, book=book, saved=saved, name=args.name or found.name)
    table.clocks = [node.clock() for node in found.game.mainline()]
    if clock and not args.time:
        clock.set_back(table.clocks, table.start.turn)
    return table


def default_path() -> Path:
    """Where games go when no file is named; the folder is made."""
    import os

    home = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")
    folder = home / "barreleye"
    folder.mkdir(parents=True, exist_ok=True)
    return folder / "games.pgn"
