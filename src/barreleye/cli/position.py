"""The position a command looks at, and the one way in which all commands are told it."""

from __future__ import annotations

import argparse
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from barreleye.core.notation import START_FEN

if TYPE_CHECKING:
    import chess
    import chess.pgn

    from barreleye.engine import Engine

LOOKS_LIKE_FEN = re.compile(r"[1-8pnbrqkPNBRQK]+(/[1-8pnbrqkPNBRQK]+){7}")
MOVE_NUMBERS = re.compile(r"\d+\.+|…")
NUMBERED_MOVE = re.compile(r"(?P<number>\d{1,4})(?P<side>w|b|\.\.\.|…|\.)?", re.IGNORECASE)


def add_position(parser: argparse.ArgumentParser) -> None:
    """The arguments that name a position."""
    setattr(parser, "mixes", True)          # noqa: B010  (of the parsers that cli makes)
    group = parser.add_argument_group("the position (default: the start position)")
    add = group.add_argument
    add("position", nargs="*", metavar="POSITION",
        help="a FEN, with or without quotes, or a file: games in PGN, or FENs, one a line; - reads standard input")
    add("--fen", help="a FEN; the same as giving it as POSITION")
    add("--game", type=int, metavar="N", help="the file's N-th game, or N-th FEN (default: the first)")
    add("--move", metavar="23b", help="the position in which this move of the game was about to be played: 23b before "
        "Black's 23rd move, 23w or 23 before White's (default: the end of the game)")
    add("--moves", nargs="+", default=[], metavar="MOVE",
        help="moves played from there, as in a book or as UCI: e4 e5 Nf3, or e2e4 e7e5")
    add("--chess960", action="store_true", help="the position is one of Chess960")


@dataclass(frozen=True)
class Start:
    """A position with the moves that led to it, and the game it comes from if it comes from one."""

    board: chess.Board
    game: chess.pgn.Game | None = None
    next_move: chess.Move | None = None     # what was played there in the game

    @property
    def root_fen(self) -> str:
        """Where its moves begin."""
        return self.board.root().fen()

    @property
    def moves(self) -> list[str]:
        """The moves since, as UCI text."""
        return [move.uci() for move in self.board.move_stack]

    @property
    def title(self) -> str:
        """Who played the game, and what was played next; empty when there is no game."""
        if self.game is None:
            return ""
        from barreleye.analysis.games import title
        from barreleye.terminal import printable

        played = f", {numbered_san(self.board, self.next_move)} was played" if self.next_move else ""
        return f"{printable(title(self.game))}{played}"

    def show(self, engine: Engine) -> chess.Board:
        """Give an engine the position, and return it."""
        engine.set_option("UCI_Chess960", self.board.chess960)
        engine.position(self.root_fen, self.moves)
        return self.board


def is_named(args: argparse.Namespace) -> bool:
    """Whether the arguments name a position at all."""
    return bool(args.position or args.moves) or not (args.fen is args.move is args.game is None)


def start_of(args: argparse.Namespace) -> Start:
    """The position that add_position()'s arguments name; ValueError says what is wrong with them."""
    words = list(args.position)
    if args.fen is not None:
        if words:
            raise ValueError(f"--fen and {' '.join(words)!r} both name a position; give one of them")
        words = [args.fen]
    text = " ".join(words).strip()
    if not text or text == "startpos" or LOOKS_LIKE_FEN.fullmatch(text.split()[0]) or args.fen is not None:
        if args.move is not None or args.game is not None:
            option = "--move" if args.move is not None else "--game"
            raise ValueError(f"{option} needs a file to look in: name it, or - for standard input")
        return set_up(START_FEN if text in ("", "startpos") else text, " ".join(args.moves), args.chess960)
    if len(words) > 1 or (text != "-" and not Path(text).exists()):
        raise ValueError(f"{text!r} is neither a FEN nor a file; moves go after --moves")
    return with_moves(from_file(text, args), " ".join(args.moves))


def set_up(fen: str = START_FEN, moves: str = "", chess960: bool = False) -> Start:
    """A FEN and some moves from there."""
    return with_moves(Start(board_of(fen, chess960)), moves)


def board_of(fen: str, chess960: bool) -> chess.Board:
    """A FEN as python-chess knows it, read as strictly as the engine reads it."""
    import chess

    from barreleye.core.position import Position

    position = Position(fen, chess960)
    return chess.Board(position.fen(), chess960=position.chess960)


