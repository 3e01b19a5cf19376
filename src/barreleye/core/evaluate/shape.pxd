"""The shape of a network, declared once for the trainer, the file and the engine."""

cpdef enum:
    INPUTS = 768                  # piece of either side on a square, seen by one side
    MAX_MEN = 32                  # inputs that are active at once
    WIDTH_STEP = 16               # the hidden layer is a multiple of this
    MAX_WIDTH = 1024
    MAX_BUCKETS = 8               # output layers by men on the board
    QA = 255                      # an activation of one
    QB = 64                       # an output weight of one


# Which input a piece on a square is for a side: its own pieces first, ranks from its end, its king always on a to d.
cdef inline int input_index(int side, bint mirrored, int piece, int sq) noexcept nogil:
    return ((384 if piece >> 3 != side else 0) + 64 * ((piece & 7) - 1)
            + (sq ^ (56 if side else 0) ^ (7 if mirrored else 0)))

cdef inline int bucket_of(int men, int buckets) noexcept nogil:
    return (men - 1) * buckets // MAX_MEN
