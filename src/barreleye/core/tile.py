"""One tile of a hidden layer in training: the loops over its lanes, which the compiler turns into vector code.

A tile is small enough that its weights, errors and gradients stay in the processor's second-level cache and its sums in
registers. Two things are as they are because a compiler would lose those registers otherwise: lists of rows are closed
by END and not counted, or it rearranges the loops; and each loop is a function of a module that nobody inlines, or it
keeps one loop's numbers while it runs another.
"""
import cython
from cython.cimports.barreleye.core.tile import (
    END, LANES, Block, add_activated, add_rows, forward_tile, gather_tile, sort_users, turn_back, turn_tile,
)
from cython.cimports.libc.stdint import uint16_t
from cython.cimports.libc.string import memset


def forward_tile(block: cython.pointer[Block], count: cython.int, table: cython.pointer[cython.const[cython.float]],
                 hidden: cython.p_float) -> cython.void:
    """The hidden values of a block's vectors, and what they add to the outputs."""
    biases: cython.pointer[cython.const[cython.float]] = table + block.input_count * LANES
    vector: cython.int
    for vector in range(2 * count):
        add_rows(hidden, biases, table, block.inputs + block.first[vector])
        row: cython.int = block.input_count + 1 + 2 * block.bucket[vector >> 1] + (vector & 1)
        add_activated(block.sums + (vector >> 1) * LANES, hidden, table + row * LANES)
        hidden += LANES


def turn_tile(block: cython.pointer[cython.const[Block]], count: cython.int,
              table: cython.pointer[cython.const[cython.float]], hidden: cython.p_float,
              gradient: cython.p_float) -> cython.void:
    """From the slopes to the gradients of output weights and biases; errors take the place of the hidden values."""
    vector: cython.int
    for vector in range(2 * count):
        row: cython.int = block.input_count + 1 + 2 * block.bucket[vector >> 1] + (vector & 1)
        turn_back(hidden, table + row * LANES, gradient + row * LANES, gradient + block.input_count * LANES,
                  block.slope[vector >> 1])
        hidden += LANES


def gather_tile(block: cython.pointer[Block], errors: cython.pointer[cython.const[cython.float]],
                gradient: cython.p_float) -> cython.void:
    """The gradient of each input from the errors of the vectors that have it."""
    users: cython.pointer[uint16_t] = block.users
    row: cython.int
    for row in range(block.input_count):
        if users[0] != END:
            add_rows(gradient, gradient, errors, users)
        users = block.users + block.place[row] + 1
        gradient += LANES


def sort_users(block: cython.pointer[Block], count: cython.int) -> cython.void:
    """For each input the list of the vectors that have it, one list behind the other."""
    vector: cython.int
    row: cython.int
    total: cython.int = 0
    size: cython.int
    inputs: cython.pointer[uint16_t]
    memset(block.place, 0, cython.sizeof(block.place))
    for vector in range(2 * count):
        inputs = block.inputs + block.first[vector]
        while inputs[0] != END:
            block.place[inputs[0]] += 1
            inputs += 1
    for row in range(block.input_count):
        size = block.place[row]
        block.place[row] = total
        total += size + 1
        block.users[total - 1] = END
    for vector in range(2 * count):
        inputs = block.inputs + block.first[vector]
        while inputs[0] != END:
            row = inputs[0]
            block.users[block.place[row]] = vector
            block.place[row] += 1
            inputs += 1


def add_rows(to: cython.p_float, begin: cython.pointer[cython.const[cython.float]],
             table: cython.pointer[cython.const[cython.float]],
             rows: cython.pointer[cython.const[uint16_t]]) -> cython.void:
    """A vector and the rows of a list that has at least one, added up."""
    sums: cython.float[LANES]
    lane: cython.int
    row: cython.pointer[cython.const[cython.float]] = table + rows[0] * LANES
    for lane in range(LANES):
        sums[lane] = begin[lane] + row[lane]
    rows += 1
    while rows[0] != END:
        row = table + rows[0] * LANES
        for lane in range(LANES):
            sums[lane] += row[lane]
        rows += 1
    for lane in range(LANES):
        to[lane] = sums[lane]


def add_activated(sums: cython.p_float, hidden: cython.pointer[cython.const[cython.float]],
                  weights: cython.pointer[cython.const[cython.float]]) -> cython.void:
    """sums += weight times clipped value squared."""
    zero: cython.float = 0
    one: cython.float = 1
    value: cython.float
    lane: cython.int
    for lane in range(LANES):
        value = hidden[lane]
        value = zero if value < zero else value
        value = one if value > one else value
        sums[lane] += value * value * weights[lane]


def turn_back(hidden: cython.p_float, weights: cython.pointer[cython.const[cython.float]],
              weight_gradient: cython.p_float, bias_gradient: cython.p_float, slope: cython.float) -> cython.void:
    """From a vector's slope to the gradients of its weights and of the biases, and to its errors."""
    zero: cython.float = 0
    one: cython.float = 1
    twice: cython.float = slope + slope
    value: cython.float
    error: cython.float
    lane: cython.int
    for lane in range(LANES):
        value = hidden[lane]
        # Below zero the clipped value is zero and so is the error; above one it is cut off here.
        steepness: cython.float = twice if value < one else zero
        value = zero if value < zero else value
        value = one if value > one else value
        weight_gradient[lane] += slope * value * value
        error = steepness * weights[lane] * value
        hidden[lane] = error
        bias_gradient[lane] += error
