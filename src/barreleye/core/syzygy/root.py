"""The tables at the root of a search: which moves keep the result, and how the line ends.

Sure wins rank alike, so that the search may choose among them; only when a position has repeated or the fifty-move
counter presses must the distance decrease.
"""
import cython
from cython.cimports.barreleye.core import techniques
from cython.cimports.barreleye.core.bitboard import popcount
from cython.cimports.barreleye.core.movegen import count_legal, generate_legal
from cython.cimports.barreleye.core.notation import move_text
from cython.cimports.barreleye.core.position import Position, State
from cython.cimports.barreleye.core.syzygy.decode import FAILED, FOUND, Status
from cython.cimports.barreleye.core.syzygy.probe import (
    WDL_CURSED_WIN, WDL_DRAW, WDL_WIN, Tablebase, dtz_before_zeroing, probe_dtz, probe_wdl, sign,
)
from cython.cimports.barreleye.core.syzygy.root import (
    CERTAIN_PLIES, MAX_RANK, PAWN_CENTIPAWNS, Ranking, best_index, dtz_after, extend_line, has_repeated,
    keeps_result, rank_all, rank_by_dtz, rank_by_wdl, rank_of_dtz, rank_root, score_of_rank,
)
from cython.cimports.barreleye.core.types import MAX_PLY, Move
from cython.cimports.barreleye.core.value import VALUE_DRAW, VALUE_TB
from cython.cimports.barreleye.core.worker import RootMove, Worker, uses
from cython.cimports.libc.stdint import int64_t


def rank_all(tables: Tablebase, pos: Position, ranking: cython.pointer[Ranking], rule50: cython.bint,
             by_distance: cython.bint) -> cython.bint:
    """Rank every legal move by distance, or by result where distances are missing. False if the tables cannot tell."""
    ranking.count = cython.cast(cython.int, generate_legal(pos, ranking.move) - ranking.move)
    if rank_by_dtz(tables, pos, ranking, rule50, by_distance):
        ranking.has_dtz = True
        return True
    ranking.has_dtz = False
    return rank_by_wdl(tables, pos, ranking, rule50)


def rank_by_dtz(tables: Tablebase, pos: Position, ranking: cython.pointer[Ranking], rule50: cython.bint,
                by_distance: cython.bint) -> cython.bint:
    """Better moves rank higher, sure wins and sure losses alike unless by_distance."""
    counter: cython.int = pos.st.rule50
    repeated: cython.bint = has_repeated(pos)
    status: Status
    index: cython.int
    for index in range(ranking.count):
        move: Move = ranking.move[index]
        pos.do_move(move, pos.gives_check(move))
        dtz: cython.int = dtz_after(tables, pos, cython.address(ranking.mates[index]), cython.address(status))
        pos.undo_move(move)
        if status == FAILED:
            return False
        ranking.dtz[index] = dtz
        ranking.wdl[index] = sign(dtz) * (WDL_CURSED_WIN if abs(dtz) > 100 else WDL_WIN)
        if not rule50:
            # Without the rule a cursed win is a win, and only the distance itself counts.
            ranking.rank[index] = rank_of_dtz(dtz, 0, repeated, True) if abs(dtz) <= CERTAIN_PLIES else (
                sign(dtz) * (MAX_RANK - abs(dtz)))
            if not by_distance and not repeated:
                ranking.rank[index] = sign(dtz) * MAX_RANK
        else:
            ranking.rank[index] = rank_of_dtz(dtz, counter, repeated, by_distance)
    return True


def dtz_after(tables: Tablebase, pos: Position, mates: cython.pointer[cython.bint],
              status: cython.pointer[Status]) -> cython.int:
    """The distance, before it, of the move that was just played; 0 if it repeats for the third time or draws."""
    dtz: cython.int
    status[0] = FOUND
    mates[0] = False
    if pos.st.rule50 == 0:
        dtz = dtz_before_zeroing(-probe_wdl(tables, pos, status))
    elif pos.is_draw(1):
        dtz = 0
    else:
        dtz = -probe_dtz(tables, pos, status)
        dtz += sign(dtz)
    if status[0] != FAILED and pos.st.checkers and (dtz == 1 or dtz == 2) and not pos.has_legal_moves():
        mates[0] = True
        dtz = 1
    return dtz


