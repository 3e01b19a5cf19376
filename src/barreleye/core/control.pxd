"""When to stop: the flag every node looks at, the clock, the node limit."""
cimport cython
from libc.stdint cimport int64_t, uint64_t
from barreleye.core.platform cimport load_flag
from barreleye.core.types cimport MAX_MOVES, Move

cdef enum:
    MAX_THREADS = 1024
    CHECK_NODES = 128                 # between two looks at the clock,
    UNTIMED_NODES = 1048576           # or at the other limits where nobody watches one
    ARMING_NODES = 800                # that the first iteration may take to find a move, whatever the limits say,
    HURRIED_NODES = 128               # or so many where a clock runs or stop has come
    ARMING_STEP = 32                  # between two looks until then

cdef struct Limits:                   # what `go` asked for; zero means not given
    int64_t time_ms[2]
    int64_t increment_ms[2]
    bint has_clock[2]
    int moves_to_go
    int depth
    int mate
    int64_t move_time_ms
    uint64_t nodes
    uint64_t soft_nodes               # no further iteration after so many,
    uint64_t noisy_nodes              # or after so many in check or when the best move is a capture
    bint infinite


@cython.final
cdef class Control:
    cdef int stop                     # atomic: the search unwinds
    cdef int stop_asked               # atomic: it will, once it is armed
    cdef int hurried                  # atomic: somebody waits for it
    cdef int armed                    # atomic: there is a searched move to answer with, or has been time to find one
    cdef int pondering                # atomic: the clock is not ours yet
    cdef int stop_on_ponderhit        # atomic: the answer is ready when the opponent plays
    cdef Limits limits
    cdef int64_t start_us
    cdef uint64_t ponder_us           # atomic: what had passed when the opponent played the expected move,
    cdef uint64_t ponder_nodes        # and how many nodes
    cdef bint uses_time               # a clock runs and the driver may stop early
    cdef int64_t optimum_us
    cdef int64_t maximum_us
    cdef int nodes_per_ms             # nodestime: the clock counts nodes
    cdef uint64_t* counters[MAX_THREADS]      # every worker's node counter
    cdef uint64_t* changes[MAX_THREADS]       # every worker's count of best-move changes
    cdef uint64_t* hits[MAX_THREADS]          # every worker's count of positions found in tablebases
    cdef int counter_count
    cdef int multi_pv
    cdef object listener              # called with each SearchInfo, or None
    cdef bint is_heard                # there is a listener
    cdef int64_t pause_us             # the least time between two reports, 0 to report every iteration
    cdef int64_t reported_us          # when the last one came
    cdef uint64_t counted_nodes       # when the table was last counted
    cdef int hashfull                 # what was found then
    cdef bint is_timed                # for benchmarks: keep these three
    cdef int64_t first_us             # when the main worker began its first node, by the clock
    cdef int64_t last_us              # and ended its last
    cdef int64_t told_us              # processor time that its reports took in between
    cdef object failure               # what a listener raised
    # what one search of a game tells the next about time
    cdef int previous_score
    cdef int previous_average
    cdef double previous_time_reduction
    cdef int recent_scores[4]

    cdef uint64_t total_nodes(self) noexcept nogil
    cdef uint64_t total_hits(self) noexcept nogil
    cdef int64_t elapsed_us(self) noexcept nogil
    cdef int64_t wall_us(self) noexcept nogil
    cdef bint is_slow(self) noexcept nogil
    cdef int check(self) noexcept nogil
    cdef void forget(self) noexcept nogil
    cdef void learn(self, int score, int average) noexcept nogil
    cdef void restart(self) noexcept nogil
    cdef void halt(self) noexcept nogil
    cdef void arm(self) noexcept nogil


cdef inline bint stopped(Control control) noexcept nogil:
    return load_flag(&control.stop) != 0
