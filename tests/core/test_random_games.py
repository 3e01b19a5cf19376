"""Random games against python-chess: see random_games.py for what is compared."""

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

RARE = ("checkmate", "stalemate", "dead", "fifty", "threefold", "en passant", "promotion", "castling")


@pytest.mark.parametrize(("seed", "positions"), [
    (1, 20_000), pytest.param(2, 200_000, marks=pytest.mark.slow),          # of each kind of game
])
def test_random_games_agree_with_python_chess(seed: int, positions: int, debug_build: bool):
    positions //= 2 if debug_build else 1
    script = str(Path(__file__).with_name("random_games.py"))
    parts = [
        subprocess.Popen(
            [sys.executable, script, rules, str(seed), str(positions)],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )
        for rules in ("standard", "chess960")
    ]
    for part in parts:
        output, errors = part.communicate()
        assert part.returncode == 0, errors
        met = Counter(json.loads(output))
        assert met["positions"] == positions
        for what in RARE:
            assert met[what] > positions // 5000, (what, met)
