"""Waiting for what other threads and processes do."""

import time
from collections.abc import Callable

PATIENCE_S = 60.0       # a machine with other work is slow, which is no fault of what is tested


def eventually(holds: Callable[..., object], seconds: float = PATIENCE_S) -> bool:
    """Come back when it holds; a test fails that waits too long."""
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, "it never came true"
        time.sleep(0.02)
    return True
