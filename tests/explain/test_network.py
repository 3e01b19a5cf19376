"""What the network sees: shares that add up, places that are legal."""

import json

import chess
import pytest

import barreleye
from barreleye.core.evaluate.nnue import Accumulators, evaluate_with
from barreleye.explain.inquiry import Inquiry
from barreleye.explain.network import placed, seen_by_network, shapley

MIDDLEGAME = "r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/2N2N2/PP2BPPP/R1BQ1RK1 {} - - 0 9"


@pytest.fixture(scope="module")
def engine():
    return barreleye.Engine(Hash=1)


def asked(engine, fen):
    engine.position(fen)
    return Inquiry(engine, nodes=1000)


@pytest.mark.parametrize("fen", [
    MIDDLEGAME.format("w"), MIDDLEGAME.format("b"), "8/5k2/3p4/8/3R4/8/8/4K3 b - - 0 1",
    "8/5k2/8/8/8/8/8/4K3 w - - 0 1",
    chess.STARTING_FEN, "nrk4r/pppppppp/8/8/8/8/PPPPPPPP/NRK4R w HBhb - 0 1"])
def test_shares_add_up_to_the_verdict(engine, fen):
    view = seen_by_network(asked(engine, fen), orders=200)
    board = chess.Board(fen, chess960=True)
    assert view.kings + sum(view.shares.values()) == view.verdict == engine.evaluate().network
    assert {chess.parse_square(name) for name in view.shares} == {
        square for square, piece in board.piece_map().items() if piece.piece_type != chess.KING}
    assert view.removal == engine.evaluate().pieces and str(view)
    assert json.loads(json.dumps(view.to_json()))["verdict"] == view.verdict


def test_the_same_every_time_and_close_to_each_other(engine):
    inquiry = asked(engine, MIDDLEGAME.format("w"))
    first, again, other = (seen_by_network(inquiry, seed=seed) for seed in (1, 1, 2))
    assert first == again and first.shares != other.shares
    for name, share in first.shares.items():
        assert abs(share - other.shares[name]) <= 6 * max(1.0, first.errors[name])
        assert (share > 0) == (chess.Board(inquiry.fen).color_at(chess.parse_square(name)) == chess.WHITE)


def test_two_pieces_by_hand(engine):
    """With two pieces there are two orders, and the shares are the means of what is added in each."""
    inquiry = asked(engine, "8/4k3/2n5/8/8/8/6K1/R7 w - - 0 1")
    accumulators = Accumulators(engine.network)

    def verdict(placement):
        return evaluate_with(accumulators, barreleye.Position(f"{placement} w - - 0 1"))

    none, rook, knight, both = map(verdict, ("8/4k3/8/8/8/8/6K1/8", "8/4k3/8/8/8/8/6K1/R7", "8/4k3/2n5/8/8/8/6K1/8",
                                             "8/4k3/2n5/8/8/8/6K1/R7"))
    kings, shares, _ = shapley(engine.network, inquiry.position)
    assert kings == none
    assert abs(shares["a1"] - ((rook - none) + (both - knight)) / 2) <= 1
    assert abs(shares["c6"] - ((knight - none) + (both - rook)) / 2) <= 1


def test_sentences(engine):
    said = str(seen_by_network(asked(engine, MIDDLEGAME.format("w"))))
    assert said.startswith("Without looking ahead, the network thinks that White is ahead by 0.")
    assert "Of the four bishops, Black's on e7 counts most" in said
    assert "bare king" in str(seen_by_network(asked(engine, "8/5k2/8/8/3R4/8/8/4K3 w - - 0 1")))


def test_where_a_piece_would_like_to_stand(engine):
    inquiry = asked(engine, MIDDLEGAME.format("b"))
    place = placed(inquiry, "c8")
    assert place.question == "Where would the bishop on c8 like to stand?"
    board = chess.Board(inquiry.fen)
    accumulators = Accumulators(engine.network)
    for name, verdict in place.verdicts.items():
        moved = board.copy()
        moved.set_piece_at(chess.parse_square(name), moved.remove_piece_at(chess.C8))
        moved.clear_stack()
        assert moved.is_valid() and not moved.is_check()
        assert verdict == -evaluate_with(accumulators, barreleye.Position(moved.fen()))
    free = {chess.square_name(square) for square in chess.SQUARES if board.piece_at(square) is None}
    assert set(place.verdicts) <= free and {"h4", "g4"} < set(place.verdicts)
    assert set(place.within_reach) == {"d7"} and "b5" in place.unsafe and "d7" not in place.unsafe
    assert "Of the squares it can reach in one move, d7 is the best" in str(place)
    assert json.loads(json.dumps(place.to_json()))["square"] == "c8"


def test_squares_that_leave_a_king_in_check(engine):
    place = placed(asked(engine, "4k3/8/8/8/1b6/8/3P4/4K2N w - - 0 1"), "d2")
    assert set(place.verdicts) == {"c3"}                # elsewhere the bishop on b4 gives check
    place = placed(asked(engine, "4k3/8/8/8/8/8/8/R3K3 b - - 0 1"), "a1")
    assert not {"e5", "b8"} & set(place.verdicts) and "d5" in place.verdicts


@pytest.mark.parametrize(("square", "said"), [("e5", "no piece on e5"), ("z9", "'z9' is no square")])
def test_no_piece_no_place(engine, square, said):
    with pytest.raises(ValueError, match=said):
        placed(asked(engine, chess.STARTING_FEN), square)


def test_where_the_network_is_not_asked(engine):
    with pytest.raises(ValueError, match="in check"):
        seen_by_network(asked(engine, "4k3/8/8/8/8/8/8/4RK2 b - - 0 1"))
    classical = barreleye.Engine(Hash=1, **{"Use NNUE": False})
    with pytest.raises(ValueError, match="switched off"):
        seen_by_network(asked(classical, chess.STARTING_FEN))
