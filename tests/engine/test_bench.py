"""The bench: the same nodes on every run, here and in another process, and the number this source stands for."""

import re
import subprocess
import sys

import chess
import pytest

from barreleye.core.origin import CORE
from barreleye.engine import Engine
from barreleye.engine.bench import POSITIONS, bench

# Nodes of `barreleye bench --depth 6`: a change to what the search does changes it, and belongs in the commit message.
SIGNATURE_DEPTH, SIGNATURE = 6, 54193


def run_bench(*words: str, check: bool = True) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "barreleye", "bench", *words]
    return subprocess.run(command, capture_output=True, text=True, check=check)


def test_signature():
    assert bench(SIGNATURE_DEPTH).nodes == SIGNATURE


def test_same_nodes_on_every_run_in_one_process():
    engine = Engine()
    first = bench(5, engine=engine)
    engine.position(POSITIONS[8])
    engine.search(depth=8)
    assert bench(5, engine=engine).nodes == bench(5).nodes == first.nodes


def test_same_nodes_in_another_process_and_the_words_tools_read():
    result = run_bench("--depth", "5")
    nodes = bench(5).nodes
    assert re.fullmatch(rf"{nodes} nodes \d+ nps", result.stdout.splitlines()[-1])
    assert re.search(rf"^Nodes searched  : {nodes}$", result.stderr, re.M)
    assert f"\nCore            : {CORE}\n" in result.stderr
    assert re.search(r"^Total time \(ms\) : \d+$", result.stderr, re.M)
    assert result.stderr.count("\nposition ") == len(POSITIONS) - 1


def test_hash_threads_and_depth_are_taken():
    assert int(run_bench("1", "2", "3").stdout.split()[0]) > len(POSITIONS)
    assert bench(4, hash_mb=64).nodes == bench(4, hash_mb=64).nodes


@pytest.mark.parametrize("words", [("x",), ("0",), ("1", "0"), ("1", "1", "0"), ("1", "1", "1", "nowhere")])
def test_bad_arguments_are_one_line(words: tuple[str, ...]):
    result = run_bench(*words, check=False)
    assert result.returncode == 2 and result.stdout == "" and "Traceback" not in result.stderr
    assert result.stderr.splitlines()[-1].startswith("barreleye bench: ")


def test_positions_are_many_varied_and_legal():
    boards = [chess.Board(fen, chess960=True) for fen in POSITIONS]
    assert len(set(POSITIONS)) == len(POSITIONS) >= 40
    assert all(board.status() == chess.STATUS_VALID for board in boards)
    pieces = [chess.popcount(board.occupied) for board in boards]
    assert min(pieces) <= 5 and max(pieces) == 32
    assert {board.turn for board in boards} == {chess.WHITE, chess.BLACK}
