"""Positions in which a search of one ply does not end: boards full of queens, and ordinary ones from random games."""

import random
from collections.abc import Iterator

import chess

MOST_MOVES = "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1"        # 218 legal moves


def crowded(seed: int) -> str:
    """A legal position with a king and fifteen pieces a side: queens, or for odd seeds not only queens."""
    chance = random.Random(seed)
    while True:
        board = chess.Board(None)
        squares = chance.sample(chess.SQUARES, 32)
        for color in chess.COLORS:
            board.set_piece_at(squares.pop(), chess.Piece(chess.KING, color))
            for _ in range(15):
                kind = chance.choice((chess.QUEEN, chess.QUEEN, chess.ROOK, chess.KNIGHT)) if seed % 2 else chess.QUEEN
                board.set_piece_at(squares.pop(), chess.Piece(kind, color))
        for board.turn in chess.COLORS:
            if board.is_valid() and board.legal_moves.count() > 1:
                return board.fen()


def monsters(count: int) -> Iterator[str]:
    """So many positions of that kind, the one above first."""
    yield MOST_MOVES
    for seed in range(count - 1):
        yield crowded(seed)


def ordinary(count: int) -> Iterator[str]:
    """Positions from random games, with a move to make."""
    chance = random.Random(1)
    board = chess.Board()
    for _ in range(count):
        for _ in range(chance.randrange(1, 12)):
            moves = list(board.legal_moves)
            if not moves or board.is_insufficient_material() or board.halfmove_clock > 90:
                board = chess.Board()
                moves = list(board.legal_moves)
            board.push(chance.choice(moves))
        if not any(board.legal_moves):
            board = chess.Board()
        yield board.fen()
