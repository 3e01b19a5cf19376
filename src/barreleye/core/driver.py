"""Iterative deepening: one worker from depth 1 until something says stop. Main worker and helpers run the same loop.

It runs without the GIL; only report.py takes it, to hand up what was found.
"""
import cython
from cython.cimports.barreleye.core import params, techniques
from cython.cimports.barreleye.core.control import stopped
from cython.cimports.barreleye.core.decision import begin, confirm, repeat
from cython.cimports.barreleye.core.driver import aspirate, iterate, out_of_time, restore_best, set_aside, soft_limit
from cython.cimports.barreleye.core.ledger import open_window
from cython.cimports.barreleye.core.move import NO_MOVE
from cython.cimports.barreleye.core.platform import load_count, load_flag, store_count, store_flag
from cython.cimports.barreleye.core.position import is_tactical
from cython.cimports.barreleye.core.recorder import ABOVE, AT_LEAST, AT_MOST, WINDOW
from cython.cimports.barreleye.core.report import report_lines
from cython.cimports.barreleye.core.search import visit
from cython.cimports.barreleye.core.tuning import use_params
from cython.cimports.barreleye.core.types import MAX_PLY
from cython.cimports.barreleye.core.value import VALUE_INFINITE, VALUE_MATE, is_loss, is_mate
from cython.cimports.barreleye.core.worker import (
    STACK_BELOW, Frame, RootMove, Worker, keep_line, take_back_line, uses,
)
from cython.cimports.libc.math import exp
from cython.cimports.libc.stdint import uint64_t


