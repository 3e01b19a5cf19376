"""Waiting for what other threads do, and looking for what keeps people out."""

import importlib.util
import time

PATIENCE_S = 60         # a machine with other work is slow, which is no fault of the page


def eventually(holds, seconds=PATIENCE_S):
    """Come back when it holds; a test fails that waits too long."""
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, "it never came true"
        time.sleep(0.02)
    return True


def expect_no_barrier(page, name):
    """What axe finds serious on a page that a browser shows; nothing where axe is not installed."""
    if importlib.util.find_spec("axe_playwright_python") is None:
        return
    from axe_playwright_python.sync_playwright import Axe

    found = [one for one in Axe().run(page).response["violations"] if one["impact"] in ("serious", "critical")]
    assert not found, f"{name}: {[(one['id'], [node['target'] for node in one['nodes']][:3]) for one in found]}"
