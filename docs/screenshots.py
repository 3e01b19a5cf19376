"""Take the pictures of docs/web.md: the page in Chromium, by day, by night and on a phone.

Needs chromium and playwright: `make screenshots` installs the latter.
"""

import shutil
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING

from barreleye.web.serve import Server, listen

if TYPE_CHECKING:
    from playwright.sync_api import Browser

HERE = Path(__file__).resolve().parent
FEN = "r1bq1rk1/pp2nppp/2n1p3/2ppP3/3P4/P1PB1N2/2P2PPP/R1BQK2R+w+KQ+-+1+10"
SPANISH = "moves=e2e4,e7e5,g1f3,b8c6,f1b5"
# name, address, width, height, colours, what to click, what to wait for
PICTURES = (
    ("web-analysis", f"#{SPANISH}&limit=nodes+400000", 1280, 830, "light", "", ".main:has-text('Analyse')"),
    ("web-why", f"#fen={FEN}&view=why", 1280, 830, "light", "Why this move?", ".answer"),
    ("web-moves", f"#fen={FEN}&view=moves&nodes=100000", 1280, 830, "dark", "", ".heat"),
    ("web-tree", f"#fen={FEN}&view=tree&nodes=200000", 1280, 830, "dark", "Record a search", ".crumbs li"),
    ("web-network", f"#fen={FEN}&view=network", 1280, 720, "light", "", "#labels span"),
    ("web-phone", f"#{SPANISH}&limit=nodes+400000", 360, 900, "dark", "", ".main:has-text('Analyse')"),
)


def take(browser: "Browser", address: str, picture: tuple[str, str, int, int, str, str, str]) -> None:
    """One picture."""
    name, state, width, height, colours, click, wait = picture
    context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=colours)  # type: ignore
    page = context.new_page()
    page.goto(address + state)
    page.wait_for_selector("[role=tab]")
    if click:
        page.get_by_role("button", name=click).click()
    page.wait_for_selector(wait, timeout=120_000)
    page.wait_for_timeout(600)
    page.screenshot(path=HERE / f"{name}.png")
    context.close()


def main() -> int:
    from playwright.sync_api import sync_playwright

    ready = threading.Event()
    server = Server("127.0.0.1", listen("127.0.0.1", 0), "token", lambda _: ready.set())
    threading.Thread(target=server.go_on, daemon=True).start()
    ready.wait(20)
    wanted = sys.argv[1:]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        for picture in PICTURES:
            if not wanted or picture[0] in wanted:
                take(browser, server.address, picture)
        browser.close()
    server.should_exit = True
    return 0


if __name__ == "__main__":
    sys.exit(main())
