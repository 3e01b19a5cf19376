"""The page in a real browser: how soon the tree of a million visits is seen, and what an open tab costs the search.

From the end of the search to the first picture on the screen it should take 300 ms at most, each zoom 100 ms and
200 KB, on one core: run it under `taskset -c 0`. A search should keep 97 % of its speed while a tab shows it.
Needs chromium and playwright (`make test-web` installs the latter).
"""

import argparse
import os
import re
import shutil
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from barreleye.engine.search_thread import Search
from barreleye.web.serve import Server, listen

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

FEN = "r1bq1rk1/pp2nppp/2n1p3/2ppP3/3P4/P1PB1N2/2P2PPP/R1BQK2R w KQ - 1 10"
SETTLED_MS = 600            # by then everything has come: the picture, the table, the card
TICKS_PER_S = 100           # of processor time in /proc
# What arrives is counted, and the next frame after a picture has come is when people see it.
WATCH = """
(() => {
  window.seen = { bytes: 0, at: 0, pressed: 0 };
  document.addEventListener("keydown", () => { window.seen.pressed = Date.now(); }, true);
  const Before = window.WebSocket;
  window.WebSocket = class extends Before {
    constructor(...given) {
      super(...given);
      this.addEventListener("message", (event) => {
        window.seen.bytes += event.data.byteLength ?? event.data.length;
        const isPicture = typeof event.data !== "string";
        if (isPicture) requestAnimationFrame(() => setTimeout(() => { window.seen.at = Date.now(); }));
      });
    }
  };
})();
"""
ALONE = """
import sys, threading, time
from barreleye import Engine
engine, over = Engine(Hash=64), threading.Event()
engine.set_option("MultiPV", 3)
engine.position(sys.argv[1])
spent, began = time.process_time(), time.perf_counter()
engine.go({"nodes": int(sys.argv[2])}, on_done=lambda _: over.set())
over.wait()
print(time.process_time() - spent, time.perf_counter() - began)
"""


@contextmanager
def opened(playwright_browser: "Browser", address: str) -> Iterator["Page"]:
    context = playwright_browser.new_context(viewport={"width": 1600, "height": 1000})
    context.set_default_timeout(300_000)
    context.add_init_script(WATCH)
    page = context.new_page()
    page.goto(address)
    page.wait_for_selector("[role=tab]")
    yield page
    context.close()


def pictures(browser: "Browser", nodes: int) -> None:
    """The whole search, then down the widest visit of each row."""
    ends: list[float] = []
    wait = Search.wait

    def timed(search: Search) -> object:
        result = wait(search)
        ends.append(time.time())
        return result

    Search.wait = timed                                 # type: ignore[method-assign, assignment]
    ready = threading.Event()
    server = Server("127.0.0.1", listen("127.0.0.1", 0), "token", lambda _: ready.set())
    threading.Thread(target=server.go_on, daemon=True).start()
    ready.wait(60)
    state = f"#fen={FEN.replace(' ', '+')}&limit=nodes+1000&view=tree&nodes={nodes}"
    with opened(browser, server.address + state) as page:
        page.get_by_role("button", name="Record a search").click()
        page.wait_for_selector(".crumbs li")
        page.wait_for_timeout(SETTLED_MS)
        at = page.evaluate("window.seen.at") / 1000
        visits = re.search(r"[\d,]+ visits", page.inner_text("#view-tree"))
        assert visits
        print(f"{visits[0]}, first picture {1000 * (at - ends[-1]):.0f} ms after the search")
        page.focus(".icicle canvas")
        times, sizes = [], []
        for _ in range(14):
            page.keyboard.press("ArrowDown")
            page.wait_for_timeout(SETTLED_MS)
            page.evaluate("window.seen.bytes = 0")
            page.keyboard.press("Enter")
            page.wait_for_timeout(SETTLED_MS)           # nothing else wants the processor while it is drawn
            found = page.evaluate("window.seen")
            times.append(found["at"] - found["pressed"])
            sizes.append(found["bytes"])
        print(f"zooms: slowest {max(times):.0f} ms, median {statistics.median(times):.0f} ms, "
              f"largest {max(sizes) / 1000:.0f} KB")
    server.should_exit = True
    Search.wait = wait                                  # type: ignore[method-assign]


def shown(browser: "Browser", address: str, pid: int, nodes: int) -> tuple[float, float]:
    """Processor time and time of a search that a tab shows, the server's own work included."""
    place = f"fen={FEN.replace(' ', '+')}&limit=nodes+"
    with opened(browser, f"{address}#{place}1") as page:
        page.wait_for_selector(".main:has-text('Analyse')")
        page.wait_for_timeout(1000)
        spent = processor_time(pid)
        page.evaluate(f"location.hash = '{place}{nodes}'")
        page.wait_for_selector(f".facts:has-text('{nodes:,} nodes')")
        page.wait_for_selector(".main:has-text('Analyse')")
        took = processor_time(pid) - spent
        rate = re.search(r"([\d,]+) a second", page.inner_text(".facts"))
        assert rate
        return took, nodes / int(rate[1].replace(",", ""))


def processor_time(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS_PER_S


def alone(nodes: int) -> tuple[float, float]:
    """The same without a page."""
    done = subprocess.run([sys.executable, "-c", ALONE, FEN, str(nodes)], capture_output=True, text=True, check=True)
    spent, took = done.stdout.split()
    return float(spent), float(took)


def speed(browser: "Browser", nodes: int, rounds: int) -> None:
    pairs = []
    for number in range(rounds):
        command = [sys.executable, "-m", "barreleye", "web", "--no-open", "--port", str(18532 + number)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
            assert server.stdout
            address = next(found[0] for line in server.stdout if (found := re.search(r"http://\S+", line)))
            if number % 2:                              # whatever drifts with time hits both alike
                page = shown(browser, address, server.pid, nodes)
                pairs.append((alone(nodes), page))
            else:
                pairs.append((alone(nodes), shown(browser, address, server.pid, nodes)))
            server.terminate()
        print(f"alone {pairs[-1][0][0]:.2f} s of processor time, {pairs[-1][0][1]:.2f} s; "
              f"shown {pairs[-1][1][0]:.2f} s, {pairs[-1][1][1]:.2f} s")
    for index, what in enumerate(("by processor time", "by the clock")):
        kept = sum(one[index] for one, _ in pairs) / sum(other[index] for _, other in pairs)
        print(f"with a tab open the search keeps {kept:.1%} of its speed, {what}")


def main() -> int:
    from playwright.sync_api import sync_playwright

    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("what", choices=("pictures", "speed"))
    parser.add_argument("--nodes", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=3)
    args = parser.parse_args()
    first, *_, last = sorted(os.sched_getaffinity(0)) * 2
    os.sched_setaffinity(0, {last})                     # the browser there, the search on the first processor
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        os.sched_setaffinity(0, {first})
        if args.what == "pictures":
            pictures(browser, args.nodes)
        else:
            speed(browser, args.nodes, args.rounds)
        browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
