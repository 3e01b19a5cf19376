"""Conversations with a real `python -m barreleye`: what tournament managers check, and what else a GUI may do."""

import re
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import chess
import chess.engine
import pytest
from tests.uci.rules import INFO, parse_info, search_violations
from tests.uci.talker import Talker

from barreleye.core.origin import CORE

MIDDLEGAME = "3r2k1/p5n1/1pq1p2p/2p3p1/2P1P1n1/1P1P2pP/PN1Q2K1/5R2 w - - 0 27"
MATED = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3"
STALEMATED = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"
MATE_IN_TWO = "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1"
CHESS960 = "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9"


@pytest.fixture
def engine() -> Iterator[Talker]:
    """A fresh process that has said uciok."""
    with Talker() as talker:
        talker.send("uci")
        talker.until("uciok")
        yield talker


@pytest.fixture(scope="module")
def shared() -> Iterator[Talker]:
    """One process for many short conversations, each of which starts with a new game."""
    with Talker() as talker:
        yield talker


@pytest.fixture
def talk(shared: Talker) -> Talker:
    shared.send("ucinewgame", "position startpos")
    shared.sync()
    return shared


def judged(board: chess.Board, lines: list[str], **rules: bool) -> list[str]:
    """The lines, once they have been found right."""
    assert list(search_violations(board, lines, **rules)) == []
    return lines


def best_of(lines: list[str]) -> str:
    return lines[-1].split()[1]


# What fastchess --compliance does, step by step


def check_answer(lines: list[str], board: chess.Board) -> None:
    infos = [line for line in lines if line.startswith("info ") and not line.startswith("info string")]
    assert lines[-1].startswith("bestmove ")
    assert infos, "no info line before bestmove"
    for line in infos:
        assert INFO.fullmatch(line), line
        assert " score " in line
        for word in ("time", "nps", "cp", "mate"):
            value = re.search(rf" {word} (\S+)", line)
            assert value is None or "." not in value[1], line
    judged(board, lines)


def test_fastchess_compliance():
    with Talker() as engine:
        engine.send("uci")
        greeting = engine.until("uciok")
        assert sum(line.startswith("id name ") for line in greeting) == 1
        assert sum(line.startswith("id author ") for line in greeting) == 1
        assert engine.sync() == []
        engine.send("ucinewgame")
        assert engine.sync() == []
        engine.send("position startpos")
        assert engine.sync() == []
        engine.send(f"position fen {MIDDLEGAME}")
        assert engine.sync() == []
        board = chess.Board(MIDDLEGAME)
        check_answer(engine.go("go wtime 100"), board)
        engine.send("ucinewgame", "position startpos moves e2e4")
        assert engine.sync() == []
        board = chess.Board()
        board.push_uci("e2e4")
        check_answer(engine.go("go btime 100"), board)
        for clock in ("wtime 100 winc 100 btime 100 binc 100", "btime 100 binc 100 wtime 100 winc 100"):
            engine.send("ucinewgame", f"position fen {MIDDLEGAME}")
            assert engine.sync() == []
            check_answer(engine.go(f"go {clock}"), chess.Board(MIDDLEGAME))
        engine.send("ucinewgame", "position startpos")
        assert engine.sync() == []
        check_answer(engine.go("go wtime 100 btime 100"), chess.Board())
        assert engine.sync() == [], "bestmove is the last line"
        engine.send("position startpos moves e2e4 e7e5")
        board.push_uci("e7e5")
        check_answer(engine.go("go wtime 100 btime 100"), board)
        assert engine.quit() == []
        assert engine.errors == []


# Greeting and options


