"""What the search says while it thinks: records of numbers, no text."""
cimport cython
from libc.stdint cimport int64_t, uint64_t
from barreleye.core.types cimport Move
from barreleye.core.worker cimport RootMove, Worker


@cython.final
cdef class SearchInfo:                # one report; numbers only, the layer above makes text of it
    cdef readonly int depth
    cdef readonly int sel_depth
    cdef readonly int multipv
    cdef readonly int score
    cdef readonly int bound           # -1 upper, 0 exact, 1 lower
    cdef readonly int64_t time_us
    cdef readonly uint64_t nodes
    cdef readonly int hashfull
    cdef readonly uint64_t tbhits
    cdef readonly list pv             # 16-bit moves
    cdef readonly int currmove        # 0 unless this reports the root move being searched
    cdef readonly int currmovenumber

cdef void report_lines(Worker w, int depth, int count) noexcept nogil
cdef void report_current(Worker w, Move move, int number) noexcept nogil
cdef void tell_lines(Worker w, int depth, int count) noexcept with gil
cdef void tell_current(Worker w, Move move, int number) noexcept with gil
cdef SearchInfo line_info(Worker w, int index, int depth)
