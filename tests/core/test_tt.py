"""The transposition table, seen from outside: what fills it, ages it, empties it, and what it does for a search."""

import pytest

from barreleye.core.tt import TranspositionTable
from barreleye.engine import Engine
from barreleye.engine.bench import POSITIONS
from barreleye.wdl import mate_moves

MIDDLEGAME = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
ROOK_MATE = "7k/8/5K2/6R1/8/8/8/8 w - - {} 90"            # mate in two


def test_new_table_is_empty_and_has_its_size():
    for size in (1, 2, 3, 64):
        table = TranspositionTable(size)
        assert table.size_mb == size
        assert table.hashfull() == table.hashfull(10) == 0


def test_resize_and_clear_forget():
    engine = Engine(Hash=1)
    engine.search(depth=8)
    assert engine.pool.tt.hashfull() > 0
    engine.set_option("Hash", 2)
    assert engine.pool.tt.hashfull() == 0 and engine.pool.tt.size_mb == 2
    engine.search(depth=8)
    engine.set_option("Clear Hash")
    assert engine.pool.tt.hashfull() == 0
    engine.search(depth=8)
    engine.set_option("Hash", 2)
    assert engine.pool.tt.hashfull() == 0, "setting the same size empties it too"


@pytest.mark.parametrize("size", [0, -1, 33_554_433])
def test_size_out_of_range_is_refused(size: int):
    table = TranspositionTable(1)
    with pytest.raises(ValueError, match=f"Hash is {size}"):
        table.resize(size)
    assert table.size_mb == 1


def test_memory_that_is_not_there_is_refused():
    table = TranspositionTable(1)
    with pytest.raises(MemoryError, match="not enough memory"):
        table.resize(33_554_432)
    assert table.size_mb == 1 and table.hashfull() == 0


def test_entries_age_with_each_search():
    engine = Engine(Hash=1)
    table = engine.pool.tt
    engine.position(MIDDLEGAME)
    engine.search(nodes=50_000)
    fresh = table.hashfull()
    assert fresh > 100
    table.new_search()
    assert table.hashfull() == 0
    assert table.hashfull(1) == fresh
    for _ in range(100):
        table.new_search()           # the generation wraps around without harm
    assert 0 <= table.hashfull(31) <= 1000


def test_full_table_gives_way_to_new_searches():
    """Old entries are replaced: after another position's search most of the table is of the new generation."""
    engine = Engine(Hash=1)
    engine.position(MIDDLEGAME)
    engine.search(nodes=400_000)
    engine.position()
    engine.search(nodes=400_000)
    assert engine.pool.tt.hashfull() > 500
    assert engine.pool.tt.hashfull(31) <= 1000


def test_table_makes_the_same_search_cheaper():
    engine = Engine(Hash=16)
    first = second = 0
    for fen in POSITIONS[:12]:
        engine.new_game()
        engine.position(fen)
        first += engine.search(depth=8).nodes
        second += engine.search(depth=8).nodes
    assert second < 0.8 * first


def test_mates_are_kept_relative_to_the_node():
    """The same position at another distance from the root: its mate keeps its own length."""
    engine = Engine(Hash=4)
    engine.position(ROOK_MATE.format(0))
    first = engine.search(depth=10)
    assert mate_moves(first.info.score) == 2
    line = [str(engine.text(move)) for move in first.info.pv]
    for played in (1, 2):
        engine.position(ROOK_MATE.format(0), line[:played])
        assert mate_moves(engine.search(depth=6).info.score) == (-1, 1)[played - 1]
    engine.position(ROOK_MATE.format(0))
    assert mate_moves(engine.search(depth=4).info.score) == 2


def test_mate_too_far_for_the_fifty_move_counter_is_not_believed():
    engine = Engine(Hash=4)
    engine.position(ROOK_MATE.format(0))
    assert mate_moves(engine.search(depth=10).info.score) == 2
    engine.position(ROOK_MATE.format(98))
    assert mate_moves(engine.search(depth=8).info.score) is None
    engine.position(ROOK_MATE.format(97))
    assert mate_moves(engine.search(depth=8).info.score) == 2


def test_parallel_clear_clears_all():
    table = TranspositionTable(64, 4)
    assert table.hashfull(31) == 0
    table.clear(4)
    assert table.hashfull(31) == 0
