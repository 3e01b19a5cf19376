"""Playing forwards and back, copies, keys, and what Position says about itself."""

import pickle
import random
from concurrent.futures import ThreadPoolExecutor

import chess
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import barreleye
from barreleye import Position

MATED = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3"
SHUFFLE = ("g1f3", "g8f6", "f3g1", "f6g8")


@given(st.integers(0, 959), st.lists(st.integers(0, 10**6), max_size=120))
@settings(max_examples=150, deadline=None)
def test_taking_back_a_game_restores_every_byte(number: int, choices: list[int]):
    position = Position(chess.Board.from_chess960_pos(number).fen(), chess960=True)
    snapshots = []
    for choice in choices:
        moves = position.legal_moves()
        if choice % 16 == 0 and not position.is_check():
            snapshots.append(position.snapshot())
            position.push_null()
        elif moves:
            snapshots.append(position.snapshot())
            position.push(moves[choice % len(moves)])
        assert position.keys() == position.keys(recompute=True)
    while snapshots:
        position.pop()
        assert position.snapshot() == snapshots.pop()
    with pytest.raises(ValueError, match="there is no move to take back"):
        position.pop()


@given(st.integers(0, 959), st.lists(st.integers(0, 10**6), max_size=60))
@settings(max_examples=100, deadline=None)
def test_the_way_to_a_position_does_not_matter(number: int, choices: list[int]):
    """Whatever do_move keeps from move to move is what setting up the FEN gives."""
    position = Position(chess.Board.from_chess960_pos(number).fen(), chess960=True)
    for choice in choices:
        moves = position.legal_moves()
        if not moves:
            break
        position.push(moves[choice % len(moves)])
    fresh = Position(position.fen(), chess960=True)
    assert fresh.keys() == position.keys()
    assert fresh.legal_moves() == position.legal_moves()
    for move in position.legal_moves():
        assert fresh.gives_check_to(move) == position.gives_check_to(move)
        for threshold in (-100, 0, 100, 300):
            assert fresh.see(move, threshold) == position.see(move, threshold)


def test_keys_tell_apart_what_differs():
    """Every fact of a position has its part in the full key; the other keys see only their own pieces."""
    base = "r3k2r/p6p/1n4b1/3pP3/8/1N4B1/P6P/R3K2R w KQkq d6 0 1"
    variants = {
        "full": "r3k2r/p6p/1n4b1/3pP3/8/1N4B1/P6P/R3K2R w KQkq - 0 1",
        "castling": "r3k2r/p6p/1n4b1/3pP3/8/1N4B1/P6P/R3K2R w KQk d6 0 1",
        "pawn": "r3k2r/p6p/1n4b1/3pP3/7P/1N4B1/P7/R3K2R w KQkq d6 0 1",
        "knight": "r3k2r/p6p/1n4b1/3pP3/1N6/6B1/P6P/R3K2R w KQkq d6 0 1",
        "rook": "r3k2r/p6p/1n4b1/3pP3/8/1N4B1/P6P/1R2K2R w Kkq d6 0 1",
    }
    changed = {
        "full": {"full"},
        "castling": {"full"},
        "pawn": {"full", "pawn"},
        "knight": {"full", "minor", "white"},
        "rook": {"full", "white"},
    }
    keys = Position(base).keys()
    for name, fen in variants.items():
        other = Position(fen).keys()
        assert {key for key in keys if keys[key] != other[key]} == changed[name], name
    black = Position(base.replace(" w ", " b ").replace("d6", "-")).keys()
    assert black["full"] != Position(variants["full"]).key


def test_the_material_key_counts_and_does_not_look_where():
    def key(board: str) -> int:
        return int(Position(board).keys()["material"])

    assert key("4k3/8/8/8/8/8/8/QN2K3") == key("k7/8/8/2Q5/8/8/8/4K2N")
    boards = ("4K3", "N3K3", "NN2K3", "B3K3", "n3K3")
    assert len({key(f"4k3/8/8/8/8/8/8/{rank}") for rank in boards}) == len(boards)


def test_keys_are_the_same_in_every_run():
    """Keys may be stored, in a book for one: a change of them is a change of format."""
    assert Position().key == Position(chess.STARTING_FEN).key
    assert len({Position(chess.Board.from_chess960_pos(number).fen()).key for number in range(960)}) == 960


def test_a_game_may_be_long():
    position = Position()
    board = chess.Board()
    for number in range(6000):
        position.push(SHUFFLE[number % 4])
        board.push_uci(SHUFFLE[number % 4])
    assert position.fen() == board.fen()
    assert position.is_repetition(1500)
    assert position.is_fifty_moves()
    for _ in range(6000):
        position.pop()
    assert position.snapshot() == Position().snapshot()


def test_a_copy_has_the_history_and_goes_its_own_way():
    position = Position()
    for move in SHUFFLE:
        position.push(move)
    copy = position.copy()
    assert copy.is_repetition(2)
    position.push("e2e4")
    assert copy.fen() != position.fen()
    copy.push("d2d4")
    for _ in range(5):
        copy.pop()
        position.pop()
    assert copy.snapshot() == position.snapshot() == Position().snapshot()


