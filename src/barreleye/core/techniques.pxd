"""Every named technique of the search: its number, its switch, its counters."""
from libc.stdint cimport uint64_t

cdef enum Technique:
    ASPIRATION
    MATE_DISTANCE
    TT_CUTOFF
    TABLEBASES
    TT_EVAL
    CORRECTION_HISTORY
    UPCOMING_REPETITION
    DRAW_RANDOMISATION
    NNUE
    POSITIONAL_TERMS
    RULE50_DAMPING
    HINDSIGHT
    RAZORING
    FUTILITY
    NULL_MOVE
    NULL_VERIFICATION
    INTERNAL_REDUCTION
    PROBCUT
    SMALL_PROBCUT
    LATE_MOVE_PRUNING
    CAPTURE_FUTILITY
    CAPTURE_SEE
    HISTORY_PRUNING
    QUIET_FUTILITY
    QUIET_SEE
    SINGULAR_EXTENSION
    DOUBLE_EXTENSION
    MULTI_CUT
    NEGATIVE_EXTENSION
    CHECK_EXTENSION
    LATE_MOVE_REDUCTION
    DEEPER_RESEARCH
    FULL_DEPTH_REDUCTION
    ALPHA_REDUCTION
    FAIL_HIGH_BLEND
    QUIESCENCE_CHECKS
    QUIESCENCE_MOVE_COUNT
    QUIESCENCE_FUTILITY
    QUIESCENCE_SEE
    QUIESCENCE_HISTORY
    MAIN_HISTORY
    CAPTURE_HISTORY
    CONTINUATION_HISTORY
    PAWN_HISTORY
    LOW_PLY_HISTORY
    TT_MOVE_HISTORY
    PRIOR_MOVE_BONUS
    EVAL_HISTORY
    KILLERS
    COUNTER_MOVES
    THREAT_ORDERING
    CHECK_ORDERING
    PREFETCH
    TECHNIQUE_COUNT

cdef struct Counters:                       # what a worker's search did
    uint64_t tried[TECHNIQUE_COUNT]
    uint64_t succeeded[TECHNIQUE_COUNT]
    uint64_t researched[TECHNIQUE_COUNT]
    uint64_t tt_probes
    uint64_t tt_hits
    uint64_t main_nodes
    uint64_t quiescence_nodes
    uint64_t beta_cutoffs
    uint64_t first_move_cutoffs
    uint64_t evaluations
