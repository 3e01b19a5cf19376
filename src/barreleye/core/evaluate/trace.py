"""Traces an evaluation for the tuner: how often each weight counts, with no line of tracing in the evaluation."""
import cython
from cython.cimports.barreleye.core.bitboard import more_than_one, pop_lsb
from cython.cimports.barreleye.core.evaluate.classical import Evaluation, linear_score, study
from cython.cimports.barreleye.core.evaluate.endgame import UNKNOWN, endgame_scale, lone_king_value
from cython.cimports.barreleye.core.evaluate.layout import HALF, MEN, WEIGHTS, Weights, half_square
from cython.cimports.barreleye.core.evaluate.pawns import PawnEntry, probe_pawns
from cython.cimports.barreleye.core.evaluate.score import Score, make_score, mg_value
from cython.cimports.barreleye.core.evaluate.trace import ROW_LIMIT, Layout, layout, trace_row, trace_squares
from cython.cimports.barreleye.core.position import Position, occupied
from cython.cimports.barreleye.core.types import (
    BLACK, KING, PAWN, WHITE, Bitboard, color_of, relative_square, type_of,
)
from cython.cimports.libc.stdint import int16_t
from cython.cimports.libc.string import memset


def layout() -> Layout:
    """Where the kinds of weights end in a row."""
    start: cython.pointer[Score] = WEIGHTS.material
    ends: Layout
    ends.squares_end = cython.cast(cython.int, cython.address(WEIGHTS.bishop_pair) - start)
    ends.linear_end = cython.cast(cython.int, cython.cast(cython.pointer[Score], WEIGHTS.danger_attacker) - start)
    ends.weights_end = cython.cast(cython.int, cython.cast(cython.pointer[Score], WEIGHTS.psq) - start)
    return ends


def trace_squares(pos: Position, row: cython.pointer[int16_t]) -> cython.void:
    """Count material and squares, white's minus black's."""
    men: Bitboard = occupied(pos)
    while men:
        sq: cython.int = pop_lsb(cython.address(men))
        color: cython.int = color_of(pos.board[sq])
        kind: cython.int = type_of(pos.board[sq])
        sign: cython.int = 1 if color == WHITE else -1
        if kind != KING:
            row[kind - PAWN] += sign
        row[MEN + HALF * (kind - PAWN) + half_square(relative_square(color, sq))] += sign


def trace_row(pos: Position, row: cython.pointer[int16_t]) -> cython.int:
    """Fill a row and return its length: every linear weight's count for white minus black, what each danger weight adds
    to the danger of white's king, then of black's, the phase, and the endgame scale should white or black be better."""
    weights: Weights = WEIGHTS
    flat: cython.pointer[Score] = weights.material
    ends: Layout = layout()
    e: Evaluation
    pawns: PawnEntry
    e.w = cython.address(weights)
    e.pawns = probe_pawns(pos, cython.NULL, cython.address(pawns), e.w)
    study(pos, cython.address(e))
    before: Score = linear_score(pos, cython.address(e))
    danger: cython.int[2]
    danger[WHITE] = e.danger[WHITE]
    danger[BLACK] = e.danger[BLACK]
    kinds: cython.int = ends.weights_end - ends.linear_end
    memset(row, 0, ROW_LIMIT * cython.sizeof(int16_t))
    trace_squares(pos, row)
    index: cython.int
    for index in range(ends.squares_end, ends.weights_end):
        kept: Score = flat[index]
        flat[index] += make_score(1, 1) if index < ends.linear_end else 1
        e.pawns = probe_pawns(pos, cython.NULL, cython.address(pawns), e.w)
        study(pos, cython.address(e))
        if index < ends.linear_end:
            row[index] = mg_value(linear_score(pos, cython.address(e)) - before)
        else:
            row[index] = e.danger[WHITE] - danger[WHITE]
            row[index + kinds] = e.danger[BLACK] - danger[BLACK]
        flat[index] = kept
    row[ends.weights_end + kinds] = e.phase
    row[ends.weights_end + kinds + 1] = endgame_scale(pos, WHITE)
    row[ends.weights_end + kinds + 2] = endgame_scale(pos, BLACK)
    return ends.weights_end + kinds + 3


def trace(position: Position) -> bytes | None:
    """A row of 16-bit counts for one position, or None when its ending is known and no weight decides it."""
    row: int16_t[ROW_LIMIT]
    if not more_than_one(position.by_color[WHITE]) or not more_than_one(position.by_color[BLACK]):
        if lone_king_value(position) != UNKNOWN:
            return None
    length: cython.int
    with cython.nogil:
        length = trace_row(position, row)
    return cython.cast(cython.p_char, row)[:length * cython.sizeof(int16_t)]


def parts() -> tuple:
    """How many weights are linear and how many are king danger; a row holds the second kind twice."""
    ends: Layout = layout()
    return ends.linear_end, ends.weights_end - ends.linear_end
