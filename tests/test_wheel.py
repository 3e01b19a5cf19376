"""A wheel on CPUs of different age: each gets its core, and all of them search the same nodes.

`make test-wheel` builds one, installs it, and runs these tests in it.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from tests.engine.test_bench import SIGNATURE, SIGNATURE_DEPTH

import barreleye
from barreleye.core import cpu, variants

COMPILED = Path(barreleye.__file__).parent / "core" / "compiled"
PROGRAM = ("import sys; from barreleye.core.origin import CORE; from barreleye.engine.bench import bench; "
           "print(CORE, bench(int(sys.argv[1])).nodes)")
pytestmark = pytest.mark.skipif(not COMPILED.exists(), reason="this Barreleye is a single core: make test-wheel")


def run_with(variables: dict[str, str], *launcher: str) -> subprocess.CompletedProcess[str]:
    """Which core there is, and its signature; the interpreter itself, because qemu does not follow links to it."""
    environment = {name: text for name, text in os.environ.items() if name != "BARRELEYE_CORE"}
    environment["PYTHONPATH"] = str(COMPILED.parents[2])
    command = [*launcher, os.path.realpath(sys.executable), "-c", PROGRAM, str(SIGNATURE_DEPTH)]
    return subprocess.run(command, env={**environment, **variables}, capture_output=True, text=True)


def cores() -> list[str]:
    return (COMPILED / "names.txt").read_text().split()


def test_every_core_this_cpu_can_run_searches_the_same_nodes():
    have = variants.features(cpu.leaf, cpu.saved_state)
    able = [name for name in cores() if variants.NEEDS[name] <= have]
    assert able
    for name in able:
        assert run_with({"BARRELEYE_CORE": name}).stdout.split() == [name, str(SIGNATURE)]


@pytest.mark.parametrize(("model", "core"), [
    ("Conroe", "x86-64"), ("Nehalem", "x86-64-v2"), ("Haswell", "x86-64-v3-pext"),
    ("EPYC", "x86-64-v3"), ("EPYC-Rome", "x86-64-v3"), ("EPYC-Milan", "x86-64-v3-pext"),
])
def test_an_emulated_cpu_gets_its_core_and_the_same_nodes(model: str, core: str):
    emulator = shutil.which("qemu-x86_64")
    if not emulator:
        pytest.skip("qemu-x86_64 is not installed (Debian: qemu-user)")
    if core not in cores():
        pytest.skip(f"this wheel was built without {core}")
    result = run_with({}, emulator, "-cpu", model)
    assert result.stdout.split() == [core, str(SIGNATURE)], result.stderr


def test_a_core_too_new_for_an_emulated_cpu_is_refused_in_one_sentence():
    emulator = shutil.which("qemu-x86_64")
    if not emulator:
        pytest.skip("qemu-x86_64 is not installed (Debian: qemu-user)")
    if "x86-64-v3" not in cores():
        pytest.skip("this wheel was built without x86-64-v3")
    result = run_with({"BARRELEYE_CORE": "x86-64-v3"}, emulator, "-cpu", "Nehalem")
    last = result.stderr.splitlines()[-1]
    assert result.returncode == 1
    assert last.startswith("ImportError: This CPU cannot run BARRELEYE_CORE=x86-64-v3: it has no ")
