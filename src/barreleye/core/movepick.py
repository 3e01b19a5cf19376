"""The move picker: hands out a node's moves one at a time, best first, generating them only when they are due.

Order in the main search: the table's move, captures that do not lose material, promising quiets, losing captures, the
rest. Moves come from the generators strictly legal; only the table's move is checked here.
"""
import cython
from cython.cimports.barreleye.core import params, techniques
from cython.cimports.barreleye.core.bitboard import bit
from cython.cimports.barreleye.core.decision import tally
from cython.cimports.barreleye.core.history import LOW_PLIES, PieceTo, main_index, pawn_index
from cython.cimports.barreleye.core.move import NO_MOVE, from_sq, from_to, is_real, to_sq
from cython.cimports.barreleye.core.movegen import (
    generate_captures, generate_evasions, generate_quiet_checks, generate_quiets,
)
from cython.cimports.barreleye.core.movepick import (
    BAD_CAPTURE, BAD_QUIET, CAPTURE_INIT, EVASION, EVASION_INIT, EVASION_TT, GOOD_CAPTURE, GOOD_QUIET, MAIN_TT,
    PICKED_ALL, PROBCUT_CAPTURE, PROBCUT_INIT, PROBCUT_TT, QS_CAPTURE, QS_CAPTURE_INIT, QS_CHECK, QS_CHECK_INIT,
    QS_TT, QUIET_INIT, Picker, ScoredMove, copy_pages, fill, next_move, pick_best, score_captures, score_evasions,
    score_quiets, sort_from, start_main, start_probcut, start_quiescence, take,
)
from cython.cimports.barreleye.core.position import (
    Position, State, is_capture, is_tactical, need_check_info, need_threats,
)
from cython.cimports.barreleye.core.see import see_ge, see_value
from cython.cimports.barreleye.core.types import MAX_MOVES, Bitboard, Move, type_of
from cython.cimports.barreleye.core.worker import Frame, Worker, attacked, uses
from cython.cimports.libc.stdint import int16_t


def start_main(picker: cython.pointer[Picker], w: Worker, ss: cython.pointer[Frame], tt_move: Move,
               depth: cython.int) -> cython.void:
    """Moves for a node of the main search, or all evasions in check."""
    picker.ss = ss
    picker.depth = depth
    picker.skip_quiets = False
    picker.tt_move = tt_move
    copy_pages(picker, ss)
    picker.stage = (EVASION_TT if w.pos.st.checkers else MAIN_TT) + (tt_move == NO_MOVE)


def start_quiescence(picker: cython.pointer[Picker], w: Worker, ss: cython.pointer[Frame], tt_move: Move,
                     quiet_checks: cython.bint) -> cython.void:
    """Captures, then quiet checks if wanted; all evasions in check."""
    picker.ss = ss
    picker.depth = 0
    picker.skip_quiets = False
    picker.quiet_checks = quiet_checks
    picker.tt_move = tt_move
    copy_pages(picker, ss)
    picker.stage = (EVASION_TT if w.pos.st.checkers else QS_TT) + (tt_move == NO_MOVE)


def start_probcut(picker: cython.pointer[Picker], w: Worker, ss: cython.pointer[Frame], tt_move: Move,
                  threshold: cython.int) -> cython.void:
    """Captures whose exchange gains at least the threshold."""
    picker.ss = ss
    picker.threshold = threshold
    picker.tt_move = NO_MOVE
    if tt_move != NO_MOVE and is_capture(w.pos, tt_move) and see_ge(w.pos, tt_move, threshold):
        picker.tt_move = tt_move
    picker.stage = PROBCUT_TT + (picker.tt_move == NO_MOVE)


def copy_pages(picker: cython.pointer[Picker], ss: cython.pointer[Frame]) -> cython.void:
    """The continuation pages that the moves before this node opened."""
    plies: cython.int
    for plies in range(6):
        picker.pages[plies] = (ss - plies - 1).continuation


def take(moves: cython.pointer[Move], end: cython.pointer[Move], out: cython.pointer[ScoredMove],
         skipped: Move) -> cython.pointer[ScoredMove]:
    """Copy generated moves to the picker's list, leaving out the one already tried."""
    while moves < end:
        if moves[0] != skipped:
            out.move = moves[0]
            out += 1
        moves += 1
    return out


def score_captures(picker: cython.pointer[Picker], w: Worker) -> cython.void:
    """Valuable victims first, then what has worked."""
    entry: cython.pointer[ScoredMove] = picker.cur
    learned: cython.bint = uses(w, techniques.CAPTURE_HISTORY)
    while entry < picker.end:
        target: cython.int = to_sq(entry.move)
        victim: cython.int = type_of(w.pos.board[target])
        entry.score = params.CAPTURE_VICTIM_SCALE * see_value(victim)
        if learned:
            entry.score += w.histories.capture[w.pos.board[from_sq(entry.move)]][target][victim]
        entry += 1


