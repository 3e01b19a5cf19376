import gzip
import zipfile

import pytest

from barreleye.core.notation import START_FEN
from barreleye.core.position import Position
from barreleye.opening_books import open_book, read_epd, start_position_book

LINES = [
    "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1",
    "rnbqkbnr/pppppppp/8/8/3P4/8/PPPP1PPP/RNBQKBNR b KQkq -",
    "rnbqkbnr/pppppppp/8/8/2P5/8/PP1PPPPP/RNBQKBNR b KQkq - hmvc 0; fmvn 7; id \"English\";",
]
PGN = """\
[Event "one"]

1. e4 e5 2. Nf3 *

[Event "two"]
[SetUp "1"]
[FEN "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"]

1. e4 *
"""


def test_counters_are_filled_in():
    assert read_epd(LINES[1]).fen.endswith(" 0 1")
    assert read_epd(LINES[2]).fen.endswith(" 0 7")


@pytest.mark.parametrize("packing", ["", ".gz", ".zip"])
def test_books_may_be_packed(tmp_path, packing):
    path = tmp_path / f"book.epd{packing}"
    text = "\n".join(LINES).encode()
    if packing == ".zip":
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("licence.md", "free")
            archive.writestr("book.epd", text)
    else:
        path.write_bytes(gzip.compress(text) if packing else text)
    book = open_book(str(path), order="sequential")
    assert len(book) == 3
    assert [book.opening(n).fen for n in range(4)] == [read_epd(LINES[n % 3]).fen for n in range(4)]


def test_pgn_lines_are_history_and_can_be_cut(tmp_path):
    path = tmp_path / "book.pgn"
    path.write_text(PGN)
    first, second = (open_book(str(path), order="sequential").opening(n) for n in range(2))
    assert (first.fen, first.moves) == (START_FEN, ("e2e4", "e7e5", "g1f3"))
    assert (second.fen, second.moves) == ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", ("e2e4",))
    assert open_book(str(path), order="sequential", plies=1).opening(0).moves == ("e2e4",)


def test_a_seed_decides_the_order(tmp_path):
    path = tmp_path / "book.epd"
    path.write_text("\n".join(f"4k3/8/8/8/8/8/8/4K2R w K - 0 {n}" for n in range(1, 60)))

    def order(**how):
        book = open_book(str(path), **how)
        return [book.opening(n).fen for n in range(59)]

    assert order(seed=5) == order(seed=5) != order(seed=6)
    assert sorted(order(seed=5)) == sorted(order(order="sequential"))
    assert order(order="sequential", start=3)[0].endswith(" 3")


@pytest.mark.parametrize(
    ("name", "text", "complaint"),
    [
        ("empty.epd", "\n\n", "no openings"),
        ("bad.epd", "not a position", "opening 1"),
        ("mated.epd", "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", "finished game"),
        ("bad.pgn", '[Event "x"]\n\n1. e5 *\n', "opening 1"),
        ("broken.zip", "this is no archive", "cannot read"),
        ("broken.zip", "PK\x03\x04 nor is this", "cannot read"),
        ("broken.epd.gz", "nor is this", "cannot read"),
    ],
)
def test_unusable_books_are_named(tmp_path, name, text, complaint):
    path = tmp_path / name
    path.write_text(text)
    with pytest.raises(ValueError, match=complaint):
        open_book(str(path)).check(10)


def test_a_missing_book_is_named(tmp_path):
    with pytest.raises(ValueError, match="nowhere"):
        open_book(str(tmp_path / "nowhere.epd"))


def test_without_a_book_games_begin_at_the_start():
    assert start_position_book().opening(17).fen == START_FEN


@pytest.mark.parametrize(
    ("name", "count", "chess960"),
    [("noob_3moves.epd.zip", 150932, False), ("8moves_v3.pgn.zip", 34700, False), ("3moves_FRC.epd.zip", 126113, True)],
)
def test_published_books(data_dir, name, count, chess960):
    book = open_book(str(data_dir / "books" / name))
    assert len(book) == count
    book.check(100, chess960)
    opening = book.opening(3, chess960)
    position = Position(opening.fen, chess960)
    for move in opening.moves:
        position.push(move)
    assert position.legal_moves()
