"""Locks: one at a time, and free again whatever ended their holder."""

import subprocess
import sys

import pytest

from barreleye import lock

HOLDER = "import sys, time; from pathlib import Path; from barreleye import lock\n" \
         "with lock.held(Path(sys.argv[1]), 'it'): print('held', flush=True); time.sleep(60)"


def test_one_holder_at_a_time(tmp_path):
    path = tmp_path / "lock"
    with (lock.held(path, "the folder"), pytest.raises(BlockingIOError, match="the folder is in use by another run"),
          lock.held(path, "the folder")):
        pass
    with lock.held(path, "the folder"), path.open("rb") as file:
        assert file.read() == b"", "others may still read"


def test_a_killed_holder_holds_no_longer(tmp_path):
    path = tmp_path / "lock"
    process = subprocess.Popen([sys.executable, "-c", HOLDER, str(path)], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None and process.stdout.readline() == "held\n"
    with pytest.raises(BlockingIOError), lock.held(path, "it"):
        pass
    process.kill()
    process.communicate()
    with lock.held(path, "it"):
        pass
