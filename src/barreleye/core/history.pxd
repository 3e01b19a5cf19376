"""What the search has learned about moves: one table per question, one way to update them."""
from libc.stdint cimport int16_t
from barreleye.core.move cimport from_sq, from_to, to_sq
from barreleye.core.platform cimport prefetch
from barreleye.core.position cimport Position, State
from barreleye.core.types cimport Bitboard, COLORS, Key, MAX_PLY, Move, PIECE_TYPES, PIECES, SQUARES

cdef enum:
    FROM_TO = 4096
    PAWN_HISTORY_SIZE = 512        # power of two
    CORRECTION_SIZE = 16384        # power of two
    LOW_PLIES = 5
    # The limit of each table: what gravity pulls its entries towards
    MAIN_LIMIT = 7183
    LOW_PLY_LIMIT = 7183
    CAPTURE_LIMIT = 10692
    CONTINUATION_LIMIT = 30000
    PAWN_LIMIT = 8192
    CORRECTION_LIMIT = 1024
    TT_MOVE_LIMIT = 8192

ctypedef int16_t PieceTo[PIECES][SQUARES]          # [piece][to], the page a pair of moves is written on

cdef struct Histories:
    int16_t butterfly[COLORS][4 * FROM_TO]         # quiet moves: [us][main_index]
    int16_t low_ply[LOW_PLIES][FROM_TO]            # quiet moves near the root: [ply][from and to]
    int16_t capture[PIECES][SQUARES][PIECE_TYPES]  # [piece][to][captured type]
    PieceTo pawn[PAWN_HISTORY_SIZE]                # quiet moves in this pawn structure
    PieceTo continuation[2][2][PIECES][SQUARES]    # [in check][capture][earlier piece][its to] -> page
    int16_t pawn_correction[CORRECTION_SIZE][COLORS]              # how wrong the evaluation was, by pawns,
    int16_t minor_correction[CORRECTION_SIZE][COLORS]             # by minor pieces,
    int16_t non_pawn_correction[COLORS][CORRECTION_SIZE][COLORS]  # by one side's pieces,
    PieceTo continuation_correction[PIECES][SQUARES]              # by the last two moves
    Move counter_move[PIECES][SQUARES]             # the reply that refuted a move
    int16_t tt_move                                # how far the table's move can be trusted

cdef void clear_histories(Histories* histories) noexcept nogil
cdef void forget_low_plies(Histories* histories) noexcept nogil


# Move an entry towards the bonus; the pull weakens as it nears the limit, so it never overflows.
cdef inline void reward(int16_t* entry, int bonus, int limit) noexcept nogil:
    bonus = max(-limit, min(limit, bonus))
    entry[0] += bonus - entry[0] * abs(bonus) / limit

# From and to, and whether the enemy attacks either; threats are 0 where that is not told apart.
cdef inline int main_index(Bitboard threats, Move move) noexcept nogil:
    return (from_to(move) | <int>(threats >> from_sq(move) & 1) * FROM_TO
            | <int>(threats >> to_sq(move) & 1) * (2 * FROM_TO))

cdef inline int pawn_index(Position pos) noexcept nogil:
    return pos.st.pawn_key & (PAWN_HISTORY_SIZE - 1)

cdef inline int correction_index(Key key) noexcept nogil:
    return key & (CORRECTION_SIZE - 1)

# The correction entries of a position: asked for as soon as its keys are known, read when it is evaluated.
cdef inline void prefetch_corrections(Histories* histories, const State* st) noexcept nogil:
    prefetch(&histories.pawn_correction[correction_index(st.pawn_key)])
    prefetch(&histories.minor_correction[correction_index(st.minor_key)])
    prefetch(&histories.non_pawn_correction[0][correction_index(st.non_pawn_key[0])])
    prefetch(&histories.non_pawn_correction[1][correction_index(st.non_pawn_key[1])])
