"""What is missing says how to get it."""

import shlex
import subprocess
import sys
from importlib.metadata import requires

import pytest

from barreleye.extras import EXTRAS, how_to_install


def test_extras_are_those_of_the_package():
    said = requires("barreleye") or []
    for extra, packages in EXTRAS.items():
        assert {line.split(";")[0].strip() for line in said if line.endswith(f'extra == "{extra}"')} == set(packages)


def test_all_means_every_extra_that_something_here_asks_for():
    said = [line for line in requires("barreleye") or [] if line.endswith('extra == "all"')]
    assert len(said) == 1 and set(EXTRAS) <= set(said[0].partition("[")[2].partition("]")[0].split(","))


def test_a_python_with_a_space_in_its_path_is_quoted(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(sys, "executable", "/home/a name/bin/python")
    assert shlex.split(how_to_install("train")) == ["/home/a name/bin/python", "-m", "pip", "install", "numpy"]


@pytest.mark.parametrize("extra", EXTRAS)
def test_the_command_names_this_python_and_packages_that_can_be_had_anywhere(extra):
    assert shlex.split(how_to_install(extra)) == [sys.executable, "-m", "pip", "install", *EXTRAS[extra]]


def test_training_without_numpy_is_one_line_that_helps():
    program = "import sys; sys.modules['numpy'] = None; from barreleye.cli import main; sys.exit(main(['train']))"
    said = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert said.returncode == 2 and said.stderr.count("\n") == 1
    assert said.stderr.rstrip().endswith(how_to_install("train"))
