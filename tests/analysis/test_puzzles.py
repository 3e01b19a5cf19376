"""Puzzles out of games."""

import io
from functools import partial
from pathlib import Path

import chess
import chess.pgn
import pytest
from tests.analysis.conftest import looked_at, parsed

from barreleye.analysis.accuracy import WhiteScore
from barreleye.analysis.annotate import as_pgn
from barreleye.analysis.chunks import of_pgn
from barreleye.analysis.games import read_games
from barreleye.analysis.puzzles import Puzzle, candidates, has_one_winner, solve_all, themes
from barreleye.analysis.record import Line
from barreleye.analysis.workers import Workers

FAMOUS = Path(__file__).with_name("famous.pgn")


def found(text, nodes=3000):
    game = parsed(text)
    records = looked_at(game, multipv=2, nodes=nodes)
    with Workers(1, {"Hash": 1}) as workers:
        return workers.submit(partial(solve_all, game=of_pgn(game), found_at=list(candidates(game, records)),
                                      nodes=4 * nodes, source=dict(game.headers))).result()


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
    assert has_one_winner(lines(WhiteScore(mate=3), WhiteScore(600)), True)          # the only mate
    assert not has_one_winner(lines(WhiteScore(mate=3), WhiteScore(mate=5)), True)
    assert not has_one_winner(lines(WhiteScore(mate=3), WhiteScore(1200)), True)


def test_taking_back_is_no_puzzle():
    assert found("1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Bxc6 *") == []


def famous(*names):
    games = {game.headers["Event"]: str(game) for game in read_games(FAMOUS.read_text(encoding="utf-8"), print)}
    return [games[name] for name in names]


@pytest.mark.parametrize(("event", "first"), [
    ("Vienna", "9. Qd8+"), ("Paris", "6. Bxf7+"), ("Opera Game", "16. Qb8+"), ("Evergreen Game", "21. Qxd7+"),
])
def test_well_known_combinations_are_found(event, first):
    [text] = famous(event)
    shown = [f"{puzzle.board.fullmove_number}. {puzzle.as_json()['san'][0]}" for puzzle in found(text, 4000)]
    assert first in shown, shown


def test_the_rest_of_a_solution_is_no_other_puzzle():
    [puzzle] = found(famous("Vienna")[0], 4000)
    assert puzzle.as_json()["san"] == ["Qd8+", "Kxd8", "Bg5+", "Kc7", "Bd8#"] and "mateIn3" in puzzle.themes


@pytest.mark.slow
def test_more_nodes_do_not_find_less():
    texts = [str(game) for game in read_games(FAMOUS.read_text(encoding="utf-8"), print)]
    few, many = (sum(len(found(text, nodes)) for text in texts) for nodes in (5_000, 50_000))
    assert few >= 12 and many >= few - 2            # some wins turn out not to be the only ones


def puzzle_of(solution: str, score: WhiteScore) -> Puzzle:
    return Puzzle("6k1/5ppp/8/8/8/8/5PPP/3RR1K1 w - - 0 1", tuple(solution.split()), score, WhiteScore(0), (), {}, 0)


def test_a_mate_that_the_solution_does_not_reach_is_not_called_by_its_length():
    """Where several moves go on, the solution ends: a mate in three shown by one move is no `mateIn3 oneMove`."""
    assert themes(puzzle_of("d1d8", WhiteScore(mate=3))) == ("crushing", "oneMove")
    assert themes(puzzle_of("d1d8", WhiteScore(mate=1))) == ("mate", "mateIn1", "oneMove")
    assert themes(puzzle_of("d1d7 g8f8 d7d8", WhiteScore(mate=2))) == ("mate", "mateIn2", "quietMove", "short")
