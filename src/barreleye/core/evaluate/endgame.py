"""Endgames whose result is known or nearly so. Values are counted for white; scales are 64ths of the endgame value."""
import cython
from cython.cimports.barreleye.core.attacks import KING_ATTACKS, PAWN_ATTACKS
from cython.cimports.barreleye.core.bitboard import DARK_SQUARES, bit, east, file_bb, lsb, more_than_one, pop_lsb, west
from cython.cimports.barreleye.core.evaluate.endgame import (
    KNOWN_WIN, KPK_BLACK, KPK_WHITE, NORMAL_SCALE, UNKNOWN, can_mate, edge_distance, endgame_scale, fill_kpk,
    is_wrong_corner, kpk_black_loses, kpk_value, kpk_white_wins, kpk_wins, lone_king_value, mating_drive,
    opposite_bishops_scale, pawn_place, piece_points,
)
from cython.cimports.barreleye.core.evaluate.layout import WEIGHTS
from cython.cimports.barreleye.core.evaluate.pawns import distance
from cython.cimports.barreleye.core.evaluate.score import Score, eg_value
from cython.cimports.barreleye.core.position import Position, king_square, pieces
from cython.cimports.barreleye.core.types import (
    BISHOP, BLACK, KING, KNIGHT, NORTH, PAWN, QUEEN, ROOK, SQUARES, WHITE, Bitboard, file_of, make_piece, make_square,
    rank_of, relative_square,
)


def lone_king_value(pos: Position) -> cython.int:
    """The value for white when one side has only its king, or UNKNOWN when the ordinary terms should say."""
    strong: cython.int = WHITE if more_than_one(pos.by_color[WHITE]) else BLACK
    pawns: Bitboard = pos.by_type[PAWN]
    if not pawns and not can_mate(pos, strong):
        return 0
    value: cython.int = UNKNOWN
    if pos.by_type[QUEEN] | pos.by_type[ROOK] or not pawns:
        value = mating_drive(pos, strong)
    elif not more_than_one(pos.by_color[strong] & ~pieces(pos, strong, KING)):
        value = kpk_value(pos, strong)
    return value if strong == WHITE or value == UNKNOWN else -value


def can_mate(pos: Position, strong: cython.int) -> cython.bint:
    """Whether pieces without pawns can force mate on a lone king."""
    if pos.by_type[QUEEN] | pos.by_type[ROOK]:
        return True
    bishops: Bitboard = pieces(pos, strong, BISHOP)
    knights: cython.int = pos.count[make_piece(strong, KNIGHT)]
    if bishops & DARK_SQUARES and bishops & ~DARK_SQUARES:
        return True
    return (bishops != 0 and knights > 0) or knights > 2


def mating_drive(pos: Position, strong: cython.int) -> cython.int:
    """A won ending against a lone king: drive it to the edge, or to the bishop's corner, and come near."""
    loser: cython.int = king_square(pos, strong ^ 1)
    file: cython.int = file_of(loser)
    rank: cython.int = rank_of(loser)
    value: cython.int = KNOWN_WIN + 20 * (7 - distance(king_square(pos, strong), loser))
    squares: Score = 0
    men: Bitboard = pos.by_color[strong] & ~pos.by_type[KING]
    while men:
        sq: cython.int = pop_lsb(cython.address(men))
        squares += WEIGHTS.psq[make_piece(WHITE, pos.board[sq] & 7)][relative_square(strong, sq)]
    value += eg_value(squares)
    bishops: Bitboard = pieces(pos, strong, BISHOP)
    is_one_colour: cython.bint = not (bishops & DARK_SQUARES and bishops & ~DARK_SQUARES)
    if not (pos.by_type[QUEEN] | pos.by_type[ROOK]) and bishops and is_one_colour:
        # Bishop and knight mate only in a corner of the bishop's colour.
        return value + 60 * abs(7 - rank - (file if bishops & DARK_SQUARES else 7 - file))
    return value + 20 * (6 - edge_distance(file) - edge_distance(rank))


def kpk_value(pos: Position, strong: cython.int) -> cython.int:
    """King and pawn against king, exactly."""
    pawn: cython.int = relative_square(strong, lsb(pos.by_type[PAWN]))
    ours: cython.int = relative_square(strong, king_square(pos, strong))
    theirs: cython.int = relative_square(strong, king_square(pos, strong ^ 1))
    if not kpk_wins(ours, pawn, theirs, pos.side == strong):
        return 0
    return KNOWN_WIN + eg_value(WEIGHTS.material[0]) + 20 * rank_of(pawn)


def endgame_scale(pos: Position, strong: cython.int) -> cython.int:
    """How much of its endgame value the better side can hope for, in 64ths."""
    weak: cython.int = strong ^ 1
    pawns: cython.int = pos.count[make_piece(strong, PAWN)]
    bishops: Bitboard = pos.by_type[BISHOP]
    if pawns == 0:
        # Without pawns a minor piece more does not win.
        ours: cython.int = piece_points(pos, strong)
        theirs: cython.int = piece_points(pos, weak)
        if ours - theirs <= 3:
            return 0 if ours < 5 else 4 if theirs <= 3 else 14
    elif is_wrong_corner(pos, strong):
        return 0
    if (pos.count[make_piece(WHITE, BISHOP)] == 1 and pos.count[make_piece(BLACK, BISHOP)] == 1
            and bishops & DARK_SQUARES and bishops & ~DARK_SQUARES):
        return opposite_bishops_scale(pos, strong)
    return min(NORMAL_SCALE, 40 + 6 * pawns)


