"""The one drawing of a chess board. Its colours are attributes: a picture needs no style, and a page's style wins."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from html import escape

import chess
import chess.svg

SQUARE = 45
BOARD = 8 * SQUARE
LIGHT, DARK, TOUCHED, COORDINATES = "#dfeaf0", "#7fa3b8", "#f2c94c88", "#2c4152"
ARROWS = {"played": "#d1495b", "best": "#2f9e6e", "threat": "#d1495b"}
GOOD, BAD, CONCERNED = "#2f9e6e", "#d1495b", "#e8a33d"      # tints of squares


def sprites(prefix: str = "", men: Iterable[str] = chess.svg.PIECES) -> str:
    """Definitions of what boards share: the squares and these men, each under a name that begins with the prefix."""
    dark = "".join(f"<rect x='{SQUARE * file}' y='{SQUARE * rank}' width='{SQUARE}' height='{SQUARE}'/>"
                   for rank in range(8) for file in range(8) if (rank + file) % 2)
    grid = (f"<g id='{prefix}grid'><rect class='light' fill='{LIGHT}' width='{BOARD}' height='{BOARD}'/>"
            f"<g class='dark' fill='{DARK}'>{dark}</g></g>")
    drawn = "".join(chess.svg.PIECES[man].replace('id="', f'id="{prefix}', 1) for man in sorted(men))
    return f"<defs>{grid}{drawn}</defs>"


def board(position: chess.Board, white_below: bool = True, played: chess.Move | None = None,
          best: chess.Move | None = None, *, labels: Mapping[str, str] = {}) -> str:
    """A position with the move that was played and a better one as arrows, for a page that has the sprites."""
    return svg(position, inside(position, white_below, played, best, labels, ""))


def picture(position: chess.Board, name: str, white_below: bool = True, best: chess.Move | None = None,
            labels: Mapping[str, str] = {}, width: int = BOARD, *, played: chess.Move | None = None,
            threat: chess.Move | None = None, tints: Mapping[str, tuple[str, float]] = {}) -> str:
    """The same with all that it needs, and squares tinted by colour and strength. The name must be the picture's own
    wherever it is shown."""
    men = {piece.symbol() for piece in position.piece_map().values()}
    last = position.peek() if position.move_stack else None
    parts = sprites(f"{name}-", men) + inside(position, white_below, played, best, labels, f"{name}-", last, tints)
    if threat:
        parts += arrow(threat, white_below, "threat")
    return svg(position, parts, f"xmlns='http://www.w3.org/2000/svg' width='{width}' height='{width}' ")


def svg(position: chess.Board, parts: str, attributes: str = "") -> str:
    side = "White" if position.turn else "Black"
    return (f"<svg class='board' {attributes}viewBox='0 0 {BOARD} {BOARD}' role='img' "
            f"aria-label='{escape(position.board_fen())}, {side} to move'>{parts}</svg>")


def inside(position: chess.Board, white_below: bool, played: chess.Move | None, best: chess.Move | None,
           labels: Mapping[str, str], prefix: str, last: chess.Move | None = None,
           tints: Mapping[str, tuple[str, float]] = {}) -> str:
    """Squares, men, labels below them, coordinates, arrows."""
    parts = [f"<use href='#{prefix}grid'/>"]
    touched = played or last
    if touched:
        for square in (touched.from_square, touched.to_square):
            x, y = corner(square, white_below)
            parts.append(f"<rect class='touched' fill='{TOUCHED}' x='{x}' y='{y}' width='{SQUARE}' height='{SQUARE}'/>")
    for name, (color, strength) in tints.items():
        x, y = corner(chess.parse_square(name), white_below)
        parts.append(f"<rect class='tint' fill='{color}' fill-opacity='{strength:.2f}' x='{x}' y='{y}' "
                     f"width='{SQUARE}' height='{SQUARE}'/>")
    for square, piece in position.piece_map().items():
        x, y = corner(square, white_below)
        name = f"{chess.COLOR_NAMES[piece.color]}-{chess.piece_name(piece.piece_type)}"
        # A smaller man leaves room for the label below it.
        is_small = chess.square_name(square) in labels
        place = f"transform='translate({x + 4},{y}) scale(.82)'" if is_small else f"x='{x}' y='{y}'"
        parts.append(f"<use href='#{prefix}{name}' {place}/>")
    for name, text in labels.items():
        square = chess.parse_square(name)
        x, y = corner(square, white_below)
        low = SQUARE - 2 if position.piece_at(square) else SQUARE / 2 + 4      # in the middle of an empty square
        parts.append(f"<text x='{x + SQUARE / 2:g}' y='{y + low:g}' text-anchor='middle' font-size='10' "
                     f"font-family='sans-serif' font-weight='600' fill='#0b1620'>{escape(text)}</text>")
    parts.append(coordinates(white_below, bool(labels)))
    if played:
        parts.append(arrow(played, white_below, "played"))
    if best and best != played:
        parts.append(arrow(best, white_below, "best"))
    return "".join(parts)


def corner(square: chess.Square, white_below: bool) -> tuple[int, int]:
    """Where a square's upper left corner is."""
    file, rank = chess.square_file(square), chess.square_rank(square)
    return (SQUARE * file, SQUARE * (7 - rank)) if white_below else (SQUARE * (7 - file), SQUARE * rank)


def coordinates(white_below: bool, on_top: bool = False) -> str:
    """Letters along the lower edge, or the upper one where labels need the room, and numbers along the left."""
    texts = []
    for index in range(8):
        file, rank = (index, 7 - index) if white_below else (7 - index, index)
        y = 9 if on_top else BOARD - 3
        texts.append(f"<text x='{SQUARE * (index + 1) - 3}' y='{y}' text-anchor='end'>{'abcdefgh'[file]}</text>"
                     f"<text x='2' y='{SQUARE * index + 10}'>{rank + 1}</text>")
    return (f"<g class='coordinates' fill='{COORDINATES}' font-size='9' font-family='sans-serif' font-weight='600' "
            f"opacity='.75'>{''.join(texts)}</g>")


def arrow(move: chess.Move, white_below: bool, kind: str) -> str:
    """From the middle of one square to the middle of another, with a head."""
    (x1, y1), (x2, y2) = (tuple(side + SQUARE / 2 for side in corner(square, white_below))
                          for square in (move.from_square, move.to_square))
    length = math.hypot(x2 - x1, y2 - y1) or 1.0
    dx, dy = (x2 - x1) / length, (y2 - y1) / length
    neck_x, neck_y = x2 - 19 * dx, y2 - 19 * dy
    head = " ".join(f"{x:.1f},{y:.1f}" for x, y in (
        (x2, y2), (neck_x - 11 * dy, neck_y + 11 * dx), (neck_x + 11 * dy, neck_y - 11 * dx)))
    return (f"<g class='arrow {kind}' opacity='.82'><line stroke='{ARROWS[kind]}' stroke-width='8' "
            f"stroke-linecap='round' x1='{x1 + 10 * dx:.1f}' y1='{y1 + 10 * dy:.1f}' x2='{neck_x:.1f}' "
            f"y2='{neck_y:.1f}'/><polygon fill='{ARROWS[kind]}' points='{head}'/></g>")