def test_options_are_declared_once_and_well_formed(engine: Talker):
    engine.send("uci")
    names = []
    for line in engine.until("uciok"):
        if line.startswith("option "):
            found = re.fullmatch(
                r"option name (.+) type (?:spin default (-?\d+) min (-?\d+) max (-?\d+)|check default (?:true|false)"
                r"|string default .+|button)", line)
            assert found, line
            names.append(found[1])
            if found[2]:
                assert int(found[3]) <= int(found[2]) <= int(found[4])
    assert len(names) == len(set(names))
    assert {"Threads", "Hash", "Clear Hash", "Ponder", "MultiPV", "Move Overhead", "nodestime", "UCI_Chess960",
            "UCI_ShowWDL", "UCI_AnalyseMode", "Debug Log File"} <= set(names)


@pytest.mark.parametrize("line", [
    "setoption name hash value 2", "setoption name CLEAR HASH", "setoption name  move   overhead value 20",
])
def test_option_names_have_no_case(talk: Talker, line: str):
    talk.send(line)
    assert talk.sync() == []


@pytest.mark.parametrize(("line", "complaint"), [
    ("setoption name Hash value many", "Hash is 'many', expected a number from 1 to 33554432"),
    ("setoption name Hash value 0", "Hash is '0', expected a number from 1 to 33554432"),
    ("setoption name Threads value 1025", "Threads is '1025', expected a number from 1 to 1024"),
    ("setoption name Hash value 33554432", "not enough memory for a hash table of 33554432 MiB: choose a smaller Hash"),
    ("setoption name Ponder value maybe", "Ponder is 'maybe', expected true or false"),
    ("setoption name Contempt value 5", "no such option: Contempt"),
    ("setoption", "expected: setoption name NAME value VALUE"),
    ("position", "expected: position startpos [moves ...] or position fen FEN [moves ...]"),
    ("go perft 0", "perft depth is 0, expected at least 1"),
    ("genfens -3", "genfens is asked for -3 openings, expected at least 1"),
    ("genfens 0 seed 1", "genfens is asked for 0 openings, expected at least 1"),
    ("bench 1 1 1 /nonexistent.epd", "/nonexistent.epd: No such file or directory"),
    ("setoption name Debug Log File value /nonexistent/log", "/nonexistent/log: No such file or directory"),
])
def test_bad_input_gets_one_clear_line(talk: Talker, line: str, complaint: str):
    talk.send(line)
    assert talk.sync() == [f"info string error: {complaint}"]
    talk.send("position startpos")
    judged(chess.Board(), talk.go("go depth 2"))


@pytest.mark.parametrize("line", [
    "position fen 8/8/8/8/8/8/8/8 w - - 0 1", "position fen rubbish", "position startpos moves e2e5",
    "position startpos moves e2e4 e2e4", "position fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1 moves e1g1 e8e9",
])
def test_nothing_is_searched_after_a_refused_position(talk: Talker, line: str):
    talk.send("position startpos moves e2e4", line)
    complaints = talk.sync()
    assert len(complaints) == 1 and complaints[0].startswith("info string error: ")
    for command in ("go depth 2", "go infinite", "go ponder wtime 1000 btime 1000"):
        complaint, best = talk.go(command)
        assert complaint.startswith("info string error: nothing to search") and best == "bestmove 0000"
    talk.send("stop", "ucinewgame", "go perft 2")
    assert [line.startswith("info string error: nothing to search") for line in talk.sync()] == [True]
    talk.send("position startpos moves e2e4")
    board = chess.Board()
    board.push_uci("e2e4")
    judged(board, talk.go("go depth 2"))


def test_python_chess_does_not_wait_for_a_refused_position():
    empty = chess.Board("8/8/8/8/8/8/8/8 w - - 0 1")
    with chess.engine.SimpleEngine.popen_uci([sys.executable, "-m", "barreleye"]) as engine:
        assert "score" not in engine.analyse(empty, chess.engine.Limit(depth=3))
        assert not engine.play(empty, chess.engine.Limit(depth=3)).move
        assert engine.play(chess.Board(), chess.engine.Limit(depth=3)).move in list(chess.Board().legal_moves)


