"""Plays random games on a python-chess board and on ours at once and compares all that both know about each position.

Run by test_random_games.py, a process for each part of the work:
    python random_games.py {standard,chess960} SEED POSITIONS
prints how often each rare thing was met, as JSON, and fails at the first difference.
"""

import json
import random
import sys
from collections import Counter
from collections.abc import Iterator

import chess

from barreleye import Position

STYLES = ("any", "captures", "pawns", "shuffle", "castle")
ALL_MOVES_EVERY = 16  # positions between those where every legal move is played and taken back
ALL_CODES_EVERY = 128  # positions between those where every 16-bit number is tried as a move


def beginnings(rng: random.Random, chess960: bool) -> Iterator[tuple[chess.Board, str, int]]:
    """Boards, each with a style of play and a length in plies: whole games, endgames, castling, pawns that meet."""
    order = rng.sample(range(960), 960)
    while True:
        for number in order:
            board = chess.Board.from_chess960_pos(number) if chess960 else chess.Board()
            yield board, rng.choice(STYLES), rng.choice((20, 60, 240))
            yield random_endgame(rng, chess960), rng.choice(STYLES), rng.choice((30, 150))
            yield random_castling(rng, chess960), "castle", 20
            for _ in range(4):
                yield random_en_passant(rng, chess960), "pawns", 4


def random_endgame(rng: random.Random, chess960: bool) -> chess.Board:
    while True:
        board = chess.Board(None, chess960=chess960)
        squares = rng.sample(range(64), rng.randint(3, 9))
        pieces = ["K", "k", *rng.choices("PPPNBRQpppnbrq", k=len(squares) - 2)]
        for square, symbol in zip(squares, pieces, strict=True):
            board.set_piece_at(square, chess.Piece.from_symbol(symbol))
        board.turn = rng.random() < 0.5
        if board.is_valid():
            return board


def random_castling(rng: random.Random, chess960: bool) -> chess.Board:
    """Kings and rooks at home with their rights, few others to be in the way or give check."""
    while True:
        board = chess.Board(None, chess960=chess960)
        for color, rank in ((chess.WHITE, 0), (chess.BLACK, 56)):
            files = sorted(rng.sample(range(8), 3)) if chess960 else [0, 4, 7]
            for file, kind in zip(files, (chess.ROOK, chess.KING, chess.ROOK), strict=True):
                board.set_piece_at(file + rank, chess.Piece(kind, color))
                if kind == chess.ROOK:
                    board.castling_rights |= chess.BB_SQUARES[file + rank]
        for square in rng.sample(range(64), rng.randint(0, 8)):
            if board.piece_at(square) is None:
                symbol = rng.choice("NBRQnbrq" if square < 8 or square > 55 else "PPPNBRQpppnbrq")
                board.set_piece_at(square, chess.Piece.from_symbol(symbol))
        board.turn = rng.random() < 0.5
        if board.is_valid():
            return board


def random_en_passant(rng: random.Random, chess960: bool) -> chess.Board:
    """Pawns that may step past each other, with kings and sliders mostly on the ranks where that is dangerous."""
    while True:
        board = chess.Board(None, chess960=chess960)
        board.turn = rng.random() < 0.5
        home, meeting = (1, 3) if board.turn else (6, 4)
        file = rng.randrange(8)
        board.set_piece_at(chess.square(file, home), chess.Piece(chess.PAWN, board.turn))
        for neighbour in {max(0, file - 1), min(7, file + 1)} - {file}:
            board.set_piece_at(chess.square(neighbour, meeting), chess.Piece(chess.PAWN, not board.turn))
        for symbol in "KkBRQbrq"[: rng.randint(3, 8)]:
            square = chess.square(rng.randrange(8), meeting if rng.random() < 0.3 else rng.randrange(8))
            if board.piece_at(square) is None:
                board.set_piece_at(square, chess.Piece.from_symbol(symbol))
        if board.is_valid():
            return board


def choose(rng: random.Random, board: chess.Board, moves: list[chess.Move], style: str) -> chess.Move:
    """A random move, more often than not one of the kind the style likes."""
    liked: list[chess.Move] = []
    if rng.random() < 0.7:
        if style == "captures":
            liked = [move for move in moves if board.occupied >> move.to_square & 1]
        elif style == "pawns":
            liked = [move for move in moves if board.is_en_passant(move)]
            liked = liked or [move for move in moves if invites_en_passant(board, move)]
            liked = liked or [move for move in moves if board.pawns >> move.from_square & 1]
        elif style == "castle":
            liked = [move for move in moves if board.is_castling(move)]
            liked = liked or [move for move in moves if not (board.kings | board.rooks) >> move.from_square & 1]
        elif style == "shuffle" and len(board.move_stack) > 1:
            last = board.move_stack[-2]
            way_back = (last.to_square, last.from_square)
            liked = [move for move in moves if (move.from_square, move.to_square) == way_back]
            liked = liked or [move for move in moves if not board.is_zeroing(move)]
    return rng.choice(liked or moves)


def invites_en_passant(board: chess.Board, move: chess.Move) -> bool:
    """Whether a pawn steps two squares to stand beside an enemy pawn."""
    if not board.pawns >> move.from_square & 1 or abs(move.from_square - move.to_square) != 16:
        return False
    passed = (move.from_square + move.to_square) // 2
    return bool(chess.BB_PAWN_ATTACKS[board.turn][passed] & board.pawns & board.occupied_co[not board.turn])