def score_quiets(picker: cython.pointer[Picker], w: Worker, pos: Position) -> cython.void:
    """The sum of all that is known of a quiet move: histories, checks, threats by lesser pieces."""
    us: cython.int = pos.side
    ss: cython.pointer[Frame] = picker.ss
    entry: cython.pointer[ScoredMove] = picker.cur
    threat_scale: cython.int = 0
    if uses(w, techniques.THREAT_ORDERING):
        tally(w, techniques.THREAT_ORDERING, False)
        threat_scale = params.THREAT_ORDER_SCALE
    need_threats(pos)
    st: cython.pointer[State] = pos.st
    main_threats: Bitboard = attacked(w)
    need_check_info(pos)
    counter: Move = NO_MOVE
    if uses(w, techniques.COUNTER_MOVES) and is_real((ss - 1).current_move):
        counter = w.histories.counter_move[pos.board[to_sq((ss - 1).current_move)]][to_sq((ss - 1).current_move)]
    # What does not change from move to move is looked up once, and what is switched off counts nothing.
    end: cython.pointer[ScoredMove] = picker.end
    main: cython.pointer[int16_t] = w.histories.butterfly[us]
    pawn: cython.pointer[PieceTo] = cython.address(w.histories.pawn[pawn_index(pos)])
    one: cython.pointer[PieceTo] = picker.pages[0]
    two: cython.pointer[PieceTo] = picker.pages[1]
    three: cython.pointer[PieceTo] = picker.pages[2]
    four: cython.pointer[PieceTo] = picker.pages[3]
    six: cython.pointer[PieceTo] = picker.pages[5]
    main_weight: cython.int = params.HISTORY_MAIN_WEIGHT if uses(w, techniques.MAIN_HISTORY) else 0
    pawn_weight: cython.int = params.ORDER_PAWN_WEIGHT if uses(w, techniques.PAWN_HISTORY) else 0
    page_weight: cython.int = 1 if uses(w, techniques.CONTINUATION_HISTORY) else 0
    killer: Move = NO_MOVE
    second_killer: Move = NO_MOVE
    if uses(w, techniques.KILLERS):
        killer = ss.killers[0]
        second_killer = ss.killers[1]
    by_ply: cython.bint = ss.ply < LOW_PLIES and uses(w, techniques.LOW_PLY_HISTORY)
    by_check: cython.bint = uses(w, techniques.CHECK_ORDERING)
    while entry < end:
        move: Move = entry.move
        target: cython.int = to_sq(move)
        piece: cython.int = pos.board[from_sq(move)]
        kind: cython.int = type_of(piece)
        score: cython.int = (
            main_weight * main[main_index(main_threats, move)] + pawn_weight * pawn[0][piece][target]
            + page_weight * (one[0][piece][target] + two[0][piece][target] + three[0][piece][target]
                             + four[0][piece][target] + six[0][piece][target]))
        if (st.check_squares[kind] & bit(target) and by_check
                and tally(w, techniques.CHECK_ORDERING, see_ge(pos, move, params.CHECK_ORDER_SEE))):
            score += params.CHECK_ORDER_BONUS
        attacked_here: Bitboard = st.threats[kind]
        if attacked_here:
            leaves: cython.int = attacked_here >> from_sq(move) & 1
            enters: cython.int = attacked_here >> target & 1
            score += threat_scale * see_value(kind) * (leaves - enters)
        if by_ply:
            score += params.ORDER_LOW_PLY_WEIGHT * w.histories.low_ply[ss.ply][from_to(move)] // (1 + ss.ply)
        if move == killer or move == second_killer:
            score += params.KILLER_BONUS
        if move == counter:
            score += params.COUNTER_BONUS
        entry.score = score
        entry += 1


def score_evasions(picker: cython.pointer[Picker], w: Worker, pos: Position) -> cython.void:
    """Captures before everything, then quiets by history."""
    entry: cython.pointer[ScoredMove] = picker.cur
    while entry < picker.end:
        move: Move = entry.move
        piece: cython.int = pos.board[from_sq(move)]
        if is_tactical(pos, move):
            entry.score = params.EVASION_CAPTURE_BONUS + see_value(type_of(pos.board[to_sq(move)])) - type_of(piece)
        else:
            entry.score = (w.histories.butterfly[pos.side][main_index(attacked(w), move)]
                           + picker.pages[0][0][piece][to_sq(move)])
        entry += 1


def sort_from(begin: cython.pointer[ScoredMove], end: cython.pointer[ScoredMove], limit: cython.int) -> cython.void:
    """Insertion sort of the entries that reach the limit; the rest stay behind them unsorted."""
    sorted_end: cython.pointer[ScoredMove] = begin
    entry: cython.pointer[ScoredMove] = begin + 1
    while entry < end:
        if entry.score >= limit:
            moved: ScoredMove = entry[0]
            sorted_end += 1
            entry[0] = sorted_end[0]
            slot: cython.pointer[ScoredMove] = sorted_end
            while slot > begin and (slot - 1).score < moved.score:
                slot[0] = (slot - 1)[0]
                slot -= 1
            slot[0] = moved
        entry += 1


