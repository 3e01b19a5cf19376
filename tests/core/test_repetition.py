"""Repetitions that have happened and those that are one move away."""

import random

import chess
import pytest

from barreleye import Position

PLIES = range(13)  # distances from the root of a search to ask at


class History:
    """A game on two boards that remembers, by python-chess's names, the positions a repetition may reach."""

    def __init__(self, board: chess.Board) -> None:
        self.board = board
        self.position = Position(board.fen(), chess960=board.chess960)
        self.names = [board._transposition_key()]

    def push(self, move: chess.Move) -> None:
        if not move or self.board.is_zeroing(move):
            self.names.clear()
        self.board.push(move)
        self.names.append(self.board._transposition_key())
        if move:
            self.position.push(move.uci())
        else:
            self.position.push_null()

    def upcoming(self) -> set[int]:
        """The plies for which a move leads back: to a position after the root, or to one that was there twice."""
        after = set()
        for move in self.board.legal_moves:
            if not self.board.is_zeroing(move):
                self.board.push(move)
                after.add(self.board._transposition_key())
                self.board.pop()
        back = [plies for plies in range(3, len(self.names), 2) if self.names[-1 - plies] in after]
        twice = any(self.names[-1 - plies] in self.names[: -1 - plies] for plies in back)
        return {ply for ply in PLIES if twice or any(ply > plies for plies in back)}

    def compare(self) -> None:
        assert {ply for ply in PLIES if self.position.upcoming_repetition(ply)} == self.upcoming(), self.board.fen()
        times = self.names.count(self.names[-1])
        for count in (1, 2, 3, 4):
            assert self.position.is_repetition(count) == (times >= count)


def shuffling_move(rng: random.Random, board: chess.Board) -> chess.Move:
    """Mostly a quiet move of a piece that has moved before, so that positions come again."""
    moves = list(board.legal_moves)
    quiet = [move for move in moves if not board.is_zeroing(move)]
    moved = {move.to_square for move in board.move_stack[-8:]}
    again = [move for move in quiet if move.from_square in moved]
    liked = again if rng.random() < 0.8 else quiet
    return rng.choice((liked or quiet or moves) if rng.random() < 0.97 else moves)


@pytest.mark.parametrize("passes", [0.0, 0.02], ids=["moves", "moves and passes"])
def test_upcoming_repetition_is_exact(passes: float, debug_build: bool):
    rng = random.Random(f"repetition {passes}")
    found = total = 0
    beginnings = [
        chess.STARTING_FEN,
        "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
        "4k3/8/3p4/2pPp3/2P1P3/8/1Q6/4K2r w - - 7 30",
        "r1b1k3/8/8/8/8/8/8/3BK2R w - - 0 1",
        "k7/8/1n6/8/8/6N1/8/7K b - - 40 60",
        "2q1k3/8/8/8/8/8/8/3QK3 w - - 0 1",
    ]
    for number in range(20 if debug_build else 100):
        game = History(chess.Board(beginnings[number % len(beginnings)]))
        for _ in range(80):
            game.compare()
            total += 1
            found += bool(game.upcoming())
            if not any(game.board.legal_moves):
                break
            if rng.random() < passes and not game.board.is_check():
                game.push(chess.Move.null())
            else:
                game.push(shuffling_move(rng, game.board))
    assert found > total / 20, "the games repeat too little to test anything"


def play(fen: str, moves: str) -> Position:
    position = Position(fen)
    for move in moves.split():
        position.push(move)
    return position


def test_own_move_back_to_the_position_before_is_seen_inside_the_search():
    position = play(chess.STARTING_FEN, "e2e4 e7e5 g1f3 g8f6 f3g1")
    assert position.upcoming_repetition(4)
    assert not position.upcoming_repetition(3), "the position to go back to is the root"
    assert not position.upcoming_repetition(0)


def test_before_the_root_only_a_second_repetition_counts():
    position = play(chess.STARTING_FEN, "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1")
    assert position.upcoming_repetition(0)


def test_a_piece_of_the_opponent_cannot_be_moved_back():
    """The bishop made three moves where one would do, our king went and came: only the wrong side could go back."""
    position = play("4k3/8/8/8/8/8/8/B3K3 b - - 0 1", "e8d8 a1b2 d8e8 b2c3 e8d8 c3d4 d8e8")
    assert position.upcoming_repetition(8)
    position = play("4k3/8/8/8/8/8/8/B3K3 w - - 0 1", "a1b2 e8d8 b2c3 d8e8 c3d4")
    assert not position.upcoming_repetition(12)


def test_a_rook_that_went_round_its_king_cannot_go_straight_back():
    moves = "a8b8 a1a3 b8c8 a3h3 c8b7 h3h1 b7a8"
    assert play("k7/8/8/8/8/8/2K5/R7 b - - 0 1", moves).upcoming_repetition(12)
    assert not play("k7/8/8/8/8/8/8/R1K5 b - - 0 1", moves).upcoming_repetition(12)


def test_what_a_pass_or_a_pawn_move_cut_off_cannot_come_again():
    moves = "g1f3 g8f6 f3g1"
    assert play(chess.STARTING_FEN, moves).upcoming_repetition(12)
    passed = play(chess.STARTING_FEN, moves)
    passed.push_null()
    passed.push("b1c3")
    assert not passed.upcoming_repetition(12)
    assert not play(chess.STARTING_FEN, "g1f3 g8f6 e2e3 e7e6 f3g1").upcoming_repetition(12)


def test_lost_castling_rights_make_another_position():
    fen, there_and_back = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "h1g1 h8g8 g1h1 g8h8 "
    assert not play(fen, there_and_back).is_repetition(2)
    assert play(fen, there_and_back * 2).is_repetition(2)


def test_en_passant_counts_only_when_it_can_be_played():
    there_and_back = " e8d8 e1d1 d8e8 d1e1"
    can_take = play("4k3/8/8/8/2p5/8/1P6/4K3 w - - 0 1", "b2b4" + there_and_back)
    assert not can_take.is_repetition(2)
    nobody_near = play("4k3/8/8/8/7p/8/1P6/4K3 w - - 0 1", "b2b4" + there_and_back)
    assert nobody_near.is_repetition(2)


def test_history_before_the_fen_is_unknown_and_the_clock_says_nothing():
    position = play("4k3/8/8/8/8/8/8/R3K3 w - - 90 80", "a1a2 e8d8 a2a1 d8e8")
    assert position.is_repetition(2)
    assert not position.is_repetition(3)


def test_passing_changes_the_side_and_drops_en_passant():
    position = play(chess.STARTING_FEN, "e2e4 a7a6 e4e5 d7d5")
    before = position.snapshot()
    position.push_null()
    assert position.fen() == "rnbqkbnr/1pp1pppp/p7/3pP3/8/8/PPPP1PPP/RNBQKBNR b KQkq - 1 3"
    assert position.keys() == position.keys(recompute=True)
    assert sorted(position.legal_moves()) == sorted(Position(position.fen()).legal_moves())
    position.pop()
    assert position.snapshot() == before
    with pytest.raises(ValueError, match="no passing while in check in 4k3/8/"):
        Position("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1").push_null()