def with_moves(start: Start, moves: str) -> Start:
    """The position after some more moves."""
    from barreleye.typed_moves import parse_move

    words = MOVE_NUMBERS.sub(" ", moves).split()
    if not words:
        return start
    board = start.board.copy()
    for number, word in enumerate(words, 1):
        try:
            board.push(parse_move(board, word))
        except ValueError as error:
            raise ValueError(f"--moves, number {number}: {error}") from None
    return Start(board, start.game)


# Files


def from_file(path: str, args: argparse.Namespace) -> Start:
    """The position that a file's game or line ends with, or has before a move."""
    from barreleye.analysis.games import read_text

    if path != "-" and Path(path).is_dir():
        raise ValueError(f"{path} is a folder; name a file with games or FENs")
    text = read_text(path)
    name = "standard input" if path == "-" else path
    number = 1 if args.game is None else args.game
    if number < 1:
        raise ValueError(f"--game is {number}, expected a number from 1 on")
    lines = [line.strip() for line in text.splitlines() if line.strip() and not line.startswith("#")]
    if not lines:
        raise ValueError(f"{name} is empty: a game in PGN or a FEN is expected")
    if LOOKS_LIKE_FEN.fullmatch(lines[0].split()[0]):
        if args.move is not None:
            raise ValueError(f"--move needs a game; {name} holds FENs")
        if number > len(lines):
            things = "position" if len(lines) == 1 else "positions"
            raise ValueError(f"{name} has {len(lines)} {things}, there is no number {number}")
        return Start(board_of(fen_of_line(lines[number - 1]), args.chess960))
    game, problem = read_game(text, number, name)
    return before_move(game, args.move, problem)


def fen_of_line(line: str) -> str:
    """The FEN that a line begins with; an EPD has operations where a FEN has its clocks."""
    words = line.split()[:6]
    return " ".join(words if all(word.isdigit() for word in words[4:]) else words[:4])


def read_game(text: str, number: int, name: str) -> tuple[chess.pgn.Game, str | None]:
    """A game out of several, and what is wrong in it, None when all is well; its moves end where that is."""
    from barreleye.analysis.games import parse, split

    count, source = 0, ""
    for count, source in enumerate(split(text), 1):         # noqa: B007  (both are looked at below)
        if count == number:
            break
    if count < number:
        raise ValueError(f"{name} has {count} {'game' if count == 1 else 'games'}, there is no number {number}")
    game, problem = parse(source)
    if game.next() is None and "FEN" not in game.headers:
        raise ValueError(f"{name}: game {number}: {problem}" if "[" in source else
                         f"{name}: there is neither a game in PGN nor a FEN in it")
    if game.next() is None:
        problem = None                                      # a game without moves is a position all the same
    if problem is not None:
        problem = f"{name}: game {number}: {problem}"
        if type(game.board()).uci_variant != "chess":
            raise ValueError(problem)
    return game, problem


def before_move(game: chess.pgn.Game, move: str | None, problem: str | None) -> Start:
    """The position of a game in which a move was about to be played, or its last one."""
    from barreleye.core.position import Position

    board = game.board()
    Position(board.fen(), board.chess960)               # what the engine would refuse is refused here
    node: chess.pgn.GameNode = game
    wanted = None if move is None else parse_number(move)
    while node.variations and (board.fullmove_number, board.turn) != wanted:
        node = node.variations[0]
        board.push(node.move)
    if problem is not None and (wanted is None or (board.fullmove_number, board.turn) != wanted):
        raise ValueError(problem)
    if wanted is not None and (board.fullmove_number, board.turn) != wanted:
        first = game.board()
        raise ValueError(f"--move {move}: the game goes from {number_of(first)} to {number_of(board)}, where it ends")
    if not all(board.move_stack):                       # a passed move is no move of chess
        board = board.copy(stack=False)
    return Start(board, game, node.variations[0].move if node.variations else None)


def parse_number(text: str) -> tuple[int, bool]:
    """A move's number and whether it is White's.

    >>> parse_number("23b"), parse_number("23"), parse_number("7...")
    ((23, False), (23, True), (7, False))
    """
    found = NUMBERED_MOVE.fullmatch(text.strip())
    if found is None:
        raise ValueError(f"--move is {text!r}, expected a move's number and side, like 23w or 23b")
    return int(found["number"]), (found["side"] or "w").lower() in ("w", ".")


def number_of(board: chess.Board) -> str:
    """How --move calls the move that is about to be played."""
    return f"{board.fullmove_number}{'w' if board.turn else 'b'}"


def numbered_san(board: chess.Board, move: chess.Move) -> str:
    """A move with its number: 23.Nf3, 23...Nf6."""
    return f"{board.fullmove_number}{'.' if board.turn else '...'}{board.san(move)}"
