"""The transposition table: clusters of three entries, 16-bit key checks, replacement by depth and age.

It is shared by all threads without locks. A torn entry is possible and harmless: values pass through the same
checks as any bound, and a move from it is played only after Position has called it legal.
"""
from concurrent.futures import ThreadPoolExecutor

import cython
from cython.cimports.barreleye.core import params
from cython.cimports.barreleye.core.platform import alloc_aligned, free_aligned
from cython.cimports.barreleye.core.tt import (
    BOUND_EXACT, CLUSTER_SIZE, DEPTH_NONE, GENERATION_CYCLE, GENERATION_MASK, GENERATION_STEP, HASHFULL_CLUSTERS,
    Cluster, Entry, TTData, cluster_of,
)
from cython.cimports.barreleye.core.types import Key, Move
from cython.cimports.barreleye.core.value import VALUE_NONE
from cython.cimports.libc.stdint import uint8_t, uint16_t, uint64_t
from cython.cimports.libc.string import memset

MIN_CHUNK = 1 << 18            # clusters worth a thread of their own when clearing
MAX_SIZE_MB = 33_554_432


class TranspositionTable:
    """A table of so many MiB."""

    def __cinit__(self):
        self.clusters = cython.NULL
        self.cluster_count = 0
        self.generation = 0

    def __init__(self, size_mb: int = 16, threads: int = 1):
        self.resize(size_mb, threads)

    def __dealloc__(self):
        free_aligned(self.clusters)

    def resize(self, size_mb: int, threads: int = 1) -> None:
        """Become a table of another size, empty. When memory lacks, say so and keep the old table."""
        if not 1 <= size_mb <= MAX_SIZE_MB:
            raise ValueError(f"Hash is {size_mb}, expected a number of MiB from 1 to {MAX_SIZE_MB}")
        count: uint64_t = size_mb * (1 << 20) // cython.sizeof(Cluster)
        if count == self.cluster_count:
            self.clear(threads)
            return
        memory: cython.p_void = cython.NULL
        if size_mb <= most_mb(size_mb):
            memory = alloc_aligned(count * cython.sizeof(Cluster))
        if memory == cython.NULL:
            raise MemoryError(f"not enough memory for a hash table of {size_mb} MiB: choose a smaller Hash")
        free_aligned(self.clusters)
        self.clusters = cython.cast(cython.pointer[Cluster], memory)
        self.cluster_count = count
        self.clear(threads)

    def clear(self, threads: int = 1) -> None:
        """Forget everything, on several threads when the table is large."""
        self.generation = 0
        parts = max(1, min(threads, self.cluster_count // MIN_CHUNK))
        if parts == 1:
            self.clear_part(0, 1)
            return
        with ThreadPoolExecutor(parts) as pool:
            list(pool.map(self.clear_part, range(parts), [parts] * parts))

    def clear_part(self, part: int, parts: int) -> None:
        """Forget one of several equal parts, without the GIL."""
        first: uint64_t = self.cluster_count * part // parts
        last: uint64_t = self.cluster_count * (part + 1) // parts
        with cython.nogil:
            self.wipe(first, last - first)

    def wipe(self, first: uint64_t, count: uint64_t) -> cython.void:
        """Zero a run of clusters."""
        memset(self.clusters + first, 0, count * cython.sizeof(Cluster))

    def new_search(self) -> None:
        """Age every entry by one search."""
        self.generation += GENERATION_STEP

    def probe(self, key: Key, data: cython.pointer[TTData]) -> cython.pointer[Entry]:
        """Copy out what is known of a position, and say which entry may be written for it."""
        cluster: cython.pointer[Cluster] = cluster_of(self, key)
        key16: uint16_t = cython.cast(uint16_t, key)
        entry: cython.pointer[Entry]
        index: cython.int
        for index in range(CLUSTER_SIZE):
            entry = cython.address(cluster.entry[index])
            if entry.key16 == key16 and entry.depth8 != 0:
                data.hit = True
                data.is_pv = (entry.generation_bound & 4) != 0
                data.bound = entry.generation_bound & BOUND_EXACT
                data.move = entry.move
                data.value = entry.value
                data.static_eval = entry.static_eval
                data.depth = entry.depth8 + DEPTH_NONE
                return entry
        # Not here: give up the entry that is shallowest after a discount for age.
        replaced: cython.pointer[Entry] = cython.address(cluster.entry[0])
        worth: cython.int
        least: cython.int = 1 << 30
        for index in range(CLUSTER_SIZE):
            entry = cython.address(cluster.entry[index])
            worth = entry.depth8 - ((GENERATION_CYCLE + self.generation - entry.generation_bound) & GENERATION_MASK)
            if worth < least:
                least = worth
                replaced = entry
        data.hit = False
        data.is_pv = False
        data.bound = 0
        data.move = 0
        data.value = VALUE_NONE
        data.static_eval = VALUE_NONE
        data.depth = DEPTH_NONE
        return replaced

    def store(self, entry: cython.pointer[Entry], key: Key, value: cython.int, is_pv: cython.bint, bound: cython.int,
              depth: cython.int, move: Move, static_eval: cython.int) -> cython.void:
        """Write what was found, unless the entry knows the same position more deeply."""
        key16: uint16_t = cython.cast(uint16_t, key)
        if move or entry.key16 != key16:
            entry.move = move
        age: cython.int = (GENERATION_CYCLE + self.generation - entry.generation_bound) & GENERATION_MASK
        if (bound == BOUND_EXACT or entry.key16 != key16 or age
                or depth - DEPTH_NONE + params.TT_PV_BONUS * is_pv > entry.depth8 - params.TT_KEEP_DEPTH):
            entry.key16 = key16
            entry.depth8 = cython.cast(uint8_t, depth - DEPTH_NONE)
            entry.generation_bound = cython.cast(uint8_t, self.generation | is_pv << 2 | bound)
            entry.value = value
            entry.static_eval = static_eval
        elif (entry.depth8 + DEPTH_NONE >= params.TT_FADE_MIN_DEPTH
              and (entry.generation_bound & BOUND_EXACT) != BOUND_EXACT):
            entry.depth8 -= 1            # a deep bound that newer, shallower results keep missing fades away

    def count_used(self, max_age: cython.int) -> cython.int:
        """Entries in use per thousand, among the first ones: few enough to leave the cache to the search."""
        used: cython.int = 0
        sample: uint64_t = min(self.cluster_count, cython.cast(uint64_t, HASHFULL_CLUSTERS))
        index: uint64_t
        slot: cython.int
        for index in range(sample):
            for slot in range(CLUSTER_SIZE):
                entry: Entry = self.clusters[index].entry[slot]
                age: cython.int = (GENERATION_CYCLE + self.generation - entry.generation_bound) & GENERATION_MASK
                used += entry.depth8 != 0 and age <= max_age * GENERATION_STEP
        return used * 1000 // cython.cast(cython.int, sample * CLUSTER_SIZE)

    def hashfull(self, max_age: int = 0) -> int:
        """How full the table is, in permille, counting entries at most so many searches old."""
        return self.count_used(max_age)

    @property
    def size_mb(self) -> int:
        """Its size in MiB."""
        return self.cluster_count * cython.sizeof(Cluster) >> 20


def most_mb(wanted: int) -> int:
    """An upper limit to what may be asked for: the machine's memory, because overcommitted pages kill later."""
    import os
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") >> 20
    except (AttributeError, ValueError, OSError):
        return wanted
