"""What pieces add to a network's verdict as they come onto the board one by one."""
from libc.stdint cimport int16_t, int64_t
from barreleye.core.evaluate.nnue cimport Network
from barreleye.core.position cimport Position
from barreleye.core.types cimport COLORS, SQUARES

cdef struct Gathering:            # the hidden layers of a board that is being filled
    int16_t* values[COLORS]
    int view[COLORS]
    int men

cdef struct Tally:                # of each square, over all orders
    int64_t total[SQUARES]
    int64_t squares[SQUARES]      # sums of squares, for the spread

cdef void place(Network net, Gathering* g, int piece, int sq) noexcept nogil
cdef int verdict(Network net, const Gathering* g, int us) noexcept nogil
cdef void gather(Network net, Position pos, Gathering* g, const int16_t* kings, const unsigned char* order, int count,
                 int alone, Tally* tally) noexcept nogil
