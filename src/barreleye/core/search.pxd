"""The node: alpha-beta with everything that makes it see further, in numbered steps."""
from barreleye.core.movepick cimport Picker
from barreleye.core.tt cimport TTData
from barreleye.core.types cimport Move
from barreleye.core.worker cimport Frame, NodeType, RootMove, Worker

cdef int search(Worker w, Frame* ss, int alpha, int beta, int depth, bint cut_node, NodeType node) noexcept nogil
cdef int probe_tables(Worker w, int ply, int depth, int* value) noexcept nogil
cdef int null_move_search(Worker w, Frame* ss, int beta, int depth, int eval) noexcept nogil
cdef int probcut_search(Worker w, Frame* ss, TTData* tt, int beta, int depth, bint cut_node, int unadjusted,
                        int improving) noexcept nogil
cdef bint prune_move(Worker w, Frame* ss, Picker* picker, Move move, bint capture, bint gives_check, int depth,
                     int lmr_depth, int alpha, int* best_value, bint has_best) noexcept nogil
cdef int singular_extension(Worker w, Frame* ss, TTData* tt, Move move, int depth, int beta, bint cut_node,
                            bint pv_node, int* verdict) noexcept nogil
cdef int base_reduction(Worker w, bint improving, int depth, int move_count, int delta) noexcept nogil
cdef int late_reduction(Worker w, Frame* ss, TTData* tt, int r, int alpha, int depth, int move_count, bint pv_node,
                        bint cut_node, bint tt_capture, bint is_tt_move, int correction) noexcept nogil
cdef int stat_score(Worker w, Picker* picker, Move move, bint capture) noexcept nogil
cdef int futility_margin(int depth, bint no_tt_cut, bint improving, bint worsening, int correction) noexcept nogil
cdef void learn_from_table(Worker w, Frame* ss, TTData* tt, int depth, int prev_sq) noexcept nogil
cdef void learn_from_fail_low(Worker w, Frame* ss, int depth, int prev_sq, int best_value) noexcept nogil
cdef void record_root_move(Worker w, Frame* ss, RootMove* root_move, int value, int alpha, int beta, int move_count,
                           unsigned long long effort) noexcept nogil
