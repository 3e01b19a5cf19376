"""Counting the leaves of the move tree: the proof that the rules are right, and their speed."""
from libc.stdint cimport uint64_t
from barreleye.core.position cimport Position

cdef uint64_t count_leaves(Position pos, int depth, bint bulk) noexcept nogil
