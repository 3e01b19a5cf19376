"""Play a game against Barreleye in the terminal, at a level of your choice.

Type moves as in a book (Nf3, exd5, O-O, e8=Q) or as UCI (g1f3). Also understood: back, hint, moves, flip, draw, resign,
help, quit. The game is saved as PGN when it ends, also when you leave it.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from barreleye import levels
from barreleye.cli.position import add_position, start_of

if TYPE_CHECKING:
    from barreleye.cli.table import Table

EXAMPLES = f"""\
levels: {', '.join(levels.NAMES)}, or 1 to {len(levels.NAMES)}

examples:
  barreleye play
  barreleye play --level casual --color black --time 10+5
  barreleye play --elo {levels.DEFAULT_ELO} --seed 7
  barreleye play --level full --fen "8/8/8/8/8/4k3/4p3/4K3 w - - 0 1" --pgn endgames.pgn

A limited engine chooses among plausible moves by chance; --seed makes it choose alike again.
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EXAMPLES
    add = parser.add_argument
    strength = parser.add_mutually_exclusive_group()
    strength.add_argument("--level", default="club", metavar="NAME",
                          help=f"how strong Barreleye plays: {', '.join(levels.NAMES)} (default %(default)s)")
    strength.add_argument("--elo", type=int, metavar="N",
                          help=f"the same as a rating, {levels.LEAST_ELO} to {levels.MOST_ELO}")
    add("--color", choices=("white", "black", "random"), default="white", help="your side (default %(default)s)")
    add("--time", metavar="M+S", help="a clock: minutes for each side and seconds added a move, as 10+5")
    add("--seed", type=int, metavar="N", help="play the same game again (default: a new one)")
    add("--think", type=float, default=1.0, metavar="S",
        help="seconds a move at full strength without a clock (default %(default)s)")
    add("--pgn", type=Path, metavar="FILE", help="append the game here (default: games.pgn among your data)")
    add("--name", default="You", help="your name in the saved game")
    add_position(parser)


def run(args: argparse.Namespace) -> int:
    table = table_from(args)
    table.play()
    return 0


def table_from(args: argparse.Namespace) -> Table:
    """Everything set up for a game; ValueError says what cannot be."""
    import random

    from barreleye.cli.table import Clock, Table
    from barreleye.engine import Engine

    level = levels.of_elo(args.elo) if args.elo is not None else levels.of_name(args.level)
    clock = Clock.parse(args.time) if args.time else None
    if not 0 < args.think < 1e6:
        raise ValueError(f"--think is {args.think}, expected seconds above 0")
    chance = random.Random(args.seed)
    seed = args.seed if args.seed is not None else chance.randrange(1, levels.SEED_LIMIT)
    engine = Engine(Hash=64)
    engine.set_option("Strength Seed", seed)
    if level is not None:
        engine.set_option("UCI_LimitStrength", True)
        engine.set_option("UCI_Elo", level.elo)
    board = start_of(args).show(engine)
    is_white = chance.random() < 0.5 if args.color == "random" else args.color == "white"
    return Table(engine, board, is_white, level, seed, clock, args.think, args.pgn or default_path(), args.name)


def default_path() -> Path:
    """Where games go when no file is named; the folder is made."""
    import os

    home = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")
    folder = home / "barreleye"
    folder.mkdir(parents=True, exist_ok=True)
    return folder / "games.pgn"
