"""Positions of the search tree, picked at random while it is searched: more of what a network will be asked about."""
from barreleye.core.position cimport Position
from barreleye.core.types cimport Key, Move

cdef enum:
    MAX_SAMPLES = 8               # that may be asked for from one search
    SPARE = 2                     # drawn for each one that is asked for, because some turn out not to be quiet
    MAX_PATH = 32                 # plies below the root

cdef struct Path:                 # the moves from the root to a position
    int length
    Move moves[MAX_PATH]

cdef struct Harvest:
    Key seed                      # of the choice
    int wanted                    # positions to draw
    int limit                     # of the evaluation: beyond it a position says little
    int root                      # which state of the position the root is
    int seen                      # positions offered so far
    Path paths[SPARE * MAX_SAMPLES]

cdef void offer(Harvest* harvest, Position pos, int value) noexcept nogil


cdef inline int sample_count(Harvest* harvest) noexcept nogil:
    return min(harvest.seen, harvest.wanted)
