"""Playing in the terminal, typed line by line."""

import io

import chess
import chess.pgn
import pytest

from barreleye.cli import main, table
from barreleye.cli.table import Clock


@pytest.fixture
def playing(monkeypatch, tmp_path, capsys):
    def play(typed, *words):
        monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in typed)))
        monkeypatch.setattr(table, "HINT_NODES", 2000)
        path = tmp_path / "games.pgn"
        status = main(["play", "--pgn", str(path), "--seed", "1", "--level", "newcomer", *words])
        said = capsys.readouterr()
        with path.open() if path.exists() else io.StringIO() as file:
            games = []
            while (game := chess.pgn.read_game(file)) is not None:
                games.append(game)
        return status, said.out, said.err, games
    return play


def test_moves_in_both_notations_and_a_saved_game(playing):
    status, out, _, [game] = playing(["e4", "g1f3", "resign"])
    moves = [move.uci() for move in game.mainline_moves()]
    assert status == 0 and moves[0] == "e2e4" and moves[2] == "g1f3" and len(moves) == 4
    assert game.headers["Result"] == "0-1" and game.headers["Termination"] == "resignation"
    assert game.headers["Seed"] == "1" and "newcomer" in game.headers["Black"] and int(game.headers["BlackElo"]) > 0
    assert "0-1: resignation" in out and "saved in" in out and " a  b  c  d  e  f  g  h " in out


def test_the_same_seed_plays_the_same_game(playing):
    first = playing(["e4", "d4", "quit"])[3][0]
    second = playing(["e4", "d4", "quit"])[3][1]
    assert list(first.mainline_moves()) == list(second.mainline_moves())
    assert first.headers["Result"] == "*"


def test_back_takes_a_whole_turn_back(playing):
    _, out, _, [game] = playing(["back", "e4", "back", "d4", "quit"])
    assert "no move of yours" in out
    assert next(iter(game.mainline_moves())).uci() == "d2d4" and len(list(game.mainline_moves())) == 2


def test_back_gives_the_time_back(playing):
    words = ["--time", "5+3", "--fen", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1", "--color", "black"]
    _, _, _, [game] = playing(["e5", *["back", "e5"] * 20, "quit"], *words)
    nodes = list(game.mainline())
    assert len(nodes) == 2 and all(290 < node.clock() <= 303 for node in nodes)
    _, _, _, [_, game] = playing(["e5", "d5", *["back", "d5"] * 20, "quit"], *words)
    nodes = list(game.mainline())
    assert len(nodes) == 4 and all(290 < node.clock() <= 306 for node in nodes)


def test_no_folders_or_empty_files_are_left(playing, tmp_path):
    status, _, err, _ = playing(["e4", "quit"], "--pgn", str(tmp_path / "a" / "b" / "x.pgn"))
    assert status == 2 and err.count("\n") == 1 and not (tmp_path / "a").exists()
    status, _, _, _ = playing(["quit"], "--pgn", str(tmp_path / "x.pgn"))
    assert status == 0 and not (tmp_path / "x.pgn").exists()


def test_what_else_may_be_typed(playing):
    _, out, _, games = playing(["help", "moves", "hint", "flip", "draw", "", "Ke5", "quit"])
    assert games == []                                      # nothing was played, nothing is saved
    assert "take back" in out and "Nf3" in out and "hint: " in out and "would rather play on" in out
    assert "'Ke5' is not a legal move here" in out
    assert " h  g  f  e  d  c  b  a " in out


def test_black_and_a_clock(playing):
    _, _, _, [game] = playing(["e5", "quit"], "--color", "black", "--time", "5+3")
    nodes = list(game.mainline())
    assert len(nodes) == 3 and game.headers["White"].startswith("Barreleye") and game.headers["Black"] == "You"
    assert all(node.clock() > 250 for node in nodes) and game.headers["TimeControl"] == "300+3"


def test_mate_ends_the_game(playing):
    _, out, _, [game] = playing(["Qxf7#"], "--fen", "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq -")
    assert game.headers["Result"] == "1-0" and "1-0: checkmate" in out


def test_a_drawn_game_is_drawn(playing):
    _, out, _, [game] = playing(["Kxe2"], "--fen", "8/8/8/8/8/7k/4p3/4K3 w - - 0 1")
    assert game.headers["Result"] == "1/2-1/2" and "insufficient material" in out


def test_time_runs_out():
    clock = Clock.parse("1+2")
    assert clock.spend(True, 30) and clock.left == {True: 32.0, False: 60.0} and clock.text(True) == "0:32"
    assert not clock.spend(True, 33)


@pytest.mark.parametrize(("words", "complaint"), [
    (["--level", "godlike"], "there is no level 'godlike'"), (["--time", "soon"], "--time"),
    (["--fen", "nonsense"], "FEN"), (["--think", "0"], "--think"), (["--pgn", "/proc/nowhere/games.pgn"], "/proc"),
])
def test_bad_arguments(playing, words, complaint):
    status, _, err, games = playing([], *words)
    assert status == 2 and complaint in err and err.count("\n") == 1 and games == []


def test_a_rating_instead_of_a_level(playing, monkeypatch, tmp_path, capsys):
    monkeypatch.setattr("sys.stdin", io.StringIO("quit\n"))
    assert main(["play", "--elo", "1500", "--pgn", str(tmp_path / "g.pgn")]) == 0
    assert "(1500 Elo, 1500)" in capsys.readouterr().out
    assert main(["play", "--elo", "9999"]) == 2
    assert "a rating is a number from" in capsys.readouterr().err
