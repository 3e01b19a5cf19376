"""Time, counted in nodes (nodestime): what the manager spends can then be checked without a clock."""

from typing import Any

import pytest

from barreleye.engine import Engine

NODES_PER_MS = 20
MIDDLEGAME = "r3r1k1/1pqb1pbp/p2p1np1/3Pn3/P1P5/2N1BN1P/1P1QBPP1/R4RK1 w - - 4 17"
SLACK = 1500         # nodes between two looks at the clock


def spent(fen: str = MIDDLEGAME, engine: Engine | None = None, **clock: Any) -> int:
    """Nodes of one move from a clock in milliseconds."""
    engine = engine or Engine(Hash=4, nodestime=NODES_PER_MS)
    engine.new_game()
    engine.position(fen)
    return engine.search(**clock).nodes


def test_more_time_is_used():
    amounts = [spent(wtime=time, btime=time) for time in (200, 1000, 5000)]
    assert amounts == sorted(amounts) and amounts[0] < amounts[-1]


@pytest.mark.parametrize("clock", [
    {"wtime": 100}, {"wtime": 1000}, {"wtime": 1000, "movestogo": 1}, {"wtime": 1000, "movestogo": 2},
    {"wtime": 300, "winc": 1000}, {"wtime": 1000, "movestogo": 100}, {"wtime": 50, "winc": 50, "movestogo": 3},
])
def test_never_more_than_the_clock_holds(clock: dict[str, Any]):
    assert spent(**clock) <= clock["wtime"] * NODES_PER_MS + SLACK


def test_a_move_takes_a_share_of_a_long_clock():
    assert spent(wtime=10_000) < 10_000 * NODES_PER_MS // 4


def test_increment_allows_more():
    assert spent(wtime=1000, winc=500) > spent(wtime=1000)


def test_last_move_before_the_control_takes_more_than_one_of_many():
    assert spent(wtime=1000, movestogo=1) > spent(wtime=1000, movestogo=40)


@pytest.mark.parametrize("time", [0, 1])
def test_empty_clock_still_moves(time: int):
    assert 0 < spent(wtime=time) < 5000
    assert 0 < spent(wtime=time, winc=100) < 100 * NODES_PER_MS + SLACK


def test_only_the_clock_of_the_side_to_move_counts():
    black = MIDDLEGAME.replace(" w ", " b ")
    assert spent(wtime=10, btime=2000, fen=black) > spent(wtime=2000, btime=10, fen=black)


def test_move_time_is_exact_enough_in_nodes():
    for time in (50, 200):
        assert time * NODES_PER_MS // 3 <= spent(movetime=time) <= time * NODES_PER_MS + SLACK


def test_only_move_is_not_thought_about_for_long():
    forced = "7k/8/8/8/8/8/6q1/7K w - - 0 1"
    assert spent(forced, wtime=60_000) < spent(wtime=60_000)


@pytest.mark.parametrize(("increment", "moves_to_go"), [(0, 0), (20, 0), (0, 20), (5, 10)])
def test_game_stays_within_its_clock(increment: int, moves_to_go: int):
    """The engine keeps a node clock itself from the first move on; here it is kept beside it, over sixty moves."""
    engine = Engine(Hash=4, nodestime=NODES_PER_MS)
    engine.position(MIDDLEGAME)
    left = 1000 * NODES_PER_MS
    moves: list[str] = []
    for number in range(60):
        clock: dict[str, Any] = {"wtime": 1000, "btime": 1000, "winc": increment, "binc": increment}
        if moves_to_go:
            clock["movestogo"] = moves_to_go - number % moves_to_go
        result = engine.search(**clock)
        left -= result.nodes
        assert left > -SLACK, f"flag fell at move {number + 1}"
        left = max(0, left) + increment * NODES_PER_MS
        if moves_to_go and number % moves_to_go == moves_to_go - 1:
            return
        if result.best_move is None:
            return
        moves.append(result.best_move)
        engine.position(MIDDLEGAME, moves)
        if not engine.board.legal_moves():
            return
        reply = engine.board.legal_moves()[0]
        moves.append(reply if isinstance(reply, str) else str(engine.text(reply)))
        engine.position(MIDDLEGAME, moves)
        if not engine.board.legal_moves():
            return


def test_searches_without_a_clock_leave_the_node_clock_alone():
    engine = Engine(Hash=4, nodestime=NODES_PER_MS)
    engine.search(depth=3)
    after = engine.search(wtime=60_000, btime=60_000).nodes
    fresh = Engine(Hash=4, nodestime=NODES_PER_MS).search(wtime=60_000, btime=60_000).nodes
    assert after > fresh // 4


def test_a_new_control_fills_the_node_clock_again():
    engine = Engine(Hash=4, nodestime=NODES_PER_MS)
    spent = [engine.search(wtime=2000, btime=2000, movestogo=left).nodes for left in (2, 1, 2, 1, 1, 2, 2)]
    assert min(spent[number] for number in (0, 2, 4, 5, 6)) > max(spent) // 8


def test_overhead_is_kept_free_on_a_short_clock():
    engine = Engine(Hash=4, nodestime=NODES_PER_MS)
    engine.set_option("Move Overhead", 1000)
    assert spent(engine=engine, wtime=1500, movestogo=1) <= 500 * NODES_PER_MS + SLACK
    assert spent(engine=engine, wtime=3000, winc=3000) <= 2000 * NODES_PER_MS + SLACK
