"""Tablebases from Python and in the engine: paths, warnings, play."""

import itertools
import os
import random
import shutil
import subprocess
import sys
import warnings

import chess
import pytest
from tests.core.endings import random_board

from barreleye import tablebase
from barreleye.core.position import Position
from barreleye.core.report import SearchInfo
from barreleye.core.selfplay import SelfPlay
from barreleye.engine import Engine
from barreleye.match.games.referee import BLACK_WINS, DRAW, WHITE_WINS, rules_ending

ROOK = "8/8/8/4k3/8/8/4K3/4R3 w - - 0 1"
PAWN = "8/8/8/4k3/8/8/2p1K3/8 w - - 0 1"


@pytest.fixture(scope="module")
def folder(data_dir):
    return str(data_dir / "syzygy")


@pytest.fixture(scope="module")
def tables(folder):
    return tablebase.use(folder)


@pytest.fixture(scope="module")
def engine(folder):
    return Engine(SyzygyPath=folder, Hash=4, **{"Move Overhead": 0})


# Asking


def test_positions_in_any_form(folder):
    for place in (ROOK, Position(ROOK), chess.Board(ROOK)):
        assert tablebase.probe_wdl(place, folder) == 2
        assert tablebase.probe_dtz(place, folder) == 23
    assert tablebase.best_move(PAWN, folder) == "e2d2"
    assert tablebase.best_move(chess.STARTING_FEN, folder) is None


def test_the_default_folder(folder, monkeypatch):
    monkeypatch.setattr(tablebase, "_default", None)
    monkeypatch.setenv(tablebase.PATH_VARIABLE, folder)
    assert tablebase.probe_wdl(ROOK) == 2
    tablebase.use("")
    assert tablebase.probe_wdl(ROOK) is None


def test_results_of_games(tables):
    assert tablebase.result(ROOK) == 1.0
    assert tablebase.result("8/8/8/4K3/8/8/4k3/4r3 w - - 0 1") == 0.0
    assert tablebase.result(PAWN) == 0.5
    assert tablebase.result(ROOK.replace("0 1", "3 9")) is None       # the fifty-move counter runs
    assert tablebase.result(chess.STARTING_FEN) is None


def ranked(place) -> list[tablebase.RankedMove]:
    moves = tablebase.moves(place)
    assert moves is not None
    return moves


def test_moves_are_ranked(tables):
    first, *rest = ranked("7k/8/5K2/8/8/8/8/6R1 w - - 0 1")
    assert (first.uci, first.verdict) == ("f6f7", "win")
    assert all(move.rank <= first.rank for move in rest)
    assert ranked("7k/8/6K1/8/8/8/8/R7 w - - 0 1")[0].mates
    assert tablebase.moves("k7/1Q6/1K6/8/8/8/8/8 b - - 0 1") == []


def test_the_line_goes_to_mate(tables):
    position = Position(ROOK)
    for move in tablebase.line(ROOK):
        position.push(move)
    assert position.is_checkmate()


# Files


def test_engines_share_files(folder):
    first, second = tablebase.open_tables(folder), tablebase.open_tables(f"{folder}{os.pathsep}{folder}")
    assert {id(file) for file in first.files} == {id(file) for file in second.files}
    a, b = Engine(SyzygyPath=folder), Engine(SyzygyPath=folder)
    assert {id(file) for file in a.pool.tables.files} == {id(file) for file in b.pool.tables.files}


def test_files_are_opened_when_needed(folder, tmp_path):
    for name in ("KRvK.rtbw", "KRvK.rtbz", "KQvK.rtbw"):
        shutil.copy(f"{folder}/{name}", tmp_path)
    tables = tablebase.open_tables(str(tmp_path))
    assert not any(file.is_open for file in tables.files)
    assert tables.wdl(Position(ROOK)) == 2
    assert sorted(file.path.split("/")[-1] for file in tables.files if file.is_open) == ["KRvK.rtbw"]


def test_other_files_and_too_many_men_are_passed_over(folder, tmp_path):
    for name in ("KRvK.rtbw.part", "KRRRRvKRRR.rtbw", "readme.txt", "KvK.rtbw", "KXvK.rtbw"):
        (tmp_path / name).write_bytes(b"x")
    assert tablebase.open_tables(str(tmp_path)).files == []


