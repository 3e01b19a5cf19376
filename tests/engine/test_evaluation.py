"""Explained evaluations: the network's verdict, the worth of each piece, the hand-written terms."""

import chess
import pytest

from barreleye import Engine, Position, nets
from barreleye.engine.evaluation import evaluate, evaluation_text

MIDDLEGAME = "r1bqk2r/pppp1ppp/2n2n2/2b1p3/2B1P3/2N2N2/PPPP1PPP/R1BQK2R w KQkq - 6 5"
needs_net = pytest.mark.skipif(not nets.DEFAULT.exists(), reason="this package was made without its network")


@needs_net
def test_each_piece_has_its_worth() -> None:
    found = evaluate(Position(MIDDLEGAME), nets.load_default())
    board = chess.Board(MIDDLEGAME)
    assert set(found.pieces) == {chess.square_name(square) for square, piece in board.piece_map().items()
                                 if piece.piece_type != chess.KING}
    for square, worth in found.pieces.items():
        piece = board.piece_at(chess.parse_square(square))
        assert piece is not None
        if piece.piece_type != chess.PAWN:
            assert (worth if piece.color else -worth) > 150, square
    assert found.centipawns == found.network


@needs_net
def test_a_piece_that_shields_a_king_is_left_out() -> None:
    found = evaluate(Position("4k3/4r3/8/8/8/8/4Q3/4K3 w - - 0 1"), nets.load_default())
    assert "e7" not in found.pieces and "e2" in found.pieces      # without e7 White would be able to take the king


@needs_net
def test_white_and_black_to_move_speak_for_white() -> None:
    for fen in ("6k1/5ppp/8/8/8/8/5PPP/3Q2K1 w - - 0 1", "6k1/5ppp/8/8/8/8/5PPP/3Q2K1 b - - 0 1"):
        found = evaluate(Position(fen), nets.load_default())
        assert found.network is not None and found.network > 300
        assert found.pieces["d1"] > 300


def test_a_lone_king_is_left_to_knowledge() -> None:
    found = evaluate(Position("8/8/8/4k3/8/8/4P3/4K3 w - - 0 1"), nets.load_default())
    assert found.centipawns == found.classical


def test_without_a_network_the_terms_count() -> None:
    found = evaluate(Position(MIDDLEGAME))
    assert found.network is None and found.pieces == {} and found.centipawns == found.classical
    assert "network" not in evaluation_text(Position(MIDDLEGAME))


@needs_net
def test_engine_asks_the_network_it_plays_by() -> None:
    engine = Engine(Hash=1)
    assert engine.evaluate(MIDDLEGAME).network is not None
    engine.set_option("Use NNUE", "false")
    assert engine.evaluate(MIDDLEGAME).network is None
