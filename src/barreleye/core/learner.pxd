"""Training a network: gradients of a batch of positions, and the step that follows them."""
cimport cython
from libc.stdint cimport uint32_t, uint64_t
from barreleye.core.selfplay cimport Record

cdef enum:
    BLOCK = 256                   # positions whose gradients are gathered at once
    SUMS = 16                     # lanes added side by side
    MAX_LEARNERS = 64

cdef struct Workspace:            # what one thread needs; float arrays of `width` unless said otherwise
    float* gradient               # [parameters]
    float* hidden                 # [2 * width], the values of one position
    float* errors                 # [BLOCK][2][width]
    int* rows                # [BLOCK][2][MAX_MEN], the active inputs
    int* men                      # [BLOCK]
    int* starts                   # [INPUTS + 1], counting sort: where each input's positions begin
    int* users                    # [BLOCK * 2 * MAX_MEN], the error vectors that use each input


@cython.final
cdef class Learner:
    cdef readonly int width
    cdef readonly int buckets
    cdef readonly int parameters
    cdef readonly int threads
    cdef readonly float scale     # centipawns at a logit of one
    cdef readonly uint64_t steps
    cdef float* values            # feature weights, feature bias, output weights, output bias
    cdef float* mean              # Adam's moments
    cdef float* variance
    cdef Workspace work[MAX_LEARNERS]

    cdef double learn_block(self, Workspace* work, const Record* records, const uint32_t* order, int count,
                            float result_share) noexcept nogil
    cdef double learn_position(self, Workspace* work, const Record* record, int slot, float result_share) noexcept nogil
    cdef float forward(self, Workspace* work, int slot, int bucket) noexcept nogil
    cdef void gather(self, Workspace* work, int count) noexcept nogil
    cdef void update(self, int first, int last, float rate, float decay, float clip) noexcept nogil

cdef int read_inputs(const Record* record, int* rows) noexcept nogil
cdef void add_rows(float* to, const float* table, const int* rows, int count, int width) noexcept nogil
cdef float dot_activated(const float* hidden, const float* weights, int width) noexcept nogil
cdef void backward(const float* hidden, const float* weights, float* weight_gradient, float* errors, float slope,
                   int width) noexcept nogil
