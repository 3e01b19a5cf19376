"""The staged picker, seen through the search: every legal move is offered exactly once, whatever the tables suggest."""

import random

import chess
import pytest
from tests.core.random_games import random_castling, random_en_passant, random_endgame

from barreleye.core.report import SearchInfo
from barreleye.core.techniques import TECHNIQUES
from barreleye.engine import Engine

MAKERS = (random_endgame, random_castling, random_en_passant)


def random_boards(seed: int, count: int) -> list[chess.Board]:
    rng = random.Random(seed)
    boards: list[chess.Board] = []
    while len(boards) < count:
        board = chess.Board()
        if rng.random() < 0.6:
            board = rng.choice(MAKERS)(rng, False)
        for _ in range(rng.randint(0, 12)):
            if not any(board.legal_moves):
                break
            board.push(rng.choice(list(board.legal_moves)))
        if any(board.legal_moves):
            boards.append(chess.Board(board.fen()))
    return boards


@pytest.mark.parametrize("everything_on", [False, True])
def test_every_legal_move_is_searched_at_the_root(everything_on: bool):
    """With as many lines as moves, each move must come up once in every iteration: with and without a table move."""
    engine = Engine(Hash=1, MultiPV=256)
    for technique in TECHNIQUES:
        engine.set_option(technique.option, True if everything_on else technique.default)
    for board in random_boards(int(everything_on), 60):
        engine.position(board.fen())
        heard: list[SearchInfo] = []
        engine.search(depth=3, on_info=heard.append)
        expected = sorted(move.uci() for move in board.legal_moves)
        for depth in (1, 2):
            moves = sorted(str(engine.text(info.pv[0])) for info in heard if info.depth == depth)
            assert moves == expected, board.fen()


def test_one_ply_visits_each_move_once():
    """Nothing switched on and nothing to capture: a search of one ply makes exactly the legal moves."""
    engine = Engine(Hash=1)
    for technique in TECHNIQUES:
        engine.set_option(technique.option, False)
    seen = 0
    for board in random_boards(7, 400):
        quiet = True
        for move in board.legal_moves:
            board.push(move)
            quiet = quiet and not board.is_check() and not any(
                board.is_capture(reply) or reply.promotion for reply in board.legal_moves)
            board.pop()
        if not quiet or board.is_insufficient_material():
            continue
        seen += 1
        engine.new_game()
        engine.position(board.fen())
        assert engine.search(depth=1).nodes == board.legal_moves.count(), board.fen()
    assert seen > 10
