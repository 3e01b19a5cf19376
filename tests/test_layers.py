"""Imports point down only, as docs/architecture.md draws it."""

import ast
import re
from collections.abc import Iterator

import pytest


@pytest.fixture(scope="module")
def ranks(root_dir):
    """Each room of the package with the number of its line in the drawing, the top one first."""
    text = (root_dir / "docs" / "architecture.md").read_text(encoding="utf-8")
    drawing = re.search(r"## Layers.*?```\n(.*?)```", text, re.DOTALL)
    assert drawing
    return {name.rstrip("/").removesuffix(".py"): number for number, line in enumerate(drawing[1].splitlines())
            for name in re.findall(r"\b\w+(?:/|\.py)(?=\s)", line)}


def running(tree: ast.AST) -> Iterator[ast.AST]:
    """The parts of a module that run: what stands under TYPE_CHECKING only names types."""
    yield tree
    for node in ast.iter_child_nodes(tree):
        if not (isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"):
            yield from running(node)


def imported(tree: ast.AST) -> set[str]:
    """The rooms of the package that a module imports from when it runs, in functions too."""
    names = set()
    for node in running(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
        elif isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
    return {name.split(".")[1] for name in names if name.startswith("barreleye.") and name.split(".")[1].islower()}


def test_every_room_is_drawn(ranks, root_dir):
    source = root_dir / "src" / "barreleye"
    rooms = {path.stem for path in source.iterdir()
             if not path.name.startswith("_") and (path.suffix == ".py" or (path / "__init__.py").exists())}
    assert rooms == set(ranks)


def test_imports_point_down_only(ranks, root_dir):
    source = root_dir / "src" / "barreleye"
    upward = []
    for path in source.rglob("*.py"):
        room = path.relative_to(source).parts[0].removesuffix(".py")
        if room.startswith("_"):            # the package's own names load from wherever they live
            continue
        for other in imported(ast.parse(path.read_text(encoding="utf-8"))) - {room, "__version__"}:
            if ranks.get(other, -1) <= ranks[room]:
                upward.append(f"{path.relative_to(source)} imports {other}")
    assert upward == []


def test_tests_mirror_the_source(root_dir):
    source, tests = root_dir / "src" / "barreleye", root_dir / "tests"
    of_all = {"suites"}                     # what the whole engine solves
    rooms = {path.name for path in tests.iterdir() if path.is_dir() and any(path.glob("test_*.py"))}
    assert [name for name in rooms - of_all if not (source / name / "__init__.py").exists()] == []
