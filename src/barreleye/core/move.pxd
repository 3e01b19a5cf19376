"""A move in 16 bits: from (6), to (6), promotion piece - KNIGHT (2), kind (2). Castling is king takes own rook."""
from barreleye.core.types cimport Move, KNIGHT

cdef enum:
    NO_MOVE = 0
    NULL_MOVE = 65           # b1b1: from = to, which no real move has

cdef enum:
    NORMAL = 0
    PROMOTION = 1 << 14
    EN_PASSANT = 2 << 14
    CASTLING = 3 << 14


cdef inline Move make_move(int origin, int target) noexcept nogil:
    return <Move>(origin | target << 6)

cdef inline Move make_special(int origin, int target, int kind) noexcept nogil:
    return <Move>(origin | target << 6 | kind)

cdef inline Move make_promotion(int origin, int target, int piece_type) noexcept nogil:
    return <Move>(origin | target << 6 | (piece_type - KNIGHT) << 12 | PROMOTION)

cdef inline int from_sq(Move move) noexcept nogil:
    return move & 63

cdef inline int to_sq(Move move) noexcept nogil:
    return move >> 6 & 63

cdef inline int from_to(Move move) noexcept nogil:
    return move & 4095

cdef inline int kind_of(Move move) noexcept nogil:
    return move & (3 << 14)

cdef inline int promotion_type(Move move) noexcept nogil:
    return (move >> 12 & 3) + KNIGHT

# Where the king goes that castles with the rook on its target square.
cdef inline int castled_king(Move move) noexcept nogil:
    return (move & 56) + (6 if to_sq(move) > from_sq(move) else 2)

cdef inline bint is_real(Move move) noexcept nogil:
    return from_sq(move) != to_sq(move)
