"""From a position to its number in a table, and from the number to the value stored there."""
from libc.stdint cimport uint8_t, uint64_t
from barreleye.core.position cimport Position
from barreleye.core.syzygy.tables cimport MAX_MEN, Part, Table

cdef enum Status:
    FAILED                    # no table, or a broken one
    FOUND
    OTHER_SIDE                # the DTZ table has only the other side to move
    ZEROING                   # a capture or pawn move is best

cdef struct Placement:        # a position as a table sees it: men in the table's order, board turned its way
    int side
    int men
    int lead
    int sq[MAX_MEN]
    uint8_t piece[MAX_MEN]

cdef int read_table(Table* table, Position pos, int wdl, Status* status) noexcept nogil
cdef void place_rest(Placement* place, Position pos, int color_flip, int square_flip) noexcept nogil
cdef void sort_like(Placement* place, Part* part) noexcept nogil
cdef uint64_t index_of(Table* table, Part* part, Placement* place) noexcept nogil
cdef uint64_t index_pawns(Placement* place) noexcept nogil
cdef uint64_t index_pieces(Table* table, Placement* place) noexcept nogil
cdef int decompress(Table* table, Part* part, uint64_t index) noexcept nogil
cdef int distance(Table* table, Part* part, int value, int wdl) noexcept nogil