@pytest.mark.parametrize(("words", "complaints"), [
    ("depth x nodes 50", ["go depth needs a number, not 'x'"]),
    ("nodes 50 wtime", ["go wtime needs a number"]),
    ("wtime nodes 50", ["go wtime needs a number"]),
    ("nodes 50 searchmoves e2e5 e2e4", ["e2e5 is not a legal move here"]),
    ("nodes 50 searchmoves rubbish e7e5", ["rubbish is not a legal move here", "e7e5 is not a legal move here"]),
])
def test_go_counts_what_it_understands(talk: Talker, words: str, complaints: list[str]):
    lines = judged(chess.Board(), talk.go(f"go {words}"))
    assert lines[:len(complaints)] == [f"info string error: {complaint}" for complaint in complaints]
    if "e2e4" in words:
        assert best_of(lines) == "e2e4"


@pytest.mark.parametrize("words", ["depth abc", "dpeth 5", "movetime", "nodes many searchmoves e2e4", "for it"])
def test_a_limit_that_is_not_understood_starts_no_endless_search(talk: Talker, words: str):
    lines = judged(chess.Board(), talk.go(f"go {words}"))
    assert lines[0].startswith("info string error: go ")
    assert "info string error: nothing says when to stop: searching one ply" in lines


def test_infinite_stays_infinite_whatever_else_is_wrong(talk: Talker):
    talk.send("go infinite for it")
    assert sum("go does not know" in line for line in talk.sync()) == 2
    time.sleep(0.2)
    assert not any(line.startswith("bestmove") for line in talk.sync())
    talk.send("stop")
    talk.until("bestmove")


def test_unknown_commands_and_leading_words(talk: Talker):
    talk.send("# a comment", "", "   ", "joho")
    said = talk.sync()
    assert len(said) == 1 and "joho" in said[0]
    talk.send("joho please isready")
    assert talk.until("readyok") == ["readyok"]
    talk.send("please position startpos moves d2d4 d7d5")
    assert talk.sync() == []
    board = chess.Board("rnbqkbnr/ppp1pppp/8/3p4/3P4/8/PPP1PPPP/RNBQKBNR w KQkq - 0 2")
    judged(board, talk.go("now go depth 3"))


def test_help_board_eval_flip_stats_compiler(talk: Talker):
    talk.send("position startpos moves e2e4", "d")
    picture = talk.sync()
    assert "Fen: rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1" in picture
    assert sum(line.startswith(" +---") for line in picture) == 9
    talk.send("flip", "d")
    assert "Fen: rnbqkbnr/pppp1ppp/8/4p3/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1" in talk.sync()
    for command, word in (("help", "setoption"), ("eval", "material"), ("compiler", f"core {CORE} with ")):
        talk.send(command)
        assert any(word in line for line in talk.sync()), command
    judged(chess.Board("rnbqkbnr/pppp1ppp/8/4p3/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"), talk.go("go depth 6"))
    talk.send("stats")
    table = "\n".join(talk.sync())
    assert "Null Move" in table and "depth 6" in table
    talk.send("position startpos", "go perft 3")
    assert "Nodes searched: 8902" in talk.until("Nodes searched")
    talk.send(f"position fen {MATED}", "eval", "d")
    assert any("in check" in line for line in talk.sync())


def test_log_file_holds_the_conversation(engine: Talker, tmp_path: Path):
    log = tmp_path / "talk.log"
    engine.send(f"setoption name Debug Log File value {log}", "isready")
    engine.until("readyok")
    engine.send("setoption name Debug Log File value", "isready")
    engine.until("readyok")
    assert log.read_text().splitlines()[:2] == [">> isready", "<< readyok"]
    engine.send(f"setoption name Debug Log File value {tmp_path}")
    assert len(engine.sync()) == 1, "a folder is no log file: one complaint"


# Each way to say how long


