"""Pieces in words, what they are worth, and what taking one really wins: the ground that motifs stand on."""

from __future__ import annotations

from collections.abc import Iterable

import chess

from barreleye.explain.words import listed

VALUES = {chess.PAWN: 1, chess.KNIGHT: 3, chess.BISHOP: 3, chess.ROOK: 5, chess.QUEEN: 9, chess.KING: 0}
SLIDERS = (chess.BISHOP, chess.ROOK, chess.QUEEN)


def value(board: chess.Board, square: chess.Square) -> int:
    """Of the piece on a square, in pawns; kings and empty squares are worth nothing."""
    kind = board.piece_type_at(square)
    return VALUES[kind] if kind else 0


def kind_name(board: chess.Board, square: chess.Square) -> str:
    """What stands on a square: knight."""
    kind = board.piece_type_at(square)
    return chess.piece_name(kind) if kind else "square"


def named(board: chess.Board, square: chess.Square) -> str:
    """A piece with its square: the knight on e5."""
    return f"the {kind_name(board, square)} on {chess.square_name(square)}"


def both_named(board: chess.Board, squares: Iterable[chess.Square]) -> str:
    """Several pieces, the most valuable first and squares only where they are needed: king and queen, both rooks.

    >>> both_named(chess.Board("4k3/8/8/8/8/8/8/R3K2R w - - 0 1"), [chess.A1, chess.H1])
    'both rooks'
    """
    ordered = sorted(squares, key=lambda square: (-rank(board, square), square))
    kinds = [kind_name(board, square) for square in ordered]
    if len(kinds) == 2 and kinds[0] == kinds[1]:
        return f"both {kinds[0]}s" if every(board, ordered) else f"two {kinds[0]}s"
    if len(set(kinds)) == len(kinds):
        return listed(kinds)
    return listed([named(board, square) for square in ordered])


def every(board: chess.Board, squares: Iterable[chess.Square]) -> bool:
    """Whether these are all the pieces of their kind and colour."""
    found = set(squares)
    piece = board.piece_at(next(iter(found)))
    return piece is not None and found == set(board.pieces(piece.piece_type, piece.color))


def rank(board: chess.Board, square: chess.Square) -> int:
    """A piece's value with the king above all."""
    return 100 if board.piece_type_at(square) == chess.KING else value(board, square)


def with_turn(board: chess.Board, color: chess.Color) -> chess.Board:
    """The position as if it were this side's move, whatever is in check."""
    if board.turn == color:
        return board
    turned = board.copy(stack=False)
    turned.turn = color
    turned.ep_square = None
    return turned


def exchange(board: chess.Board, square: chess.Square) -> int:
    """What the side to move wins on a square when both sides take there in turn as long as it pays; never negative.

    Every capture is a legal move, so pinned pieces do not take. Values are in pawns.
    """
    victim = board.piece_at(square)
    if victim is None or victim.color == board.turn:
        return 0
    for origin in sorted(board.attackers(board.turn, square), key=lambda origin: (rank(board, origin), origin)):
        move = capture_of(board, origin, square)
        if board.is_legal(move):
            return max(0, gain(board, move))
    return 0


def capture_of(board: chess.Board, origin: chess.Square, square: chess.Square) -> chess.Move:
    """Taking on a square, with a promotion where it is one."""
    last = chess.square_rank(square) in (0, 7) and board.piece_type_at(origin) == chess.PAWN
    return chess.Move(origin, square, chess.QUEEN if last else None)


def gain(board: chess.Board, move: chess.Move) -> int:
    """What a move wins at once, less what the reply on its square takes back."""
    won = taken_value(board, move)
    if move.promotion:
        won += VALUES[move.promotion] - VALUES[chess.PAWN]
    after = board.copy(stack=False)
    after.push(move)
    return won - exchange(after, move.to_square)


def taken_value(board: chess.Board, move: chess.Move) -> int:
    """Of the piece that a move takes."""
    square = taken_square(board, move)
    return 0 if square is None else value(board, square)


def taken_square(board: chess.Board, move: chess.Move) -> chess.Square | None:
    """Where the piece stands that a move takes."""
    if not board.is_capture(move):
        return None
    if board.is_en_passant(move):
        return chess.square(chess.square_file(move.to_square), chess.square_rank(move.from_square))
    return move.to_square


def en_prise(board: chess.Board, square: chess.Square) -> int:
    """What the other side would win by taking the piece on this square, if it were its move."""
    piece = board.piece_at(square)
    return 0 if piece is None or piece.piece_type == chess.KING else exchange(with_turn(board, not piece.color), square)


def wins_by(board: chess.Board, origin: chess.Square, square: chess.Square) -> bool:
    """Whether the piece on one square could take the one on the other and come out ahead, if it were its move."""
    piece, victim = board.piece_at(origin), board.piece_at(square)
    if piece is None or victim is None or victim.color == piece.color:
        return False
    turned = with_turn(board, piece.color)
    move = capture_of(turned, origin, square)
    return turned.is_legal(move) and gain(turned, move) > 0


def mates_in_one(board: chess.Board) -> list[chess.Move]:
    """Every move that mates at once."""
    found = []
    for move in board.legal_moves:
        if board.gives_check(move):
            board.push(move)
            if board.is_checkmate():
                found.append(move)
            board.pop()
    return found
