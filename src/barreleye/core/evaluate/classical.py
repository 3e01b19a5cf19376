"""The hand-written evaluation. Terms run once for each colour on one Evaluation, so that attack sets are made once.

Values are tapered: every weight has a midgame and an endgame half, mixed by the pieces left. King danger alone is not a
sum of weights: its units add up first and are squared after, because attackers help one another.
"""
import cython
from cython.cimports.barreleye.core.attacks import (
    KING_ATTACKS, KNIGHT_ATTACKS, LINE, bishop_attacks, rook_attacks,
)
from cython.cimports.barreleye.core.bitboard import (
    DARK_SQUARES, bit, east, file_bb, forward, more_than_one, pawn_attacks_bb, pop_lsb, popcount, rank_bb, west,
)
from cython.cimports.barreleye.core.evaluate.classical import (
    ACTIVITY, CENTRE, CENTRE_FILES, DANGER_LIMIT, DANGER_SHARE, DANGER_SQUARE, FLANK, FULL_PHASE, KING_SAFETY, MOBILITY,
    PASSED, PAWNS, RING, SPACE, SPACE_PHASE, TERMS, THREATS, VALUE_LIMIT, Evaluation, camp, check_danger, danger_score,
    enter_piece, evaluate_classical, evaluate_fast, fill_rings, game_phase, linear_score, minor_place,
    outpost_ranks, prepare, space, space_ranks, study, study_bishops, study_king, study_knights, study_passed,
    study_queens, study_rooks, study_threats, taper,
)
from cython.cimports.barreleye.core.evaluate.endgame import NORMAL_SCALE, UNKNOWN, endgame_scale, lone_king_value
from cython.cimports.barreleye.core.evaluate.layout import WEIGHTS, Weights
from cython.cimports.barreleye.core.evaluate.pawns import (
    AHEAD, EvalCache, PawnEntry, distance, free_eval_cache, new_eval_cache, probe_pawns,
)
from cython.cimports.barreleye.core.evaluate.score import Score, eg_value, make_score, mg_value
from cython.cimports.barreleye.core.position import Position, king_square, need_check_info, occupied, pieces
from cython.cimports.barreleye.core.types import (
    BISHOP, BLACK, COLORS, KING, KING_SIDE, KNIGHT, PAWN, PIECE_TYPES, QUEEN, QUEEN_SIDE, ROOK, SQUARES, WHITE,
    Bitboard, castling_number, file_of, make_piece, make_square, pawn_push, rank_of, relative_rank, relative_square,
    type_of,
)
from cython.cimports.libc.string import memset


def evaluate_classical(pos: Position, cache: cython.pointer[EvalCache]) -> cython.int:
    """Centipawns from the side to move, when not in check; below 20000. The cache may be NULL."""
    if not more_than_one(pos.by_color[WHITE]) or not more_than_one(pos.by_color[BLACK]):
        known: cython.int = lone_king_value(pos)
        if known != UNKNOWN:
            return known if pos.side == WHITE else -known
    e: Evaluation
    spare: PawnEntry
    e.w = cython.address(WEIGHTS) if cache == cython.NULL else cache.weights
    e.pawns = probe_pawns(pos, cache, cython.address(spare), e.w)
    study(pos, cython.address(e))
    value: cython.int = taper(pos, cython.address(e))
    return value if pos.side == WHITE else -value


def evaluate_fast(pos: Position) -> cython.int:
    """Material and squares alone, for those who need no more."""
    score: Score = 0
    men: Bitboard = occupied(pos)
    while men:
        sq: cython.int = pop_lsb(cython.address(men))
        score += WEIGHTS.psq[pos.board[sq]][sq]
    phase: cython.int = game_phase(pos)
    value: cython.int = (mg_value(score) * phase + eg_value(score) * (FULL_PHASE - phase)) // FULL_PHASE
    return value if pos.side == WHITE else -value


def game_phase(pos: Position) -> cython.int:
    """24 with all pieces on the board, 0 with none: minor 1, rook 2, queen 4."""
    phase: cython.int = (popcount(pos.by_type[KNIGHT] | pos.by_type[BISHOP]) + 2 * popcount(pos.by_type[ROOK])
                         + 4 * popcount(pos.by_type[QUEEN]))
    return min(phase, FULL_PHASE)


