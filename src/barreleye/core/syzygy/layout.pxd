"""How Syzygy numbers the places of pieces: binomials and maps of squares, built at import."""
from libc.stdint cimport uint64_t
from barreleye.core.types cimport SQUARES

cdef enum:
    MAX_GROUP = 6                             # like men at most: five, and room
    TRIANGLE = 10                             # squares of a1-d1-d4

cdef uint64_t BINOMIAL[MAX_GROUP + 1][SQUARES]            # [k][n]: ways to choose k of n
cdef int BELOW_DIAGONAL[SQUARES]              # b1-h1-h7: 0 to 27
cdef int TRIANGLE_INDEX[SQUARES]              # a1-d1-d4: 0 to 9, the diagonal last
cdef int KINGS_INDEX[TRIANGLE][SQUARES]       # [first king in the triangle][second king]
cdef int PAWN_ORDER[SQUARES]                  # the leading pawn has the highest
cdef uint64_t LEAD_PAWN_INDEX[MAX_GROUP][SQUARES]         # [leading pawns][square of the first]
cdef uint64_t LEAD_PAWNS_SIZE[MAX_GROUP][4]               # [leading pawns][file]

cdef void fill_binomials() noexcept nogil
cdef void fill_squares() noexcept nogil
cdef void fill_kings() noexcept nogil
cdef void fill_pawns() noexcept nogil


# Positive above the diagonal a1-h8, negative below.
cdef inline int off_diagonal(int sq) noexcept nogil:
    return (sq >> 3) - (sq & 7)

cdef inline int mirror_diagonal(int sq) noexcept nogil:
    return (sq >> 3 | sq << 3) & 63
