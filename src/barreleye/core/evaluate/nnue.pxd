"""The network evaluation: accumulators kept up to date move by move, and the small layer that reads them."""
cimport cython
from libc.stdint cimport int16_t, int32_t
from barreleye.core.evaluate.shape cimport MAX_REGIONS, input_index
from barreleye.core.position cimport Position, State
from barreleye.core.types cimport Bitboard, COLORS, Key, MAX_PLY, PIECES

cdef enum:
    LAYERS = MAX_PLY + 16

cdef struct Layer:                # one ply: the hidden layer as each side sees it
    int16_t* values[COLORS]
    Key key[COLORS]               # of the position it was made for

cdef struct Refresh:              # the last layer made from the board, to start the next one from
    int16_t* values
    Bitboard pieces[PIECES]


@cython.final
cdef class Network:
    cdef object __weakref__                # loaded files are kept only as long as somebody uses them
    cdef int16_t* memory
    cdef const int16_t* feature_weights   # [regions][INPUTS][width]
    cdef const int16_t* feature_bias      # [width]
    cdef const int16_t* output_weights    # [buckets][COLORS][width]: the side to move first
    cdef const int32_t* output_bias       # [buckets]
    cdef readonly int width
    cdef readonly int buckets
    cdef readonly int regions
    cdef readonly int scale               # centipawns at a logit of one

    cdef bint fits(self) noexcept nogil


@cython.final
cdef class Accumulators:
    cdef readonly Network net
    cdef int16_t* memory
    cdef Layer layers[LAYERS]
    cdef Refresh cache[COLORS][2 * MAX_REGIONS]     # [side][view]
    cdef int root                         # which state of the position the first layer belongs to

    cdef void attach(self, Position pos) noexcept nogil
    cdef int evaluate(self, Position pos) noexcept nogil
    cdef void bring_up(self, Position pos, int side) noexcept nogil
    cdef void advance(self, int index, int side, int view, const State* state) noexcept nogil
    cdef void refresh(self, Position pos, int index, int side, int view) noexcept nogil

cdef bint changes_view(int regions, const State* state, int side) noexcept nogil
cdef void add_row(int16_t* values, const int16_t* row, int width) noexcept nogil
cdef void remove_row(int16_t* values, const int16_t* row, int width) noexcept nogil
cdef void move_row(int16_t* to, const int16_t* values, const int16_t* added, const int16_t* removed,
                   int width) noexcept nogil
cdef void capture_row(int16_t* to, const int16_t* values, const int16_t* added, const int16_t* removed,
                      const int16_t* captured, int width) noexcept nogil
cdef void castle_row(int16_t* to, const int16_t* values, const int16_t* added, const int16_t* also,
                     const int16_t* removed, const int16_t* gone, int width) noexcept nogil
cdef int32_t activate(const int16_t* values, const int16_t* weights, int width) noexcept nogil
cdef int read_out(Network net, const int16_t* us, const int16_t* them, int men) noexcept nogil


cdef inline const int16_t* input_row(Network net, int side, int view, int piece, int sq) noexcept nogil:
    return net.feature_weights + input_index(side, view, piece, sq) * net.width
