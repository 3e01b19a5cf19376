"""How a node's outcome changes the histories, and what the correction tables say of an evaluation."""
from barreleye.core.types cimport Move
from barreleye.core.worker cimport Frame, Node, Worker

cdef enum:
    MAX_TRIED = 32                # quiets and captures remembered for a malus

cdef struct Tried:                # moves searched at a node before the best one
    Move quiets[MAX_TRIED]
    Move captures[MAX_TRIED]
    int quiet_count
    int capture_count

cdef int correction_value(Worker w, Frame* ss) noexcept nogil
cdef void update_correction(Worker w, Frame* ss, int bonus) noexcept nogil
cdef void update_continuation(Worker w, Frame* ss, int piece, int to, int bonus) noexcept nogil
cdef void update_quiet(Worker w, Frame* ss, Move move, int bonus) noexcept nogil
cdef void update_all(Worker w, Frame* ss, Node* node, Tried* tried, int prev_sq, int depth) noexcept nogil
