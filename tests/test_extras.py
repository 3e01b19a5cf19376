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


@pytest.mark.parametrize("extra", EXTRAS)
def test_the_command_names_this_python_and_packages_that_can_be_had_anywhere(extra):
    assert shlex.split(how_to_install(extra)) == [sys.executable, "-m", "pip", "install", *EXTRAS[extra]]


def test_training_without_numpy_is_one_line_that_helps():
    program = "import sys; sys.modules['numpy'] = None; from barreleye.cli import main; sys.exit(main(['train']))"
    said = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert said.returncode == 2 and said.stderr.count("\n") == 1
    assert said.stderr.rstrip().endswith(how_to_install("train"))
