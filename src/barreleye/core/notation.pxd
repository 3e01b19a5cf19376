"""Chess text: FEN and UCI move names. The only file of the core that reads or writes text."""
from barreleye.core.types cimport Bitboard, Move, SQUARES, uint8_t

cdef struct Fen:                      # the six fields, checked and normalised
    uint8_t board[SQUARES]
    int side
    Bitboard castling_rooks           # rooks that may still castle
    int ep_square
    int rule50
    int fullmove

cdef int parse_fen(object text, Fen* fen) except -1
cdef int parse_board(str field, Fen* fen) except -1
cdef int check_material(Fen* fen) except -1
cdef int parse_castling(str field, Fen* fen) except -1
cdef int parse_en_passant(str field, Fen* fen) except -1
cdef int outermost_rook(Fen* fen, int color, int king, int direction) noexcept nogil
cdef int king_of(Fen* fen, int color) noexcept nogil
cdef str square_name(int sq)
cdef str board_text(uint8_t* board)
cdef str castling_text(uint8_t* board, Bitboard rooks, bint shredder)
cdef int squares_of(str text)
cdef str move_text(Move move, bint chess960)
