"""The hand-written evaluation: symmetric, the same with and without memory, right about endings that are known."""

import operator
import random
import re
from pathlib import Path
from typing import Any

import chess
import chess.syzygy
import pytest

import barreleye
from barreleye import Position
from barreleye.core.evaluate.classical import breakdown, evaluate, evaluate_many, quick_value
from barreleye.core.evaluate.endgame import kpk_is_won
from barreleye.core.evaluate.trace import parts, trace
from barreleye.core.evaluate.weights import WEIGHTS

EVALUATE = Path(barreleye.__file__).parent / "core" / "evaluate"


def random_boards(count: int, seed: int) -> list[chess.Board]:
    """Positions of random games, from openings to bare endings, none of them in check."""
    rng = random.Random(seed)
    boards: list[chess.Board] = []
    while len(boards) < count:
        board = chess.Board()
        for _ in range(rng.randrange(4, 200)):
            moves = list(board.legal_moves)
            captures = [move for move in moves if board.is_capture(move)]
            if not moves:
                break
            board.push(rng.choice(captures if captures and rng.random() < 0.3 else moves))
        if not board.is_check() and any(board.legal_moves):
            boards.append(board)
    return boards


@pytest.fixture(scope="module", params=[200, pytest.param(2000, marks=pytest.mark.slow)])
def boards(request: pytest.FixtureRequest, debug_build: bool) -> list[chess.Board]:
    return random_boards(request.param // (2 if debug_build else 1), seed=request.param)


def test_colours_are_treated_alike(boards: list[chess.Board]):
    for board in boards:
        position, mirror = Position(board.fen()), Position(board.mirror().fen())
        assert evaluate(position) == evaluate(mirror), board.fen()
        assert quick_value(position) == quick_value(mirror), board.fen()


def test_sides_of_the_board_are_treated_alike(boards: list[chess.Board]):
    for board in boards:
        if board.castling_rights == 0:
            flipped = board.transform(chess.flip_horizontal)
            assert evaluate(Position(board.fen())) == evaluate(Position(flipped.fen())), board.fen()


def test_remembered_pawns_change_nothing(boards: list[chess.Board]):
    positions = [Position(board.fen()) for board in boards]
    assert evaluate_many(positions * 2) == [evaluate(position) for position in positions] * 2


def test_shelter_follows_the_king_while_the_pawns_stay():
    fens = ["4k3/8/8/8/8/8/5PPP/6K1 w - - 0 1", "4k3/8/8/8/8/8/5PPP/2K5 w - - 0 1", "1k6/8/8/8/8/8/5PPP/6K1 w - - 0 1"]
    positions = [Position(fen) for fen in fens]
    assert evaluate_many(positions) == [evaluate(position) for position in positions]


def test_a_queen_ahead_is_better_whoever_moves(boards: list[chess.Board]):
    for board in boards:
        queens = {color: len(board.pieces(chess.QUEEN, color)) for color in chess.COLORS}
        material = {c: sum(len(board.pieces(k, c)) * v for k, v in enumerate((1, 3, 3, 5, 0), 1)) for c in chess.COLORS}
        if queens[board.turn] > queens[not board.turn] and material[board.turn] >= material[not board.turn]:
            assert evaluate(Position(board.fen())) > 0, board.fen()


def test_values_stay_below_the_range_of_tablebase_wins(boards: list[chess.Board]):
    crowds = ["QQQQQQQQ/QQQQQQQ1/8/8/8/8/8/K4bbk b - - 0 1", "1qqqqqqq/1qqqqqqq/8/8/8/8/PP6/KN5k w - - 0 1"]
    for fen in [*crowds, *(board.fen() for board in boards)]:
        assert abs(evaluate(Position(fen))) < 20000, fen


@pytest.mark.parametrize("missing", ["p", "n", "b", "r", "q"])
def test_material_ahead_is_better(missing: str):
    placement = chess.STARTING_BOARD_FEN.replace(missing, "1", 1)
    ahead = evaluate(Position(f"{placement} w - - 0 1"))
    behind = evaluate(Position(f"{placement} b - - 0 1"))
    assert ahead > 0 > behind
    assert quick_value(Position(f"{placement} w - - 0 1")) > 0


@pytest.mark.parametrize(
    "fen",
    [
        "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
        "4k3/8/8/3N4/8/8/8/4K3 w - - 0 1",
        "4k3/8/8/3N4/3N4/8/8/4K3 w - - 0 1",
        "k7/8/P7/1K6/8/8/8/8 w - - 0 1",
        "4k3/4P3/4K3/8/8/8/8/8 b - - 0 1",
        "k7/8/P7/K7/8/8/8/2B5 w - - 0 1",
        "1k6/8/P7/K7/P7/8/8/2B5 w - - 0 1",
        "3k4/8/8/3b4/8/4R3/8/4K3 w - - 0 1",
        "3k4/8/8/4n3/8/4R3/8/4K3 b - - 0 1",
    ],
)
def test_known_draws_are_near_zero(fen: str):
    assert abs(evaluate(Position(fen))) <= 60


@pytest.mark.parametrize("pieces", ["Q", "R", "BB", "BN", "QR", "RP", "QPP"])
def test_lone_king_is_lost_and_worse_at_the_edge(pieces: str):
    middle, edge = chess.Board(None), chess.Board(None)
    for board, king in ((middle, chess.D5), (edge, chess.D8)):
        board.set_piece_at(king, chess.Piece.from_symbol("k"))
        board.set_piece_at(chess.E3, chess.Piece.from_symbol("K"))
        for square, piece in zip((chess.B2, chess.C2, chess.G2), pieces, strict=False):
            board.set_piece_at(square, chess.Piece.from_symbol(piece))
    assert 2000 < evaluate(Position(middle.fen())) < 20000
    if pieces != "BN":
        distance_bonus = 60
        assert evaluate(Position(edge.fen())) > evaluate(Position(middle.fen())) - distance_bonus


def test_bishop_and_knight_drive_to_the_bishops_corner():
    fen = "{}/8/8/3K4/8/4N3/3B4/8 w - - 0 1"  # a bishop on dark squares
    right, wrong = evaluate(Position(fen.format("7k"))), evaluate(Position(fen.format("k7")))
    assert right > wrong + 200


def test_king_and_pawn_against_king_agrees_with_the_tablebase(data_dir: Path):
    rng = random.Random(3)
    decided = {True: 0, False: 0}
    with chess.syzygy.open_tablebase(str(data_dir / "syzygy")) as tables:
        while min(decided.values()) < 2000:
            pawn = rng.randrange(8, 56)
            white, black = rng.sample([square for square in range(64) if square != pawn], 2)
            board = chess.Board(None)
            board.set_piece_map(
                {pawn: chess.Piece(1, True), white: chess.Piece(6, True), black: chess.Piece(6, False)}
            )
            board.turn = rng.random() < 0.5
            if not board.is_valid():
                continue
            won = tables.probe_wdl(board) == (2 if board.turn else -2)
            decided[won] += 1
            assert kpk_is_won(white, pawn, black, board.turn) == won, board.fen()


def test_breakdown_adds_up_to_the_total(boards: list[chess.Board]):
    for board in boards:
        position = Position(board.fen())
        table = breakdown(position)
        sign = 1 if board.turn else -1
        assert table["total"] == sign * evaluate(position)
        if table["known"]:
            continue
        terms = [term for term in table.values() if isinstance(term, tuple)]
        midgame = sum(white - black for white, _, black, _ in terms)
        endgame = sum(white - black for _, white, _, black in terms)
        scaled = int(endgame * table["scale"] / 64)
        assert table["total"] == int((midgame * table["phase"] + scaled * (24 - table["phase"])) / 24), board.fen()


def test_trace_times_weights_is_the_evaluation(boards: list[chess.Board]):
    linear, danger = parts()
    weights: list[Any] = [weight for group in WEIGHTS.values() for weight in group]
    for board in boards[:200]:
        position = Position(board.fen())
        row = trace(position)
        table = breakdown(position)
        if row is None:
            assert table["known"] or table["total"] == 0
            continue
        counts = list(memoryview(row).cast("h"))
        terms = [term for term in table.values() if isinstance(term, tuple)]
        kings = counts[linear : linear + danger], counts[linear + danger : linear + 2 * danger]
        dangers = [max(0, sum(map(operator.mul, king, weights[linear:]))) for king in kings]
        for half, worth in ((0, lambda units: units * units // 4096), (1, lambda units: units // 16)):
            traced = sum(count * weight[half] for count, weight in zip(counts, weights[:linear], strict=False))
            traced += worth(dangers[1]) - worth(dangers[0])
            assert traced == sum(term[half] - term[half + 2] for term in terms), board.fen()
        assert counts[linear + 2 * danger] == table["phase"]


def test_weights_stand_in_the_order_of_the_layout():
    header = (EVALUATE / "layout.pxd").read_text()
    sizes = {"HALF": 32, "RANKS": 8, "MEN": 5}
    struct = header.partition("cdef struct Weights:")[2].partition("Score psq")[0]
    fields = {}
    for name, dimensions in re.findall(r"^    (?:Score|int) (\w+)((?:\[\w+\])*)", struct, re.MULTILINE):
        size = 1
        for dimension in re.findall(r"\w+", dimensions):
            size *= sizes[dimension] if dimension in sizes else int(dimension)
        fields[name] = size
    assert list(fields.items()) == [(name, len(group)) for name, group in WEIGHTS.items()]