@pytest.mark.parametrize("limit", [
    "depth 1", "depth 5", "nodes 1", "nodes 2", "nodes 777", "movetime 1", "movetime 10", "movetime 50",
    "mate 1 depth 4",
    "wtime 0 btime 0", "wtime 1 btime 1", "wtime -50 btime -50", "wtime 0 winc 100 btime 0 binc 100",
    "wtime 100 btime 100 movestogo 1", "wtime 20 btime 20 movestogo 40", "wtime 50 btime 50 winc 0 binc 0",
    "movetime 20 wtime 5000 btime 5000",
    "depth 3 nodes 100000 movetime 1000", "depth 0", "nodes 0", "movetime 0", "mate 0 movetime 20", "wtime 1 winc 1",
    "searchmoves e2e4 depth 3",
    "depth 3 searchmoves a2a3 h2h3", "depth 999999999999 nodes 300", "mate 99999 nodes 300",
    "nodes 99999999999999999999 movetime 10", "movetime 99999999999999999999 nodes 100",
])
def test_every_limit_is_answered(talk: Talker, limit: str):
    lines = judged(chess.Board(), talk.go(f"go {limit}"))
    if "searchmoves" in limit:
        allowed = {"e2e4"} if "e2e4" in limit else {"a2a3", "h2h3"}
        assert {info.pv[0] for line in lines[:-1] if (info := parse_info(line))} <= allowed
    if limit == "depth 5":
        assert [info.depth for line in lines[:-1] if (info := parse_info(line))][-1] == 5
    if limit.startswith("nodes") and limit.split()[1] != "99999999999999999999":
        last = [info for line in lines[:-1] if (info := parse_info(line))][-1]
        assert last.nodes <= max(1, int(limit.split()[1])) + 512
    assert talk.sync() == [], "nothing after bestmove"


@pytest.mark.parametrize("nodestime", [1, 100, 10000])
def test_clock_in_nodes_is_answered_alike_each_time(talk: Talker, nodestime: int):
    answers = []
    for _ in range(2):
        talk.send(f"setoption name nodestime value {nodestime}", "ucinewgame", "position startpos")
        lines = judged(chess.Board(), talk.go("go wtime 300 btime 300 winc 10 binc 10"))
        answers.append([(info.nodes, info.pv) for line in lines[:-1] if (info := parse_info(line))])
    talk.send("setoption name nodestime value 0")
    assert answers[0] == answers[1]


def test_mate_search_stops_at_the_mate(talk: Talker):
    talk.send(f"position fen {MATE_IN_TWO}")
    lines = judged(chess.Board(MATE_IN_TWO), talk.go("go mate 2"))
    assert " score mate 2 " in lines[-2] and best_of(lines) == "a1a6"


@pytest.mark.parametrize(("fen", "score"), [(MATED, "mate 0"), (STALEMATED, "cp 0")])
@pytest.mark.parametrize("limit", ["depth 3", "movetime 10", "wtime 100 btime 100", "nodes 10"])
def test_no_legal_move(talk: Talker, fen: str, score: str, limit: str):
    talk.send(f"position fen {fen}")
    assert talk.go(f"go {limit}") == [f"info depth 0 score {score}", "bestmove (none)"]
    talk.send("go infinite", "isready")
    assert talk.until("readyok")[-1] == "readyok"
    talk.send("stop")
    assert talk.until("bestmove")[-1] == "bestmove (none)"


def test_positions_that_are_drawn_already(talk: Talker):
    for position in (
        "startpos moves g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8",
        "fen 8/8/8/4k3/8/8/3R4/4K3 w - - 100 100",
        "fen 8/8/8/4k3/8/8/8/4K3 w - - 0 1",
        "fen 8/8/8/4k3/8/8/3R4/4K3 w - - 149 100",
    ):
        talk.send(f"position {position}")
        lines = talk.go("go nodes 2000")
        board = chess.Board() if position.startswith("startpos") else chess.Board(position[4:])
        for move in position.partition(" moves ")[2].split():
            board.push_uci(move)
        assert chess.Move.from_uci(best_of(lines)) in board.legal_moves


