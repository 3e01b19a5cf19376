"""Static exchange evaluation: who wins what if both sides keep capturing on one square."""
from barreleye.core.position cimport Position
from barreleye.core.types cimport Bitboard, Move, PIECE_TYPES

cdef int SEE_VALUES[PIECE_TYPES]

cdef bint see_ge(Position pos, Move move, int threshold) noexcept nogil
cdef bint leaves_king_open(Position pos, int side, int sq, int target, Bitboard occupied) noexcept nogil
