"""Training a network: gradients of batches of positions, and the steps that follow them.

The first layer is sparse: a position has at most 32 of a region's 768 inputs for each side. Forward, their rows are
added up; backward, a block's error vectors are sorted by input and each row's gradient is gathered in one go, because
scattering them position by position would go through the whole gradient again and again. Both ways a whole block goes
through one tile of the hidden layer after the other (`tile`).

In a network with regions a row is the sum of two: what an input means with the king in this region, and what it means
wherever the king is. Both are learned, the latter from the gradients of all regions, so that a region that kings seldom
visit knows what the others know.

Threads take equal parts of each batch, meet, take equal parts of the weights, and meet again; so the same threads come
to the same network on every run.
"""
import cython
from cython.cimports.barreleye.core.bitboard import bit, pop_lsb, popcount
from cython.cimports.barreleye.core.evaluate.shape import INPUTS, MAX_MEN, bucket_of, input_index, view_of
from cython.cimports.barreleye.core.learner import (
    AHEAD, MAX_LEARNERS, Lesson, Pace, Workspace, expected_score, find_slopes, read_inputs,
)
from cython.cimports.barreleye.core.platform import alloc_aligned, free_aligned, mul_high, prefetch
from cython.cimports.barreleye.core.selfplay import NO_RESULT, Record
from cython.cimports.barreleye.core.tile import (
    BLOCK, END, LANES, VECTORS, forward_tile, gather_tile, sort_users, turn_tile,
)
from cython.cimports.barreleye.core.types import BLACK, KING, PAWN, WHITE, Bitboard, Key
from cython.cimports.barreleye.core.zobrist import next_random
from cython.cimports.cpython.pythread import (
    WAIT_LOCK, PyThread_acquire_lock, PyThread_allocate_lock, PyThread_free_lock, PyThread_release_lock,
)
from cython.cimports.libc.math import expf, pow, sqrt, sqrtf
from cython.cimports.libc.stdint import uint16_t, uint32_t, uint64_t
from cython.cimports.libc.string import memcpy, memset

from barreleye.core.evaluate.shape import check_shape, parameter_count, row_count

BETA_1, BETA_2 = 0.9, 0.999


