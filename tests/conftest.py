"""What every test may ask for."""

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def root_dir() -> Path:
    """The source tree the tests belong to."""
    return ROOT


@pytest.fixture(scope="session")
def data_dir() -> Path:
    """Published test suites, opening books and tablebases, which are too large for the source tree."""
    folder = Path(os.environ.get("BARRELEYE_DATA") or ROOT.parent / "shared" / "data")
    if not folder.is_dir():
        reason = f"test data is not at {folder}: set BARRELEYE_DATA to the folder that holds it"
        pytest.fail(reason) if os.environ.get("CI") == "true" else pytest.skip(reason)
    return folder
