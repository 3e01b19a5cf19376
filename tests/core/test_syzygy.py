"""The tablebase prober: agrees with python-chess's and Fathom's, and survives any file."""

import os
import random
import re
import shutil
import subprocess
import threading

import chess
import chess.syzygy
import pytest
from tests.core.endings import en_passant_board, random_board

from barreleye.core.position import Position
from barreleye.core.syzygy.probe import Tablebase
from barreleye.core.syzygy.root import rank_moves
from barreleye.core.syzygy.tables import TableFile
from barreleye.syzygy_files import map_file, open_tables
from barreleye.tablebase.lines import by_distance

FATHOM = shutil.which("fathom", path=os.environ.get("PATH", "") + ":/usr/games")


@pytest.fixture(scope="module")
def folder(data_dir):
    return str(data_dir / "syzygy")


@pytest.fixture(scope="module")
def tables(folder):
    return open_tables(folder)


@pytest.fixture(scope="module")
def oracle(folder):
    with chess.syzygy.open_tablebase(folder) as opened:
        yield opened


def names(tables):
    return sorted({file.name for file in tables.files})


def disagreements(tables, oracle, boards):
    """Positions on which the two probers differ."""
    differ = []
    for board in boards:
        position = Position(board.fen())
        ours = tables.wdl(position), tables.dtz(position)
        theirs = oracle.probe_wdl(board), oracle.probe_dtz(board)
        if ours != theirs:
            differ.append((board.fen(), ours, theirs))
    return differ


def test_there_are_all_endings_of_up_to_four_men(tables):
    assert len(names(tables)) == 35
    assert tables.cardinality == 4


def test_results_and_distances_are_those_of_python_chess(tables, oracle, debug_build):
    rng = random.Random(1)
    each = 10 if debug_build else 60
    assert disagreements(tables, oracle, [random_board(name, rng) for name in names(tables) for _ in range(each)]) == []


def test_en_passant_positions_are_those_of_python_chess(tables, oracle, debug_build):
    rng = random.Random(2)
    boards = [en_passant_board("KPvKP", rng) for _ in range(100 if debug_build else 400)]
    assert disagreements(tables, oracle, boards) == []


@pytest.mark.slow
def test_two_hundred_thousand_positions_are_those_of_python_chess(tables, oracle):
    rng = random.Random(3)
    for name in names(tables):
        assert disagreements(tables, oracle, (random_board(name, rng) for _ in range(5700))) == []
    assert disagreements(tables, oracle, (en_passant_board("KPvKP", rng) for _ in range(5000))) == []


@pytest.mark.skipif(not FATHOM, reason="Debian's fathom is not installed")
def test_fathom_agrees_on_a_sample(tables, folder, debug_build):
    assert FATHOM
    rng = random.Random(4)
    values = {"Loss": -2, "BlessedLoss": -1, "Draw": 0, "CursedWin": 1, "Win": 2}
    count = 0
    for number in range(20 if debug_build else 70):
        board = random_board(names(tables)[number % 35], rng)
        if not any(board.legal_moves):
            continue
        said = subprocess.run([FATHOM, f"--path={folder}", board.fen()], capture_output=True, text=True).stdout
        tags = dict(re.findall(r'\[(\w+) "(.*)"\]', said))
        rows = {row[0]: row[1] for row in rank_moves(tables, Position(board.fen())) or ()}
        for tag in ("WinningMoves", "DrawingMoves", "LosingMoves"):
            listed = {board.parse_san(san.strip()).uci() for san in tags[tag].split(",") if san.strip()}
            ours = {uci for uci, wdl in rows.items()
                    if {"W": wdl == 2, "D": abs(wdl) < 2, "L": wdl == -2}[tag[0]]}
            assert listed == ours, (board.fen(), tag)
        assert values[tags["WDL"]] == tables.wdl(Position(board.fen())), board.fen()
        assert int(tags["DTZ"]) == abs(tables.dtz(Position(board.fen()))), board.fen()
        count += 1
    assert count > 10


@pytest.mark.parametrize(("fen", "wdl", "dtz"), [
    ("8/8/8/4k3/8/8/4K3/4R3 w - - 0 1", 2, 23),
    ("8/8/8/4k3/8/8/4K3/4R3 b - - 0 1", -2, -22),
    ("8/8/8/4K3/8/8/4k3/4r3 b - - 0 1", 2, 23),              # the same with colours exchanged
    ("7k/8/8/8/8/8/8/K7 w - - 0 1", 0, 0),                   # bare kings need no table
    ("k7/1Q6/1K6/8/8/8/8/8 b - - 0 1", -2, -1),              # mated
    ("8/8/8/8/k7/8/1p6/K7 w - - 0 1", 0, 0),                 # the pawn can be taken
])
def test_known_positions(tables, oracle, fen, wdl, dtz):
    board = chess.Board(fen)
    assert (tables.wdl(Position(fen)), tables.dtz(Position(fen))) == (wdl, oracle.probe_dtz(board))
    assert (dtz > 0) - (dtz < 0) == (wdl > 0) - (wdl < 0)


@pytest.mark.parametrize("fen", [
    "r3k2r/8/8/8/8/8/8/4K3 w kq - 0 1",                      # castling rights
    "8/8/8/4k3/8/8/PPP1K3/8 w - - 0 1",                      # too many men
])
def test_what_the_tables_cannot_tell(tables, fen):
    assert tables.wdl(Position(fen)) is None
    assert tables.dtz(Position(fen)) is None
    assert rank_moves(tables, Position(fen)) is None


