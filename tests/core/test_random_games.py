"""Random games against python-chess: see random_games.py for what is compared."""

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

POSITIONS = 100_000  # of each kind of game
RARE = ("checkmate", "stalemate", "dead", "fifty", "threefold", "en passant", "promotion", "castling")


def test_random_games_agree_with_python_chess(debug_build: bool):
    positions = POSITIONS // 10 if debug_build else POSITIONS
    script = str(Path(__file__).with_name("random_games.py"))
    parts = [
        subprocess.Popen(
            [sys.executable, script, rules, "1", str(positions)],
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
