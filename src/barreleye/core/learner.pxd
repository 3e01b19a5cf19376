"""Training a network: gradients of batches of positions, and the steps that follow them."""
cimport cython
from cpython.pythread cimport PyThread_type_lock
from libc.stdint cimport uint16_t, uint32_t, uint64_t
from barreleye.core.selfplay cimport Record
from barreleye.core.tile cimport BLOCK, Block
from barreleye.core.types cimport Bitboard

cpdef enum:
    MAX_LEARNERS = 64             # threads

cdef enum:
    AHEAD = 8                     # positions between fetching a record and reading it

cdef struct Workspace:            # what one thread needs
    float* gradient               # laid out as the weights
    float* hidden                 # [tiles][VECTORS][LANES]: hidden values, then their errors
    Block block
    float target[BLOCK]
    float output[BLOCK]

cdef struct Pace:                 # of one step
    float scale                   # from sums of gradients to their mean
    float rate                    # with Adam's correction for its youth
    float decay
    float clip

cdef struct Lesson:               # some steps, the same for every thread
    const Record* records
    const uint32_t* order         # the positions to learn from
    const float* rates            # [steps]
    const float* shares           # [steps], of the result in what is learned
    Py_ssize_t count              # of positions
    int steps
    int batch
    float decay
    float clip


@cython.final
cdef class Learner:
    cdef readonly int width
    cdef readonly int buckets
    cdef readonly int regions
    cdef readonly int parameters
    cdef readonly int threads
    cdef readonly float scale     # centipawns at a logit of one
    cdef readonly uint64_t steps
    cdef int inputs               # of all regions
    cdef int rows                 # of weights
    cdef int tiles                # of LANES lanes
    cdef int places               # for weights: the last tile may have lanes that are not used
    cdef float beta_1             # how long Adam remembers slopes,
    cdef float beta_2             # and their squares
    cdef float* values            # [tiles][rows][LANES], then the output biases
    cdef float* table             # the same as the network uses it: what regions share is added to each of them
    cdef float* mean              # Adam's moments
    cdef float* variance
    cdef Workspace* work[MAX_LEARNERS]
    cdef PyThread_type_lock gates[MAX_LEARNERS]     # each thread waits at its own
    cdef PyThread_type_lock door                    # only who stands in it may read and write what follows
    cdef Bitboard waiting                           # a bit for each thread at its gate
    cdef bint abandoned

    cdef bytes to_rows(self, const float* tiles)
    cdef void to_tiles(self, float* tiles, bytes rows) except *
    cdef const Record* find(self, object records, Py_ssize_t first, Py_ssize_t count, int thread) except NULL
    cdef double teach(self, const Lesson* lesson, int thread) noexcept nogil
    cdef bint meet(self, int thread) noexcept nogil
    cdef void open_gates(self) noexcept nogil
    cdef double learn_block(self, Workspace* work, const Record* records, const uint32_t* order, int count,
                            float share) noexcept nogil
    cdef void read_block(self, Workspace* work, const Record* records, const uint32_t* order, int count,
                         float share) noexcept nogil
    cdef void forward(self, Workspace* work, int count) noexcept nogil
    cdef void backward(self, Workspace* work, int count) noexcept nogil
    cdef void update(self, int thread, const Pace* pace) noexcept nogil
    cdef void update_inputs(self, int tile, int first, int last, const Pace* pace) noexcept nogil
    cdef void take_slopes(self, int place, float* slopes) noexcept nogil
    cdef void update_row(self, int place, const float* slopes, const Pace* pace) noexcept nogil
    cdef void share_out(self, int tile, int first, int last) noexcept nogil

cdef int read_inputs(const Record* record, int regions, uint16_t* ours, uint16_t* theirs) noexcept nogil
cdef float expected_score(const Record* record, float scale, float share) noexcept nogil
cdef double find_slopes(Workspace* work, int count) noexcept nogil
