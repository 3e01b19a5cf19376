"""The engine as a Python object."""

import gc
import itertools
import sys
import threading
import time
import weakref

import chess
import pytest

from barreleye.core.pool import Pool
from barreleye.core.position import Position
from barreleye.core.report import SearchInfo
from barreleye.core.techniques import TECHNIQUES
from barreleye.engine import Engine, Result
from barreleye.engine.search_thread import Search
from barreleye.wdl import mate_moves

MATE_IN_TWO = "7k/8/5K2/6R1/8/8/8/8 w - - 0 1"
MIDDLEGAME = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"


class Listener:
    """Hears reports and holds on to the engine that makes them, as people's listeners do."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine

    def hear(self, info: object) -> None:
        assert self.engine.board is not None


def legal(fen: str) -> set[str]:
    return {move.uci() for move in chess.Board(fen).legal_moves}


def test_search_gives_move_reply_and_report():
    result = Engine(Hash=1).search(depth=6)
    assert result.best_move in legal(chess.STARTING_FEN)
    board = chess.Board()
    board.push_uci(str(result.best_move))
    assert chess.Move.from_uci(str(result.ponder)) in board.legal_moves
    assert result.info.depth == 6 and result.info.bound == 0 and result.nodes > 100


def test_position_with_moves_and_what_is_refused():
    engine = Engine(Hash=1)
    engine.position(moves=["e2e4", "e7e5"])
    before = engine.board.fen()
    with pytest.raises(ValueError):
        engine.position("rubbish")
    with pytest.raises(ValueError):
        engine.position(moves=["e2e4", "e2e4"])
    with pytest.raises(ValueError):
        engine.go({"depth": 1}, searchmoves=["e2e4"])
    assert engine.board.fen() == before
    assert engine.search(depth=1).best_move in legal(before)


def test_playing_on_from_the_position():
    engine = Engine(Hash=1)
    engine.position(moves=["e2e4"])
    earlier = engine.board
    engine.play_on(["e7e5", "g1f3"])
    board = chess.Board()
    for move in ("e2e4", "e7e5", "g1f3"):
        board.push_uci(move)
    assert engine.board.fen() == board.fen()
    assert earlier.fen() != engine.board.fen(), "a board that somebody holds does not change"
    with pytest.raises(ValueError):
        engine.play_on(["b8c6", "e2e4"])
    assert engine.board.fen() == board.fen()


def test_same_limits_same_nodes():
    """In one engine after a new game, in another engine, and beside a busy one."""
    engine, other, busy = Engine(Hash=1), Engine(Hash=1), Engine(Hash=1)
    busy.go({"infinite": True})
    counts = set()
    for which in (engine, other, engine):
        which.new_game()
        which.position(MIDDLEGAME)
        counts.add((which.search(depth=8).nodes, which.search(nodes=5000).nodes, which.search(depth=9).best_move))
    busy.stop()
    busy.wait()
    assert len(counts) == 1


def test_many_engines_at_once():
    engines = [Engine(Hash=1) for _ in range(8)]
    for engine in engines:
        engine.position(MATE_IN_TWO)
        engine.go({"depth": 8})
    assert {mate_moves(engine.wait().info.score) for engine in engines} == {2}


def test_wait_before_go_and_stop_without_search():
    engine = Engine(Hash=1)
    engine.stop()
    engine.ponderhit()
    with pytest.raises(ValueError, match="no search"):
        engine.wait()


def test_stop_from_another_thread():
    engine = Engine(Hash=1)
    seen = threading.Event()
    engine.go({"infinite": True}, on_info=lambda info: seen.set() if info.depth >= 3 else None)
    assert seen.wait(60)
    assert engine.is_searching
    threading.Thread(target=engine.stop).start()
    assert engine.wait().best_move in legal(chess.STARTING_FEN)
    assert not engine.is_searching


def test_a_new_go_ends_the_one_before():
    engine = Engine(Hash=1)
    done: list[Result] = []
    engine.go({"infinite": True}, on_done=done.append)
    engine.go({"depth": 2}, on_done=done.append)
    engine.wait()
    assert len(done) == 2


def test_error_in_a_listener_reaches_the_waiter():
    engine = Engine(Hash=1)

    def fail(_: object) -> None:
        raise RuntimeError("from the listener")

    engine.go({"depth": 1}, on_done=fail)
    with pytest.raises(RuntimeError, match="from the listener"):
        engine.wait()
    assert engine.search(depth=1).best_move


def test_stats_count_what_happened():
    engine = Engine(Hash=4)
    engine.position(MIDDLEGAME)
    result = engine.search(depth=10)
    stats = engine.stats()
    assert stats["nodes"] == result.nodes and stats["depth"] == 10
    assert 0 < stats["tt_hits"] <= stats["tt_probes"]
    assert 0 < stats["first_move_cutoffs"] <= stats["beta_cutoffs"]
    assert stats["quiescence_nodes"] > 0 and stats["evaluations"] > 0
    assert set(stats["techniques"]) == {technique.name for technique in TECHNIQUES}
    for name in ("Late Move Reduction", "Null Move", "Futility", "TT Cutoff", "Quiescence SEE"):
        row = stats["techniques"][name]
        assert 0 < row["succeeded"] <= row["tried"], name
    assert not stats["techniques"]["Razoring"]["enabled"]
    assert stats["techniques"]["Razoring"]["succeeded"] == 0


def test_an_engine_nobody_holds_is_gone():
    """Without the collector of cycles: a table is large, and cycles may wait for long."""
    gc.disable()
    try:
        engine = Engine(Hash=1)
        engine.search(depth=2, on_info=Listener(engine).hear)
        gone = weakref.ref(engine)
        del engine
        assert gone() is None
    finally:
        gc.enable()


# The thread that searches


def test_one_thread_does_all_searches_of_an_engine():
    engine = Engine(Hash=1)
    threads: set[threading.Thread] = set()
    for _ in range(5):
        engine.search(depth=2, on_info=lambda _: threads.add(threading.current_thread()))
    assert len(threads) == 1 and threading.current_thread() not in threads
    engine.quit()
    threads.pop().join(60)           # a closed engine needs none


def test_a_listener_to_the_end_may_search_and_wait():
    """Its own thread is not free yet, so the search must find another one."""
    engine = Engine(Hash=1)
    second: list[Result] = []

    def again(_: Result) -> None:
        engine.position(MATE_IN_TWO)
        second.append(engine.search(depth=6))

    engine.go({"depth": 2}, on_done=again).wait()
    assert mate_moves(second[0].info.score) == 2
    assert engine.search(depth=1).best_move in legal(MATE_IN_TWO)


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_listener_to_errors_may_fail_too():
    engine = Engine(Hash=1)

    def fail(_: object) -> None:
        raise RuntimeError("from the listener")

    def fail_again(_: object) -> None:
        raise ValueError("from the listener to errors")

    search = engine.go({"depth": 1}, on_done=fail, on_error=fail_again)
    with pytest.raises(RuntimeError, match="from the listener"):
        search.wait()
    assert engine.search(depth=1).best_move


def test_the_future_of_a_search_whenever_it_is_asked_for():
    engine = Engine(Hash=1)
    search = engine.go({"infinite": True})
    early = search.future
    assert not early.done() and search.future is early
    search.stop()
    assert early.result(60) is search.wait()
    late = engine.go({"depth": 1})
    assert late.wait() is late.future.result(0)

    def fail(_: object) -> None:
        raise RuntimeError("from the listener")

    failed = engine.go({"depth": 1}, on_info=fail)
    with pytest.raises(RuntimeError, match="from the listener"):
        failed.wait()
    assert isinstance(failed.future.exception(0), RuntimeError) and engine.last_error is failed.future.exception(0)


def test_an_abandoned_search_does_not_begin():
    pool = Pool(1)
    done: list[Result] = []
    search = Search(pool, False, on_done=done.append)
    pool.prepare(Position(), {"infinite": True})
    search.abandon()
    search.run()
    assert not search.is_alive and not search.is_busy and done == []
    assert pool.search(Position(), {"nodes": 100})[0]


# What is reported


def heard_by(pool: Pool, limits: dict[str, object], sparing: bool) -> tuple[list[SearchInfo], SearchInfo]:
    heard: list[SearchInfo] = []
    pool.prepare(Position(MIDDLEGAME), limits)
    return heard, pool.run(heard.append, sparing)[2]


@pytest.mark.parametrize("limits", [{"movetime": 20}, {"movetime": 200}, {"wtime": 500, "btime": 500}])
def test_a_sparing_search_tells_of_its_last_line_with_the_result(limits: dict[str, object]):
    pool = Pool(1)
    for _ in range(3):
        heard, last = heard_by(pool, limits, sparing=True)
        assert last.depth >= 1 and last.pv
        assert pool.is_untold == (not heard or heard[-1].nodes != last.nodes)
        times = [0, *[info.time_us for info in heard]]
        assert all(later - earlier >= 50_000 for earlier, later in itertools.pairwise(times))


@pytest.mark.parametrize("limits", [
    {"depth": 6}, {"nodes": 3000}, {"depth": 6, "movetime": 60_000}, {"depth": 6, "wtime": 600_000, "btime": 600_000},
])
def test_every_iteration_is_reported_where_no_clock_ends_the_search(limits: dict[str, object]):
    heard, last = heard_by(Pool(1), limits, sparing=False)
    pool = Pool(1)
    spared, same = heard_by(pool, limits, sparing=True)
    assert [info.depth for info in heard][:4] == [1, 2, 3, 4]
    assert [(info.depth, info.nodes) for info in spared] == [(info.depth, info.nodes) for info in heard]
    assert not pool.is_untold and last.nodes == same.nodes == spared[-1].nodes


def test_every_iteration_of_several_lines_is_reported():
    pool = Pool(1)
    pool.set_multipv(2)
    heard, _ = heard_by(pool, {"movetime": 20}, sparing=True)
    assert [(info.depth, info.multipv) for info in heard[:4]] == [(1, 1), (1, 2), (2, 1), (2, 2)]
    assert not pool.is_untold


def test_lines_reported_together_agree_on_the_table():
    pool = Pool(1)
    pool.set_multipv(3)
    heard, last = heard_by(pool, {"depth": 8}, sparing=False)
    assert len({info.hashfull for info in heard[-3:]}) == 1 and heard[-3].hashfull == last.hashfull > 0


def test_processor_time_of_nodes_is_kept_on_request():
    pool = Pool(1)
    pool.search(Position(MIDDLEGAME), {"nodes": 20_000})
    assert pool.times() == {"nodes": 0, "first": 0, "last": 0}
    pool.time_nodes()
    used, started = time.process_time(), time.monotonic_ns() // 1000
    pool.search(Position(MIDDLEGAME), {"nodes": 20_000}, None, lambda info: None)
    times = pool.times()
    assert 0 < times["nodes"] <= 1e6 * (time.process_time() - used) + 2
    assert times["nodes"] <= times["last"] - times["first"] + 2
    if sys.platform == "linux":                       # the same clock as Python's
        assert started <= times["first"] < times["last"] <= time.monotonic_ns() // 1000
    pool.time_nodes(False)
    pool.search(Position(MIDDLEGAME), {"nodes": 20_000})
    assert pool.times() == times
