"""The engine's own book: over UCI, from Python, and where it has nothing to say."""

import asyncio
import subprocess
import sys

import chess
import pytest
from chess.engine import EngineError, Limit
from tests.uci.talker import Talker

import barreleye

AFTER_A3 = "rnbqkbnr/pppppppp/8/8/8/P7/1PPPPPPP/RNBQKBNR b KQkq - 0 1"


@pytest.fixture
def book(book_file):
    return str(book_file({chess.STARTING_FEN: {"a2a3": 9, "h2h3": 1}, AFTER_A3: {"h7h6": 1}}))


def answer(talk, *lines):
    talk.send(*lines)
    return talk.until("bestmove")


def test_a_gui_gets_moves_from_the_book(book):
    with Talker() as talk:
        talk.send("uci")
        options = "\n".join(talk.until("uciok"))
        assert "option name OwnBook type check default true" in options
        assert "option name Book File type string default <empty>" in options
        talk.send(f"setoption name Book File value {book}", "setoption name Best Book Move value true")
        said = answer(talk, "position startpos", "go movetime 50")
        assert said[0] == "info string a2a3 is a move from the book" and said[-1].split()[1] == "a2a3"
        assert any(line.startswith("info depth 1 ") for line in said)
        assert answer(talk, "position startpos moves a2a3", "go wtime 1000 btime 1000")[-1].split()[1] == "h7h6"
        talk.send("setoption name Best Book Move value false")
        chosen = {answer(talk, "position startpos", "go nodes 100")[-1].split()[1] for _ in range(60)}
        assert chosen == {"a2a3", "h2h3"}


@pytest.mark.parametrize(("option", "go"), [
    ("OwnBook value false", "go depth 2"), ("UCI_AnalyseMode value true", "go depth 2"),
    ("OwnBook value true", "go depth 2 searchmoves e2e4"), ("OwnBook value true", "go depth 2 mate 1"),
    ("Book File value", "go depth 2"),
])
def test_where_the_book_is_not_asked(book, option, go):
    with Talker() as talk:
        talk.send(f"setoption name Book File value {book}", f"setoption name {option}")
        said = answer(talk, "position startpos", go)
        assert not any("from the book" in line for line in said) and said[-1].split()[1] not in ("a2a3", "h2h3")


def test_an_endless_search_and_a_late_move_are_not_answered_from_the_book(book):
    with Talker() as talk:
        talk.send(f"setoption name Book File value {book}", "go infinite")
        talk.until("info depth 3")
        assert "a2a3" not in answer(talk, "stop")[-1]
        late = chess.STARTING_FEN.replace("0 1", "0 11")
        talk.send("setoption name Book Depth value 10")
        assert answer(talk, f"position fen {late}", "go depth 2")[-1].split()[1] != "a2a3"


def test_a_book_that_is_none_is_one_sentence_and_the_old_one_stays(book, tmp_path):
    (tmp_path / "bad.bin").write_bytes(b"x" * 17)
    with Talker() as talk:
        talk.send(f"setoption name Book File value {book}", f"setoption name Book File value {tmp_path}/bad.bin",
                  f"setoption name Book File value {tmp_path}/nowhere.bin", "isready")
        said = talk.until("readyok")
        assert len(said) == 3 and all(line.startswith("info string error: ") for line in said[:2])
        assert "is not a Polyglot book" in said[0] and "cannot be read: No such file" in said[1]
        assert "from the book" in answer(talk, "position startpos", "go depth 5")[0]


def test_python_plays_from_it_too(book, tmp_path):
    with barreleye.Engine(Hash=1, Book_File=book, Best_Book_Move=True) as engine:
        assert str(engine.play(chess.Board(), Limit(time=0.1)).move) == "a2a3"
        assert str(asyncio.run(engine.aplay(chess.Board(AFTER_A3), Limit(time=0.1))).move) == "h7h6"
        assert str(engine.play(chess.Board(), Limit(depth=2), root_moves=["e2e4"]).move) == "e2e4"
        assert engine.analyse(chess.Board(), Limit(depth=4))["depth"] == 4
        with pytest.raises(EngineError, match="cannot be read"):
            engine.configure({"Book File": str(tmp_path / "nowhere.bin")})
        engine.configure({"OwnBook": False})
        assert str(engine.play(chess.Board(), Limit(depth=2)).move) not in ("a2a3", "h2h3")


def test_without_a_book_nothing_more_is_loaded():
    program = ("import sys, io; sys.stdin = io.StringIO('go depth 1\\nquit'); import barreleye.cli; "
               "barreleye.cli.main([]); print([name for name in ('chess', 'random') if name in sys.modules])")
    assert subprocess.run([sys.executable, "-c", program], capture_output=True, text=True).stdout.endswith("[]\n")