def rank_of_dtz(dtz: cython.int, counter: cython.int, repeated: cython.bint, by_distance: cython.bint) -> cython.int:
    """Sure wins at the top, then wins by how near they are, draws at 0, losses by how far they are."""
    if dtz > 0:
        if dtz + counter <= CERTAIN_PLIES and not repeated:
            return MAX_RANK - (dtz if by_distance else 0)
        return MAX_RANK // 2 - (dtz + counter)
    if dtz < 0:
        # A loss is sure while even twice its distance does not reach the limit.
        if -2 * dtz + counter < 100:
            return -MAX_RANK - (dtz if by_distance else 0)
        return -MAX_RANK // 2 + (-dtz + counter)
    return 0


def rank_by_wdl(tables: Tablebase, pos: Position, ranking: cython.pointer[Ranking], rule50: cython.bint) -> cython.bint:
    """Rank by result alone."""
    status: Status
    index: cython.int
    for index in range(ranking.count):
        move: Move = ranking.move[index]
        wdl: cython.int = WDL_DRAW
        pos.do_move(move, pos.gives_check(move))
        status = FOUND
        if not pos.is_draw(1):
            wdl = -probe_wdl(tables, pos, cython.address(status))
        ranking.mates[index] = pos.st.checkers != 0 and not pos.has_legal_moves()
        pos.undo_move(move)
        if status == FAILED:
            return False
        ranking.wdl[index] = wdl
        ranking.dtz[index] = 0
        ranking.rank[index] = (sign(wdl) * MAX_RANK if not rule50 or abs(wdl) == WDL_WIN
                               else sign(wdl) * (MAX_RANK // 2 - 101))
    return True


def score_of_rank(rank: cython.int, rule50: cython.bint) -> cython.int:
    """The score to show: sure results beyond all evaluations; what the fifty-move rule spoils at most half a pawn."""
    bound: cython.int = MAX_RANK // 2 - 100 if rule50 else 1
    if rank >= bound:
        return VALUE_TB
    if rank > 0:
        return max(3, rank - (MAX_RANK // 2 - 200)) * PAWN_CENTIPAWNS // 200
    if rank == 0:
        return VALUE_DRAW
    if rank > -bound:
        return min(-3, rank + (MAX_RANK // 2 - 200)) * PAWN_CENTIPAWNS // 200
    return -VALUE_TB


def has_repeated(pos: Position) -> cython.bint:
    """Whether any position since the last capture or pawn move has stood on the board before."""
    st: cython.pointer[State] = pos.st
    back: cython.int = min(st.rule50, st.plies_from_null)
    while back >= 4:
        if st.repetition:
            return True
        st -= 1
        back -= 1
    return False


def best_index(pos: Position, ranking: cython.pointer[Ranking]) -> cython.int:
    """The best-ranked move; of equals the one that leaves the fewest replies."""
    best: cython.int = 0
    fewest: cython.int = 0x7FFF
    index: cython.int
    for index in range(ranking.count):
        if ranking.rank[index] < ranking.rank[best]:
            continue
        move: Move = ranking.move[index]
        pos.do_move(move, pos.gives_check(move))
        replies: cython.int = count_legal(pos)
        pos.undo_move(move)
        if ranking.rank[index] > ranking.rank[best] or replies < fewest:
            best = index
            fewest = replies
    return best


def rank_root(w: Worker, limit: cython.int) -> cython.void:
    """Rank a worker's root moves if the tables know them, best first, and say up to how many men its nodes may ask."""
    ranking: Ranking
    index: cython.int
    other: cython.int
    w.root_in_tables = False
    w.tb_cardinality = min(limit, w.tables.cardinality) if uses(w, techniques.TABLEBASES) else 0
    if w.pos.st.castling or popcount(w.pos.by_type[0]) > w.tb_cardinality:
        return
    if not rank_all(w.tables, w.pos, cython.address(ranking), w.tb_rule50, False):
        return
    for index in range(w.root_count):
        root_move: cython.pointer[RootMove] = w.order[index]
        for other in range(ranking.count):
            if ranking.move[other] == root_move.move:
                root_move.tb_rank = ranking.rank[other]
                root_move.tb_score = score_of_rank(ranking.rank[other], w.tb_rule50)
        other = index
        while other > 0 and w.order[other - 1].tb_rank < root_move.tb_rank:
            w.order[other] = w.order[other - 1]
            other -= 1
        w.order[other] = root_move
    w.root_in_tables = True
    w.tb_hits += ranking.count
    # With the distances known nodes have nothing to ask: what remains is to find the quickest way, by searching.
    if ranking.has_dtz or w.order[0].tb_score <= VALUE_DRAW:
        w.tb_cardinality = 0


def extend_line(w: Worker, root_move: cython.pointer[RootMove], budget_us: int64_t) -> cython.void:
    """Lengthen a root move's line with tablebase moves until mate, a draw or the end of the time for it.

    Where the line gives its result away it is cut and goes on as the tables would play.
    """
    ranking: Ranking
    deadline_us: int64_t = w.control.wall_us() + budget_us
    played: cython.int = 0
    root_move.extended = True
    while played < MAX_PLY and (played == 0 or not w.pos.is_draw(1)) and w.control.wall_us() < deadline_us:
        if played > 0 and popcount(w.pos.by_type[0]) <= w.tables.cardinality and not w.pos.st.castling:
            if not rank_all(w.tables, w.pos, cython.address(ranking), w.tb_rule50, True) or ranking.count == 0:
                break
            best: cython.int = best_index(w.pos, cython.address(ranking))
            if played >= root_move.pv_length or not keeps_result(
                    w.pos, cython.address(ranking), root_move.pv[played], best, w.tb_rule50):
                root_move.pv[played] = ranking.move[best]
                root_move.pv_length = played + 1
        elif played >= root_move.pv_length:
            break
        w.pos.do_move(root_move.pv[played], w.pos.gives_check(root_move.pv[played]))
        played += 1
    while played > 0:
        played -= 1
        w.pos.undo_move(root_move.pv[played])


def keeps_result(pos: Position, ranking: cython.pointer[Ranking], move: Move, best: cython.int,
                 rule50: cython.bint) -> cython.bint:
    """Whether a move ranks with the best when all sure wins count alike."""
    counter: cython.int = pos.st.rule50
    repeated: cython.bint = has_repeated(pos)
    index: cython.int
    for index in range(ranking.count):
        if ranking.move[index] == move:
            if not ranking.has_dtz or not rule50:
                return sign(ranking.rank[index]) == sign(ranking.rank[best])
            return (rank_of_dtz(ranking.dtz[index], counter, repeated, False)
                    >= rank_of_dtz(ranking.dtz[best], counter, repeated, False))
    return False


# For Python


def rank_moves(tables: Tablebase, position: Position, rule50: bool = True) -> list:
    """(move, wdl, dtz or None, rank, mates) for each legal move, best first; None if the tables cannot tell."""
    ranking: Ranking
    pos: Position = position.copy()
    if not rank_all(tables, pos, cython.address(ranking), rule50, True):
        return None
    index: cython.int
    rows: list = []
    for index in range(ranking.count):
        rows.append((move_text(ranking.move[index], pos.chess960_rules), ranking.wdl[index],
                     ranking.dtz[index] if ranking.has_dtz else None, ranking.rank[index],
                     bool(ranking.mates[index])))
    rows.sort(key=lambda row: (-row[3], row[0]))
    return rows
