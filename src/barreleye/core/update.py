"""How a node's outcome changes the histories, and what the correction tables say of an evaluation."""
import cython
from cython.cimports.barreleye.core import params, techniques
from cython.cimports.barreleye.core.decision import tally
from cython.cimports.barreleye.core.history import (
    CAPTURE_LIMIT, CONTINUATION_LIMIT, CORRECTION_LIMIT, LOW_PLIES, LOW_PLY_LIMIT, MAIN_LIMIT, PAWN_LIMIT, Histories,
    correction_index, main_index, pawn_index, reward,
)
from cython.cimports.barreleye.core.move import from_sq, from_to, is_real, to_sq
from cython.cimports.barreleye.core.position import State, is_tactical
from cython.cimports.barreleye.core.types import BLACK, NO_SQUARE, WHITE, Move, type_of
from cython.cimports.barreleye.core.update import (
    Tried, correction_value, update_all, update_continuation, update_correction, update_quiet,
)
from cython.cimports.barreleye.core.worker import Frame, Node, Worker, attacked, uses


def correction_value(w: Worker, ss: cython.pointer[Frame]) -> cython.int:
    """How wrong the evaluation has been in positions like this one, in units of 1 / CORRECTION_DIVISOR centipawn."""
    if not uses(w, techniques.CORRECTION_HISTORY):
        return 0
    us: cython.int = w.pos.side
    st: cython.pointer[State] = w.pos.st
    h: cython.pointer[Histories] = w.histories
    value: cython.int = (
        params.PAWN_CORRECTION_SCALE * h.pawn_correction[correction_index(st.pawn_key)][us]
        + params.MINOR_CORRECTION_SCALE * h.minor_correction[correction_index(st.minor_key)][us]
        + params.NON_PAWN_CORRECTION_SCALE
        * (h.non_pawn_correction[WHITE][correction_index(st.non_pawn_key[WHITE])][us]
           + h.non_pawn_correction[BLACK][correction_index(st.non_pawn_key[BLACK])][us]))
    last: Move = (ss - 1).current_move
    if is_real(last):
        piece: cython.int = w.pos.board[to_sq(last)]
        value += params.CONTINUATION_CORRECTION_SCALE * ((ss - 2).continuation_correction[0][piece][to_sq(last)]
                                                         + (ss - 4).continuation_correction[0][piece][to_sq(last)])
    return value


