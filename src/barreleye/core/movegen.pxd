"""Move generation: every function writes strictly legal moves and returns the new end of the list."""
from barreleye.core.bitboard cimport pop_lsb
from barreleye.core.move cimport make_move
from barreleye.core.position cimport Position
from barreleye.core.types cimport Bitboard, Move

cdef Move* generate_captures(Position pos, Move* moves) noexcept nogil
cdef Move* generate_quiets(Position pos, Move* moves) noexcept nogil
cdef Move* generate_evasions(Position pos, Move* moves) noexcept nogil
cdef Move* generate_quiet_checks(Position pos, Move* moves) noexcept nogil
cdef Move* generate_legal(Position pos, Move* moves) noexcept nogil
cdef int count_legal(Position pos) noexcept nogil

cdef Move* piece_moves(Position pos, Move* moves, Bitboard targets) noexcept nogil
cdef Move* king_moves(Position pos, Move* moves, Bitboard targets) noexcept nogil
cdef Move* castling_moves(Position pos, Move* moves) noexcept nogil
cdef Move* pawn_tacticals(Position pos, Move* moves, Bitboard targets) noexcept nogil
cdef Move* pawn_quiets(Position pos, Move* moves, Bitboard targets) noexcept nogil
cdef Move* en_passant_moves(Position pos, Move* moves) noexcept nogil
cdef int count_pawns(Position pos, Bitboard targets) noexcept nogil
cdef int count_pieces(Position pos, Bitboard targets) noexcept nogil


# The moves of one piece to some squares.
cdef inline Move* write_moves(Move* moves, int origin, Bitboard reached) noexcept nogil:
    while reached:
        moves[0] = make_move(origin, pop_lsb(&reached))
        moves += 1
    return moves
