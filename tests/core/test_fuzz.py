"""Broken input: see fuzz.py for what is thrown and what must come of it."""

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

FENS, GAMES = 80_000, 20_000
PROCESSES = 2
HANGS_AFTER = 1200  # seconds


def test_broken_input_is_refused_with_a_reason_or_understood_like_python_chess():
    script = str(Path(__file__).with_name("fuzz.py"))
    parts = [
        subprocess.Popen(
            [sys.executable, script, str(seed), str(FENS // PROCESSES), str(GAMES // PROCESSES)],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )
        for seed in range(PROCESSES)
    ]
    met: Counter[str] = Counter()
    for part in parts:
        output, errors = part.communicate(timeout=HANGS_AFTER)
        assert part.returncode == 0, errors
        met += Counter(json.loads(output))
    assert met["FENs accepted"] + met["FENs refused"] == FENS
    assert met["games"] == GAMES
    for what in ("FENs accepted", "FENs refused", "moves played", "moves refused"):
        assert met[what] > FENS // 5, met
