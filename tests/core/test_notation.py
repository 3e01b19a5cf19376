"""FEN in and out: what is read, what is put right, what is refused and in which words."""

import chess
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from barreleye import Position
from barreleye.core.notation import line_names, move_name

KINGS = "4k3/8/8/8/8/8/8/4K3"
ROOKS = "r3k2r/8/8/8/8/8/8/R3K2R"


@pytest.mark.parametrize(
    ("fen", "message"),
    [
        ("", "FEN is empty: expected at least the piece placement"),
        (" \t\n", "FEN is empty"),
        (f"{KINGS} w - - 0 1 extra", "FEN has 7 fields, expected at most 6"),
        ("rubbish", r"FEN piece placement \(field 1\) has 1 rank, expected 8"),
        ("4k3/8/8/8/8/8/4K3 w - - 0 1", r"FEN piece placement \(field 1\) has 7 ranks, expected 8"),
        ("4k3/8/8/8/8/8/8/8/4K3 w - - 0 1", r"FEN piece placement \(field 1\) has 9 ranks, expected 8"),
        ("4k3/7/8/8/8/8/8/4K3 w - - 0 1", r"\(field 1\) gives rank 7 7 squares, expected 8"),
        ("4k3/8/8/8/8/8/8/4K4 w - - 0 1", r"\(field 1\) gives rank 1 9 squares, expected 8"),
        ("4k3/8/8/8/8/8/8/PPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPK w - - 0 1", r"gives rank 1 37 squares, expected 8"),
        ("4k3/8/9/8/8/8/8/4K3 w - - 0 1", r"\(field 1\) has '9' on rank 6, expected a piece letter or a digit"),
        ("4k3/8/8/8/8/8/8/4X3 w - - 0 1", r"\(field 1\) has 'X' on rank 1, expected a piece letter or a digit"),
        ("4k3/8/\uff18/8/8/8/8/4K3 w - - 0 1", "\\(field 1\\) has '\uff18' on rank 6"),
        ("8/8/8/8/8/8/8/4K3 w - - 0 1", r"\(field 1\) gives black 0 kings, expected 1"),
        ("4k3/8/8/8/8/8/8/8 w - - 0 1", r"\(field 1\) gives white 0 kings, expected 1"),
        ("4k3/8/8/8/8/8/8/K3K3 w - - 0 1", r"\(field 1\) gives white 2 kings, expected 1"),
        ("4k3/8/8/8/8/P7/PPPPPPPP/4K3 w - - 0 1", r"\(field 1\) gives white 9 pawns, expected at most 8"),
        ("4k3/pppppppp/8/8/p7/8/8/4K3 w - - 0 1", r"\(field 1\) gives black 9 pawns, expected at most 8"),
        ("4k3/8/8/8/NN6/8/PPPPPPPP/RNBQKBNR w - - 0 1", r"gives white 18 pieces, expected at most 16"),
        ("P3k3/8/8/8/8/8/8/4K3 w - - 0 1", r"has a pawn on a8: pawns never stand on the first or last rank"),
        ("4k3/8/8/8/8/8/8/4K2p w - - 0 1", r"has a pawn on h1: pawns never stand on the first or last rank"),
        (f"{KINGS} x - - 0 1", r"FEN side to move \(field 2\) is 'x', expected 'w' or 'b'"),
        (f"{KINGS} W - - 0 1", r"FEN side to move \(field 2\) is 'W', expected 'w' or 'b'"),
        ("4k3/8/8/8/8/8/4R3/4K3 w - - 0 1", r"the black king is in check but it is white to move \(field 2\)"),
        ("4k3/8/8/8/8/5n2/8/4K3 b - - 0 1", r"the white king is in check but it is black to move \(field 2\)"),
        ("8/8/8/3kK3/8/8/8/8 w - - 0 1", r"the black king is in check but it is white to move \(field 2\)"),
        (f"{ROOKS} w KQkx - 0 1", r"FEN castling rights \(field 3\) are 'KQkx', expected '-' or letters among KQkq"),
        (f"{ROOKS} w KQ- - 0 1", r"FEN castling rights \(field 3\) are 'KQ-'"),
        (f"{ROOKS} w \u212a - 0 1", r"FEN castling rights \(field 3\) are"),
        (f"{KINGS} w - e9 0 1", r"FEN en-passant square \(field 4\) is 'e9', expected '-' or a square such as 'e3'"),
        (f"{KINGS} w - e 0 1", r"FEN en-passant square \(field 4\) is 'e', expected"),
        (f"{KINGS} w - e3 0 1", r"\(field 4\) is 'e3', expected one on rank 6 with this side to move"),
        (f"{KINGS} b - e6 0 1", r"\(field 4\) is 'e6', expected one on rank 3 with this side to move"),
        (f"{KINGS} w - - -1 1", r"FEN halfmove clock \(field 5\) is '-1', expected a number from 0 to 99999"),
        (f"{KINGS} w - - 100000 1", r"FEN halfmove clock \(field 5\) is '100000', expected a number"),
        (f"{KINGS} w - - 1.5 1", r"FEN halfmove clock \(field 5\) is '1.5', expected a number"),
        (f"{KINGS} w - - \u0663 1", r"FEN halfmove clock \(field 5\) is '\u0663', expected a number"),
        (f"{KINGS} w - - 0 one", r"FEN move number \(field 6\) is 'one', expected a number"),
        (f"{KINGS} w - - 0 {'9' * 30}", r"FEN move number \(field 6\) is '9{30}', expected a number"),
    ],
)
def test_refused_with_the_field_and_the_reason(fen: str, message: str):
    with pytest.raises(ValueError, match=message):
        Position(fen)


