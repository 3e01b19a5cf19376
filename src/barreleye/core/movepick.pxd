"""The move picker: hands out a node's moves one at a time, best first, generating them only when they are due."""
from barreleye.core.types cimport MAX_MOVES, Move
from barreleye.core.history cimport PieceTo
from barreleye.core.position cimport Position
from barreleye.core.worker cimport Frame, Worker

cdef enum Stage:
    MAIN_TT
    CAPTURE_INIT
    GOOD_CAPTURE
    QUIET_INIT
    GOOD_QUIET
    BAD_CAPTURE
    BAD_QUIET
    EVASION_TT
    EVASION_INIT
    EVASION
    PROBCUT_TT
    PROBCUT_INIT
    PROBCUT_CAPTURE
    QS_TT
    QS_CAPTURE_INIT
    QS_CAPTURE
    QS_CHECK_INIT
    QS_CHECK
    PICKED_ALL

cdef struct ScoredMove:
    Move move
    int score

cdef struct Picker:
    int stage
    Move tt_move
    int depth
    int threshold                 # ProbCut: what the exchange must gain
    bint skip_quiets
    bint quiet_checks             # quiescence: try quiet checks after the captures
    Frame* ss
    PieceTo* pages[6]             # continuation pages of the last six plies
    ScoredMove* cur
    ScoredMove* end
    ScoredMove* end_bad_captures
    ScoredMove* begin_bad_quiets
    ScoredMove* end_bad_quiets
    ScoredMove moves[MAX_MOVES]

cdef void start_main(Picker* picker, Worker w, Frame* ss, Move tt_move, int depth) noexcept nogil
cdef void start_quiescence(Picker* picker, Worker w, Frame* ss, Move tt_move, bint quiet_checks) noexcept nogil
cdef void start_probcut(Picker* picker, Worker w, Frame* ss, Move tt_move, int threshold) noexcept nogil
cdef Move next_move(Picker* picker, Worker w) noexcept nogil

cdef void fill(Picker* picker, Worker w) noexcept nogil
cdef void copy_pages(Picker* picker, Frame* ss) noexcept nogil
cdef ScoredMove* take(Move* moves, Move* end, ScoredMove* out, Move skipped) noexcept nogil
cdef void score_captures(Picker* picker, Worker w) noexcept nogil
cdef void score_quiets(Picker* picker, Worker w, Position pos) noexcept nogil
cdef void score_evasions(Picker* picker, Worker w, Position pos) noexcept nogil
cdef void sort_from(ScoredMove* begin, ScoredMove* end, int limit) noexcept nogil
cdef Move pick_best(Picker* picker) noexcept nogil
