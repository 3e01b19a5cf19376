"""Moves as people type them: as in a book, as UCI, and a little carelessly."""

from __future__ import annotations

import re

import chess

SIGNS = re.compile(r"[!?+#]+$|e\.?p\.?$", re.IGNORECASE)
DECORATION = re.compile(r"[x=()/-]")
LOOKS_LIKE_A_MOVE = re.compile(r"[nbrqkp]?[a-h]?[1-8]?[x-]?[a-h][1-8](=?\(?[nbrqk]\)?)?|[o0](-?[o0]){1,2}",
                               re.IGNORECASE)


def parse_move(board: chess.Board, word: str) -> chess.Move:
    """The one legal move that a word means: Nf3, nf3, Ng1-f3, g1f3, o-o, exd5, ed5, e8q.

    What is right as it stands means just that, so bxc3 is a pawn's move and Bxc3 a bishop's; bc3 may be either.
    ValueError says why a word means none, or which moves it could mean.
    """
    text = SIGNS.sub("", SIGNS.sub("", word.strip())).replace(":", "x")
    try:
        if not (text[:1] == "b" and "x" not in text):
            return legal(board.parse_san(text))
    except ValueError:
        pass
    try:
        return legal(board.parse_uci(text.lower()))
    except ValueError:
        pass
    wanted = plain(text)
    meant = [move for move in board.legal_moves if wanted in spellings(board, move)]
    if len(meant) == 1:
        return meant[0]
    if meant:
        raise ValueError(f"{word!r} could be {' or '.join(sorted(board.san(move) for move in meant))}")
    raise ValueError(why_not(board, word, text))


def legal(move: chess.Move) -> chess.Move:
    """Not the null move, which python-chess understands as well."""
    if not move:
        raise ValueError("a null move")
    return move


def plain(text: str) -> str:
    """A move without what is only decoration: small letters, no signs for captures, promotions and castling."""
    return DECORATION.sub("", text).lower().replace("0", "o")


def spellings(board: chess.Board, move: chess.Move) -> set[str]:
    """Every careless way to write a move."""
    san = SIGNS.sub("", board.san(move))
    if san.startswith("O"):
        return {plain(san), plain(move.uci())}
    start, end = chess.square_name(move.from_square), chess.square_name(move.to_square)
    promoted = chess.piece_symbol(move.promotion) if move.promotion else ""
    piece = chess.piece_symbol(board.piece_type_at(move.from_square) or chess.PAWN)
    if piece == "p":
        taken = {start[0] + end} if board.is_capture(move) else {end}
        written = {plain(san), start + end + promoted, *(f"{name}{promoted}" for name in taken), *taken}
        return written | {f"p{name}" for name in written}
    return {plain(san), start + end, *(piece + part + end for part in ("", start[0], start[1], start))}


def why_not(board: chess.Board, word: str, text: str) -> str:
    """Why a word means no legal move."""
    if not LOOKS_LIKE_A_MOVE.fullmatch(text):
        return f"{word!r} is not a move; moves are written like Nf3, exd5, O-O, e8=Q or g1f3"
    side = "White" if board.turn else "Black"
    check = f": {side} is in check" if board.is_check() else ""
    return f"{word!r} is not a legal move here{check}"
