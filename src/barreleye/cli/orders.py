"""What a player may say at the table besides moves. True means that the game or the board has changed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from rich.text import Text

from barreleye import levels
from barreleye.cli.board import ACCENT, BAD, QUIET
from barreleye.cli.saved import SavedGame
from barreleye.openings import opening

if TYPE_CHECKING:
    from barreleye.cli.table import Table

HINT_NODES = 200_000
DRAW_LIMIT = 30             # centipawns: the engine agrees to a draw when it is not better than this
DRAW_AFTER = 20             # and the game is so many moves old
HELP = """\
a move    Nf3, nf3, exd5, O-O, e8=Q, g1f3     back     take back your last move
hint      what Barreleye would play           moves    all legal moves
board     show the board again                flip     turn the board round
fen       the position as a FEN               opening  what the opening is called
level     how strong Barreleye plays; level casual, level 1500 or level full changes it
save      save the game now; save FILE saves it there from now on
draw      offer a draw                        resign   give up
help      this list                           quit     leave; the game is saved, and --resume goes on with it"""


def back(table: Table, _: str) -> bool:
    """Take back to before the person's last move."""
    if len(table.board.move_stack) < 2:
        table.say("there is no move of yours to take back", BAD)
        return False
    for moves in (table.board, table.clocks, table.board, table.clocks):
        moves.pop()
    if table.clock:
        table.clock.set_back(table.clocks, table.start.turn)
    table.hint = None
    return True


def give_hint(table: Table, _: str) -> bool:
    """What the engine would play at its best."""
    result = table.advice(HINT_NODES)
    assert result.best_move is not None
    table.hint = table.board.parse_uci(result.best_move)
    table.say(f"hint: {table.board.san(table.hint)}", ACCENT)
    return True


def show_fen(table: Table, _: str) -> bool:
    table.console.print(Text(table.board.fen()), soft_wrap=True)
    return False


def show_opening(table: Table, _: str) -> bool:
    table.say(str(opening(table.board) or "this opening has no name"))
    return False


def change_level(table: Table, wanted: str) -> bool:
    """Say how strong the engine plays, or change it: by name, by number, by rating."""
    try:
        if wanted:
            is_rating = wanted.isdigit() and int(wanted) > len(levels.NAMES)
            table.set_level(levels.of_elo(int(wanted)) if is_rating else levels.of_name(wanted))
    except ValueError as error:
        table.say(str(error), BAD)
        return False
    strength = table.level.title if table.level else f"{levels.FULL} strength"
    table.say(f"level: {strength}" + ("" if wanted else f"; there are {', '.join(levels.NAMES)}"))
    return False


def save_now(table: Table, path: str) -> bool:
    """Save the game as it stands, here or in another file from now on."""
    if not table.board.move_stack:
        table.say("there is no move to save", BAD)
        return False
    try:
        if path:
            saved = SavedGame(Path(path).expanduser())
            saved.check()
            table.saved = saved
        table.saved.write(table.game())
        table.say(f"saved in {table.saved.path}", QUIET)
    except OSError as error:
        table.say(f"cannot save: {error.filename or path}: {error.strerror or error}", BAD)
    return False


def list_moves(table: Table, _: str) -> bool:
    table.say("  ".join(sorted(table.board.san(move) for move in table.board.legal_moves)))
    return False


def flip(table: Table, _: str) -> bool:
    table.flipped = not table.flipped
    return True


def offer_draw(table: Table, _: str) -> bool:
    """The engine agrees when the game is old enough and it is not better."""
    score = -int(table.advice(HINT_NODES // 4).info.score)
    if table.board.fullmove_number >= DRAW_AFTER and score <= DRAW_LIMIT:
        table.end("1/2-1/2", "draw agreed")
        return True
    table.say("Barreleye would rather play on", QUIET)
    return False


def resign(table: Table, _: str) -> bool:
    table.win_for(not table.is_white, "resignation")
    return True


def show_help(table: Table, _: str) -> bool:
    table.say(HELP, QUIET)
    return False


def show_board(table: Table, _: str) -> bool:
    return True


COMMANDS: dict[str, Callable[[Table, str], bool]] = {
    "back": back, "undo": back, "hint": give_hint, "moves": list_moves, "board": show_board, "flip": flip,
    "fen": show_fen, "opening": show_opening, "level": change_level, "save": save_now, "draw": offer_draw,
    "resign": resign, "help": show_help,
}