def encode(board: chess.Board, move: chess.Move) -> int:
    """The 16 bits of a move: from, to, promotion piece - knight, kind; castling is king takes own rook."""
    target = move.to_square
    if board.is_castling(move):
        if not board.chess960:
            target = target + 1 if board.is_kingside_castling(move) else target - 2
        return move.from_square | target << 6 | 3 << 14
    if board.is_en_passant(move):
        return move.from_square | target << 6 | 2 << 14
    if move.promotion:
        return move.from_square | target << 6 | (move.promotion - chess.KNIGHT) << 12 | 1 << 14
    return move.from_square | target << 6


class Game:
    """One game on two boards."""

    def __init__(self, board: chess.Board, met: Counter[str]) -> None:
        self.board = board
        self.position = Position(board.fen(), chess960=board.chess960)
        self.met = met
        self.seen: Counter[object] = Counter()  # python-chess's names of the positions so far
        self.names: dict[object, int] = {}  # to our keys
        self.snapshots: list[bytes] = []

    def compare(self) -> list[chess.Move]:
        """Fail unless both boards agree on everything; return the legal moves."""
        board, position, met = self.board, self.position, self.met
        met["positions"] += 1
        moves = list(board.legal_moves)
        check = board.is_check()
        fen = board.fen(en_passant="legal")
        assert position.fen() == fen, position.fen()
        assert sorted(position.legal_moves()) == sorted(move.uci() for move in moves)
        assert position.is_check() == check
        assert position.is_checkmate() == (check and not moves)
        assert position.is_stalemate() == (not check and not moves)
        assert position.is_insufficient_material() == board.is_insufficient_material()
        assert position.is_fifty_moves() == board.is_fifty_moves()
        assert position.keys() == position.keys(recompute=True)
        assert position.piece_count() == chess.popcount(board.occupied)
        assert (position.turn, position.ply, position.halfmove_clock) == (board.turn, board.ply(), board.halfmove_clock)

        name = board._transposition_key()
        self.seen[name] += 1
        times = self.seen[name]
        assert self.names.setdefault(name, position.key) == position.key
        for count in (2, 3, 5):
            assert position.is_repetition(count) == (times >= count)
        if times > 1 or met["positions"] % 64 == 0:
            assert board.is_repetition(3) == (times >= 3)

        met["check"] += check
        met["checkmate"] += check and not moves
        met["stalemate"] += not check and not moves
        met["dead"] += position.is_insufficient_material()
        met["fifty"] += position.is_fifty_moves()
        met["repetition"] += times > 1
        met["threefold"] += times == 3
        met["en passant"] += fen.split()[3] != "-"
        met["en passant forbidden"] += fen.split()[3] == "-" and board.has_pseudo_legal_en_passant()
        met["promotion"] += any(move.promotion for move in moves)
        for move in moves:
            if board.kings >> move.from_square & 1 and board.is_castling(move):
                met["castling"] += 1
                self.compare_castling(move)
        if met["positions"] % ALL_MOVES_EVERY == 0:
            self.compare_moves(moves)
        if met["positions"] % ALL_CODES_EVERY == 0:
            self.compare_codes(moves)
        return moves

    def compare_castling(self, move: chess.Move) -> None:
        """Both ways of writing it are understood, unless a plain king move has the name."""
        king = chess.square_name(move.from_square)
        target = "g" if self.board.is_kingside_castling(move) else "c"
        rook = chess.square_name(encode(self.board, move) >> 6 & 63)
        fens = set()
        for text in (king + rook, king + target + king[1]):
            if text != move.uci() and text in self.position.legal_moves():
                continue
            self.position.push(text)
            fens.add(self.position.fen())
            self.position.pop()
        self.board.push(move)
        assert fens == {self.board.fen(en_passant="legal")}
        self.board.pop()

    def compare_moves(self, moves: list[chess.Move]) -> None:
        """Every legal move: does it give check, are the keys kept right, does undoing restore every byte."""
        position = self.position
        before = position.snapshot()
        for move in moves:
            text = move.uci()
            check = self.board.gives_check(move)
            assert position.is_legal(text)
            assert position.gives_check_to(text) == check, text
            position.push(text)
            assert position.is_check() == check, text
            assert position.keys() == position.keys(recompute=True), text
            position.pop()
            assert position.snapshot() == before, text

    def compare_codes(self, moves: list[chess.Move]) -> None:
        """Of all 16-bit numbers exactly the legal moves are accepted."""
        accepts = self.position.accepts
        assert [code for code in range(1 << 16) if accepts(code)] == sorted(encode(self.board, move) for move in moves)

    def play(self, rng: random.Random, style: str, plies: int) -> None:
        for _ in range(plies):
            moves = self.compare()
            if not moves or (self.position.is_insufficient_material() and rng.random() < 0.3):
                break
            self.snapshots.append(self.position.snapshot())
            move = choose(rng, self.board, moves, style)
            self.board.push(move)
            self.position.push(move.uci())
        assert len(self.names) == len(set(self.names.values()))
        copy = self.position.copy()
        assert copy.snapshot() == self.position.snapshot()
        for snapshot in reversed(self.snapshots):
            self.position.pop()
            assert self.position.snapshot() == snapshot
        assert copy.fen() == self.board.fen(en_passant="legal")


def main(rules: str, seed: int, positions: int) -> None:
    rng = random.Random(f"{rules} {seed}")
    met: Counter[str] = Counter()
    for board, style, plies in beginnings(rng, rules == "chess960"):
        start = board.fen()
        game = Game(board, met)
        try:
            game.play(rng, style, min(plies, positions - met["positions"]))
        except (AssertionError, ValueError) as error:
            moves = " ".join(move.uci() for move in game.board.move_stack)
            raise AssertionError(f"in a {rules} game from {start}: {moves}") from error
        if met["positions"] >= positions:
            break
    sys.stdout.write(json.dumps(met) + "\n")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
