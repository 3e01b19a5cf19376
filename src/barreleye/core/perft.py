"""Counting the leaves of the move tree: the proof that the rules are right, and their speed."""
import cython
from cython.cimports.barreleye.core.movegen import count_legal, generate_legal
from cython.cimports.barreleye.core.perft import count_leaves
from cython.cimports.barreleye.core.position import Position
from cython.cimports.barreleye.core.types import MAX_MOVES, MAX_PLY, Move
from cython.cimports.libc.stdint import uint64_t

MAX_DEPTH = 64


def count_leaves(pos: Position, depth: cython.int, bulk: cython.bint) -> uint64_t:
    """Leaves below a position. In bulk the last ply is counted, not played."""
    if depth == 1 and bulk:
        return count_legal(pos)
    moves: Move[MAX_MOVES]
    end: cython.pointer[Move] = generate_legal(pos, moves)
    move: cython.pointer[Move] = moves
    total: uint64_t = 0
    while move < end:
        pos.do_move(move[0], pos.gives_check(move[0]))
        total += count_leaves(pos, depth - 1, bulk) if depth > 1 else 1
        pos.undo_move(move[0])
        move += 1
    return total


def leaves(position: Position, depth: int, bulk: bool = True) -> int:
    """Leaves below a Position, on this thread, without the GIL."""
    if not 0 <= depth <= MAX_DEPTH:
        raise ValueError(f"perft depth is {depth}, expected a number from 0 to {MAX_DEPTH}")
    if depth == 0:
        return 1
    result: uint64_t
    plies: cython.int = depth
    position.reserve(MAX_PLY)
    in_bulk: cython.bint = bulk
    with cython.nogil:
        result = count_leaves(position, plies, in_bulk)
    return result
