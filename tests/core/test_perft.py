"""Published perft counts: the rules are right when every number is."""

import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import chess
import pytest

import barreleye
from barreleye import Position
from barreleye.core.perft import leaves
from barreleye.engine.perft import iter_divide

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
PROMOTIONS = "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1"
CHESS960 = "1rkbrqb1/pppppp1p/2n3p1/4nB2/4P3/8/PPPP1PPP/NRKB1RQN w FBeb - 2 9"


def suite(path: Path) -> list[tuple[str, int, int]]:
    """(FEN, depth, leaves) of an EPD file of lines like 'FEN ;D1 20 ;D2 400'."""
    cases = []
    for line in path.read_text().splitlines():
        fen, *counts = line.split(";")
        for count in counts:
            depth, nodes = count.split()
            cases.append((fen.strip(), int(depth[1:]), int(nodes)))
    return cases


def to_depth(cases: list[tuple[str, int, int]], deepest: int) -> list[tuple[str, int, int]]:
    return [case for case in cases if case[1] <= deepest]


def wrong_counts(cases: list[tuple[str, int, int]], bulk: bool = True) -> list[tuple[str, int, int, int]]:
    """Cases whose count is not the published one, counted on every core: perft runs without the GIL."""
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        counted = pool.map(lambda case: barreleye.perft(case[1], case[0], bulk=bulk), cases)
        return [(*case, nodes) for case, nodes in zip(cases, counted, strict=True) if nodes != case[2]]


def test_standard_suite(data_dir: Path, debug_build: bool):
    cases = suite(data_dir / "perft" / "standard.epd")
    assert len({fen for fen, _, _ in cases}) == 127
    assert wrong_counts(to_depth(cases, 3 if debug_build else 5)) == []


def test_chess960_suite(data_dir: Path, debug_build: bool):
    cases = suite(data_dir / "perft" / "fischer.epd")
    assert len({fen for fen, _, _ in cases}) == 960
    assert wrong_counts(to_depth(cases, 2 if debug_build else 4)) == []


@pytest.mark.slow
@pytest.mark.parametrize(("name", "depth"), [("standard", 6), ("fischer", 5)])
def test_suites_deeper(data_dir: Path, name: str, depth: int):
    cases = suite(data_dir / "perft" / f"{name}.epd")
    assert wrong_counts([case for case in cases if case[1] == depth]) == []


def test_a_check_that_no_move_can_give_is_no_reason_to_refuse():
    """The suite has such a position: the king stands between two bishops on one diagonal, both giving check."""
    fen = "B6b/8/8/8/2K5/5k2/8/b6B b - - 0 1"
    assert chess.Board(fen).status() == chess.STATUS_IMPOSSIBLE_CHECK
    assert barreleye.perft(4, fen) == 31151


@pytest.mark.parametrize(
    ("fen", "depth", "nodes"),
    [(chess.STARTING_FEN, 6, 119_060_324), (KIWIPETE, 5, 193_690_690)],
    ids=["start", "kiwipete"],
)
def test_famous_counts(fen: str, depth: int, nodes: int, debug_build: bool):
    if debug_build:
        pytest.skip("minutes in a debug build; the suites cover the same rules")
    assert barreleye.perft(depth, fen, threads=2) == nodes


@pytest.mark.parametrize("fen", [chess.STARTING_FEN, KIWIPETE, PROMOTIONS, CHESS960])
def test_every_way_of_counting_agrees(fen: str):
    depth = 3
    nodes = barreleye.perft(depth, fen)
    divided = barreleye.divide(depth, fen)
    assert sum(divided.values()) == nodes
    assert sorted(divided) == sorted(Position(fen).legal_moves())
    assert barreleye.perft(depth, fen, bulk=False) == nodes
    assert leaves(Position(fen), depth) == leaves(Position(fen), depth, bulk=False) == nodes
    for threads in (2, 3, 64):
        assert list(iter_divide(depth, fen, threads=threads)) == list(divided.items())
        assert barreleye.perft(depth, fen, threads=threads, bulk=False) == nodes


def test_playing_the_last_ply_agrees_with_counting_it(data_dir: Path, debug_build: bool):
    cases = to_depth(suite(data_dir / "perft" / "standard.epd"), 2 if debug_build else 4)
    cases += to_depth(suite(data_dir / "perft" / "fischer.epd"), 2)
    assert wrong_counts(cases, bulk=False) == []


def test_divide_agrees_with_python_chess():
    for fen in (KIWIPETE, PROMOTIONS, CHESS960):
        board = chess.Board(fen, chess960=fen == CHESS960)
        expected = {}
        for move in board.legal_moves:
            board.push(move)
            expected[move.uci()] = board.legal_moves.count()
            board.pop()
        assert barreleye.divide(2, fen) == expected


def test_counting_leaves_the_position_as_it_was():
    position = Position(KIWIPETE)
    position.push("e1g1")
    before = position.snapshot()
    assert leaves(position, 3) == barreleye.divide(4, KIWIPETE)["e1g1"]
    assert position.snapshot() == before


def test_no_moves_no_leaves():
    mated = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3"
    stalemated = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"
    for fen in (mated, stalemated):
        assert barreleye.perft(0, fen) == 1
        assert barreleye.divide(1, fen) == {}
        for depth in (1, 2, 5):
            for bulk in (True, False):
                assert barreleye.perft(depth, fen, bulk=bulk) == 0


def test_a_depth_that_is_no_number_is_refused_in_plain_words():
    with pytest.raises(ValueError, match="perft depth is '3', expected a number"):
        barreleye.perft(depth="3")                                     # type: ignore[arg-type]


@pytest.mark.parametrize("count", [barreleye.perft, barreleye.divide, lambda *line: list(iter_divide(*line))])
def test_the_depth_comes_first_as_it_does_for_an_engine(count):
    with pytest.raises(ValueError, match="perft takes the depth first and the position second"):
        count(KIWIPETE, 3)
    assert barreleye.perft(2, KIWIPETE) == barreleye.Engine(Hash=1).perft(2, KIWIPETE) == 2039


@pytest.mark.parametrize("depth", [-1, 65, 10**6])
def test_impossible_depth_is_refused(depth: int):
    with pytest.raises(ValueError, match=rf"perft depth is {depth}, expected a number from \d to 64"):
        barreleye.perft(depth=depth)
    with pytest.raises(ValueError, match=rf"perft depth is {depth}, expected"):
        leaves(Position(), depth)


@pytest.mark.parametrize("threads", [0, -3, 10**6])
def test_impossible_threads_are_refused(threads: int):
    with pytest.raises(ValueError, match=f"perft threads are {threads}, expected"):
        barreleye.perft(depth=2, threads=threads)