def test_bad_files_are_named_once_and_play_goes_on(folder, tmp_path):
    for name in os.listdir(folder):
        if name.startswith(("KRvK.", "KQvK.")):
            shutil.copy(f"{folder}/{name}", tmp_path)
            os.chmod(tmp_path / name, 0o644)
    (tmp_path / "KRvK.rtbw").write_bytes(b"no table at all" * 10)
    (tmp_path / "KQvK.rtbz").write_bytes(b"")
    notes: list[str] = []
    engine = Engine()
    engine.on_note = notes.append
    engine.set_option("SyzygyPath", f"{tmp_path / 'nowhere'}{os.pathsep}{tmp_path}")
    assert len(notes) == 2 and "nowhere" in notes[0] and "2 WDL and 2 DTZ" in notes[1]
    for fen in (ROOK, "8/8/8/4k3/8/8/4K3/4Q3 w - - 0 1") * 2:
        engine.position(fen)
        assert engine.search(depth=4).best_move is not None
    assert sorted(os.path.basename(note.split()[1]) for note in notes[2:]) == ["KQvK.rtbz", "KRvK.rtbw"]
    assert any("empty" in note for note in notes)


def test_without_a_listener_bad_news_is_a_warning(tmp_path):
    engine = Engine(Hash=1)
    for bring in (lambda: Engine(SyzygyPath=str(tmp_path / "nowhere")),
                  lambda: engine.set_option("SyzygyPath", str(tmp_path / "nowhere")),
                  lambda: engine.configure({"SyzygyPath": str(tmp_path / "nowhere")})):
        with pytest.warns(RuntimeWarning, match="nowhere") as heard:
            bring()
        assert heard[0].filename == __file__            # the line that asked for it, not one of ours


# In the search


def test_only_moves_that_keep_the_result_are_chosen(engine):
    engine.position(PAWN)
    result = engine.search(depth=3)
    assert (result.best_move, result.info.score, result.info.tbhits) == ("e2d2", 0, 7)
    engine.position(ROOK)
    assert engine.search(depth=2).info.score > 31_000


def test_all_threads_search_what_the_tables_ranked_once(engine):
    engine.set_option("Threads", 4)
    engine.position(PAWN)
    for _ in range(5):
        result = engine.search(depth=3)
        assert (result.best_move, result.info.score, result.info.tbhits) == ("e2d2", 0, 7)
    engine.position(ROOK)
    board = chess.Board(ROOK)
    kept = {move for move in board.legal_moves if not board.is_capture(move)}
    assert chess.Move.from_uci(str(engine.search(nodes=20_000).best_move)) in kept
    engine.set_option("Threads", 1)


def test_nodes_ask_the_tables(engine, folder):
    fen = "8/5k1p/8/8/3K4/8/P1R5/8 w - - 0 1"
    engine.new_game()
    engine.position(fen)
    result = engine.search(depth=12)
    row = engine.stats()["techniques"]["Tablebases"]
    assert result.info.tbhits > 0 and engine.stats()["tbhits"] == result.info.tbhits
    assert row["tried"] >= row["succeeded"] > 0
    for name, value in (("SyzygyProbeLimit", 2), ("SyzygyProbeLimit", 0), ("SyzygyProbeDepth", 100),
                        ("Use Tablebases", "false")):
        default = engine.values[name]
        engine.set_option(name, value)
        engine.new_game()
        fewer = engine.search(depth=9)
        engine.set_option(name, str(default).lower())
        # Below the largest tables the least depth does not count.
        assert fewer.info.tbhits == 0 or (name == "SyzygyProbeDepth" and fewer.info.tbhits < result.info.tbhits), name


def test_the_line_is_played_on_to_mate(engine):
    engine.position("8/8/8/4k3/8/8/3QK3/8 w - - 0 1")
    result = engine.search(depth=1)
    board = chess.Board("8/8/8/4k3/8/8/3QK3/8 w - - 0 1")
    for move in result.info.pv:
        text = engine.text(move)
        assert text is not None
        board.push_uci(text)
    assert board.is_checkmate()


def test_lower_ranked_moves_follow_in_further_lines(engine):
    engine.set_option("MultiPV", 7)
    lines: dict[int, SearchInfo] = {}
    engine.position(PAWN)
    engine.search(depth=3, on_info=lambda info: lines.__setitem__(info.multipv, info))
    engine.set_option("MultiPV", 1)
    assert engine.text(lines[1].pv[0]) == "e2d2" and lines[1].score == 0
    assert len(lines) == 7 and all(lines[number].score < -31_000 for number in range(2, 8))


