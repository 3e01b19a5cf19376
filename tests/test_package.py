"""The package as people meet it: how it builds, what importing it loads, and what it says when something is missing."""

import doctest
import importlib
import os
import pkgutil
import re
import shlex
import shutil
import subprocess
import sys
from importlib.machinery import EXTENSION_SUFFIXES
from importlib.metadata import version
from pathlib import Path

import pytest

import barreleye
from barreleye.core import cpu, linking, origin, variants

PACKAGE = Path(barreleye.__file__).parent


def run_python(*arguments: str, cwd: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("BARRELEYE_", "PYTHON"))}
    environment.pop("LD_PRELOAD", None)
    return subprocess.run(
        [sys.executable, *arguments], cwd=cwd, env={**environment, **variables}, capture_output=True, text=True
    )


@pytest.fixture
def project(tmp_path: Path, root_dir: Path) -> Path:
    """A copy of the build files around a core of one small module, beside the one that asks the CPU."""
    fill_project(tmp_path, root_dir)
    return tmp_path


def fill_project(tmp_path: Path, root_dir: Path) -> None:
    for name in ("setup.py", "pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(root_dir / name, tmp_path)
    core = tmp_path / "src" / "barreleye" / "core"
    core.mkdir(parents=True)
    for name in ("__init__.py", "core/__init__.py", "core/linking.py", "core/variants.py", "core/cpu.py",
                 "core/cpu.pxd"):
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
    modules = {"barreleye." + ".".join(body.relative_to(PACKAGE).with_suffix("").parts): body
               for body in bodies if body.exists() and body.name != "__init__.py"}
    assert set(linking.MODULES) < set(modules)
    several = PACKAGE / "core" / "compiled"
    core = several / origin.CORE if several.exists() else PACKAGE / "core"
    for name, body in modules.items():
        home = modules[linking.LIBRARY] if name in linking.MODULES else body
        room = PACKAGE / "core" if name == "barreleye.core.cpu" else core
        expected = room / home.relative_to(PACKAGE / "core")
        found = Path(importlib.import_module(name).__file__ or "")
        assert found in [expected.with_suffix(suffix) for suffix in EXTENSION_SUFFIXES], name


def test_linked_modules_differ_in_their_last_names():
    """Python looks for a module in a library by the last part of its name."""
    assert len({name.rpartition(".")[2] for name in linking.MODULES}) == len(linking.MODULES)


def test_c_that_is_not_as_expected_is_not_linked():
    with pytest.raises(ValueError, match=r"the C that Cython writes for barreleye\.core\.see is not as .* expects it"):
        linking.join("int answer;\n", "barreleye.core.see")
    call = "x = ((struct __pyx_vtabstruct_9barreleye_4core_2tt_Table *)find(w)->__pyx_vtab)->probe(1);\n"
    with pytest.raises(ValueError, match="is not as"):
        linking.join(call + linking.DECLARATIONS_END, "barreleye.core.see")


def test_installed_package_holds_headers_but_no_generated_code():
    assert (PACKAGE / "core" / "types.pxd").exists()
    assert (PACKAGE / "py.typed").exists()
    assert not [*PACKAGE.rglob("*.c"), *PACKAGE.rglob("*.o")]


def test_import_loads_nothing_heavy(tmp_path: Path):
    result = run_python("-c", "import sys, barreleye; print(*sys.modules)", cwd=tmp_path)
    assert {"numpy", "chess", "rich", "asyncio", "argparse"}.isdisjoint(result.stdout.split())
    assert "barreleye" in result.stdout.split()


def test_public_names_load_on_first_use():
    assert {name for name in dir(barreleye) if not name.startswith("__")} == set(barreleye.__all__) - {"__version__"}
    for name in barreleye.__all__:
        assert getattr(barreleye, name) is not None
    with pytest.raises(AttributeError, match="has no attribute 'postion'"):
        barreleye.postion  # type: ignore[attr-defined]  # noqa: B018


def test_examples_in_docstrings_are_true():
    """Compiled modules are not seen by pytest's own doctest collector."""
    names = [module.name for module in pkgutil.walk_packages([str(PACKAGE / "core")], "barreleye.core.")]
    names += ["barreleye.chess_engine", "barreleye.opening_books", "barreleye.tablebase"]
    names += [module.name for module in pkgutil.walk_packages([str(PACKAGE / "engine")], "barreleye.engine.")]
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
        assert re.fullmatch(r"ImportError: Barreleye's core is not compiled here \(cpu, tree\): run 'pip .*\.", last)


@pytest.mark.parametrize(("imported", "used"), [
    ("from cython.cimports.barreleye.core import leaf", "leaf.one()"),
    pytest.param("from cython.cimports.barreleye.core.leaf import one", "one()", marks=pytest.mark.slow),
])
def test_changed_header_rebuilds_its_users(project: Path, imported: str, used: str):
    body = project / "src/barreleye/core/tree.py"
    text = body.read_text().replace("from cython.cimports.barreleye.core.leaf import one", imported)
    body.write_text(text.replace("size + one()", f"size + {used}"))
    assert build(project).returncode == 0
    assert grown(project) == "2"
    assert "cythonizing" not in build(project).stdout
    (project / "src/barreleye/core/leaf.pxd").write_text("cdef inline int one() noexcept nogil:\n    return 10\n")
    assert "cythonizing" in build(project).stdout
    assert grown(project) == "11"
    assert not [*project.glob("src/**/*.c")]


@pytest.mark.skipif(sys.platform == "win32", reason="modules are not linked there")
def test_linked_modules_call_each_other_without_asking(project: Path):
    """A function, a table and a method of another module, before and after one of the two has changed."""
    core = project / "src" / "barreleye" / "core"
    listing = (core / "linking.py").read_text().replace('"barreleye.core.see"', '"barreleye.core.tree"')
    listing = listing.replace('"barreleye.core.search"', '"barreleye.core.tree"')
    (core / "linking.py").write_text(listing.replace('"barreleye.core.tt"', '"barreleye.core.wood"'))
    (core / "wood.pxd").write_text(
        "cimport cython\ncdef int RINGS[3]\ncdef int older(int size) noexcept nogil\n"
        "@cython.final\ncdef class Trunk:\n    cdef int width\n    cdef int girth(self) noexcept nogil\n")
    body = (
        "import cython\n"
        "from cython.cimports.barreleye.core.wood import RINGS, Trunk, older\n"
        "RINGS[2] = 1000\n"
        "def older(size: cython.int) -> cython.int:\n"
        "    return size + 100\n"
        "class Trunk:\n"
        "    def __init__(self, width: int):\n"
        "        self.width = width\n"
        "    def girth(self) -> cython.int:\n"
        "        return 3 * self.width\n")
    (core / "wood.py").write_text(body)
    (core / "tree.py").write_text(
        "import cython\n"
        "from cython.cimports.barreleye.core.tree import grow\n"
        "from cython.cimports.barreleye.core.wood import RINGS, Trunk, older\n"
        "def grow(size: cython.int) -> cython.int:\n"
        "    return older(size) + RINGS[2]\n"
        "def grown(size: int):\n"
        "    trunk: Trunk = Trunk(10000)\n"
        "    return grow(size) + trunk.girth()\n")
    assert build(project).returncode == 0
    assert grown(project) == "31101"
    assert {path.name.partition(".")[0] for path in core.glob("*.so")} == {"cpu", "tree"}
    text = next(project.glob("build/**/tree.c")).read_text()
    assert "4core_4wood_older(" in text
    assert not re.search(r"->__pyx_vtab\)->girth|\(\*__pyx_f_\w*4core_4wood|__pyx_vp_\w*4core_4wood", text)
    (core / "wood.py").write_text(body.replace("+ 100", "+ 200"))
    again = build(project)
    assert again.stdout.count("cythonizing") == again.stdout.count(" -c ") == 1
    assert grown(project) == "31201"


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


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such paths")
def test_no_module_remembers_where_it_was_built(project: Path):
    assert build(project, LDFLAGS="-Wl,-rpath,/nowhere/lib").returncode == 0
    module, = project.glob("src/barreleye/core/tree.*.so")
    assert b"/nowhere" not in module.read_bytes()


@pytest.mark.skipif(sys.platform == "win32", reason="MSVC is found in the registry, not by CC")
def test_missing_compiler_is_one_sentence(project: Path):
    result = build(project, CC="/nonexistent/cc")
    assert result.returncode == 1
    assert re.fullmatch(r"error: Building Barreleye needs a C compiler .*: install .*\.\n", result.stderr)


def test_unknown_architecture_is_one_sentence(project: Path):
    result = build(project, BARRELEYE_ARCH="pentium-9")
    assert result.returncode == 1
    assert re.fullmatch(r"error: The compiler does not know BARRELEYE_ARCH=pentium-9; try .*\.\n", result.stderr)


@pytest.mark.parametrize(("variables", "complaint"), [
    ({"BARRELEYE_TUNE": "yes"}, "BARRELEYE_TUNE and BARRELEYE_PGO are 1 or 0."),
    ({"BARRELEYE_PGO": "2"}, "BARRELEYE_TUNE and BARRELEYE_PGO are 1 or 0."),
    ({"BARRELEYE_PGO": "1", "BARRELEYE_DEBUG": "1"}, "BARRELEYE_PGO=1 makes a build faster and .*: choose one."),
    ({"BARRELEYE_CORES": "x86-64,mmx"}, r"BARRELEYE_CORES is 1, 0, or some of x86-64-v3-pext,.*,x86-64\."),
    ({"BARRELEYE_CORES": "x86-64", "BARRELEYE_TUNE": "1"}, "BARRELEYE_CORES makes a wheel for everybody; .*"),
    ({"BARRELEYE_CORES": "x86-64"}, "error: BARRELEYE_CORES makes a wheel .*: leave it out of a build in place."),
])
def test_builds_that_cannot_be_say_so_in_one_sentence(project: Path, variables: dict[str, str], complaint: str):
    result = build(project, **variables)
    assert result.returncode == 1
    assert re.fullmatch(complaint + r"\n", result.stderr)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory, root_dir: Path) -> Path:
    """What a wheel with two cores unpacks to."""
    if "popcnt" not in variants.features(cpu.leaf, cpu.saved_state):
        pytest.skip("a CPU that runs two cores is needed")
    folder = tmp_path_factory.mktemp("wheel")
    fill_project(folder, root_dir)
    built = run_python("setup.py", "build", "--build-lib", "unpacked", cwd=folder, BARRELEYE_CORES="x86-64-v2,x86-64")
    assert built.returncode == 0, built.stderr
    return folder / "unpacked"