class Learner:
    """A network being trained, in floating point: weights, Adam's moments, and room for each thread to work in."""

    def __cinit__(self, width: int, buckets: int = 1, threads: int = 1, scale: float = 400, regions: int = 1):
        check_shape(width, buckets, regions)
        if not 1 <= threads <= MAX_LEARNERS:
            raise ValueError(f"threads are {threads}, expected 1 to {MAX_LEARNERS}")
        self.width = width
        self.buckets = buckets
        self.regions = regions
        self.scale = scale
        self.beta_1 = BETA_1
        self.beta_2 = BETA_2
        self.inputs = regions * INPUTS
        # What regions share are rows behind those of the network.
        shared: cython.int = INPUTS if regions > 1 else 0
        self.parameters = parameter_count(width, buckets, regions) + shared * width
        self.rows = row_count(buckets, regions) + shared
        self.tiles = (self.width + LANES - 1) // LANES
        self.places = (self.tiles * self.rows + 1) * LANES
        size: cython.size_t = self.places * cython.sizeof(cython.float)
        self.values = cython.cast(cython.p_float, alloc_aligned(size))
        self.table = cython.cast(cython.p_float, alloc_aligned(size)) if regions > 1 else self.values
        self.mean = cython.cast(cython.p_float, alloc_aligned(size))
        self.variance = cython.cast(cython.p_float, alloc_aligned(size))
        self.door = PyThread_allocate_lock()
        if (self.values == cython.NULL or self.table == cython.NULL or self.mean == cython.NULL
                or self.variance == cython.NULL or self.door == cython.NULL):
            raise MemoryError("not enough memory to train a network of this width")
        memset(self.values, 0, size)
        if self.table != self.values:
            memset(self.table, 0, size)
        memset(self.mean, 0, size)
        memset(self.variance, 0, size)
        index: cython.int
        for index in range(threads):
            work: cython.pointer[Workspace] = cython.cast(cython.pointer[Workspace],
                                                          alloc_aligned(cython.sizeof(Workspace)))
            if work == cython.NULL:
                raise MemoryError("not enough memory for another training thread")
            memset(work, 0, cython.sizeof(Workspace))
            work.block.input_count = self.inputs
            self.work[index] = work
            self.threads = index + 1
            self.gates[index] = PyThread_allocate_lock()
            work.gradient = cython.cast(cython.p_float, alloc_aligned(size))
            work.hidden = cython.cast(cython.p_float, alloc_aligned(
                self.tiles * VECTORS * LANES * cython.sizeof(cython.float)))
            if work.gradient == cython.NULL or work.hidden == cython.NULL or self.gates[index] == cython.NULL:
                raise MemoryError("not enough memory for another training thread")
            memset(work.gradient, 0, size)
            PyThread_acquire_lock(self.gates[index], WAIT_LOCK)

    def __dealloc__(self):
        if self.table != self.values:
            free_aligned(self.table)
        free_aligned(self.values)
        free_aligned(self.mean)
        free_aligned(self.variance)
        index: cython.int
        for index in range(self.threads):
            free_aligned(self.work[index].gradient)
            free_aligned(self.work[index].hidden)
            free_aligned(self.work[index])
            if self.gates[index] != cython.NULL:
                PyThread_free_lock(self.gates[index])
        if self.door != cython.NULL:
            PyThread_free_lock(self.door)

    # From Python

    def learn(self, records: object, order: object, batch: int, rates: object, shares: object, decay: float,
              clip: float, thread: int = 0) -> float:
        """Take a step for each rate, from the next `batch` positions of an order; returns the losses of this thread.

        records is a buffer of 32-byte positions, order the numbers of those to learn from (32 bits each); the last
        batch may be smaller. rates are the step sizes, shares those of the result in what is learned (32-bit floats).
        AdamW: decay pulls the weights towards zero, and no weight grows beyond clip. All threads have to call this at
        once with the same arguments.
        """
        lesson: Lesson
        data: cython.const[cython.uchar][::1] = records
        picked: cython.const[cython.uint][::1] = order
        step_sizes: cython.const[cython.float][::1] = rates
        result_shares: cython.const[cython.float][::1] = shares
        total: cython.Py_ssize_t = picked.shape[0]
        limit: cython.Py_ssize_t = data.shape[0] // cython.sizeof(Record)
        largest: cython.uint = 0
        index: cython.Py_ssize_t
        if not 0 <= thread < self.threads:
            raise ValueError(f"there is no thread {thread}")
        lesson.steps = cython.cast(cython.int, step_sizes.shape[0])
        if result_shares.shape[0] != lesson.steps:
            raise ValueError(f"{lesson.steps} rates and {result_shares.shape[0]} shares do not go together")
        if batch < 1 or not (lesson.steps - 1) * batch < total <= lesson.steps * batch:
            raise ValueError(f"{total} positions are not {lesson.steps} batches of {batch}")
        for index in range(total):
            largest = max(largest, picked[index])
        if largest >= limit:
            raise ValueError(f"there is no position {largest} among {limit}")
        lesson.records = cython.cast(cython.pointer[cython.const[Record]], cython.address(data[0]))
        lesson.order = cython.cast(cython.pointer[cython.const[uint32_t]], cython.address(picked[0]))
        lesson.rates = cython.address(step_sizes[0])
        lesson.shares = cython.address(result_shares[0])
        lesson.count = total
        lesson.batch = batch
        lesson.decay = decay
        lesson.clip = clip
        number: cython.int = thread
        with cython.nogil:
            loss: cython.double = self.teach(cython.address(lesson), number)
        return loss

    def abandon(self) -> None:
        """Let threads that wait for others in `learn` go: not all will come. The learner is of no more use."""
        PyThread_acquire_lock(self.door, WAIT_LOCK)
        self.abandoned = True
        self.open_gates()
        PyThread_release_lock(self.door)

    def measure(self, records: object, first: int, count: int, share: float, thread: int = 0) -> float:
        """The sum of the losses of some positions in a row, with this share of the result in what should be said."""
        total: cython.Py_ssize_t = count
        if total == 0:
            return 0.0
        start: cython.pointer[cython.const[Record]] = self.find(records, first, total, thread)
        work: cython.pointer[Workspace] = self.work[thread]
        result_share: cython.float = share
        loss: cython.double = 0
        done: cython.Py_ssize_t = 0
        with cython.nogil:
            while done < total:
                size: cython.int = cython.cast(cython.int, min(BLOCK, total - done))
                self.read_block(work, start + done, cython.NULL, size, result_share)
                self.forward(work, size)
                loss += find_slopes(work, size)
                done += size
        return loss

    def predict(self, records: object, first: int, count: int, thread: int = 0) -> bytes:
        """The network's outputs for some positions in a row, as logits for the side to move in 32-bit floats."""
        total: cython.Py_ssize_t = count
        result = bytearray(total * cython.sizeof(cython.float))
        if total == 0:
            return bytes(result)
        outputs: cython.p_float = cython.cast(cython.p_float, cython.cast(cython.p_char, result))
        start: cython.pointer[cython.const[Record]] = self.find(records, first, total, thread)
        work: cython.pointer[Workspace] = self.work[thread]
        done: cython.Py_ssize_t = 0
        with cython.nogil:
            while done < total:
                size: cython.int = cython.cast(cython.int, min(BLOCK, total - done))
                self.read_block(work, start + done, cython.NULL, size, 0)
                self.forward(work, size)
                memcpy(outputs + done, work.output, size * cython.sizeof(cython.float))
                done += size
        return bytes(result)

    def get_weights(self) -> bytes:
        """All weights as 32-bit floats, row by row; behind them, before the output biases, what regions share."""
        return self.to_rows(self.values)

    def set_weights(self, weights: bytes) -> None:
        """Put other weights in place, moments untouched."""
        self.to_tiles(self.values, weights)
        if self.regions > 1:
            memcpy(self.table, self.values, self.places * cython.sizeof(cython.float))
            tile: cython.int
            for tile in range(self.tiles):
                self.share_out(tile, 0, INPUTS)

    def get_moments(self) -> tuple:
        """Adam's memory, for checkpoints: steps, means and variances of the slopes."""
        return self.steps, self.to_rows(self.mean), self.to_rows(self.variance)

    def set_moments(self, steps: int, mean: bytes, variance: bytes) -> None:
        """Go on from a checkpoint."""
        self.to_tiles(self.mean, mean)
        self.to_tiles(self.variance, variance)
        self.steps = steps

    def to_rows(self, tiles: cython.pointer[cython.const[cython.float]]) -> bytes:
        """Numbers in the order that everybody else knows: rows of `width`, then those of the output biases."""
        result = bytearray(self.parameters * cython.sizeof(cython.float))
        to: cython.p_float = cython.cast(cython.p_float, cython.cast(cython.p_char, result))
        row: cython.int
        lane: cython.int
        for row in range(self.rows):
            for lane in range(self.width):
                to[row * self.width + lane] = tiles[(lane // LANES * self.rows + row) * LANES + lane % LANES]
        memcpy(to + self.rows * self.width, tiles + self.tiles * self.rows * LANES,
               self.buckets * cython.sizeof(cython.float))
        return bytes(result)

    def to_tiles(self, tiles: cython.p_float, rows: bytes) -> cython.void:
        """The way back."""
        if len(rows) != 4 * self.parameters:
            raise ValueError(f"the weights take {len(rows)} bytes, expected {4 * self.parameters}: "
                             "they belong to a network of another shape")
        given: cython.p_float = cython.cast(cython.p_float, cython.cast(cython.p_char, rows))
        row: cython.int
        lane: cython.int
        for row in range(self.rows):
            for lane in range(self.width):
                tiles[(lane // LANES * self.rows + row) * LANES + lane % LANES] = given[row * self.width + lane]
        memcpy(tiles + self.tiles * self.rows * LANES, given + self.rows * self.width,
               self.buckets * cython.sizeof(cython.float))

    def find(self, records: object, first: cython.Py_ssize_t, count: cython.Py_ssize_t,
             thread: cython.int) -> cython.pointer[cython.const[Record]]:
        """The first of some positions in a buffer, which must have them all."""
        data: cython.const[cython.uchar][::1] = records
        if not 0 <= thread < self.threads:
            raise ValueError(f"there is no thread {thread}")
        if first < 0 or count < 1 or first + count > data.shape[0] // cython.cast(cython.Py_ssize_t,
                                                                                  cython.sizeof(Record)):
            raise ValueError(f"there are no positions {first} to {first + count}")
        return cython.cast(cython.pointer[cython.const[Record]], cython.address(data[0])) + first

    # Without Python

    def teach(self, lesson: cython.pointer[cython.const[Lesson]], thread: cython.int) -> cython.double:
        """One thread's part of some steps; returns the sum of its losses."""
        work: cython.pointer[Workspace] = self.work[thread]
        before: cython.double = self.steps
        pace: Pace
        loss: cython.double = 0
        step: cython.int
        for step in range(lesson.steps):
            begin: cython.Py_ssize_t = cython.cast(cython.Py_ssize_t, step) * lesson.batch
            size: cython.Py_ssize_t = min(lesson.batch, lesson.count - begin)
            place: cython.Py_ssize_t = begin + size * thread // self.threads
            end: cython.Py_ssize_t = begin + size * (thread + 1) // self.threads
            while place < end:
                count: cython.int = cython.cast(cython.int, min(BLOCK, end - place))
                loss += self.learn_block(work, lesson.records, lesson.order + place, count, lesson.shares[step])
                place += count
            if not self.meet(thread):
                return loss
            steps: cython.double = before + step + 1
            rate: cython.double = (lesson.rates[step] * sqrt(1 - pow(self.beta_2, steps))
                                   / (1 - pow(self.beta_1, steps)))
            pace.scale = cython.cast(cython.float, 1.0 / size)
            pace.rate = cython.cast(cython.float, rate)
            pace.decay = lesson.rates[step] * lesson.decay
            pace.clip = lesson.clip
            self.update(thread, cython.address(pace))
            if not self.meet(thread):
                return loss
        if thread == 0:
            self.steps += lesson.steps
        return loss

    def meet(self, thread: cython.int) -> cython.bint:
        """Wait until all threads are here; False if they will not come."""
        if self.threads == 1:
            return True
        PyThread_acquire_lock(self.door, WAIT_LOCK)
        together: cython.bint = not self.abandoned
        waits: cython.bint = False
        if together:
            self.waiting |= bit(thread)
            waits = popcount(self.waiting) < self.threads
            if not waits:
                self.waiting ^= bit(thread)
                self.open_gates()
        PyThread_release_lock(self.door)
        if waits:
            PyThread_acquire_lock(self.gates[thread], WAIT_LOCK)
            PyThread_acquire_lock(self.door, WAIT_LOCK)
            together = not self.abandoned
            PyThread_release_lock(self.door)
        return together

    def open_gates(self) -> cython.void:
        """Let all go who wait. Whoever calls this stands in the door."""
        while self.waiting:
            PyThread_release_lock(self.gates[pop_lsb(cython.address(self.waiting))])

    def learn_block(self, work: cython.pointer[Workspace], records: cython.pointer[cython.const[Record]],
                    order: cython.pointer[cython.const[uint32_t]], count: cython.int,
                    share: cython.float) -> cython.double:
        """Forward and backward through a block of positions; returns the sum of their losses."""
        self.read_block(work, records, order, count, share)
        self.forward(work, count)
        loss: cython.double = find_slopes(work, count)
        sort_users(cython.address(work.block), count)
        self.backward(work, count)
        return loss

    def read_block(self, work: cython.pointer[Workspace], records: cython.pointer[cython.const[Record]],
                   order: cython.pointer[cython.const[uint32_t]], count: cython.int,
                   share: cython.float) -> cython.void:
        """Unpack a block's positions: those of an order, or without one those in a row."""
        biases: cython.p_float = self.values + self.tiles * self.rows * LANES
        place: cython.int = 0
        slot: cython.int
        record: cython.pointer[cython.const[Record]]
        ours: uint16_t[MAX_MEN]
        theirs: uint16_t[MAX_MEN]
        for slot in range(count):
            if order == cython.NULL:
                record = records + slot
            else:
                record = records + order[slot]
                if slot + AHEAD < count:
                    prefetch(cython.cast(cython.p_void, records + order[slot + AHEAD]))
            men: cython.int = read_inputs(record, self.regions, ours, theirs)
            # All of both lists is copied, because that is quicker than what is used; the next list covers the rest.
            work.block.first[2 * slot] = place
            memcpy(work.block.inputs + place, ours, MAX_MEN * cython.sizeof(uint16_t))
            place += men + 1
            work.block.inputs[place - 1] = END
            work.block.first[2 * slot + 1] = place
            memcpy(work.block.inputs + place, theirs, MAX_MEN * cython.sizeof(uint16_t))
            place += men + 1
            work.block.inputs[place - 1] = END
            work.block.bucket[slot] = bucket_of(men, self.buckets)
            work.output[slot] = biases[work.block.bucket[slot]]
            work.target[slot] = expected_score(record, self.scale, share)

    def forward(self, work: cython.pointer[Workspace], count: cython.int) -> cython.void:
        """The hidden values and outputs of a block."""
        tile: cython.int
        slot: cython.int
        lane: cython.int
        memset(work.block.sums, 0, count * LANES * cython.sizeof(cython.float))
        for tile in range(self.tiles):
            forward_tile(cython.address(work.block), count, self.table + tile * self.rows * LANES,
                         work.hidden + tile * VECTORS * LANES)
        for slot in range(count):
            total: cython.float = 0
            for lane in range(LANES):
                total += work.block.sums[slot * LANES + lane]
            work.output[slot] += total

    def backward(self, work: cython.pointer[Workspace], count: cython.int) -> cython.void:
        """From the slopes of a block to the gradient of the weights."""
        tile: cython.int
        slot: cython.int
        for tile in range(self.tiles):
            gradient: cython.p_float = work.gradient + tile * self.rows * LANES
            hidden: cython.p_float = work.hidden + tile * VECTORS * LANES
            turn_tile(cython.address(work.block), count, self.table + tile * self.rows * LANES, hidden, gradient)
            gather_tile(cython.address(work.block), hidden, gradient)
        for slot in range(count):
            work.gradient[self.tiles * self.rows * LANES + work.block.bucket[slot]] += work.block.slope[slot]

    def update(self, thread: cython.int, pace: cython.pointer[cython.const[Pace]]) -> cython.void:
        """A thread's part of a step, from all threads' gradients, which are used up."""
        slopes: cython.float[LANES]
        first: cython.int = INPUTS * thread // self.threads
        last: cython.int = INPUTS * (thread + 1) // self.threads
        tile: cython.int
        row: cython.int
        for tile in range(self.tiles):
            self.update_inputs(tile, first, last, pace)
            if self.regions > 1:
                self.share_out(tile, first, last)
            row = self.inputs + thread
            while row < self.inputs + 1 + 2 * self.buckets:
                place: cython.int = (tile * self.rows + row) * LANES
                self.take_slopes(place, slopes)
                self.update_row(place, slopes, pace)
                if self.regions > 1:
                    memcpy(self.table + place, self.values + place, cython.sizeof(slopes))
                row += self.threads
        if thread == 0:
            self.take_slopes(self.tiles * self.rows * LANES, slopes)
            self.update_row(self.tiles * self.rows * LANES, slopes, pace)

    def update_inputs(self, tile: cython.int, first: cython.int, last: cython.int,
                      pace: cython.pointer[cython.const[Pace]]) -> cython.void:
        """A step of some inputs, in all regions, and of what these share."""
        slopes: cython.float[LANES]
        total: cython.float[LANES]
        place: cython.int
        index: cython.int
        region: cython.int
        lane: cython.int
        for index in range(first, last):
            memset(total, 0, cython.sizeof(total))
            for region in range(self.regions):
                place = (tile * self.rows + region * INPUTS + index) * LANES
                self.take_slopes(place, slopes)
                self.update_row(place, slopes, pace)
                for lane in range(LANES):
                    total[lane] += slopes[lane]
            if self.regions > 1:
                self.update_row(((tile + 1) * self.rows - INPUTS + index) * LANES, total, pace)

    def take_slopes(self, place: cython.int, slopes: cython.p_float) -> cython.void:
        """A row of the gradient, from all threads."""
        thread: cython.int
        lane: cython.int
        memcpy(slopes, self.work[0].gradient + place, LANES * cython.sizeof(cython.float))
        memset(self.work[0].gradient + place, 0, LANES * cython.sizeof(cython.float))
        for thread in range(1, self.threads):
            gradient: cython.p_float = self.work[thread].gradient + place
            for lane in range(LANES):
                slopes[lane] += gradient[lane]
            memset(gradient, 0, LANES * cython.sizeof(cython.float))

    def update_row(self, place: cython.int, slopes: cython.pointer[cython.const[cython.float]],
                   pace: cython.pointer[cython.const[Pace]]) -> cython.void:
        """AdamW with clipped weights."""
        kept_1: cython.float = self.beta_1
        kept_2: cython.float = self.beta_2
        scale: cython.float = pace.scale
        rate: cython.float = pace.rate
        decay: cython.float = pace.decay
        clip: cython.float = pace.clip
        one: cython.float = 1
        tiny: cython.float = 1e-8
        means: cython.p_float = self.mean + place
        variances: cython.p_float = self.variance + place
        values: cython.p_float = self.values + place
        lane: cython.int
        for lane in range(LANES):
            slope: cython.float = slopes[lane] * scale
            mean: cython.float = kept_1 * means[lane] + (one - kept_1) * slope
            variance: cython.float = kept_2 * variances[lane] + (one - kept_2) * slope * slope
            value: cython.float = values[lane] * (one - decay) - rate * mean / (sqrtf(variance) + tiny)
            means[lane] = mean
            variances[lane] = variance
            values[lane] = max(-clip, min(clip, value))

    def share_out(self, tile: cython.int, first: cython.int, last: cython.int) -> cython.void:
        """Some inputs' rows as the network uses them: what regions share is added to each."""
        values: cython.p_float = self.values + tile * self.rows * LANES
        table: cython.p_float = self.table + tile * self.rows * LANES
        shared: cython.p_float = values + (self.rows - INPUTS) * LANES
        region: cython.int
        place: cython.int
        for region in range(self.regions):
            own: cython.p_float = values + region * INPUTS * LANES
            used: cython.p_float = table + region * INPUTS * LANES
            for place in range(first * LANES, last * LANES):
                used[place] = own[place] + shared[place]


def mix(numbers: object, seed: int) -> None:
    """Put 32-bit numbers into a random order, the same for the same seed (Fisher and Yates)."""
    some: cython.uint[::1] = numbers
    coming: uint64_t[AHEAD]             # with whom the next numbers change places, fetched meanwhile
    count: uint64_t = some.shape[0]
    left: uint64_t = count
    drawn: uint64_t = count
    key: Key = seed
    with cython.nogil:
        while left > 1:
            while drawn > 1 and left - drawn < AHEAD:
                coming[drawn % AHEAD] = mul_high(next_random(cython.address(key)), drawn)
                prefetch(cython.address(some[coming[drawn % AHEAD]]))
                drawn -= 1
            other: uint64_t = coming[left % AHEAD]
            left -= 1
            number: cython.uint = some[left]
            some[left] = some[other]
            some[other] = number


def read_inputs(record: cython.pointer[cython.const[Record]], regions: cython.int, ours: cython.pointer[uint16_t],
                theirs: cython.pointer[uint16_t]) -> cython.int:
    """The active inputs as the side to move and the other see them, room for 32 each; returns how many there are."""
    squares: cython.int[MAX_MEN]
    men: cython.int[MAX_MEN]
    kings: cython.int[2]
    count: cython.int = 0
    index: cython.int
    us: cython.int = BLACK if record.side_ep & 128 else WHITE
    left: Bitboard = record.occupied
    kings[0] = kings[1] = 0
    memset(squares, 0, cython.sizeof(squares))
    memset(men, 0, cython.sizeof(men))
    while left and count < MAX_MEN:
        squares[count] = pop_lsb(cython.address(left))
        # An empty board or a nibble without a piece cannot come from self-play; a damaged file must lead nowhere else.
        piece: cython.int = record.pieces[count >> 1] >> (4 * (count & 1)) & 15
        men[count] = piece
        if piece & 7 == KING:
            kings[piece >> 3] = squares[count]
        count += 1
    our_view: cython.int = view_of(regions, us, kings[us])
    their_view: cython.int = view_of(regions, us ^ 1, kings[us ^ 1])
    for index in range(MAX_MEN):
        kind: cython.int = men[index] & 7
        kind = max(PAWN, min(KING, kind)) | men[index] & 8
        ours[index] = input_index(us, our_view, kind, squares[index])
        theirs[index] = input_index(us ^ 1, their_view, kind, squares[index])
    return max(1, count)


def expected_score(record: cython.pointer[cython.const[Record]], scale: cython.float,
                   share: cython.float) -> cython.float:
    """What the network should say of a position, for the side to move; without a result the score alone says it."""
    black: cython.bint = record.side_ep & 128 != 0
    score: cython.float = -record.score if black else record.score
    one: cython.float = 1
    expected: cython.float = one / (one + expf(-score / scale))
    if record.result >= NO_RESULT:
        return expected
    half_points: cython.float = 2 - record.result if black else record.result
    return expected + share * (half_points / 2 - expected)


def find_slopes(work: cython.pointer[Workspace], count: cython.int) -> cython.double:
    """The sum of a block's losses, and the slope of each over its output."""
    loss: cython.double = 0
    one: cython.float = 1
    slot: cython.int
    for slot in range(count):
        expected: cython.float = one / (one + expf(-work.output[slot]))
        error: cython.float = expected - work.target[slot]
        work.block.slope[slot] = 2 * error * expected * (one - expected)
        loss += error * error
    return loss
