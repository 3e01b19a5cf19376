"""Broken input: see fuzz.py for what is thrown and what must come of it."""

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

PROCESSES = 2
HANGS_AFTER = 1200  # seconds


@pytest.mark.parametrize(("first_seed", "fens", "games"), [
    (0, 10_000, 2_500), pytest.param(PROCESSES, 80_000, 20_000, marks=pytest.mark.slow),
])
def test_broken_input_is_refused_with_a_reason_or_understood_like_python_chess(first_seed: int, fens: int, games: int):
    script = str(Path(__file__).with_name("fuzz.py"))
    parts = [
        subprocess.Popen(
            [sys.executable, script, str(seed), str(fens // PROCESSES), str(games // PROCESSES)],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )
        for seed in range(first_seed, first_seed + PROCESSES)
    ]
    met: Counter[str] = Counter()
    for part in parts:
        output, errors = part.communicate(timeout=HANGS_AFTER)
        assert part.returncode == 0, errors
        met += Counter(json.loads(output))
    assert met["FENs accepted"] + met["FENs refused"] == fens
    assert met["games"] == games
    for what in ("FENs accepted", "FENs refused", "moves played", "moves refused"):
        assert met[what] > fens // 5, met
