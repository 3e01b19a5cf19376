"""The node: alpha-beta with everything that makes it see further, in numbered steps."""
from barreleye.core.movepick cimport Picker
from barreleye.core.recorder cimport VisitKind
from barreleye.core.tt cimport TTData
from barreleye.core.worker cimport Frame, Node, RootMove, Worker

cdef int visit(Worker w, Frame* ss, int alpha, int beta, int depth, bint cut_node, VisitKind kind) noexcept nogil
cdef int search(Worker w, Frame* ss, int alpha, int beta, int depth, bint cut_node, VisitKind kind) noexcept nogil
cdef int probe_tables(Worker w, int ply, int depth, int* value) noexcept nogil
cdef int null_move_search(Worker w, Frame* ss, int beta, int depth, int eval) noexcept nogil
cdef int probcut_search(Worker w, Frame* ss, Node* node, int beta, int depth) noexcept nogil
cdef bint prune_move(Worker w, Frame* ss, Node* node, Picker* picker, int alpha, int depth,
                     int lmr_depth) noexcept nogil
cdef int singular_extension(Worker w, Frame* ss, Node* node, int beta, int depth, int* verdict) noexcept nogil
cdef int base_reduction(Worker w, bint improving, int depth, int move_count, int delta) noexcept nogil
cdef int late_reduction(Worker w, Frame* ss, Node* node, int alpha, int depth, int r) noexcept nogil
cdef int stat_score(Worker w, Node* node, Picker* picker) noexcept nogil
cdef int hindsight(Frame* ss, int depth, int prior_reduction, bint worsening) noexcept nogil
cdef int futility_margin(Node* node, int depth, bint worsening) noexcept nogil
cdef void learn_from_table(Worker w, Frame* ss, TTData* tt, int depth, int prev_sq) noexcept nogil
cdef void learn_from_fail_low(Worker w, Frame* ss, int depth, int prev_sq, int best_value) noexcept nogil
cdef void record_root_move(Worker w, Frame* ss, RootMove* root_move, int value, int alpha, int beta,
                           unsigned long long effort) noexcept nogil
