"""The judge of searches: it must see what is wrong, and find nothing wrong in what the engine says in its games."""

import chess
import pytest
from tests.uci.games import play_games
from tests.uci.rules import search_violations
from tests.uci.talker import Conversation

START = "info depth 1 seldepth 1 multipv {n} score {score} nodes {nodes} nps 1 hashfull 0 tbhits 0 time {time} pv {pv}"
MATE_IN_TWO = "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1"
SHUFFLED = "startpos moves g1f3 g8f6 f3g1 f6g8 g1f3 g8f6"


def info(pv: str, score: str = "cp 10", n: int = 1, nodes: int = 50, time: int = 5) -> str:
    return START.format(pv=pv, score=score, n=n, nodes=nodes, time=time)


def board_of(position: str) -> chess.Board:
    start, _, moves = position.partition(" moves ")
    board = chess.Board() if start == "startpos" else chess.Board(start)
    for move in moves.split():
        board.push_uci(move)
    return board


@pytest.mark.parametrize(("position", "lines", "complaint"), [
    ("startpos", [info("e2e4 e7e5"), "bestmove e2e4 ponder e7e5"], None),
    ("startpos", [info("e2e4 e7e6"), "bestmove e2e4 ponder e7e5"], "the ponder move is not of the line"),
    ("startpos", [info("e2e4 e2e4"), "bestmove e2e4"], "illegal move e2e4 at ply 2"),
    ("startpos", [info("d2d4"), "bestmove e2e4"], "the last line began with d2d4"),
    ("startpos", ["bestmove e2e4"], "no info before"),
    ("startpos", [info("e2e4"), "bestmove e2e5"], "illegal: bestmove e2e5"),
    ("startpos", [info("e2e4"), "bestmove e2e4 ponder e2e4"], "illegal ponder move"),
    ("startpos", [info("e2e4"), "bestmove (none)"], "no move where there are some"),
    ("startpos", [info("e2e4"), "bestmove E2E4"], "malformed"),
    ("startpos", [info("e2e4", "cp 1.5"), "bestmove e2e4"], "malformed"),
    ("startpos", [info("e2e4"), info("e2e4", nodes=49), "bestmove e2e4"], "nodes went back"),
    ("startpos", [info("e2e4"), info("e2e4", time=4), "bestmove e2e4"], "time went back"),
    ("startpos", [info("e2e4"), info("d2d4", n=3), "bestmove e2e4"], "multipv 3 without 2"),
    ("startpos", [info("e2e4"), info("e2e4", n=2), "bestmove e2e4"], "multipv 2 repeats a move"),
    ("startpos", [info("e2e4"), info("d2d4", "cp 11", n=2), info("e2e4"), "bestmove e2e4"],
     "multipv 2 is better"),
    ("startpos", [info("e2e4", "cp 10 wdl 500 500 1"), "bestmove e2e4"], "is not 1000 together"),
    (SHUFFLED, [info("f3g1 f6g8"), "bestmove f3g1 ponder f6g8"], None),
    (SHUFFLED, [info("f3g1 f6g8 e2e4"), "bestmove f3g1 ponder f6g8"], "goes on after threefold at ply 2"),
    ("8/8/8/8/8/5k2/8/4R2K w - - 98 99", [info("e1e2 f3g3 e2e3"), "bestmove e1e2"],
     "goes on after fifty moves at ply 2"),
    ("8/8/8/8/8/5k2/4r3/7K b - - 0 1", [info("f3f2 h1h2"), "bestmove f3f2"], None),
    ("8/8/8/8/8/4k3/4p3/4K3 b - - 0 1", [info("e3d3 e1f2 e2e1q f2e1 d3e3"), "bestmove e3d3"],
     "goes on after insufficient material at ply 4"),
    ("7k/5K2/8/6Q1/8/8/8/8 w - - 0 1", [info("g5g7 h8g7", "mate 1"), "bestmove g5g7"], "goes on after mate at ply 1"),
    ("7k/8/6K1/8/5Q2/8/8/8 w - - 0 1", [info("f4f7 h8g8"), "bestmove f4f7"], "goes on after stalemate at ply 1"),
    ("7k/5K2/8/6Q1/8/8/8/8 w - - 0 1", [info("g5g7", "cp 500"), "bestmove g5g7"], "cp 500 with a line that mates"),
    (MATE_IN_TWO, [info("a1a6 b7a6 b6b7", "mate 2"), "bestmove a1a6"], None),
    (MATE_IN_TWO, [info("a1a6 b7a6", "mate 2"), "bestmove a1a6"], "mate 2 with a line of 2 plies instead of 3"),
    (MATE_IN_TWO, [info("a1a6 b7a6 b6a7", "mate 2"), "bestmove a1a6"], "does not mate"),
    (MATE_IN_TWO, [info("a1a6 b7a6 b6b7", "mate -2"), "bestmove a1a6"], "mate -2 with a line of 3 plies instead of 4"),
    (MATE_IN_TWO, [info("a1a6", "mate 2 lowerbound"), "bestmove a1a6"], None),
])
def test_judge_sees(position: str, lines: list[str], complaint: str | None):
    found = list(search_violations(board_of(position), lines))
    if complaint is None:
        assert found == []
    else:
        assert any(complaint in violation for violation in found), found


@pytest.mark.parametrize(("games", "nodes", "settings"), [
    (3, 2500, ("setoption name UCI_ShowWDL value true",)),
    (2, 1500, ("setoption name MultiPV value 3",)),
    (2, 3000, ("setoption name Hash value 1", "setoption name Use Aspiration value false")),
])
def test_every_line_of_fast_games_is_right(games: int, nodes: int, settings: tuple[str, ...]):
    assert list(play_games(games, nodes, seed=len(settings) + games, settings=settings)) == []


def test_a_score_of_the_iteration_before_comes_with_its_line():
    """When the last iteration is interrupted, no window of it that failed has left its line with that score."""
    board = chess.Board("8/8/8/k1R5/8/8/8/4R2K b - - 0 1")
    talk = Conversation()
    talk.send("setoption name MultiPV value 3", "setoption name Hash value 1")
    for nodes in range(4000, 6000, 13):
        talk.send("ucinewgame", f"position fen {board.fen()}")
        assert list(search_violations(board, talk.go(f"go nodes {nodes}"))) == [], nodes


def test_every_line_of_two_threads_is_right():
    assert list(play_games(2, 3000, seed=5, settings=("setoption name Threads value 2",), one_thread=False)) == []


@pytest.mark.slow
def test_every_line_of_more_games_on_two_threads_is_right():
    assert list(play_games(20, 5000, seed=6, settings=("setoption name Threads value 2",), one_thread=False)) == []


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(10))
def test_every_line_of_many_games_is_right(seed: int):
    settings = (f"setoption name MultiPV value {1 + seed % 3}", f"setoption name Hash value {1 << seed % 5}")
    assert list(play_games(20, 5000, seed=1000 + seed, settings=settings)) == []
