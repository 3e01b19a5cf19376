"""Games between two contenders at full speed: how engines that differ in something are compared."""
cimport cython
from libc.stdint cimport int16_t
from barreleye.core.contender cimport Contender, Ending
from barreleye.core.syzygy.probe cimport Tablebase
from barreleye.core.types cimport Move

cdef enum:
    MOST_PLIES = 1200             # that a game may be allowed to last

cdef struct Step:                 # one move of a game with the score that chose it
    Move move
    int16_t score                 # centipawns, white's view


@cython.final
cdef class Duel:
    cdef readonly Contender first
    cdef readonly Contender second
    cdef Tablebase tables
    cdef Step steps[MOST_PLIES]
    cdef int count
    cdef Ending ending
    cdef int stopping                     # atomic
    # when a game is not played out; zero plies: never
    cdef public int win_score             # a win is adjudicated at this score,
    cdef public int win_plies             # held by both sides for so many plies
    cdef public int draw_score            # a draw likewise,
    cdef public int draw_plies
    cdef public int draw_after            # and not before this ply of the game
    cdef public int longest               # a game of so many plies is a draw

    cdef int play_game(self, Contender white, Contender black) noexcept nogil
    cdef int adjudicated(self, int game_ply) noexcept nogil
