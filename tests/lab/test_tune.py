"""Parameters tuned by games: the numbers follow from the results alone, and a tuning goes on where it was left."""

import json
import multiprocessing
import random
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace

import pytest

from barreleye.cli import main
from barreleye.core.parameters import parse, rewritten, tunable
from barreleye.core.pool import IS_TUNING_BUILD
from barreleye.lab.duel import duel
from barreleye.lab.entrant import Entrant
from barreleye.lab.notes import Notes
from barreleye.lab.plan import NodeClock, Plan
from barreleye.lab.spsa import Knob, Schedule, Spsa
from barreleye.lab.tuning import GROUPS, knobs, tune, validate

tuning_build = pytest.mark.skipif(not IS_TUNING_BUILD, reason="needs a tuning build: make test TUNE=1")
ordinary_build = pytest.mark.skipif(IS_TUNING_BUILD, reason="a tuning build tunes")
PLAN = Plan(Entrant(), Entrant(), nodes=150, seed=5)


def climb(order):
    """A noisy hill of ten numbers, whose top is 60 away from the start, climbed with results in some order."""
    hill = [Knob(f"P{number}", 240, 100, 500, 20.0) for number in range(10)]
    spsa, chance = Spsa(hill, Schedule(4000, rate=0.01), seed=3), random.Random(4)
    luck = [chance.gauss(0, 1) for _ in range(4000)]

    def height(numbers):
        return -sum((value - 300) ** 2 for value in numbers) / 20000

    waiting = list(order)
    while waiting:
        number = next(pair for pair in waiting if spsa.is_ready(pair))
        waiting.remove(number)
        one, other = (height(side.values()) for side in spsa.sides(number))
        spsa.add(number, min(2.0, max(0.0, 1 + round(2 * (one - other + luck[number])) / 2)))
    return height([240] * 10), height(spsa.values), spsa.values


