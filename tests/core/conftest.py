"""What the tests of the core may ask for."""

import os

import pytest


@pytest.fixture(scope="session")
def debug_build() -> bool:
    """Whether this is `make debug`: sanitizers and asserts cost a factor of ten, so the long tests do less."""
    return os.environ.get("BARRELEYE_DEBUG", "0") not in ("", "0")