def core_in_use(wheel: Path, **variables: str) -> str:
    """The core that Python takes there, or what it says at the end."""
    program = "from pathlib import Path; from barreleye.core import tree; print(Path(tree.__file__).parent.name)"
    result = run_python("-c", program, cwd=wheel, PYTHONPATH=str(wheel), **variables)
    return result.stdout.strip() or result.stderr.splitlines()[-1]


def test_a_wheel_takes_its_best_core_for_this_cpu_or_the_one_asked_for(wheel: Path):
    files = {path.relative_to(wheel / "barreleye/core").as_posix().partition(".cpython")[0]
             for path in (wheel / "barreleye/core").rglob("*") if path.suffix in {".so", ".pyd", ".txt"}}
    assert files == {"cpu", "compiled/names.txt", "compiled/x86-64/tree", "compiled/x86-64-v2/tree"}
    assert core_in_use(wheel) == "x86-64-v2"
    assert core_in_use(wheel, BARRELEYE_CORE="x86-64") == "x86-64"
    assert core_in_use(wheel, BARRELEYE_CORE="x86-64-v3") == (
        "ImportError: BARRELEYE_CORE=x86-64-v3 is not one of the cores of this Barreleye: it has x86-64-v2, x86-64.")


def test_a_wheel_without_the_core_for_this_cpu_says_so_in_one_sentence(wheel: Path, tmp_path: Path):
    broken = tmp_path / "broken"
    shutil.copytree(wheel, broken)
    shutil.rmtree(broken / "barreleye/core/compiled/x86-64-v2")
    assert core_in_use(broken) == (
        "ImportError: Barreleye's core for this CPU, x86-64-v2, is missing: install Barreleye again, or choose another "
        "of its cores with BARRELEYE_CORE.")
    assert core_in_use(broken, BARRELEYE_CORE="x86-64") == "x86-64"


