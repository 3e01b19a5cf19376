"""Positions of the search tree, picked at random while it is searched: more of what a network will be asked about.

A worker with a Harvest offers it every position that it evaluates. What is kept is a fair sample of them, whatever
their number turns out to be (a reservoir), and each is kept as the moves that lead there from the root.
"""
import cython
from cython.cimports.barreleye.core.harvest import MAX_PATH, Harvest, Path, offer
from cython.cimports.barreleye.core.position import Position
from cython.cimports.barreleye.core.types import Key
from cython.cimports.barreleye.core.zobrist import next_random


def offer(harvest: cython.pointer[Harvest], pos: Position, value: cython.int) -> cython.void:
    """Take part in the draw with a position below the root that was reached by real moves only."""
    ply: cython.int = cython.cast(cython.int, pos.st - pos.states) - harvest.root
    if ply < 1 or ply > MAX_PATH or pos.st.plies_from_null < ply or abs(value) > harvest.limit:
        return
    slot: cython.int = harvest.seen
    harvest.seen += 1
    if slot >= harvest.wanted:
        slot = cython.cast(cython.int, next_random(cython.address(harvest.seed))
                           % cython.cast(Key, harvest.seen))
        if slot >= harvest.wanted:
            return
    path: cython.pointer[Path] = cython.address(harvest.paths[slot])
    path.length = ply
    while ply > 0:
        path.moves[ply - 1] = pos.states[harvest.root + ply].move
        ply -= 1
