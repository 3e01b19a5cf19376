"""Move generation from a Position into a caller's list: strictly legal moves, so nobody has to ask again.

Tactical moves are captures and queen promotions, quiet moves are all the rest; together they are the legal moves.
Pins are honoured by keeping a pinned piece on the line through its king.
"""
import cython
from cython.cimports.barreleye.core.attacks import (
    BETWEEN, KING_ATTACKS, KNIGHT_ATTACKS, LINE, PAWN_ATTACKS, aligned, bishop_attacks, rook_attacks,
)
from cython.cimports.barreleye.core.bitboard import (
    bit, east, forward, lsb, more_than_one, pop_lsb, popcount, rank_bb, west,
)
from cython.cimports.barreleye.core.move import CASTLING, EN_PASSANT, make_move, make_promotion, make_special
from cython.cimports.barreleye.core.movegen import (
    castling_moves, count_legal, count_pawns, count_pieces, en_passant_moves, generate_captures, generate_evasions,
    generate_legal, generate_quiet_checks, generate_quiets, king_moves, moves_of, pawn_quiets, pawn_tacticals,
    piece_moves,
)
from cython.cimports.barreleye.core.notation import move_text
from cython.cimports.barreleye.core.position import Position, king_square, need_check_info, occupied, pieces
from cython.cimports.barreleye.core.types import (
    BISHOP, KING_SIDE, KNIGHT, MAX_MOVES, NO_SQUARE, PAWN, QUEEN, QUEEN_SIDE, ROOK, WHITE, Bitboard, Move,
    castling_number, pawn_push,
)


def generate_captures(pos: Position, moves: cython.pointer[Move]) -> cython.pointer[Move]:
    """Captures and queen promotions, when not in check."""
    enemies: Bitboard = pos.by_color[pos.side ^ 1]
    moves = pawn_tacticals(pos, moves, ~cython.cast(Bitboard, 0))
    moves = piece_moves(pos, moves, enemies)
    return king_moves(pos, moves, enemies)


def generate_quiets(pos: Position, moves: cython.pointer[Move]) -> cython.pointer[Move]:
    """Everything generate_captures leaves out, when not in check."""
    empty: Bitboard = ~occupied(pos)
    moves = pawn_quiets(pos, moves, empty)
    moves = piece_moves(pos, moves, empty)
    moves = castling_moves(pos, moves)
    return king_moves(pos, moves, empty)


def generate_evasions(pos: Position, moves: cython.pointer[Move]) -> cython.pointer[Move]:
    """All moves out of check: take the checker, step between, or move the king."""
    us: cython.int = pos.side
    if not more_than_one(pos.st.checkers):
        targets: Bitboard = BETWEEN[king_square(pos, us)][lsb(pos.st.checkers)]
        moves = pawn_tacticals(pos, moves, targets)
        moves = pawn_quiets(pos, moves, targets & ~occupied(pos))
        moves = piece_moves(pos, moves, targets)
    return king_moves(pos, moves, ~pos.by_color[us])


def generate_quiet_checks(pos: Position, moves: cython.pointer[Move]) -> cython.pointer[Move]:
    """Quiet moves that give check, when not in check."""
    need_check_info(pos)
    empty: Bitboard = ~occupied(pos)
    end: cython.pointer[Move]
    if pos.st.blockers[pos.side ^ 1] & pos.by_color[pos.side]:
        end = generate_quiets(pos, moves)       # whatever these do may uncover a check
    else:
        end = pawn_quiets(pos, moves, empty & (pos.st.check_squares[PAWN] | rank_bb(0) | rank_bb(7)))
        end = moves_of(pos, end, KNIGHT, empty & pos.st.check_squares[KNIGHT])
        end = moves_of(pos, end, BISHOP, empty & pos.st.check_squares[BISHOP])
        end = moves_of(pos, end, ROOK, empty & pos.st.check_squares[ROOK])
        end = moves_of(pos, end, QUEEN, empty & pos.st.check_squares[QUEEN])
        end = castling_moves(pos, end)
    kept: cython.pointer[Move] = moves
    while moves < end:
        if pos.gives_check(moves[0]):
            kept[0] = moves[0]
            kept += 1
        moves += 1
    return kept


def generate_legal(pos: Position, moves: cython.pointer[Move]) -> cython.pointer[Move]:
    """All legal moves."""
    if pos.st.checkers:
        return generate_evasions(pos, moves)
    return generate_quiets(pos, generate_captures(pos, moves))


def piece_moves(pos: Position, moves: cython.pointer[Move], targets: Bitboard) -> cython.pointer[Move]:
    """Knights, bishops, rooks and queens to the given squares."""
    moves = moves_of(pos, moves, KNIGHT, targets)
    moves = moves_of(pos, moves, BISHOP, targets)
    moves = moves_of(pos, moves, ROOK, targets)
    return moves_of(pos, moves, QUEEN, targets)


