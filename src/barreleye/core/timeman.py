"""How long to think: the clock turned into an optimum, which the driver stretches or cuts, and a hard maximum."""
import cython
from cython.cimports.barreleye.core.control import Control, Limits
from cython.cimports.barreleye.core.params import (
    HORIZON_MOVES, MAXIMUM_SHARE, MIN_MOVE_US,
)
from cython.cimports.barreleye.core.timeman import set_budget
from cython.cimports.libc.math import log10, pow
from cython.cimports.libc.stdint import int64_t


def set_budget(control: Control, us: cython.int, ply: cython.int, overhead_ms: cython.int,
               ponder: cython.bint) -> cython.void:
    """Fill in the control's optimum and maximum from its limits, in microseconds.

    Time is shared out over the moves to the next control, or a horizon of moves that the increments of the way there
    help to pay for; early moves get a little less than late ones, longer games a little more.
    """
    limits: cython.pointer[Limits] = cython.address(control.limits)
    control.uses_time = limits.has_clock[us] and not limits.infinite
    control.optimum_us = control.maximum_us = 0
    if limits.move_time_ms:
        spare_us: int64_t = min(overhead_ms * 1000, limits.move_time_ms * 300)
        control.maximum_us = max(limits.move_time_ms * 1000 - spare_us, MIN_MOVE_US)
    if not control.uses_time:
        return
    time: cython.double = max(1, limits.time_ms[us])
    increment: cython.double = limits.increment_ms[us]
    moves: cython.double = min(limits.moves_to_go, HORIZON_MOVES) if limits.moves_to_go else HORIZON_MOVES
    # An increment-only clock cannot pay overheads it never earns.
    overhead: cython.double = min(cython.cast(cython.double, overhead_ms), max(time / 8, 1))
    left: cython.double = max(1.0, time + increment * (moves - 1) - overhead * (2 + moves))
    left = max(left, 0.05 * time)
    share: cython.double
    stretch: cython.double
    if limits.moves_to_go:
        share = min((0.88 + ply / 116.0) / moves, 0.88 * time / left)
        stretch = min(6.3, 1.3 + 0.11 * moves)
    else:
        magnitude: cython.double = log10(left / 1000)
        share = min(0.0122 + pow(ply + 2.95, 0.462) * min(0.00308 + 0.000319 * magnitude, 0.00506), 0.213 * time / left)
        stretch = min(6.64, max(3.39 + 3.01 * magnitude, 2.93) + ply / 12.0)
    optimum: cython.double = share * left
    maximum: cython.double = min(MAXIMUM_SHARE / 1000.0 * time - overhead, stretch * optimum)
    if ponder:
        optimum *= 1.25
    control.maximum_us = max(cython.cast(int64_t, maximum * 1000), MIN_MOVE_US)
    control.optimum_us = min(max(cython.cast(int64_t, optimum * 1000), MIN_MOVE_US), control.maximum_us)
    if limits.move_time_ms:
        control.maximum_us = min(control.maximum_us, limits.move_time_ms * 1000)
