"""Polyglot books: what is read, what is chosen, what is refused."""

import random
import struct

import chess
import pytest

from barreleye.polyglot import PolyglotBook

CASTLING = "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1"


def test_moves_with_their_shares(book_file):
    book = PolyglotBook(book_file({chess.STARTING_FEN: {"e2e4": 3, "d2d4": 1, "a2a4": 0}, CASTLING: {"e1h1": 5}}))
    assert [(move.move.uci(), move.share) for move in book.moves(chess.Board())] == [("e2e4", 0.75), ("d2d4", 0.25)]
    assert [move.move.uci() for move in book.moves(chess.Board(CASTLING))] == ["e1g1"]
    assert [move.move.uci() for move in book.moves(chess.Board(CASTLING, chess960=True))] == ["e1h1"]
    assert book.moves(chess.Board("8/8/8/8/8/4k3/4p3/4K3 b - - 0 1")) == []
    book.close()


def test_choosing_by_chance_and_without(book_file):
    book = PolyglotBook(book_file({chess.STARTING_FEN: {"e2e4": 3, "d2d4": 1}}))
    best = book.choose(chess.Board())
    assert best is not None and best.move.uci() == "e2e4"
    chosen = [book.choose(chess.Board(), random.Random(seed)) for seed in range(400)]
    share = sum(move is not None and move.move.uci() == "e2e4" for move in chosen) / 400
    assert 0.65 < share < 0.85
    assert book.choose(chess.Board("8/8/8/8/8/4k3/4p3/4K3 b - - 0 1"), random.Random(1)) is None


def test_moves_that_are_not_legal_are_left_out(book_file):
    book = PolyglotBook(book_file({chess.STARTING_FEN: {"e2e5": 100, "d2d4": 1}}))
    assert [move.move.uci() for move in book.moves(chess.Board())] == ["d2d4"]


def test_files_that_are_no_books(tmp_path):
    entries = [struct.pack(">QHHI", key, 796, 1, 0) for key in range(1000, 0, -1)]
    for name, data, complaint in (("empty", b"", "its size is 0 bytes"), ("odd", b"x" * 17, "a multiple of 16"),
                                  ("unsorted", b"".join(entries), "its entries are not in order")):
        (tmp_path / name).write_bytes(data)
        with pytest.raises(ValueError, match=complaint):
            PolyglotBook(tmp_path / name)
    for name, complaint in (("nowhere.bin", "cannot be read: No such file"), (".", "is a folder")):
        with pytest.raises(ValueError, match=complaint):
            PolyglotBook(tmp_path / name)