def test_uci_prints_tablebase_scores_as_stockfish_does(folder):
    script = (f"setoption name SyzygyPath value {folder}\nposition fen {ROOK}\ngo depth 3\n"
              "setoption name SyzygyPath value <empty>\nquit\n")
    said = subprocess.run([sys.executable, "-m", "barreleye"], input=script, capture_output=True, text=True,
                          timeout=120).stdout
    assert "info string Found 35 WDL and 35 DTZ tablebase files (up to 4-man)" in said
    assert " score cp 20000 " in said


def play_out(engine, start, move_ms):
    """The game's result when the engine has the side to move and the tables find the most stubborn replies."""
    position = Position(start)
    moves: list[str] = []
    us = position.turn
    while (ending := rules_ending(position)) is None:
        if position.turn == us:
            engine.position(start, moves)
            moves.append(engine.search(movetime=move_ms).best_move)
        else:
            moves.append(ranked(position)[0].uci)
        position.push(moves[-1])
    return {WHITE_WINS: us, BLACK_WINS: not us, DRAW: None}[ending.result]


def starts(tables, rng, wanted):
    """Positions with this result for the side to move, from all endings in turn."""
    names = sorted({file.name for file in tables.files})
    number = 0
    while True:
        position = Position(random_board(names[number % len(names)], rng).fen())
        number += 1
        if rules_ending(position) is None and tables.wdl(position) == wanted:
            yield position.fen()


def play_many(engine, tables, count, wanted, move_ms):
    """Starts from which the engine did not get what was there; the tables are never asked which move it should play."""
    failed = []
    for start in itertools.islice(starts(tables, random.Random(11 + wanted), wanted), count):
        engine.new_game()
        won = play_out(engine, start, move_ms)
        if won is False or (wanted and won is None):
            failed.append(start)
    return failed


def test_won_endings_are_won_and_drawn_ones_held(engine, tables):
    assert play_many(engine, tables, 8, 2, 5) == []
    assert play_many(engine, tables, 4, 0, 2) == []


@pytest.mark.slow
def test_five_hundred_won_and_drawn_endings(engine, tables):
    assert play_many(engine, tables, 500, 2, 20) == []
    assert play_many(engine, tables, 500, 0, 20) == []


def test_no_warning_without_reason(folder):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert Engine(SyzygyPath=folder).search(depth=1).best_move is not None


@pytest.mark.parametrize(("fen", "half_points"), [
    ("8/8/8/4k3/8/8/4K3/R6R w - - 0 1", 2), ("8/8/8/4K3/8/8/4k3/r6r w - - 0 1", 0),
    ("8/8/8/4k3/8/3r4/4K3/8 w - - 0 1", 1),
])
def test_self_play_ends_with_what_the_tables_know(tables, fen, half_points):
    player = SelfPlay(1)
    player.random_plies, player.opening_limit = 0, 32_001
    player.soft_nodes, player.hard_nodes = 50, 500
    player.use_tables(tables)
    games = [player.play(Position(fen), seed) for seed in range(10)]
    # A coin decides whether a random move comes first; without it the game is over at once.
    assert {result for result, _, moves in games if not moves} == {half_points}


def test_one_dangling_link_costs_one_table(folder, tmp_path):
    shutil.copy(os.path.join(folder, "KRvK.rtbw"), tmp_path)
    (tmp_path / "KQvK.rtbw").symlink_to(tmp_path / "gone.rtbw")
    notes: list[str] = []
    tables = tablebase.open_tables(str(tmp_path), notes.append)
    assert [os.path.basename(file.path) for file in tables.files] == ["KRvK.rtbw"]
    assert len(notes) == 1 and "KQvK.rtbw is not used" in notes[0]
    with pytest.warns(RuntimeWarning, match="KQvK") as heard:
        assert tablebase.probe_wdl(ROOK, str(tmp_path)) == 2
    assert heard[0].filename == __file__


@pytest.mark.parametrize("fen", [ROOK, chess.STARTING_FEN, "8/8/8/8/2k5/8/1p1K4/8 w - - 0 1"])
@pytest.mark.parametrize("multipv", [1, 3])
def test_the_last_lines_are_told_once(engine, fen, multipv):
    heard: list[tuple[int, int, int, tuple[int, ...]]] = []
    engine.set_option("MultiPV", multipv)
    engine.position(fen)
    engine.search(depth=6, on_info=lambda info: heard.append((info.depth, info.multipv, info.score, tuple(info.pv))))
    engine.set_option("MultiPV", 1)
    assert len(heard) == len(set(heard))