@pytest.mark.parametrize(
    ("fen", "normal"),
    [
        # Missing fields get their defaults; white space does not matter.
        (KINGS, f"{KINGS} w - - 0 1"),
        (f"{KINGS} b", f"{KINGS} b - - 0 1"),
        (f"  {ROOKS}   w\tKQ ", f"{ROOKS} w KQ - 0 1"),
        (f"{KINGS} w - - 12", f"{KINGS} w - - 12 1"),
        (f"{KINGS} w - - 0 0", f"{KINGS} w - - 0 1"),
        (f"{KINGS} w - - 007 08", f"{KINGS} w - - 7 8"),
        # Castling rights without king or rook in place are dropped, double ones are one.
        (f"{KINGS} w KQkq - 0 1", f"{KINGS} w - - 0 1"),
        ("4k3/8/8/8/8/8/4K3/R6R w KQ - 0 1", "4k3/8/8/8/8/8/4K3/R6R w - - 0 1"),
        ("r3k3/8/8/8/8/8/8/4K2R w KQkq - 0 1", "r3k3/8/8/8/8/8/8/4K2R w Kq - 0 1"),
        ("4k3/8/8/8/8/8/8/n3K2N w KQ - 0 1", "4k3/8/8/8/8/8/8/n3K2N w - - 0 1"),
        (f"{ROOKS} w KHKH - 0 1", f"{ROOKS} w K - 0 1"),
        (f"{ROOKS} w qkQK - 0 1", f"{ROOKS} w KQkq - 0 1"),
        # En passant is kept only when somebody may really take.
        ("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
         "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2", "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2"),
        ("4k3/8/8/4P3/8/8/8/4K3 w - d6 0 2", "4k3/8/8/4P3/8/8/8/4K3 w - - 0 2"),
        ("4k3/3p4/8/3pP3/8/8/8/4K3 w - d6 0 2", "4k3/3p4/8/3pP3/8/8/8/4K3 w - - 0 2"),
        ("4k3/8/3n4/3pP3/8/8/8/4K3 w - d6 0 2", "4k3/8/3n4/3pP3/8/8/8/4K3 w - - 0 2"),
        ("8/8/8/K2pP2r/8/8/8/4k3 w - d6 0 2", "8/8/8/K2pP2r/8/8/8/4k3 w - - 0 2"),
    ],
)
def test_put_right(fen: str, normal: str):
    assert Position(fen).fen() == normal
    assert Position(normal).fen() == normal


@pytest.mark.parametrize(
    ("fen", "xfen", "shredder"),
    [
        (f"{ROOKS} w HAha -", "KQkq", "HAha"),
        (f"{ROOKS} w KQkq -", "KQkq", "HAha"),
        (f"{ROOKS} w Ha -", "Kq", "Ha"),
        # The letter without a file means the outermost rook; an inner one is named by its file.
        ("4k3/8/8/8/8/8/8/4KR1R w K -", "K", "H"),
        ("4k3/8/8/8/8/8/8/4KR1R w F -", "F", "F"),
        ("4k3/8/8/8/8/8/8/RR2K3 w B -", "B", "B"),
        ("rr2k3/8/8/8/8/8/8/4K3 b b -", "b", "b"),
        ("1r1k2r1/8/8/8/8/8/8/1R3KR1 w KQkq -", "KQkq", "GBgb"),
        # A rook on the other side of the king, or off the back rank, does not count as further out.
        ("4k3/8/8/8/8/8/7R/R3K1R1 w GA -", "KQ", "GA"),
    ],
)
def test_three_ways_to_write_castling(fen: str, xfen: str, shredder: str):
    position = Position(fen)
    assert position.fen().split()[2] == xfen
    assert position.fen(shredder=True).split()[2] == shredder
    assert Position(position.fen(shredder=True)).fen() == position.fen()
    board = chess.Board(fen + " 0 1", chess960=True)
    assert board.fen() == position.fen()
    assert board.shredder_fen() == position.fen(shredder=True)


