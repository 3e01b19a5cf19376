"""Static exchange evaluation: who wins what if both sides keep capturing on one square."""
from barreleye.core cimport params
from barreleye.core.position cimport Position
from barreleye.core.tuning cimport TUNING
from barreleye.core.types cimport Bitboard, BISHOP, KNIGHT, Move, PAWN, PIECE_TYPES, QUEEN, ROOK

cdef int SEE_VALUES[PIECE_TYPES]

cdef bint see_ge(Position pos, Move move, int threshold) noexcept nogil
cdef bint leaves_king_open(Position pos, int side, int sq, int target, Bitboard occupied) noexcept nogil


# What a man of this type counts in an exchange. The table cannot tell engines apart, so a tuning build goes without.
cdef inline int see_value(int piece_type) noexcept nogil:
    if TUNING:
        return (params.SEE_PAWN if piece_type == PAWN else params.SEE_KNIGHT if piece_type == KNIGHT
                else params.SEE_BISHOP if piece_type == BISHOP else params.SEE_ROOK if piece_type == ROOK
                else params.SEE_QUEEN if piece_type == QUEEN else 0)
    return SEE_VALUES[piece_type]