def test_distances_missing_leave_the_results(folder):
    only = Tablebase([file for file in open_tables(folder).files if not file.is_dtz])
    position = Position("8/8/8/8/4k3/8/4R3/4K3 b - - 0 1")
    assert only.wdl(position) == -2 and only.dtz(position) is None
    assert {row[:3] for row in rank_moves(only, Position("8/8/8/8/8/4k3/4R3/4K3 b - - 0 1")) or ()} == {
        ("e3d3", -2, None), ("e3f3", -2, None), ("e3d4", -2, None), ("e3f4", -2, None)}


def test_the_line_leads_to_mate(tables):
    position = Position("8/8/8/4k3/8/8/3NK3/2B5 w - - 0 1")
    for move in by_distance(tables, position, 200):
        position.push(move)
    assert position.is_checkmate()


def test_a_third_repetition_ranks_as_a_draw(tables):
    position = Position("8/8/8/4k3/8/8/4K3/4R3 w - - 0 1")
    *first, last = ["e1a1", "e5d5", "a1e1", "d5e5"] * 2
    for move in first:
        assert {row[0]: row[1] for row in rank_moves(tables, position) or ()}[move] == (2 if position.turn else -2)
        position.push(move)
    assert {row[0]: row[1] for row in rank_moves(tables, position) or ()}[last] == 0


def test_eight_threads_share_tables_that_nobody_opened(folder):
    fresh = Tablebase([TableFile(file.name, file.path, file.is_dtz, map_file)
                       for file in open_tables(folder).files])
    rng = random.Random(5)
    boards = [random_board(name, rng) for name in names(fresh) for _ in range(4)]
    expected = [open_tables(folder).dtz(Position(board.fen())) for board in boards]
    answers: dict[int, list[int | None]] = {}

    def ask(number):
        answers[number] = [fresh.dtz(Position(board.fen())) for board in boards]

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert list(answers.values()) == [expected] * 8
    assert all(file.is_open for file in fresh.files if not file.is_dtz)


# Files that are not what they should be


def broken(name, is_dtz, content):
    """A set of tables with one that has this content."""
    return TableFile(name, "broken", is_dtz, lambda path: content)


def probe_everything(files, name, rng, count=20):
    tables = Tablebase(files)
    for _ in range(count):
        position = Position(random_board(name, rng).fen())
        wdl, dtz = tables.wdl(position), tables.dtz(position)
        assert wdl in (None, -2, -1, 0, 1, 2)
        assert dtz is None or -70000 * 2 < dtz < 70000 * 2


@pytest.mark.parametrize(("content", "reason"), [
    (b"", "cut short"), (b"\x71\xe8\x23\x5d", "cut short"), (b"\x00" * 100, "does not begin"),
    (b"\xd7\x66\x0c\xa5" + b"\x00" * 96, "does not begin"), (b"\x71\xe8\x23\x5d" + b"\xff" * 96, "name"),
    (b"\x71\xe8\x23\x5d\x01" + b"\x00" * 96, "pieces"),
])
def test_files_that_are_no_tables(content, reason):
    file = broken("KRvK", False, content)
    assert Tablebase([file]).wdl(Position("8/8/8/4k3/8/8/4K3/4R3 w - - 0 1")) is None
    assert reason in file.check()


def test_truncated_tables_are_refused(folder, debug_build):
    rng = random.Random(6)
    for name, suffix in (("KRvKP", "rtbw"), ("KRvKP", "rtbz"), ("KBNvK", "rtbw"), ("KQvKR", "rtbz"), ("KPvKP", "rtbw")):
        with open(f"{folder}/{name}.{suffix}", "rb") as opened:
            whole = opened.read()
        lengths = [*range(120), *(rng.randrange(len(whole)) for _ in range(20 if debug_build else 60)), len(whole) - 1]
        for length in lengths:
            file = broken(name, suffix == "rtbz", whole[:length])
            others = [other for other in open_tables(folder).files if other.is_dtz != file.is_dtz]
            probe_everything([file, *others], name, rng, 2)
            assert file.check() is not None or not file.is_open, (name, length)


@pytest.mark.parametrize("header_only", [True, False])
def test_a_thousand_damaged_tables_never_crash(folder, header_only):
    rng = random.Random(7 + header_only)
    files = open_tables(folder).files
    for _ in range(500):
        chosen = rng.choice(files)
        with open(chosen.path, "rb") as opened:
            content = bytearray(opened.read())
        for _ in range(rng.choice((1, 1, 3, 20))):
            place = rng.randrange(min(len(content), 400) if header_only else len(content))
            content[place] ^= 1 << rng.randrange(8)
        damaged = broken(chosen.name, chosen.is_dtz, bytes(content))
        probe_everything([damaged, *(file for file in files if file is not chosen)], chosen.name, rng, 8)
    assert Tablebase(files).wdl(Position("8/8/8/4k3/8/8/4K3/4R3 w - - 0 1")) == 2


def test_a_file_that_cannot_be_opened_is_left_out():
    def refuse(path):
        raise PermissionError(13, "Permission denied", path)

    file = TableFile("KRvK", "secret", False, refuse)
    assert Tablebase([file]).wdl(Position("8/8/8/4k3/8/8/4K3/4R3 w - - 0 1")) is None
    assert file.check() == "Permission denied"
