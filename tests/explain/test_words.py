"""Scores, moves and counts as people say them."""

import chess
import pytest

from barreleye.core.facts import MATE, TABLEBASE
from barreleye.explain import words


@pytest.mark.parametrize(("score", "white", "said"), [
    (310, True, "White is ahead by 3.1"), (310, False, "Black is ahead by 3.1"), (-45, True, "Black is ahead by 0.45"),
    (24, True, "the game is even"), (0, True, "the game is even"), (-1, False, "the game is even"),
    (MATE - 5, True, "White mates in three"), (4 - MATE, True, "Black mates in two"), (-MATE, True, "Black has mated"),
    (5870, True, "White is winning"), (TABLEBASE - 7, False, "Black wins by the endgame tables"),
])
def test_who_stands_better(score, white, said):
    assert words.standing(score, white) == said


def test_a_draw_is_called_so_where_it_is_known():
    assert words.standing(0, True, known=True) == "the game is a draw"
    assert words.standing(-2, False, known=True) == "the game is a draw"
    assert words.standing(TABLEBASE - 7, True, known=True) == "White wins by the endgame tables"


def test_scores_are_for_white():
    assert words.score_text(-45, False) == "+0.45" and words.white_score(3 - MATE, False) == {"mate": 1}
    assert words.white_score(MATE - 1, False) == {"mate": -1}


def test_lines_have_move_numbers():
    board = chess.Board("rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 7")
    assert words.line(board, ["g8f6", "b1c3", "f8b4"]) == "7...Nf6 8.Nc3 Bb4"
    assert words.line(board, []) == "" and words.line(board, ["g8f6", "b1c3"], longest=1) == "7...Nf6"
    assert words.numbered(board, "g8f6") == "7...Nf6" and words.san(board, None) == "no move"


def test_castling_of_chess960_is_said_as_castling():
    board = words.board_of("nrk4r/pppppppp/8/8/8/8/PPPPPPPP/NRK4R w KQkq - 0 1")
    assert words.line(board, ["c1h1"]) == "1.O-O"


def test_counts():
    assert words.counted(1, "move") == "one move" and words.counted(13, "move") == "13 moves"
    assert words.counted(0, "reply", "replies") == "no replies" and words.listed(["a"]) == "a"
