"""One tab's conversation: positions, searches, trees; what is wrong is a sentence, and nothing stays behind."""

import random
import struct
from itertools import pairwise
from typing import Any

import chess
import pytest
from tests.waiting import eventually

from barreleye import wdl

BLUNDER = "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4"
QUIET = "r1bq1rk1/pp2nppp/2n1p3/2ppP3/3P4/P1PB1N2/2P2PPP/R1BQK2R w KQ - 1 10"


def test_a_position_with_all_it_takes_to_move(served):
    with served.tab() as tab:
        facts = tab.ask("position", fen="", moves=["e2e4", "e7e5", "g1f3"])
        board = chess.Board()
        for move in ("e2e4", "e7e5", "g1f3"):
            board.push_uci(move)
        assert facts["fen"] == board.fen() and facts["played"] == ["e4", "e5", "Nf3"]
        legal = {move["uci"]: move["san"] for move in facts["legal"]}
        assert legal == {move.uci(): board.san(move) for move in board.legal_moves}
        assert facts["turn"] == "black" and not facts["check"] and "King's Knight" in facts["opening"]
        assert tab.ask("position", fen="", moves=["e2e4"], later=["e7e5", "g1f3"])["later"] == ["e5", "Nf3"]
        over = tab.ask("position", fen=BLUNDER, moves=["h5f7"])
        assert over["over"] == "Checkmate" and over["result"] == "1-0" and over["legal"] == []


def test_typed_moves_and_positions(served):
    with served.tab() as tab:
        assert tab.ask("typed", fen="", moves=[], text="nf3") == {"move": "g1f3"}
        assert tab.ask("typed", fen="", moves=[], text=BLUNDER)["fen"] == BLUNDER
        assert tab.refused("typed", fen="", moves=[], text="Nf6") == "'Nf6' is not a legal move here."
        assert "rank" in tab.refused("typed", fen="", moves=[], text="8/8/8/8/8/8/8/9 w - - 0 1")


def test_a_search_reports_every_depth_and_ends(served):
    with served.tab() as tab:
        tab.ask("watch", counters=True)
        number = tab.ask("go", fen=BLUNDER, moves=[], limit={"depth": 8}, lines=2)["search"]
        events = tab.until_done()
    assert all(event["search"] == number for event in events)
    lines = {line["line"]: line for event in events for line in event["lines"]}
    assert lines[1]["san"] == ["Qxf7#"] and lines[1]["mate"] == 1 and lines[1]["chances"][0] == 1000
    assert lines[2]["pv"] and lines[2]["line"] == 2
    assert events[-1]["counters"]["techniques"]["TT Cutoff"][0] > 0
    assert [line["depth"] for event in events for line in event["depths"]][:3] == [1, 2, 3]


def test_scores_are_for_white(served):
    with served.tab() as tab:
        tab.ask("go", fen="4k3/8/8/8/8/8/q7/7K b - - 0 1", moves=[], limit={"depth": 10}, lines=1)
        line = [line for event in tab.until_done() for line in event["lines"]][-1]
    assert line.get("mate", line.get("cp", 0)) < 0 and line["chances"][2] > 900


def test_chances_are_those_of_the_position_on_the_board(served):
    with served.tab() as tab:
        tab.ask("go", fen="4k3/8/8/3p1p2/3P1P2/8/8/4K3 w - - 0 1", moves=[], limit={"depth": 8}, lines=1)
        ending = [line for event in tab.until_done() for line in event["lines"]][-1]
        tab.ask("go", fen="", moves=["e2e4"], limit={"depth": 8}, lines=1)
        opening = [line for event in tab.until_done() for line in event["lines"]][-1]
    assert ending["chances"][1] > 950
    assert opening["chances"] == list(wdl.chances(opening["cp"], wdl.MOST_MATERIAL)) and opening["chances"][1] < 800


def test_a_switch_changes_the_counters(served):
    with served.tab() as tab:
        tab.ask("watch", counters=True)
        found = []
        for off in ([], ["Null Move"]):
            tab.ask("go", fen=QUIET, moves=[], limit={"nodes": 20000}, lines=1, off=off)
            found.append(tab.until_done()[-1]["counters"]["techniques"]["Null Move"])
        assert found[0][0] > 0 and found[1] == [0, 0, 0]
        assert tab.refused("go", fen="", moves=[], off=["No Such"]) == "There is no technique called no such."


def test_an_endless_search_ends_when_another_begins(served):
    with served.tab() as tab:
        tab.ask("go", fen="", moves=[], limit={}, lines=1)
        second = tab.ask("go", fen=QUIET, moves=[], limit={"nodes": 1000}, lines=1)["search"]
        tab.events = [event for event in tab.events if event["search"] == second]
        assert tab.until_done()[-1]["search"] == second


