"""The leaf: quiescence search, which resolves captures and checks until the evaluation can be believed.

Steps are numbered as in docs/search.md. A side not in check may stand pat: decline every capture and take the
evaluation as it is.
"""
import cython
from cython.cimports.barreleye.core import params, techniques
from cython.cimports.barreleye.core.bitboard import expect
from cython.cimports.barreleye.core.control import stopped
from cython.cimports.barreleye.core.decision import (
    above, at_most, begin_visit, confirm, consider, decide, ended, find_best, finish_visit, know, tally,
)
from cython.cimports.barreleye.core.history import prefetch_corrections
from cython.cimports.barreleye.core.move import NO_MOVE, PROMOTION, is_real, kind_of, to_sq
from cython.cimports.barreleye.core.movepick import Picker, next_move, start_quiescence
from cython.cimports.barreleye.core.platform import unlikely
from cython.cimports.barreleye.core.position import checks_king, is_tactical, moved_piece
from cython.cimports.barreleye.core.qsearch import (
    blend, copy_pv, draw_value, play, prefetch_child, qsearch, visit_quiet,
)
from cython.cimports.barreleye.core.recorder import (
    ABOVE, AT_LEAST, AT_MOST, BELOW, ENDED_DRAW, ENDED_MATE, ENDED_REPETITION, ENDED_STAND_PAT, ENDED_TOO_DEEP,
    EXCHANGE_BELOW, FIRST, LEAF, NOTHING, OPEN_LEAF, VisitKind,
)
from cython.cimports.barreleye.core.see import see_ge, see_value
from cython.cimports.barreleye.core.tt import (
    BOUND_LOWER, BOUND_UPPER, DEPTH_QS, DEPTH_UNSEARCHED, Entry, TTData,
)
from cython.cimports.barreleye.core.types import MAX_PLY, NO_SQUARE, Key, Move, type_of
from cython.cimports.barreleye.core.update import correction_value
from cython.cimports.barreleye.core.value import (
    DRAW_SHAKE, VALUE_DRAW, VALUE_INFINITE, VALUE_NONE, as_evaluation, is_decisive, is_loss, is_valid, mated_in,
    value_from_tt, value_to_tt,
)
from cython.cimports.barreleye.core.worker import Frame, Worker, count_node, uses


def draw_value(w: Worker) -> cython.int:
    """A draw, shaken a little, so that the search does not go blind to which draw it is; reports say draw."""
    if uses(w, techniques.DRAW_RANDOMISATION):
        tally(w, techniques.DRAW_RANDOMISATION, False)
        return VALUE_DRAW + (DRAW_SHAKE if w.nodes & 2 else -DRAW_SHAKE)
    return VALUE_DRAW


def blend(w: Worker, value: cython.int, beta: cython.int) -> cython.int:
    """A value that fails high, pulled towards beta unless it is decisive."""
    if not uses(w, techniques.FAIL_HIGH_BLEND):
        return value
    consider(w, techniques.FAIL_HIGH_BLEND)
    if is_decisive(value):
        return value
    blended: cython.int = ((params.QS_BLEND - 1) * beta + value) // params.QS_BLEND
    confirm(w, techniques.FAIL_HIGH_BLEND, NOTHING, value, blended)
    return blended


def copy_pv(pv: cython.pointer[Move], move: Move, child: cython.pointer[Move]) -> cython.void:
    """This node's line: its best move, then the child's line."""
    pv[0] = move
    pv += 1
    while child[0] != NO_MOVE:
        pv[0] = child[0]
        pv += 1
        child += 1
    pv[0] = NO_MOVE


def play(w: Worker, ss: cython.pointer[Frame], move: Move, gives_check: cython.bint,
         capture: cython.bint) -> cython.void:
    """Make a move and leave on the stack what deeper nodes want to know of it."""
    piece: cython.int = moved_piece(w.pos, move)
    count_node(w)
    if w.nodes >= w.check_at:
        w.check_at = w.nodes + w.control.check()
    ss.current_move = move
    ss.continuation = cython.address(w.histories.continuation[ss.in_check][capture][piece][to_sq(move)])
    ss.continuation_correction = cython.address(w.histories.continuation_correction[piece][to_sq(move)])
    w.pos.do_move(move, gives_check)
    prefetch_corrections(w.histories, w.pos.st)