def test_castling_is_written_as_the_rules_of_the_game_ask():
    assert {"e1g1", "e1c1"} < set(Position(f"{ROOKS} w KQkq").legal_moves())
    assert {"e1h1", "e1a1"} < set(Position(f"{ROOKS} w KQkq", chess960=True).legal_moves())
    inner = Position("4k3/8/8/8/8/8/8/1R2K3 w Q")
    assert inner.chess960, "a rook that castles from elsewhere makes it Chess960, asked for or not"
    assert "e1b1" in inner.legal_moves()
    assert not Position(f"{ROOKS} w KQkq").chess960


def test_a_plain_king_move_keeps_its_name():
    """From f1 the king goes to g1 by a step and by castling: the step is f1g1, castling only f1h1."""
    position = Position("4k3/8/8/8/8/8/8/5K1R w K - 0 1", chess960=True)
    position.push("f1g1")
    assert position.fen() == "4k3/8/8/8/8/8/8/6KR b - - 1 1"
    position.pop()
    position.push("f1h1")
    assert position.fen() == "4k3/8/8/8/8/8/8/5RK1 b - - 1 1"


@pytest.mark.parametrize("chess960", [False, True])
def test_moves_are_read_as_they_are_written(chess960: bool):
    """Every move has a name of its own, whatever is on the board; in Chess960 castling has the rook's square."""
    for fen in (ROOKS + " w KQkq - 0 1", "1r2k3/P1P5/8/3pP3/8/8/8/R3K2R w KQ d6 0 1", "4k3/8/8/8/8/8/8/5K1R w K - 0 1"):
        position = Position(fen, chess960=chess960)
        names = position.legal_moves()
        numbers = [position.move_number(name) for name in names]
        assert len(set(names)) == len(set(numbers)) == len(names)
        assert line_names(numbers, position.chess960).split() == names
        assert [move_name(number, position.chess960) for number in numbers] == names


@pytest.mark.parametrize("wrong", [None, 7, b"8/8/8/8/8/8/8/8 w - - 0 1", ["e2e4"]])
def test_text_must_be_text(wrong: object):
    with pytest.raises(TypeError):
        Position(wrong)      # type: ignore[arg-type]
    for method in ("push", "is_legal", "gives_check_to", "see"):
        with pytest.raises(TypeError):
            getattr(Position(), method)(wrong)


@given(st.text(max_size=100))
@settings(max_examples=500)
def test_any_text_is_refused_with_a_reason(text: str):
    with pytest.raises(ValueError, match="FEN"):
        Position(text)


@st.composite
def boards(draw: st.DrawFn) -> chess.Board:
    """Positions of kings and a few others, some with castling rights, valid for python-chess."""
    squares = draw(st.lists(st.integers(0, 63), min_size=2, max_size=14, unique=True))
    symbols = "Kk" + "".join(draw(st.lists(st.sampled_from("PNBRQpnbrq"), min_size=12, max_size=12)))
    board = chess.Board(None, chess960=True)
    for square, symbol in zip(squares, symbols, strict=False):
        board.set_piece_at(square, chess.Piece.from_symbol(symbol))
    board.turn = draw(st.booleans())
    board.castling_rights = board.rooks & draw(st.integers(0, chess.BB_ALL))
    board.castling_rights = board.clean_castling_rights()
    board.halfmove_clock = draw(st.integers(0, 150))
    board.fullmove_number = draw(st.integers(1, 6000))
    return board


@given(boards())
@settings(max_examples=500, deadline=None)
def test_fen_round_trip(board: chess.Board):
    if board.status() & ~(chess.STATUS_TOO_MANY_CHECKERS | chess.STATUS_IMPOSSIBLE_CHECK):
        with pytest.raises(ValueError, match="FEN"):
            Position(board.fen())
        return
    position = Position(board.fen(), chess960=True)
    assert position.fen() == board.fen()
    assert position.fen(shredder=True) == board.shredder_fen()
    again = Position(position.fen(shredder=True), chess960=True)
    assert again.fen() == position.fen()
    assert again.keys() == position.keys()
    assert again.snapshot() == position.snapshot()
    assert sorted(position.legal_moves()) == sorted(move.uci() for move in board.legal_moves)
