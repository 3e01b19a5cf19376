"""The leaf: quiescence search, which resolves captures and checks until the evaluation can be believed."""
from barreleye.core cimport techniques
from barreleye.core.decision cimport tally
from barreleye.core.move cimport NO_MOVE
from barreleye.core.recorder cimport VisitKind
from barreleye.core.tt cimport prefetch_entry
from barreleye.core.types cimport Move
from barreleye.core.worker cimport Frame, Worker, uses

cdef int visit_quiet(Worker w, Frame* ss, int alpha, int beta, int depth, VisitKind kind) noexcept nogil
cdef int qsearch(Worker w, Frame* ss, int alpha, int beta, int depth, VisitKind kind) noexcept nogil
cdef int blend(Worker w, int value, int beta) noexcept nogil
cdef int draw_value(Worker w) noexcept nogil
cdef void play(Worker w, Frame* ss, Move move, bint gives_check, bint capture) noexcept nogil
cdef void copy_pv(Move* pv, Move move, Move* child) noexcept nogil


# Ask for the table's entry on the position after a move, as soon as the move is likely to be made: memory is slow.
cdef inline void prefetch_child(Worker w, Move move) noexcept nogil:
    if uses(w, techniques.PREFETCH):
        tally(w, techniques.PREFETCH, False)
        prefetch_entry(w.tt, w.pos.key_after(move))
