"""The one way in which commands are told a position, and moves as people type them."""

import io
import json

import chess
import pytest

from barreleye.cli import main
from barreleye.typed_moves import parse_move

GAMES = """\
[Event "First"]
[White "Anna"]
[Black "Bert"]
[Result "1-0"]

1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 (3... Nf6 4. O-O) 4. Ba4 Nf6 5. O-O 1-0

[Event "Second"]
[White "Clara"]
[Black "Dora"]
[FEN "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 12"]
[SetUp "1"]

12... c5 13. Nf3 d6 14. Ke3 *

[Event "Third"]
[Variant "Chess960"]
[FEN "nrk4r/pppppppp/8/8/8/8/PPPPPPPP/NRK4R w HBhb - 0 1"]
[SetUp "1"]

1. O-O *

[Event "Fourth"]
[FEN "8/8/8/4k3/8/8/4K3/4R3 w - - 12 70"]
[SetUp "1"]

70. -- *
"""
ENDING = "8/8/8/4k3/8/8/4K3/4R3 w - - 12 1"


@pytest.fixture
def games(tmp_path):
    (tmp_path / "games.pgn").write_text(GAMES)
    return str(tmp_path / "games.pgn")


def fen_after(moves, start=chess.STARTING_FEN):
    board = chess.Board(start)
    for move in moves.split():
        board.push_san(move)
    return board.fen()


def found(capsys, *words):
    """The position that a command says it looks at."""
    assert main(["eval", "--json", *words]) == 0, capsys.readouterr().err
    return json.loads(capsys.readouterr().out)["fen"]


def test_every_command_takes_a_position_the_same_way(games, capsys, data_dir):
    fens = set()
    for command in (["analyse", "--depth", "1"], ["eval"], ["perft", "1"]):
        for words in (["--moves", "e4 e5", "Nf3"], [games, "--move", "2b"], ["--game", "1", games, "--move", "2..."],
                      [fen_after("e4 e5 Nf3")], fen_after("e4 e5 Nf3").split(), ["--fen", fen_after("e4 e5 Nf3")]):
            assert main([*command, "--json", *words]) == 0
            fens.add(json.loads(capsys.readouterr().out)["fen"])
    assert fens == {fen_after("e4 e5 Nf3")}
    for words in ([ENDING], ["--fen", ENDING], [games, "--game", "4", "--move", "70"]):
        assert main(["tb", "--json", "--path", str(data_dir / "syzygy"), *words]) == 0
        assert json.loads(capsys.readouterr().out)["fen"].startswith("8/8/8/4k3/8/8/4K3/4R3 w - - 12 ")


def test_moves_of_a_game_are_before_they_are_played(games, capsys):
    for move in ("3b", "3...", "3B", "3…"):
        assert found(capsys, games, "--move", move) == fen_after("e4 e5 Nf3 Nc6 Bb5")
    for move in ("3w", "3", "3."):
        assert found(capsys, games, "--move", move) == fen_after("e4 e5 Nf3 Nc6")
    end = fen_after("e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O")
    assert found(capsys, games) == found(capsys, games, "--move", "5b") == end
    assert found(capsys, games, "--moves", "be7", "re1") == fen_after("e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7 Re1")


def test_games_that_begin_elsewhere(games, capsys):
    second = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 12"
    assert found(capsys, games, "--game", "2", "--move", "14w") == fen_after("c5 Nf3 d6", second)
    assert found(capsys, games, "--game", "3").split()[0].endswith("/NR3RK1")
    assert found(capsys, games, "--game", "4", "--move", "70b").startswith("8/8/8/4k3/8/8/4K3/4R3 b - - 13 70")


def test_standard_input_and_files_with_fens(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(GAMES.encode())))
    assert found(capsys, "-", "--move", "2") == fen_after("e4 e5")
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(f"{ENDING}\n".encode())))
    assert found(capsys, "-") == ENDING
    path = tmp_path / "suite.epd"
    path.write_text(f'# two\n{ENDING}\n\n8/8/8/8/8/4k3/4p3/4K3 b - - bm Kd3; id "x";\n')
    assert found(capsys, str(path)) == ENDING
    assert found(capsys, str(path), "--game", "2") == "8/8/8/8/8/4k3/4p3/4K3 b - - 0 1"


