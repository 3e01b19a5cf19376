"""The numbers of params.pxd as data, and in a tuning build as something that each engine has for itself."""

import re
import threading
from pathlib import Path

import pytest

from barreleye.core import parameters
from barreleye.core.parameters import Parameter, numbers, parse, tunable
from barreleye.core.pool import IS_TUNING_BUILD, Pool
from barreleye.core.position import Position
from barreleye.engine import Engine, options

CORE = Path(parameters.__file__).parent
MIDDLEGAME = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
tuning_build = pytest.mark.skipif(not IS_TUNING_BUILD, reason="needs a tuning build: make test TUNE=1")
ordinary_build = pytest.mark.skipif(IS_TUNING_BUILD, reason="a tuning build takes every parameter")


def nodes(pool: Pool) -> int:
    pool.new_game()
    pool.search(Position(MIDDLEGAME), {"depth": 8})
    return pool.nodes


def test_every_line_of_the_header_is_understood():
    lines = [line for line in (CORE / "params.pxd").read_text(encoding="utf-8").splitlines()
             if re.match(r"\s+[A-Z][A-Z0-9_]*\s*=", line)]
    assert len(lines) > 200
    assert len(tunable()) == len(lines) == len({parameter.name for parameter in tunable()})
    for line, parameter in zip(lines, tunable(), strict=True):
        assert line.split("#")[0].split("=")[0].strip() == parameter.name
        assert int(line.split("#")[0].split("=")[1]) == parameter.default
        assert ("[" in line) == (f"[{parameter.low}, {parameter.high}]" in line), line
        assert "[" not in parameter.meaning


def test_ranges_contain_the_value():
    for parameter in tunable():
        assert parameter.low <= parameter.default <= parameter.high, parameter
        assert parameter.low < parameter.high, parameter


def test_each_has_a_range_and_a_meaning():
    header = (CORE / "params.pxd").read_text(encoding="utf-8")
    for parameter in tunable():
        assert f"[{parameter.low}, {parameter.high}]" in header, parameter
        assert len(parameter.meaning.split()) > 1, parameter
    assert not re.search(r"^# [A-Z]\d", header, re.MULTILINE), "a section is named by a step that readers can find"


def test_each_is_read_by_the_core():
    sources = [path for path in CORE.rglob("*.p*") if path.suffix in (".py", ".pxd")]
    source = "\n".join(path.read_text(encoding="utf-8") for path in sources)
    read = set(re.findall(r"\bparams\.([A-Z][A-Z0-9_]+)\b", source))
    assert sorted({parameter.name for parameter in tunable()} - read) == []
    assert sorted(read - {parameter.name for parameter in tunable()}) == []


def test_no_divisor_can_become_zero():
    source = "\n".join(path.read_text(encoding="utf-8") for path in CORE.rglob("*.py"))
    divisors = set(re.findall(r"(?:/|%) *\(?(?:params\.)([A-Z][A-Z0-9_]+)\b", source))
    found = [parameter for parameter in tunable() if parameter.name in divisors]
    assert len(found) > 10
    assert [parameter for parameter in found if parameter.low <= 0] == []


def test_a_line_is_read_with_and_without_range_and_meaning():
    header = "    A_B = -7   # [-9, 3]  of 1024: so much\n    C = 1\n    D2 = -71  # why\n    E = 9 # [1, 12]\n"
    assert parse(header) == [
        Parameter("A_B", -7, -9, 3, "of 1024: so much"), Parameter("C", 1, 1, 2, ""),
        Parameter("D2", -71, -142, -35, "why"), Parameter("E", 9, 1, 12, ""),
    ]


def test_unknown_names_and_numbers_out_of_range_are_refused():
    assert numbers({}) == [parameter.default for parameter in tunable()]
    changed = numbers({"RAZOR_BASE": 250})
    assert [(now, parameter.name) for now, parameter in zip(changed, tunable(), strict=True)
            if now != parameter.default] == [(250, "RAZOR_BASE")]
    with pytest.raises(ValueError, match="'RAZOR_BAS' is not a parameter"):
        numbers({"RAZOR_BAS": 250})
    with pytest.raises(ValueError, match="RAZOR_BASE is 99, expected a number from 100 to 500"):
        numbers({"RAZOR_BASE": 99})