def test_multipv_beyond_the_number_of_moves(talk: Talker):
    fen = "7k/8/8/8/8/8/r7/7K w - - 0 1"
    talk.send("setoption name MultiPV value 256", f"position fen {fen}")
    lines = judged(chess.Board(fen), talk.go("go depth 4"))
    assert {info.multipv for line in lines[:-1] if (info := parse_info(line))} == {1}
    talk.send("position startpos")
    lines = judged(chess.Board(), talk.go("go depth 4"))
    last = {info.multipv: info for line in lines[:-1] if (info := parse_info(line))}
    assert sorted(last) == list(range(1, 21))
    assert {info.pv[0] for info in last.values()} == {move.uci() for move in chess.Board().legal_moves}
    talk.send("setoption name MultiPV value 1")


def test_wdl_is_shown_on_request(talk: Talker):
    talk.send("setoption name UCI_ShowWDL value true")
    lines = judged(chess.Board(), talk.go("go depth 4"))
    talk.send("setoption name UCI_ShowWDL value false")
    assert all(" wdl " in line for line in lines[:-1])
    assert not any(" wdl " in line for line in talk.go("go depth 2"))


@pytest.mark.parametrize("notation", ["e1h1", "e1g1", "e1a1", "e1c1"])
def test_chess960_castling_in_both_notations(talk: Talker, notation: str):
    """Both are understood whatever the option says; the option decides which one is written."""
    board = chess.Board(CHESS960, chess960=True)
    talk.send("setoption name UCI_Chess960 value true", f"position fen {CHESS960}")
    lines = judged(board, talk.go("go depth 4"))
    fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"
    talk.send(f"position fen {fen} moves {notation}", "d")
    expected = "R4RK1" if notation in ("e1h1", "e1g1") else "2KR3R"
    assert any(f"Fen: r3k2r/8/8/8/8/8/8/{expected} b" in line for line in talk.sync())
    talk.send(f"position fen {fen}")
    board = chess.Board(fen, chess960=True)
    for castling in ("e1h1", "e1a1"):
        lines = judged(board, talk.go(f"go depth 2 searchmoves {castling}"))
        assert best_of(lines) == castling
    talk.send("setoption name UCI_Chess960 value false", f"position fen {fen}")
    for castling, written in (("e1h1", "e1g1"), ("e1c1", "e1c1")):
        lines = judged(chess.Board(fen), talk.go(f"go depth 2 searchmoves {castling}"))
        assert best_of(lines) == written


def test_positions_that_follow_one_another(talk: Talker):
    """However a position is said, continued, taken back or begun anew, the board is what python-chess makes of it."""
    castling = "position fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"
    lines = [
        "position startpos", "position startpos moves e2e4", "position startpos moves e2e4 e7e5",
        "position startpos moves e2e4 e7e5 g1f3 b8c6", "position startpos moves e2e4 e7e5 g1f3 b8c6",
        "position startpos moves e2e4 e7e5", "position startpos  moves e2e4 e7e5 f1c4",
        "position startpos moves e2e4 e7e5 f1c4\tb8c6", "position startpos moves e2e4 c7c5 g1f3", "position startpos",
        "position startpos moves", "position startpos moves d2d4 d7d5", castling, f"{castling} moves e1g1",
        f"{castling} moves e1g1 e8c8", f"{castling} moves e1g1 e8c8 f1f7",
        "position fen 4k3/P7/8/8/8/8/8/4K3 w - - 0 1 moves", "position fen 4k3/P7/8/8/8/8/8/4K3 w - - 0 1 moves a7a8q",
    ]
    for line in lines:
        start, _, moves = line.partition(" moves")
        board = chess.Board() if "startpos" in start else chess.Board(start.removeprefix("position fen "))
        for move in moves.split():
            board.push_uci(move)
        talk.send(line, "d")
        assert f"Fen: {board.fen()}" in talk.sync(), line


