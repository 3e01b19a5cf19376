"""The transposition table: what every thread of a search remembers of the positions it has seen."""
cimport cython
from libc.stdint cimport int8_t, int16_t, uint8_t, uint16_t, uint64_t
from barreleye.core.platform cimport mul_high, prefetch
from barreleye.core.types cimport Key, Move

cdef enum:
    BOUND_NONE = 0
    BOUND_UPPER = 1
    BOUND_LOWER = 2
    BOUND_EXACT = 3

cdef enum:
    DEPTH_QS = 0                 # entries made by quiescence
    DEPTH_UNSEARCHED = -2        # only the static evaluation is known
    DEPTH_NONE = -3              # stored depths are offset by it, so that an empty entry has depth byte 0

cdef enum:
    CLUSTER_SIZE = 3
    HASHFULL_CLUSTERS = 334      # looked at to say how full the table is
    GENERATION_STEP = 8          # the low three bits of the byte hold the pv flag and the bound
    GENERATION_CYCLE = 255 + GENERATION_STEP
    GENERATION_MASK = 0xF8

cdef struct Entry:               # 10 bytes; written by any thread at any time, so never trusted
    uint16_t key16
    uint8_t depth8
    uint8_t generation_bound
    Move move
    int16_t value
    int16_t static_eval

cdef struct Cluster:             # 32 bytes: two to a cache line
    Entry entry[CLUSTER_SIZE]
    uint16_t padding

cdef struct TTData:              # a reader's own copy
    bint hit
    bint is_pv
    Move move
    int value
    int static_eval
    int depth
    int bound


@cython.final
cdef class TranspositionTable:
    cdef Cluster* clusters
    cdef uint64_t cluster_count
    cdef uint8_t generation

    cdef Entry* probe(self, Key key, TTData* data) noexcept nogil
    cdef void store(self, Entry* entry, Key key, int value, bint is_pv, int bound, int depth, Move move,
                    int static_eval) noexcept nogil
    cdef void wipe(self, uint64_t first, uint64_t count) noexcept nogil
    cdef int count_used(self, int max_age) noexcept nogil


cdef inline Cluster* cluster_of(TranspositionTable tt, Key key) noexcept nogil:
    return &tt.clusters[mul_high(key, tt.cluster_count)]

cdef inline void prefetch_entry(TranspositionTable tt, Key key) noexcept nogil:
    prefetch(cluster_of(tt, key))