def test_a_recorded_search_is_drawn_and_told(served):
    with served.tab() as tab:
        assert tab.refused("icicle", node=None, width=800) == "No search has been recorded yet."
        facts = tab.ask("record", fen=QUIET, moves=[], nodes=30000)
        assert facts["visits"] == facts["kept"] > 30000 and facts["canReplay"]
        whole = tab.ask("icicle", node=None, width=800)
        cells = list(struct.iter_unpack("<IHHBBH", whole["cells"]))
        assert len(cells) == whole["count"] <= 16000 and cells[0][:4] == (0, 0, 800 * 16, 0)
        for row in range(whole["rows"]):            # nothing overlaps, nothing hangs over
            edges = [(x, x + width) for _, x, width, at, _, _ in cells if at == row]
            assert all(one[1] <= other[0] for one, other in pairwise(edges))
            assert edges[-1][1] <= 800 * 16
        root = tab.ask("visit", node=facts["root"])
        assert root["title"] == "the root" and root["events"] and root["reason"].endswith(".")
        part = tab.ask("icicle", node=facts["root"], width=800, technique="Null Move")
        flags = [cell[5] for cell in struct.iter_unpack("<IHHBBH", part["cells"])]
        assert flags[0] & 4 and not all(flag & 4 for flag in flags)
        assert [one["label"] for one in part["path"]] == [f"depth {root['depth']}"]
        rows = tab.ask("rows", node=facts["root"])["rows"]
        assert sum(row["size"] for row in rows) == root["size"] - 1
        assert tab.refused("visit", node=10**9) == "There is no visit 1,000,000,000 in this tree."


def test_what_was_not_kept_is_searched_again(served, monkeypatch):
    from barreleye.engine import Engine

    record = Engine.record
    monkeypatch.setattr(Engine, "record", lambda self, *args, **named: record(self, *args, budget_mb=1, **named))
    with served.tab() as tab:
        facts = tab.ask("record", fen=QUIET, moves=[], nodes=30000)
        assert facts["kept"] < facts["visits"]
        closed = next(row for row in all_rows(tab, facts["root"])
                      if row["size"] > 5 and tab.ask("visit", node=row["node"])["collapsed"])
        assert tab.ask("icicle", node=closed["node"], width=500)["collapsed"]
        tab.ask("open", node=closed["node"])
        opened = tab.ask("icicle", node=closed["node"], width=500)
        assert not opened["collapsed"] and opened["count"] > 1
        assert sum(row["size"] for row in tab.ask("rows", node=closed["node"])["rows"]) == closed["size"] - 1


def all_rows(tab, node):
    """The visits within another, near ones first."""
    waiting = [node]
    while waiting:
        for row in tab.ask("rows", node=waiting.pop(0))["rows"]:
            yield row
            if row["inside"]:
                waiting.append(row["node"])


@pytest.mark.parametrize("what, fields, words", [
    ("position", {"fen": "nonsense"}, "."),
    ("position", {"moves": ["e2e5"]}, "."),
    ("position", {"moves": "e2e4"}, "moves is a list"),
    ("position", {"fen": 3}, "'fen'"),
    ("go", {"limit": {"nodes": -1}}, "The limit nodes"),
    ("go", {"limit": {"clock": 1}}, "A limit is"),
    ("go", {"limit": []}, "limit is an object"),
    ("go", {"lines": 0}, "lines is a whole number from 1 to 10."),
    ("go", {"threads": 10**9}, "threads is"),
    ("go", {"hash": True}, "hash is"),
    ("record", {"nodes": 10**12}, "nodes is"),
    ("watch", {"counters": 1}, "counters is true or false."),
    ("fly", {}, "There is nothing called 'fly' to do."),
    ("typed", {}, "'text'"),
    ("icicle", {"node": -1, "width": 100}, "recorded"),
])
def test_bad_input_is_a_sentence(served, what, fields, words):
    with served.tab() as tab:
        said = tab.refused(what, **fields)
        assert words.lower() in said.lower() and said.endswith(".")


def test_nonsense_does_no_harm(served):
    chance = random.Random(3)
    pieces = ['{"id":-1,"do":', '"go"', "{", "}", "[", "null", "1e999", '"fen"', ":", ",", '"moves"', "\\u0000",
              "\ud7ff", '"position"', '"e2e4"']
    with served.tab() as quiet, served.tab() as loud:
        quiet.ask("go", fen=QUIET, moves=[], limit={}, lines=1)
        for number in range(1000):
            text = "".join(chance.choice(pieces) for _ in range(chance.randrange(1, 30)))
            loud.socket.send(text if number % 3 else text.encode("utf-8", "replace"))
        loud.socket.send("[" * 60000)
        assert loud.ask("position", fen="", moves=[])["turn"] == "white"
        while not any(event.get("lines") for event in quiet.events):
            quiet.events.append(quiet.receive())
        assert quiet.ask("stop") == {}