def king_moves(pos: Position, moves: cython.pointer[Move], targets: Bitboard) -> cython.pointer[Move]:
    """King steps to squares no enemy attacks, also not through where the king stood."""
    us: cython.int = pos.side
    king: cython.int = king_square(pos, us)
    without: Bitboard = occupied(pos) ^ bit(king)
    reached: Bitboard = KING_ATTACKS[king] & targets
    while reached:
        target: cython.int = pop_lsb(cython.address(reached))
        if not pos.is_attacked(target, us ^ 1, without):
            moves[0] = make_move(king, target)
            moves += 1
    return moves


def castling_moves(pos: Position, moves: cython.pointer[Move]) -> cython.pointer[Move]:
    """King takes own rook, when not in check."""
    us: cython.int = pos.side
    side: cython.int
    if not pos.st.castling >> castling_number(us, KING_SIDE) & 3:
        return moves
    for side in range(KING_SIDE, QUEEN_SIDE + 1):
        number: cython.int = castling_number(us, side)
        if pos.st.castling >> number & 1 and not pos.castling_path[number] & occupied(pos):
            move: Move = make_special(king_square(pos, us), pos.castling_rook[number], CASTLING)
            if pos.castling_is_legal(move):
                moves[0] = move
                moves += 1
    return moves


def pawn_tacticals(pos: Position, moves: cython.pointer[Move], targets: Bitboard) -> cython.pointer[Move]:
    """Pawn captures, every promotion by capture, queen promotions by push, en passant."""
    us: cython.int = pos.side
    up: cython.int = pawn_push(us)
    king: cython.int = king_square(pos, us)
    pinned: Bitboard = pos.st.blockers[us]
    pawns: Bitboard = pieces(pos, us, PAWN)
    enemies: Bitboard = pos.by_color[us ^ 1] & targets
    last: Bitboard = rank_bb(7) if us == WHITE else rank_bb(0)
    origin: cython.int
    target: cython.int
    kind: cython.int
    way: cython.int
    for way in range(-1, 2, 2):
        reached: Bitboard = forward(us, east(pawns) if way > 0 else west(pawns)) & enemies
        while reached:
            target = pop_lsb(cython.address(reached))
            origin = target - up - way
            if pinned & bit(origin) and not aligned(origin, target, king):
                continue
            if last & bit(target):
                for kind in range(QUEEN, KNIGHT - 1, -1):
                    moves[0] = make_promotion(origin, target, kind)
                    moves += 1
            else:
                moves[0] = make_move(origin, target)
                moves += 1
    pushes: Bitboard = forward(us, pawns) & last & ~occupied(pos) & targets
    while pushes:
        target = pop_lsb(cython.address(pushes))
        origin = target - up
        if not pinned & bit(origin) or aligned(origin, target, king):
            moves[0] = make_promotion(origin, target, QUEEN)
            moves += 1
    if pos.st.ep_square != NO_SQUARE:
        moves = en_passant_moves(pos, moves)
    return moves


def en_passant_moves(pos: Position, moves: cython.pointer[Move]) -> cython.pointer[Move]:
    """En passant: rare and strange enough to be asked one by one, whatever the targets are."""
    us: cython.int = pos.side
    takers: Bitboard = PAWN_ATTACKS[us ^ 1][pos.st.ep_square] & pieces(pos, us, PAWN)
    while takers:
        move: Move = make_special(pop_lsb(cython.address(takers)), pos.st.ep_square, EN_PASSANT)
        if pos.is_legal_move(move):
            moves[0] = move
            moves += 1
    return moves


def pawn_quiets(pos: Position, moves: cython.pointer[Move], targets: Bitboard) -> cython.pointer[Move]:
    """Pushes that do not promote to a queen; targets are empty squares."""
    us: cython.int = pos.side
    up: cython.int = pawn_push(us)
    king: cython.int = king_square(pos, us)
    pinned: Bitboard = pos.st.blockers[us]
    empty: Bitboard = ~occupied(pos)
    last: Bitboard = rank_bb(7) if us == WHITE else rank_bb(0)
    single: Bitboard = forward(us, pieces(pos, us, PAWN)) & empty
    double: Bitboard = forward(us, single & (rank_bb(2) if us == WHITE else rank_bb(5))) & targets
    promotions: Bitboard = single & last & targets
    origin: cython.int
    target: cython.int
    kind: cython.int
    single &= targets & ~last
    while single:
        target = pop_lsb(cython.address(single))
        origin = target - up
        if not pinned & bit(origin) or aligned(origin, target, king):
            moves[0] = make_move(origin, target)
            moves += 1
    while double:
        target = pop_lsb(cython.address(double))
        origin = target - 2 * up
        if not pinned & bit(origin) or aligned(origin, target, king):
            moves[0] = make_move(origin, target)
            moves += 1
    while promotions:
        target = pop_lsb(cython.address(promotions))
        origin = target - up
        if not pinned & bit(origin) or aligned(origin, target, king):
            for kind in range(ROOK, KNIGHT - 1, -1):
                moves[0] = make_promotion(origin, target, kind)
                moves += 1
    return moves


