"""A recorded search, walked through from Python: objects, words, replays, exports, comparisons."""

import copy
import json
import multiprocessing
import pickle
import sqlite3
import struct
import sys
from concurrent.futures import ProcessPoolExecutor

import chess
import pytest

import barreleye
from barreleye.core.recorder import VISIT_FORMAT
from barreleye.core.techniques import TECHNIQUES
from barreleye.tree import Tree, words
from barreleye.tree.visit import Visit

MIDDLEGAME = "r1bq1rk1/pp2nppp/2n1p3/2ppP3/3P4/P1PB1N2/2P2PPP/R1BQK2R w KQ - 1 10"


@pytest.fixture(scope="module")
def engine():
    with barreleye.Engine(Hash=4) as engine:
        yield engine


@pytest.fixture(scope="module")
def tree(engine: barreleye.Engine) -> Tree:
    return engine.record(MIDDLEGAME, {"nodes": 8000})


def test_a_recorded_search_is_the_same_search(engine, tree):
    with barreleye.Engine(Hash=4) as fresh:
        info = fresh.analyse(MIDDLEGAME, {"nodes": 8000})
    assert info["pv"][0].uci() == tree.summary.best_move
    assert info["nodes"] == tree.summary.nodes
    assert tree.total == tree.summary.stats["main_nodes"] + tree.summary.stats["quiescence_nodes"] == len(tree)


def test_the_engine_it_came_from_is_left_alone(engine):
    engine.analyse(MIDDLEGAME, {"nodes": 500})
    before = engine.stats()
    engine.record(chess.Board(), {"nodes": 500}, options={"Hash": 1})
    assert engine.stats() == before and engine.options["Hash"].default == 16
    assert engine.configuration() == {"Hash": 4}


def test_walking(tree):
    root = tree.root
    assert root.kind == "window" and root.parent is None and root.line == () and root.ply == 0
    assert sum(child.size for child in root.children) == root.size - 1
    first = root.children[0]
    assert first.parent == root and first.kind == "first" and len(first.line) == 1
    assert first.board().move_stack[-1].uci() == first.move
    assert first.position().key == first.key
    deepest = max(tree, key=lambda visit: visit.ply)
    board = tree.board()
    for move in deepest.line:
        assert move == "0000" or chess.Move.from_uci(move) in board.legal_moves
        board.push_uci(move)
    assert deepest.path[0].kind == "window" and deepest.path[-1] == deepest
    assert tree.visit(deepest.number) == deepest
    assert {visit.move for visit in tree.find("d4c5")} == {"d4c5"}
    assert all(visit.line == ("d4c5", "c6e5") for visit in tree.find("d4c5", "c6e5"))
    with pytest.raises(IndexError):
        tree.visit(10**9)
    with pytest.raises(AttributeError, match="no 'colour'"):
        first.colour    # noqa: B018


def test_events_belong_to_their_visits(tree):
    total = 0
    for visit in tree:
        own = visit.events
        total += len(own)
        assert all(event.number == visit.number and event.visit == visit for event in own)
        assert [event.after for event in own] == sorted(event.after for event in own)
    assert total == tree.recordings[0].event_count == sum(1 for _ in tree.events())
    futile = list(tree.events("futility"))
    assert len(futile) == tree.summary.stats["techniques"]["Futility"]["succeeded"]
    assert all(event.has_worked and event.holds for event in futile)


def test_everything_has_words(tree):
    for visit in list(tree)[::41]:
        text = str(visit)
        assert text.startswith(("After ", "At the root")) and text.endswith(".")
        assert "{" not in text + visit.reason and "None" not in text + visit.reason
        for event in visit.events:
            assert "{" not in str(event) and "None" not in str(event)
        json.dumps(visit.to_json())
    silent = {"histories", "ordering", "table", "evaluation"}
    deciding = {technique.name for technique in TECHNIQUES if technique.item not in silent} - {"Draw Randomisation"}
    assert set(words.WORKED) == deciding


