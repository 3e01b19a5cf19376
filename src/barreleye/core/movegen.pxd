"""Move generation: every function writes strictly legal moves and returns the new end of the list."""
from barreleye.core.attacks cimport KNIGHT_ATTACKS, LINE, slider_attacks
from barreleye.core.bitboard cimport bit, pop_lsb
from barreleye.core.move cimport make_move
from barreleye.core.position cimport king_square, occupied, pieces, Position
from barreleye.core.types cimport Bitboard, KNIGHT, Move

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


# The moves of our knights, bishops, rooks or queens to some squares. A pinned knight finds none on its line.
cdef inline Move* moves_of(Position pos, Move* moves, int kind, Bitboard targets) noexcept nogil:
    cdef int origin, king = king_square(pos, pos.side)
    cdef Bitboard reached, movers = pieces(pos, pos.side, kind)
    while movers:
        origin = pop_lsb(&movers)
        reached = targets & (KNIGHT_ATTACKS[origin] if kind == KNIGHT else slider_attacks(kind, origin, occupied(pos)))
        if pos.st.blockers[pos.side] & bit(origin):
            reached &= LINE[king][origin]
        while reached:
            moves[0] = make_move(origin, pop_lsb(&reached))
            moves += 1
    return moves
