"""What the search has learned about moves. The tables live in each Worker; this file gives them their first values."""
import cython
from cython.cimports.barreleye.core import params
from cython.cimports.barreleye.core.history import (
    FROM_TO, LOW_PLIES, PAWN_HISTORY_SIZE, Histories, clear_histories, forget_low_plies,
)
from cython.cimports.barreleye.core.types import COLORS, PIECE_TYPES, PIECES, SQUARES
from cython.cimports.libc.stdint import int16_t
from cython.cimports.libc.string import memset


def clear_histories(histories: cython.pointer[Histories]) -> cython.void:
    """Forget everything. Tables start a little below zero, so that a move never seen is no better than average."""
    index: cython.Py_ssize_t
    table: cython.pointer[int16_t] = cython.cast(cython.pointer[int16_t], histories.butterfly)
    for index in range(4 * COLORS * FROM_TO):
        table[index] = params.MAIN_HISTORY_START
    forget_low_plies(histories)
    table = cython.cast(cython.pointer[int16_t], histories.capture)
    for index in range(PIECES * SQUARES * PIECE_TYPES):
        table[index] = params.CAPTURE_HISTORY_START
    table = cython.cast(cython.pointer[int16_t], histories.pawn)
    for index in range(PAWN_HISTORY_SIZE * PIECES * SQUARES):
        table[index] = params.PAWN_HISTORY_START
    table = cython.cast(cython.pointer[int16_t], histories.continuation)
    for index in range(4 * PIECES * SQUARES * PIECES * SQUARES):
        table[index] = params.CONTINUATION_HISTORY_START
    # What follows in the struct starts at zero; each byte is written once, because clearing is limited by memory.
    zeros: cython.p_char = cython.cast(cython.p_char, histories.pawn_correction)
    memset(zeros, 0, cython.cast(cython.p_char, histories + 1) - zeros)


def forget_low_plies(histories: cython.pointer[Histories]) -> cython.void:
    """A new root: what was learned near the old one no longer applies."""
    index: cython.int
    table: cython.pointer[int16_t] = cython.cast(cython.pointer[int16_t], histories.low_ply)
    for index in range(LOW_PLIES * FROM_TO):
        table[index] = params.LOW_PLY_HISTORY_START