def test_a_wheel_whose_core_lacks_a_module_says_which(wheel: Path, tmp_path: Path):
    broken = tmp_path / "broken"
    shutil.copytree(wheel, broken)
    for suffix in (".py", ".pxd"):
        (broken / "barreleye/core/moss").with_suffix(suffix).touch()
    assert core_in_use(broken) == (
        "ImportError: Barreleye's core for this CPU, x86-64-v2, is incomplete (moss): install Barreleye again.")


@pytest.mark.parametrize(("pattern", "missing"), [("compiled/names.txt", "names.txt"), ("cpu.*-*", "cpu")])
def test_a_wheel_that_cannot_choose_says_so_in_one_sentence(wheel: Path, tmp_path: Path, pattern: str, missing: str):
    broken = tmp_path / "broken"
    shutil.copytree(wheel, broken)
    [lost] = (broken / "barreleye/core").glob(pattern)
    lost.unlink()
    assert core_in_use(broken) == (f"ImportError: Barreleye cannot tell which of its cores is for this CPU (without "
                                   f"{missing}): install Barreleye again.")


def test_a_build_of_one_core_does_not_choose(project: Path):
    assert build(project).returncode == 0
    assert core_in_use(project / "src") == "core"
    assert core_in_use(project / "src", BARRELEYE_CORE="x86-64") == (
        "ImportError: BARRELEYE_CORE=x86-64 chooses among the cores of a wheel, and this Barreleye was built as one: "
        "unset it.")