def test_the_document_quotes_the_words(root_dir):
    document = (root_dir / "docs" / "glassbox.md").read_text(encoding="utf-8")
    for texts, outcome in ((words.BEGUN, "begun"), (words.WORKED, "worked"), (words.REPEATED, "repeated")):
        for name, text in texts.items():
            assert f"- {name}, {outcome}: *{text}*\n" in document


@pytest.mark.parametrize(("score", "text"), [(45, "+0.45"), (-120, "-1.20"), (1, "+0.00"), (31999, "mate in 1"),
                                             (-31998, "mated in 1"), (-32000, "mated"), (32001, "anything")])
def test_values_in_words(score, text):
    assert words.value(score) == text


def test_what_was_not_kept_is_searched_again(engine):
    whole = engine.record(MIDDLEGAME, {"nodes": 60_000})
    small = engine.record(MIDDLEGAME, {"nodes": 60_000}, budget_mb=1)
    assert len(small) < len(whole) == whole.total == small.total
    collapsed = [visit for visit in small if visit.is_collapsed and visit.size > 50]
    for visit in collapsed[::40]:
        opened = small.open(visit)
        same = whole.visit(visit.number)
        assert opened.span == opened.size == visit.size
        size = struct.calcsize(VISIT_FORMAT)
        assert (opened.tree.cells()[opened.index * size:(opened.index + opened.size) * size]
                == whole.cells()[same.index * size:(same.index + same.size) * size])
        assert not visit.children and len(visit.open().children) == len(same.children)
    inside = collapsed[0].number + 1
    with pytest.raises(IndexError, match=f"open visit {collapsed[0].number}"):
        small.visit(inside)


def test_what_cannot_be_repeated_says_so(engine):
    timed = engine.record(MIDDLEGAME, {"time": 0.02}, budget_mb=1)
    assert not timed.can_replay
    with pytest.raises(ValueError, match="limit of nodes or depth"):
        timed.root.open()
    threads = engine.record(MIDDLEGAME, {"nodes": 100_000}, options={"Threads": 2})
    assert threads.threads == 2
    with pytest.raises(ValueError, match="several threads"):
        threads.root.open()
    with pytest.raises(ValueError, match="limit that ends it"):
        engine.record(MIDDLEGAME, {"infinite": True})
    with pytest.raises(ValueError, match="limit that ends it"):
        engine.record(MIDDLEGAME, {"mate": 1})


@pytest.mark.parametrize("wrong", [{"budget_mb": 0.1}, {"techniques": ["Magic"]}, {"line": ["e2e5"]}])
def test_bad_wishes_are_refused(engine, wrong):
    with pytest.raises(ValueError):
        engine.record(chess.Board(), {"nodes": 100}, **wrong)


def test_filters(engine):
    line = engine.record(chess.Board(), {"nodes": 4000}, line=["e2e4"])
    assert all(visit.span == 1 for visit in line if visit.ply == 1 and visit.move not in (None, "e2e4"))
    assert all(visit.ply <= 2 for visit in engine.record(chess.Board(), {"nodes": 2000}, plies=2))
    only = engine.record(MIDDLEGAME, {"nodes": 4000}, techniques=["Null Move"])
    assert {event.technique for event in only.events()} == {"Null Move"}
    some = engine.record(chess.Board(), {"nodes": 2000}, iterations=(3, 4))
    assert {visit.iteration for visit in some if visit.ply} == {3, 4}


def test_mates_and_positions_without_moves(engine):
    tree = engine.record("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", {"nodes": 100})
    assert len(tree) == 0 and tree.summary.best_move is None and tree.windows == ()
    with pytest.raises(ValueError, match="no legal move"):
        tree.root    # noqa: B018
    mate = engine.record("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", {"depth": 4})
    assert any(visit.ending == "mate" and visit.reason == "It is mate." for visit in mate)


