"""What pieces add to a network's verdict as they come onto the board one by one: the sums behind Shapley values.

A network takes any set of pieces, also one that no game could have: only the kings must be there.
"""
import cython
from cython.cimports.barreleye.core.bitboard import bit, popcount
from cython.cimports.barreleye.core.evaluate.coalition import Gathering, Tally, gather, place, verdict
from cython.cimports.barreleye.core.evaluate.nnue import Network, add_row, input_row, read_out
from cython.cimports.barreleye.core.evaluate.shape import view_of
from cython.cimports.barreleye.core.platform import alloc_aligned, free_aligned
from cython.cimports.barreleye.core.position import Position, king_square, occupied
from cython.cimports.barreleye.core.types import BLACK, COLORS, SQUARES, WHITE, Bitboard
from cython.cimports.libc.stdint import int16_t
from cython.cimports.libc.string import memcpy, memset


def marginals(network: Network, position: Position, orders: bytes) -> tuple:
    """The verdict on the kings alone, then by square what the man on it adds, summed over orders, and the squares too.

    orders has the squares of all men but the kings, one order after the other; a man adds what the verdict grows by
    when it joins the kings and those before it. Centipawns for White.
    """
    kings: Bitboard = bit(king_square(position, WHITE)) | bit(king_square(position, BLACK))
    others: Bitboard = occupied(position) & ~kings
    count: cython.int = popcount(others)
    if len(orders) % max(1, count):
        raise ValueError(f"{len(orders)} squares are no orders of {count} men")
    width: cython.int = network.width
    memory: cython.pointer[int16_t] = cython.cast(cython.pointer[int16_t], alloc_aligned(
        2 * COLORS * width * cython.sizeof(int16_t)))
    if memory == cython.NULL:
        raise MemoryError("not enough memory for a network's accumulators")
    start: cython.pointer[int16_t] = memory + COLORS * width
    tally: Tally
    memset(cython.address(tally), 0, cython.sizeof(Tally))
    try:
        g: Gathering
        side: cython.int
        for side in range(COLORS):
            g.values[side] = memory + side * width
            g.view[side] = view_of(network.regions, side, king_square(position, side))
            memcpy(g.values[side], network.feature_bias, width * cython.sizeof(int16_t))
        g.men = 0
        for side in range(COLORS):
            place(network, cython.address(g), position.board[king_square(position, side)], king_square(position, side))
        memcpy(start, memory, COLORS * width * cython.sizeof(int16_t))
        alone: cython.int = verdict(network, cython.address(g), position.side)
        number: cython.Py_ssize_t
        index: cython.int
        for number in range(len(orders) // count if count else 0):
            order: bytes = orders[number * count:(number + 1) * count]
            told: Bitboard = 0
            for index in range(count):
                told |= bit(cython.cast(cython.int, order[index]) & 63)
            if told != others or max(order) >= SQUARES:
                raise ValueError(f"order {number} is none of the men on the board")
            gather(network, position, cython.address(g), start, order, count, alone, cython.address(tally))
    finally:
        free_aligned(memory)
    sign: cython.int = 1 if position.side == WHITE else -1
    return (sign * alone, [sign * tally.total[index] for index in range(SQUARES)],
            [tally.squares[index] for index in range(SQUARES)])


def place(net: Network, g: cython.pointer[Gathering], piece: cython.int, sq: cython.int) -> cython.void:
    """Put one more man onto the board."""
    side: cython.int
    for side in range(COLORS):
        add_row(g.values[side], input_row(net, side, g.view[side], piece, sq), net.width)
    g.men += 1


def verdict(net: Network, g: cython.pointer[cython.const[Gathering]], us: cython.int) -> cython.int:
    """Centipawns for the side to move."""
    return read_out(net, g.values[us], g.values[us ^ 1], g.men)


def gather(net: Network, pos: Position, g: cython.pointer[Gathering], kings: cython.pointer[cython.const[int16_t]],
           order: cython.pointer[cython.const[cython.uchar]], count: cython.int, alone: cython.int,
           tally: cython.pointer[Tally]) -> cython.void:
    """Fill the board in one order, beginning with the kings, whose verdict is known."""
    memcpy(g.values[0], kings, COLORS * net.width * cython.sizeof(int16_t))
    g.men = 2
    before: cython.int = alone
    index: cython.int
    for index in range(count):
        sq: cython.int = order[index]
        place(net, g, pos.board[sq], sq)
        now: cython.int = verdict(net, g, pos.side)
        tally.total[sq] += now - before
        tally.squares[sq] += (now - before) * (now - before)
        before = now
