"""What pawns alone decide, remembered from one position to the next: structure, passed pawns, king shelter."""
from libc.stdint cimport uint8_t
from barreleye.core.evaluate.layout cimport Weights
from barreleye.core.evaluate.score cimport Score
from barreleye.core.position cimport Position
from barreleye.core.bitboard cimport lsb, msb
from barreleye.core.types cimport Bitboard, COLORS, Key, SQUARES, WHITE

cdef enum:
    PAWN_ENTRIES = 8192

cdef struct PawnEntry:                # one cache line
    Key key
    Bitboard passed[COLORS]
    Bitboard spans[COLORS]            # squares that pawns attack or may come to attack
    Score structure[COLORS]           # the pawns' structure, not what they are worth
    Score squares                     # what they are worth where they stand, counted for white
    Score shelter[COLORS]
    uint8_t king[COLORS]              # king squares that shelter is for; NO_SQUARE when not yet known
    uint8_t open_files[COLORS]        # of the three around the king, without own pawn

cdef struct EvalCache:
    PawnEntry* entries
    Weights* weights

cdef Bitboard AHEAD[COLORS][SQUARES]          # squares in front on the same file
cdef Bitboard PASSED_SPAN[COLORS][SQUARES]    # and on the files beside it
cdef Bitboard BESIDE[8]                       # files next to a file

cdef EvalCache* new_eval_cache() noexcept nogil
cdef void free_eval_cache(EvalCache* cache) noexcept nogil
cdef void clear_eval_cache(EvalCache* cache) noexcept nogil
cdef PawnEntry* probe_pawns(Position pos, EvalCache* cache, PawnEntry* spare, Weights* w) noexcept nogil
cdef void study_pawns(Position pos, PawnEntry* entry, Weights* w) noexcept nogil
cdef Score pawn_structure(Position pos, int us, PawnEntry* entry, Weights* w) noexcept nogil
cdef void study_shelter(Position pos, int us, PawnEntry* entry, Weights* w) noexcept nogil
cdef void fill_spans() noexcept nogil


# Ranks from a square's own on, as this colour sees them.
cdef inline Bitboard ranks_from(int color, int sq) noexcept nogil:
    return ~<Bitboard>0 << (sq & 56) if color == WHITE else ~<Bitboard>0 >> (56 - (sq & 56))

# The lowest rank with a square of the set, as this colour sees it; 0 for an empty set.
cdef inline int first_rank(int color, Bitboard b) noexcept nogil:
    return 0 if b == 0 else lsb(b) >> 3 if color == WHITE else 7 - (msb(b) >> 3)

cdef inline int distance(int a, int b) noexcept nogil:
    cdef int files = (a & 7) - (b & 7)
    cdef int ranks = (a >> 3) - (b >> 3)
    if files < 0:
        files = -files
    if ranks < 0:
        ranks = -ranks
    return files if files > ranks else ranks
