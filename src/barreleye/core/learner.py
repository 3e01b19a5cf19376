"""Training a network: gradients of a batch of positions, and the step that follows them.

The first layer is sparse: a position has at most 32 of 768 inputs for each side. Forward, their rows are added up;
backward, a block's error vectors are sorted by input and each row's gradient is gathered in one go, because scattering
them position by position would go through the whole gradient again and again.
"""
import cython
from cython.cimports.barreleye.core.bitboard import pop_lsb
from cython.cimports.barreleye.core.evaluate.shape import INPUTS, MAX_MEN, bucket_of, input_index
from cython.cimports.barreleye.core.learner import (
    BLOCK, MAX_LEARNERS, SUMS, Workspace, add_rows, backward, dot_activated, read_inputs,
)
from cython.cimports.barreleye.core.platform import alloc_aligned, free_aligned
from cython.cimports.barreleye.core.selfplay import Record
from cython.cimports.barreleye.core.types import BLACK, KING, WHITE, Bitboard, file_of, make_piece
from cython.cimports.libc.math import exp, sqrtf
from cython.cimports.libc.stdint import uint32_t
from cython.cimports.libc.string import memcpy, memset

from barreleye.core.evaluate.shape import check_shape, parameter_count

BETA_1, BETA_2, EPSILON = 0.9, 0.999, 1e-8