@ordinary_build
def test_an_ordinary_build_has_its_numbers_for_good():
    pool = Pool(1)
    pool.set_params({})
    with pytest.raises(ValueError, match="not a tuning build: build with BARRELEYE_TUNE=1"):
        pool.set_params({"RAZOR_BASE": 250})
    with pytest.raises(ValueError, match="no such option: RAZOR"):
        Engine(Hash=1, RAZOR_BASE=250)


@tuning_build
def test_engines_on_one_thread_have_parameters_of_their_own():
    first, second = Pool(1), Pool(1)
    usual = nodes(first)
    second.set_params({"FUTILITY_MARGIN": 100, "SEE_QUEEN": 1200, "LMR_TABLE_SCALE": 2400})
    other = nodes(second)
    assert other != usual
    assert [nodes(pool) for pool in (first, second, first, second)] == [usual, other, usual, other]
    second.set_params({})
    assert nodes(second) == usual


@tuning_build
@pytest.mark.parametrize(("name", "value"), [
    ("FUTILITY_MARGIN", 100), ("SEE_QUEEN", 1400), ("LMR_TABLE_SCALE", 3400), ("MAIN_HISTORY_START", 130),
    ("LOW_PLY_HISTORY_START", 190), ("QS_FUTILITY_BASE", 300), ("ASPIRATION_DELTA", 25), ("BONUS_DEPTH", 250),
    ("CAPTURE_VICTIM_SCALE", 5), ("TT_KEEP_DEPTH", 1),
])
def test_each_module_reads_them(name: str, value: int):
    pool = Pool(1)
    usual = nodes(pool)
    pool.set_params({name: value})
    assert nodes(pool) != usual


@tuning_build
def test_engines_on_threads_of_their_own_do_not_meet():
    pools = [Pool(1) for _ in range(3)]
    for pool, margin in zip(pools, (55, 90, 130), strict=True):
        pool.set_params({"FUTILITY_MARGIN": margin})
    alone = [nodes(pool) for pool in pools]
    assert len(set(alone)) == 3
    counts: dict[int, set[int]] = {index: set() for index in range(3)}

    def run(index: int) -> None:
        for _ in range(5):
            counts[index].add(nodes(pools[index]))

    threads = [threading.Thread(target=run, args=(index,)) for index in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [counts[index] for index in range(3)] == [{count} for count in alone]


@tuning_build
def test_new_threads_get_the_parameters_of_their_pool():
    pool = Pool(1)
    pool.set_params({"LMR_TABLE_SCALE": 3400})
    pool.set_threads(2)
    assert nodes(pool) > 0
    pool.set_threads(1)
    alone = Pool(1)
    alone.set_params({"LMR_TABLE_SCALE": 3400})
    assert nodes(pool) == nodes(alone)


@tuning_build
def test_the_budget_follows_the_parameters_of_the_engine():
    def depth_reached(**changes: int) -> int:
        pool = Pool(1)
        pool.set_params(changes)
        pool.set_nodestime(100)
        return int(pool.search(Position(), {"wtime": 1000, "btime": 1000})[2].nodes)

    assert depth_reached(SHARE_BASE=6, MAXIMUM_SHARE=600) < depth_reached(SHARE_BASE=24, STRETCH_LIMIT=13280)


@tuning_build
def test_parameters_are_options_of_the_engine():
    engine = Engine(Hash=1, RAZOR_BASE=250)
    engine.set_option("futility_margin", "100")
    assert engine.pool.params == {"RAZOR_BASE": 250, "FUTILITY_MARGIN": 100}
    assert engine.configuration() == {"Hash": 1, "RAZOR_BASE": 250, "FUTILITY_MARGIN": 100}
    engine.set_option("RAZOR_BASE", 240)
    assert engine.pool.params == {"FUTILITY_MARGIN": 100}
    with pytest.raises(ValueError, match="FUTILITY_MARGIN is '7', expected a number from 30 to 140"):
        engine.set_option("FUTILITY_MARGIN", "7")
    assert len(options.PARAMETERS) == len(tunable())
