"""Facts are stated once, by the core, and nobody above says anything else."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import barreleye
from barreleye import wdl
from barreleye.core import facts, machine
from barreleye.core.pool import Pool
from barreleye.engine import options

SOURCE = Path(barreleye.__file__).parent


def test_they_fit_together():
    assert facts.MAX_DEPTH < facts.MAX_PLY
    assert facts.MATE - facts.MATE_RANGE == facts.TABLEBASE - facts.TABLEBASE_RANGE == facts.MAX_PLY
    assert facts.TABLEBASE < facts.MATE_RANGE
    assert wdl.mate_moves(facts.MATE - 1) == 1
    assert wdl.mate_moves(facts.TABLEBASE) is None


def test_options_allow_what_the_core_does():
    assert options.find("Threads").maximum == facts.MAX_THREADS
    assert options.find("Hash").maximum == facts.MAX_HASH_MB


def test_the_core_refuses_what_is_beyond_them():
    with pytest.raises(ValueError, match=f"to {facts.MAX_THREADS}"):
        Pool(1, facts.MAX_THREADS + 1)
    with pytest.raises(ValueError, match=f"to {facts.MAX_HASH_MB}"):
        Pool(facts.MAX_HASH_MB + 1)


def test_nothing_above_the_core_counts_processors_itself():
    for path in SOURCE.rglob("*.py"):
        if path != SOURCE / "core" / "machine.py":
            assert not re.search(r"cpu_count|sched_getaffinity", path.read_text(encoding="utf-8")), path


def test_a_process_bound_to_one_processor_counts_one(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {3}, raising=False)
    assert machine.processors() == 1
    monkeypatch.delattr(os, "sched_getaffinity")
    monkeypatch.setattr(os, "cpu_count", lambda: None)
    assert machine.processors() == 1


def test_a_search_has_room_on_threads_that_are_given_little():
    # Where threads get as little as musl gives them, a search without a stack of its own is the end of the process.
    fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
    program = f"""if True:
        import threading
        try:
            threading.stack_size(65536)
        except ValueError:
            threading.stack_size(131072)         # the least on arm64
        import barreleye
        engine = barreleye.Engine(Hash=1, Threads=2)
        engine.position({fen!r})
        print(engine.search(depth=9).info.sel_depth)
        print(len(list(barreleye.analyse_many([{fen!r}], {{"depth": 9}}))))
    """
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120)
    assert result.returncode == 0, result.stderr
    assert int(result.stdout.split()[0]) >= 9
