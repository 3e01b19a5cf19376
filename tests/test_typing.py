"""What type checkers see of the package."""

import ast
import importlib
import inspect
import os
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


STUBS = sorted(PACKAGE.rglob("*.pyi"))
# What Cython adds to every module; and constructors, whose signatures it does not tell Python about.
UNSEEN = [r".*\.__pyx_capi__", r".*\.__test__", r".*\.__init__"]
# Steps of other methods.
STEPS = {"conclude", "wait_for_release", "no_moves", "clear_part"}


def name_of(stub: Path) -> str:
    return ".".join(["barreleye", *stub.relative_to(PACKAGE).with_suffix("").parts])


def test_stubs_say_what_is_compiled(tmp_path):
    """Every name, parameter, default and kind of every stub, as mypy's own tool compares them with the modules."""
    pytest.importorskip("mypy")
    allowed = tmp_path / "allowed"
    allowed.write_text("\n".join(UNSEEN))
    environment = {**os.environ, "MYPYPATH": "" if "site-packages" in PACKAGE.parts else str(PACKAGE.parent)}
    checked = subprocess.run(
        [sys.executable, "-m", "mypy.stubtest", "--concise", "--ignore-missing-stub", "--ignore-unused-allowlist",
         "--allowlist", str(allowed), *map(name_of, STUBS)], cwd=tmp_path, capture_output=True, text=True,
        env=environment)
    assert checked.returncode == 0, checked.stdout + checked.stderr


@pytest.mark.parametrize("stub", STUBS, ids=name_of)
def test_stubs_leave_out_no_member_of_a_class(stub):
    module = importlib.import_module(name_of(stub))
    for node in ast.parse(stub.read_text()).body:
        if isinstance(node, ast.ClassDef):
            public = {member for member, _ in inspect.getmembers(getattr(module, node.name))
                      if not member.startswith("_")}
            known = {child.name for child in node.body if isinstance(child, ast.FunctionDef)}
            known |= {child.target.id for child in node.body
                      if isinstance(child, ast.AnnAssign) and isinstance(child.target, ast.Name)}
            inherited = {member for base in getattr(module, node.name).__mro__[1:] for member in dir(base)}
            assert public - known - inherited - STEPS == set(), node.name


def test_every_compiled_module_that_is_used_has_a_stub(root_dir):
    """Outside the core, where a type checker looks."""
    used = set()
    for folder in ("src", "tests", "benchmarks", "examples"):
        for path in (root_dir / folder).rglob("*.py"):
            if "core" not in path.relative_to(root_dir).parts or folder != "src":
                used |= {node.module for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
                         if isinstance(node, ast.ImportFrom) and node.module
                         and node.module.startswith("barreleye.core.")}
    compiled = {name for name in used if (PACKAGE.parent / name.replace(".", "/")).with_suffix(".pxd").exists()}
    assert len(compiled) > 15 and compiled <= set(map(name_of, STUBS))