def test_positions_that_seem_to_follow_one_another(talk: Talker):
    game = "position startpos moves e2e4 e7e5"
    after = "Fen: rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"
    talk.send(game, f"{game}q", "go depth 1")
    assert talk.until("bestmove")[-1] == "bestmove 0000", "not a move by which the game goes on"
    talk.send(f"{game} g1f3 e2e4", "d")
    assert after in talk.sync(), "a refused position leaves the board as it was"
    talk.send(f"{game} g1f3", "go depth 1")
    assert talk.until("bestmove")[-1] != "bestmove 0000"
    talk.send(game, "flip", f"{game} g1f3", "d")
    assert "Fen: rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2" in talk.sync()
    castling = "position fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1 moves a1b1 a8b8"
    for chess960, written in (("false", "e1g1"), ("true", "e1h1"), ("false", "e1g1")):
        talk.send(castling, f"setoption name UCI_Chess960 value {chess960}", castling)
        assert best_of(talk.go("go depth 1 searchmoves e1h1")) == written


def test_the_last_line_comes_with_the_answer(talk: Talker):
    """One complete line at least, and no line twice, whatever ends the search."""
    for limit in ("movetime 5", "movetime 120", "wtime 60 btime 60", "depth 7", "nodes 5000", "movetime 60 depth 3"):
        lines = judged(chess.Board(), talk.go(f"go {limit}"))
        infos = [info for line in lines[:-1] if (info := parse_info(line))]
        assert infos and infos[-1].pv[0] == best_of(lines)
        assert len({(info.depth, info.nodes, info.pv, info.bound) for info in infos}) == len(infos), limit


# While it thinks


def test_infinite_goes_on_until_stop(talk: Talker):
    talk.send("go infinite")
    assert not any(line.startswith("bestmove") for line in talk.sync())
    talk.send("stop")
    talk.until("bestmove")
    talk.send(f"position fen {MATE_IN_TWO}", "go infinite")
    talk.until("info depth 30")
    assert not any(line.startswith("bestmove") for line in talk.sync()), "a proven mate does not end analysis"
    talk.send("stop")
    talk.until("bestmove")
    assert talk.sync() == []


def test_infinite_that_reached_the_last_depth_waits_for_stop(talk: Talker):
    fen = "8/8/8/8/8/5k2/7p/7K w - - 0 1"
    talk.send(f"position fen {fen}", "go infinite")
    seen = [*talk.until("info depth 245"), *talk.sync()]
    assert not any(line.startswith("bestmove") for line in seen)
    talk.send("stop")
    judged(chess.Board(fen), [*seen, *talk.until("bestmove")])


def test_a_bare_go_answers_when_it_has_reached_the_last_depth(talk: Talker):
    fen = "8/8/8/8/8/5k2/7p/7K w - - 0 1"
    talk.send(f"position fen {fen}")
    lines = talk.go("go")
    judged(chess.Board(fen), lines)
    assert any(line.startswith("info depth 245 ") for line in lines)


@pytest.mark.parametrize("limit", ["nodes 100", "depth 2", "mate 2", "movetime 5", "wtime 5 btime 5"])
def test_infinite_waits_for_stop_whatever_else_was_asked(talk: Talker, limit: str):
    talk.send(f"position fen {MATE_IN_TWO}", f"go infinite {limit}")
    talk.until("info depth 1 ")
    assert not any(line.startswith("bestmove") for _ in range(20) for line in talk.sync())
    talk.send("stop")
    talk.until("bestmove")


@pytest.mark.parametrize("clock", ["wtime 200 btime 200", "movetime 30", "depth 4", "nodes 500", ""])
def test_ponder_waits_for_ponderhit_or_stop(talk: Talker, clock: str):
    board = chess.Board()
    for move in ("e2e4", "e7e5"):
        board.push_uci(move)
    for release in ("ponderhit", "stop"):
        talk.send("position startpos moves e2e4 e7e5", f"go ponder {clock}")
        seen = talk.sync()
        assert not any(line.startswith("bestmove") for line in seen)
        talk.send(release, *(["stop"] if not clock else []))
        judged(board, seen + talk.until("bestmove"))
        assert talk.sync() == []


