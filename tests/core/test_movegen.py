"""The stages of move generation fit together; that their sum is right is for perft and the random games to say."""

import random

import chess
import pytest

import barreleye
from barreleye import Position
from barreleye.core.movegen import staged_moves


@pytest.mark.parametrize("games", [30, pytest.param(500, marks=pytest.mark.slow)])
def test_stages_share_out_the_legal_moves(games: int):
    rng = random.Random(games)
    checks = 0
    for _ in range(games):
        board = chess.Board.from_chess960_pos(rng.randrange(960))
        for _ in range(60):
            position = Position(board.fen(), chess960=True)
            legal = position.legal_moves()
            if board.is_check():
                assert staged_moves(position, "evasions") == legal
            else:
                captures, quiets = staged_moves(position, "captures"), staged_moves(position, "quiets")
                assert captures + quiets == legal
                for move in board.legal_moves:
                    tactical = board.is_capture(move) or move.promotion == chess.QUEEN
                    assert move.uci() in (captures if tactical else quiets)
                expected = [move for move in quiets if board.gives_check(chess.Move.from_uci(move))]
                assert staged_moves(position, "quiet_checks") == expected
                checks += len(expected)
            if not legal:
                break
            board.push_uci(rng.choice(legal))
    assert checks > 3 * games


@pytest.mark.parametrize(
    ("fen", "count"),
    [
        ("R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1", 218),  # the most that a game can lead to
        ("Q4Q2/2Q4Q/4Q3/1Q4Q1/3Q4/Q4Q2/ppQ4Q/kbQ1QQ1K w - - 0 1", 241),  # fifteen queens, which the reader allows
    ],
)
def test_very_many_moves(fen: str, count: int):
    moves = Position(fen).legal_moves()
    assert len(moves) == barreleye.perft(1, fen) == count
    assert sorted(moves) == sorted(move.uci() for move in chess.Board(fen).legal_moves)


@pytest.mark.parametrize(
    ("fen", "uci", "legal"),
    [
        # En passant may open a rank, a file or a diagonal, and may take away the pawn that gives check.
        ("8/8/8/8/k2Pp2R/8/8/4K3 b - d3 0 1", "e4d3", False),
        ("4r1k1/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", False),
        ("4k3/b7/8/2Pp4/8/4K3/8/8 w - d6 0 1", "c5d6", False),
        ("4k3/8/8/2pP4/3K4/8/8/8 w - c6 0 1", "d5c6", True),
        ("4k3/8/8/8/3Pp3/8/8/3RK3 b - d3 0 1", "e4d3", True),
        # Castling: not out of, through or into check; the rook may pass an attacked square.
        ("4k3/8/8/8/8/8/4r3/R3K2R w KQ - 0 1", "e1g1", False),
        ("4k3/8/8/8/8/8/5r2/R3K2R w KQ - 0 1", "e1g1", False),
        ("4k3/8/8/8/8/8/6r1/R3K2R w KQ - 0 1", "e1g1", False),
        ("4k3/8/8/8/8/8/1r6/R3K2R w KQ - 0 1", "e1c1", True),
        ("4k3/8/8/8/8/8/8/RN2K2R w KQ - 0 1", "e1c1", False),
        # Chess960: the castling rook was the king's only shield; king and rook may change places or stay.
        ("4k3/8/8/8/8/8/8/qR1K4 w B - 0 1", "d1b1", False),
        ("4k3/8/8/8/8/8/8/1R1K3q w B - 0 1", "d1b1", False),
        ("4k3/8/8/8/8/8/8/5KR1 w G - 0 1", "f1g1", True),
        ("4k3/8/8/8/8/8/8/6KR w H - 0 1", "g1h1", True),
        ("4k3/8/8/8/8/8/8/2KR4 w D - 0 1", "c1d1", True),
        ("4k3/8/8/8/8/8/8/1RK5 w B - 0 1", "c1b1", True),
        # Double check: only the king moves.
        ("4k3/8/8/8/1b6/8/3n4/r3K1Q1 w - - 0 1", "g1g4", False),
    ],
)
def test_rules_that_are_easily_forgotten(fen: str, uci: str, legal: bool):
    board = chess.Board(fen, chess960=True)
    position = Position(fen, chess960=True)
    assert position.is_legal(uci) == legal
    assert sorted(position.legal_moves()) == sorted(move.uci() for move in board.legal_moves)


def test_a_stage_that_does_not_apply_is_refused():
    with pytest.raises(ValueError, match="there are no evasions when not in check"):
        staged_moves(Position(), "evasions")
    with pytest.raises(ValueError, match="there are no quiets while in check"):
        staged_moves(Position("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1"), "quiets")
    with pytest.raises(ValueError, match="move stage is 'all', expected captures, quiets, quiet_checks or evasions"):
        staged_moves(Position(), "all")
