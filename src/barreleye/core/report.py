"""What the search says while it thinks: records of numbers, handed to whoever listens. The only GIL below the pool."""
import cython
from cython.cimports.barreleye.core.report import (
    line_info, report_current, report_lines, tell_current, tell_lines,
)
from cython.cimports.barreleye.core.platform import thread_us
from cython.cimports.barreleye.core.syzygy.root import extend_line
from cython.cimports.barreleye.core.types import Move
from cython.cimports.barreleye.core.value import DRAW_SHAKE, VALUE_DRAW, VALUE_INFINITE, VALUE_TB, is_decisive, is_mate
from cython.cimports.barreleye.core.worker import RootMove, Worker, shown_score
from cython.cimports.libc.stdint import int64_t


class SearchInfo:
    """What the search can say of one line at one moment."""


def line_info(w: Worker, index: cython.int, depth: cython.int) -> SearchInfo:
    """A report on one line. A line not searched in this iteration tells of the one before, or of none: depth 0."""
    root_move: cython.pointer[RootMove] = w.order[index]
    info: SearchInfo = SearchInfo.__new__(SearchInfo)
    updated: cython.bint = root_move.score != -VALUE_INFINITE
    info.depth = depth if updated else max(1, depth - 1)
    info.score = shown_score(root_move)
    if info.score == -VALUE_INFINITE:
        info.depth = 0
        info.score = w.root_score()
    elif abs(info.score) <= DRAW_SHAKE:
        info.score = VALUE_DRAW
    info.bound = 0
    if updated:
        info.bound = 1 if root_move.score_lowerbound else -1 if root_move.score_upperbound else 0
    info.sel_depth = root_move.sel_depth
    info.multipv = index + 1
    info.time_us = w.control.wall_us()
    info.nodes = w.control.total_nodes()
    if info.nodes != w.control.counted_nodes:          # lines reported together, and the result, share one count
        w.control.counted_nodes = info.nodes
        w.control.hashfull = w.tt.count_used(0)
    info.hashfull = w.control.hashfull
    info.tbhits = w.control.total_hits()
    if w.root_in_tables and abs(info.score) <= VALUE_TB:
        # Short of mate the tables know better than the search.
        info.score = root_move.tb_score
        info.bound = 0
    if (w.tb_extend_us > 0 and is_decisive(info.score) and not is_mate(info.score) and info.bound == 0
            and not root_move.extended):
        extend_line(w, root_move, w.tb_extend_us)
    info.pv = [root_move.pv[ply] for ply in range(root_move.pv_length)]
    return info


def tell(w: Worker, info: SearchInfo):
    """Hand over one report. A listener that fails ends the search, which then raises what it raised."""
    try:
        w.control.listener(info)
    except BaseException as error:
        w.control.failure = error
        w.control.halt()


def report_lines(w: Worker, depth: cython.int, count: cython.int) -> cython.void:
    """Hand the listener the first lines as they stand, unless it shall be spared and has just heard something."""
    if not w.control.is_heard:
        return
    if w.control.pause_us:
        now_us: int64_t = w.control.wall_us()
        if now_us - w.control.reported_us < w.control.pause_us:
            return
        w.control.reported_us = now_us
    began_us: int64_t = thread_us() if w.control.is_timed else 0
    w.reported_nodes = w.nodes
    tell_lines(w, depth, count)
    if w.control.is_timed:
        w.control.told_us += thread_us() - began_us


def report_current(w: Worker, move: Move, number: cython.int) -> cython.void:
    """Tell the listener which root move a long search is at."""
    if not w.control.is_heard:
        return
    began_us: int64_t = thread_us() if w.control.is_timed else 0
    tell_current(w, move, number)
    if w.control.is_timed:
        w.control.told_us += thread_us() - began_us


def tell_lines(w: Worker, depth: cython.int, count: cython.int) -> cython.void:
    """Make a report of each of the first lines, and hand them over."""
    index: cython.int
    for index in range(count):
        tell(w, line_info(w, index, depth))


def tell_current(w: Worker, move: Move, number: cython.int) -> cython.void:
    """Make a report of the root move being searched, and hand it over."""
    info: SearchInfo = SearchInfo.__new__(SearchInfo)
    info.depth = w.root_depth
    info.currmove = move
    info.currmovenumber = number
    info.nodes = w.control.total_nodes()
    info.time_us = w.control.wall_us()
    tell(w, info)