class Learner:
    """A network being trained, in floating point: weights, Adam's moments, and room for each thread to work in."""

    def __cinit__(self, width: int, buckets: int = 1, threads: int = 1, scale: float = 400):
        check_shape(width, buckets)
        if not 1 <= threads <= MAX_LEARNERS:
            raise ValueError(f"threads are {threads}, expected 1 to {MAX_LEARNERS}")
        self.width = width
        self.buckets = buckets
        self.threads = threads
        self.scale = scale
        self.parameters = parameter_count(width, buckets)
        size: cython.size_t = self.parameters * cython.sizeof(cython.float)
        self.values = cython.cast(cython.p_float, alloc_aligned(size))
        self.mean = cython.cast(cython.p_float, alloc_aligned(size))
        self.variance = cython.cast(cython.p_float, alloc_aligned(size))
        if self.values == cython.NULL or self.mean == cython.NULL or self.variance == cython.NULL:
            raise MemoryError("not enough memory to train a network of this width")
        memset(self.values, 0, size)
        memset(self.mean, 0, size)
        memset(self.variance, 0, size)
        index: cython.int
        for index in range(threads):
            work: cython.pointer[Workspace] = cython.address(self.work[index])
            work.gradient = cython.cast(cython.p_float, alloc_aligned(size))
            work.hidden = cython.cast(cython.p_float, alloc_aligned(2 * width * cython.sizeof(cython.float)))
            work.errors = cython.cast(cython.p_float, alloc_aligned(BLOCK * 2 * width * cython.sizeof(cython.float)))
            work.rows = cython.cast(cython.p_int, alloc_aligned(BLOCK * 2 * MAX_MEN * cython.sizeof(cython.int)))
            work.men = cython.cast(cython.p_int, alloc_aligned(BLOCK * cython.sizeof(cython.int)))
            work.starts = cython.cast(cython.p_int, alloc_aligned((INPUTS + 1) * cython.sizeof(cython.int)))
            work.users = cython.cast(cython.p_int, alloc_aligned(BLOCK * 2 * MAX_MEN * cython.sizeof(cython.int)))
            if (work.gradient == cython.NULL or work.hidden == cython.NULL or work.errors == cython.NULL
                    or work.rows == cython.NULL or work.men == cython.NULL or work.starts == cython.NULL
                    or work.users == cython.NULL):
                raise MemoryError("not enough memory for another training thread")
            memset(work.gradient, 0, size)

    def __dealloc__(self):
        free_aligned(self.values)
        free_aligned(self.mean)
        free_aligned(self.variance)
        index: cython.int
        for index in range(self.threads):
            free_aligned(self.work[index].gradient)
            free_aligned(self.work[index].hidden)
            free_aligned(self.work[index].errors)
            free_aligned(self.work[index].rows)
            free_aligned(self.work[index].men)
            free_aligned(self.work[index].starts)
            free_aligned(self.work[index].users)

    # From Python

    def learn(self, records: object, order: object, thread: int, result_share: float) -> float:
        """Add the gradient of these positions to a thread's sum; returns the sum of their losses.

        records is a buffer of 32-byte positions, order the numbers of those to learn from (32-bit).
        """
        data: cython.const[cython.uchar][::1] = records
        picked: cython.const[cython.uint][::1] = order
        work: cython.pointer[Workspace] = cython.address(self.work[thread])
        share: cython.float = result_share
        loss: cython.double = 0
        first: cython.Py_ssize_t = 0
        total: cython.Py_ssize_t = picked.shape[0]
        limit: cython.Py_ssize_t = data.shape[0] // cython.sizeof(Record)
        if not 0 <= thread < self.threads:
            raise ValueError(f"there is no thread {thread}")
        for first in range(total):
            if picked[first] >= limit:
                raise ValueError(f"there is no position {picked[first]} among {limit}")
        if total == 0:
            return 0.0
        start: cython.pointer[cython.const[Record]] = cython.cast(cython.pointer[cython.const[Record]],
                                                                  cython.address(data[0]))
        first = 0
        with cython.nogil:
            while first < total:
                count: cython.int = cython.cast(cython.int, min(BLOCK, total - first))
                loss += self.learn_block(work, start, cython.cast(cython.pointer[cython.const[uint32_t]],
                                                                  cython.address(picked[first])), count, share)
                first += count
        return loss

    def predict(self, records: object, first: int, count: int, thread: int = 0) -> bytes:
        """The network's outputs for some positions in a row, as logits for the side to move in 32-bit floats."""
        data: cython.const[cython.uchar][::1] = records
        if not 0 <= thread < self.threads:
            raise ValueError(f"there is no thread {thread}")
        if not (0 <= first and 0 <= count and first + count <= data.shape[0] // cython.sizeof(Record)):
            raise ValueError(f"there are no positions {first} to {first + count}")
        result = bytearray(count * cython.sizeof(cython.float))
        if count == 0:
            return bytes(result)
        outputs: cython.p_float = cython.cast(cython.p_float, cython.cast(cython.p_char, result))
        begin: cython.Py_ssize_t = first
        record: cython.pointer[cython.const[Record]] = cython.cast(cython.pointer[cython.const[Record]],
                                                                   cython.address(data[0])) + begin
        work: cython.pointer[Workspace] = cython.address(self.work[thread])
        index: cython.int
        total: cython.int = count
        with cython.nogil:
            for index in range(total):
                work.men[0] = read_inputs(record + index, work.rows)
                outputs[index] = self.forward(work, 0, bucket_of(work.men[0], self.buckets))
        return bytes(result)

    def begin_step(self) -> None:
        """Count a step of the optimiser; update_part does its work."""
        self.steps += 1

    def update_part(self, part: int, parts: int, positions: int, rate: float, decay: float, clip: float) -> None:
        """AdamW on one of several equal parts of the weights, from all threads' gradients of so many positions."""
        first: cython.int = self.parameters * part // parts
        last: cython.int = self.parameters * (part + 1) // parts
        index: cython.int
        thread: cython.int
        scale: cython.float = 1.0 / positions
        step: cython.float = rate * (1 - BETA_2 ** self.steps) ** 0.5 / (1 - BETA_1 ** self.steps)
        fade: cython.float = rate * decay
        most: cython.float = clip
        with cython.nogil:
            for thread in range(1, self.threads):
                for index in range(first, last):
                    self.work[0].gradient[index] += self.work[thread].gradient[index]
                    self.work[thread].gradient[index] = 0
            for index in range(first, last):
                self.work[0].gradient[index] *= scale
            self.update(first, last, step, fade, most)

    def get_weights(self) -> bytes:
        """All weights as 32-bit floats."""
        return cython.cast(cython.p_char, self.values)[:self.parameters * cython.sizeof(cython.float)]

    def set_weights(self, weights: bytes) -> None:
        """Put other weights in place, moments untouched."""
        if len(weights) != self.parameters * cython.sizeof(cython.float):
            raise ValueError(f"the weights take {len(weights)} bytes, expected {4 * self.parameters}")
        memcpy(self.values, cython.cast(cython.p_char, weights), len(weights))

    def get_moments(self) -> tuple:
        """Adam's memory, for checkpoints."""
        size: cython.size_t = self.parameters * cython.sizeof(cython.float)
        return (self.steps, cython.cast(cython.p_char, self.mean)[:size],
                cython.cast(cython.p_char, self.variance)[:size])

    def set_moments(self, steps: int, mean: bytes, variance: bytes) -> None:
        """Go on from a checkpoint."""
        size: cython.size_t = self.parameters * cython.sizeof(cython.float)
        if len(mean) != size or len(variance) != size:
            raise ValueError("the checkpoint belongs to a network of another shape")
        self.steps = steps
        memcpy(self.mean, cython.cast(cython.p_char, mean), size)
        memcpy(self.variance, cython.cast(cython.p_char, variance), size)

    def get_gradient(self, thread: int = 0) -> bytes:
        """A thread's gradient sum, for tests."""
        return cython.cast(cython.p_char, self.work[thread].gradient)[:self.parameters * cython.sizeof(cython.float)]

    # Without Python

    def learn_block(self, work: cython.pointer[Workspace], records: cython.pointer[cython.const[Record]],
                    order: cython.pointer[cython.const[uint32_t]], count: cython.int,
                    result_share: cython.float) -> cython.double:
        """Forward and backward through a block of positions."""
        loss: cython.double = 0
        slot: cython.int
        for slot in range(count):
            loss += self.learn_position(work, records + order[slot], slot, result_share)
        self.gather(work, count)
        return loss

    def learn_position(self, work: cython.pointer[Workspace], record: cython.pointer[cython.const[Record]],
                       slot: cython.int, result_share: cython.float) -> cython.double:
        """The loss of one position; leaves its error vectors in the workspace."""
        width: cython.int = self.width
        work.men[slot] = read_inputs(record, work.rows + slot * 2 * MAX_MEN)
        bucket: cython.int = bucket_of(work.men[slot], self.buckets)
        black: cython.bint = record.side_ep & 128 != 0
        score: cython.float = -record.score if black else record.score
        points: cython.float = (2 - record.result if black else record.result) / 2.0
        target: cython.double = (result_share * points
                                 + (1 - result_share) / (1 + exp(-score / self.scale)))
        expected: cython.double = 1 / (1 + exp(-self.forward(work, slot, bucket)))
        slope: cython.float = 2 * (expected - target) * expected * (1 - expected)
        outputs: cython.int = (INPUTS + 1 + 2 * bucket) * width
        half: cython.int
        for half in range(2):
            backward(work.hidden + half * width, self.values + outputs + half * width,
                     work.gradient + outputs + half * width, work.errors + (2 * slot + half) * width, slope, width)
        work.gradient[self.parameters - self.buckets + bucket] += slope
        return (expected - target) * (expected - target)

    def forward(self, work: cython.pointer[Workspace], slot: cython.int, bucket: cython.int) -> cython.float:
        """The network's output for the position in a slot."""
        width: cython.int = self.width
        half: cython.int
        result: cython.float = self.values[self.parameters - self.buckets + bucket]
        for half in range(2):
            hidden: cython.p_float = work.hidden + half * width
            memcpy(hidden, self.values + INPUTS * width, width * cython.sizeof(cython.float))
            add_rows(hidden, self.values, work.rows + (2 * slot + half) * MAX_MEN, work.men[slot], width)
            result += dot_activated(hidden, self.values + (INPUTS + 1 + 2 * bucket + half) * width, width)
        return result

    def gather(self, work: cython.pointer[Workspace], count: cython.int) -> cython.void:
        """Each input's gradient from the error vectors of the positions that have it."""
        width: cython.int = self.width
        vector: cython.int
        index: cython.int
        row: cython.int
        memset(work.starts, 0, (INPUTS + 1) * cython.sizeof(cython.int))
        for vector in range(2 * count):
            for index in range(work.men[vector >> 1]):
                work.starts[work.rows[vector * MAX_MEN + index] + 1] += 1
        for row in range(INPUTS):
            work.starts[row + 1] += work.starts[row]
        for vector in range(2 * count):
            for index in range(work.men[vector >> 1]):
                row = work.rows[vector * MAX_MEN + index]
                work.users[work.starts[row]] = vector
                work.starts[row] += 1
        index = 0
        for row in range(INPUTS):
            add_rows(work.gradient + row * width, work.errors, work.users + index, work.starts[row] - index, width)
            index = work.starts[row]
        for vector in range(2 * count):
            work.users[vector] = vector
        add_rows(work.gradient + INPUTS * width, work.errors, work.users, 2 * count, width)

    def update(self, first: cython.int, last: cython.int, rate: cython.float, decay: cython.float,
               clip: cython.float) -> cython.void:
        """AdamW with clipped weights; the gradient is used up."""
        index: cython.int
        beta_1: cython.float = 0.9
        beta_2: cython.float = 0.999
        gradient: cython.p_float = self.work[0].gradient
        for index in range(first, last):
            slope: cython.float = gradient[index]
            mean: cython.float = beta_1 * self.mean[index] + (1 - beta_1) * slope
            variance: cython.float = beta_2 * self.variance[index] + (1 - beta_2) * slope * slope
            value: cython.float = self.values[index] * (1 - decay) - rate * mean / (sqrtf(variance) + 1e-8)
            self.mean[index] = mean
            self.variance[index] = variance
            self.values[index] = max(-clip, min(clip, value))
            gradient[index] = 0


def read_inputs(record: cython.pointer[cython.const[Record]], rows: cython.p_int) -> cython.int:
    """The active inputs of a position, side to move first; returns how many men there are."""
    squares: cython.int[MAX_MEN]
    men: cython.int[MAX_MEN]
    kings: cython.int[2]
    count: cython.int = 0
    side: cython.int
    half: cython.int
    index: cython.int
    us: cython.int = BLACK if record.side_ep & 128 else WHITE
    left: Bitboard = record.occupied
    kings[0] = kings[1] = 0
    while left and count < MAX_MEN:
        squares[count] = pop_lsb(cython.address(left))
        men[count] = record.pieces[count >> 1] >> (4 * (count & 1)) & 15
        if men[count] & 7 == KING:
            kings[men[count] >> 3] = squares[count]
        count += 1
    for half in range(2):
        side = us ^ half
        for index in range(count):
            # An empty nibble cannot come from self-play; a damaged file must not lead outside the table.
            piece: cython.int = men[index] if 1 <= men[index] & 7 <= KING else make_piece(WHITE, KING)
            rows[half * MAX_MEN + index] = input_index(side, file_of(kings[side]) >= 4, piece, squares[index])
    return count


def add_rows(to: cython.p_float, table: cython.pointer[cython.const[cython.float]],
             rows: cython.pointer[cython.const[cython.int]], count: cython.int, width: cython.int) -> cython.void:
    """to += the sum of these rows of a table, four rows in a pass, so that the sum is loaded and stored less often."""
    lane: cython.int
    number: cython.int = 0
    a: cython.pointer[cython.const[cython.float]]
    while number + 4 <= count:
        a = table + rows[number] * width
        b: cython.pointer[cython.const[cython.float]] = table + rows[number + 1] * width
        c: cython.pointer[cython.const[cython.float]] = table + rows[number + 2] * width
        d: cython.pointer[cython.const[cython.float]] = table + rows[number + 3] * width
        for lane in range(width):
            to[lane] += (a[lane] + b[lane]) + (c[lane] + d[lane])
        number += 4
    while number < count:
        a = table + rows[number] * width
        for lane in range(width):
            to[lane] += a[lane]
        number += 1


def dot_activated(hidden: cython.pointer[cython.const[cython.float]],
                  weights: cython.pointer[cython.const[cython.float]], width: cython.int) -> cython.float:
    """The sum of weight times clipped value squared, in independent partial sums."""
    sums: cython.float[SUMS]
    zero: cython.float = 0
    one: cython.float = 1
    total: cython.float = 0
    value: cython.float
    index: cython.int
    lane: cython.int = 0
    for index in range(SUMS):
        sums[index] = 0
    while lane < width:
        for index in range(SUMS):
            value = hidden[lane + index]
            value = zero if value < zero else value
            value = one if value > one else value
            sums[index] += value * value * weights[lane + index]
        lane += SUMS
    for index in range(SUMS):
        total += sums[index]
    return total


def backward(hidden: cython.pointer[cython.const[cython.float]], weights: cython.pointer[cython.const[cython.float]],
             weight_gradient: cython.p_float, errors: cython.p_float, slope: cython.float,
             width: cython.int) -> cython.void:
    """From the output's slope to the output weights' gradients and the hidden values' errors."""
    zero: cython.float = 0
    one: cython.float = 1
    twice: cython.float = slope + slope
    value: cython.float
    lane: cython.int
    for lane in range(width):
        value = hidden[lane]
        # Below zero the clipped value is zero and so is the error; above one it is cut off here.
        steepness: cython.float = twice if value < one else zero
        value = zero if value < zero else value
        value = one if value > one else value
        weight_gradient[lane] += slope * value * value
        errors[lane] = steepness * weights[lane] * value
