"""The node: alpha-beta with everything that makes it see further, in numbered steps as docs/search.md tells them.

Every return, every move played and taken back and every recursive call stands in `search` itself or in one of the three
small searches it asks first (null move, ProbCut, singular extension). The functions below it only do arithmetic.
"""
import cython
from cython.cimports.barreleye.core import params, techniques
from cython.cimports.barreleye.core.bitboard import expect, popcount
from cython.cimports.barreleye.core.control import stopped
from cython.cimports.barreleye.core.decision import (
    at_least, at_most, begin, begin_visit, below, confirm, consider, decide, ended, find_best, finish_visit, know, look,
    repeat, tally,
)
from cython.cimports.barreleye.core.history import (
    MAIN_LIMIT, PAWN_LIMIT, TT_MOVE_LIMIT, main_index, pawn_index, reward,
)
from cython.cimports.barreleye.core.ledger import note_root_move
from cython.cimports.barreleye.core.move import NO_MOVE, NULL_MOVE, PROMOTION, is_real, kind_of, to_sq
from cython.cimports.barreleye.core.movepick import Picker, next_move, start_main, start_probcut
from cython.cimports.barreleye.core.platform import load_count, store_count, unlikely
from cython.cimports.barreleye.core.position import checks_king, has_non_pawns, is_tactical, moved_piece
from cython.cimports.barreleye.core.qsearch import copy_pv, draw_value, play, prefetch_child, visit_quiet
from cython.cimports.barreleye.core.recorder import (
    ABOVE, AGAIN, AT_LEAST, AT_MOST, BELOW, CAPTURE, ENDED_ALONE, ENDED_DRAW, ENDED_MATE, ENDED_REPETITION,
    ENDED_STALEMATE, ENDED_TOO_DEEP, EXCHANGE_BELOW, FIRST, NOTHING, OPEN, PASS, RAZOR, REDUCED, SCOUT, SINGULAR,
    VERIFY, WINDOW, VisitKind,
)
from cython.cimports.barreleye.core.report import report_current
from cython.cimports.barreleye.core.search import (
    base_reduction, futility_margin, hindsight, late_reduction, learn_from_fail_low, learn_from_table,
    null_move_search, probcut_search, probe_tables, prune_move, record_root_move, search, singular_extension,
    stat_score, visit,
)
from cython.cimports.barreleye.core.see import see_ge, see_value
from cython.cimports.barreleye.core.syzygy.decode import FAILED, Status
from cython.cimports.barreleye.core.syzygy.probe import WDL_LOSS, probe_wdl
from cython.cimports.barreleye.core.tt import (
    BOUND_EXACT, BOUND_LOWER, BOUND_NONE, BOUND_UPPER, DEPTH_QS, DEPTH_UNSEARCHED, Entry, TTData,
)
from cython.cimports.barreleye.core.types import MAX_PLY, NO_PIECE, NO_SQUARE, PAWN, Key, Move, type_of
from cython.cimports.barreleye.core.update import (
    MAX_TRIED, Tried, correction_value, update_all, update_continuation, update_correction, update_quiet,
)
from cython.cimports.barreleye.core.value import (
    VALUE_DRAW, VALUE_INFINITE, VALUE_NONE, VALUE_TB, as_evaluation, is_decisive, is_loss, is_valid, is_win, mate_in,
    mated_in, value_from_tt, value_to_tt,
)
from cython.cimports.barreleye.core.worker import (
    Frame, Node, RootMove, Worker, attacked, attacked_before, take_back_line, uses,
)
from cython.cimports.libc.stdint import uint64_t


def visit(w: Worker, ss: cython.pointer[Frame], alpha: cython.int, beta: cython.int, depth: cython.int,
          cut_node: cython.bint, kind: VisitKind) -> cython.int:
    """The value of a position searched to some depth, fail-soft within (alpha, beta), for the side to move."""
    # Leaves go to quiescence.
    if depth <= 0:
        return visit_quiet(w, ss, alpha, beta, DEPTH_QS, kind)
    if not unlikely(w.recorder != cython.NULL):
        return search(w, ss, alpha, beta, depth, cut_node, kind)
    begin_visit(w, ss, alpha, beta, depth, cut_node, kind, False)
    value: cython.int = search(w, ss, alpha, beta, depth, cut_node, kind)
    finish_visit(w, value)
    return value


