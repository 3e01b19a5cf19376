"""What a score means: evaluations in the middle, tablebase results beyond them, mates at the ends."""
from barreleye.core.types cimport MAX_PLY

cdef enum:
    VALUE_DRAW = 0
    DRAW_SHAKE = 1                    # a draw in the search lies so far to either side
    VALUE_MATE = 32000
    VALUE_INFINITE = 32001
    VALUE_NONE = 32002
    VALUE_MATE_IN_MAX_PLY = VALUE_MATE - MAX_PLY
    VALUE_TB = VALUE_MATE_IN_MAX_PLY - 1
    VALUE_TB_WIN_IN_MAX_PLY = VALUE_TB - MAX_PLY


cdef inline bint is_valid(int value) noexcept nogil:
    return value != VALUE_NONE

cdef inline bint is_win(int value) noexcept nogil:
    return value >= VALUE_TB_WIN_IN_MAX_PLY

cdef inline bint is_loss(int value) noexcept nogil:
    return value <= -VALUE_TB_WIN_IN_MAX_PLY

cdef inline bint is_decisive(int value) noexcept nogil:
    return is_win(value) or is_loss(value)

cdef inline bint is_mate(int value) noexcept nogil:
    return value >= VALUE_MATE_IN_MAX_PLY or value <= -VALUE_MATE_IN_MAX_PLY

cdef inline int mate_in(int ply) noexcept nogil:
    return VALUE_MATE - ply

cdef inline int mated_in(int ply) noexcept nogil:
    return ply - VALUE_MATE

# Clamped to where no tablebase or mate score lives.
cdef inline int as_evaluation(int value) noexcept nogil:
    return max(1 - VALUE_TB_WIN_IN_MAX_PLY, min(VALUE_TB_WIN_IN_MAX_PLY - 1, value))

# The table keeps decisive scores relative to the node, so that every path to it reads them rightly.
cdef inline int value_to_tt(int value, int ply) noexcept nogil:
    return value + ply if is_win(value) else value - ply if is_loss(value) else value

# Reading back, a win too far away for the fifty-move counter is only a good evaluation.
cdef inline int value_from_tt(int value, int ply, int rule50) noexcept nogil:
    if value == VALUE_NONE:
        return VALUE_NONE
    if is_win(value):
        if value >= VALUE_MATE_IN_MAX_PLY and VALUE_MATE - value > 100 - rule50:
            return VALUE_TB_WIN_IN_MAX_PLY - 1
        if value < VALUE_MATE_IN_MAX_PLY and VALUE_TB - value > 100 - rule50:
            return VALUE_TB_WIN_IN_MAX_PLY - 1
        return value - ply
    if is_loss(value):
        if value <= -VALUE_MATE_IN_MAX_PLY and VALUE_MATE + value > 100 - rule50:
            return 1 - VALUE_TB_WIN_IN_MAX_PLY
        if value > -VALUE_MATE_IN_MAX_PLY and VALUE_TB + value > 100 - rule50:
            return 1 - VALUE_TB_WIN_IN_MAX_PLY
        return value + ply
    return value
