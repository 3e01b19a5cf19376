"""What keeps people out of a page, as axe finds it."""

import importlib.util


def expect_no_barrier(page, name):
    """What axe finds serious on a page that a browser shows; nothing where axe is not installed."""
    if importlib.util.find_spec("axe_playwright_python") is None:
        return
    from axe_playwright_python.sync_playwright import Axe

    found = [one for one in Axe().run(page).response["violations"] if one["impact"] in ("serious", "critical")]
    assert not found, f"{name}: {[(one['id'], [node['target'] for node in one['nodes']][:3]) for one in found]}"
