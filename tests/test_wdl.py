"""Scores in the words people use."""

import chess
import chess.engine
import pytest

from barreleye import Engine
from barreleye.core.facts import MATE, TABLEBASE
from barreleye.core.position import Position
from barreleye.uci.text import format_info
from barreleye.wdl import MOST_MATERIAL, centipawns, chances, mate_moves, material, white_chances

PAWN_ENDING = "8/5pk1/6p1/8/8/6P1/5PK1/8 w - - 0 1"
LONE_PAWN = "8/8/8/3k4/8/3K4/3P4/8 w - - 0 1"
EVERY_MATERIAL = range(2 * 103 + 1)          # nine queens a side at the most


@pytest.mark.parametrize(("score", "moves"), [
    (31999, 1), (31998, 1), (31997, 2), (-31998, -1), (-31996, -2), (-32000, 0), (500, None), (-500, None),
    (31000, None),
])
def test_mate_in_moves(score: int, moves: int | None):
    assert mate_moves(score) == moves


def test_a_draw_is_shown_as_nothing_but_a_draw():
    """Inside the search draws differ by a point."""
    assert [centipawns(score) for score in (-2, -1, 0, 1, 2)] == [-2, 0, 0, 0, 2]


@pytest.mark.parametrize(("fen", "counted"), [
    (chess.STARTING_FEN, MOST_MATERIAL), ("8/8/8/3k4/8/3K4/8/8 w - - 0 1", 0), (PAWN_ENDING, 4), (LONE_PAWN, 1),
    ("r2qk1n1/8/8/8/8/8/P7/RNBQKBNR b - - 0 1", 49),
])
def test_material_is_counted_for_both_sides(fen: str, counted: int):
    assert material(fen) == material(chess.Board(fen).board_fen()) == material(Position(fen).fen()) == counted


def test_chances_behave_with_any_score_and_any_material():
    scores = [-MATE, -TABLEBASE, -20_000, *range(-2000, 2001, 23), 0, 20_000, TABLEBASE, MATE]
    for men in EVERY_MATERIAL:
        rows = [chances(score, men) for score in sorted(scores)]
        assert all(sum(row) == 1000 and min(row) >= 0 for row in rows)
        assert [row[0] for row in rows] == sorted(row[0] for row in rows)
        assert [row[2] for row in rows] == sorted((row[2] for row in rows), reverse=True)
        assert all(chances(-score, men) == chances(score, men)[::-1] for score in scores)
        assert rows[:3] == [(0, 0, 1000)] * 3 and rows[-3:] == [(1000, 0, 0)] * 3
        assert chances(0, men)[1] >= max(row[1] for row in rows) - 1           # all three are rounded


def test_the_fewer_men_are_left_the_more_a_level_game_is_a_draw():
    draws = [chances(0, men)[1] for men in (78, 60, 40, 20, 10)]
    assert draws == sorted(draws) and draws[0] > 400 and draws[-1] > 900
    win, draw, loss = chances(30, MOST_MATERIAL)            # about what the first move is worth
    assert draw > win > loss


@pytest.mark.parametrize("score", [-300, 0, 300])
def test_a_bare_king_wins_no_games_and_the_points_stay_the_same(score: int):
    win, draw, loss = white_chances(score, chess.Board(LONE_PAWN))
    would_win, would_draw, _ = chances(score, 1)
    assert loss == 0 and win + draw == 1000
    assert 2 * win + draw == max(1000, 2 * would_win + would_draw)
    assert white_chances(score, chess.Board()) == chances(score, MOST_MATERIAL)


def test_chances_for_white_turn_with_the_side_to_move():
    board = chess.Board(PAWN_ENDING)
    ahead = white_chances(100, board)
    board.turn = chess.BLACK
    assert white_chances(100, board) == ahead[::-1] and white_chances(-100, board) == ahead == chances(100, 4)


@pytest.mark.parametrize("fen", [PAWN_ENDING, chess.STARTING_FEN])
def test_everybody_says_the_same_of_the_position_that_was_searched(fen: str):
    board = chess.Board(fen)
    with Engine(Hash=1) as engine:
        told = engine.analyse(board, chess.engine.Limit(depth=6), options={"UCI_ShowWDL": True})
        engine.position(fen)
        result = engine.search(depth=6)
    wanted = chances(result.info.score, material(fen))
    score = told["score"].relative.score()
    assert score is not None
    assert tuple(told["wdl"].relative) == chances(score, material(fen))
    assert f" wdl {wanted[0]} {wanted[1]} {wanted[2]} " in format_info(result.info, Position(fen), show_wdl=True)