def test_exports(tree, tmp_path):
    tree.to_sqlite(tmp_path / "tree.db")
    base = sqlite3.connect(tmp_path / "tree.db")
    assert base.execute("SELECT count(*), sum(parent = -1) FROM visits").fetchone() == (len(tree), len(tree.windows))
    assert base.execute("SELECT count(*) FROM events").fetchone() == (tree.recordings[0].event_count,)
    named = "SELECT count(*) FROM visits JOIN endings ON endings.number = ending WHERE name = 'Null Move'"
    assert base.execute(named).fetchone()[0] == sum(visit.ending == "Null Move" for visit in tree)
    base.close()
    tree.to_speedscope(tmp_path / "tree.json")
    profile = json.loads((tmp_path / "tree.json").read_text())["profiles"][0]
    depth = 0
    for event in profile["events"]:
        depth += 1 if event["type"] == "O" else -1
        assert depth >= 0
    assert depth == 0 and profile["endValue"] == tree.total
    assert [event["at"] for event in profile["events"]] == sorted(event["at"] for event in profile["events"])
    tree.to_stacks(tmp_path / "tree.txt")
    lines = (tmp_path / "tree.txt").read_text().splitlines()
    assert sum(int(line.rsplit(" ", 1)[1]) for line in lines) == tree.total


def test_numpy_sees_the_same_memory(tree):
    numpy = pytest.importorskip("numpy")
    visits, events = tree.to_numpy()
    assert len(visits) == len(tree) and len(events) == tree.recordings[0].event_count
    assert visits["size"][visits["ply"] == 0].sum() == tree.total
    some = Visit(tree, 0, 123)
    assert (visits[123]["alpha"], visits[123]["key"]) == (some.alpha, some.key)
    assert not visits.flags.writeable and isinstance(visits, numpy.ndarray)


def test_without_numpy_it_says_what_to_install(tree, monkeypatch):
    monkeypatch.setitem(sys.modules, "numpy", None)
    with pytest.raises(ImportError, match=r"^arrays need numpy, which is not installed: .* -m pip install numpy$"):
        tree.to_numpy()


