"""A tab that is closed in the middle of anything leaves no thread behind."""

import json
import os
import threading
import urllib.request

import pytest
from tests.waiting import eventually

from barreleye.engine import Engine

QUIET = "r1bq1rk1/pp2nppp/2n1p3/2ppP3/3P4/P1PB1N2/2P2PPP/R1BQK2R w KQ - 1 10"
GAME = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O 9. h3 Nb8 10. d4 Nbd7 *"


def at_work() -> set[int]:
    """The threads of this process as the system knows them, without those that wait for the server's next question."""
    idle = {thread.native_id for thread in threading.enumerate() if thread.name.startswith("asyncio_")}
    return {int(name) for name in os.listdir("/proc/self/task")} - idle


@pytest.fixture(autouse=True)
def nothing_stays(served):
    """Nobody is there before, and nothing more is there afterwards."""
    eventually(lambda: not served.tabs)
    before = at_work()
    yield before
    eventually(lambda: not served.tabs and not at_work() - before)


@pytest.mark.parametrize("what", [
    {"do": "go", "limit": {}}, {"do": "go", "limit": {}, "threads": 2}, {"do": "record", "nodes": 20_000_000},
    {"do": "ledger", "nodes": 20_000_000}, {"do": "why", "nodes": 20_000_000},
    {"do": "why", "question": "why not", "move": "d3h7", "nodes": 20_000_000},
    {"do": "why", "question": "threat", "nodes": 20_000_000},
    {"do": "why", "question": "technique", "nodes": 20_000_000},
    {"do": "compare", "without": ["NNUE"], "nodes": 5_000_000},
    {"do": "export", "nodes": 20_000_000}, {"do": "move", "level": "full", "think": 60_000}])
def test_in_the_middle_of_a_search(served, nothing_stays, what):
    with served.tab() as tab:
        tab.send(what["do"], fen=QUIET, moves=[], **{name: value for name, value in what.items() if name != "do"})
        assert eventually(lambda: len(at_work() - nothing_stays) >= what.get("threads", 1))


@pytest.mark.parametrize("how", ["stopped", "closed"])
def test_in_the_middle_of_annotating(served, nothing_stays, how):
    request = urllib.request.Request(f"http://{served.host}/games", GAME.encode(), {
        "Cookie": served.cookie, "Origin": f"http://{served.host}"})
    with urllib.request.urlopen(request, timeout=60) as answer:
        upload = json.load(answer)["upload"]
    with served.tab() as tab:
        tab.send("annotate", upload=upload, game=0, nodes=10_000_000)
        eventually(lambda: at_work() - nothing_stays)
        if how == "stopped":
            number = tab.number
            tab.send("stop")
            assert tab.answer(number)["stopped"]


def test_in_the_middle_of_opening_a_visit(served, nothing_stays, monkeypatch):
    record = Engine.record
    monkeypatch.setattr(Engine, "record", lambda self, *args, **named: record(self, *args, budget_mb=1, **named))
    with served.tab() as tab:
        facts = tab.ask("record", fen=QUIET, moves=[], nodes=1_000_000)
        recorded = at_work()
        within = tab.ask("rows", node=facts["root"])["rows"]
        closed = next(row["node"] for row in reversed(within) if tab.ask("visit", node=row["node"])["collapsed"])
        tab.send("open", node=closed)
        assert eventually(lambda: at_work() - recorded)
