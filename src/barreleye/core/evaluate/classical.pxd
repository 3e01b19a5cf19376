"""The hand-written evaluation: what a position is worth in centipawns, from the side to move."""
from barreleye.core.evaluate.layout cimport Weights
from barreleye.core.evaluate.pawns cimport (
    EvalCache, PawnEntry, clear_eval_cache, free_eval_cache, new_eval_cache,
)
from barreleye.core.evaluate.score cimport Score
from barreleye.core.position cimport Position
from barreleye.core.types cimport Bitboard, COLORS, PIECE_TYPES, SQUARES, WHITE

cdef extern from *:
    """
    #define BE_CENTRE_FILES 0x3C3C3C3C3C3C3C3CULL
    #define BE_CENTRE 0x0000001818000000ULL
    """
    Bitboard CENTRE_FILES "BE_CENTRE_FILES"
    Bitboard CENTRE "BE_CENTRE"

cdef enum:
    VALUE_LIMIT = 19999       # no evaluation is larger
    FULL_PHASE = 24           # both sides have all their pieces
    SPACE_PHASE = 16          # space counts while so much is on the board
    DANGER_LIMIT = 3000       # king danger beyond this adds nothing
    DANGER_SQUARE = 4096      # midgame: danger squared over this
    DANGER_SHARE = 16         # endgame: danger over this

cdef enum:                    # terms kept by colour; material and squares are one running sum
    PAWNS
    PASSED
    ACTIVITY
    MOBILITY
    THREATS
    KING_SAFETY
    SPACE
    TERMS

cdef struct Evaluation:                        # one evaluation's work, on the stack
    Weights* w
    PawnEntry* pawns
    Bitboard attacked[COLORS][PIECE_TYPES]     # [0] by anything
    Bitboard twice[COLORS]                     # attacked by two or more
    Bitboard area[COLORS]                      # squares that count as mobility
    Bitboard ring[COLORS]                      # squares around the king
    int king[COLORS]
    int attackers[COLORS]                      # pieces of this colour that attack the enemy ring
    int danger[COLORS]                         # to this colour's king
    Score term[TERMS][COLORS]
    Score squares                              # material and piece-square, counted for white
    int phase
    int scale                                  # of the endgame value, in 64ths

cdef struct Sweep:                             # one colour's pieces while they are gone through
    int king
    Bitboard pinned
    Bitboard area
    Bitboard ring                              # the enemy king's
    Bitboard steps
    Bitboard all
    Bitboard twice
    Bitboard kind                              # attacked by the kind of piece at hand
    int attackers
    int hits                                   # attacks on squares next to the enemy king
    int danger

cdef Bitboard RING[SQUARES]
cdef Bitboard FLANK[8]                         # files near a king on this file

cdef int evaluate_classical(Position pos, EvalCache* cache) noexcept nogil
cdef int evaluate_fast(Position pos) noexcept nogil
cdef int game_phase(Position pos) noexcept nogil
cdef void study(Position pos, Evaluation* e) noexcept nogil
cdef Score linear_score(Position pos, Evaluation* e) noexcept nogil
cdef Score danger_score(int danger) noexcept nogil
cdef int taper(Position pos, Evaluation* e) noexcept nogil
cdef void prepare(Position pos, Evaluation* e, int us) noexcept nogil
cdef void study_pieces(Position pos, Evaluation* e, int us) noexcept nogil
cdef void begin_sweep(Position pos, Evaluation* e, int us, Sweep* s) noexcept nogil
cdef int enter_piece(Sweep* s, int sq, Bitboard reach, int unit) noexcept nogil
cdef Bitboard end_kind(Sweep* s) noexcept nogil
cdef Score places(Position pos, Evaluation* e, int us) noexcept nogil
cdef void study_king(Position pos, Evaluation* e, int us) noexcept nogil
cdef int check_danger(Position pos, Evaluation* e, int us, Bitboard weak) noexcept nogil
cdef Score threats(Position pos, Evaluation* e, int us) noexcept nogil
cdef Score sum_by_kind(Position pos, Bitboard men, Score* worth) noexcept nogil
cdef Score passed_pawns(Position pos, Evaluation* e, int us) noexcept nogil
cdef Score space(Position pos, Evaluation* e, int us) noexcept nogil
cdef void fill_rings() noexcept nogil


# Ranks as a colour sees them: 1 to 5, where its king is attacked; 4 to 6, where outposts are; 2 to 4, its space.
cdef inline Bitboard camp(int color) noexcept nogil:
    return ~<Bitboard>0 >> 24 if color == WHITE else ~<Bitboard>0 << 24

cdef inline Bitboard outpost_ranks(int color) noexcept nogil:
    return <Bitboard>0xFFFFFF << 24 if color == WHITE else <Bitboard>0xFFFFFF << 16

cdef inline Bitboard space_ranks(int color) noexcept nogil:
    return <Bitboard>0xFFFFFF << 8 if color == WHITE else <Bitboard>0xFFFFFF << 32

# Every file with a square of the set.
cdef inline Bitboard file_fill(Bitboard b) noexcept nogil:
    b |= b >> 32
    b |= b >> 16
    return ((b | b >> 8) & 0xFF) * 0x0101010101010101ULL

# On the corner's side of a king that has not moved to the other wing.
cdef inline bint is_shut_in(int rook, int king) noexcept nogil:
    return (king & 4) == 0 and (rook & 7) < (king & 7) or (king & 4) != 0 and (rook & 7) > (king & 7)
