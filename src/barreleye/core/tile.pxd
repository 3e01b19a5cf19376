"""One tile of a hidden layer in training: the loops over its lanes, which the compiler turns into vector code."""
from libc.stdint cimport uint16_t
from barreleye.core.evaluate.shape cimport INPUTS, MAX_MEN, MAX_REGIONS

cdef enum:
    LANES = 64                    # of the hidden layer that are worked on at once
    BLOCK = 512                   # positions that are
    MOST_INPUTS = MAX_REGIONS * INPUTS
    VECTORS = 2 * BLOCK           # their hidden layers: the side to move's and the other's of each
    END = 0xFFFF                  # closes a list of inputs or vectors

cdef struct Block:             # some positions; a table or gradient of a tile is [rows][LANES], hidden [VECTORS][LANES]
    int input_count               # of the network: so many rows of a table come before the biases
    int first[VECTORS]            # where each vector's list of inputs begins
    int place[MOST_INPUTS]        # where each input's list of vectors ends
    int bucket[BLOCK]
    float slope[BLOCK]            # of the loss over the output
    float sums[BLOCK * LANES]     # of the outputs, lane by lane
    uint16_t inputs[VECTORS * (MAX_MEN + 1) + MAX_MEN]
    uint16_t users[VECTORS * MAX_MEN + MOST_INPUTS]

cdef void forward_tile(Block* block, int count, const float* table, float* hidden) noexcept nogil
cdef void turn_tile(const Block* block, int count, const float* table, float* hidden, float* gradient) noexcept nogil
cdef void gather_tile(Block* block, const float* errors, float* gradient) noexcept nogil
cdef void sort_users(Block* block, int count) noexcept nogil
cdef void add_rows(float* to, const float* begin, const float* table, const uint16_t* rows) noexcept nogil
cdef void add_activated(float* sums, const float* hidden, const float* weights) noexcept nogil
cdef void turn_back(float* hidden, const float* weights, float* weight_gradient, float* bias_gradient,
                    float slope) noexcept nogil
