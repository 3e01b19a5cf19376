"""What is written down of a node as it begins, knows and ends. The verbs for its decisions are in the header."""
import cython
from cython.cimports.barreleye.core.control import stopped
from cython.cimports.barreleye.core.decision import begin_visit, finish_visit, know_node
from cython.cimports.barreleye.core.move import NO_MOVE
from cython.cimports.barreleye.core.recorder import (
    AGAIN, FIRST, FLAG_BOUND, FLAG_CUT_NODE, FLAG_FORMER_PV, FLAG_IMPROVING, FLAG_IN_CHECK, FLAG_QUIESCENCE,
    FLAG_TABLE_HIT, FLAG_WORSENING, OPEN, RAZOR, REDUCED, SCOUT, SINGULAR, VERIFY, WINDOW, Visit, VisitKind,
    enter_visit, leave_visit, open_visit,
)
from cython.cimports.barreleye.core.tt import TTData
from cython.cimports.barreleye.core.value import VALUE_NONE
from cython.cimports.barreleye.core.worker import Frame, Worker


def begin_visit(w: Worker, ss: cython.pointer[Frame], alpha: cython.int, beta: cython.int, depth: cython.int,
                cut_node: cython.bint, kind: VisitKind, is_quiescence: cython.bint) -> cython.void:
    """Write down what was asked of a node."""
    cell: Visit
    stays: cython.bint = kind in (WINDOW, VERIFY, SINGULAR, RAZOR)        # the same position again
    cell.key = w.pos.st.key
    cell.nodes = w.nodes
    cell.alpha = cython.cast(cython.short, alpha)
    cell.beta = cython.cast(cython.short, beta)
    cell.value = 0
    cell.evaluation = cell.static_eval = cell.estimate = cell.tt_value = VALUE_NONE
    cell.tt_depth = 0
    cell.depth = cell.depth_left = cython.cast(cython.short, depth)
    cell.ply = cython.cast(cython.short, ss.ply)
    cell.move = NO_MOVE if stays else (ss - 1).current_move
    cell.move_number = (cython.cast(cython.ushort, (ss - 1).move_count)
                        if kind in (REDUCED, AGAIN, SCOUT, FIRST, OPEN) else 0)
    cell.best_move = cell.tt_move = NO_MOVE
    cell.excluded = ss.excluded_move
    cell.flags = cython.cast(cython.ushort, FLAG_CUT_NODE * cut_node + FLAG_QUIESCENCE * is_quiescence
                             + FLAG_IN_CHECK * (w.pos.st.checkers != 0))
    cell.kind = cython.cast(cython.uchar, kind)
    cell.iteration = cython.cast(cython.uchar, w.root_depth)
    cell.line = cython.cast(cython.ushort, w.pv_index)
    cell.reserved = 0
    ss.hand = NO_MOVE
    enter_visit(w.recorder, cython.address(cell), cython.address(ss.hand))


def know_node(w: Worker, ss: cython.pointer[Frame], tt: cython.pointer[TTData], former_pv: cython.bint,
              evaluation: cython.int, estimate: cython.int) -> cython.void:
    """Write down what a node knew before it looked at moves."""
    cell: cython.pointer[Visit] = open_visit(w.recorder)
    if cell == cython.NULL:
        return
    cell.evaluation = cython.cast(cython.short, evaluation)
    cell.static_eval = cython.cast(cython.short, ss.static_eval) if not ss.in_check else VALUE_NONE
    cell.estimate = cython.cast(cython.short, estimate)
    cell.tt_value = cython.cast(cython.short, tt.value)
    cell.tt_depth = cython.cast(cython.short, tt.depth) if tt.hit else 0
    cell.tt_move = tt.move
    cell.flags |= cython.cast(cython.ushort, FLAG_TABLE_HIT * tt.hit + FLAG_FORMER_PV * former_pv
                              + ((tt.bound if tt.hit else 0) << FLAG_BOUND))
    if not ss.in_check:
        cell.flags |= cython.cast(cython.ushort, FLAG_IMPROVING * (ss.static_eval > (ss - 2).static_eval)
                                  + FLAG_WORSENING * (ss.static_eval > -(ss - 1).static_eval))


def finish_visit(w: Worker, value: cython.int) -> cython.void:
    """Write down what came of a node."""
    leave_visit(w.recorder, value, stopped(w.control))
