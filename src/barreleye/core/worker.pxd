"""One search thread: its board, stack, histories, counters and root moves."""
cimport cython
from libc.stdint cimport int64_t, uint64_t
from libc.string cimport memcpy
from barreleye.core cimport techniques
from barreleye.core.control cimport Control
from barreleye.core.evaluate.classical cimport EvalCache
from barreleye.core.evaluate.nnue cimport Accumulators, Network
from barreleye.core.harvest cimport Harvest
from barreleye.core.history cimport Histories, PieceTo
from barreleye.core.ledger cimport Ledger
from barreleye.core.platform cimport store_count
from barreleye.core.position cimport Position, need_threats
from barreleye.core.recorder cimport Recorder
from barreleye.core.syzygy.probe cimport Tablebase
from barreleye.core.techniques cimport Counters, Technique
from barreleye.core.tt cimport TranspositionTable, TTData
from barreleye.core.types cimport Bitboard, MAX_MOVES, MAX_PLY, Move
from barreleye.core.value cimport VALUE_INFINITE

cdef enum:
    STACK_BELOW = 7                   # frames before the root, so that ss - 7 always exists
    STACK_SIZE = MAX_PLY + 10 + STACK_BELOW
    REDUCTIONS = MAX_MOVES

cdef struct Frame:                    # what a node leaves for its neighbours on the stack
    Move pv[MAX_PLY + 2]              # the line below this node, ended by NO_MOVE
    PieceTo* continuation             # history page of the move played here
    PieceTo* continuation_correction
    int ply
    Move current_move
    Move hand                         # the move being looked at, before it is made
    Move excluded_move
    Move killers[2]
    int static_eval
    int stat_score
    int move_count
    int reduction
    int cutoffs
    bint in_check
    bint tt_hit
    bint tt_pv

cdef struct Node:                     # what the helpers of one node share
    bint is_pv
    bint is_cut                       # expected to fail high
    TTData tt                         # what the table knew of the position
    bint tt_capture                   # the table's move is one
    int unadjusted                    # static evaluation before its correction
    int correction                    # in parts of a centipawn
    bint improving                    # we stand better than two plies ago
    int best_value
    Move best_move
    Move move                         # in hand: being looked at or searched
    bint capture                      # it is one
    bint gives_check

cdef struct RootMove:
    Move move
    int score
    int previous_score
    int average_score
    int mean_squared_score
    int uci_score                     # what was last reported, with its bounds
    bint score_lowerbound
    bint score_upperbound
    int sel_depth
    int tb_rank
    int tb_score
    uint64_t effort                   # nodes spent on it
    int pv_length
    bint extended                     # the line has been lengthened by tablebase moves
    Move pv[MAX_PLY + 2]
    int previous_length
    Move previous_pv[MAX_PLY + 2]     # the line of previous_score, kept when there are several lines to report


@cython.final
cdef class Worker:
    cdef readonly int index
    cdef Control control
    cdef TranspositionTable tt
    cdef Position pos
    cdef Histories* histories
    cdef EvalCache* eval_cache
    cdef Accumulators accumulators    # of the network, None without one
    cdef bint has_network
    cdef Frame* stack
    cdef RootMove* root_moves         # storage; order[] says how they rank now
    cdef RootMove* order[MAX_MOVES]
    cdef int root_count
    cdef int reductions[REDUCTIONS]
    cdef Counters counters
    cdef int* params                  # of a tuning build, NULL for the defaults
    cdef Recorder* recorder           # writes down what the search does; NULL when nobody asked for it
    cdef object recording             # whose it is
    cdef Harvest* harvest             # takes samples of the positions evaluated; NULL when nobody asked for them
    cdef Ledger* ledger               # of the root moves; NULL where games are played without Python
    cdef uint64_t enabled             # technique switches, a bit each
    cdef uint64_t nodes               # read by other threads
    cdef uint64_t best_move_changes   # read by other threads
    cdef Tablebase tables
    cdef int tb_cardinality           # nodes with so many men or fewer ask the tables; 0 without any
    cdef int tb_probe_depth           # at the full number of men only from this depth on
    cdef bint tb_rule50               # the fifty-move rule holds
    cdef bint root_in_tables          # the root moves are ranked
    cdef int64_t tb_extend_us         # time that a report may spend on lengthening its line
    cdef uint64_t tb_hits             # read by other threads
    cdef int root_depth
    cdef int completed_depth
    cdef int line_depth               # depth at which the best line was found
    cdef uint64_t reported_nodes      # at the last report of lines
    cdef int root_delta
    cdef int sel_depth
    cdef int pv_index
    cdef int pv_first                 # root moves that rank alike in the tables are searched together
    cdef int pv_last
    cdef int null_min_ply
    cdef uint64_t check_at            # nodes at which the limits are looked at again

    cdef int set_network(self, Network network) except -1
    cdef int keep_ledger(self) except -1
    cdef void set_reductions(self) noexcept nogil
    cdef void clear(self) noexcept nogil
    cdef void prepare(self) noexcept nogil
    cdef void allow(self, Move move) noexcept nogil
    cdef int evaluate(self) noexcept nogil
    cdef int root_score(self) noexcept nogil
    cdef void sort_root_moves(self, int first, int last) noexcept nogil
    cdef void sort_lines(self) noexcept nogil
    cdef RootMove* find_root_move(self, Move move) noexcept nogil


cdef inline bint uses(Worker w, Technique technique) noexcept nogil:
    return w.enabled >> <int>technique & 1

# What main history tells apart by: the squares that the enemy of the side to move attacks, here or a ply before.
cdef inline Bitboard attacked(Worker w) noexcept nogil:
    if not uses(w, techniques.THREAT_HISTORY):
        return 0
    need_threats(w.pos)
    return w.pos.st.threats[0]

cdef inline Bitboard attacked_before(Worker w) noexcept nogil:
    return (w.pos.st - 1).threats[0] if uses(w, techniques.THREAT_HISTORY) and (w.pos.st - 1).knows_threats else 0

cdef inline int shown_score(RootMove* root_move) noexcept nogil:
    """What a report says of a line: this iteration's score, or the one before if it has not been searched yet."""
    return root_move.uci_score if root_move.score != -VALUE_INFINITE else root_move.previous_score

# A window that fails leaves a line that goes with its bound: where the score before is shown, so is the line before.
cdef inline void keep_line(RootMove* root_move) noexcept nogil:
    root_move.previous_length = root_move.pv_length
    memcpy(root_move.previous_pv, root_move.pv, root_move.pv_length * sizeof(Move))

cdef inline void take_back_line(RootMove* root_move) noexcept nogil:
    root_move.pv_length = root_move.previous_length
    memcpy(root_move.pv, root_move.previous_pv, root_move.pv_length * sizeof(Move))

cdef inline void count_node(Worker w) noexcept nogil:
    store_count(&w.nodes, w.nodes + 1)
