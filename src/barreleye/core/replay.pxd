"""Games of self-play played again, for the positions in them."""
cimport cython
from barreleye.core.position cimport Position
from barreleye.core.selfplay cimport MAX_GAME_PLIES, Played, Record


@cython.final
cdef class Replay:
    cdef Position pos
    cdef Record records[MAX_GAME_PLIES]
    cdef public int random_plies          # of the opening, one more by the seed's coin flip
    cdef public int first_ply             # positions before this ply are not kept
    cdef public int score_limit           # nor those with a score beyond this

    cdef int collect(self, const Played* played, int count, int first, int result) noexcept nogil
