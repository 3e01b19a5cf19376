"""A midgame and an endgame value in one integer, so that one addition adds both."""
from libc.stdint cimport int16_t, int32_t, uint16_t, uint32_t

ctypedef int32_t Score        # endgame in the upper half; a negative midgame borrows one from it


cdef inline Score make_score(int mg, int eg) noexcept nogil:
    return <Score>(<uint32_t>eg << 16) + mg

cdef inline int mg_value(Score score) noexcept nogil:
    return <int16_t><uint16_t><uint32_t>score

cdef inline int eg_value(Score score) noexcept nogil:
    return <int16_t><uint16_t>((<uint32_t>score + 0x8000) >> 16)