def test_fixed_time_begins_when_the_expected_move_is_played(talk: Talker):
    def nodes(line: str) -> int:
        words = line.split()
        return int(words[words.index("nodes") + 1]) if "nodes" in words else 0

    # Time counted in nodes: 100,000 of them, after twice as many while pondering.
    talk.send("setoption name nodestime value 20", "ucinewgame", "position startpos", "go ponder movetime 5000")
    pondered = 0
    while pondered < 200_000:
        pondered = nodes(talk.read())
    talk.send("ponderhit")
    assert nodes(talk.until("bestmove")[-2]) > pondered + 95_000
    talk.send("setoption name nodestime value 0")


def test_clock_in_nodes_does_not_run_on_the_opponents_time(talk: Talker):
    clock = "wtime 10000 btime 10000"
    talk.send("setoption name nodestime value 20", "ucinewgame", "position startpos", f"go {clock}")
    talk.until("bestmove")
    talk.send(f"go ponder {clock}")
    time.sleep(1)                                 # more nodes than the clock holds
    talk.send("stop")
    talk.until("bestmove")
    talk.send(f"position fen {MIDDLEGAME}")
    last = talk.go(f"go {clock}")[-2].split()
    assert int(last[last.index("nodes") + 1]) > 1000
    talk.send("setoption name nodestime value 0")


def test_ready_while_searching(talk: Talker):
    talk.send("go infinite", "isready", "isready")
    assert talk.until("readyok")[-1] == "readyok"
    assert talk.until("readyok")[-1] == "readyok"
    talk.send("stop")
    talk.until("bestmove")


@pytest.mark.parametrize("interruption", [
    ("setoption name Hash value 3",), ("setoption name Threads value 2", "setoption name Threads value 1"),
    ("setoption name MultiPV value 2", "setoption name MultiPV value 1"), ("setoption name Use Null Move value true",),
    ("position startpos moves e2e4",), ("position fen rubbish", "stop"), ("ucinewgame",), ("go depth 2",),
    ("stop", "stop"), ("ponderhit", "stop"), ("go perft 2",), ("bench 1",), ("flip",), ("setoption name Clear Hash",),
])
def test_interrupted_search_gives_exactly_one_bestmove(talk: Talker, interruption: tuple[str, ...]):
    talk.send("go infinite", *interruption, "position startpos", "go depth 1", "isready")
    said = talk.until("readyok")
    expected = 2 + sum(line.startswith("go depth 2") for line in interruption)
    said += [line for _ in range(expected - sum(line.startswith("bestmove") for line in said))
             for line in talk.until("bestmove")]
    said += talk.sync()
    best = [line.split()[1] for line in said if line.startswith("bestmove")]
    assert len(best) == expected
    assert {chess.Move.from_uci(move) for move in best} <= set(chess.Board().legal_moves)


def test_stop_and_ponderhit_without_a_search_are_ignored(talk: Talker):
    talk.send("stop", "ponderhit", "stop")
    assert talk.sync() == []
    judged(chess.Board(), talk.go("go depth 3"))


def test_threads_and_hash_change_between_searches(engine: Talker):
    for threads in (1, 2, 8, 3, 1, 5):
        for size in (1, 64, 2):
            engine.send(f"setoption name Threads value {threads}", f"setoption name Hash value {size}")
            engine.send("position startpos moves e2e4")
            board = chess.Board()
            board.push_uci("e2e4")
            judged(board, engine.go("go nodes 3000"), one_thread=threads == 1)
            assert engine.sync() == []


# Leaving


@pytest.mark.parametrize("before", [
    (), ("go infinite",), ("go depth 20",), ("go ponder wtime 1000 btime 1000",),
    ("setoption name Threads value 4", "go infinite"),
])
def test_quit_ends_the_process(before: tuple[str, ...]):
    with Talker() as engine:
        engine.send(*before)
        said = engine.quit()
        assert sum(line.startswith("bestmove") for line in said) == sum(line.startswith("go") for line in before)
        assert engine.errors == []


