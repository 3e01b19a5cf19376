"""Published mates: proved with their length by `go mate`, found in a second by plain search."""

from pathlib import Path

import pytest
from tests.suites.epd import Case, read_mates

from barreleye.engine import Engine
from barreleye.wdl import mate_moves

PROVED_SHARE, FOUND_SHARE = 0.99, 0.95
PROOF_S, PLAIN_S = 60, 1
SAMPLE = {1: 4, 2: 60, 3: 90, 4: 220}          # the default run takes every so-manieth


def unproved(cases: list[Case]) -> list[str]:
    engine = Engine(Hash=64)
    failed = []
    for case in cases:
        engine.new_game()
        engine.position(case.fen)
        found = mate_moves(engine.search(mate=case.mate, movetime=1000 * PROOF_S).info.score)
        if found is None or not 0 < found <= case.mate:
            failed.append(f"{case.name} {case.fen}: {found}")
    return failed


def unfound(cases: list[Case], seconds: float) -> list[str]:
    engine = Engine(Hash=64)
    failed = []
    for case in cases:
        engine.new_game()
        engine.position(case.fen)
        found: list[bool] = []

        def hear(info, found=found):
            if info.bound == 0 and (mate_moves(info.score) or 0) > 0 and not info.currmove:
                found.append(True)
                engine.stop()

        engine.search(movetime=int(1000 * seconds), on_info=hear)
        if not found:
            failed.append(f"{case.name} {case.fen}")
    return failed


@pytest.mark.parametrize("length", [1, 2, 3, 4])
def test_some_mates_are_proved(data_dir: Path, length: int):
    cases = read_mates(data_dir / "suites" / f"mate_in_{length}.epd")[::SAMPLE[length]]
    assert len(cases) >= 5
    assert unproved(cases) == []


@pytest.mark.slow
@pytest.mark.parametrize("length", [1, 2, 3, 4])
def test_mates_are_proved(data_dir: Path, length: int):
    cases = read_mates(data_dir / "suites" / f"mate_in_{length}.epd")
    failed = unproved(cases)
    print(f"mate in {length}: {len(cases) - len(failed)} of {len(cases)} proved", *failed, sep="\n")
    assert len(failed) <= (1 - PROVED_SHARE) * len(cases), failed


@pytest.mark.slow
@pytest.mark.parametrize("length", [1, 2, 3, 4])
def test_mates_are_found_by_plain_search(data_dir: Path, length: int):
    cases = read_mates(data_dir / "suites" / f"mate_in_{length}.epd")
    failed = unfound(cases, PLAIN_S)
    print(f"mate in {length}: {len(cases) - len(failed)} of {len(cases)} found", *failed, sep="\n")
    assert len(failed) <= (1 - FOUND_SHARE) * len(cases), failed
