"""What the tables say of a position once captures, en passant and the fifty-move rule have had their word."""
cimport cython
from libc.stdint cimport uint64_t
from barreleye.core.position cimport Position
from barreleye.core.syzygy.decode cimport Status
from barreleye.core.syzygy.tables cimport Table
from barreleye.core.types cimport Key, Move

cdef enum:
    WDL_LOSS = -2
    WDL_BLESSED_LOSS = -1         # lost, but the fifty-move rule saves it
    WDL_DRAW = 0
    WDL_CURSED_WIN = 1            # won, but the fifty-move rule spoils it
    WDL_WIN = 2

cdef struct Slot:                 # where positions of some material find their tables
    Key key
    Table* wdl
    Table* dtz


@cython.final
cdef class Tablebase:
    cdef readonly list files
    cdef readonly int cardinality         # men of the largest results table; 0 without any
    cdef Slot* slots
    cdef uint64_t mask

    cdef int add(self, Key key, Table* table) except -1
    cdef Slot* find(self, Key key) noexcept nogil

cdef int probe_wdl(Tablebase tables, Position pos, Status* status) noexcept nogil
cdef int probe_dtz(Tablebase tables, Position pos, Status* status) noexcept nogil
cdef int search_wdl(Tablebase tables, Position pos, int alpha, int beta, Status* status) noexcept nogil
cdef int best_pawn_move(Tablebase tables, Position pos, int alpha, Status* status) noexcept nogil
cdef int stored_wdl(Tablebase tables, Position pos, Status* status) noexcept nogil
cdef int dtz_by_moves(Tablebase tables, Position pos, int wdl, Status* status) noexcept nogil


cdef inline int sign(int value) noexcept nogil:
    return (value > 0) - (value < 0)

# The distance of a position from which a zeroing move leads to this result.
cdef inline int dtz_before_zeroing(int wdl) noexcept nogil:
    return sign(wdl) * (1 if wdl == WDL_WIN or wdl == WDL_LOSS else 101)
