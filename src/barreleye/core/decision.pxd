"""One call for a decision of the search: it counts it, and writes it down where somebody records.

What a technique compares is said by a verb, so that the count, the record and the branch cannot disagree:
`if at_least(w, techniques.FUTILITY, eval - margin, beta)`.
"""
from barreleye.core.platform cimport unlikely
from barreleye.core.recorder cimport (
    ABOVE, AT_LEAST, AT_MOST, BEGUN, BELOW, CONFIRMED, NOTHING, REPEATED, Relation, VisitKind, WORKED, end_visit,
    note_event, open_visit,
)
from barreleye.core.techniques cimport Technique
from barreleye.core.tt cimport TTData
from barreleye.core.types cimport Move
from barreleye.core.worker cimport Frame, Worker


# A use of a technique that decides nothing in the tree: ordering, learning, evaluating. Only counted.
cdef inline bint tally(Worker w, Technique technique, bint success) noexcept nogil:
    w.counters.tried[<int>technique] += 1
    w.counters.succeeded[<int>technique] += success
    return success

# Whether a technique works here, by a relation that holds between two numbers if it does. What does not work is counted
# only: it is most of what happens, and to ask each time whether somebody records would cost a hundredth of the speed.
cdef inline bint decide(Worker w, Technique technique, bint success, Relation relation, int left,
                        int right) noexcept nogil:
    w.counters.tried[<int>technique] += 1
    if success:
        w.counters.succeeded[<int>technique] += 1
        if unlikely(w.recorder != NULL):
            note_event(w.recorder, technique, WORKED, relation, left, right)
    return success

cdef inline bint at_least(Worker w, Technique technique, int left, int right) noexcept nogil:
    return decide(w, technique, left >= right, AT_LEAST, left, right)

cdef inline bint above(Worker w, Technique technique, int left, int right) noexcept nogil:
    return decide(w, technique, left > right, ABOVE, left, right)

cdef inline bint at_most(Worker w, Technique technique, int left, int right) noexcept nogil:
    return decide(w, technique, left <= right, AT_MOST, left, right)

cdef inline bint below(Worker w, Technique technique, int left, int right) noexcept nogil:
    return decide(w, technique, left < right, BELOW, left, right)

# A technique that needs a search to know: what it begins with, or only that it was tried; whether it worked; what was
# searched again.
cdef inline void begin(Worker w, Technique technique, int left, int right) noexcept nogil:
    w.counters.tried[<int>technique] += 1
    if unlikely(w.recorder != NULL):
        note_event(w.recorder, technique, BEGUN, NOTHING, left, right)

cdef inline void consider(Worker w, Technique technique) noexcept nogil:
    w.counters.tried[<int>technique] += 1

cdef inline void confirm(Worker w, Technique technique, Relation relation, int left, int right) noexcept nogil:
    w.counters.succeeded[<int>technique] += 1
    if unlikely(w.recorder != NULL):
        note_event(w.recorder, technique, CONFIRMED, relation, left, right)

cdef inline void repeat(Worker w, Technique technique, Relation relation, int left, int right) noexcept nogil:
    w.counters.researched[<int>technique] += 1
    if unlikely(w.recorder != NULL):
        note_event(w.recorder, technique, REPEATED, relation, left, right)

cdef inline void find_best(Worker w, Move move) noexcept nogil:
    if unlikely(w.recorder != NULL) and open_visit(w.recorder) != NULL:
        open_visit(w.recorder).best_move = move

# The depth with which a node begins to look at moves.
cdef inline void look(Worker w, int depth) noexcept nogil:
    if unlikely(w.recorder != NULL) and open_visit(w.recorder) != NULL:
        open_visit(w.recorder).depth_left = <short>depth

# How a node ends where neither its value nor a technique tells; says its value.
cdef inline int ended(Worker w, int ending, int value) noexcept nogil:
    if unlikely(w.recorder != NULL):
        end_visit(w.recorder, ending)
    return value

# What a node knows before it looks at moves.
cdef inline void know(Worker w, Frame* ss, TTData* tt, bint former_pv, int evaluation, int estimate) noexcept nogil:
    if unlikely(w.recorder != NULL):
        know_node(w, ss, tt, former_pv, evaluation, estimate)

cdef void know_node(Worker w, Frame* ss, TTData* tt, bint former_pv, int evaluation, int estimate) noexcept nogil
cdef void begin_visit(Worker w, Frame* ss, int alpha, int beta, int depth, bint cut_node, VisitKind kind,
                      bint is_quiescence) noexcept nogil
cdef void finish_visit(Worker w, int value) noexcept nogil
