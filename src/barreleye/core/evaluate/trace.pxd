"""What each weight contributes to an evaluation, found by moving it a little and looking what happens."""
from libc.stdint cimport int16_t
from barreleye.core.evaluate.layout cimport Weights
from barreleye.core.evaluate.score cimport Score
from barreleye.core.position cimport Position

cdef enum:
    ROW_LIMIT = 1024          # numbers in a row of the trace, at most

cdef struct Layout:
    int squares_end           # weights up to here are counted off the board
    int linear_end            # up to here they are (midgame, endgame) scores, then king danger
    int weights_end

cdef Layout layout() noexcept nogil
cdef void trace_squares(Position pos, int16_t* row) noexcept nogil
cdef int trace_row(Position pos, int16_t* row) noexcept nogil