def count_legal(pos: Position) -> cython.int:
    """How many legal moves there are, without writing them down: what bulk perft asks at its leaves."""
    us: cython.int = pos.side
    targets: Bitboard = ~pos.by_color[us]
    special: Move[MAX_MOVES]
    end: cython.pointer[Move] = king_moves(pos, special, targets)
    if pos.st.ep_square != NO_SQUARE:
        end = en_passant_moves(pos, end)
    if pos.st.checkers:
        if more_than_one(pos.st.checkers):
            return end - special
        targets &= BETWEEN[king_square(pos, us)][lsb(pos.st.checkers)]
    else:
        end = castling_moves(pos, end)
    return (end - special) + count_pawns(pos, targets) + count_pieces(pos, targets)


def count_pieces(pos: Position, targets: Bitboard) -> cython.int:
    """Moves of knights, bishops, rooks and queens to the given squares."""
    us: cython.int = pos.side
    ours: Bitboard = pos.by_color[us]
    king: cython.int = king_square(pos, us)
    pinned: Bitboard = pos.st.blockers[us] & ours
    full: Bitboard = occupied(pos)
    total: cython.int = 0
    origin: cython.int
    movers: Bitboard = ours & pos.by_type[KNIGHT] & ~pinned
    while movers:
        total += popcount(KNIGHT_ATTACKS[pop_lsb(cython.address(movers))] & targets)
    movers = ours & (pos.by_type[BISHOP] | pos.by_type[QUEEN])
    while movers:
        origin = pop_lsb(cython.address(movers))
        total += popcount(bishop_attacks(origin, full) & targets
                          & (LINE[king][origin] if pinned & bit(origin) else ~cython.cast(Bitboard, 0)))
    movers = ours & (pos.by_type[ROOK] | pos.by_type[QUEEN])
    while movers:
        origin = pop_lsb(cython.address(movers))
        total += popcount(rook_attacks(origin, full) & targets
                          & (LINE[king][origin] if pinned & bit(origin) else ~cython.cast(Bitboard, 0)))
    return total


def count_pawns(pos: Position, targets: Bitboard) -> cython.int:
    """Pawn moves to the given squares, en passant apart; a promotion is four moves."""
    us: cython.int = pos.side
    king: cython.int = king_square(pos, us)
    pinned: Bitboard = pos.st.blockers[us] & pieces(pos, us, PAWN)
    pawns: Bitboard = pieces(pos, us, PAWN) ^ pinned
    empty: Bitboard = ~occupied(pos)
    enemies: Bitboard = pos.by_color[us ^ 1] & targets
    last: Bitboard = rank_bb(7) if us == WHITE else rank_bb(0)
    third: Bitboard = rank_bb(2) if us == WHITE else rank_bb(5)
    line: Bitboard = ~cython.cast(Bitboard, 0)
    total: cython.int = 0
    while True:
        single: Bitboard = forward(us, pawns) & empty & line
        double: Bitboard = forward(us, single & third) & empty & targets
        right: Bitboard = forward(us, east(pawns)) & enemies & line
        left: Bitboard = forward(us, west(pawns)) & enemies & line
        single &= targets
        total += (popcount(single) + popcount(double) + popcount(right) + popcount(left)
                  + 3 * (popcount(single & last) + popcount(right & last) + popcount(left & last)))
        if not pinned:
            return total
        pawns = bit(pop_lsb(cython.address(pinned)))      # a pinned pawn counts alone, on its line
        line = LINE[king][lsb(pawns)]


def staged_moves(position: Position, stage: str) -> list:
    """One stage's moves in UCI text: captures, quiets and quiet_checks when not in check, else evasions."""
    moves: Move[MAX_MOVES]
    end: cython.pointer[Move]
    if (stage == "evasions") != (position.st.checkers != 0):
        raise ValueError(f"there are no {stage} {'while' if position.st.checkers else 'when not'} in check")
    if stage == "captures":
        end = generate_captures(position, moves)
    elif stage == "quiets":
        end = generate_quiets(position, moves)
    elif stage == "quiet_checks":
        end = generate_quiet_checks(position, moves)
    elif stage == "evasions":
        end = generate_evasions(position, moves)
    else:
        raise ValueError(f"move stage is {stage!r}, expected captures, quiets, quiet_checks or evasions")
    return [move_text(moves[index], position.chess960_rules) for index in range(end - moves)]
