"""Random scripts: whatever is said, every go is answered by one legal move and the process stays or ends cleanly.

After a refused position the null move is the answer.
"""

import random

import pytest
from tests.uci.scripts import run, run_process, script
from tests.uci.talker import Talker

SEED = "fuzz"
DEFAULT_RUN, SLOW_RUN, PROCESSES = 100, 20_000, 6


def problems(numbers: range) -> list[str]:
    found = []
    for number in numbers:
        lines = script(random.Random(f"{SEED}:{number}"))
        found += ["\n    ".join([f"{number}: {problem}", *lines]) for problem in run(lines)]
    return found


def test_random_scripts():
    assert problems(range(DEFAULT_RUN)) == []


@pytest.mark.slow
def test_random_scripts_at_length():
    assert problems(range(DEFAULT_RUN, SLOW_RUN)) == []


@pytest.mark.parametrize("number", range(PROCESSES))
def test_random_scripts_in_a_process(number: int):
    lines = script(random.Random(f"process:{number}"))
    with Talker() as talk:
        assert list(run_process(talk, lines)) == [], lines


@pytest.mark.slow
@pytest.mark.parametrize("number", range(PROCESSES, 300))
def test_more_random_scripts_in_a_process(number: int):
    lines = script(random.Random(f"process:{number}"))
    with Talker() as talk:
        assert list(run_process(talk, lines)) == [], lines
