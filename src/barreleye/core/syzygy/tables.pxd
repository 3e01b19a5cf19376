"""One Syzygy file: its material, its compressed arrays, and everything about it checked before it is used."""
cimport cython
from cpython.buffer cimport Py_buffer
from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t
from barreleye.core.types cimport COLORS, Key, PIECES

cdef extern from *:
    """
    #if defined(_MSC_VER) && !defined(__clang__)
      #include <intrin.h>
      static __forceinline int be_load_acquire(int *p) { int v = *(volatile int *)p; _ReadWriteBarrier(); return v; }
      #define be_store_release(p, v) ((void)_InterlockedExchange((volatile long *)(p), (v)))
    #else
      static CYTHON_INLINE int be_load_acquire(int *p) { return __atomic_load_n(p, __ATOMIC_ACQUIRE); }
      #define be_store_release(p, v) __atomic_store_n((int *)(p), (v), __ATOMIC_RELEASE)
    #endif
    """
    int load_acquire "be_load_acquire"(int* state) noexcept nogil
    void store_release "be_store_release"(int* state, int value) noexcept nogil
    const uint32_t WDL_MAGIC "0x71E8235DU"
    const uint32_t DTZ_MAGIC "0xD7660CA5U"

ctypedef const uint8_t* Bytes

cdef enum:
    MAX_MEN = 7
    MAX_CODE = 32                 # longest code of a symbol, in bits
    PAWN_FILES = 4                # tables with pawns have a part for each file a-d of the leading pawn
    MAX_PARTS = 2 * PAWN_FILES
    SINGLE_SIZE = 31332           # places of the first three men when one of them is unlike all others
    KINGS_SIZE = 462              # places of two kings
    CHECKSUM_BYTES = 16           # at the end of every file
    LEAF = 0xFFF                  # a symbol's right child when it stands for itself

cdef enum:                        # a table's state
    UNOPENED
    READY
    BROKEN

cdef enum:                        # flags of a part
    BLACK_TO_MOVE = 1             # DTZ keeps only one side
    MAPPED = 2                    # values are indices into a list, one list for each result
    WIN_PLIES = 4                 # distances are in plies, not in moves
    LOSS_PLIES = 8
    WIDE = 16                     # the lists hold 16-bit numbers
    SINGLE_VALUE = 128            # every position has the same value

cdef enum Fault:                  # why a file cannot be used
    NO_FAULT
    TOO_SHORT
    WRONG_MAGIC
    WRONG_KIND
    WRONG_PIECES
    WRONG_ORDER
    WRONG_SIZES
    WRONG_CODES
    WRONG_SYMBOLS
    NO_MEMORY
    WRONG_DATA

cdef struct Reader:               # a place in the file that never leaves it
    Bytes start
    Bytes at
    Bytes end
    bint failed                   # somebody asked for more than there is

cdef struct Part:                 # one compressed array: one side to move, one file of the leading pawn
    uint8_t flags
    uint8_t pieces[MAX_MEN]       # in the order that makes the index
    int group_len[MAX_MEN + 1]    # like pieces together; ends with 0
    uint64_t group_factor[MAX_MEN + 1]
    uint64_t size                 # positions
    int value                     # of SINGLE_VALUE
    int shortest                  # code, in bits
    int lengths                   # how many lengths of code there are
    uint64_t base[MAX_CODE + 1]   # smallest code of each length, left-aligned in 64 bits
    uint16_t lowest[MAX_CODE + 1]     # its symbol
    int symbols
    uint16_t* values              # how many values a symbol stands for, less one
    Bytes tree                    # 3 bytes a symbol: two children of 12 bits, or a value and LEAF
    int span_bits                 # the sparse index has an entry for so many positions
    Bytes sparse                  # 6 bytes each: block and offset in it of the span's middle
    uint64_t block_lengths        # how many of:
    Bytes block_length            # positions in each block, less one
    uint64_t blocks
    int block_bits
    Bytes data
    uint32_t map_start[4]         # DTZ: where the list of each result begins in the map, and how long it is
    uint32_t map_len[4]

cdef struct Table:
    int state                     # UNOPENED, READY, BROKEN; atomic, set last
    int fault
    bint is_dtz
    bint has_pawns
    bint has_single               # some side has one man of some kind besides its king
    bint symmetric                # both sides have the same men
    int men
    int sides                     # parts for both sides to move, or for one
    int lead_pawns                # of the colour whose pawns make the index first
    int other_pawns
    uint8_t count[PIECES]
    Key key                       # of the material as the file's name gives it: first side white
    Key mirror
    Bytes map
    Bytes end                     # of what may be read
    Part* parts                   # [side to move * PAWN_FILES + file]
    void* owner                   # its TableFile


@cython.final
cdef class TableFile:
    cdef Table table
    cdef object __weakref__
    cdef readonly str name
    cdef readonly str path
    cdef readonly str problem             # why it cannot be used, None while nothing is known against it
    cdef public bint reported
    cdef object opener
    cdef object lock
    cdef Py_buffer view
    cdef bint has_view

    cdef int load(self) except -1
    cdef int set_material(self, str name) except -1

cdef void open_table(Table* table) noexcept with gil

cdef int parse(Table* table, Bytes start, size_t size) noexcept nogil
cdef int read_pieces(Table* table, Reader* reader) noexcept nogil
cdef bint has_pieces(Table* table, Part* part) noexcept nogil
cdef int set_groups(Table* table, Part* part, int* order, int file) noexcept nogil
cdef int read_sizes(Table* table, Part* part, Reader* reader) noexcept nogil
cdef int count_values(Part* part) noexcept nogil
cdef int read_map(Table* table, Reader* reader) noexcept nogil
cdef Bytes take(Reader* reader, uint64_t bytes) noexcept nogil
cdef void align(Reader* reader, int step) noexcept nogil
cdef void free_parts(Table* table) noexcept nogil


cdef inline uint32_t le16(Bytes p) noexcept nogil:
    return p[0] | p[1] << 8

cdef inline uint32_t le32(Bytes p) noexcept nogil:
    return le16(p) | le16(p + 2) << 16

cdef inline uint32_t be32(Bytes p) noexcept nogil:
    return <uint32_t>p[0] << 24 | <uint32_t>p[1] << 16 | <uint32_t>p[2] << 8 | p[3]

cdef inline uint64_t be64(Bytes p) noexcept nogil:
    return <uint64_t>be32(p) << 32 | be32(p + 4)

# The children of a symbol, or of a leaf the value and LEAF.
cdef inline int left_of(Part* part, int symbol) noexcept nogil:
    return part.tree[3 * symbol] | (part.tree[3 * symbol + 1] & 15) << 8

cdef inline int right_of(Part* part, int symbol) noexcept nogil:
    return part.tree[3 * symbol + 1] >> 4 | part.tree[3 * symbol + 2] << 4

cdef inline Part* part_of(Table* table, int side, int file) noexcept nogil:
    return &table.parts[side * PAWN_FILES + file]

# Whether a table can be asked; opens it the first time.
cdef inline bint is_ready(Table* table) noexcept nogil:
    cdef int state = load_acquire(&table.state)
    if state == UNOPENED:
        open_table(table)
        state = load_acquire(&table.state)
    return state == READY

# Something inside the file contradicts itself: never ask it again.
cdef inline void condemn(Table* table) noexcept nogil:
    table.fault = WRONG_DATA
    store_release(&table.state, BROKEN)
