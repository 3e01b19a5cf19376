"""The shape of a network, declared once for the trainer, the file and the engine."""

cpdef enum:
    INPUTS = 768                  # piece of either side on a square, seen by one side with its king in one region
    MAX_REGIONS = 4               # parts of the board that a side's king may be told apart by
    MAX_MEN = 32                  # inputs that are active at once
    WIDTH_STEP = 16               # the hidden layer is a multiple of this
    MAX_WIDTH = 1024
    MAX_BUCKETS = 8               # output layers by men on the board
    QA = 255                      # an activation of one
    QB = 256                      # an output weight of one
    LARGEST_SUM = 66051           # of the sizes of a half's output weights; times 255 * 255 / 2 it fits 32 bits
    LARGEST_FEATURE = 992         # with it 32 men and the bias stay within 16 bits


# How a side sees the board with its king on a square: twice the region of the king, and 1 if the board is mirrored so
# that the king always stands on a to d. With four regions these are a1 and b1, c1 and d1, the second rank, the rest.
cdef inline int view_of(int regions, int side, int king) noexcept nogil:
    cdef int rank = (king ^ (56 if side else 0)) >> 3
    cdef int mirrored = king >> 2 & 1
    if regions == 1:
        return mirrored
    return 2 * (min(rank, 2) + 1 if rank else (king ^ (7 if mirrored else 0)) >> 1 & 1) + mirrored

# Which input a piece on a square is for a side: its own pieces first, ranks from its end.
cdef inline int input_index(int side, int view, int piece, int sq) noexcept nogil:
    return (INPUTS * (view >> 1) + (384 if piece >> 3 != side else 0) + 64 * ((piece & 7) - 1)
            + (sq ^ (56 if side else 0) ^ (7 if view & 1 else 0)))

cdef inline int bucket_of(int men, int buckets) noexcept nogil:
    return (men - 1) * buckets // MAX_MEN
