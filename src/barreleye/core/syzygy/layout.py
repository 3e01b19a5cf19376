"""How Syzygy numbers the places of pieces: binomials and maps of squares, built at import.

Turning and mirroring the board brings the first piece into the triangle a1-d1-d4, or with pawns onto files a-d. What is
left is counted, so that an index has no gaps.
"""
import cython
from cython.cimports.barreleye.core.attacks import KING_ATTACKS
from cython.cimports.barreleye.core.bitboard import bit
from cython.cimports.barreleye.core.syzygy.layout import (
    BELOW_DIAGONAL, BINOMIAL, KINGS_INDEX, LEAD_PAWN_INDEX, LEAD_PAWNS_SIZE, MAX_GROUP, PAWN_ORDER, TRIANGLE,
    TRIANGLE_INDEX, fill_binomials, fill_kings, fill_pawns, fill_squares, off_diagonal,
)
from cython.cimports.barreleye.core.types import SQUARES, file_of, make_square
from cython.cimports.libc.stdint import uint64_t


def fill_binomials() -> cython.void:
    """Pascal's triangle."""
    k: cython.int
    n: cython.int
    for n in range(SQUARES):
        BINOMIAL[0][n] = 1
        for k in range(1, MAX_GROUP + 1):
            BINOMIAL[k][n] = BINOMIAL[k - 1][n - 1] + BINOMIAL[k][n - 1] if n > 0 else 0


def fill_squares() -> cython.void:
    """Number the squares below the long diagonal, and those of the triangle with its diagonal last."""
    sq: cython.int
    below: cython.int = 0
    inside: cython.int = 0
    for sq in range(SQUARES):
        if off_diagonal(sq) < 0:
            BELOW_DIAGONAL[sq] = below
            below += 1
            if file_of(sq) < 4:
                TRIANGLE_INDEX[sq] = inside
                inside += 1
    for sq in range(4):
        TRIANGLE_INDEX[make_square(sq, sq)] = inside + sq


def fill_kings() -> cython.void:
    """Number the 462 ways two kings can stand, those with both on the diagonal last."""
    number: cython.int = 0
    both_on_diagonal: cython.int
    index: cython.int
    first: cython.int
    second: cython.int
    for both_on_diagonal in range(2):
        for index in range(TRIANGLE):
            for first in range(28):
                if off_diagonal(first) > 0 or file_of(first) > 3 or TRIANGLE_INDEX[first] != index:
                    continue
                for second in range(SQUARES):
                    if (KING_ATTACKS[first] | bit(first)) & bit(second):
                        continue
                    if off_diagonal(first) == 0 and off_diagonal(second) > 0:
                        continue
                    if (off_diagonal(first) == 0 and off_diagonal(second) == 0) == both_on_diagonal:
                        KINGS_INDEX[index][second] = number
                        number += 1


def fill_pawns() -> cython.void:
    """Order the pawns' squares from the edge files in and from the second rank up; count the ways below each."""
    file: cython.int
    rank: cython.int
    count: cython.int
    left: cython.int = 47
    for file in range(4):
        for rank in range(1, 7):
            PAWN_ORDER[make_square(file, rank)] = left
            PAWN_ORDER[make_square(7 - file, rank)] = left - 1
            left -= 2
    for count in range(1, MAX_GROUP):
        for file in range(4):
            ways: uint64_t = 0
            for rank in range(1, 7):
                LEAD_PAWN_INDEX[count][make_square(file, rank)] = ways
                ways += BINOMIAL[count - 1][PAWN_ORDER[make_square(file, rank)]]
            LEAD_PAWNS_SIZE[count][file] = ways


fill_binomials()
fill_squares()
fill_kings()
fill_pawns()