@pytest.fixture
def trained(project: Path) -> Path:
    """The project with something to train it on, where the compiler is gcc."""
    compiler = shlex.split(os.environ.get("CC") or "cc")
    said = subprocess.run([*compiler, "--version"], capture_output=True, text=True).stdout
    if "Free Software Foundation" not in said:
        pytest.skip("builds are guided by profiles with gcc only")
    (project / "benchmarks").mkdir()
    (project / "benchmarks" / "workload.py").write_text(
        "from barreleye.core.tree import grown\nassert sum(map(grown, range(1000))) > 1000\n")
    return project


def test_a_profiled_build_is_trained_once(trained: Path):
    first = build(trained, BARRELEYE_PGO="1")
    assert first.returncode == 0, first.stderr
    assert "running benchmarks/workload.py" in first.stdout and grown(trained) == "2"
    compiled = [line for line in first.stdout.splitlines() if " -c " in line and "tree.c" in line]
    assert ["-fprofile-generate=" in line for line in compiled] == [True, False]
    assert ["-fprofile-use=" in line for line in compiled] == [False, True]
    assert "missing-profile" not in first.stdout + first.stderr
    assert [*trained.glob("build/release-native-pgo/profile/**/*tree.gcda")]
    again = build(trained, BARRELEYE_PGO="1")
    assert "running benchmarks" not in again.stdout and " -c " not in again.stdout


@pytest.mark.slow
def test_a_profiled_build_is_trained_again_when_sources_change(trained: Path):
    assert build(trained, BARRELEYE_PGO="1").returncode == 0
    (trained / "src/barreleye/core/leaf.pxd").write_text("cdef inline int one() noexcept nogil:\n    return 10\n")
    assert "running benchmarks/workload.py" in build(trained, BARRELEYE_PGO="1").stdout
    assert grown(trained) == "11"


def test_a_profiled_build_that_cannot_run_says_so(trained: Path):
    (trained / "benchmarks" / "workload.py").write_text("raise SystemExit('no such instruction')\n")
    result = build(trained, BARRELEYE_PGO="1")
    assert result.returncode == 1
    assert re.search(r"error: BARRELEYE_PGO=1 has to run what it builds and cannot: .*\.\nno such", result.stderr)


def test_a_profile_needs_gcc(trained: Path, tmp_path: Path):
    """A compiler that says it is clang, as Apple's gcc does."""
    other = tmp_path / "othercc"
    other.write_text('#!/bin/sh\nexec cc -D__clang__ "$@"\n')
    other.chmod(0o755)
    result = build(trained, BARRELEYE_PGO="1", CC=str(other))
    assert result.returncode == 1
    assert re.fullmatch(r"error: BARRELEYE_PGO=1 needs gcc, and .*: set CC=gcc\.\n", result.stderr)


