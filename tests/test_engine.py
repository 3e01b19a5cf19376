"""The engine as a Python object."""

import gc
import threading
import weakref

import chess
import pytest

from barreleye.core.techniques import TECHNIQUES
from barreleye.engine import Engine, Result
from barreleye.wdl import chances, mate_moves

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


@pytest.mark.parametrize(("score", "moves"), [
    (31999, 1), (31998, 1), (31997, 2), (-31998, -1), (-31996, -2), (-32000, 0), (500, None), (-500, None),
    (31000, None),
])
def test_mate_in_moves(score: int, moves: int | None):
    assert mate_moves(score) == moves


def test_chances_add_up_and_rise_with_the_score():
    scores = [-32000, -1000, -100, 0, 100, 1000, 32000]
    rows = [chances(score) for score in scores]
    assert all(sum(row) == 1000 and min(row) >= 0 for row in rows)
    assert [row[0] for row in rows] == sorted(row[0] for row in rows)
    assert rows[3][0] == rows[3][2]
    assert rows[0] == (0, 0, 1000) and rows[-1] == (1000, 0, 0)