def update_correction(w: Worker, ss: cython.pointer[Frame], bonus: cython.int) -> cython.void:
    """Tell the correction tables that the search came out this much above (or below) the evaluation."""
    us: cython.int = w.pos.side
    st: cython.pointer[State] = w.pos.st
    h: cython.pointer[Histories] = w.histories
    reward(cython.address(h.pawn_correction[correction_index(st.pawn_key)][us]), bonus, CORRECTION_LIMIT)
    reward(cython.address(h.minor_correction[correction_index(st.minor_key)][us]), bonus, CORRECTION_LIMIT)
    color: cython.int
    for color in range(2):
        reward(cython.address(h.non_pawn_correction[color][correction_index(st.non_pawn_key[color])][us]), bonus,
               CORRECTION_LIMIT)
    last: Move = (ss - 1).current_move
    if is_real(last):
        piece: cython.int = w.pos.board[to_sq(last)]
        reward(cython.address((ss - 2).continuation_correction[0][piece][to_sq(last)]), bonus, CORRECTION_LIMIT)
        reward(cython.address((ss - 4).continuation_correction[0][piece][to_sq(last)]),
               bonus * params.FOURTH_PLY_CORRECTION // 1024, CORRECTION_LIMIT)


def update_continuation(w: Worker, ss: cython.pointer[Frame], piece: cython.int, to: cython.int,
                        bonus: cython.int) -> cython.void:
    """Write a move on the pages of the moves 1 to 6 plies before it; nearer pages count more."""
    if not uses(w, techniques.CONTINUATION_HISTORY):
        return
    tally(w, techniques.CONTINUATION_HISTORY, bonus > 0)
    plies: cython.int
    for plies in range(1, 7):
        if ss.in_check and plies > 2:
            break
        if is_real((ss - plies).current_move):
            reward(cython.address((ss - plies).continuation[0][piece][to]),
                   bonus * params.continuation_weight(plies) // 1024 + (params.FOLLOW_UP_BASE if plies == 1 else 0),
                   CONTINUATION_LIMIT)


def update_quiet(w: Worker, ss: cython.pointer[Frame], move: Move, bonus: cython.int) -> cython.void:
    """Reward or punish a quiet move in every table that knows quiet moves."""
    us: cython.int = w.pos.side
    piece: cython.int = w.pos.board[from_sq(move)]
    h: cython.pointer[Histories] = w.histories
    if uses(w, techniques.MAIN_HISTORY):
        tally(w, techniques.MAIN_HISTORY, bonus > 0)
        reward(cython.address(h.butterfly[us][main_index(attacked(w), move)]), bonus, MAIN_LIMIT)
    if ss.ply < LOW_PLIES and uses(w, techniques.LOW_PLY_HISTORY):
        tally(w, techniques.LOW_PLY_HISTORY, bonus > 0)
        reward(cython.address(h.low_ply[ss.ply][from_to(move)]), bonus * params.LOW_PLY_BONUS // 1024, LOW_PLY_LIMIT)
    update_continuation(w, ss, piece, to_sq(move), bonus * params.CONTINUATION_BONUS // 1024)
    if uses(w, techniques.PAWN_HISTORY):
        tally(w, techniques.PAWN_HISTORY, bonus > 0)
        reward(cython.address(h.pawn[pawn_index(w.pos)][piece][to_sq(move)]), bonus * params.PAWN_BONUS // 1024,
               PAWN_LIMIT)


def update_all(w: Worker, ss: cython.pointer[Frame], node: cython.pointer[Node], tried: cython.pointer[Tried],
               prev_sq: cython.int, depth: cython.int) -> cython.void:
    """After a node found its best move: a bonus for it, a malus for those tried before it."""
    best_move: Move = node.best_move
    h: cython.pointer[Histories] = w.histories
    bonus: cython.int = (min(params.BONUS_DEPTH * depth + params.BONUS_BASE, params.BONUS_LIMIT)
                         + params.BONUS_TT_MOVE * (best_move == node.tt.move))
    malus: cython.int = max(0, min(params.MALUS_DEPTH * depth + params.MALUS_BASE, params.MALUS_LIMIT)
                            - params.MALUS_COUNT * ss.move_count)
    index: cython.int
    move: Move
    target: cython.int
    if not is_tactical(w.pos, best_move):
        update_quiet(w, ss, best_move, bonus * params.QUIET_BONUS // 1024)
        for index in range(tried.quiet_count):
            update_quiet(w, ss, tried.quiets[index], -malus * params.QUIET_MALUS // 1024)
        if uses(w, techniques.KILLERS) and not tally(w, techniques.KILLERS, ss.killers[0] == best_move):
            ss.killers[1] = ss.killers[0]
            ss.killers[0] = best_move
        if uses(w, techniques.COUNTER_MOVES) and prev_sq != NO_SQUARE:
            tally(w, techniques.COUNTER_MOVES, h.counter_move[w.pos.board[prev_sq]][prev_sq] == best_move)
            h.counter_move[w.pos.board[prev_sq]][prev_sq] = best_move
    elif uses(w, techniques.CAPTURE_HISTORY):
        tally(w, techniques.CAPTURE_HISTORY, True)
        target = to_sq(best_move)
        reward(cython.address(h.capture[w.pos.board[from_sq(best_move)]][target][type_of(w.pos.board[target])]),
               bonus * params.CAPTURE_BONUS // 1024, CAPTURE_LIMIT)
    # The opponent's early quiet move that allowed this was no good.
    if prev_sq != NO_SQUARE and (ss - 1).move_count == 1 + (ss - 1).tt_hit and not w.pos.st.captured:
        update_continuation(w, ss - 1, w.pos.board[prev_sq], prev_sq, -malus * params.EARLY_REFUTATION // 1024)
    if uses(w, techniques.CAPTURE_HISTORY):
        for index in range(tried.capture_count):
            move = tried.captures[index]
            target = to_sq(move)
            tally(w, techniques.CAPTURE_HISTORY, False)
            reward(cython.address(h.capture[w.pos.board[from_sq(move)]][target][type_of(w.pos.board[target])]),
                   -malus * params.CAPTURE_MALUS // 1024, CAPTURE_LIMIT)