@pytest.fixture
def tunable(project: Path, root_dir: Path) -> Path:
    """The project with two modules that read parameters instead of its own."""
    core = project / "src" / "barreleye" / "core"
    (core / "tree.py").unlink()
    (core / "tree.pxd").unlink()
    for name in ("parameters.py", "tuning.pxd"):
        shutil.copy(root_dir / "src" / "barreleye" / "core" / name, core)
    (core / "params.pxd").write_text("cdef enum:\n    HEIGHT = 3  # [1, 9]\n    WIDTH = -4\n\n"
                                     "cdef inline int twice() noexcept nogil:\n    return 2 * HEIGHT\n")
    for name in ("reader", "setter"):
        (core / f"{name}.pxd").write_text("from barreleye.core.params cimport HEIGHT, WIDTH, twice\n"
                                          "from barreleye.core.tuning cimport TUNING, use_params\n")
        (core / f"{name}.py").write_text(
            "import cython\n"
            "from cython.cimports.barreleye.core.params import HEIGHT, WIDTH, twice\n"
            "from cython.cimports.barreleye.core.tuning import TUNING, use_params\n"
            "def read():\n"
            "    return HEIGHT, WIDTH, twice(), TUNING\n"
            "def call(height: cython.int, width: cython.int, function):\n"
            "    numbers: cython.int[2]\n"
            "    numbers[0] = height\n"
            "    numbers[1] = width\n"
            "    before: cython.pointer[cython.const[cython.int]] = use_params(numbers)\n"
            "    result = function()\n"
            "    use_params(before)\n"
            "    return result\n"
        )
    return project


def numbers_read(project: Path) -> str:
    """What one module reads: by itself, in a call of the other, on a thread during such a call, and afterwards."""
    program = ("import sys, threading; sys.path.insert(0, 'src')\n"
               "from barreleye.core import reader, setter\n"
               "def elsewhere():\n"
               "    found = []\n"
               "    thread = threading.Thread(target=lambda: found.append(reader.read()))\n"
               "    thread.start(); thread.join()\n"
               "    return found[0]\n"
               "print(reader.read(), setter.call(5, 6, reader.read), setter.call(7, 8, elsewhere), reader.read())")
    return run_python("-c", program, cwd=project).stdout.strip()


@pytest.mark.skipif(sys.platform != "linux", reason="tuning builds are for Linux")
@pytest.mark.parametrize(("tune", "inside"), [
    ("1", "(5, 6, 10, 1)"), pytest.param("0", "(3, -4, 6, 0)", marks=pytest.mark.slow),
])
def test_a_tuning_build_reads_its_numbers_through_the_thread(tunable: Path, tune: str, inside: str):
    built = build(tunable, BARRELEYE_TUNE=tune)
    assert built.returncode == 0, built.stderr
    outside = f"(3, -4, 6, {tune})"
    assert numbers_read(tunable) == f"{outside} {inside} {outside} {outside}"


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="tuning builds are for Linux")
def test_changed_parameters_rebuild_what_reads_them(tunable: Path):
    assert build(tunable, BARRELEYE_TUNE="1").returncode == 0
    params = tunable / "src/barreleye/core/params.pxd"
    params.write_text(params.read_text().replace("WIDTH = -4", "WIDTH = 44"))
    assert build(tunable, BARRELEYE_TUNE="1").returncode == 0
    assert "(3, 44, 6, 1)" in numbers_read(tunable)


@pytest.mark.slow
def test_wheel_builds_from_source_distribution_without_git(project: Path, root_dir: Path):
    shutil.copy(root_dir / "MANIFEST.in", project)
    assert run_python("-m", "build", "--no-isolation", cwd=project).returncode == 0
    wheel = next((project / "dist").glob("*.whl"))
    names = run_python("-m", "zipfile", "-l", str(wheel), cwd=project).stdout
    assert "core/tree.py" in names and "core/leaf.pxd" in names and EXTENSION_SUFFIXES[0] in names
    assert "tree.c " not in names