def iterate(w: Worker) -> cython.void:
    """Deepen until a limit, a stop or the end of the stack; the last complete result stays in the root moves."""
    params_before: cython.pointer[cython.const[cython.int]] = use_params(w.params)
    is_main: cython.bint = w.index == 0
    search_again: cython.int = 0
    last_best: RootMove
    last_best_depth: cython.int = 0
    total_changes: cython.double = 0
    time_reduction: cython.double = 1
    iteration: cython.int = 0
    depth: cython.int
    index: cython.int
    multi_pv: cython.int = min(w.control.multi_pv, w.root_count)
    last_best.move = NO_MOVE
    if w.has_network:
        w.accumulators.attach(w.pos)
    for depth in range(1, MAX_PLY):
        if stopped(w.control) or (w.control.limits.depth and is_main and depth > w.control.limits.depth):
            break
        w.root_depth = depth
        total_changes /= 2
        set_aside(w)
        w.pv_last = 0
        complete: cython.bint = False
        for index in range(multi_pv):
            # Moves that the tablebases rank lower come after all better ones.
            if index == w.pv_last:
                w.pv_first = index
                while w.pv_last < w.root_count and w.order[w.pv_last].tb_rank == w.order[index].tb_rank:
                    w.pv_last += 1
            w.pv_index = index
            w.sel_depth = 0
            aspirate(w, depth, cython.address(search_again))
            w.sort_root_moves(w.pv_first, index + 1)
            if stopped(w.control):
                break
            complete = index + 1 == multi_pv
            if is_main and (complete or w.control.is_slow()):
                report_lines(w, depth, index + 1)
        if not complete:
            # An unfinished iteration may have replaced the best move only by something proven better.
            if w.order[0].score == -VALUE_INFINITE or w.order[0].score_upperbound or is_loss(w.order[0].score):
                if last_best.move != NO_MOVE:
                    restore_best(w, cython.address(last_best))
            else:
                w.line_depth = depth
            break
        w.completed_depth = w.line_depth = depth
        if w.order[0].move != last_best.move:
            last_best_depth = depth
        last_best = w.order[0][0]

        if not is_main:
            continue
        w.control.arm()
        # A mate within the asked length, given or suffered, ends a search for mate.
        if (w.control.limits.mate and is_mate(w.order[0].score)
                and VALUE_MATE - abs(w.order[0].score) <= 2 * w.control.limits.mate):
            w.control.halt()
        if w.control.limits.soft_nodes and w.control.total_nodes() >= soft_limit(w):
            w.control.halt()
        if w.control.uses_time and not load_flag(cython.address(w.control.stop_on_ponderhit)):
            for index in range(w.control.counter_count):
                total_changes += load_count(w.control.changes[index])
                store_count(w.control.changes[index], 0)
            if out_of_time(w, last_best_depth, total_changes, cython.address(time_reduction), iteration):
                if load_flag(cython.address(w.control.pondering)):
                    store_flag(cython.address(w.control.stop_on_ponderhit), 1)
                else:
                    w.control.halt()
            elif (not load_flag(cython.address(w.control.pondering))
                  and w.control.elapsed_us() > w.control.optimum_us // params.SEARCH_AGAIN_PART):
                search_again += 1
            w.control.recent_scores[iteration & 3] = w.order[0].score
            iteration += 1
    if is_main:
        w.control.previous_time_reduction = time_reduction
    use_params(params_before)


def set_aside(w: Worker) -> cython.void:
    """Before an iteration: keep what the last one said of each root move, as long as this one has not searched it."""
    index: cython.int
    for index in range(w.root_count):
        w.order[index].previous_score = w.order[index].score
        w.order[index].score = -VALUE_INFINITE
        if w.control.multi_pv > 1:
            keep_line(w.order[index])


def soft_limit(w: Worker) -> uint64_t:
    """How many nodes are enough for the answer as it stands."""
    if w.control.limits.noisy_nodes and (w.pos.st.checkers or is_tactical(w.pos, w.order[0].move)):
        return w.control.limits.noisy_nodes
    return w.control.limits.soft_nodes


def restore_best(w: Worker, best: cython.pointer[RootMove]) -> cython.void:
    """Go back to the last complete iteration: its scores, its order, its best move as it was then."""
    record: cython.pointer[RootMove]
    index: cython.int
    for index in range(w.root_count):
        record = w.order[index]
        record.score = record.uci_score = record.previous_score
        if w.control.multi_pv > 1:
            take_back_line(record)
        record.score_lowerbound = record.score_upperbound = False
    w.sort_root_moves(0, w.root_count)
    index = 0
    while w.order[index].move != best.move:
        index += 1
    record = w.order[index]
    while index > 0:
        w.order[index] = w.order[index - 1]
        index -= 1
    w.order[0] = record
    record[0] = best[0]


def aspirate(w: Worker, depth: cython.int, search_again: cython.pointer[cython.int]) -> cython.void:
    """Search one line within a window around its average score, widening it until the score falls inside."""
    ss: cython.pointer[Frame] = w.stack + STACK_BELOW
    line: cython.pointer[RootMove] = w.order[w.pv_index]
    delta: cython.int = (params.ASPIRATION_DELTA + w.index % params.ASPIRATION_THREADS
                         + abs(line.mean_squared_score) // params.ASPIRATION_DIVISOR)
    average: cython.int = line.average_score
    alpha: cython.int = max(average - delta, -VALUE_INFINITE)
    beta: cython.int = min(average + delta, VALUE_INFINITE)
    fail_highs: cython.int = 0
    value: cython.int
    windows: cython.int = 0
    if depth == 1 or average == -VALUE_INFINITE or not uses(w, techniques.ASPIRATION):
        alpha = -VALUE_INFINITE
        beta = VALUE_INFINITE
    begin(w, techniques.ASPIRATION, alpha, beta)
    while True:
        # After fail-highs a shallower search confirms the move sooner.
        adjusted: cython.int = max(1, depth - fail_highs - params.SEARCH_AGAIN_SCALE * (search_again[0] + 1) // 4)
        w.root_delta = beta - alpha
        if w.ledger != cython.NULL:
            open_window(w.ledger, w.pv_last - w.pv_index, depth, adjusted, w.pv_index, windows)
        windows += 1
        value = visit(w, ss, alpha, beta, adjusted, False, WINDOW)
        w.sort_root_moves(w.pv_index, w.pv_last)
        if stopped(w.control):
            return
        if value <= alpha:
            repeat(w, techniques.ASPIRATION, AT_MOST, value, alpha)
            beta = (alpha + beta) // 2
            alpha = max(value - delta, -VALUE_INFINITE)
            fail_highs = 0
            if w.index == 0:
                store_flag(cython.address(w.control.stop_on_ponderhit), 0)
        elif value >= beta:
            repeat(w, techniques.ASPIRATION, AT_LEAST, value, beta)
            alpha = max(beta - delta, alpha)
            beta = min(value + delta, VALUE_INFINITE)
            fail_highs += 1
        else:
            if windows == 1:
                confirm(w, techniques.ASPIRATION, ABOVE, value, alpha)
            return
        delta += delta // params.ASPIRATION_WIDEN
        if delta > params.ASPIRATION_LIMIT:
            delta = 2 * VALUE_INFINITE
        if w.index == 0 and w.control.multi_pv == 1 and w.control.is_slow():
            report_lines(w, depth, w.pv_index + 1)


def out_of_time(w: Worker, last_best_depth: cython.int, total_changes: cython.double,
                time_reduction: cython.pointer[cython.double], iteration: cython.int) -> cython.bint:
    """Whether this iteration was the last one worth its time. More time for falling scores and restless best moves."""
    best: cython.pointer[RootMove] = w.order[0]
    score: cython.int = best.score
    falling: cython.double = 1
    if w.control.previous_average != VALUE_INFINITE:
        earlier: cython.int = w.control.recent_scores[iteration & 3]
        if earlier == VALUE_INFINITE:
            earlier = w.control.previous_score
        falling = (params.FALLING_BASE + params.FALLING_AVERAGE * (w.control.previous_average - score)
                   + params.FALLING_RECENT * (earlier - score)) / 1000.0
        falling = max(params.FALLING_MIN / 1000.0, min(params.FALLING_MAX / 1000.0, falling))
    # A best move that has held for many iterations needs less.
    held: cython.double = w.completed_depth - last_best_depth - params.STABLE_DEPTH / 1000.0
    time_reduction[0] = (params.STABLE_BASE + params.STABLE_SCALE
                         / (params.STABLE_OFFSET / 1000.0 + exp(-params.STABLE_SLOPE / 1000.0 * held))
                         ) / 1000.0
    reduction: cython.double = ((params.STABLE_PREVIOUS / 1000.0 + w.control.previous_time_reduction)
                                / (params.STABLE_DIVISOR / 1000.0 * time_reduction[0]))
    # Threads that keep changing their minds need more.
    instability: cython.double = (params.INSTABILITY_BASE
                                  + params.INSTABILITY_SCALE * total_changes / w.control.counter_count
                                  ) / 1000.0
    effort: cython.double = 1
    if w.completed_depth >= params.EFFORT_MIN_DEPTH and best.effort * 1000 > params.EFFORT_SHARE * w.nodes:
        effort = params.EFFORT_FACTOR / 1000.0
    total: cython.double = w.control.optimum_us * falling * reduction * instability * effort
    if w.root_count == 1:
        total = min(total, cython.cast(cython.double, params.ONE_MOVE_US))
    return w.control.elapsed_us() > min(total, cython.cast(cython.double, w.control.maximum_us))
