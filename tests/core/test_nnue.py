"""The network's arithmetic against plain integers, and its accumulators against boards made from nothing."""

import random

import chess
import numpy as np
import pytest

from barreleye.core.evaluate.nnue import Accumulators, Network, evaluate_with, follow
from barreleye.core.position import Position

WIDTH, BUCKETS = 32, 8


Weights = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]


def make_weights(regions: int = 1) -> Weights:
    rng = np.random.default_rng(regions)
    return (
        rng.integers(-60, 60, (768 * regions, WIDTH)).astype("<i2"),
        rng.integers(0, 120, WIDTH).astype("<i2"),
        rng.integers(-500, 501, (BUCKETS, 2, WIDTH)).astype("<i2"),
        rng.integers(-3000, 3000, BUCKETS).astype("<i4"),
    )


def make_network(regions: int = 1) -> Network:
    return Network(b"".join(part.tobytes() for part in make_weights(regions)), WIDTH, BUCKETS, regions=regions)


def region_of(side: chess.Color, king: chess.Square) -> int:
    """As docs/nets.md draws them."""
    square = king if side else chess.square_mirror(king)
    return {1: 0 if chess.square_file(square) in (0, 1, 6, 7) else 1, 2: 2}.get(chess.square_rank(square) + 1, 3)


def towards_zero(number: int, divisor: int) -> int:
    """Division as C does it."""
    return abs(number) // divisor * (1 if number >= 0 else -1)


def reference(fen: str, weights: Weights, scale: int = 400) -> int:
    """The same network in numpy, square by square from the FEN."""
    features, bias, output, output_bias = weights
    board = chess.Board(fen)
    men = board.piece_map()
    hidden = []
    for side in (board.turn, not board.turn):
        king = board.king(side)
        assert king is not None
        flip = (0 if side else 56) ^ (7 if chess.square_file(king) >= 4 else 0)
        first = 768 * region_of(side, king) if len(features) > 768 else 0
        rows = [first + 384 * (piece.color != side) + 64 * (piece.piece_type - 1) + (square ^ flip)
                for square, piece in men.items()]
        hidden.append(np.clip(bias.astype(np.int64) + features[rows].sum(axis=0, dtype=np.int64), 0, 255))
    buckets = len(output_bias)
    bucket = (len(men) - 1) * buckets // 32
    total = int(sum((hidden[half] ** 2 // 2 * output[bucket][half].astype(np.int64)).sum() for half in range(2)))
    return towards_zero((towards_zero(2 * total, 255) + int(output_bias[bucket])) * scale, 255 * 256)


def random_line(rng: random.Random, chess960: bool, length: int) -> tuple[str, list[str]]:
    start = chess.Board.from_chess960_pos(rng.randrange(960)).fen() if chess960 else chess.STARTING_FEN
    position = Position(start, chess960)
    moves: list[str] = []
    while len(moves) < length and (legal := position.legal_moves()):
        moves.append(rng.choice(legal))
        position.push(moves[-1])
    return start, moves


@pytest.mark.parametrize("regions", [1, 4])
@pytest.mark.parametrize("chess960", [False, True])
def test_follows_moves_exactly(chess960: bool, regions: int) -> None:
    rng = random.Random(f"follow {chess960}")
    network = make_network(regions)
    moving, fresh = Accumulators(network), Accumulators(network)
    for _ in range(25):
        start, moves = random_line(rng, chess960, 200)
        position = Position(start, chess960)
        values = follow(moving, position, moves)
        assert position.fen() == Position(start, chess960).fen()
        for move, value in zip(moves, values, strict=True):
            position.push(move)
            assert value == evaluate_with(fresh, position)


@pytest.mark.parametrize("regions", [1, 4])
@pytest.mark.parametrize("step", [2, 3, 7])
def test_catches_up_over_several_moves_and_passes(step: int, regions: int) -> None:
    rng = random.Random(f"catch up {step}")
    network = make_network(regions)
    moving, fresh = Accumulators(network), Accumulators(network)
    for _ in range(20):
        position = Position()
        moves: list[str] = []
        while len(moves) < 120 and (legal := position.legal_moves()):
            if not position.is_check() and rng.random() < 0.1:
                moves.append("0000")
                position.push_null()
            else:
                moves.append(rng.choice(legal))
                position.push(moves[-1])
        values = follow(moving, Position(), moves, step)
        position = Position()
        for number, (move, value) in enumerate(zip(moves, values, strict=True), 1):
            position.push_null() if move == "0000" else position.push(move)
            assert value == (evaluate_with(fresh, position) if number % step == 0 else None)


@pytest.mark.parametrize("regions", [1, 4])
def test_agrees_with_plain_integers(regions: int) -> None:
    rng = random.Random("integers")
    accumulators = Accumulators(make_network(regions))
    for _ in range(10):
        start, moves = random_line(rng, False, 120)
        position = Position(start)
        for move in moves:
            position.push(move)
            assert evaluate_with(accumulators, position) == reference(position.fen(), make_weights(regions))


@pytest.mark.parametrize("regions", [1, 4])
def test_colours_are_symmetric(regions: int) -> None:
    accumulators = Accumulators(make_network(regions))
    for fen in ("r1bqk2r/pp2bppp/2n1pn2/3p4/3P4/2NB1N2/PP3PPP/R1BQ1RK1 w kq - 0 9", "8/5k2/8/8/2K1P3/8/8/8 b - - 0 1"):
        board = chess.Board(fen)
        assert (evaluate_with(accumulators, Position(fen))
                == evaluate_with(accumulators, Position(board.mirror().fen())))


@pytest.mark.parametrize(("width", "buckets", "regions"), [
    (8, 1, 1), (33, 1, 1), (2048, 1, 1), (32, 0, 1), (32, 9, 1), (32, 1, 0), (32, 1, 3), (32, 1, 5)])
def test_refuses_impossible_shapes(width: int, buckets: int, regions: int) -> None:
    with pytest.raises(ValueError, match="cannot be used"):
        Network(b"", width, buckets, regions=regions)


def test_refuses_weights_of_another_size() -> None:
    with pytest.raises(ValueError, match="expected"):
        Network(b"\0" * 100, WIDTH, BUCKETS)
