"""Static exchange evaluation, answered as a yes or no against a threshold because that is what the search asks."""
import cython
from cython.cimports.barreleye.core.attacks import bishop_attacks, rook_attacks
from cython.cimports.barreleye.core.bitboard import bit, lsb
from cython.cimports.barreleye.core.move import (
    CASTLING, EN_PASSANT, NORMAL, PROMOTION, from_sq, kind_of, promotion_type, to_sq,
)
from cython.cimports.barreleye.core.position import Position, need_check_info
from cython.cimports.barreleye.core.see import SEE_VALUES, see_ge
from cython.cimports.barreleye.core.types import (
    BISHOP, KING, KNIGHT, PAWN, QUEEN, ROOK, Bitboard, Move, color_of, pawn_push, rank_of, type_of,
)

SEE_VALUES[PAWN] = 100
SEE_VALUES[KNIGHT] = 300
SEE_VALUES[BISHOP] = 300
SEE_VALUES[ROOK] = 500
SEE_VALUES[QUEEN] = 900
SEE_VALUES[KING] = 0


def see_ge(pos: Position, move: Move, threshold: cython.int) -> cython.bint:
    """Whether the exchange that a legal move starts on its target square gains at least the threshold.

    Each side captures with its least valuable piece and stops when that is better. A piece pinned to its king takes
    no part while its pinner stands, a king captures only what is no longer defended.
    """
    kind: cython.int = kind_of(move)
    if kind == CASTLING:
        return threshold <= 0
    origin: cython.int = from_sq(move)
    target: cython.int = to_sq(move)
    attacker: cython.int = type_of(pos.board[origin])
    occupied: Bitboard = pos.by_type[0] ^ bit(origin)
    gain: cython.int = SEE_VALUES[type_of(pos.board[target])]
    if kind == EN_PASSANT:
        gain = SEE_VALUES[PAWN]
        occupied ^= bit(target - pawn_push(pos.side))
    elif kind == PROMOTION:
        attacker = promotion_type(move)
        gain += SEE_VALUES[attacker] - SEE_VALUES[PAWN]

    # balance: what the side that just captured is ahead of the threshold, from its own point of view
    balance: cython.int = gain - threshold
    if balance < 0:
        return False
    balance = SEE_VALUES[attacker] - balance
    if balance <= 0:
        return True

    need_check_info(pos)
    occupied |= bit(target)
    side: cython.int = pos.side
    attackers: Bitboard = pos.attackers_to(target, occupied) & occupied
    diagonals: Bitboard = pos.by_type[BISHOP] | pos.by_type[QUEEN]
    straights: Bitboard = pos.by_type[ROOK] | pos.by_type[QUEEN]
    result: cython.bint = True
    taker: Bitboard
    while True:
        side ^= 1
        attackers &= occupied
        ours: Bitboard = attackers & pos.by_color[side]
        if ours and pos.st.pinners[side ^ 1] & occupied:
            ours &= ~pos.st.blockers[side]
        if not ours:
            break
        result = not result
        # The least valuable piece takes; the slider it uncovers joins in.
        if ours & pos.by_type[PAWN]:
            taker = ours & pos.by_type[PAWN]
            balance = SEE_VALUES[PAWN] - balance
        elif ours & pos.by_type[KNIGHT]:
            taker = ours & pos.by_type[KNIGHT]
            balance = SEE_VALUES[KNIGHT] - balance
        elif ours & pos.by_type[BISHOP]:
            taker = ours & pos.by_type[BISHOP]
            balance = SEE_VALUES[BISHOP] - balance
        elif ours & pos.by_type[ROOK]:
            taker = ours & pos.by_type[ROOK]
            balance = SEE_VALUES[ROOK] - balance
        elif ours & pos.by_type[QUEEN]:
            taker = ours & pos.by_type[QUEEN]
            balance = SEE_VALUES[QUEEN] - balance
        else:
            # The king takes last; if the square is still defended it cannot, and the other side wins the exchange.
            return not result if attackers & pos.by_color[side ^ 1] else result
        if balance < result:
            break
        occupied ^= bit(lsb(taker))
        attackers |= bishop_attacks(target, occupied) & diagonals | rook_attacks(target, occupied) & straights
    return result