def opposite_bishops_scale(pos: Position, strong: cython.int) -> cython.int:
    """Bishops of opposite colours draw many endings with a pawn or two more, all the more with nothing else about."""
    others: Bitboard = pos.by_type[KNIGHT] | pos.by_type[ROOK] | pos.by_type[QUEEN]
    pawns: cython.int = pos.count[make_piece(strong, PAWN)]
    if others:
        return min(NORMAL_SCALE, 36 + 4 * pawns)
    return min(NORMAL_SCALE, 16 + 4 * pawns)


def is_wrong_corner(pos: Position, strong: cython.int) -> cython.bint:
    """Rook pawns, at best helped by a bishop that does not hold the promotion square, which the enemy king does."""
    pawns: Bitboard = pieces(pos, strong, PAWN)
    file: cython.int = 0 if not pawns & ~file_bb(0) else 7
    if pawns & ~file_bb(file):
        return False
    others: Bitboard = pos.by_color[strong] & ~(pawns | pos.by_type[KING])
    goal: cython.int = relative_square(strong, make_square(file, 7))
    colour: Bitboard = DARK_SQUARES if bit(goal) & DARK_SQUARES else ~DARK_SQUARES
    if others & ~pos.by_type[BISHOP] or others & colour:
        return False
    return distance(king_square(pos, strong ^ 1), goal) <= 1


def piece_points(pos: Position, color: cython.int) -> cython.int:
    """Pieces in points: 3, 3, 5, 9."""
    first: cython.int = make_piece(color, 0)
    return (3 * (pos.count[first + KNIGHT] + pos.count[first + BISHOP]) + 5 * pos.count[first + ROOK]
            + 9 * pos.count[first + QUEEN])


# King and pawn against king. White has the pawn; a position is won when it leads to a safe queen.


def kpk_wins(white_king: cython.int, pawn: cython.int, black_king: cython.int,
             white_to_move: cython.bint) -> cython.bint:
    """Whether the side with the pawn, seen as white, wins a legal position."""
    mirror: cython.int = 7 if file_of(pawn) > 3 else 0
    place: cython.int = pawn_place(pawn ^ mirror)
    wins: Bitboard = (KPK_WHITE[place][black_king ^ mirror] if white_to_move else KPK_BLACK[place][black_king ^ mirror])
    return (wins >> (white_king ^ mirror) & 1) != 0


def kpk_white_wins(pawn: cython.int, black_king: cython.int) -> Bitboard:
    """White king squares that win with white to move, as far as the positions after are known."""
    near: Bitboard = KING_ATTACKS[black_king] | bit(black_king)
    kings: Bitboard = KPK_BLACK[pawn_place(pawn)][black_king]
    beside: Bitboard = east(kings) | west(kings)
    wins: Bitboard = beside | (kings | beside) << 8 | (kings | beside) >> 8
    stop: cython.int = pawn + NORTH
    if stop != black_king:
        pushes: Bitboard
        if rank_of(stop) == 7:
            # The queen lives when black's king is not beside her or ours is.
            pushes = KING_ATTACKS[stop] if KING_ATTACKS[stop] & bit(black_king) else ~cython.cast(Bitboard, 0)
        else:
            pushes = KPK_BLACK[pawn_place(stop)][black_king]
            if rank_of(pawn) == 1 and stop + NORTH != black_king:
                pushes |= KPK_BLACK[pawn_place(stop + NORTH)][black_king]
        wins |= pushes & ~bit(stop)
    return wins & ~near & ~bit(pawn)


def kpk_black_loses(pawn: cython.int, black_king: cython.int) -> Bitboard:
    """White king squares that win with black to move, as far as the positions after are known."""
    wins: Bitboard = ~cython.cast(Bitboard, 0)
    movable: Bitboard = 0
    steps: Bitboard = KING_ATTACKS[black_king] & ~PAWN_ATTACKS[WHITE][pawn]
    while steps:
        target: cython.int = pop_lsb(cython.address(steps))
        guarded: Bitboard = KING_ATTACKS[target] | bit(target)
        movable |= ~guarded
        # Taking the pawn draws unless it is guarded.
        wins &= guarded if target == pawn else guarded | KPK_WHITE[pawn_place(pawn)][target]
    return wins & movable & ~(KING_ATTACKS[black_king] | bit(black_king) | bit(pawn))


def fill_kpk() -> cython.void:
    """Work back from the promotions, pawns on the seventh rank first, until nothing more is won."""
    file: cython.int
    rank: cython.int
    king: cython.int
    for rank in range(6, 0, -1):
        for file in range(4):
            pawn: cython.int = make_square(file, rank)
            place: cython.int = pawn_place(pawn)
            changed: cython.bint = True
            while changed:
                changed = False
                for king in range(SQUARES):
                    if king == pawn:
                        continue
                    white: Bitboard = 0
                    if not PAWN_ATTACKS[WHITE][pawn] & bit(king):
                        white = kpk_white_wins(pawn, king)
                    black: Bitboard = kpk_black_loses(pawn, king)
                    changed |= white != KPK_WHITE[place][king] or black != KPK_BLACK[place][king]
                    KPK_WHITE[place][king] = white
                    KPK_BLACK[place][king] = black


def kpk_is_won(white_king: int, pawn: int, black_king: int, white_to_move: bool) -> bool:
    """Whether king and pawn beat a lone king; squares are numbered from a1 = 0 and white has the pawn."""
    return kpk_wins(white_king, pawn, black_king, white_to_move)


fill_kpk()
