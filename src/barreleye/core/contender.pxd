"""One engine in games that are played without Python: a worker with a table of its own, which thinks when told to."""
cimport cython
from libc.stdint cimport uint64_t
from barreleye.core.control cimport Control
from barreleye.core.position cimport Position
from barreleye.core.syzygy.probe cimport Tablebase
from barreleye.core.tt cimport TranspositionTable
from barreleye.core.types cimport Key, Move
from barreleye.core.worker cimport Worker

cdef enum Ending:                 # why a game is over
    GOES_ON
    CHECKMATE
    STALEMATE
    DEAD_POSITION
    FIFTY_MOVES
    REPETITION
    TABLES
    RESIGNED                      # both sides agreed for long enough who wins,
    AGREED                        # or that nobody does
    TOO_LONG
    ABANDONED                     # somebody wanted it to stop


@cython.final
cdef class Contender:
    cdef Worker worker
    cdef Control control
    cdef TranspositionTable tt
    cdef readonly uint64_t nodes          # spent since the object was made
    cdef uint64_t noisy_nodes             # enough in check or for a capture; 0 where these are as hard as any
    cdef public uint64_t soft_nodes       # in a duel no iteration begins after so many
    cdef public uint64_t hard_nodes       # and a search ends at so many; 0 is no limit
    cdef long long clock_base             # nodes on its clock when a game begins; 0 where no clock runs
    cdef long long clock_left
    cdef int increment_ms
    cdef int lines                        # it chooses among so many by chance; 0 is full strength
    cdef double spread                    # centipawns of loss that make a line e times less likely
    cdef public Key seed                  # of those choices

    cdef int take_up(self, Position start, int plies) except -1
    cdef void forget(self) noexcept nogil
    cdef int think(self, uint64_t soft, uint64_t hard) noexcept nogil
    cdef int think_by_clock(self) noexcept nogil
    cdef int search(self) noexcept nogil
    cdef int find_move(self, Move* move) noexcept nogil

cdef int ruled(Position pos, Tablebase tables, Ending* ending) noexcept nogil
