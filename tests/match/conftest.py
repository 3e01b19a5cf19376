"""Players for the tests: obedient and misbehaving fakes, and real engines where they are installed."""

import shutil
import sys
from pathlib import Path

import pytest

from barreleye.match import EngineSpec

FAKE = Path(__file__).with_name("fake_engine.py")


def fake_command(mode="good", number=1):
    return (sys.executable, str(FAKE), mode, str(number))


@pytest.fixture
def fake():
    """fake("illegal", 3): an engine that goes wrong at its third move."""

    def make(mode="good", number=1, name=None, **settings):
        return EngineSpec(fake_command(mode, number), name or mode, **settings)

    return make


@pytest.fixture(scope="session")
def installed_engine():
    def find(name):
        path = shutil.which(name) or shutil.which(name, path="/usr/games")
        if path is None:
            pytest.skip(f"{name} is not installed")
        return path

    return find
