"""Static exchange evaluation, answered as a yes or no against a threshold because that is what the search asks."""
import cython
from cython.cimports.barreleye.core import params
from cython.cimports.barreleye.core.attacks import LINE, bishop_attacks, rook_attacks
from cython.cimports.barreleye.core.bitboard import bit, lsb
from cython.cimports.barreleye.core.move import (
    CASTLING, EN_PASSANT, PROMOTION, from_sq, kind_of, promotion_type, to_sq,
)
from cython.cimports.barreleye.core.position import Position, attackers_to, king_square
from cython.cimports.barreleye.core.see import SEE_VALUES, leaves_king_open, see_ge, see_value
from cython.cimports.barreleye.core.types import (
    BISHOP, KING, KNIGHT, PAWN, QUEEN, ROOK, Bitboard, Move, file_of, pawn_push, rank_of, type_of,
)

SEE_VALUES[PAWN] = params.SEE_PAWN
SEE_VALUES[KNIGHT] = params.SEE_KNIGHT
SEE_VALUES[BISHOP] = params.SEE_BISHOP
SEE_VALUES[ROOK] = params.SEE_ROOK
SEE_VALUES[QUEEN] = params.SEE_QUEEN
SEE_VALUES[KING] = 0


def see_ge(pos: Position, move: Move, threshold: cython.int) -> cython.bint:
    """Whether the exchange that a legal move starts on its target square gains at least the threshold.

    Each side captures with its least valuable piece and stops when that is better; a pawn that captures on the last
    rank becomes a queen. A piece pinned to its king takes no part unless it captures along the pin, a king captures
    only what is no longer defended.
    """
    kind: cython.int = kind_of(move)
    if kind == CASTLING:
        return threshold <= 0
    origin: cython.int = from_sq(move)
    target: cython.int = to_sq(move)
    attacker: cython.int = type_of(pos.board[origin])
    occupied: Bitboard = pos.by_type[0] ^ bit(origin)
    gain: cython.int = see_value(type_of(pos.board[target]))
    if kind == EN_PASSANT:
        gain = params.SEE_PAWN
        occupied ^= bit(target - pawn_push(pos.side))
    elif kind == PROMOTION:
        attacker = promotion_type(move)
        gain += see_value(attacker) - params.SEE_PAWN

    # balance: how far the side to capture would be past what it needs if the exchange ended with its capture
    balance: cython.int = gain - threshold
    if balance < 0:
        return False
    balance = see_value(attacker) - balance
    # What a pawn gains on top when it recaptures on the last rank.
    promotion: cython.int = 0
    if rank_of(target) == 0 or rank_of(target) == 7:
        promotion = params.SEE_QUEEN - params.SEE_PAWN
    result: cython.bint = True
    if balance + promotion < result:
        return True

    occupied |= bit(target)
    side: cython.int = pos.side
    attackers: Bitboard = attackers_to(pos, target, occupied) & occupied
    diagonals: Bitboard = pos.by_type[BISHOP] | pos.by_type[QUEEN]
    straights: Bitboard = pos.by_type[ROOK] | pos.by_type[QUEEN]
    while True:
        side ^= 1
        attackers &= occupied
        # The least valuable piece takes, if that is enough; the slider it uncovers joins in.
        takers: Bitboard = attackers & pos.by_color[side]
        taker: Bitboard = 0
        kind = PAWN
        while takers:
            taker = takers & pos.by_type[kind]
            if not taker:
                kind += 1
            elif leaves_king_open(pos, side, lsb(taker), target, occupied):
                takers ^= bit(lsb(taker))
            else:
                break
        if not takers or balance + (promotion if kind == PAWN else 0) < result:
            break
        result = not result
        if kind == KING:
            # The king takes last; if the square is still defended it cannot, and the other side wins the exchange.
            return not result if attackers & pos.by_color[side ^ 1] else result
        # A promoted pawn costs as much more to lose as it gained: the balance is that of a pawn either way.
        balance = see_value(kind) - balance
        if balance + promotion < result:
            break
        occupied ^= bit(lsb(taker))
        attackers |= bishop_attacks(target, occupied) & diagonals | rook_attacks(target, occupied) & straights
    return result


def leaves_king_open(pos: Position, side: cython.int, sq: cython.int, target: cython.int,
                     occupied: Bitboard) -> cython.bint:
    """Whether a piece is pinned against capturing on the target, with what is left on the board by now."""
    king: cython.int = king_square(pos, side)
    line: Bitboard = LINE[king][sq]
    if king == sq or not line or line & bit(target):
        return False
    sliders: Bitboard = line & occupied & pos.by_color[side ^ 1]
    if rank_of(king) == rank_of(sq) or file_of(king) == file_of(sq):
        sliders &= pos.by_type[ROOK] | pos.by_type[QUEEN]
        return sliders != 0 and (rook_attacks(king, occupied ^ bit(sq)) & sliders) != 0
    sliders &= pos.by_type[BISHOP] | pos.by_type[QUEEN]
    return sliders != 0 and (bishop_attacks(king, occupied ^ bit(sq)) & sliders) != 0