def test_end_of_input_ends_the_process():
    with Talker() as engine:
        engine.send("go infinite")
        engine.sync()
        assert engine.process.stdin is not None
        engine.process.stdin.close()
        assert engine.process.wait(60) == 0


@pytest.mark.parametrize(("words", "last"), [
    (["go depth 3"], "bestmove "), (["go", "depth", "3"], "bestmove "), (["uci"], "uciok"),
    (["bench", "16", "1", "1"], " nps"), (["d"], "Checkers:"), (["go perft 2"], ""),
])
def test_command_as_arguments_runs_once(words: list[str], last: str):
    with Talker(*words) as engine:
        said = list(engine._rest())
        assert engine.process.wait(60) == 0
        assert any(last in line for line in said[-2:])


# What went wrong once


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_log_that_cannot_be_written_costs_nothing_but_the_log(talk: Talker):
    talk.send("setoption name Debug Log File value /dev/full", "go depth 3")
    lines = talk.until("bestmove")
    assert best_of(lines) != "0000"
    assert sum("/dev/full" in line for line in lines) <= 1
    talk.send("setoption name Debug Log File value")
    talk.sync()


@pytest.mark.parametrize("line", ["position startpos e2e4", "position startpos MOVES e2e4"])
def test_a_position_that_is_not_understood_is_not_searched(talk: Talker, line: str):
    talk.send(line, "go depth 2")
    assert talk.until("bestmove")[-1] == "bestmove 0000"


def test_openings_for_openbench(talk: Talker):
    talk.send("genfens 3 seed 5 book None", "genfens 3 seed 5 book None", "isready")
    fens = [line.removeprefix("info string genfens ") for line in talk.until("readyok")[:-1]]
    assert len(fens) == 6 and fens[:3] == fens[3:] and len(set(fens)) == 3
    assert all(chess.Board(fen).is_valid() for fen in fens)


def test_a_mated_position_is_reported_before_the_answer_is_asked_for(talk: Talker):
    talk.send(f"position fen {MATED}", "go infinite")
    talk.until("info depth 0")
    talk.send("stop")
    assert best_of(talk.until("bestmove")) == "(none)"


def test_increments_alone_are_a_clock(talk: Talker):
    talk.send("go winc 100 binc 100")
    assert best_of(talk.until("bestmove")) != "0000"


def test_the_board_is_shown_as_stockfish_shows_it(talk: Talker):
    talk.send("d")
    assert talk.sync()[-1] == "Checkers: "
    talk.send(f"position fen {MATED}", "d")
    assert talk.sync()[-1] == f"Checkers: {chess.square_name(next(iter(chess.Board(MATED).checkers())))}"
    talk.send("setoption name UCI_Chess960 value true", "position startpos", "d")
    assert any(line.startswith("Fen: ") and " w HAha - " in line for line in talk.sync())
    talk.send("setoption name UCI_Chess960 value false", "position startpos", "eval")
    assert talk.sync()[-2].startswith("Final evaluation: ") and talk.sync() == []


def test_bench_of_a_file_and_of_the_board(talk: Talker, tmp_path: Path):
    fens = tmp_path / "some.fen"
    fens.write_text(f"{chess.STARTING_FEN}\n{chess.STARTING_FEN}\n")
    counts = []
    for where in ("current", fens):
        talk.send("position startpos", f"bench 1 1 500 {where} nodes")
        counts.append(int(talk.sync()[-1].split()[0]))
    assert counts[1] == 2 * counts[0] > 0
    talk.send("bench 1 1 1 default perft", f"bench 1 1 1 {tmp_path / 'none'}", "bench x")
    assert [line.split(":")[0] for line in talk.sync()] == ["info string error"] * 3