def test_parquet(tree, tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed")
    tree.to_parquet(tmp_path / "tree.parquet")
    assert parquet.read_table(tmp_path / "tree.visits.parquet").num_rows == len(tree)
    assert parquet.read_table(tmp_path / "tree.events.parquet").num_rows == tree.recordings[0].event_count


def test_two_searches_compared(engine, tree):
    again = engine.record(MIDDLEGAME, {"nodes": 8000})
    same = tree.compare(again)
    assert same.is_same and str(same).startswith("The two searches are the same")
    other = engine.record(MIDDLEGAME, {"nodes": 8000}, options={"Use Null Move": False})
    apart = tree.compare(other)
    assert apart.parting is not None and apart.options == {"Use Null Move": (None, False)}
    one, two = apart.parting
    assert one.number == two.number and one.line == two.line
    assert apart.decisions[0] is not None and apart.decisions[0].technique == "Null Move"
    # Before the parting everything is alike.
    size = struct.calcsize(VISIT_FORMAT)
    for first, second in zip(struct.iter_unpack(VISIT_FORMAT, tree.cells()[:one.number * size]),
                             struct.iter_unpack(VISIT_FORMAT, other.cells()[:one.number * size]), strict=True):
        assert first[:2] == second[:2] and first[3:5] == second[3:5]
    json.dumps(apart.to_json())
    # The same from recordings that hardly kept anything.
    small = [engine.record(MIDDLEGAME, {"nodes": 8000}, options=options, plies=1)
             for options in ({}, {"Use Null Move": False})]
    assert small[0].compare(small[1]).parting[0].number == one.number
    longer = tree.compare(engine.record(MIDDLEGAME, {"depth": 14}))
    assert not longer.is_same and str(longer)
    with pytest.raises(ValueError, match="different positions"):
        tree.compare(engine.record(chess.Board(), {"nodes": 100}))


def test_what_ends_alike_is_looked_into(engine):
    """Windows may come to the same value with as many visits and have got there in different ways."""
    usual = engine.record(MIDDLEGAME, {"nodes": 3000})
    parted = 0
    for technique in TECHNIQUES:
        switched = {technique.option: not technique.default}
        apart = usual.compare(engine.record(MIDDLEGAME, {"nodes": 3000}, options=switched))
        if apart.parting is None and None not in apart.next:
            one, other = apart.next
            assert (one.depth, one.alpha, one.beta) != (other.depth, other.alpha, other.beta), technique.name
        parted += apart.parting is not None
    assert parted > 20


def test_chess960_castling_is_written_king_takes_rook(engine):
    board = chess.Board("k7/8/8/8/8/8/8/1RK3R1 w GB - 0 1", chess960=True)
    tree = engine.record(board, {"nodes": 500})
    assert tree.chess960 and tree.find("c1g1") and str(tree.find("c1g1")[0]).startswith("After 1.O-O")


@pytest.mark.parametrize("wrong", [
    {"budget_mb": float("nan")}, {"budget_mb": float("inf")}, {"budget_mb": 1e30}, {"budget_mb": 0.5}, {"multipv": 0},
    {"multipv": -1}, {"plies": -1}, {"plies": 1 << 31}, {"iterations": (5, 3)}, {"iterations": (-1, 2)},
    {"visits": (-1, 2)}, {"visits": (5, 3)}, {"visits": (1 << 70, 1 << 71)}, {"multipv": 2.0}, {"plies": 2.5},
    {"plies": "2"}, {"iterations": (1.5, 3)}, {"visits": (0, 1e6)}])
def test_numbers_that_cannot_be_meant(engine, wrong):
    with pytest.raises(ValueError, match=next(iter(wrong)).removesuffix("_mb")):
        engine.record(MIDDLEGAME, {"nodes": 100}, **wrong)


def test_what_was_not_kept_is_not_said_to_be_without_moves(engine):
    with pytest.raises(ValueError, match="nothing was kept"):
        _ = engine.record(MIDDLEGAME, {"nodes": 100}, visits=(10**6, 10**7)).root


def test_looking_for_what_there_is_not(tree):
    with pytest.raises(ValueError, match="not a legal move"):
        tree.find("d4c5", "d4c5")
    with pytest.raises(ValueError, match="is not a technique"):
        tree.events("Nothing")
    for number in (-1, tree.total, 1 << 70):
        with pytest.raises(IndexError, match="there is no visit"):
            tree.visit(number)


def test_a_line_of_moves_of_any_kind(tree):
    assert tree.find(chess.Move.from_uci("d4c5")) == tree.find("d4c5") != ()
    passed = next(visit for visit in tree if "0000" in visit.line)
    assert passed in tree.find(*passed.line)


def test_a_visit_can_be_copied(tree):
    assert copy.copy(tree.root) == tree.root


def test_words_for_windows_and_what_lies_within(tree):
    first = tree.windows[0]
    assert "with an open window" in str(first) and "anything" not in str(first)
    assert "the window is open" in str(first.events[0])
    assert str(first).endswith(f" {first.size - 1:,} visits lie within.")
    pair = next(visit for visit in tree if visit.size == 2)
    assert str(pair).endswith(" 1 visit lies within.")


def test_an_exchange_does_not_win_less_than_nothing(tree):
    told = [str(event) for event in tree.events("Quiescence Futility") if event.relation == "exchange <"]
    assert told and not any("the -" in text or "the 0.00" in text for text in told)


def test_a_first_look_that_is_not_shallower_is_not_called_so(tree):
    looks = [event for event in tree.events("Late Move Reduction") if event.outcome == "begun"]
    assert {event.right < event.left for event in looks} == {True, False}
    for event in looks:
        assert ("instead of" in str(event)) == (event.right < event.left) != ("not reduced" in str(event))
    last_looks = [event for event in tree.events("Deeper Research") if not any(
        child.kind in ("again", "open") and child.move == event.move for child in event.visit.children)]
    assert last_looks and all("if it is searched again" in str(event) for event in last_looks)


TAKES = chess.Move.from_uci("d4c5")


@pytest.mark.parametrize("moves", ["d4c5", "dxc5", ["dxc5"], TAKES, (TAKES,)])
def test_moves_are_understood_in_every_notation(engine, moves):
    tree = engine.record(MIDDLEGAME, {"nodes": 1500}, root_moves=moves)
    assert tree.summary.root_moves == ("d4c5",) and tree.summary.best_move == "d4c5"
    within = engine.record(MIDDLEGAME, {"nodes": 3000}, line=moves)
    assert all(visit.span == 1 for visit in within if visit.ply == 1 and visit.move not in (None, "d4c5"))
    assert any(visit.span > 1 for visit in within if visit.move == "d4c5")
    assert engine.analyse(MIDDLEGAME, {"nodes": 100}, root_moves=moves)["pv"][0].uci() == "d4c5"
    with pytest.raises(ValueError, match="root_moves is empty"):
        engine.record(MIDDLEGAME, {"nodes": 100}, root_moves=[])


def test_visits_are_found_by_every_notation(tree):
    assert tree.find("dxc5", "Nxe5") == tree.find("d4c5", "c6e5") == tree.find(chess.Move.from_uci("d4c5"), "Nxe5")
    assert tree.find("O-O") == tree.find("e1g1") == tree.find("e1h1") != ()


def test_the_option_for_several_lines_counts(engine):
    lines = {visit.line_number for visit in engine.record(MIDDLEGAME, {"nodes": 3000}, options={"MultiPV": 3}).windows}
    assert lines == {visit.line_number for visit in engine.record(MIDDLEGAME, {"nodes": 3000}, multipv=3).windows}
    assert len(lines) == 3
    with barreleye.Engine(Hash=1, MultiPV=2) as two:
        assert two.record(MIDDLEGAME, {"nodes": 2000}).summary.multipv == 2
        assert two.record(MIDDLEGAME, {"nodes": 2000}, multipv=1).summary.multipv == 1
        assert two.explain(MIDDLEGAME, {"nodes": 2000}) == engine.explain(MIDDLEGAME, {"nodes": 2000})


def test_a_tree_goes_to_another_process_and_back(engine):
    board = chess.Board()
    for san in ("Nf3", "Nf6", "Ng1", "Ng8", "Nf3"):             # a repetition that the search knows of
        board.push_san(san)
    tree = engine.record(board, {"nodes": 30_000}, budget_mb=1)
    sent = pickle.loads(pickle.dumps(tree))
    assert (sent.summary, sent.total, sent.collapse, len(sent)) == (tree.summary, tree.total, tree.collapse, len(tree))
    assert bytes(sent.cells()) == bytes(tree.cells()) and bytes(sent.event_cells()) == bytes(tree.event_cells())
    assert sent.position.is_repetition(2) and sent.position.fen() == tree.position.fen()
    visit = next(visit for visit in tree if visit.is_collapsed and visit.size > 50)
    twin = pickle.loads(pickle.dumps(visit))
    assert str(twin) == str(visit) and [str(event) for event in twin.events] == [str(event) for event in visit.events]
    assert len(twin.open().children) == len(visit.open().children) > 0
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as processes:
        assert processes.submit(len, tree).result() == len(tree)
    empty = engine.record("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", {"nodes": 100})
    assert len(pickle.loads(pickle.dumps(empty))) == 0


def test_values_say_whether_they_are_bounds(tree):
    for visit in tree:
        if visit.bound == "exact":
            assert visit.alpha < visit.value < visit.beta or visit.ending in ("draw", "mate", "stalemate")
        else:
            assert visit.value <= visit.alpha if visit.bound == "at most" else visit.value >= visit.beta
    assert tree.root.bound == "exact" and {"at most", "at least"} <= {visit.bound for visit in tree}