@pytest.mark.parametrize(
    ("fen", "check", "checkmate", "stalemate", "dead", "fifty"),
    [
        (chess.STARTING_FEN, False, False, False, False, False),
        (MATED, True, True, False, False, False),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", False, False, True, False, False),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", False, False, False, True, False),
        ("4k3/8/8/8/8/8/8/4KN2 w - - 0 1", False, False, False, True, False),
        ("4k3/8/8/8/8/8/8/3NKN2 w - - 0 1", False, False, False, False, False),
        ("4k3/8/8/8/8/8/8/4KB2 w - - 0 1", False, False, False, True, False),
        ("2b1k3/8/8/8/8/8/8/4KB2 w - - 0 1", False, False, False, True, False),
        ("4kb2/8/8/8/8/8/8/4KB2 w - - 0 1", False, False, False, False, False),
        ("4k3/8/8/8/8/8/8/4KBN1 w - - 0 1", False, False, False, False, False),
        ("4k3/8/8/8/8/8/7p/4K3 w - - 0 1", False, False, False, False, False),
        ("4k3/8/8/8/8/8/8/R3K3 w - - 99 80", False, False, False, False, False),
        ("4k3/8/8/8/8/8/8/R3K3 w - - 100 80", False, False, False, False, True),
        # Mate comes before the fifty moves.
        ("R5k1/5ppp/8/8/8/8/8/4K3 b - - 100 80", True, True, False, False, False),
    ],
)
def test_ends_of_games(fen: str, check: bool, checkmate: bool, stalemate: bool, dead: bool, fifty: bool):
    position = Position(fen)
    board = chess.Board(fen)
    assert position.is_check() == board.is_check() == check
    assert position.is_checkmate() == board.is_checkmate() == checkmate
    assert position.is_stalemate() == board.is_stalemate() == stalemate
    assert position.is_insufficient_material() == board.is_insufficient_material() == dead
    assert position.is_fifty_moves() == board.is_fifty_moves() == fifty


def test_moves_are_read_in_either_case_and_nothing_else():
    position = Position("4k3/P7/8/8/8/8/8/4K3 w - - 0 1")
    for text in ("a7a8q", "A7A8Q", "a7a8Q"):
        assert position.is_legal(text)
    for text in ("a7a8", "a7a8k", "a7a8p", "a7-a8q", " a7a8q", "a7a8q ", "0000", "", "a8=Q", "e1e2q",
                 "e1\uff12", "\u0130e2", "\u04307a8q", "a7a8\u212a", "e1e9", "`1e2", "e1i1", "a7a8qq"):
        assert not position.is_legal(text)
        with pytest.raises(ValueError, match=r"is not a legal move in 4k3/P7/8/8/8/8/8/4K3 w - - 0 1"):
            position.push(text)


def test_numbers_that_are_no_moves():
    position = Position()
    assert not position.accepts(0)
    assert not position.accepts(65)
    for wrong in (-1, 1 << 16, 1 << 70):
        with pytest.raises(OverflowError):
            position.accepts(wrong)


def test_what_it_says_about_itself():
    position = Position("4k3/8/8/8/8/8/8/R3K3 b Q - 3 20")
    assert (position.turn, position.ply, position.halfmove_clock, position.piece_count()) == (False, 39, 3, 3)
    assert repr(position) == "Position('4k3/8/8/8/8/8/8/R3K3 b Q - 3 20')"
    assert repr(Position(chess960=True)).endswith(", chess960=True)")
    with pytest.raises(TypeError, match=r"does not pickle: send its fen\(\)"):
        pickle.dumps(position)


def test_a_refused_position_leaves_nothing_behind():
    for _ in range(100):
        with pytest.raises(ValueError, match="king is in check"):
            Position("4k3/8/8/8/8/8/4R3/4K3 w - - 0 1")
    assert Position(MATED).is_checkmate()


def test_every_position_has_a_board_however_it_is_made():
    assert Position.__new__(Position).fen() == Position().fen()


def test_every_thread_has_its_own_board():
    def random_walk(seed: int) -> str:
        rng = random.Random(seed)
        position = Position()
        for _ in range(200):
            moves = position.legal_moves()
            if not moves:
                break
            position.push(rng.choice(moves))
        return str(position.fen())

    seeds = range(16)
    with ThreadPoolExecutor(8) as pool:
        counting = pool.submit(barreleye.perft, depth=5, threads=4)
        assert list(pool.map(random_walk, seeds)) == [random_walk(seed) for seed in seeds]
        assert counting.result() == 4_865_609


@pytest.mark.parametrize("ask", [Position.push, Position.is_legal, Position.move_number, Position.gives_check_to,
                                 Position.see])
@pytest.mark.parametrize("move", [3, None, b"e2e4", chess.Move.from_uci("e2e4")], ids=repr)
def test_what_is_no_text_is_no_move(ask, move):
    with pytest.raises(TypeError, match=r"is not a move: give UCI text such as 'e2e4'"):
        ask(Position(), move)


@pytest.mark.parametrize("fen", [3, None, b"8/8", chess.Board()], ids=repr)
def test_what_is_no_text_is_no_fen(fen):
    with pytest.raises(TypeError, match="a position is set up from FEN text, not from"):
        Position(fen)


def test_the_moves_behind_a_position_are_told():
    position = Position(chess960=False)
    played = ["e2e4", "c7c5", "g1f3", "d7d6", "f1b5", "b8c6", "e1g1"]
    for move in played:
        position.push(move)
    fen, moves = position.line()
    assert (fen, moves) == (Position().fen(), played)
    again = Position(fen)
    for move in moves:
        again.push(move)
    assert again.fen() == position.fen() and again.keys() == position.keys()
    position.push_null()
    passed = position.fen()
    assert position.line() == (passed, [])
    position.push("b1c3")
    assert position.line() == (passed, ["b1c3"])