@pytest.mark.slow
def test_a_thousand_messages_out_of_order_get_an_answer_each(served):
    """Every command with fields that are right, wrong, missing or absurd, one after the other without waiting."""
    chance = random.Random(16)
    values: dict[str, list[Any]] = {
        "fen": ["", QUIET, BLUNDER, "8/8/8/8/8/8/8/8 w - - 0 1", "x" * 500, None, 7],
        "moves": [[], ["e2e4"], ["e2e5"], ["0000"], ["e2e4"] * 2001, "e2e4", [1], None],
        "nodes": [1000, 2000, 0, -1, 10**30, 1.5, "many", None, True], "lines": [1, 3, 0, 99, None],
        "limit": [{}, {"nodes": 500}, {"depth": 3}, {"time": 0.01}, {"depth": 10**9}, {"nodes": True}, [], "x"],
        "node": [0, 1, None, 5, 10**12, -1, "root"], "width": [50, 800, 0, 10**6, None], "square": ["e4", "z9", "", 4],
        "technique": ["", "Null Move", "No Such", 3], "without": [["Null Move"], ["NNUE"], [], ["x"], 5],
        "question": ["why", "why not", "threat", "how", None], "move": ["", "e2e4", "e2e5", "zz", "d3h7"],
        "text": ["e4", "Nf3", "", QUIET, "\0", None], "upload": ["x", "", 4], "game": [0, -1, 10**9],
        "level": ["club", "newcomer", "god", 5], "think": [10, 0, "long"], "path": ["", "/nowhere", "\0", 5],
        "threads": [1, 2, 0, 10**6], "hash": [1, 16, 0, 10**9], "off": [[], ["Null Move"], ["x"], "NNUE"],
        "counters": [True, False, 1], "later": [[], ["e7e5"], ["x" * 99]], "wtime": [1, 500, -1, None]}
    commands = ["hello", "position", "typed", "go", "stop", "watch", "record", "icicle", "visit", "rows", "open", "why",
                "ledger", "network", "compare", "annotate", "move", "tables", "export", "fly", "", "__init__"]
    with served.tab() as quiet, served.tab() as loud:
        number = quiet.ask("go", fen=QUIET, moves=[], limit={}, lines=1)["search"]
        asked = set()
        for _ in range(1000):
            names = chance.sample(sorted(values), chance.randrange(8))
            # The first ones are right, and what is right is more frequent.
            fields = {name: chance.choice(values[name][:2] + values[name]) for name in {"fen", "moves", *names}}
            asked.add(loud.send(chance.choice(commands), **fields))
        answers = [loud.receive()]
        while len({message["id"] for message in answers if "id" in message}) < len(asked):
            answers.append(loud.receive())
        told = [message for message in answers if "id" in message]
        assert {message["id"] for message in told} == asked and len(told) == len(asked)
        assert all(len(message.keys() & {"ok", "error", "stopped"}) == 1 for message in told)
        wrong = [message["error"] for message in told if "error" in message]
        assert 300 < len(wrong) < 900
        assert not [words for words in wrong if "went wrong" in words or not words.endswith((".", "?"))]
        quiet.events.clear()
        while not quiet.events:
            quiet.events.append(quiet.receive())
        assert quiet.events[0]["search"] == number and not quiet.events[0].get("done")


def test_a_message_that_is_too_long_ends_only_its_tab(served):
    from websockets.exceptions import ConnectionClosed

    with served.tab() as other, served.tab() as tab:
        tab.socket.send("x" * (64 * 1024 + 1))
        with pytest.raises(ConnectionClosed):
            tab.receive()
        assert other.ask("position", fen="", moves=[])["turn"] == "white"
    eventually(lambda: not served.tabs)


def test_four_tabs_and_no_more(served):
    from contextlib import ExitStack

    from websockets.exceptions import ConnectionClosed

    eventually(lambda: not served.tabs)
    with ExitStack() as stack:
        tabs = [stack.enter_context(served.tab()) for _ in range(4)]
        for tab in tabs:
            tab.ask("go", fen=QUIET, moves=[], limit={"nodes": 2000}, lines=1)
        for tab in tabs:
            assert tab.until_done()[-1]["done"]
        fifth = stack.enter_context(served.tab())
        with pytest.raises(ConnectionClosed) as closed:
            fifth.receive()
        assert closed.value.rcvd is not None and closed.value.rcvd.code == 4429
    eventually(lambda: not served.tabs)
