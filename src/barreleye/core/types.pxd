"""The words of the core: squares, pieces, colours, castling rights and their arithmetic. Everything here is inline."""
from libc.stdint cimport uint8_t, uint16_t, uint64_t

ctypedef uint64_t Bitboard
ctypedef uint64_t Key
ctypedef uint16_t Move

cdef enum:
    WHITE = 0
    BLACK = 1
    COLORS = 2

# A square is file + 8 * rank: a1 = 0, h1 = 7, a8 = 56, h8 = 63.
cdef enum:
    SQUARE_A1 = 0
    SQUARE_C1 = 2
    SQUARE_D1 = 3
    SQUARE_F1 = 5
    SQUARE_G1 = 6
    SQUARE_H8 = 63
    SQUARES = 64
    NO_SQUARE = 64
    NORTH = 8

cdef enum:
    NO_PIECE_TYPE = 0
    PAWN = 1
    KNIGHT = 2
    BISHOP = 3
    ROOK = 4
    QUEEN = 5
    KING = 6
    PIECE_TYPES = 8

# A piece is its type + 8 * its colour, so that both are one mask away.
cdef enum:
    NO_PIECE = 0
    PIECES = 16

# Castling rights are four bits; right number 2 * colour + side has bit 1 << number.
cdef enum:
    KING_SIDE = 0
    QUEEN_SIDE = 1
    CASTLINGS = 4
    ALL_CASTLING = 15

cdef enum:
    MAX_MOVES = 512          # fifteen queens and a king cannot make more
    MAX_PLY = 246


cdef inline int make_piece(int color, int kind) noexcept nogil:
    return color << 3 | kind

cdef inline int type_of(int piece) noexcept nogil:
    return piece & 7

cdef inline int color_of(int piece) noexcept nogil:
    return piece >> 3

cdef inline int file_of(int sq) noexcept nogil:
    return sq & 7

cdef inline int rank_of(int sq) noexcept nogil:
    return sq >> 3

cdef inline int make_square(int file, int rank) noexcept nogil:
    return rank << 3 | file

cdef inline int relative_rank(int color, int sq) noexcept nogil:
    return (sq >> 3) ^ (7 * color)

cdef inline int relative_square(int color, int sq) noexcept nogil:
    return sq ^ (56 * color)

cdef inline int pawn_push(int color) noexcept nogil:
    return NORTH - 2 * NORTH * color

cdef inline int castling_number(int color, int side) noexcept nogil:
    return 2 * color + side
