"""A search written down: every visit of a node and every decision in it, with the numbers that were compared."""
cimport cython
from libc.stdint cimport int16_t, int32_t, uint8_t, uint16_t, uint32_t, uint64_t
from barreleye.core.techniques cimport (
    FUTILITY, MATE_DISTANCE, MULTI_CUT, NULL_MOVE, PROBCUT, RAZORING, SMALL_PROBCUT, TABLEBASES, TT_CUTOFF, Technique,
)
from barreleye.core.types cimport Key, MAX_PLY, Move

cdef extern from *:
    """
    #define BE_NO_VISIT UINT64_MAX
    """
    uint64_t NO_VISIT "BE_NO_VISIT"

cdef enum:
    FIRST_ROOM = 4096                 # cells
    LEAST_BUDGET = 1 << 20            # bytes
    COLLAPSE_START = 4                # visits, when the budget is first used up
    MAX_OPEN = 4 * MAX_PLY + 16       # visits on the way to a node: it may be entered again, to verify and compare
    MAX_PREFIX = 64

# Why a node is visited. From FIRST on it is a node of a principal variation, searched with an open window.
cdef enum VisitKind:
    REDUCED                           # a late move, less deeply
    AGAIN                             # the same move, because the first look surprised
    SCOUT                             # another move, with a window of nothing
    PASS                              # after a null move
    VERIFY                            # the node itself, to see whether its null move can be believed
    SINGULAR                          # the node itself without the table's move
    CAPTURE                           # a capture that may beat beta by a margin
    RAZOR                             # the node itself, in quiescence
    LEAF                              # a move of quiescence
    FIRST                             # the first move of a principal variation
    OPEN                              # a later one that beat alpha
    OPEN_LEAF                         # a move of quiescence on a principal variation
    WINDOW                            # the root
    KIND_COUNT

# How a node ended where no technique ended it; a technique's own number comes first.
cdef enum Ending:
    ENDED_FAIL_LOW = 128              # no move beat alpha
    ENDED_EXACT                       # the best move's value lies within the window
    ENDED_FAIL_HIGH                   # a move reached beta
    ENDED_STAND_PAT                   # the evaluation reached beta
    ENDED_DRAW                        # by repetition, material or the fifty-move rule
    ENDED_REPETITION                  # a move that repeats a position would be enough
    ENDED_MATE
    ENDED_STALEMATE
    ENDED_ALONE                       # there is no move but the one left out
    ENDED_TOO_DEEP                    # no room on the stack
    ENDED_STOPPED                     # by a limit, from outside
    ENDED_UNKNOWN

cdef enum VisitFlag:
    FLAG_CUT_NODE = 1
    FLAG_IN_CHECK = 2
    FLAG_IMPROVING = 4
    FLAG_WORSENING = 8
    FLAG_TABLE_HIT = 16
    FLAG_FORMER_PV = 32
    FLAG_QUIESCENCE = 64
    FLAG_COLLAPSED = 128              # what lies within was counted, not kept
    FLAG_BOUND = 8                    # where the two bits of the table's bound begin

cdef enum Outcome:
    WORKED                            # tried, with success
    BEGUN                             # tried; it will turn out later
    CONFIRMED                         # what was begun had success
    REPEATED                          # something was searched again for it

cdef enum Relation:                   # what holds between the two numbers of an event that worked
    NOTHING                           # from the one to the other
    AT_LEAST
    ABOVE
    AT_MOST
    BELOW
    EXCHANGE_BELOW                    # the exchange that the move begins gains less than the first

