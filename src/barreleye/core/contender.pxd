"""One engine in games that are played without Python: a worker with a table of its own, which thinks when told to."""
cimport cython
from libc.stdint cimport uint64_t
from barreleye.core.control cimport Control
from barreleye.core.position cimport Position
from barreleye.core.tt cimport TranspositionTable
from barreleye.core.worker cimport Worker


@cython.final
cdef class Contender:
    cdef Worker worker
    cdef Control control
    cdef TranspositionTable tt
    cdef readonly uint64_t nodes          # spent since the object was made
    cdef uint64_t noisy_nodes             # enough in check or for a capture; 0 where these are as hard as any

    cdef int take_up(self, Position start, int plies) except -1
    cdef void forget(self) noexcept nogil
    cdef int think(self, uint64_t soft, uint64_t hard) noexcept nogil
