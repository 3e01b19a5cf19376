"""Puzzles out of games."""

import io
from functools import partial

import chess
import chess.pgn
from tests.analysis.conftest import looked_at, parsed

from barreleye.analysis.accuracy import WhiteScore
from barreleye.analysis.annotate import as_pgn
from barreleye.analysis.chunks import of_pgn
from barreleye.analysis.puzzles import candidates, has_one_winner, solve
from barreleye.analysis.record import Line
from barreleye.analysis.workers import Workers


def found(text):
    game = parsed(text)
    records = looked_at(game, multipv=2)
    with Workers(1, {"Hash": 1}) as workers:
        tasks = [workers.submit(partial(solve, game=of_pgn(game), ply=ply, nodes=6000, source=dict(game.headers)))
                 for ply in candidates(game, records)]
        return [puzzle for task in tasks if (puzzle := task.result())]


def test_the_mate_that_was_let_in(scholar_text):
    [puzzle] = found(scholar_text)
    assert puzzle.solution == ("h5f7",) and puzzle.ply == 6 and puzzle.score == WhiteScore(mate=1)
    assert puzzle.source["White"] == "Anna" and {"mate", "mateIn1", "oneMove"} <= set(puzzle.themes)
    assert puzzle.as_json()["san"] == ["Qxf7#"]
    game = chess.pgn.read_game(io.StringIO(as_pgn(puzzle.as_game())))
    assert game is not None and game.board().fen() == puzzle.fen and "White to play and win" in game.comment
    assert [move.uci() for move in game.mainline_moves()] == ["h5f7"]


def test_a_solution_goes_on_with_the_best_replies():
    """A mate in two whose first move is the only one to win: Damiano's motif."""
    [puzzle] = found('[FEN "5rk1/5ppp/8/8/8/1Q6/q7/1B5K b - - 0 1"]\n[SetUp "1"]\n\n1... g6 2. Qe3 *') or [None]
    if puzzle is not None:
        board = chess.Board(puzzle.fen)
        for move in puzzle.solution:
            assert chess.Move.from_uci(move) in board.legal_moves
            board.push_uci(move)
        assert len(puzzle.solution) % 2 == 1


def test_one_winner():
    def lines(*scores):
        return [Line(None if score.mate else score.cp, score.mate, ("e2e4",), 1, True) for score in scores]

    assert has_one_winner(lines(WhiteScore(500), WhiteScore(50)), True)
    assert has_one_winner(lines(WhiteScore(-500), WhiteScore(100)), False)
    assert not has_one_winner(lines(WhiteScore(500), WhiteScore(300)), True)
    assert not has_one_winner(lines(WhiteScore(200), WhiteScore(-300)), True)
    assert not has_one_winner(lines(WhiteScore(500)), True)              # the only legal move
    assert has_one_winner(lines(WhiteScore(mate=3), WhiteScore(0)), True)


def test_taking_back_is_no_puzzle():
    assert found("1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Bxc6 *") == []