def test_the_numbers_climb_whatever_the_order_of_the_games():
    before, after, values = climb(range(4000))
    assert after > before / 4
    shuffled = sorted(range(4000), key=lambda number: (number // 8, -number))
    assert climb(shuffled)[2] == values


def test_numbers_stay_in_their_range_and_small_steps_are_taken_now_and_then():
    spsa = Spsa([Knob("A", 2, 1, 3, 0.1), Knob("B", 100, 90, 100, 30.0)], Schedule(200), seed=1)
    seen = [side for number in range(16) for side in spsa.sides(number)]
    assert {side["A"] for side in seen} <= {1, 2, 3} and len({side["A"] for side in seen}) > 1
    assert all(90 <= side["B"] <= 100 for side in seen)
    for number in range(200):
        spsa.add(number, 2.0 if spsa.sides(number)[0]["B"] > 95 else 0.0)
    assert spsa.values[1] == 100.0 and not spsa.is_ready(10**6)


@pytest.mark.parametrize("wrong", [{"pairs": 0}, {"pairs": 5, "rate": 0}, {"pairs": 5, "batch": 0}])
def test_a_schedule_that_cannot_be(wrong):
    with pytest.raises(ValueError, match="expected at least 1 pair"):
        Schedule(**wrong)


def test_groups_name_parameters_that_exist():
    names = {parameter.name for parameter in tunable()}
    for group in GROUPS.values():
        assert set(group) <= names and len(set(group)) == len(group)
    assert len(GROUPS["search"]) == 40


def test_words_name_parameters():
    names = [knob.name for knob in knobs(["NULL_BASE", "RAZOR_*"], Entrant())]
    assert names == ["NULL_BASE", "RAZOR_BASE", "RAZOR_MARGIN"]
    assert knobs(["NULL_BASE:7"], Entrant(params={"NULL_BASE": 200}))[0] == Knob("NULL_BASE", 200, 50, 400, 7.0)
    assert len(knobs(["search", "time"], Entrant())) == len(GROUPS["search"]) + len(GROUPS["time"])
    for word, said in (("NUL_BASE", "no parameter is called 'NUL_BASE'"),
                       ("NULL_BASE:x", "a step is a number above 0")):
        with pytest.raises(ValueError, match=said):
            knobs([word], Entrant())


def test_numbers_are_written_into_the_header():
    text = "cdef enum:\n    A_B = 10     # [3, 30]  first\n    LONG_ONE = 9  # [1, 2000]  second\n    BARE = 4\n"
    fresh = rewritten(text, {"A_B": 7, "LONG_ONE": 1234, "BARE": 5})
    assert fresh == ("cdef enum:\n    A_B = 7      # [3, 30]  first\n    LONG_ONE = 1234  # [1, 2000]  second\n"
                     "    BARE = 5\n")
    assert [parameter.default for parameter in parse(fresh)] == [7, 1234, 5]
    with pytest.raises(ValueError, match="C cannot be found there"):
        rewritten(text, {"C": 1})


@ordinary_build
def test_an_ordinary_build_says_what_to_do(capsys):
    assert main(["lab", "tune", "RAZOR_BASE", "--games", "2"]) == 2
    assert "make build TUNE=1" in capsys.readouterr().err


@tuning_build
def test_the_same_numbers_on_any_number_of_threads_and_after_an_interruption(tmp_path):
    chosen, schedule = knobs(["RAZOR_*", "LMR_BASE"], Entrant()), Schedule(24, rate=0.3, batch=4)
    whole = tune(chosen, PLAN, schedule, threads=1)
    assert whole.is_complete and whole.changes
    path = tmp_path / "tuning.notes"

    def interrupt(tuning):
        if tuning.standing.games >= 20:
            raise KeyboardInterrupt

    with Notes(path) as notes:
        part = tune(chosen, PLAN, schedule, threads=2, notes=notes, on_change=interrupt)
    assert part.interrupted and not part.is_complete
    with Notes(path) as notes:
        rest = tune(chosen, PLAN, schedule, threads=2, notes=notes)
        assert rest.standing.found >= 20 and not rest.interrupted
        assert rest.spsa.path == whole.spsa.path
        again = validate(rest, 4, threads=2, notes=notes)
        assert again.games == 4 and again.names == ("tuned", "start")
    with Notes(path) as notes, pytest.raises(ValueError, match="holds a duel with other settings"):
        tune(chosen, replace(PLAN, nodes=151), schedule, notes=notes)


@tuning_build
def test_a_cluster_comes_to_the_same_numbers():
    chosen, schedule = knobs(["RAZOR_*", "LMR_BASE"], Entrant()), Schedule(16, rate=0.3, batch=4)
    here = tune(chosen, PLAN, schedule, threads=1)
    with ProcessPoolExecutor(2, multiprocessing.get_context("spawn")) as executor:
        there = tune(chosen, PLAN, schedule, executor=executor)
    assert there.is_complete and there.spsa.path == here.spsa.path


@tuning_build
def test_the_command_writes_numbers_and_says_what_came_out(tmp_path, capsys):
    header = tmp_path / "params.pxd"
    header.write_text("    LMR_BASE = 1182   # [500, 2000]  more\n    OTHER = 3\n", encoding="utf-8")
    asked = ["lab", "tune", "LMR_BASE", "--games", "32", "--nodes", "200", "--rate", "1", "--batch", "2",
             "--validate", "2", "--into", str(header), "--json", "--notes", str(tmp_path / "notes")]
    assert main(asked) == 0
    told = json.loads(capsys.readouterr().out)
    [row] = told["parameters"]
    assert told["games"] == 32 and told["validation"]["games"] == 2 and told["changes"]["LMR_BASE"] != 1182
    assert f"LMR_BASE = {told['changes']['LMR_BASE']} " in header.read_text(encoding="utf-8")
    assert row["start"] == 1182 and row["step"] == 75.0
    assert main([*asked, "--pace", "100"]) == 2
    assert "give --clock as well" in capsys.readouterr().err


def test_games_by_a_clock_of_nodes_can_be_repeated_and_use_it_up():
    clock = NodeClock.parse("0.05+0.001", nodes_per_ms=1000)
    games = [duel("default", "default", games=2, clock=clock, threads=threads, seed=2) for threads in (1, 2)]
    assert [pair.games for pair in games[0].pairs] == [pair.games for pair in games[1].pairs]
    assert games[0].nodes == games[1].nodes
    for spent, game in zip(games[0].nodes, (0, 1), strict=True):
        moves = games[0].plies / 2 / 2
        budget = 2 * (50_000 + moves * 1000)
        assert 0.3 * budget < spent < 1.1 * budget, (spent, budget, game)


@pytest.mark.parametrize(("text", "said"), [("nodes=5", "not a clock for a whole game"), ("x", "is not a time control"),
                                            ("40/1", "not a clock for a whole game")])
def test_clocks_that_cannot_be(text, said):
    with pytest.raises(ValueError, match=said):
        NodeClock.parse(text)
    with pytest.raises(ValueError, match="a clock takes the place"):
        Plan(Entrant.parse("nodes=5"), Entrant(), clock=NodeClock(1000))
