"""How long to think: the clock turned into an optimum and a maximum."""
from barreleye.core.control cimport Control

cdef void set_budget(Control control, int us, int ply, int overhead_ms, bint ponder) noexcept nogil
cdef int clock_of(int us, bint* has_clock) noexcept nogil
