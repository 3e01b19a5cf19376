"""What is known about endgames without searching: exact king and pawn against king, mating drives, drawish material."""
from barreleye.core.position cimport Position
from barreleye.core.types cimport Bitboard, SQUARES

cdef enum:
    NORMAL_SCALE = 64
    UNKNOWN = 30000           # no evaluation: nothing is known about this ending
    KNOWN_WIN = 5000          # more than any evaluation of an open game
    PAWN_PLACES = 24          # files a to d, ranks 2 to 7

# [place of the pawn][black king]: the white king's squares from which white, who has the pawn, wins
cdef Bitboard KPK_WHITE[PAWN_PLACES][SQUARES]     # white to move
cdef Bitboard KPK_BLACK[PAWN_PLACES][SQUARES]     # black to move

cdef int lone_king_value(Position pos) noexcept nogil
cdef int mating_drive(Position pos, int strong) noexcept nogil
cdef bint can_mate(Position pos, int strong) noexcept nogil
cdef int kpk_value(Position pos, int strong) noexcept nogil
cdef int endgame_scale(Position pos, int strong) noexcept nogil
cdef bint is_wrong_corner(Position pos, int strong) noexcept nogil
cdef int opposite_bishops_scale(Position pos, int strong) noexcept nogil
cdef int piece_points(Position pos, int color) noexcept nogil
cdef bint kpk_wins(int white_king, int pawn, int black_king, bint white_to_move) noexcept nogil
cdef Bitboard kpk_white_wins(int pawn, int black_king) noexcept nogil
cdef Bitboard kpk_black_loses(int pawn, int black_king) noexcept nogil
cdef void fill_kpk() noexcept nogil


cdef inline int pawn_place(int sq) noexcept nogil:
    return (sq & 3) + 4 * ((sq >> 3) - 1)

cdef inline int edge_distance(int line) noexcept nogil:
    return line if line < 4 else 7 - line