def visit_quiet(w: Worker, ss: cython.pointer[Frame], alpha: cython.int, beta: cython.int, depth: cython.int,
                kind: VisitKind) -> cython.int:
    """The value of a position once its captures are resolved, fail-soft within (alpha, beta)."""
    if not unlikely(w.recorder != cython.NULL):
        return qsearch(w, ss, alpha, beta, depth, kind)
    begin_visit(w, ss, alpha, beta, depth, False, kind, True)
    value: cython.int = qsearch(w, ss, alpha, beta, depth, kind)
    finish_visit(w, value)
    return value


def qsearch(w: Worker, ss: cython.pointer[Frame], alpha: cython.int, beta: cython.int, depth: cython.int,
            kind: VisitKind) -> cython.int:
    """The leaf: what it is worth, step by step."""
    pv_node: cython.bint = kind >= FIRST
    value: cython.int
    expect(-VALUE_INFINITE <= alpha and alpha < beta and beta <= VALUE_INFINITE)
    expect(pv_node or alpha == beta - 1)
    w.counters.quiescence_nodes += 1

    # Step 1. Exits: a repetition within reach, a draw, the end of the stack.
    if alpha < VALUE_DRAW and uses(w, techniques.UPCOMING_REPETITION) and w.pos.st.rule50 >= 3:
        if decide(w, techniques.UPCOMING_REPETITION, w.pos.has_upcoming_repetition(ss.ply), BELOW, alpha, VALUE_DRAW):
            alpha = draw_value(w)
            if alpha >= beta:
                return ended(w, ENDED_REPETITION, alpha)
    if pv_node:
        ss.pv[0] = NO_MOVE
        if w.sel_depth < ss.ply + 1:
            w.sel_depth = ss.ply + 1
    in_check: cython.bint = w.pos.st.checkers != 0
    ss.in_check = in_check
    if w.pos.is_draw(ss.ply) or ss.ply >= MAX_PLY:
        if ss.ply >= MAX_PLY and not in_check:
            return ended(w, ENDED_TOO_DEEP, w.evaluate())
        return ended(w, ENDED_DRAW, VALUE_DRAW)

    # Step 2. Transposition table. Any depth serves here.
    tt: TTData
    key: Key = w.pos.st.key
    entry: cython.pointer[Entry] = w.tt.probe(key, cython.address(tt))
    ss.tt_hit = tt.hit
    w.counters.tt_probes += 1
    w.counters.tt_hits += tt.hit
    tt.value = value_from_tt(tt.value, ss.ply, w.pos.st.rule50)
    if tt.move != NO_MOVE and not (w.pos.is_pseudo_legal(tt.move) and w.pos.is_legal_move(tt.move)):
        tt.move = NO_MOVE
    if (not pv_node and is_valid(tt.value) and uses(w, techniques.TT_CUTOFF)
            and decide(w, techniques.TT_CUTOFF, tt.depth >= DEPTH_QS
                       and tt.bound & (BOUND_LOWER if tt.value >= beta else BOUND_UPPER) != 0,
                       AT_LEAST if tt.value >= beta else BELOW, tt.value, beta)):
        return tt.value

    # Step 3. Stand pat: with nothing forced, the side to move has at least its evaluation.
    best_value: cython.int = -VALUE_INFINITE
    futility_base: cython.int = -VALUE_INFINITE
    unadjusted: cython.int = VALUE_NONE
    if not in_check:
        unadjusted = tt.static_eval if tt.hit and is_valid(tt.static_eval) else w.evaluate()
        best_value = as_evaluation(unadjusted + correction_value(w, ss) // params.CORRECTION_DIVISOR)
        ss.static_eval = best_value
        if (is_valid(tt.value) and not is_decisive(tt.value) and uses(w, techniques.TT_EVAL)
                and decide(w, techniques.TT_EVAL,
                           tt.bound & (BOUND_LOWER if tt.value > best_value else BOUND_UPPER) != 0,
                           ABOVE if tt.value > best_value else AT_MOST, tt.value, best_value)):
            best_value = tt.value
        know(w, ss, cython.address(tt), tt.hit and tt.is_pv, unadjusted, best_value)
        if best_value >= beta:
            best_value = blend(w, best_value, beta)
            if not tt.hit:
                w.tt.store(entry, key, value_to_tt(best_value, ss.ply), False, BOUND_LOWER, DEPTH_UNSEARCHED, NO_MOVE,
                           unadjusted)
            return ended(w, ENDED_STAND_PAT, best_value)
        if best_value > alpha:
            alpha = best_value
        futility_base = ss.static_eval + params.QS_FUTILITY_BASE
    else:
        ss.static_eval = (ss - 2).static_eval
        know(w, ss, cython.address(tt), tt.hit and tt.is_pv, unadjusted, VALUE_NONE)

    # Step 4. The moves: captures, quiet checks on the first ply, every evasion in check.
    picker: Picker
    best_move: Move = NO_MOVE
    move_count: cython.int = 0
    quiet_count: cython.int = 0
    prev_sq: cython.int = to_sq((ss - 1).current_move) if is_real((ss - 1).current_move) else NO_SQUARE
    start_quiescence(cython.address(picker), w, ss, tt.move,
                     depth == DEPTH_QS and not in_check and uses(w, techniques.QUIESCENCE_CHECKS))
    while True:
        move: Move = next_move(cython.address(picker), w)
        if move == NO_MOVE:
            break
        prefetch_child(w, move)
        gives_check: cython.bint = checks_king(w.pos, move)
        capture: cython.bint = is_tactical(w.pos, move)
        move_count += 1
        ss.hand = move

        # Step 5. Pruning, unless a forced loss is all we have.
        if not is_loss(best_value):
            if (not gives_check and to_sq(move) != prev_sq and not is_loss(futility_base)
                    and kind_of(move) != PROMOTION):
                # After the best captures the rest rarely matters.
                if (uses(w, techniques.QUIESCENCE_MOVE_COUNT)
                        and above(w, techniques.QUIESCENCE_MOVE_COUNT, move_count, params.QS_MOVE_LIMIT)):
                    continue
                if uses(w, techniques.QUIESCENCE_FUTILITY):
                    # Even the captured piece for free would not reach alpha.
                    value = futility_base + see_value(type_of(w.pos.board[to_sq(move)]))
                    if value <= alpha:
                        at_most(w, techniques.QUIESCENCE_FUTILITY, value, alpha)
                        best_value = max(best_value, value)
                        continue
                    # Nor does what the exchange leaves.
                    if decide(w, techniques.QUIESCENCE_FUTILITY, not see_ge(w.pos, move, alpha - futility_base),
                              EXCHANGE_BELOW, alpha - futility_base, 0):
                        best_value = max(best_value, min(alpha, futility_base))
                        continue
            # Quiet evasions and checks that history knows nothing good of.
            if not capture and uses(w, techniques.QUIESCENCE_HISTORY):
                learned: cython.int = (picker.pages[0][0][moved_piece(w.pos, move)][to_sq(move)]
                                       + picker.pages[1][0][moved_piece(w.pos, move)][to_sq(move)])
                quiet_count += learned <= params.QS_HISTORY
                if decide(w, techniques.QUIESCENCE_HISTORY,
                          learned <= params.QS_HISTORY and (not in_check or quiet_count > 1), AT_MOST, learned,
                          params.QS_HISTORY):
                    continue
            if (uses(w, techniques.QUIESCENCE_SEE)
                    and decide(w, techniques.QUIESCENCE_SEE, not see_ge(w.pos, move, -params.QS_SEE_FLOOR),
                               EXCHANGE_BELOW, -params.QS_SEE_FLOOR, 0)):
                continue

        # Step 6. Make the move, search it, take it back.
        play(w, ss, move, gives_check, capture)
        value = -visit_quiet(w, ss + 1, -beta, -alpha, depth - 1, OPEN_LEAF if pv_node else LEAF)
        w.pos.undo_move(move)
        if stopped(w.control):
            return 0
        if not capture and not in_check:
            above(w, techniques.QUIESCENCE_CHECKS, value, alpha)
        if value > best_value:
            best_value = value
            if value > alpha:
                best_move = move
                find_best(w, move)
                if pv_node:
                    copy_pv(ss.pv, move, (ss + 1).pv)
                if value >= beta:
                    break
                alpha = value

    # Step 7. In check without a move: mate.
    ss.hand = NO_MOVE
    if in_check and best_value == -VALUE_INFINITE:
        return ended(w, ENDED_MATE, mated_in(ss.ply))
    if best_value > beta:
        best_value = blend(w, best_value, beta)

    # Step 8. Remember it.
    w.tt.store(entry, key, value_to_tt(best_value, ss.ply), tt.hit and tt.is_pv,
               BOUND_LOWER if best_value >= beta else BOUND_UPPER, DEPTH_QS, best_move, unadjusted)
    return best_value