def search(w: Worker, ss: cython.pointer[Frame], alpha: cython.int, beta: cython.int, depth: cython.int,
           cut_node: cython.bint, kind: VisitKind) -> cython.int:
    """The node: what it is worth where there is depth left, step by step."""
    pv_node: cython.bint = kind >= FIRST
    root_node: cython.bint = kind == WINDOW
    value: cython.int
    depth = min(depth, MAX_PLY - 1)
    w.counters.main_nodes += 1

    # A reversible move that repeats a position makes a draw the least we can have.
    if not root_node and alpha < VALUE_DRAW and uses(w, techniques.UPCOMING_REPETITION) and w.pos.st.rule50 >= 3:
        if decide(w, techniques.UPCOMING_REPETITION, w.pos.has_upcoming_repetition(ss.ply), BELOW, alpha, VALUE_DRAW):
            alpha = draw_value(w)
            if alpha >= beta:
                return ended(w, ENDED_REPETITION, alpha)
    expect(-VALUE_INFINITE <= alpha and alpha < beta and beta <= VALUE_INFINITE)
    expect(pv_node or alpha == beta - 1)
    expect(not (pv_node and cut_node))

    # Step 1. Initialise the node.
    in_check: cython.bint = w.pos.st.checkers != 0
    ss.in_check = in_check
    ss.move_count = 0
    excluded: Move = ss.excluded_move
    node: Node
    node.is_pv = pv_node
    node.is_cut = cut_node
    node.best_value = -VALUE_INFINITE
    node.best_move = NO_MOVE
    prior_captured: cython.int = w.pos.st.captured
    if pv_node:
        ss.pv[0] = NO_MOVE
        if w.sel_depth < ss.ply + 1:
            w.sel_depth = ss.ply + 1

    if not root_node:
        # Step 2. Aborted search, immediate draw, end of the stack.
        if stopped(w.control):
            return 0
        if w.pos.is_draw(ss.ply) or ss.ply >= MAX_PLY:
            if ss.ply >= MAX_PLY and not in_check:
                return ended(w, ENDED_TOO_DEEP, w.evaluate())
            return ended(w, ENDED_DRAW, draw_value(w))

        # Step 3. Mate distance. A shorter mate found above makes this node pointless.
        if uses(w, techniques.MATE_DISTANCE):
            alpha = max(mated_in(ss.ply), alpha)
            beta = min(mate_in(ss.ply + 1), beta)
            if at_least(w, techniques.MATE_DISTANCE, alpha, beta):
                return alpha

    prev_sq: cython.int = to_sq((ss - 1).current_move) if is_real((ss - 1).current_move) else NO_SQUARE
    prior_reduction: cython.int = (ss - 1).reduction
    (ss - 1).reduction = 0
    ss.stat_score = 0
    (ss + 2).cutoffs = 0
    (ss + 2).killers[0] = NO_MOVE
    (ss + 2).killers[1] = NO_MOVE

    # Step 4. Transposition table. At non-pv nodes a deep enough bound ends the node.
    tt: cython.pointer[TTData] = cython.address(node.tt)
    key: Key = w.pos.st.key
    entry: cython.pointer[Entry] = w.tt.probe(key, tt)
    w.counters.tt_probes += 1
    w.counters.tt_hits += tt.hit
    ss.tt_hit = tt.hit
    tt.value = value_from_tt(tt.value, ss.ply, w.pos.st.rule50)
    if root_node:
        tt.move = w.order[w.pv_index].pv[0]
    elif tt.move != NO_MOVE and not (w.pos.is_pseudo_legal(tt.move) and w.pos.is_legal_move(tt.move)):
        tt.move = NO_MOVE
    if excluded == NO_MOVE:
        ss.tt_pv = pv_node or (tt.hit and tt.is_pv)
    node.tt_capture = tt.move != NO_MOVE and is_tactical(w.pos, tt.move)
    if not pv_node and excluded == NO_MOVE and is_valid(tt.value) and uses(w, techniques.TT_CUTOFF):
        sufficient: cython.bint = (tt.depth > depth - (tt.value <= beta)
                                   and tt.bound & (BOUND_LOWER if tt.value >= beta else BOUND_UPPER) != 0
                                   and (cut_node == (tt.value >= beta) or depth > params.TT_CUTOFF_MIN_DEPTH))
        if sufficient and tt.move != NO_MOVE and tt.value >= beta:
            learn_from_table(w, ss, tt, depth, prev_sq)
        # Near the fifty-move limit the same position is not the same.
        if decide(w, techniques.TT_CUTOFF, sufficient and w.pos.st.rule50 < params.TT_CUTOFF_RULE50,
                  AT_LEAST if tt.value >= beta else BELOW, tt.value, beta):
            return tt.value

    # Step 5. Tablebases. With few men left the result is known, though not the way.
    max_value: cython.int = VALUE_INFINITE
    if popcount(w.pos.by_type[0]) <= w.tb_cardinality and not root_node and excluded == NO_MOVE:
        known: cython.int = VALUE_NONE
        bound: cython.int = probe_tables(w, ss.ply, depth, cython.address(known))
        if (bound == BOUND_EXACT or (bound == BOUND_LOWER and known >= beta)
                or (bound == BOUND_UPPER and known <= alpha)):
            confirm(w, techniques.TABLEBASES, AT_LEAST if known >= beta else BELOW, known, beta)
            w.tt.store(entry, key, value_to_tt(known, ss.ply), ss.tt_pv, bound,
                       min(MAX_PLY - 1, depth + params.TABLEBASE_DEPTH_BONUS), NO_MOVE, VALUE_NONE)
            return known
        if pv_node and bound == BOUND_LOWER:
            node.best_value = known
            alpha = max(alpha, known)
        elif pv_node and bound == BOUND_UPPER:
            max_value = known

    # Step 6. Static evaluation, corrected by what such positions turned out to be worth.
    node.unadjusted = VALUE_NONE
    node.improving = False
    node.correction = correction_value(w, ss)
    eval: cython.int = VALUE_NONE
    worsening: cython.bint = False
    if in_check:
        ss.static_eval = (ss - 2).static_eval
    elif excluded != NO_MOVE:
        node.unadjusted = eval = ss.static_eval
    else:
        node.unadjusted = tt.static_eval if tt.hit and is_valid(tt.static_eval) else w.evaluate()
        ss.static_eval = eval = as_evaluation(node.unadjusted + node.correction // params.CORRECTION_DIVISOR)
        # The table's value is a better guess where its bound allows.
        if (is_valid(tt.value) and uses(w, techniques.TT_EVAL)
                and decide(w, techniques.TT_EVAL, tt.bound & (BOUND_LOWER if tt.value > eval else BOUND_UPPER) != 0,
                           ABOVE if tt.value > eval else AT_MOST, tt.value, eval)):
            eval = tt.value
        if not tt.hit:
            w.tt.store(entry, key, VALUE_NONE, ss.tt_pv, BOUND_NONE, DEPTH_UNSEARCHED, NO_MOVE, node.unadjusted)
        # A quiet move that improved its side's evaluation deserves a better place next time.
        if (uses(w, techniques.EVAL_HISTORY) and is_real((ss - 1).current_move) and not (ss - 1).in_check
                and prior_captured == NO_PIECE):
            gain: cython.int = -params.EVAL_HISTORY_SCALE * ((ss - 1).static_eval + ss.static_eval)
            bonus: cython.int = (max(-params.EVAL_HISTORY_LIMIT, min(params.EVAL_HISTORY_LIMIT, gain))
                                 + params.EVAL_HISTORY_BASE)
            tally(w, techniques.EVAL_HISTORY, bonus > 0)
            if uses(w, techniques.MAIN_HISTORY):
                reward(cython.address(w.histories.butterfly[w.pos.side ^ 1][
                    main_index(attacked_before(w), (ss - 1).current_move)]), bonus, MAIN_LIMIT)
            if (uses(w, techniques.PAWN_HISTORY) and type_of(w.pos.board[prev_sq]) != PAWN
                    and kind_of((ss - 1).current_move) != PROMOTION):
                reward(cython.address(w.histories.pawn[pawn_index(w.pos)][w.pos.board[prev_sq]][prev_sq]), bonus,
                       PAWN_LIMIT)

    know(w, ss, tt, ss.tt_pv, node.unadjusted, eval)
    if not in_check:
        node.improving = ss.static_eval > (ss - 2).static_eval
        worsening = ss.static_eval > -(ss - 1).static_eval

        # Hindsight: the reduction that led here looks wrong now that the evaluation is known.
        if uses(w, techniques.HINDSIGHT) and not root_node:
            change: cython.int = hindsight(ss, depth, prior_reduction, worsening)
            decide(w, techniques.HINDSIGHT, change != 0, NOTHING, depth, depth + change)
            depth += change

        # Step 7. Razoring. So far below alpha that only a capture could help: ask quiescence.
        if (not pv_node and uses(w, techniques.RAZORING) and not is_decisive(alpha)
                and below(w, techniques.RAZORING, eval,
                          alpha - params.RAZOR_BASE - params.RAZOR_MARGIN * depth * depth)):
            return visit_quiet(w, ss, alpha, beta, DEPTH_QS, RAZOR)

        # Step 8. Futility. So far above beta that some quiet move will surely hold it.
        if (uses(w, techniques.FUTILITY) and not ss.tt_pv and depth < params.FUTILITY_MAX_DEPTH and eval >= beta
                and (tt.move == NO_MOVE or node.tt_capture) and beta > -params.LOST_MARGIN and not is_win(eval)
                and at_least(w, techniques.FUTILITY, eval - futility_margin(cython.address(node), depth, worsening),
                             beta)):
            return ((params.FUTILITY_BLEND - 1) * beta + eval) // params.FUTILITY_BLEND

        # Step 9. Null move. If passing still fails high, a real move will too.
        if (uses(w, techniques.NULL_MOVE) and cut_node and (ss - 1).current_move != NULL_MOVE and excluded == NO_MOVE
                and eval >= beta and ss.static_eval >= beta - params.NULL_MARGIN * depth + params.NULL_BASE
                and has_non_pawns(w.pos, w.pos.side) and ss.ply >= w.null_min_ply and beta > -params.LOST_MARGIN):
            begin(w, techniques.NULL_MOVE, eval, beta)
            value = null_move_search(w, ss, beta, depth, eval)
            if stopped(w.control):
                return 0
            if value >= beta:
                confirm(w, techniques.NULL_MOVE, AT_LEAST, value, beta)
                return value
        node.improving = node.improving or ss.static_eval >= beta + params.IMPROVING_MARGIN

        # Step 10. Internal iterative reduction. Without a move to try first, a shallower search will find one.
        if (uses(w, techniques.INTERNAL_REDUCTION) and (pv_node or cut_node)
                and depth >= params.INTERNAL_REDUCTION_MIN_DEPTH
                and decide(w, techniques.INTERNAL_REDUCTION,
                           tt.move == NO_MOVE and prior_reduction <= params.INTERNAL_REDUCTION_PRIOR, NOTHING, depth,
                           depth - 1)):
            depth -= 1

        # Step 11. ProbCut. A capture that beats beta by a margin at low depth will beat beta at full depth.
        if (uses(w, techniques.PROBCUT) and not pv_node and depth >= params.PROBCUT_MIN_DEPTH and excluded == NO_MOVE
                and not is_decisive(beta)):
            value = beta + params.PROBCUT_BASE - params.PROBCUT_IMPROVING * node.improving
            if not (is_valid(tt.value) and tt.value < value):
                value = probcut_search(w, ss, cython.address(node), value, depth)
                if stopped(w.control):
                    return 0
                if is_valid(value):
                    return value

    # Step 12. Small ProbCut. The table already knows that beta is beaten by a wide margin.
    if (uses(w, techniques.SMALL_PROBCUT) and not pv_node and excluded == NO_MOVE and tt.bound & BOUND_LOWER
            and tt.depth >= depth - params.SMALL_PROBCUT_DEPTH and is_valid(tt.value) and not is_decisive(tt.value)
            and beta > -params.LOST_MARGIN and not is_win(beta)
            and at_least(w, techniques.SMALL_PROBCUT, tt.value, beta + params.SMALL_PROBCUT_BASE)):
        return beta + params.SMALL_PROBCUT_BASE

    # Step 13. Loop through the moves until none is left or beta is reached.
    picker: Picker
    moves_tried: Tried
    moves_tried.quiet_count = 0
    moves_tried.capture_count = 0
    move_count: cython.int = 0
    start_main(cython.address(picker), w, ss, tt.move, depth)
    look(w, depth)
    while True:
        move: Move = next_move(cython.address(picker), w)
        if move == NO_MOVE:
            break
        if move == excluded:
            continue
        root_move: cython.pointer[RootMove] = cython.NULL
        if root_node:
            root_move = w.find_root_move(move)
            if root_move == cython.NULL:
                continue
        move_count += 1
        ss.move_count = move_count
        if root_node and w.index == 0 and w.control.is_slow():
            report_current(w, move, move_count + w.pv_index)
        if pv_node:
            (ss + 1).pv[0] = NO_MOVE
        prefetch_child(w, move)
        ss.hand = node.move = move
        node.capture = is_tactical(w.pos, move)
        node.gives_check = checks_king(w.pos, move)
        new_depth: cython.int = depth - 1
        extension: cython.int = 0
        r: cython.int = base_reduction(w, node.improving, depth, move_count, beta - alpha)
        if ss.tt_pv:
            r += params.LMR_FORMER_PV

        # Step 14. Pruning at shallow depth, as long as some move is known not to lose by force.
        if not root_node and not is_loss(node.best_value) and has_non_pawns(w.pos, w.pos.side):
            if (uses(w, techniques.LATE_MOVE_PRUNING) and not picker.skip_quiets
                    and at_least(w, techniques.LATE_MOVE_PRUNING, move_count,
                                 (params.LATE_MOVE_BASE + depth * depth) // (2 - node.improving))):
                picker.skip_quiets = True
            if prune_move(w, ss, cython.address(node), cython.address(picker), alpha, depth, new_depth - r // 1024):
                continue

        # Step 15. Extensions. If every other move fails well below the table's, that move is searched deeper. Where
        # the game is won a wider tree finds the mate sooner than a deeper one.
        if (uses(w, techniques.SINGULAR_EXTENSION) and not root_node and move == tt.move and excluded == NO_MOVE
                and depth >= params.SINGULAR_MIN_DEPTH + ss.tt_pv and is_valid(tt.value) and not is_decisive(tt.value)
                and abs(beta) <= params.LOST_MARGIN
                and tt.bound & BOUND_LOWER and tt.depth >= depth - params.SINGULAR_TT_DEPTH
                and ss.ply < params.EXTENSION_PLIES * w.root_depth):
            verdict: cython.int = VALUE_NONE
            extension = singular_extension(w, ss, cython.address(node), beta, depth, cython.address(verdict))
            if stopped(w.control):
                return 0
            if is_valid(verdict):
                return verdict
        elif (uses(w, techniques.CHECK_EXTENSION) and depth >= params.CHECK_EXTENSION_MIN_DEPTH
              and ss.ply < params.EXTENSION_PLIES * w.root_depth
              and decide(w, techniques.CHECK_EXTENSION, node.gives_check, NOTHING, new_depth, new_depth + 1)):
            extension = 1
        new_depth += extension

        # Step 16. Make the move.
        nodes_before: uint64_t = w.nodes
        ss.stat_score = stat_score(w, cython.address(node), cython.address(picker))
        play(w, ss, move, node.gives_check, node.capture)
        r = late_reduction(w, ss, cython.address(node), alpha, depth, r)

        # Step 17. Late-move reductions: a shallower look first, a real one only if it surprises.
        if depth >= params.LMR_MIN_DEPTH and move_count > 1 and uses(w, techniques.LATE_MOVE_REDUCTION):
            reduced: cython.int = max(1, min(new_depth - r // 1024, new_depth + 1 + pv_node)) + pv_node
            begin(w, techniques.LATE_MOVE_REDUCTION, new_depth, reduced)
            ss.reduction = new_depth - reduced
            value = -visit(w, ss + 1, -(alpha + 1), -alpha, reduced, True, REDUCED)
            ss.reduction = 0
            if value > alpha and not stopped(w.control):
                if uses(w, techniques.DEEPER_RESEARCH):
                    # Much better than expected: look deeper; barely better: shallower will do.
                    deeper: cython.bint = (reduced < new_depth
                                           and value > node.best_value + params.DEEPER_BASE + new_depth)
                    shallower: cython.bint = value < node.best_value + params.SHALLOWER_MARGIN
                    decide(w, techniques.DEEPER_RESEARCH, deeper or shallower, NOTHING, new_depth,
                           new_depth + deeper - shallower)
                    new_depth += deeper - shallower
                if new_depth > reduced:
                    repeat(w, techniques.LATE_MOVE_REDUCTION, ABOVE, value, alpha)
                    value = -visit(w, ss + 1, -(alpha + 1), -alpha, new_depth, not cut_node, AGAIN)
                if not node.capture:
                    update_continuation(w, ss, w.pos.board[to_sq(move)], to_sq(move), params.RESEARCH_BONUS)
            elif not stopped(w.control):
                confirm(w, techniques.LATE_MOVE_REDUCTION, AT_MOST, value, alpha)

        # Step 18. Full depth with a null window when reductions are skipped.
        elif not pv_node or move_count > 1:
            if uses(w, techniques.FULL_DEPTH_REDUCTION):
                if tt.move == NO_MOVE:
                    r += params.FULL_DEPTH_NO_MOVE
                less: cython.int = (r > params.FULL_DEPTH_ONE) + (r > params.FULL_DEPTH_TWO
                                                                  and new_depth > params.FULL_DEPTH_MIN)
                decide(w, techniques.FULL_DEPTH_REDUCTION, less > 0, NOTHING, new_depth, new_depth - less)
                value = -visit(w, ss + 1, -(alpha + 1), -alpha, new_depth - less, not cut_node, SCOUT)
            else:
                value = -visit(w, ss + 1, -(alpha + 1), -alpha, new_depth, not cut_node, SCOUT)

        # The first move, and any that beats alpha, is searched with the full window at pv nodes.
        if pv_node and (move_count == 1 or value > alpha):
            (ss + 1).pv[0] = NO_MOVE
            # The table's move is not dropped into quiescence at pv nodes.
            if move == tt.move and tt.depth > 1:
                new_depth = max(new_depth, 1)
            value = -visit(w, ss + 1, -beta, -alpha, new_depth, False, FIRST if move_count == 1 else OPEN)

        # Step 19. Undo.
        w.pos.undo_move(move)
        if stopped(w.control):
            return 0

        # Step 20. A new best move?
        if root_node:
            record_root_move(w, ss, root_move, value, alpha, beta, w.nodes - nodes_before)
        if value > node.best_value:
            node.best_value = value
            if value > alpha:
                node.best_move = move
                find_best(w, move)
                if pv_node and not root_node:
                    copy_pv(ss.pv, move, (ss + 1).pv)
                if value >= beta:
                    ss.cutoffs += (extension < 2) or pv_node
                    w.counters.beta_cutoffs += 1
                    w.counters.first_move_cutoffs += move_count == 1
                    break
                # With one good move in hand the others may be searched less deeply.
                if (uses(w, techniques.ALPHA_REDUCTION)
                        and decide(w, techniques.ALPHA_REDUCTION, depth > params.ALPHA_REDUCTION
                                   and depth < params.ALPHA_REDUCTION_MAX_DEPTH and not is_decisive(value), NOTHING,
                                   depth, depth - params.ALPHA_REDUCTION)):
                    depth -= params.ALPHA_REDUCTION
                alpha = value
        if move != node.best_move:
            if node.capture:
                if moves_tried.capture_count < MAX_TRIED:
                    moves_tried.captures[moves_tried.capture_count] = move
                    moves_tried.capture_count += 1
            elif moves_tried.quiet_count < MAX_TRIED:
                moves_tried.quiets[moves_tried.quiet_count] = move
                moves_tried.quiet_count += 1

    # Step 21. No legal move: mate or stalemate (or, with a move excluded, nothing else than that move).
    ss.hand = NO_MOVE
    if move_count == 0:
        if excluded != NO_MOVE:
            return ended(w, ENDED_ALONE, alpha)
        return ended(w, ENDED_MATE, mated_in(ss.ply)) if in_check else ended(w, ENDED_STALEMATE, VALUE_DRAW)
    if node.best_value >= beta and uses(w, techniques.FAIL_HIGH_BLEND):
        consider(w, techniques.FAIL_HIGH_BLEND)
        if not is_decisive(node.best_value) and not is_decisive(alpha):
            value = (node.best_value * depth + beta) // (depth + 1)
            confirm(w, techniques.FAIL_HIGH_BLEND, NOTHING, node.best_value, value)
            node.best_value = value
    if node.best_move != NO_MOVE:
        update_all(w, ss, cython.address(node), cython.address(moves_tried), prev_sq, depth)
        if not pv_node and uses(w, techniques.TT_MOVE_HISTORY) and tt.move != NO_MOVE:
            tally(w, techniques.TT_MOVE_HISTORY, node.best_move == tt.move)
            reward(cython.address(w.histories.tt_move), params.TT_MOVE_HISTORY_BONUS if node.best_move == tt.move
                   else -params.TT_MOVE_HISTORY_MALUS, TT_MOVE_LIMIT)
    elif prev_sq != NO_SQUARE and uses(w, techniques.PRIOR_MOVE_BONUS):
        learn_from_fail_low(w, ss, depth, prev_sq, node.best_value)
    node.best_value = min(node.best_value, max_value)
    # A node that failed low keeps its parent's pv flag: it lay beside the principal variation.
    if node.best_value <= alpha and node.best_move == NO_MOVE:
        ss.tt_pv = ss.tt_pv or (ss - 1).tt_pv
    if excluded == NO_MOVE and not (root_node and w.pv_index):
        w.tt.store(entry, key, value_to_tt(node.best_value, ss.ply), ss.tt_pv,
                   BOUND_LOWER if node.best_value >= beta else BOUND_EXACT if pv_node and node.best_move != NO_MOVE
                   else BOUND_UPPER, depth, node.best_move, node.unadjusted)
    if (uses(w, techniques.CORRECTION_HISTORY) and not in_check
            and not (node.best_move != NO_MOVE and is_tactical(w.pos, node.best_move))
            and tally(w, techniques.CORRECTION_HISTORY,
                      (node.best_value > ss.static_eval) == (node.best_move != NO_MOVE))):
        lesson: cython.int = ((node.best_value - ss.static_eval) * params.CORRECTION_BONUS_SCALE * depth
                              // (params.CORRECTION_HIGH_DIVISOR if node.best_move != NO_MOVE
                                  else params.CORRECTION_LOW_DIVISOR))
        update_correction(w, ss, max(-params.CORRECTION_BONUS_LIMIT, min(params.CORRECTION_BONUS_LIMIT, lesson)))
    return node.best_value


def probe_tables(w: Worker, ply: cython.int, depth: cython.int, value: cython.pointer[cython.int]) -> cython.int:
    """Step 5's question: the value the tables give and its bound, BOUND_NONE if they cannot or need not be asked."""
    if w.pos.st.rule50 or w.pos.st.castling or (depth < w.tb_probe_depth
                                                and popcount(w.pos.by_type[0]) == w.tb_cardinality):
        return BOUND_NONE
    status: Status
    begin(w, techniques.TABLEBASES, popcount(w.pos.by_type[0]), w.tb_cardinality)
    wdl: cython.int = probe_wdl(w.tables, w.pos, cython.address(status))
    # Reading a file may take a while: look at the clock soon.
    w.check_at = 0
    if status == FAILED:
        return BOUND_NONE
    store_count(cython.address(w.tb_hits), w.tb_hits + 1)
    # A mate on the board is worth more than a win in the tables.
    if wdl == WDL_LOSS and w.pos.st.checkers and not w.pos.has_legal_moves():
        return BOUND_NONE
    # Results that the fifty-move rule turns into draws lie just beside zero.
    drawish: cython.int = 1 if w.tb_rule50 else 0
    if wdl > drawish:
        value[0] = VALUE_TB - ply
        return BOUND_LOWER
    if wdl < -drawish:
        value[0] = ply - VALUE_TB
        return BOUND_UPPER
    value[0] = VALUE_DRAW + 2 * wdl * drawish
    return BOUND_EXACT


def null_move_search(w: Worker, ss: cython.pointer[Frame], beta: cython.int, depth: cython.int,
                     eval: cython.int) -> cython.int:
    """Step 9's search: pass, and see whether the opponent can do anything. At high depth, verify without passing."""
    reduced: cython.int = depth - (min((eval - beta) // params.NULL_EVAL_DIVISOR, params.NULL_EVAL_LIMIT)
                                   + depth // params.NULL_DEPTH_DIVISOR + params.NULL_REDUCTION)
    ss.current_move = NULL_MOVE
    ss.continuation = cython.address(w.histories.continuation[0][0][0][0])
    ss.continuation_correction = cython.address(w.histories.continuation_correction[0][0])
    w.pos.do_null_move()
    value: cython.int = -visit(w, ss + 1, -beta, -beta + 1, reduced, False, PASS)
    w.pos.undo_null_move()
    if stopped(w.control) or value < beta:
        return value
    if is_win(value):          # a mate after a pass proves nothing
        value = beta
    if w.null_min_ply or depth < params.NULL_VERIFICATION_MIN_DEPTH or not uses(w, techniques.NULL_VERIFICATION):
        return value
    # Zugzwang is rare but real: search the node itself, without null moves for our side for a while.
    begin(w, techniques.NULL_VERIFICATION, depth, reduced)
    w.null_min_ply = ss.ply + params.NULL_VERIFICATION_PLIES * reduced // 4
    verified: cython.int = visit(w, ss, beta - 1, beta, reduced, False, VERIFY)
    w.null_min_ply = 0
    if verified >= beta:
        return value
    if not stopped(w.control):
        confirm(w, techniques.NULL_VERIFICATION, BELOW, verified, beta)
    return verified


def probcut_search(w: Worker, ss: cython.pointer[Frame], node: cython.pointer[Node], beta: cython.int,
                   depth: cython.int) -> cython.int:
    """Step 11's search: captures that gain enough, first in quiescence, then at reduced depth. VALUE_NONE: no cut."""
    picker: Picker
    value: cython.int
    reduced: cython.int = max(depth - params.PROBCUT_REDUCTION, 0)
    entry_data: TTData
    start_probcut(cython.address(picker), w, ss, node.tt.move, beta - ss.static_eval)
    begin(w, techniques.PROBCUT, ss.static_eval, beta)
    while True:
        move: Move = next_move(cython.address(picker), w)
        ss.hand = move
        if move == NO_MOVE:
            return VALUE_NONE
        prefetch_child(w, move)
        play(w, ss, move, checks_king(w.pos, move), True)
        value = -visit_quiet(w, ss + 1, -beta, -beta + 1, DEPTH_QS, CAPTURE)
        if value >= beta and reduced > 0:
            repeat(w, techniques.PROBCUT, AT_LEAST, value, beta)
            value = -visit(w, ss + 1, -beta, -beta + 1, reduced, not node.is_cut, CAPTURE)
        w.pos.undo_move(move)
        if stopped(w.control):
            return 0
        if value >= beta:
            confirm(w, techniques.PROBCUT, AT_LEAST, value, beta)
            entry: cython.pointer[Entry] = w.tt.probe(w.pos.st.key, cython.address(entry_data))
            w.tt.store(entry, w.pos.st.key, value_to_tt(value, ss.ply), ss.tt_pv, BOUND_LOWER, reduced + 1, move,
                       node.unadjusted)
            if is_decisive(value):
                return value
            return value - (params.PROBCUT_BASE - params.PROBCUT_IMPROVING * node.improving)


def prune_move(w: Worker, ss: cython.pointer[Frame], node: cython.pointer[Node], picker: cython.pointer[Picker],
               alpha: cython.int, depth: cython.int, lmr_depth: cython.int) -> cython.bint:
    """Step 14: whether the move in hand is not worth a search at this depth."""
    move: Move = node.move
    piece: cython.int = moved_piece(w.pos, move)
    target: cython.int = to_sq(move)
    learned: cython.int
    value: cython.int
    if node.capture or node.gives_check:
        victim: cython.int = type_of(w.pos.board[target])
        learned = w.histories.capture[piece][target][victim]
        # The captured piece does not bring us near alpha.
        if (uses(w, techniques.CAPTURE_FUTILITY) and not node.gives_check and not ss.in_check
                and lmr_depth < params.CAPTURE_FUTILITY_MAX_DEPTH):
            value = (ss.static_eval + params.CAPTURE_FUTILITY_BASE + params.CAPTURE_FUTILITY_MARGIN * lmr_depth
                     + see_value(victim) + learned // params.CAPTURE_FUTILITY_HISTORY)
            if at_most(w, techniques.CAPTURE_FUTILITY, value, alpha):
                return True
        # The exchange loses more than depth can win back.
        if uses(w, techniques.CAPTURE_SEE):
            hunting: cython.bint = node.gives_check and alpha > params.LOST_MARGIN
            margin: cython.int = (params.CHECK_SEE_MARGIN if hunting else params.CAPTURE_SEE_MARGIN) * depth
            value = max(0, margin + max(-margin, min(margin, learned // params.CAPTURE_SEE_HISTORY)))
            if decide(w, techniques.CAPTURE_SEE, not see_ge(w.pos, move, -value), EXCHANGE_BELOW, -value, 0):
                return True
        return False

    learned = (picker.pages[0][0][piece][target] + picker.pages[1][0][piece][target]
               + w.histories.pawn[pawn_index(w.pos)][piece][target])
    # As an answer to the last moves this one has never worked.
    if (uses(w, techniques.HISTORY_PRUNING)
            and below(w, techniques.HISTORY_PRUNING, learned, -params.HISTORY_PRUNING_MARGIN * depth)):
        return True
    learned += params.HISTORY_MAIN_WEIGHT * w.histories.butterfly[w.pos.side][main_index(attacked(w), move)]
    lmr_depth += learned // params.HISTORY_DEPTH_DIVISOR
    # The evaluation is too far below alpha for a quiet move.
    if uses(w, techniques.QUIET_FUTILITY) and not ss.in_check and lmr_depth < params.QUIET_FUTILITY_MAX_DEPTH:
        value = (ss.static_eval + params.QUIET_FUTILITY_BASE + params.QUIET_FUTILITY_MARGIN * lmr_depth
                 + params.QUIET_FUTILITY_NO_BEST * (node.best_move == NO_MOVE))
        if at_most(w, techniques.QUIET_FUTILITY, value, alpha):
            if node.best_value <= value and not is_decisive(node.best_value) and not is_win(value):
                node.best_value = value
            return True
    # The piece would simply be lost there.
    lmr_depth = max(lmr_depth, 0)
    if uses(w, techniques.QUIET_SEE):
        value = -params.QUIET_SEE_MARGIN * lmr_depth * lmr_depth
        return decide(w, techniques.QUIET_SEE, not see_ge(w.pos, move, value), EXCHANGE_BELOW, value, 0)
    return False


def singular_extension(w: Worker, ss: cython.pointer[Frame], node: cython.pointer[Node], beta: cython.int,
                       depth: cython.int, verdict: cython.pointer[cython.int]) -> cython.int:
    """Step 15's search: all moves but the table's, at half depth. Sets verdict when the node can be cut at once."""
    margin: cython.int = params.SINGULAR_MARGIN + params.SINGULAR_PV_MARGIN * (ss.tt_pv and not node.is_pv)
    singular_beta: cython.int = node.tt.value - margin * depth // params.SINGULAR_DIVISOR
    move_count: cython.int = ss.move_count
    value: cython.int
    begin(w, techniques.SINGULAR_EXTENSION, node.tt.value, singular_beta)
    ss.excluded_move = node.move
    value = visit(w, ss, singular_beta - 1, singular_beta, (depth - 1) // params.SINGULAR_DEPTH_DIVISOR, node.is_cut,
                   SINGULAR)
    ss.excluded_move = NO_MOVE
    ss.move_count = move_count
    ss.hand = node.move
    if stopped(w.control):
        return 0
    if value < singular_beta:
        confirm(w, techniques.SINGULAR_EXTENSION, BELOW, value, singular_beta)
        if not uses(w, techniques.DOUBLE_EXTENSION):
            return 1
        # Table moves have held well of late: believe a singular one sooner.
        trust: cython.int = (params.TRUST_MARGIN * w.histories.tt_move // TT_MOVE_LIMIT
                             if uses(w, techniques.TT_MOVE_HISTORY) else 0)
        double_margin: cython.int = params.DOUBLE_MARGIN_BASE + params.DOUBLE_MARGIN_PV * node.is_pv - trust
        triple_margin: cython.int = (params.TRIPLE_MARGIN + params.TRIPLE_MARGIN_PV * node.is_pv
                                     + params.TRIPLE_MARGIN * ss.tt_pv)
        return (1 + below(w, techniques.DOUBLE_EXTENSION, value, singular_beta - double_margin)
                + (value < singular_beta - triple_margin))
    # Another move fails high too: there are several ways to hold beta.
    if (uses(w, techniques.MULTI_CUT)
            and decide(w, techniques.MULTI_CUT, value >= beta and not is_decisive(value), AT_LEAST, value, beta)):
        if uses(w, techniques.TT_MOVE_HISTORY):
            reward(cython.address(w.histories.tt_move), -params.TT_MOVE_HISTORY_MALUS, TT_MOVE_LIMIT)
        verdict[0] = value
        return 0
    # The table's move is not singular: where it was assumed to fail high, spend less on it.
    less: cython.int = 0
    if uses(w, techniques.NEGATIVE_EXTENSION):
        less = params.NEGATIVE_TT if node.tt.value >= beta else params.NEGATIVE_CUT if node.is_cut else 0
        decide(w, techniques.NEGATIVE_EXTENSION, less > 0, NOTHING, depth - 1, depth - 1 - less)
    return -less


def base_reduction(w: Worker, improving: cython.bint, depth: cython.int, move_count: cython.int,
                   delta: cython.int) -> cython.int:
    """Reduction by depth and move number alone, in 1/1024 ply; wider windows are reduced less."""
    scale: cython.int = w.reductions[depth] * w.reductions[move_count]
    return (scale - delta * params.LMR_DELTA // w.root_delta
            + (0 if improving else scale * params.LMR_NOT_IMPROVING // 512) + params.LMR_BASE)


def late_reduction(w: Worker, ss: cython.pointer[Frame], node: cython.pointer[Node], alpha: cython.int,
                   depth: cython.int, r: cython.int) -> cython.int:
    """The reduction with all that is known of the node and the move, one term a line."""
    if ss.tt_pv:                                        # it was on a principal variation
        r -= (params.LMR_PV_BASE + params.LMR_PV_NODE * node.is_pv
              + params.LMR_PV_VALUE * (is_valid(node.tt.value) and node.tt.value > alpha)
              + (node.tt.depth >= depth) * (params.LMR_PV_DEPTH + params.LMR_PV_DEPTH_CUT * node.is_cut))
    r += params.LMR_OFFSET
    r -= params.LMR_MOVE_COUNT * ss.move_count          # late moves are reduced enough by the table
    r -= abs(node.correction) // params.LMR_CORRECTION  # the evaluation is unsure here
    if node.is_cut:                                     # one good move is enough, and was expected earlier
        r += params.LMR_CUT_NODE + params.LMR_CUT_NODE_NO_MOVE * (node.tt.move == NO_MOVE)
    if node.tt_capture:                                 # a quiet move is unlikely to do better than a capture
        r += params.LMR_TT_CAPTURE
    if (ss + 1).cutoffs > params.LMR_CUTOFF_COUNT:      # the replies here fail high easily
        r += params.LMR_CUTOFFS + params.LMR_CUTOFFS * (not node.is_pv and not node.is_cut)
    if node.gives_check and alpha > params.LOST_MARGIN:  # with so much in hand it may be a mate
        r -= params.LMR_CHECK
    if node.move == node.tt.move:
        r -= params.LMR_TT_MOVE
    return r - ss.stat_score * params.LMR_HISTORY_SCALE // 8192


def stat_score(w: Worker, node: cython.pointer[Node], picker: cython.pointer[Picker]) -> cython.int:
    """One number for what the histories say of the move in hand, before it is made."""
    move: Move = node.move
    piece: cython.int = moved_piece(w.pos, move)
    target: cython.int = to_sq(move)
    if node.capture:
        victim: cython.int = type_of(w.pos.board[target])
        return params.LMR_CAPTURE_VALUE * see_value(victim) + w.histories.capture[piece][target][victim]
    return (params.HISTORY_MAIN_WEIGHT * w.histories.butterfly[w.pos.side][main_index(attacked(w), move)]
            + picker.pages[0][0][piece][target] + picker.pages[1][0][piece][target] - params.LMR_HISTORY_BASE)


def hindsight(ss: cython.pointer[Frame], depth: cython.int, prior_reduction: cython.int,
              worsening: cython.bint) -> cython.int:
    """By how much the depth changes because the reduction that led here looks wrong, for step 6."""
    if prior_reduction >= params.HINDSIGHT_REDUCTION and not worsening:
        return 1
    if (prior_reduction >= params.HINDSIGHT_REDUCTION - 1 and depth >= 2
            and ss.static_eval + (ss - 1).static_eval > params.HINDSIGHT_MARGIN):
        return -1
    return 0


def futility_margin(node: cython.pointer[Node], depth: cython.int, worsening: cython.bint) -> cython.int:
    """How far above beta is far enough, for step 8."""
    margin: cython.int = params.FUTILITY_MARGIN - params.FUTILITY_NO_TT_CUT * (node.is_cut and not node.tt.hit)
    return (margin * depth
            - params.FUTILITY_IMPROVING * margin * node.improving
            - margin // params.FUTILITY_WORSENING * worsening
            + abs(node.correction) // params.CORRECTION_DIVISOR)


def learn_from_table(w: Worker, ss: cython.pointer[Frame], tt: cython.pointer[TTData], depth: cython.int,
                     prev_sq: cython.int) -> cython.void:
    """A fail-high from the table is a fail-high: its quiet move worked, the early quiet move before it did not."""
    if not is_tactical(w.pos, tt.move):
        update_quiet(w, ss, tt.move,
                     min(params.TT_CUTOFF_BONUS * depth + params.TT_CUTOFF_BASE, params.TT_CUTOFF_LIMIT))
    if prev_sq != NO_SQUARE and (ss - 1).move_count < params.TT_CUTOFF_PRIOR_COUNT and w.pos.st.captured == NO_PIECE:
        update_continuation(w, ss - 1, w.pos.board[prev_sq], prev_sq, -params.TT_CUTOFF_PRIOR_MALUS)


def learn_from_fail_low(w: Worker, ss: cython.pointer[Frame], depth: cython.int, prev_sq: cython.int,
                        best_value: cython.int) -> cython.void:
    """No move worked here, so the opponent's last one was good: the more surprising that is, the more so."""
    if w.pos.st.captured != NO_PIECE:
        return
    surprise: cython.int = (
        params.SURPRISE_BASE + min(params.SURPRISE_DEPTH * depth, params.SURPRISE_DEPTH_LIMIT)
        + params.SURPRISE_LATE * ((ss - 1).move_count > params.SURPRISE_LATE_COUNT)
        + params.SURPRISE_EVAL * (not ss.in_check and best_value <= ss.static_eval - params.SURPRISE_EVAL_MARGIN)
        + params.SURPRISE_PRIOR_EVAL * (not (ss - 1).in_check
                                        and best_value <= -(ss - 1).static_eval - params.SURPRISE_PRIOR_MARGIN))
    if not tally(w, techniques.PRIOR_MOVE_BONUS, surprise > 0):
        return
    bonus: cython.int = surprise * min(params.PRIOR_BONUS_DEPTH * depth + params.PRIOR_BONUS_BASE,
                                       params.PRIOR_BONUS_LIMIT)
    piece: cython.int = w.pos.board[prev_sq]
    update_continuation(w, ss - 1, piece, prev_sq, bonus * params.PRIOR_CONTINUATION // 32768)
    if uses(w, techniques.MAIN_HISTORY):
        reward(cython.address(w.histories.butterfly[w.pos.side ^ 1][
            main_index(attacked_before(w), (ss - 1).current_move)]), bonus * params.PRIOR_MAIN // 32768, MAIN_LIMIT)
    if uses(w, techniques.PAWN_HISTORY) and type_of(piece) != PAWN and kind_of((ss - 1).current_move) != PROMOTION:
        reward(cython.address(w.histories.pawn[pawn_index(w.pos)][piece][prev_sq]), bonus * params.PRIOR_PAWN // 32768,
               PAWN_LIMIT)


def record_root_move(w: Worker, ss: cython.pointer[Frame], root_move: cython.pointer[RootMove], value: cython.int,
                     alpha: cython.int, beta: cython.int, effort: cython.ulonglong) -> cython.void:
    """Keep a root move's score and line; moves that did not beat alpha sort behind all that did."""
    root_move.effort += effort
    if w.ledger != cython.NULL:
        note_root_move(w.ledger, w.pos, w.tt, root_move.move, (ss + 1).pv[0], value, alpha, beta, effort)
    if ss.move_count > 1 and value <= alpha:
        root_move.score = -VALUE_INFINITE
        if w.control.multi_pv > 1:
            take_back_line(root_move)
        return
    root_move.average_score = (value if root_move.average_score == -VALUE_INFINITE
                               else (value + root_move.average_score) // 2)
    squared: cython.int = value * abs(value)
    root_move.mean_squared_score = (squared if root_move.mean_squared_score == -VALUE_INFINITE * VALUE_INFINITE
                                    else (squared + root_move.mean_squared_score) // 2)
    root_move.score = root_move.uci_score = value
    root_move.score_lowerbound = value >= beta
    root_move.score_upperbound = value <= alpha
    if value >= beta:
        root_move.uci_score = beta
    elif value <= alpha:
        root_move.uci_score = alpha
    root_move.sel_depth = w.sel_depth
    root_move.extended = False
    root_move.pv[0] = root_move.move
    length: cython.int = 1
    while (ss + 1).pv[length - 1] != NO_MOVE:
        root_move.pv[length] = (ss + 1).pv[length - 1]
        length += 1
    root_move.pv_length = length
    if ss.move_count > 1 and w.pv_index == 0:
        store_count(cython.address(w.best_move_changes), load_count(cython.address(w.best_move_changes)) + 1)