@pytest.mark.parametrize("command", [["analyse"], ["eval"], ["tb"], ["perft", "1"], ["play"]])
@pytest.mark.parametrize(("words", "complaint"), [
    (["GAMES", "--move", "9b"], "--move 9b: the game goes from 1w to 5b, where it ends"),
    (["GAMES", "--move", "2w", "--game", "3"], "the game goes from 1w to 1b"),
    (["GAMES", "--move", "soon"], "--move is 'soon', expected a move's number and side, like 23w or 23b"),
    (["GAMES", "--game", "5"], "has 4 games, there is no number 5"),
    (["GAMES", "--game", "0"], "--game is 0"),
    (["GAMES", "--game", "2"], "Ke3 is not a legal move"), (["GAMES", "--game", "4"], "is a null move"),
    (["GAMES", "--fen", ENDING], "both name a position"),
    (["e4", "e5"], "'e4 e5' is neither a FEN nor a file; moves go after --moves"),
    (["missing.pgn"], "'missing.pgn' is neither a FEN nor a file"),
    (["--move", "3"], "--move needs a file"), (["--game", "3"], "--game needs a file"),
    (["FOLDER"], "is a folder"), (["EMPTY"], "is empty"), (["TEXT"], "neither a game in PGN nor a FEN"),
    (["FENS", "--move", "3"], "--move needs a game"),
    (["FENS", "--game", "2"], "has 1 position, there is no number 2"),
    (["--moves", "e4", "e5", "Ke3"], "--moves, number 3: 'Ke3' is not a legal move here"),
    (["--moves", "xyz"], "'xyz' is not a move; moves are written like"),
    (["8/8/8/8/8/8/8/8", "w", "-", "-", "0", "1"], "kings"), (["--fen", "nonsense"], "FEN"),
])
def test_what_is_wrong_is_said_alike_everywhere(command, words, complaint, games, tmp_path, capsys):
    files = {"GAMES": games, "FOLDER": str(tmp_path), "EMPTY": str(tmp_path / "empty"), "TEXT": str(tmp_path / "text"),
             "FENS": str(tmp_path / "fens")}
    (tmp_path / "empty").touch()
    (tmp_path / "text").write_text("root:x:0:0\n")
    (tmp_path / "fens").write_text(ENDING)
    assert main([*command, *(files.get(word, word) for word in words)]) == 2
    out, err = capsys.readouterr()
    assert complaint in err and err.count("\n") == 1 and out == ""


# Moves as people type them

MANY = "r3k2r/pPpp1ppp/8/8/2p5/1P1B4/P2N1PPP/R3KN1R w KQkq - 0 1"


@pytest.mark.parametrize(("typed", "meant"), [
    ("nf3", "Nf3"), ("NF3", "Nf3"), ("Nd2-f3", "Nf3"), ("ndf3", "Nf3"), ("n2f3", "Nf3"), ("d2f3", "Nf3"),
    ("D2F3", "Nf3"), ("o-o-o", "O-O-O"), ("0-0-0", "O-O-O"), ("ooo", "O-O-O"), ("e1c1", "O-O-O"),
    ("bxc4", "bxc4"), ("Bxc4", "Bxc4"), ("Bc4", "Bxc4"), ("b3c4", "bxc4"), ("b:c4", "bxc4"), ("bd3c4", "Bxc4"),
    ("b8q", "b8=Q+"), ("b8=n", "b8=N"), ("b8(Q)", "b8=Q+"), ("b7b8r", "b8=R+"), ("ba8q", "bxa8=Q+"), ("pg4", "g4"),
    ("g2-g4", "g4"), ("g4!?", "g4"), ("g4+", "g4"), ("kd1", "Kd1"),
])
def test_careless_moves_are_understood(typed, meant):
    board = chess.Board(MANY)
    assert board.san(parse_move(board, typed)) == meant


@pytest.mark.parametrize(("typed", "said"), [
    ("bc4", "'bc4' could be Bxc4 or bxc4"), ("b8", "could be b8=B or b8=N or b8=Q+ or b8=R+"),
    ("o-o", "'o-o' is not a legal move here"), ("Ke3", "is not a legal move here"), ("e9", "is not a move"),
    ("hello", "is not a move"), ("--", "is not a move"), ("0000", "is not a move"), ("", "is not a move"),
])
def test_what_is_not_one_move_is_explained(typed, said):
    with pytest.raises(ValueError) as error:
        parse_move(chess.Board(MANY), typed)
    assert said in str(error.value)


def test_two_knights_and_a_check():
    board = chess.Board("4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1")
    with pytest.raises(ValueError, match="'nd2' could be Nbd2 or Nfd2"):
        parse_move(board, "nd2")
    assert board.san(parse_move(board, "nbd2")) == "Nbd2"
    with pytest.raises(ValueError, match="'Nf3' is not a legal move here: White is in check"):
        parse_move(chess.Board("4k3/8/8/8/8/8/4q3/4K1N1 w - - 0 1"), "Nf3")


def test_every_legal_move_can_be_typed_in_small_letters():
    for fen in (MANY, chess.STARTING_FEN, "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
                "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3"):
        board = chess.Board(fen)
        for move in board.legal_moves:
            for text in (board.san(move), board.san(move).replace("x", ""), move.uci(), board.lan(move).lower()):
                try:
                    assert parse_move(board, text) == move, text
                except ValueError as error:
                    assert "could be" in str(error) and text[0] == "b", (text, error)
