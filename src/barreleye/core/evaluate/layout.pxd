"""Every weight of the hand-written evaluation by name, in the order of weights.py, which holds their values."""
from barreleye.core.evaluate.score cimport Score
from barreleye.core.types cimport PIECES, SQUARES

cdef enum:
    HALF = 32             # squares of files a to d; the other half of the board is their mirror image
    RANKS = 8
    MEN = 5               # pawn, knight, bishop, rook, queen: index piece type - 1

cdef struct Weights:
    # material and squares
    Score material[MEN]
    Score pawn_squares[HALF]
    Score knight_squares[HALF]
    Score bishop_squares[HALF]
    Score rook_squares[HALF]
    Score queen_squares[HALF]
    Score king_squares[HALF]
    Score bishop_pair
    Score knight_pawns
    Score rook_pawns
    Score tempo
    # mobility, by safe squares in reach
    Score knight_mobility[9]
    Score bishop_mobility[14]
    Score rook_mobility[15]
    Score queen_mobility[28]
    # pawn structure
    Score isolated[2]
    Score backward[2]
    Score doubled
    Score phalanx[RANKS]
    Score supported[RANKS]
    # passed pawns, by rank
    Score passed[RANKS]
    Score passed_blocked[RANKS]
    Score passed_safe_stop[RANKS]
    Score passed_safe_path[RANKS]
    Score passed_our_king
    Score passed_their_king
    Score passed_rook_behind
    # pieces
    Score outpost[2]
    Score outpost_reach
    Score behind_pawn
    Score bishop_pawns
    Score bishop_blocked
    Score long_diagonal
    Score knight_steps
    Score bishop_steps
    Score rook_file[2]
    Score rook_seventh
    Score rook_trapped
    Score castling[2]
    # threats
    Score pawn_threat[MEN]
    Score minor_threat[MEN]
    Score rook_threat[MEN]
    Score king_threat
    Score hanging
    Score push_threat
    Score queen_knight
    Score queen_slider
    Score restricted
    Score space
    # king shelter
    Score shelter[4][RANKS]
    Score storm[4][RANKS]
    Score storm_blocked[RANKS]
    Score king_file[2]
    # king danger: plain units, squared later
    int danger_attacker[MEN]
    int danger_ring
    int danger_weak
    int danger_check[MEN]
    int danger_unsafe_check
    int danger_pinned
    int danger_queenless
    int danger_no_knight
    int danger_flank
    int danger_flank_defence
    int danger_open
    int danger_base
    # made from the above: material and square of each piece, counted for white
    Score psq[PIECES][SQUARES]

cdef Weights WEIGHTS


cdef void fill_squares(Weights* weights) noexcept nogil

cdef inline int half_square(int sq) noexcept nogil:
    return sq >> 3 << 2 | ((sq & 7) if sq & 4 == 0 else 7 - (sq & 7))
