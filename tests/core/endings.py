"""Random legal positions of an ending, for everything that is tested against tablebases."""

import random

import chess

KINDS = {letter: chess.PIECE_SYMBOLS.index(letter.lower()) for letter in "PNBRQK"}


def men_of(name: str, rng: random.Random) -> list[chess.Piece]:
    """The men of an ending such as KRvKP, either colour having the first side."""
    first = rng.random() < 0.5
    return [chess.Piece(KINDS[letter], color) for side, color in zip(name.split("v"), (first, not first), strict=True)
            for letter in side]


def random_board(name: str, rng: random.Random) -> chess.Board:
    """A legal position of the ending without castling rights, by trying."""
    while True:
        board = chess.Board(None)
        for man, sq in zip(men_of(name, rng), rng.sample(range(64), len(name) - 1), strict=True):
            board.set_piece_at(sq, man)
        board.turn = rng.random() < 0.5
        if board.is_valid():
            return board


def en_passant_board(name: str, rng: random.Random) -> chess.Board:
    """A position of an ending with pawns of both sides where taking en passant is legal."""
    while True:
        board = chess.Board(None)
        board.turn = us = rng.random() < 0.5
        men = men_of(name, rng)
        file, beside = rng.randrange(8), rng.choice((-1, 1))
        if not 0 <= file + beside < 8:
            continue
        for color, at in ((not us, file), (us, file + beside)):
            men.remove(chess.Piece(chess.PAWN, color))
            board.set_piece_at(chess.square(at, 4 if us else 3), chess.Piece(chess.PAWN, color))
        board.ep_square = chess.square(file, 5 if us else 2)
        empty = [sq for sq in chess.SQUARES
                 if not board.piece_at(sq) and sq not in (board.ep_square, chess.square(file, 6 if us else 1))]
        for man, sq in zip(men, rng.sample(empty, len(men)), strict=True):
            board.set_piece_at(sq, man)
        if board.is_valid() and board.has_legal_en_passant():
            return board