def pick_best(picker: cython.pointer[Picker]) -> Move:
    """Take the highest score out of what is left: cheaper than sorting when few are needed."""
    best: cython.pointer[ScoredMove] = picker.cur
    entry: cython.pointer[ScoredMove] = picker.cur + 1
    while entry < picker.end:
        if entry.score > best.score:
            best = entry
        entry += 1
    chosen: ScoredMove = best[0]
    best[0] = picker.cur[0]
    picker.cur[0] = chosen
    picker.cur += 1
    return chosen.move


def fill(picker: cython.pointer[Picker], w: Worker) -> cython.void:
    """Generate and score the moves of a stage that has come due, and go on to the stage that hands them out."""
    generated: Move[MAX_MOVES]
    if picker.stage == QUIET_INIT:
        picker.cur = picker.begin_bad_quiets = picker.end_bad_quiets = picker.end
        if not picker.skip_quiets:
            picker.cur = picker.end_bad_captures
            picker.end = take(generated, generate_quiets(w.pos, generated), picker.cur, picker.tt_move)
            score_quiets(picker, w, w.pos)
            sort_from(picker.cur, picker.end, -params.SORT_MARGIN * picker.depth)
    elif picker.stage == EVASION_INIT:
        picker.cur = picker.moves
        picker.end = take(generated, generate_evasions(w.pos, generated), picker.cur, picker.tt_move)
        score_evasions(picker, w, w.pos)
    elif picker.stage == QS_CHECK_INIT:
        picker.cur = picker.moves
        picker.end = take(generated, generate_quiet_checks(w.pos, generated), picker.cur, picker.tt_move)
        score_evasions(picker, w, w.pos)
    else:
        picker.cur = picker.end_bad_captures = picker.moves
        picker.end = take(generated, generate_captures(w.pos, generated), picker.cur, picker.tt_move)
        score_captures(picker, w)
        sort_from(picker.cur, picker.end, -(1 << 30))
    picker.stage += 1


def next_move(picker: cython.pointer[Picker], w: Worker) -> Move:
    """The next move to try, or NO_MOVE when there is none left."""
    while True:
        stage: cython.int = picker.stage
        if stage == MAIN_TT or stage == EVASION_TT or stage == QS_TT or stage == PROBCUT_TT:
            picker.stage += 1
            return picker.tt_move

        elif (stage == CAPTURE_INIT or stage == QUIET_INIT or stage == EVASION_INIT or stage == PROBCUT_INIT
              or stage == QS_CAPTURE_INIT or stage == QS_CHECK_INIT):
            fill(picker, w)

        elif stage == GOOD_CAPTURE:
            while picker.cur < picker.end:
                entry: ScoredMove = picker.cur[0]
                picker.cur += 1
                if see_ge(w.pos, entry.move, -entry.score // params.GOOD_CAPTURE_DIVISOR):
                    return entry.move
                picker.end_bad_captures[0] = entry
                picker.end_bad_captures += 1
            picker.stage = QUIET_INIT

        elif stage == GOOD_QUIET:
            if not picker.skip_quiets and picker.cur < picker.end and picker.cur.score > params.GOOD_QUIET_LIMIT:
                picker.cur += 1
                return (picker.cur - 1).move
            picker.begin_bad_quiets = picker.cur
            picker.end_bad_quiets = picker.end
            picker.cur = picker.moves
            picker.end = picker.end_bad_captures
            picker.stage = BAD_CAPTURE

        elif stage == BAD_CAPTURE:
            if picker.cur < picker.end:
                picker.cur += 1
                return (picker.cur - 1).move
            picker.cur = picker.begin_bad_quiets
            picker.end = picker.end_bad_quiets
            picker.stage = BAD_QUIET

        elif stage == BAD_QUIET:
            if not picker.skip_quiets and picker.cur < picker.end:
                picker.cur += 1
                return (picker.cur - 1).move
            picker.stage = PICKED_ALL

        elif stage == EVASION or stage == QS_CHECK:
            if picker.cur < picker.end:
                return pick_best(picker)
            picker.stage = PICKED_ALL

        elif stage == PROBCUT_CAPTURE:
            while picker.cur < picker.end:
                picker.cur += 1
                if see_ge(w.pos, (picker.cur - 1).move, picker.threshold):
                    return (picker.cur - 1).move
            picker.stage = PICKED_ALL

        elif stage == QS_CAPTURE:
            if picker.cur < picker.end:
                picker.cur += 1
                return (picker.cur - 1).move
            picker.stage = QS_CHECK_INIT if picker.quiet_checks else PICKED_ALL

        else:
            return NO_MOVE
