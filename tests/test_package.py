"""The package as people meet it: how it builds, what importing it loads, and what it says when something is missing."""

import doctest
import importlib
import os
import pkgutil
import re
import shutil
import subprocess
import sys
from importlib.machinery import EXTENSION_SUFFIXES
from importlib.metadata import version
from pathlib import Path

import pytest

import barreleye

PACKAGE = Path(barreleye.__file__).parent


def run_python(*arguments: str, cwd: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("BARRELEYE_", "PYTHON"))}
    environment.pop("LD_PRELOAD", None)
    return subprocess.run(
        [sys.executable, *arguments], cwd=cwd, env={**environment, **variables}, capture_output=True, text=True
    )


@pytest.fixture
def project(tmp_path: Path, root_dir: Path) -> Path:
    """A copy of the build files around a core of one small module."""
    for name in ("setup.py", "pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(root_dir / name, tmp_path)
    core = tmp_path / "src" / "barreleye" / "core"
    core.mkdir(parents=True)
    for name in ("__init__.py", "core/__init__.py"):
        shutil.copy(root_dir / "src" / "barreleye" / name, core.parent / name)
    (core / "leaf.pxd").write_text("cdef inline int one() noexcept nogil:\n    return 1\n")
    (core / "tree.pxd").write_text("cdef int grow(int size) noexcept nogil\n")
    (core / "tree.py").write_text(
        "import cython\n"
        "from cython.cimports.barreleye.core.leaf import one\n"
        "from cython.cimports.barreleye.core.tree import grow\n"
        "def grow(size: cython.int) -> cython.int:\n"
        "    return size + one()\n"
        "def grown(size: cython.int):\n"
        "    with cython.nogil:\n"
        "        size = grow(size)\n"
        "    return size\n"
    )
    return tmp_path


def build(project: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    return run_python("setup.py", "build_ext", "--inplace", cwd=project, **variables)


def grown(project: Path) -> str:
    """What the project's only function makes of 1."""
    program = "import sys; sys.path.insert(0, 'src'); from barreleye.core.tree import grown; print(grown(1))"
    return run_python("-c", program, cwd=project).stdout.strip()


def test_version_is_the_same_everywhere():
    assert version("barreleye") == barreleye.__version__


def test_every_core_module_is_an_extension():
    bodies = [header.with_suffix(".py") for header in PACKAGE.glob("core/**/*.pxd")]
    modules = [body for body in bodies if body.exists() and body.name != "__init__.py"]
    assert modules
    for module in modules:
        assert any((module.parent / (module.stem + suffix)).exists() for suffix in EXTENSION_SUFFIXES), module


def test_installed_package_holds_headers_but_no_generated_code():
    assert (PACKAGE / "core" / "types.pxd").exists()
    assert (PACKAGE / "py.typed").exists()
    assert not [*PACKAGE.rglob("*.c"), *PACKAGE.rglob("*.o")]


def test_import_loads_nothing_heavy(tmp_path: Path):
    result = run_python("-c", "import sys, barreleye; print(*sys.modules)", cwd=tmp_path)
    assert {"numpy", "chess", "rich", "asyncio", "argparse"}.isdisjoint(result.stdout.split())
    assert "barreleye" in result.stdout.split()


def test_public_names_load_on_first_use():
    assert set(barreleye.__all__) <= set(dir(barreleye))
    for name in barreleye.__all__:
        assert getattr(barreleye, name) is not None
    with pytest.raises(AttributeError, match="has no attribute 'postion'"):
        barreleye.postion  # type: ignore[attr-defined]  # noqa: B018


def test_examples_in_docstrings_are_true():
    """Compiled modules are not seen by pytest's own doctest collector."""
    names = [module.name for module in pkgutil.walk_packages([str(PACKAGE / "core")], "barreleye.core.")]
    names += ["barreleye.searcher", "barreleye.engine", "barreleye.chess_engine"]
    results = {name: doctest.testmod(importlib.import_module(name)) for name in names}
    assert sum(result.attempted for result in results.values()) > 0
    assert [name for name, result in results.items() if result.failed] == []


@pytest.mark.parametrize("document", ["README.md", "docs/api.md"])
def test_examples_in_documents_are_true(root_dir: Path, document: str):
    text = (root_dir / document).read_text().replace("```", "")
    examples = doctest.DocTestParser().get_doctest(text, {}, document, document, 0)
    assert examples.examples
    assert doctest.DocTestRunner().run(examples).failed == 0


def test_uncompiled_core_says_so_in_one_sentence(project: Path):
    for statement in ("import barreleye", "import barreleye.core.tree"):
        result = run_python("-c", f"import sys; sys.path.insert(0, 'src'); {statement}", cwd=project)
        last = result.stderr.splitlines()[-1]
        assert result.returncode == 1
        assert re.fullmatch(r"ImportError: Barreleye's core is not compiled here \(tree\): run 'pip .*\.", last)


def test_changed_header_rebuilds_its_users(project: Path):
    assert build(project).returncode == 0
    assert grown(project) == "2"
    assert "cythonizing" not in build(project).stdout
    (project / "src/barreleye/core/leaf.pxd").write_text("cdef inline int one() noexcept nogil:\n    return 10\n")
    assert "cythonizing" in build(project).stdout
    assert grown(project) == "11"
    assert not [*project.glob("src/**/*.c")]


def test_performance_hint_fails_the_build(project: Path):
    (project / "src/barreleye/core/tree.pxd").write_text("cdef int grow(int size) nogil\n")
    result = build(project)
    assert result.returncode == 1
    assert "performance hint: src/barreleye/core/tree.pxd:1:13: No exception value declared for 'grow'" in result.stderr
    assert build(project).returncode == 1, "a module that was refused once must not pass the second time"


def test_cython_warning_fails_the_build(project: Path):
    with (project / "src/barreleye/core/tree.py").open("a") as body:
        body.write("@cython.boundcheck(False)\ndef misspelt():\n    return 1\n")
    result = build(project)
    assert result.returncode == 1
    assert "boundcheck" in result.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="MSVC is found in the registry, not by CC")
def test_missing_compiler_is_one_sentence(project: Path):
    result = build(project, CC="/nonexistent/cc")
    assert result.returncode == 1
    assert re.fullmatch(r"error: Building Barreleye needs a C compiler .*: install .*\.\n", result.stderr)


def test_unknown_architecture_is_one_sentence(project: Path):
    result = build(project, BARRELEYE_ARCH="pentium-9")
    assert result.returncode == 1
    assert re.fullmatch(r"error: The compiler does not know BARRELEYE_ARCH=pentium-9; try .*\.\n", result.stderr)


@pytest.mark.slow
def test_wheel_builds_from_source_distribution_without_git(project: Path, root_dir: Path):
    shutil.copy(root_dir / "MANIFEST.in", project)
    assert run_python("-m", "build", "--no-isolation", cwd=project).returncode == 0
    wheel = next((project / "dist").glob("*.whl"))
    names = run_python("-m", "zipfile", "-l", str(wheel), cwd=project).stdout
    assert "core/tree.py" in names and "core/leaf.pxd" in names and EXTENSION_SUFFIXES[0] in names
    assert "tree.c " not in names
