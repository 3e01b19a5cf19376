"""Iterative deepening: one worker from depth 1 until something says stop."""
from libc.stdint cimport uint64_t
from barreleye.core.worker cimport RootMove, Worker

cdef void iterate(Worker w) noexcept nogil
cdef void set_aside(Worker w) noexcept nogil
cdef uint64_t soft_limit(Worker w) noexcept nogil
cdef void restore_best(Worker w, RootMove* best) noexcept nogil
cdef void aspirate(Worker w, int depth, int* search_again) noexcept nogil
cdef bint out_of_time(Worker w, int last_best_depth, double total_changes, double* time_reduction,
                      int iteration) noexcept nogil
