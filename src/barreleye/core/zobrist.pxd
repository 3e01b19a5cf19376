"""Random numbers that name positions, and the table of reversible moves that finds upcoming repetitions."""
from barreleye.core.types cimport ALL_CASTLING, Key, Move, PIECES, SQUARES

cdef extern from *:                       # SplitMix64's numbers
    """
    #define BE_GOLDEN 0x9E3779B97F4A7C15ULL
    #define BE_MIX_1 0xBF58476D1CE4E5B9ULL
    #define BE_MIX_2 0x94D049BB133111EBULL
    """
    Key GOLDEN "BE_GOLDEN"
    Key MIX_1 "BE_MIX_1"
    Key MIX_2 "BE_MIX_2"

cdef enum:
    CUCKOO_SIZE = 8192

cdef Key PIECE_KEYS[PIECES][SQUARES]
cdef Key EN_PASSANT_KEYS[8]
cdef Key CASTLING_KEYS[ALL_CASTLING + 1]
cdef Key COUNT_KEYS[PIECES][16]          # [piece][how many stood there before], for material keys
cdef Key SIDE_KEY
cdef Key NO_PAWNS_KEY

# Cuckoo hashing (Marcel van Kervinck): the key of every reversible move, found in at most two places.
cdef Key CUCKOO_KEYS[CUCKOO_SIZE]
cdef Move CUCKOO_MOVES[CUCKOO_SIZE]

cdef Key next_random(Key* seed) noexcept nogil
cdef void insert_cuckoo(Key key, Move move) noexcept nogil
cdef void fill_keys() noexcept nogil
cdef void fill_cuckoo() noexcept nogil


cdef inline int cuckoo_first(Key key) noexcept nogil:
    return key & (CUCKOO_SIZE - 1)

cdef inline int cuckoo_second(Key key) noexcept nogil:
    return key >> 16 & (CUCKOO_SIZE - 1)
