"""A chess board in a terminal, and the colours that all commands share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import chess
from rich.console import Console
from rich.style import Style
from rich.text import Text

FULL = {"k": "♚", "q": "♛", "r": "♜", "b": "♝", "n": "♞", "p": "♟"}
OUTLINED = {"K": "♔", "Q": "♕", "R": "♖", "B": "♗", "N": "♘", "P": "♙"}
LIGHT, DARK = "#86aac2", "#45738f"                   # shallow and deep water
LAST, BEST, CHECK = ("#d9c56b", "#b39a3e"), ("#7fd1a4", "#3fa57a"), "#d1495b"
WHITE_MAN, BLACK_MAN = "#ffffff", "#0b1620"
ACCENT, QUIET = "#5cc8e6", "#7d8f9b"
GOOD, BAD = "#7fd1a4", "#d1495b"


@dataclass(frozen=True, slots=True)
class Screen:
    """What a terminal can show."""

    unicode: bool
    has_colors: bool

    @classmethod
    def of(cls, console: Console) -> Screen:
        return cls(console.encoding.startswith("utf"), console.color_system is not None and not console.no_color)


def board_text(board: chess.Board, screen: Screen, *, flipped: bool = False, best: chess.Move | None = None,
               bar: Callable[[int], Text] | None = None) -> Text:
    """Eight ranks and the letters below; bar gives what stands to the left of each, from the top down."""
    text = Text(no_wrap=True)
    ranks = range(8) if flipped else range(7, -1, -1)
    files = range(7, -1, -1) if flipped else range(8)
    for row, rank in enumerate(ranks):
        if bar is not None:
            text.append_text(bar(row))
        text.append(f" {rank + 1} ", style=QUIET)
        for file in files:
            square = chess.square(file, rank)
            piece = board.piece_at(square)
            style = Style(bgcolor=color_of(board, square, best), bold=True,
                          color=WHITE_MAN if piece and piece.color else BLACK_MAN)
            text.append(f" {glyph(piece, square, screen)} ", style=style)
        text.append("\n")
    text.append(" " * (3 + (0 if bar is None else 2 if screen.unicode else 1)))
    text.append("".join(f" {'abcdefgh'[file]} " for file in files), style=QUIET)
    return text


def glyph(piece: chess.Piece | None, square: int, screen: Screen) -> str:
    """Both sides have the full glyphs, which fill a square better, as long as colours tell them apart."""
    if piece is None:
        is_dark = (chess.square_file(square) + chess.square_rank(square)) % 2 == 0
        return " " if screen.has_colors or not is_dark else "." if not screen.unicode else "·"
    symbol = piece.symbol()
    if not screen.unicode:
        return symbol
    return OUTLINED[symbol] if not screen.has_colors and symbol in OUTLINED else FULL[symbol.lower()]


def color_of(board: chess.Board, square: int, best: chess.Move | None) -> str:
    """Of a square: the best move's, a king's in check, the last move's, or its own."""
    is_light = (chess.square_file(square) + chess.square_rank(square)) % 2 == 1
    last = board.move_stack[-1] if board.move_stack else None
    if best and square in (best.from_square, best.to_square):
        return BEST[not is_light]
    if board.is_check() and square == board.king(board.turn):
        return CHECK
    if last and square in (last.from_square, last.to_square):
        return LAST[not is_light]
    return LIGHT if is_light else DARK