def study(pos: Position, e: cython.pointer[Evaluation]) -> cython.void:
    """Fill in every term; weights and pawns are given. Each step reads what those before it found of both colours."""
    us: cython.int
    need_check_info(pos)
    memset(e.term, 0, TERMS * COLORS * cython.sizeof(Score))
    memset(e.attacked, 0, COLORS * PIECE_TYPES * cython.sizeof(Bitboard))
    e.phase = game_phase(pos)
    e.squares = e.pawns.squares
    e.attacked[WHITE][PAWN] = pawn_attacks_bb(WHITE, pieces(pos, WHITE, PAWN))
    e.attacked[BLACK][PAWN] = pawn_attacks_bb(BLACK, pieces(pos, BLACK, PAWN))
    prepare(pos, e, WHITE)
    prepare(pos, e, BLACK)
    for us in range(COLORS):
        study_knights(pos, e, us)
        study_bishops(pos, e, us)
        study_rooks(pos, e, us)
        study_queens(pos, e, us)
    for us in range(COLORS):
        study_king(pos, e, us)
        study_threats(pos, e, us)
        study_passed(pos, e, us)
        if e.phase >= SPACE_PHASE:
            e.term[SPACE][us] = space(pos, e, us)


def linear_score(pos: Position, e: cython.pointer[Evaluation]) -> Score:
    """The sum of all terms that are weights times counts, white's minus black's."""
    score: Score = e.squares + (e.w.tempo if pos.side == WHITE else -e.w.tempo)
    term: cython.int
    for term in range(TERMS):
        score += e.term[term][WHITE] - e.term[term][BLACK]
    return score


