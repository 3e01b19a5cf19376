"""Waiting for what other threads do."""

import time


def eventually(holds, seconds=60.0):
    """Come back when it holds; a test fails that waits too long."""
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, "it never came true"
        time.sleep(0.02)
