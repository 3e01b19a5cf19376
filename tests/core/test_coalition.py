"""What pieces add to a network's verdict, against the same computed with whole positions."""

from itertools import permutations

import chess
import pytest

from barreleye import Position, nets
from barreleye.core.evaluate.coalition import marginals
from barreleye.core.evaluate.nnue import Accumulators, evaluate_with

NET = nets.load(nets.DEFAULT)


def verdict(men, turn):
    """For White, of a position with these men."""
    board = chess.Board(None)
    for square, piece in men.items():
        board.set_piece_at(square, piece)
    value = evaluate_with(Accumulators(NET), Position(f"{board.board_fen()} {turn} - - 0 1"))
    return value if turn == "w" else -value


@pytest.mark.parametrize("turn", ["w", "b"])
@pytest.mark.parametrize("placement", ["8/4k3/2n5/3p4/8/1P6/6K1/R7", "1q6/2k5/8/8/5P2/8/1R3KB1/8"])
def test_orders_one_by_one(placement, turn):
    fen = f"{placement} {turn} - - 0 1"
    men = chess.Board(fen).piece_map()
    kings = {square: piece for square, piece in men.items() if piece.piece_type == chess.KING}
    others = sorted(set(men) - set(kings))
    for order in list(permutations(others))[::3]:
        here, expected = dict(kings), {}
        before = alone = verdict(here, turn)
        for square in order:
            here[square] = men[square]
            try:
                now = verdict(here, turn)
            except ValueError:          # a king in check by its own side's move: no position, yet a verdict
                break
            expected[square] = now - before
            before = now
        found_alone, totals, squares = marginals(NET, Position(fen), bytes(order))
        assert found_alone == alone
        for square, value in expected.items():
            assert totals[square] == value and squares[square] == value * value
        assert sum(totals) + alone == verdict(men, turn)


def test_sums_over_orders():
    fen = chess.STARTING_FEN
    squares = [square for square, piece in chess.Board().piece_map().items() if piece.piece_type != chess.KING]
    one, two = bytes(squares), bytes(reversed(squares))
    position = Position(fen)
    both = marginals(NET, position, one + two)
    apart = [marginals(NET, position, order) for order in (one, two)]
    assert both[1] == [sum(pair) for pair in zip(apart[0][1], apart[1][1], strict=True)]
    assert both[2] == [sum(pair) for pair in zip(apart[0][2], apart[1][2], strict=True)]


@pytest.mark.parametrize("orders", [bytes([0]), bytes(30), bytes([200] * 30), bytes([4, *range(29)])])
def test_orders_that_are_none(orders):
    with pytest.raises(ValueError, match="order"):
        marginals(NET, Position(), orders)


def test_kings_alone():
    position = Position("8/4k3/8/8/8/8/6K1/8 w - - 0 1")
    alone, totals, _ = marginals(NET, position, b"")
    assert alone == evaluate_with(Accumulators(NET), position) and not any(totals)
