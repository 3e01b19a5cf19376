"""The network that comes with the package: right side up, symmetric, within its integers, exact move by move."""

import random
from collections.abc import Iterator

import chess
import numpy as np
import pytest
from tests.core.test_nnue import Weights, random_line, reference

from barreleye import Engine, nets
from barreleye.core.evaluate.nnue import Accumulators, evaluate_with, follow
from barreleye.core.evaluate.shape import INPUTS
from barreleye.core.position import Position

pytestmark = pytest.mark.skipif(not nets.DEFAULT.exists(), reason="this package was made without its network")


@pytest.fixture(scope="module")
def facts() -> nets.NetFile:
    return nets.inspect(nets.DEFAULT)


@pytest.fixture(scope="module")
def accumulators() -> Accumulators:
    return Accumulators(nets.load(nets.DEFAULT))


@pytest.fixture(scope="module")
def weights(facts: nets.NetFile) -> Weights:
    data = nets.read(nets.DEFAULT)[1]
    shapes = ((facts.regions * INPUTS, facts.width), (facts.width,), (facts.buckets, 2, facts.width))
    parts, place = [], 0
    for shape in shapes:
        size = int(np.prod(shape))
        parts.append(np.frombuffer(data, "<i2", size, place).reshape(shape))
        place += 2 * size
    return parts[0], parts[1], parts[2], np.frombuffer(data, "<i4", facts.buckets, place)


def positions(count: int, seed: str) -> Iterator[str]:
    """FENs of random games, a Chess960 one now and then."""
    rng = random.Random(seed)
    while True:
        start, moves = random_line(rng, rng.random() < 0.2, 120)
        position = Position(start, True)
        for move in moves:
            position.push(move)
            yield position.fen()
            count -= 1
            if count == 0:
                return


def test_is_small_enough_to_ship() -> None:
    assert nets.DEFAULT.stat().st_size < 4_000_000


def test_says_where_it_comes_from(facts: nets.NetFile) -> None:
    assert "positions" in facts.note


@pytest.mark.parametrize("fen", [
    "rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KBNR b KQkq - 0 1",
    "r1bq1rk1/pp2ppbp/2np1np1/8/2BNP3/2N1BP2/PPPQ2PP/R3K2R w KQ - 5 9".replace("r1bq1", "r1b2"),
    "6k1/5ppp/8/8/8/8/5PPP/3Q2K1 w - - 0 1",
    "3q2k1/5ppp/8/8/8/8/5PPP/6K1 b - - 0 1",
])
def test_a_queen_up_is_good_for_the_side_that_has_it(accumulators: Accumulators, fen: str) -> None:
    assert evaluate_with(accumulators, Position(fen)) > 200


def test_the_start_is_about_even(accumulators: Accumulators) -> None:
    assert abs(evaluate_with(accumulators, Position())) < 80


def test_colours_and_wings_are_symmetric(accumulators: Accumulators) -> None:
    for fen in positions(300, "symmetry"):
        board = chess.Board(fen, chess960=True)
        board.castling_rights = chess.BB_EMPTY
        board.ep_square = None
        value = evaluate_with(accumulators, Position(board.fen()))
        assert value == evaluate_with(accumulators, Position(board.mirror().fen()))
        assert value == evaluate_with(accumulators, Position(board.transform(chess.flip_horizontal).fen()))


def test_sums_fit_their_integers(weights: Weights) -> None:
    """The worst 32 men for each lane, wherever they stand: nothing may leave 16 bits."""
    features, bias, output, _ = weights
    by_square = features.astype(np.int64).reshape(12, 64, -1)
    for sign in (1, -1):
        worst = np.sort(np.maximum(sign * by_square, 0).max(axis=0), axis=0)[-32:].sum(axis=0)
        assert (sign * bias.astype(np.int64) + worst).max() <= 32_767
    assert np.abs(output.astype(np.int64)).sum(axis=2).max() * (255 * 255 // 2) < 1 << 31


def check_exact(accumulators: Accumulators, weights: Weights, scale: int, count: int) -> None:
    for fen in positions(count, "integers"):
        assert evaluate_with(accumulators, Position(fen, True)) == reference(fen, weights, scale), fen


def test_integers_agree(accumulators: Accumulators, weights: Weights, facts: nets.NetFile) -> None:
    check_exact(accumulators, weights, facts.scale, 500)


@pytest.mark.slow
def test_integers_agree_on_100_000_positions(accumulators: Accumulators, weights: Weights, facts: nets.NetFile) -> None:
    check_exact(accumulators, weights, facts.scale, 100_000)


def check_moves(accumulators: Accumulators, count: int) -> None:
    rng = random.Random("moves")
    fresh = Accumulators(nets.load(nets.DEFAULT))
    done = 0
    while done < count:
        chess960 = rng.random() < 0.4
        start, moves = random_line(rng, chess960, 200)
        position = Position(start, chess960)
        values = follow(accumulators, position, moves)
        for move, value in zip(moves, values, strict=True):
            position.push(move)
            assert value == evaluate_with(fresh, Position(position.fen(), chess960)), position.fen()
        done += len(moves)


def test_moves_agree_with_the_board(accumulators: Accumulators) -> None:
    check_moves(accumulators, 5_000)


@pytest.mark.slow
def test_moves_agree_with_the_board_over_a_million(accumulators: Accumulators) -> None:
    check_moves(accumulators, 1_000_000)


def test_switch_goes_back_to_the_hand_written_evaluation() -> None:
    engine = Engine(Hash=1)
    engine.position()
    with_net = engine.search(depth=6)
    engine.set_option("Use NNUE", "false")
    assert engine.search(depth=6).nodes != with_net.nodes
    engine.set_option("Use NNUE", "true")
    assert engine.search(depth=6).nodes == with_net.nodes


def test_a_bad_file_keeps_the_network(tmp_path) -> None:
    engine = Engine(Hash=1)
    engine.position()
    before = engine.search(depth=6).nodes
    bad = tmp_path / "bad.net"
    bad.write_bytes(nets.DEFAULT.read_bytes()[:-1])
    for path in (bad, tmp_path / "missing.net", tmp_path):
        with pytest.raises(ValueError, match=r"EvalFile|cut short"):
            engine.set_option("EvalFile", str(path))
    engine.new_game()
    assert engine.search(depth=6).nodes == before
    assert engine.values["EvalFile"] == ""