cdef struct Visit:                    # 88 bytes, as they are written to files
    uint64_t number                   # in the order of their beginning, from 0
    uint64_t parent                   # the number of the visit it belongs to, NO_VISIT at the root
    uint64_t size                     # visits within it, itself among them
    Key key                           # of the position
    uint64_t nodes                    # of the worker when it began
    uint32_t span                     # of these visits, how many are kept
    uint32_t events                   # of its own that are kept
    int16_t alpha
    int16_t beta
    int16_t value
    int16_t evaluation                # static, before its correction
    int16_t static_eval               # and after
    int16_t estimate                  # the table's value where it is a better guess
    int16_t tt_value
    int16_t tt_depth
    int16_t depth                     # asked for
    int16_t depth_left                # when it began to look at moves
    int16_t ply
    Move move                         # that led here, NO_MOVE if it is the same position again
    Move best_move
    Move tt_move
    Move excluded
    uint16_t flags
    uint16_t move_number              # of the move among those tried
    uint16_t line                     # of several root lines
    uint8_t kind
    uint8_t ending                    # a technique or an Ending
    uint8_t iteration
    uint8_t reserved

cdef struct Event:                    # 24 bytes
    uint64_t visit                    # whose decision it is
    int32_t left
    int32_t right
    uint32_t after                    # how many visits within it came before
    Move move                         # in hand
    uint8_t technique
    uint8_t what                      # an Outcome, and a Relation times 8

cdef struct Filter:
    uint64_t first                    # numbers of visits: nothing before it,
    uint64_t last                     # nothing from it on
    uint64_t path[MAX_OPEN]           # what the first one belongs to, from the root on: nothing else before it
    int path_length                   # 0 when that is not known
    int plies                         # visits further from the root are counted only
    int first_iteration
    int last_iteration
    int prefix_length
    Move prefix[MAX_PREFIX]           # only what begins with these moves
    uint64_t techniques               # whose events are wanted, a bit each

cdef struct OpenVisit:
    uint64_t number
    size_t cell
    size_t events                     # kept when it began
    Move* hand                        # where the move being looked at stands
    bint is_kept                      # what lies within is written down

cdef struct Recorder:
    Visit* visits
    Event* events
    size_t visit_count
    size_t event_count
    size_t visit_room
    size_t event_room
    size_t budget                     # bytes
    uint64_t entered                  # visits so far
    uint64_t collapse                 # visits of up to so many are counted only
    uint64_t window                   # the last visit of the root
    int depth_open
    int skipped                       # visits on the way here that are counted only
    OpenVisit open[MAX_OPEN]
    Filter filter


@cython.final
cdef class Recording:                 # what one worker wrote
    cdef Recorder recorder
    cdef bint is_sealed


@cython.final
cdef class Cells:                     # one of its two lists, as memory
    cdef Recording recording
    cdef void* start
    cdef Py_ssize_t length

cdef void enter_visit(Recorder* r, Visit* cell, Move* hand) noexcept nogil
cdef void leave_visit(Recorder* r, int value, bint was_stopped) noexcept nogil
cdef void note_event(Recorder* r, Technique technique, Outcome outcome, Relation relation, int left,
                     int right) noexcept nogil
cdef void end_visit(Recorder* r, int ending) noexcept nogil
cdef bint grow_visits(Recorder* r) noexcept nogil
cdef bint grow_events(Recorder* r) noexcept nogil
cdef bint grow(Recorder* r, void** cells, size_t* room, size_t cell, size_t others) noexcept nogil
cdef void collapse_small(Recorder* r) noexcept nogil
cdef void drop_visits(Recorder* r) noexcept nogil
cdef void drop_events(Recorder* r) noexcept nogil
cdef void measure_spans(Recorder* r) noexcept nogil
cdef size_t find_visit(Recorder* r, uint64_t number) noexcept nogil
cdef size_t first_event(Recorder* r, uint64_t time) noexcept nogil
cdef bint is_wanted(Recorder* r, Visit* cell) noexcept nogil


# The visit being written, NULL when it is counted only.
cdef inline Visit* open_visit(Recorder* r) noexcept nogil:
    return r.visits + r.open[r.depth_open - 1].cell if r.depth_open > 0 and r.skipped == 0 else NULL

# Techniques whose success ends the node.
cdef inline bint ends_node(Technique technique) noexcept nogil:
    return technique in (TT_CUTOFF, TABLEBASES, MATE_DISTANCE, RAZORING, FUTILITY, NULL_MOVE, PROBCUT, SMALL_PROBCUT,
                         MULTI_CUT)
