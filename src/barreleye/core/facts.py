"""What the compiled core is made for, as numbers that everything above it asks for instead of repeating them.

The shape of a network is told by evaluate/shape, the tunable numbers by parameters.
"""
from cython.cimports.barreleye.core.control import MAX_THREADS as MOST_WORKERS
from cython.cimports.barreleye.core.types import MAX_PLY as LAST_PLY
from cython.cimports.barreleye.core.value import (
    VALUE_MATE, VALUE_MATE_IN_MAX_PLY, VALUE_NONE, VALUE_TB, VALUE_TB_WIN_IN_MAX_PLY,
)

from barreleye.core.tt import MAX_SIZE_MB

MAX_PLY = LAST_PLY                        # plies from the root that a search goes at most
MAX_DEPTH = LAST_PLY - 1                  # iterations
MAX_THREADS = MOST_WORKERS                # of one search
MAX_HASH_MB = MAX_SIZE_MB
MATE = VALUE_MATE                         # the score of a king mated now; a ply further away is one less
MATE_RANGE = VALUE_MATE_IN_MAX_PLY        # scores from here on are mates,
TABLEBASE = VALUE_TB                      # below them what tablebases call won,
TABLEBASE_RANGE = VALUE_TB_WIN_IN_MAX_PLY     # down to here
NO_VALUE = VALUE_NONE                     # stands where there is no score
