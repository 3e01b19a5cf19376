"""Win at chess: 300 tactical positions at a second each, a few of them with a node limit in the default run."""

from pathlib import Path
from typing import Any

import pytest
from tests.suites.epd import Case, read_best_moves

from barreleye.engine import Engine

SOLVED = 285


def unsolved(cases: list[Case], **limit: Any) -> list[str]:
    engine = Engine(Hash=64)
    failed = []
    for case in cases:
        engine.new_game()
        engine.position(case.fen)
        move = str(engine.search(**limit).best_move)
        if not case.is_solved_by(move):
            failed.append(f"{case.name}: {move} instead of {' '.join(sorted(case.best))}")
    return failed


def test_easy_tactics_are_seen(data_dir: Path):
    cases = read_best_moves(data_dir / "suites" / "wacnew.epd")
    assert len(cases) == 300 and all(case.best for case in cases)
    assert len(unsolved(cases[::15], nodes=100_000)) <= 7


@pytest.mark.slow
def test_tactics_are_seen_in_a_second(data_dir: Path):
    failed = unsolved(read_best_moves(data_dir / "suites" / "wacnew.epd"), movetime=1000)
    print(f"{300 - len(failed)} of 300", *failed, sep="\n")
    assert 300 - len(failed) >= SOLVED, failed
