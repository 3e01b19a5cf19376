"""What a search may use up."""

import dataclasses
from typing import Any

import pytest
from chess.engine import Limit

from barreleye import Engine
from barreleye.core.pool import Pool
from barreleye.core.position import Position
from barreleye.engine.limits import NAMES, RANGES, Limits


@pytest.mark.parametrize(("limit", "words"), [
    (None, {"infinite": True}), (Limit(), {"infinite": True}), (Limit(time=0.25), {"movetime": 250}),
    (Limit(time=0), {"movetime": 1}), (Limit(depth=3, nodes=0), {"depth": 3, "nodes": 1}), (Limit(mate=2), {"mate": 2}),
    (Limit(white_clock=10, black_clock=0.0001, white_inc=0.1, black_inc=0, remaining_moves=7),
     {"wtime": 10_000, "btime": 1, "winc": 100, "binc": 0, "movestogo": 7}),
    (Limit(white_clock=-3, remaining_moves=0), {"wtime": 1}),
    ({"time": 0.5}, {"movetime": 500}), ({"white_clock": 1, "winc": 5}, {"wtime": 1000, "winc": 5}),
    ({"nodes": 10}, {"nodes": 10}), ({"depth": None, "nodes": 10}, {"nodes": 10}), ({}, {"infinite": True}),
    (Limits(softnodes=5), {"softnodes": 5}),
])
def test_limits_are_given_in_many_ways(limit, words):
    assert Limits.of(limit).words() == words


@pytest.mark.parametrize(("limit", "complaint"), [
    (5, "5 is not a limit: give a chess.engine.Limit"),
    ({"depth": "3"}, "depth is '3', expected a whole number from 1 to 2147483647"),
    ({"depth": 2.5}, "depth is 2.5, expected a whole number"),
    ({"depth": True}, "depth is True, expected a whole number"),
    ({"depht": 3}, "no such limit: depht; did you mean depth?"),
    ({"zeit": 3}, "no such limit: zeit; there are wtime, btime"),
    ({"time": 1, "movetime": 1000}, "give movetime only once"),
    ({"time": "1"}, "time is '1', expected a number"),
    (Limit(nodes=float("nan")),  # type: ignore[arg-type]
      "nodes is nan, expected a number"),
    (Limit(time=float("inf")), "time is inf, expected a number"),
    (Limit(time=-1), "time is -1, expected a number of at least 0"),
])
def test_what_is_wrong_is_named(limit, complaint):
    with pytest.raises((TypeError, ValueError)) as refused:
        Limits.of(limit)
    assert complaint in str(refused.value)


@pytest.mark.parametrize("name", RANGES)
def test_the_largest_values_reach_the_search_and_larger_ones_are_refused(name):
    least, most = RANGES[name]
    asked: dict[str, Any] = {name: most}
    pool = Pool(1, 1)
    pool.set_nodestime(10_000)
    pool.prepare(Position(), {"nodes": 10, "depth": 2, **Limits(**asked).words()})
    assert pool.run()[0]
    for wrong in (least - 1, most + 1):
        with pytest.raises(ValueError, match=f"{name} is {wrong}, expected a whole number from {least} to {most}"):
            Limits.of({name: wrong})


def test_limits_are_frozen_and_complete():
    with pytest.raises(dataclasses.FrozenInstanceError):
        Limits(depth=3).depth = 4  # type: ignore[misc]
    assert set(NAMES) == {*RANGES, "infinite", "ponder"}
    assert Limits(depth=3) == Limits.of({"depth": 3}) and repr(Limits(depth=3)) == "Limits(depth=3)"


def test_a_level_takes_no_more_nodes_than_are_allowed():
    assert Limits(depth=3).capped(0, 100).words() == {"depth": 3, "nodes": 100}
    assert Limits(nodes=50).capped(0, 100).nodes == 50


def test_the_clock_while_pondering():
    limits = Limits(wtime=10_000, btime=8000, winc=100, binc=200, movestogo=2)
    assert limits.pondering(True, 1.5).words() == {
        "wtime": 8600, "btime": 8200, "winc": 100, "binc": 200, "movestogo": 1, "ponder": True}
    assert limits.pondering(True, 100).wtime == 1
    assert Limits(wtime=5, movestogo=1).pondering(True, 0).movestogo is None


def test_a_search_takes_limits_as_they_are():
    engine = Engine(Hash=1)
    assert engine.go(Limits(nodes=200)).wait().nodes <= 1200
    assert engine.go({"nodes": 200}).wait().best_move
    assert engine.go(Limit(nodes=200)).wait().best_move
