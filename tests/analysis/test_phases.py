"""Where phases begin."""

import chess
import pytest

from barreleye.analysis.phases import Division, block_score, divide, is_past_opening, mixedness, pieces


def test_the_start_position_is_an_opening():
    board = chess.Board()
    assert pieces(board) == 14 and not is_past_opening(board)
    # Two full ranks a side: blocks of four at home count nothing, blocks of two ahead of the pawns nothing or little.
    assert mixedness(board) == 0


@pytest.mark.parametrize("fen", [
    "r2qk2r/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",     # four black pieces: 7 + 3 = 10 pieces
    "rnbqkbnr/pppppppp/8/8/8/N1B2B1N/PPPQPPPP/R3K2R w KQkq - 0 1",   # a back rank with three men
])
def test_middlegames(fen: str):
    assert is_past_opening(chess.Board(fen))


def test_mingled_armies_are_a_middlegame():
    board = chess.Board("r1b2rk1/p1q1bpp1/2p1pn1p/1pnpN3/2PPB3/1PN1P1B1/P1Q2PPP/R4RK1 w - - 0 1")
    assert pieces(board) == 14 and mixedness(board) > 150


@pytest.mark.parametrize(("y", "white", "black", "score"), [
    (1, 4, 0, 0), (2, 4, 0, 4), (1, 1, 0, 8), (2, 2, 0, 0), (4, 2, 0, 4), (3, 1, 1, 5), (5, 1, 1, 7), (4, 2, 1, 8),
    (4, 3, 1, 9), (7, 0, 4, 0), (5, 0, 4, 5), (5, 0, 2, 3), (6, 0, 2, 0), (4, 1, 2, 6), (4, 1, 3, 7), (4, 2, 2, 7),
    (3, 0, 0, 0),
])
def test_blocks(y: int, white: int, black: int, score: int):
    assert block_score(y, white, black) == score


def test_division():
    opening = chess.Board()
    middle = chess.Board("r2qk2r/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")
    end = chess.Board("4k2r/pppp4/8/8/8/8/PPPP4/R3K3 w - - 0 1")
    assert divide([opening, opening]) == Division()
    division = divide([opening, middle, middle, end, end])
    assert division == Division(1, 3)
    assert [division.phase(index) for index in range(5)] == [
        "opening", "middlegame", "middlegame", "endgame", "endgame"]
    assert divide([opening, end]) == Division(None, 1)
