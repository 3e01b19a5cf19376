"""Lines from tablebases: they end in mate, and nothing is given away on the way there."""

import random

import chess
import pytest

from barreleye import tablebase
from barreleye.core.position import Position
from barreleye.core.syzygy.root import rank_moves
from barreleye.tablebase.lines import by_distance, is_clean, preferred


@pytest.fixture(scope="module")
def path(data_dir):
    return str(data_dir / "syzygy")


@pytest.fixture(scope="module")
def tables(path):
    return tablebase.open_tables(path)


def random_board(rng, white, black=""):
    """A legal position with these men, either side to move, the game not over."""
    while True:
        board = chess.Board(None)
        squares = rng.sample(chess.SQUARES, len(white) + len(black) + 2)
        for square, symbol in zip(squares, f"K{white}k{black}", strict=True):
            board.set_piece_at(square, chess.Piece.from_symbol(symbol))
        board.turn = rng.random() < 0.5
        if board.is_valid() and any(board.legal_moves):
            return board


@pytest.mark.parametrize("men", ["QR", "RR", "QQ", "QP"])
def test_the_winner_keeps_its_men(path, tables, men):
    rng = random.Random(men)
    given = 0
    for _ in range(4):
        board = random_board(rng, men)
        if tablebase.probe_wdl(board, path) not in (2, -2) or any(map(board.is_capture, board.legal_moves)):
            continue
        plain = board.copy()
        for move in by_distance(tables, Position(board.fen()), 200):
            plain.push_uci(move)
        given += chess.popcount(plain.occupied) < 4
        for move in tablebase.line(board, path):
            board.push_uci(move)
        assert board.is_checkmate() and chess.popcount(board.occupied) == 4
    assert given                                # where distances alone would have thrown something away


@pytest.mark.parametrize(("white", "black"), [("Q", ""), ("BN", ""), ("P", ""), ("R", "b"), ("P", "p")])
def test_wins_end_in_mate(path, white, black):
    rng = random.Random(white + black)
    won = 0
    while won < 3:
        board = random_board(rng, white, black)
        if tablebase.probe_wdl(board, path) == 2:
            won += 1
            winner = board.turn
            for move in tablebase.line(board, path):
                board.push_uci(move)
            assert board.is_checkmate() and board.turn != winner


def test_a_pawn_becomes_a_queen_and_not_less(path, tables):
    position = Position("8/4P1k1/8/4K3/8/8/8/8 w - - 0 1")
    assert preferred(position, rank_moves(tables, position) or []) == "e7e8q"
    assert not is_clean(tables, position, ["e7e8r", "g7f7"]) and is_clean(tables, position, ["e7e8q", "g7h6"])


def test_a_drawn_line_gives_no_rook_away(path):
    board = chess.Board("8/8/4b3/8/4k3/8/4K3/3R4 w - - 0 1")
    line = tablebase.line(board, path)
    for move in line:
        board.push_uci(move)
    assert line and chess.popcount(board.occupied) == 4 and board.is_repetition(2)
    assert len(tablebase.line("8/8/8/4k3/8/8/4K3/3RR3 w - - 0 1", path, plies=4)) == 4