def danger_score(danger: cython.int) -> Score:
    """What danger to a king costs it: little at first, then with the square."""
    if danger <= 0:
        return 0
    danger = min(danger, DANGER_LIMIT)
    return make_score(danger * danger // DANGER_SQUARE, danger // DANGER_SHARE)


def taper(pos: Position, e: cython.pointer[Evaluation]) -> cython.int:
    """White's value: midgame and endgame mixed by the pieces left, the endgame scaled by how drawish it is."""
    score: Score = linear_score(pos, e) + danger_score(e.danger[BLACK]) - danger_score(e.danger[WHITE])
    endgame: cython.int = eg_value(score)
    e.scale = endgame_scale(pos, WHITE if endgame > 0 else BLACK)
    value: cython.int = (mg_value(score) * e.phase
                         + endgame * e.scale // NORMAL_SCALE * (FULL_PHASE - e.phase)) // FULL_PHASE
    return max(-VALUE_LIMIT, min(VALUE_LIMIT, value))


def prepare(pos: Position, e: cython.pointer[Evaluation], us: cython.int) -> cython.void:
    """What holds before any piece has been looked at: king, pawn attacks, the squares worth going to."""
    w: cython.pointer[Weights] = e.w
    them: cython.int = us ^ 1
    king: cython.int = king_square(pos, us)
    pawns: Bitboard = pieces(pos, us, PAWN)
    by_pawns: Bitboard = e.attacked[us][PAWN]
    by_two_pawns: Bitboard = forward(us, east(pawns) & west(pawns))
    steps: Bitboard = KING_ATTACKS[king]
    e.king[us] = king
    e.attacked[us][KING] = steps
    e.attacked[us][0] = by_pawns | steps
    e.twice[us] = by_two_pawns | by_pawns & steps
    # Pawns that cannot move, the queen and the king are in the way of the others.
    stuck: Bitboard = pawns & forward(them, occupied(pos))
    e.area[us] = ~(stuck | pos.by_color[us] & (pos.by_type[KING] | pos.by_type[QUEEN]) | e.attacked[them][PAWN])
    e.ring[us] = RING[king] & ~by_two_pawns
    e.attackers[us] = 0
    e.danger[us] = 0
    e.squares += w.psq[make_piece(us, KING)][king]
    e.term[PAWNS][us] = e.pawns.structure[us]
    e.term[KING_SAFETY][us] = e.pawns.shelter[us]
    rights: cython.int = pos.st.castling >> castling_number(us, KING_SIDE)
    if rights & 3:
        if rights & 1:
            e.term[KING_SAFETY][us] += w.castling[KING_SIDE]
        if rights & 2:
            e.term[KING_SAFETY][us] += w.castling[QUEEN_SIDE]


def enter_piece(pos: Position, e: cython.pointer[Evaluation], us: cython.int, kind: cython.int, sq: cython.int,
                reach: Bitboard) -> cython.int:
    """Enter what one piece attacks, and what it does to the enemy king; count the squares it may well go to."""
    them: cython.int = us ^ 1
    e.squares += e.w.psq[make_piece(us, kind)][sq]
    if pos.st.blockers[us] & bit(sq):
        reach &= LINE[e.king[us]][sq]
    e.twice[us] |= e.attacked[us][0] & reach
    e.attacked[us][kind] |= reach
    e.attacked[us][0] |= reach
    if reach & e.ring[them]:
        e.attackers[us] += 1
        e.danger[them] += (e.w.danger_attacker[kind - PAWN]
                           + e.w.danger_ring * popcount(reach & e.attacked[them][KING]))
    return popcount(reach & e.area[us])


def study_knights(pos: Position, e: cython.pointer[Evaluation], us: cython.int) -> cython.void:
    """Knights: mobility and outposts."""
    w: cython.pointer[Weights] = e.w
    knights: Bitboard = pieces(pos, us, KNIGHT)
    if not knights:
        return
    mobility: Score = 0
    place: Score = w.knight_pawns * (popcount(knights) * (popcount(pieces(pos, us, PAWN)) - 5))
    while knights:
        sq: cython.int = pop_lsb(cython.address(knights))
        reach: Bitboard = KNIGHT_ATTACKS[sq]
        mobility += w.knight_mobility[enter_piece(pos, e, us, KNIGHT, sq, reach)]
        place += minor_place(pos, e, us, KNIGHT, sq, reach)
    e.term[MOBILITY][us] += mobility
    e.term[ACTIVITY][us] += place


def study_bishops(pos: Position, e: cython.pointer[Evaluation], us: cython.int) -> cython.void:
    """Bishops: mobility, the pair, outposts, and the pawns that stand in their way."""
    w: cython.pointer[Weights] = e.w
    bishops: Bitboard = pieces(pos, us, BISHOP)
    if not bishops:
        return
    through: Bitboard = occupied(pos) ^ pieces(pos, us, QUEEN)
    pawns: Bitboard = pieces(pos, us, PAWN)
    stuck: Bitboard = pawns & forward(us ^ 1, occupied(pos)) & CENTRE_FILES
    mobility: Score = 0
    place: Score = 0
    if bishops & DARK_SQUARES and bishops & ~DARK_SQUARES:
        place += w.bishop_pair
    while bishops:
        sq: cython.int = pop_lsb(cython.address(bishops))
        reach: Bitboard = bishop_attacks(sq, through)
        mobility += w.bishop_mobility[enter_piece(pos, e, us, BISHOP, sq, reach)]
        place += minor_place(pos, e, us, BISHOP, sq, reach)
        colour: Bitboard = DARK_SQUARES if bit(sq) & DARK_SQUARES else ~DARK_SQUARES
        place += w.bishop_pawns * popcount(pawns & colour) + w.bishop_blocked * popcount(stuck & colour)
        # It looks across the centre past all pawns.
        if more_than_one(bishop_attacks(sq, pos.by_type[PAWN]) & CENTRE):
            place += w.long_diagonal
    e.term[MOBILITY][us] += mobility
    e.term[ACTIVITY][us] += place


def minor_place(pos: Position, e: cython.pointer[Evaluation], us: cython.int, kind: cython.int, sq: cython.int,
                reach: Bitboard) -> Score:
    """A knight or bishop on a square that no enemy pawn will ever attack, or behind a pawn."""
    score: Score = 0
    outposts: Bitboard = outpost_ranks(us) & e.attacked[us][PAWN] & ~e.pawns.spans[us ^ 1]
    if outposts & bit(sq):
        score += e.w.outpost[kind == BISHOP]
    elif kind == KNIGHT and outposts & reach & ~pos.by_color[us]:
        score += e.w.outpost_reach
    if forward(us, bit(sq)) & pos.by_type[PAWN]:
        score += e.w.behind_pawn
    return score


def study_rooks(pos: Position, e: cython.pointer[Evaluation], us: cython.int) -> cython.void:
    """Rooks: mobility, open files, the seventh rank, and the corner their own king shuts them into."""
    w: cython.pointer[Weights] = e.w
    rooks: Bitboard = pieces(pos, us, ROOK)
    if not rooks:
        return
    them: cython.int = us ^ 1
    through: Bitboard = occupied(pos) ^ rooks ^ pieces(pos, us, QUEEN)
    pawns: Bitboard = pieces(pos, us, PAWN)
    mobility: Score = 0
    place: Score = w.rook_pawns * (popcount(rooks) * (popcount(pawns) - 5))
    while rooks:
        sq: cython.int = pop_lsb(cython.address(rooks))
        here: Bitboard = file_bb(file_of(sq))
        squares: cython.int = enter_piece(pos, e, us, ROOK, sq, rook_attacks(sq, through))
        mobility += w.rook_mobility[squares]
        if not pawns & here:
            place += w.rook_file[(pos.by_type[PAWN] & here) == 0]
        elif squares <= 3 and (file_of(e.king[us]) < 4) == (file_of(sq) < file_of(e.king[us])):
            place += w.rook_trapped
        if (relative_rank(us, sq) == 6
                and (relative_rank(us, e.king[them]) == 7 or pieces(pos, them, PAWN) & rank_bb(rank_of(sq)))):
            place += w.rook_seventh
    e.term[MOBILITY][us] += mobility
    e.term[ACTIVITY][us] += place


def study_queens(pos: Position, e: cython.pointer[Evaluation], us: cython.int) -> cython.void:
    """Queens: mobility."""
    queens: Bitboard = pieces(pos, us, QUEEN)
    full: Bitboard = occupied(pos)
    while queens:
        sq: cython.int = pop_lsb(cython.address(queens))
        reach: Bitboard = bishop_attacks(sq, full) | rook_attacks(sq, full)
        e.term[MOBILITY][us] += e.w.queen_mobility[enter_piece(pos, e, us, QUEEN, sq, reach)]


def study_king(pos: Position, e: cython.pointer[Evaluation], us: cython.int) -> cython.void:
    """How dangerous the enemy pieces are to our king."""
    w: cython.pointer[Weights] = e.w
    them: cython.int = us ^ 1
    has_queen: cython.bint = pieces(pos, them, QUEEN) != 0
    if e.attackers[them] + has_queen < 2:
        e.danger[us] = 0
        return
    # Weak: attacked, and we defend it with king or queen at best.
    weak: Bitboard = (e.attacked[them][0] & ~e.twice[us]
                      & (~e.attacked[us][0] | e.attacked[us][KING] | e.attacked[us][QUEEN]))
    flank: Bitboard = FLANK[file_of(e.king[us])] & camp(us)
    attacks: Bitboard = e.attacked[them][0] & flank
    danger: cython.int = e.danger[us] + w.danger_base
    danger += w.danger_weak * popcount(e.ring[us] & weak)
    danger += w.danger_flank * (popcount(attacks) + popcount(attacks & e.twice[them]))
    danger += w.danger_flank_defence * popcount(flank & e.attacked[us][0])
    danger += w.danger_pinned * popcount(pos.st.blockers[us])
    danger += w.danger_open * e.pawns.open_files[us]
    if not has_queen:
        danger += w.danger_queenless
    if not e.attacked[us][KNIGHT] & e.attacked[us][KING]:
        danger += w.danger_no_knight
    e.danger[us] = danger + check_danger(pos, e, us, weak)


def check_danger(pos: Position, e: cython.pointer[Evaluation], us: cython.int, weak: Bitboard) -> cython.int:
    """Checks the enemy can give: those on squares we do not hold, by piece, and the mere number of the others."""
    w: cython.pointer[Weights] = e.w
    them: cython.int = us ^ 1
    king: cython.int = e.king[us]
    through: Bitboard = occupied(pos) ^ pieces(pos, us, QUEEN)
    straight: Bitboard = rook_attacks(king, through)
    diagonal: Bitboard = bishop_attacks(king, through)
    safe: Bitboard = ~pos.by_color[them] & (~e.attacked[us][0] | weak & e.twice[them])
    unsafe: Bitboard = 0
    danger: cython.int = 0
    by_rook: Bitboard = straight & e.attacked[them][ROOK]
    if by_rook & safe:
        danger += w.danger_check[ROOK - PAWN]
    else:
        unsafe |= by_rook
    # A queen's check counts where a rook cannot give it and our queen cannot answer it.
    by_queen: Bitboard = (straight | diagonal) & e.attacked[them][QUEEN] & safe & ~e.attacked[us][QUEEN]
    if by_queen & ~(by_rook & safe):
        danger += w.danger_check[QUEEN - PAWN]
    by_bishop: Bitboard = diagonal & e.attacked[them][BISHOP]
    if by_bishop & safe & ~by_queen:
        danger += w.danger_check[BISHOP - PAWN]
    else:
        unsafe |= by_bishop
    by_knight: Bitboard = KNIGHT_ATTACKS[king] & e.attacked[them][KNIGHT]
    if by_knight & safe:
        danger += w.danger_check[KNIGHT - PAWN]
    else:
        unsafe |= by_knight
    return danger + w.danger_unsafe_check * popcount(unsafe & ~pos.by_color[them])


def study_threats(pos: Position, e: cython.pointer[Evaluation], us: cython.int) -> cython.void:
    """What we attack and can win, or can attack with a pawn's step."""
    w: cython.pointer[Weights] = e.w
    them: cython.int = us ^ 1
    ours: cython.pointer[Bitboard] = e.attacked[us]
    theirs: cython.pointer[Bitboard] = e.attacked[them]
    score: Score = 0
    enemies: Bitboard = pos.by_color[them]
    pieces_of_them: Bitboard = enemies & ~(pos.by_type[PAWN] | pos.by_type[KING])
    held: Bitboard = theirs[PAWN] | e.twice[them] & ~e.twice[us]
    weak: Bitboard = enemies & ~held & ours[0]
    held_pieces: Bitboard = pieces_of_them & held
    victims: Bitboard
    if weak | held_pieces:
        victims = (weak | held_pieces) & (ours[KNIGHT] | ours[BISHOP]) & ~pos.by_type[KING]
        while victims:
            score += w.minor_threat[type_of(pos.board[pop_lsb(cython.address(victims))]) - PAWN]
        victims = weak & ours[ROOK] & ~pos.by_type[KING]
        while victims:
            score += w.rook_threat[type_of(pos.board[pop_lsb(cython.address(victims))]) - PAWN]
        if weak & ours[KING]:
            score += w.king_threat
        score += w.hanging * popcount(weak & (~theirs[0] | pieces_of_them & e.twice[us]))
    score += w.restricted * popcount(theirs[0] & ~held & ours[0])

    safe: Bitboard = ~theirs[0] | ours[0]
    pawns: Bitboard = pieces(pos, us, PAWN)
    victims = pawn_attacks_bb(us, pawns & safe) & pieces_of_them
    while victims:
        score += w.pawn_threat[type_of(pos.board[pop_lsb(cython.address(victims))]) - PAWN]
    empty: Bitboard = ~occupied(pos)
    steps: Bitboard = forward(us, pawns) & empty
    steps |= forward(us, steps & rank_bb(2 if us == WHITE else 5)) & empty
    steps &= ~theirs[PAWN] & safe
    score += w.push_threat * popcount(pawn_attacks_bb(us, steps) & pieces_of_them)

    queen: Bitboard = pieces(pos, them, QUEEN)
    if queen and not more_than_one(queen):
        sq: cython.int = pop_lsb(cython.address(queen))
        open_to_us: Bitboard = e.area[us] & ~held & ~pos.by_color[us]
        score += w.queen_knight * popcount(KNIGHT_ATTACKS[sq] & ours[KNIGHT] & open_to_us)
        score += w.queen_slider * popcount(open_to_us & e.twice[us] & (
            bishop_attacks(sq, occupied(pos)) & ours[BISHOP] | rook_attacks(sq, occupied(pos)) & ours[ROOK]))
    e.term[THREATS][us] = score


def study_passed(pos: Position, e: cython.pointer[Evaluation], us: cython.int) -> cython.void:
    """Passed pawns: how far, how free, and whose king is near."""
    w: cython.pointer[Weights] = e.w
    them: cython.int = us ^ 1
    score: Score = 0
    passed: Bitboard = e.pawns.passed[us]
    while passed:
        sq: cython.int = pop_lsb(cython.address(passed))
        rank: cython.int = relative_rank(us, sq)
        score += w.passed[rank]
        if rank < 3:
            continue
        stop: cython.int = sq + pawn_push(us)
        score += w.passed_our_king * ((rank - 2) * distance(e.king[us], stop))
        score += w.passed_their_king * ((rank - 2) * distance(e.king[them], stop))
        if occupied(pos) & bit(stop):
            score += w.passed_blocked[rank]
        else:
            path: Bitboard = AHEAD[us][sq]
            if not path & (e.attacked[them][0] | pos.by_color[them]):
                score += w.passed_safe_path[rank]
            elif not bit(stop) & e.attacked[them][0] or bit(stop) & e.attacked[us][0]:
                score += w.passed_safe_stop[rank]
        if AHEAD[them][sq] & pieces(pos, us, ROOK):
            score += w.passed_rook_behind
    e.term[PASSED][us] = score


def space(pos: Position, e: cython.pointer[Evaluation], us: cython.int) -> Score:
    """Squares in our half of the centre that no enemy pawn attacks; those behind our pawns count twice."""
    them: cython.int = us ^ 1
    pawns: Bitboard = pieces(pos, us, PAWN)
    safe: Bitboard = CENTRE_FILES & space_ranks(us) & ~pawns & ~e.attacked[them][PAWN]
    behind: Bitboard = pawns | forward(them, pawns)
    behind |= forward(them, forward(them, behind))
    return e.w.space * (popcount(safe) + popcount(behind & safe & ~e.attacked[them][0]))


def fill_rings() -> cython.void:
    """The nine squares around a king, kept on the board by moving the middle in from the edge."""
    sq: cython.int
    file: cython.int
    for sq in range(SQUARES):
        middle: cython.int = make_square(max(1, min(6, file_of(sq))), max(1, min(6, rank_of(sq))))
        RING[sq] = KING_ATTACKS[middle] | bit(middle)
    for file in range(8):
        for sq in range(SQUARES):
            if abs(file_of(sq) - max(2, min(5, file))) <= 2:
                FLANK[file] |= bit(sq)


# For people


TERM_NAMES = ("pawns", "passed", "activity", "mobility", "threats", "king", "space")


def evaluate(position: Position) -> int:
    """Centipawns from the side to move, without search.

    >>> from barreleye.core.position import Position
    >>> evaluate(Position("4k3/8/8/8/8/8/8/3QK3 w - - 0 1")) > 500
    True
    """
    return evaluate_classical(position, cython.NULL)


def evaluate_many(positions: list) -> list:
    """The same for many positions, with what was learned of pawns kept from one to the next."""
    cache: cython.pointer[EvalCache] = new_eval_cache()
    if cache == cython.NULL:
        raise MemoryError("no memory for the pawn cache")
    values: list = []
    for position in positions:
        pos: Position = position
        values.append(evaluate_classical(pos, cache))
    free_eval_cache(cache)
    return values


def quick_value(position: Position) -> int:
    """Material and squares alone, in centipawns from the side to move."""
    return evaluate_fast(position)


def breakdown(position: Position) -> dict:
    """The evaluation term by term: white midgame, white endgame, black midgame, black endgame.

    Beside the terms stand phase (24 with all pieces, 0 with none), scale (64ths of the endgame value that count), total
    (centipawns for white) and known (whether the ending is known, so that the terms do not decide).
    """
    e: Evaluation
    spare: PawnEntry
    e.w = cython.address(WEIGHTS)
    e.pawns = probe_pawns(position, cython.NULL, cython.address(spare), e.w)
    study(position, cython.address(e))
    total: cython.int = taper(position, cython.address(e))
    value: cython.int = evaluate_classical(position, cython.NULL)
    value = value if position.side == WHITE else -value
    material: Score[COLORS]
    squares: Score[COLORS]
    color: cython.int
    for color in range(COLORS):
        material[color] = 0
        squares[color] = 0
        e.term[KING_SAFETY][color] -= danger_score(e.danger[color])
        men: Bitboard = position.by_color[color]
        while men:
            sq: cython.int = pop_lsb(cython.address(men))
            kind: cython.int = type_of(position.board[sq])
            worth: Score = WEIGHTS.material[kind - PAWN] if kind != KING else 0
            material[color] += worth
            squares[color] += WEIGHTS.psq[make_piece(WHITE, kind)][relative_square(color, sq)] - worth
    terms: dict = {"material": shares(material[WHITE], material[BLACK]),
                   "squares": shares(squares[WHITE], squares[BLACK])}
    for color in range(TERMS):
        terms[TERM_NAMES[color]] = shares(e.term[color][WHITE], e.term[color][BLACK])
    terms["tempo"] = shares(WEIGHTS.tempo, 0) if position.side == WHITE else shares(0, WEIGHTS.tempo)
    return {**terms, "phase": e.phase, "scale": e.scale, "total": value, "known": value != total}


def shares(white: Score, black: Score) -> tuple:
    """Both halves of both scores."""
    return mg_value(white), eg_value(white), mg_value(black), eg_value(black)


fill_rings()
