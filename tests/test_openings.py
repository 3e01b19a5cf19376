"""Names of openings: every line of the published tables, transpositions, and all that a line may be given as."""

import csv
import io
import re

import chess
import chess.pgn
import pytest

import barreleye
from barreleye import openings
from barreleye.openings import make

NAJDORF = "e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6"


def board_after(moves):
    board = chess.Board()
    for move in moves.split():
        board.push_san(move)
    return board


def test_a_line_may_be_given_in_many_ways():
    board = board_after(NAJDORF)
    game = chess.pgn.Game.from_board(board)
    lines = [NAJDORF, NAJDORF.split(), "1. e4 c5 2.Nf3 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 a6", board, game, game.end(),
             [move.uci() for move in board.move_stack], list(board.move_stack), board.fen(),
             barreleye.Position(board.fen())]
    assert {str(barreleye.opening(line)) for line in lines} == {"B90 Sicilian Defense: Najdorf Variation"}
    assert [found and found.ply for found in map(barreleye.opening, (board, board.fen()))] == [10, 0]


def test_the_last_name_on_the_way_counts_and_transpositions_are_recognised():
    assert str(barreleye.opening("d4 e6 e4 d5")) == "C00 French Defense"
    assert barreleye.opening("e4 e6 d4 d5 h3 h6 a3 a6") == openings.Opening("C00", "French Defense", 4)
    moved_round = board_after("Nf3 Nf6 Ng1 Ng8 e4 c6 d4 d5")
    assert str(barreleye.opening(moved_round)).startswith("B12 Caro-Kann Defense")


@pytest.mark.parametrize("line", [
    "", [], chess.STARTING_FEN, "8/8/8/8/8/4k3/4p3/4K3 b - - 0 1", chess.Board("8/8/8/8/8/4k3/4p3/4K3 b - - 0 1"),
])
def test_what_has_no_name(line):
    assert barreleye.opening(line) is None


def test_a_move_that_cannot_be_played_is_named():
    with pytest.raises(ValueError, match=r"'Ke3' is not a legal move after 2 plies"):
        barreleye.opening("1. e4 e5 2. Ke3")


def test_every_published_line_has_its_name(data_dir):
    rows: list[dict[str, str]] = []
    for path in sorted((data_dir / "openings").glob("*.tsv")):
        rows += csv.DictReader(io.StringIO(path.read_text(encoding="utf-8")), delimiter="\t", quoting=csv.QUOTE_NONE)
    assert len(rows) > 3000 and len(openings.names()) == len(rows)
    for row in rows[::10]:
        board = board_after(re.sub(r"\d+\.", " ", row["pgn"]))
        assert str(barreleye.opening(board)) == f"{row['eco']} {row['name']}"


def test_the_script_makes_what_is_in_the_package(data_dir):
    found = make.read([str(data_dir / "openings" / "e.tsv")])
    assert len(found) > 200 and found.items() <= openings.names().items()


@pytest.mark.slow
def test_the_file_in_the_package_is_made_by_the_script(data_dir):
    paths = [str(path) for path in sorted((data_dir / "openings").glob("*.tsv"))]
    assert make.read(paths) == openings.names()


def test_packing_and_unpacking_agree(tmp_path, monkeypatch):
    table = tmp_path / "a.tsv"
    table.write_text("eco\tname\tpgn\nA00\tÉtude\t1. a4\nA00\tOther\t1. h4 h5\n", encoding="utf-8")
    assert make.main([str(tmp_path / "names.bin"), str(table)]) == 0 and make.main([]) == 2
    monkeypatch.setattr(openings, "files", lambda package: tmp_path)
    openings.names.cache_clear()
    try:
        assert str(barreleye.opening("a4")) == "A00 Étude" and str(barreleye.opening("h4 h5")) == "A00 Other"
    finally:
        openings.names.cache_clear()


@pytest.mark.parametrize("line", [3, None, 2.5, object()], ids=["int", "None", "float", "object"])
def test_what_is_no_line_is_refused_in_plain_words(line):
    with pytest.raises(TypeError, match=r"is not a line of play: give a chess\.Board"):
        barreleye.opening(line)


def test_what_is_no_move_is_refused_in_plain_words():
    with pytest.raises(TypeError, match="3 is not a move: give text such as 'e2e4'"):
        barreleye.opening(["e2e4", 3])                                 # type: ignore[list-item]
