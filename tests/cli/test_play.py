"""Playing in the terminal, typed line by line."""

import io

import chess
import chess.pgn
import pytest

from barreleye.cli import main, orders
from barreleye.cli.clock import Clock


@pytest.fixture
def playing(monkeypatch, tmp_path, capsys):
    def play(typed, *words):
        monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in typed)))
        monkeypatch.setattr(orders, "HINT_NODES", 2000)
        path = tmp_path / "games.pgn"
        opponent = [] if "--resume" in words else ["--seed", "1", "--level", "newcomer"]
        status = main(["play", "--pgn", str(path), *opponent, *words])
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
    assert "'Ke5' is not a legal move here" in out and "save FILE" in out and "--resume" in out
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
    assert "(1500 Elo)" in capsys.readouterr().out
    assert main(["play", "--elo", "9999"]) == 2
    assert "a rating is a number from" in capsys.readouterr().err


def test_careless_moves_and_ambiguous_ones(playing):
    _, out, _, [game] = playing(["nf3", "quit"])
    assert game.next().san() == "Nf3"
    _, out, _, [_, game] = playing(["bc4", "e8", "e8q", "quit"], "--fen", "7k/4P3/8/8/2p5/1P1B4/8/4K3 w - - 0 1")
    assert "'bc4' could be Bxc4 or bxc4" in out and "'e8' could be e8=B or e8=N or e8=Q+ or e8=R+" in out
    assert game.next().san() == "e8=Q+"


def test_the_position_and_the_opening_are_told(playing):
    _, out, _, _ = playing(["fen", "opening", "e4", "quit"])
    assert chess.STARTING_FEN in out and "this opening has no name" in out and "B00 King's Pawn" in out
    _, out, _, games = playing(["opening", "quit"], "--moves", "e4 e6 d4 d5")
    assert "C00 French Defense" in out and len(games) == 1          # the first one: nothing was played in the second
    assert games[0].headers["ECO"] and games[0].headers["Opening"]


def test_the_level_may_change_during_the_game(playing):
    _, out, _, [game] = playing(["level", "level casual", "e4", "level 1500", "level godlike", "level full", "quit"])
    assert "level: newcomer, 540 Elo; there are newcomer, beginner" in out and "level: casual, 930 Elo" in out
    assert "level: 1500 Elo\n" in out and "there is no level 'godlike'" in out
    assert "level: full strength" in out
    assert game.headers["Black"].startswith("Barreleye ") and "(" not in game.headers["Black"]


def test_saving_and_going_on_write_the_game_once(playing, tmp_path):
    _, out, _, [game] = playing(["save", "e4", "save", "d4", "save", "quit"])
    assert "there is no move to save" in out and len(list(game.mainline_moves())) == 4
    other = tmp_path / "other.pgn"
    _, out, _, games = playing(["e4", f"save {other}", "d4", "quit"])
    assert len(games) == 1 and other.read_text().count("[Event ") == 1 and "2. d4" in other.read_text()
    _, out, _, _ = playing(["e4", "save /proc/nowhere/x.pgn", "quit"])
    assert "cannot save: /proc/nowhere/x.pgn" in out


def test_a_saved_game_is_resumed_where_it_was_left(playing, tmp_path):
    path = str(tmp_path / "games.pgn")
    playing(["e4", "resign"])
    _, _, _, [_, left] = playing(["d4", "quit"], "--time", "5+3", "--level", "casual", "--name", "Anna")
    _, out, _, [first, game] = playing(["c4", "quit"], "--resume", path)
    moves = [move.uci() for move in game.mainline_moves()]
    assert moves[:2] == [move.uci() for move in left.mainline_moves()] and moves[2] == "c2c4" and len(moves) == 4
    assert "(casual, 930 Elo)" in out
    assert game.headers["White"] == "Anna" and game.headers["Seed"] == left.headers["Seed"]
    assert game.headers["TimeControl"] == "300+3" and all(node.clock() for node in game.mainline())
    assert first.headers["Result"] == "0-1" and game.headers["Result"] == "*"
    _, _, _, [_, game] = playing(["resign"], "--resume", path, "--level", "full", "--name", "Bert")
    assert game.headers["Result"] == "0-1" and game.headers["White"] == "Bert" and "(" not in game.headers["Black"]


def test_black_resumes_with_the_engine_to_move(playing, tmp_path):
    playing(["e5", "quit"], "--color", "black")
    text = (tmp_path / "games.pgn").read_text()
    shorter = text[:text.rindex(" 2.")] + " *\n\n"
    (tmp_path / "games.pgn").write_text(shorter)
    _, _, _, [game] = playing(["d5", "quit"], "--resume", str(tmp_path / "games.pgn"))
    assert len(list(game.mainline_moves())) >= 3


@pytest.mark.parametrize(("text", "words", "complaint"), [
    ('[Event "x"]\n[White "A"]\n[Black "B"]\n\n1. e4 *\n', [], "is not one against Barreleye"),
    ('[Event "x"]\n[White "A"]\n[Black "Barreleye 0.1.0"]\n[Result "1-0"]\n\n1. e4 1-0\n', [], "has ended: 1-0"),
    ('[Event "x"]\n[White "A"]\n[Black "Barreleye 0.1.0"]\n\n1. e4 Ke5 *\n', [], "1... Ke5 is not a legal move"),
    ('[Event "x"]\n[White "A"]\n[Black "Barreleye 0.1.0"]\n\n1. e4 *\n', ["--game", "2"], "there is no number 2"),
    ('[Event "x"]\n[White "A"]\n[Black "Barreleye 0.1.0"]\n\n1. e4 *\n', ["--moves", "e5"], "leave --moves out"),
    ("", [], "has 0 games"), (None, [], "No such file"),
])
def test_what_cannot_be_resumed(playing, tmp_path, text, words, complaint):
    path = tmp_path / "old.pgn"
    if text is not None:
        path.write_text(text)
    status, _, err, _ = playing([], "--resume", str(path), *words)
    assert status == 2 and complaint in err and err.count("\n") == 1
    assert text is None or path.read_text() == text


def test_moves_come_from_a_book(playing, tmp_path, book_file):
    path = book_file({chess.STARTING_FEN: {"g1f3": 3, "a2a4": 0},
                      "rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R b KQkq - 1 1": {"d7d5": 1}})
    _, out, _, [game] = playing(["d5", "quit"], "--color", "black", "--book", str(path))
    assert game.next().san() == "Nf3" and "Barreleye plays 1.Nf3 from the book" in out
    assert out.count("from the book") == 1


def test_a_book_that_is_none(playing, tmp_path):
    (tmp_path / "short.bin").write_bytes(b"x" * 17)
    for path, complaint in (("short.bin", "is not a Polyglot book"), ("nowhere.bin", "cannot be read: No such file")):
        status, _, err, _ = playing([], "--book", str(tmp_path / path))
        assert status == 2 and complaint in err and err.count("\n") == 1
