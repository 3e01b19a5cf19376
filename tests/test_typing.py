"""What type checkers see of the package."""

import ast
import importlib
import inspect
import subprocess
import sys
from pathlib import Path

import pytest

import barreleye

PACKAGE = Path(barreleye.__file__).parent
PROGRAM = '''
import asyncio

import chess
import chess.engine

import barreleye
from barreleye.chess_engine import NativeProtocol, open_native, simple_engine


def hear(info: chess.engine.InfoDict) -> None:
    print(info["depth"])


with barreleye.Engine(Hash=1) as engine:
    move: chess.Move | None = engine.play(chess.Board(), chess.engine.Limit(depth=3), on_info=hear).move
    info = engine.analyse(chess.STARTING_FEN, chess.engine.Limit(nodes=100))
    exact: bool = info["exact"]
    score: chess.engine.PovScore = info["score"]
    lines: list[int] = [line["depth"] for line in engine.analyse(chess.Board(), chess.engine.Limit(), multipv=2)]
    with engine.analysis((chess.STARTING_FEN, ["e2e4"])) as analysis:
        for report in analysis:
            depth: int = report["depth"]
    best: chess.engine.BestMove = analysis.wait()
    leaves: int = engine.perft(3) + barreleye.perft(depth=2)
    term: tuple[int, int] = engine.evaluate().terms["king"].total
    text: str | None = engine.search(depth=1).best_move

position = barreleye.Position()
position.push("e2e4")
moves: list[str] = position.legal_moves()

for record in barreleye.analyse_many([barreleye.Game(["e2e4"]), position, chess.Board()], {"nodes": 10}):
    cp: int | None = record.cp

simple: chess.engine.SimpleEngine = simple_engine(Hash=1)


async def main() -> None:
    _, protocol = await open_native()
    native: NativeProtocol = protocol
    result: chess.engine.PlayResult = await native.play(chess.Board(), chess.engine.Limit(depth=1))
    nodes: int = (await engine.aanalyse(chess.Board(), chess.engine.Limit(depth=1)))["nodes"]
    async for report in await engine.aanalysis(chess.Board()):
        print(report["depth"], result.move, nodes)


asyncio.run(main())
'''


def test_a_strict_checker_is_content_with_a_users_program(tmp_path):
    pytest.importorskip("mypy")
    (tmp_path / "program.py").write_text(PROGRAM)
    # mypy finds installed packages by itself and does not want to be shown them.
    environment = {"PATH": ""} if "site-packages" in PACKAGE.parts else {"PATH": "", "MYPYPATH": str(PACKAGE.parent)}
    checked = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--config-file", "", "--cache-dir", str(tmp_path), "program.py"],
        cwd=tmp_path, capture_output=True, text=True, env=environment)
    assert checked.returncode == 0, checked.stdout + checked.stderr


@pytest.mark.parametrize("stub", sorted(PACKAGE.rglob("*.pyi")), ids=lambda path: path.stem)
def test_stubs_name_what_is_there(stub):
    module = importlib.import_module(".".join(["barreleye", *stub.relative_to(PACKAGE).with_suffix("").parts]))
    for node in ast.parse(stub.read_text()).body:
        if isinstance(node, (ast.ClassDef, ast.FunctionDef)):
            there = getattr(module, node.name)
            members = {child.name for child in ast.walk(node) if isinstance(child, ast.FunctionDef)} - {node.name}
            assert not [name for name in members if not hasattr(there, name)]
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            assert hasattr(module, node.target.id)


@pytest.mark.parametrize("name", ["Position", "Pool", "SearchInfo", "TranspositionTable"])
def test_stubs_leave_nothing_out(name):
    """Everything a compiled class offers to Python has its line."""
    home = {"Position": "position", "Pool": "pool", "SearchInfo": "report", "TranspositionTable": "tt"}[name]
    there = getattr(importlib.import_module(f"barreleye.core.{home}"), name)
    public = {member for member, _ in inspect.getmembers(there) if not member.startswith("_")}
    known = {node.name for node in ast.walk(ast.parse((PACKAGE / "core" / f"{home}.pyi").read_text()))
             if isinstance(node, ast.FunctionDef)}
    inner = {"conclude", "wait_for_release", "no_moves", "clear_part"}      # steps of other methods
    assert public - known - inner == set()
