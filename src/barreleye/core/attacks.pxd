"""Where pieces attack: tables for steppers, one lookup for sliders, lines and segments between squares."""
from barreleye.core.types cimport Bitboard, COLORS, SQUARES, BISHOP, ROOK, QUEEN
from barreleye.core.bitboard cimport HAS_PEXT, pext

cdef enum:
    BISHOP_ENTRIES = 5248         # sum over squares of 2 ** relevant blockers
    ROOK_ENTRIES = 102400

cdef struct Magic:                # one square's window into the slider table
    Bitboard* attacks
    Bitboard mask                 # squares whose occupancy matters
    Bitboard factor
    int shift

cdef Bitboard PAWN_ATTACKS[COLORS][SQUARES]
cdef Bitboard KNIGHT_ATTACKS[SQUARES]
cdef Bitboard KING_ATTACKS[SQUARES]
cdef Bitboard BETWEEN[SQUARES][SQUARES]   # squares strictly between, plus the second one
cdef Bitboard LINE[SQUARES][SQUARES]      # the whole line through both, empty if there is none
cdef Magic BISHOP_MAGICS[SQUARES]
cdef Magic ROOK_MAGICS[SQUARES]
cdef Bitboard BISHOP_TABLE[BISHOP_ENTRIES]
cdef Bitboard ROOK_TABLE[ROOK_ENTRIES]

cdef Bitboard step(int sq, int files, int ranks) noexcept nogil
cdef Bitboard slide(int sq, Bitboard occupied, bint diagonal) noexcept nogil
cdef void fill_steppers() noexcept nogil
cdef void fill_magics(Magic* magics, Bitboard* table, bint diagonal) noexcept nogil
cdef void fill_lines() noexcept nogil


cdef inline Bitboard magic_attacks(Magic* magic, Bitboard occupied) noexcept nogil:
    if HAS_PEXT:
        return magic.attacks[pext(occupied, magic.mask)]
    return magic.attacks[((occupied & magic.mask) * magic.factor) >> magic.shift]

cdef inline Bitboard bishop_attacks(int sq, Bitboard occupied) noexcept nogil:
    return magic_attacks(&BISHOP_MAGICS[sq], occupied)

cdef inline Bitboard rook_attacks(int sq, Bitboard occupied) noexcept nogil:
    return magic_attacks(&ROOK_MAGICS[sq], occupied)

cdef inline Bitboard queen_attacks(int sq, Bitboard occupied) noexcept nogil:
    return bishop_attacks(sq, occupied) | rook_attacks(sq, occupied)

cdef inline Bitboard slider_attacks(int kind, int sq, Bitboard occupied) noexcept nogil:
    return (bishop_attacks(sq, occupied) if kind == BISHOP else
            rook_attacks(sq, occupied) if kind == ROOK else queen_attacks(sq, occupied))

cdef inline bint aligned(int a, int b, int c) noexcept nogil:
    return (LINE[a][b] >> c & 1) != 0
