"""Limits hold from the first node on, also where one ply does not end, and what is reported then is true."""

import threading
import time
from typing import Any

import pytest
from tests.core.monsters import MOST_MOVES, crowded, monsters, ordinary

from barreleye import nets
from barreleye.core.notation import move_name
from barreleye.core.pool import Pool
from barreleye.core.position import Position
from barreleye.core.report import SearchInfo

SPARE = 1000            # nodes that a search may take beyond its limit, to have a move
QUEENS = crowded(0)


@pytest.fixture(scope="module")
def pool() -> Pool:
    return Pool(4, 1, nets.load_default())


def last_lines(heard: list[SearchInfo]) -> int:
    """How many lines the last report has."""
    return heard[-1].multipv


def check(pool: Pool, fen: str, limits: dict[str, int], lines: int) -> list[SearchInfo]:
    """Search within limits and see that all that is said fits together."""
    position = Position(fen)
    legal = position.legal_moves()
    heard: list[SearchInfo] = []
    pool.set_multipv(lines)
    best, _, last = pool.search(position, limits, None, heard.append)
    assert move_name(best) in legal
    assert last.pv[0] == heard[-last_lines(heard)].pv[0] == best
    for info in heard:
        assert 1 <= info.multipv <= min(lines, len(legal))
        assert abs(info.score) <= 32000
        assert info.pv and info.nodes >= 0
        # Only the answer itself may be one that was not searched, and then it says so.
        assert info.depth > 0 or (info.multipv == 1 and len(info.pv) == 1 and info.bound == 0)
    return heard


@pytest.mark.parametrize("lines", [1, 3, 256])
@pytest.mark.parametrize("nodes", [1, 100, 3000])
def test_a_search_takes_no_more_nodes_than_it_may(pool: Pool, nodes: int, lines: int):
    for fen in [*monsters(6), *ordinary(12)]:
        pool.new_game()
        check(pool, fen, {"nodes": nodes}, lines)
        assert pool.nodes <= nodes + SPARE


def test_helpers_do_not_use_up_the_limit_of_a_search_for_several_lines():
    pool = Pool(4, 4, nets.load_default())
    for fen in ordinary(10):
        pool.new_game()
        assert check(pool, fen, {"nodes": 8000}, 5)[-1].depth > 0


def test_a_node_limit_is_met_exactly_by_one_thread(pool: Pool):
    for nodes in (2000, 12345):
        check(pool, MOST_MOVES, {"nodes": nodes}, 1)
        assert nodes <= pool.nodes <= nodes + 50       # what is on the way to quiescence is finished


def test_threads_keep_a_node_limit_together():
    pool = Pool(4, 4, nets.load_default())
    for fen in (QUEENS, ordinary(1).__next__()):
        check(pool, fen, {"nodes": 20000}, 1)
        assert 20000 <= pool.nodes < 40000          # 80,000 if each had its own; one that has to wait is late


def check_stops_after(pool: Pool, fen: str, wait_s: float) -> None:
    """Search without a limit, stop, and see that it ends with a move."""
    found: list[Any] = []
    pool.prepare(Position(fen), {"infinite": True})
    thread = threading.Thread(target=lambda: found.append(pool.run()))
    thread.start()
    time.sleep(wait_s)
    pool.stop()
    thread.join(60)
    assert not thread.is_alive()
    assert found[0][0] == found[0][2].pv[0]


@pytest.mark.parametrize("lines", [1, 256])
def test_stop_is_heard_before_the_first_iteration_ends(pool: Pool, lines: int):
    pool.set_multipv(lines)
    for wait_s in (0, 0.01):
        check_stops_after(pool, QUEENS, wait_s)
        assert pool.nodes < 1_000_000


def test_a_clock_is_watched_from_the_first_node_on(pool: Pool):
    # Without a clock this takes millions of nodes; with one there is no time for them.
    for limits in ({"movetime": 20}, {"wtime": 100, "btime": 100}):
        check(pool, QUEENS, limits, 256)
        assert pool.nodes < 1_000_000


def test_what_was_not_searched_claims_no_depth(pool: Pool):
    pool.new_game()
    heard = check(pool, QUEENS, {"nodes": 1}, 1)
    assert [info.depth for info in heard] == [0]


def test_the_first_iteration_is_finished_where_it_is_short(pool: Pool):
    for fen in ordinary(10):
        heard = check(pool, fen, {"nodes": 1}, 1)
        assert heard[-1].depth >= 1


def test_a_draw_is_reported_as_zero(pool: Pool):
    for fen in ("8/8/8/4k3/8/4K3/8/8 w - - 0 1", "7k/8/6KP/8/8/8/8/b7 b - - 0 1", "k7/8/1K6/8/8/8/8/n6N w - - 0 1"):
        pool.new_game()
        assert {info.score for info in check(pool, fen, {"depth": 12}, 3) if info.score in (-1, 0, 1)} <= {0}


@pytest.mark.parametrize("fen", ["7k/8/6KP/8/8/8/8/b7 b - - 0 1", *ordinary(12)])
def test_a_finished_iteration_is_the_answer(pool: Pool, fen: str):
    """What it showed to be worse is not played for the score that it had one iteration before."""
    for depth in range(2, 12):
        pool.new_game()
        check(pool, fen, {"depth": depth}, 3)


@pytest.mark.slow
@pytest.mark.parametrize("lines", [1, 2, 5, 20, 256])
def test_every_limit_is_kept_everywhere(pool: Pool, lines: int):
    for fen in [*monsters(50), *ordinary(500)]:
        for nodes in (1, 700, 5000):
            check(pool, fen, {"nodes": nodes}, lines)
            assert pool.nodes <= nodes + SPARE
        check(pool, fen, {"movetime": 1}, lines)


@pytest.mark.slow
def test_a_stop_at_any_moment_ends_the_search(pool: Pool):
    for number, fen in enumerate([*monsters(50), *ordinary(200)]):
        pool.set_multipv(1 + number % 256)
        check_stops_after(pool, fen, number % 7 * 0.0005)
