"""How long to think: the clock turned into an optimum, which the driver stretches or cuts, and a hard maximum."""
import cython
from cython.cimports.barreleye.core import params
from cython.cimports.barreleye.core.control import Control, Limits
from cython.cimports.barreleye.core.timeman import clock_of, set_budget
from cython.cimports.libc.math import log10, pow
from cython.cimports.libc.stdint import int64_t


def clock_of(us: cython.int, has_clock: cython.p_bint) -> cython.int:
    """Whose clock counts: our own, or the other one if that alone was given."""
    return us if has_clock[us] or not has_clock[us ^ 1] else us ^ 1


def set_budget(control: Control, us: cython.int, ply: cython.int, overhead_ms: cython.int,
               ponder: cython.bint) -> cython.void:
    """Fill in the control's optimum and maximum from its limits, in microseconds.

    Time is shared out over the moves to the next control, or a horizon of moves that the increments of the way there
    help to pay for; early moves get a little less than late ones, longer games a little more.
    """
    limits: cython.pointer[Limits] = cython.address(control.limits)
    us = clock_of(us, limits.has_clock)
    control.uses_time = limits.has_clock[us] and not limits.infinite
    control.optimum_us = control.maximum_us = 0
    move_us: int64_t = 0
    if limits.move_time_ms:
        spare_us: int64_t = min(overhead_ms * 1000, limits.move_time_ms * params.MOVE_TIME_SPARE)
        control.maximum_us = move_us = max(limits.move_time_ms * 1000 - spare_us, params.MIN_MOVE_US)
    if not control.uses_time:
        return
    time: cython.double = max(1, limits.time_ms[us])
    increment: cython.double = limits.increment_ms[us]
    moves: cython.double = min(limits.moves_to_go, params.HORIZON_MOVES) if limits.moves_to_go else params.HORIZON_MOVES
    # An increment-only clock cannot pay the overheads of many moves that it never earns; this move's it must.
    later: cython.double = min(cython.cast(cython.double, overhead_ms), max(time / params.OVERHEAD_PART, 1))
    left: cython.double = max(1.0, time + increment * (moves - 1) - later * (params.OVERHEAD_MOVES + moves))
    left = max(left, params.LEFT_MIN / 1000.0 * time)
    share: cython.double
    stretch: cython.double
    if limits.moves_to_go:
        share = min((params.CONTROL_SHARE / 1000.0 + ply / cython.cast(cython.double, params.CONTROL_PLIES)) / moves,
                    params.CONTROL_SHARE / 1000.0 * time / left)
        stretch = min(params.CONTROL_STRETCH_LIMIT,
                      params.CONTROL_STRETCH + params.CONTROL_STRETCH_MOVES * moves) / 1000.0
    else:
        magnitude: cython.double = log10(left / 1000)
        growth: cython.double = min(params.SHARE_PLY_SCALE + params.SHARE_MAGNITUDE * magnitude,
                                    params.SHARE_SCALE_LIMIT) / 100000.0
        share = min(params.SHARE_BASE / 1000.0
                    + pow(ply + params.SHARE_PLY_OFFSET, params.SHARE_PLY_POWER / 1000.0) * growth,
                    params.SHARE_CLOCK_LIMIT / 1000.0 * time / left)
        stretch = min(params.STRETCH_LIMIT / 1000.0,
                      max(params.STRETCH_BASE + params.STRETCH_MAGNITUDE * magnitude, params.STRETCH_MIN) / 1000.0
                      + ply / cython.cast(cython.double, params.STRETCH_PLIES))
    optimum: cython.double = share * left
    maximum: cython.double = min(params.MAXIMUM_SHARE / 1000.0 * time - overhead_ms, stretch * optimum)
    if ponder:
        optimum *= params.PONDER_SHARE / 1000.0
    control.maximum_us = max(cython.cast(int64_t, maximum * 1000), params.MIN_MOVE_US)
    control.optimum_us = min(max(cython.cast(int64_t, optimum * 1000), params.MIN_MOVE_US), control.maximum_us)
    if limits.move_time_ms:
        control.maximum_us = min(control.maximum_us, move_us)
