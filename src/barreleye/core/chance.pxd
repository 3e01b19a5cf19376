"""How a level chooses among the lines it sees: by chance, the better the more often."""
from barreleye.core.types cimport Key

cdef enum:
    DECIDED = 1500                # centipawns: from here on a score says no more than "won" or "lost"

cdef int choose_line(const int* scores, int count, double spread, Key chance) noexcept nogil
cdef Key chance_of(Key seed, Key key, int ply) noexcept nogil
