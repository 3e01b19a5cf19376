"""The hand-written evaluation. Terms run once for each colour on one Evaluation, so that attack sets are made once.

Values are tapered: every weight has a midgame and an endgame half, mixed by the pieces left. King danger alone is not a
sum of weights: its units add up first and are squared after, because attackers help one another.
"""
import cython
from cython.cimports.barreleye.core.attacks import (
    KING_ATTACKS, KNIGHT_ATTACKS, LINE, bishop_attacks, queen_attacks, rook_attacks,
)
from cython.cimports.barreleye.core.bitboard import (
    DARK_SQUARES, bit, east, forward, more_than_one, pawn_attacks_bb, pop_lsb, popcount, rank_bb, west,
)
from cython.cimports.barreleye.core.evaluate.classical import (
    ACTIVITY, CENTRE, CENTRE_FILES, DANGER_LIMIT, DANGER_SHARE, DANGER_SQUARE, FLANK, FULL_PHASE, KING_SAFETY, MOBILITY,
    PASSED, PAWNS, RING, SPACE, SPACE_PHASE, TERMS, THREATS, VALUE_LIMIT, Evaluation, Sweep, begin_sweep, camp,
    check_danger, danger_score, end_kind, enter_piece, evaluate_classical, evaluate_fast, file_fill, fill_rings,
    game_phase, is_shut_in, linear_score, outpost_ranks, passed_pawns, places, prepare, space, space_ranks, study,
    study_king, study_pieces, sum_by_kind, taper, threats,
)
from cython.cimports.barreleye.core.evaluate.endgame import NORMAL_SCALE, UNKNOWN, endgame_scale, lone_king_value
from cython.cimports.barreleye.core.evaluate.layout import WEIGHTS, Weights
from cython.cimports.barreleye.core.evaluate.pawns import (
    AHEAD, EvalCache, PawnEntry, clear_eval_cache, distance, free_eval_cache, new_eval_cache, probe_pawns,
)
from cython.cimports.barreleye.core.evaluate.score import Score, eg_value, make_score, mg_value
from cython.cimports.barreleye.core.position import Position, king_square, need_check_info, occupied, pieces
from cython.cimports.barreleye.core.types import (
    BISHOP, BLACK, COLORS, KING, KING_SIDE, KNIGHT, PAWN, QUEEN, QUEEN_SIDE, ROOK, SQUARES, WHITE,
    Bitboard, castling_number, file_of, make_piece, make_square, pawn_push, rank_of, relative_rank, relative_square,
    type_of,
)


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
    """The cheaper form: material and squares alone."""
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
    need_check_info(pos)
    e.phase = game_phase(pos)
    e.squares = e.pawns.squares
    e.attacked[WHITE][PAWN] = pawn_attacks_bb(WHITE, pieces(pos, WHITE, PAWN))
    e.attacked[BLACK][PAWN] = pawn_attacks_bb(BLACK, pieces(pos, BLACK, PAWN))
    prepare(pos, e, WHITE)
    prepare(pos, e, BLACK)
    study_pieces(pos, e, WHITE)
    study_pieces(pos, e, BLACK)
    study_king(pos, e, WHITE)
    study_king(pos, e, BLACK)
    e.term[THREATS][WHITE] = threats(pos, e, WHITE)
    e.term[THREATS][BLACK] = threats(pos, e, BLACK)
    e.term[PASSED][WHITE] = passed_pawns(pos, e, WHITE)
    e.term[PASSED][BLACK] = passed_pawns(pos, e, BLACK)
    e.term[SPACE][WHITE] = 0
    e.term[SPACE][BLACK] = 0
    if e.phase >= SPACE_PHASE:
        e.term[SPACE][WHITE] = space(pos, e, WHITE)
        e.term[SPACE][BLACK] = space(pos, e, BLACK)


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
    e.squares += w.psq[make_piece(us, KING)][king]
    e.term[PAWNS][us] = e.pawns.structure[us]
    e.term[KING_SAFETY][us] = e.pawns.shelter[us]
    rights: cython.int = pos.st.castling >> castling_number(us, KING_SIDE)
    if rights & 3:
        if rights & 1:
            e.term[KING_SAFETY][us] += w.castling[KING_SIDE]
        if rights & 2:
            e.term[KING_SAFETY][us] += w.castling[QUEEN_SIDE]


def study_pieces(pos: Position, e: cython.pointer[Evaluation], us: cython.int) -> cython.void:
    """Go through the pieces of one colour: what they attack, how freely they move, what they do to the enemy king."""
    w: cython.pointer[Weights] = e.w
    full: Bitboard = occupied(pos)
    ours: Bitboard = pos.by_color[us]
    queens: Bitboard = ours & pos.by_type[QUEEN]
    rooks: Bitboard = ours & pos.by_type[ROOK]
    men: Bitboard
    sq: cython.int
    count: cython.int
    s: Sweep
    begin_sweep(pos, e, us, cython.address(s))
    squares: Score = 0
    mobility: Score = 0
    steps: cython.int = 0          # from minor pieces to their king

    men = ours & pos.by_type[KNIGHT]
    while men:
        sq = pop_lsb(cython.address(men))
        squares += w.psq[make_piece(us, KNIGHT)][sq]
        mobility += w.knight_mobility[enter_piece(cython.address(s), sq, KNIGHT_ATTACKS[sq], w.danger_attacker[1])]
        steps += distance(s.king, sq)
    e.attacked[us][KNIGHT] = end_kind(cython.address(s))
    place: Score = w.knight_steps * steps
    steps = 0

    # Bishops see through their queen, rooks through their queen and one another.
    men = ours & pos.by_type[BISHOP]
    while men:
        sq = pop_lsb(cython.address(men))
        squares += w.psq[make_piece(us, BISHOP)][sq]
        mobility += w.bishop_mobility[
            enter_piece(cython.address(s), sq, bishop_attacks(sq, full ^ queens), w.danger_attacker[2])]
        steps += distance(s.king, sq)
        if more_than_one(bishop_attacks(sq, pos.by_type[PAWN]) & CENTRE):
            place += w.long_diagonal
    e.attacked[us][BISHOP] = end_kind(cython.address(s))
    place += w.bishop_steps * steps

    men = rooks
    while men:
        sq = pop_lsb(cython.address(men))
        squares += w.psq[make_piece(us, ROOK)][sq]
        count = enter_piece(cython.address(s), sq, rook_attacks(sq, full ^ queens ^ rooks), w.danger_attacker[3])
        mobility += w.rook_mobility[count]
        if count <= 3 and is_shut_in(sq, s.king):
            place += w.rook_trapped
    e.attacked[us][ROOK] = end_kind(cython.address(s))

    men = queens
    while men:
        sq = pop_lsb(cython.address(men))
        squares += w.psq[make_piece(us, QUEEN)][sq]
        mobility += w.queen_mobility[
            enter_piece(cython.address(s), sq, queen_attacks(sq, full), w.danger_attacker[4])]
    e.attacked[us][QUEEN] = end_kind(cython.address(s))

    e.squares += squares
    e.term[MOBILITY][us] = mobility
    e.term[ACTIVITY][us] = place + places(pos, e, us)
    e.attacked[us][0] = s.all
    e.twice[us] = s.twice
    e.attackers[us] = s.attackers
    e.danger[us ^ 1] = s.danger + w.danger_ring * s.hits


def begin_sweep(pos: Position, e: cython.pointer[Evaluation], us: cython.int, s: cython.pointer[Sweep]) -> cython.void:
    """What holds for all pieces of a colour."""
    s.king = e.king[us]
    s.pinned = pos.st.blockers[us]
    s.area = e.area[us]
    s.ring = e.ring[us ^ 1]
    s.steps = KING_ATTACKS[e.king[us ^ 1]]
    s.all = e.attacked[us][0]
    s.twice = e.twice[us]
    s.kind = 0
    s.attackers = 0
    s.hits = 0
    s.danger = e.w.danger_attacker[0] * popcount(e.attacked[us][PAWN] & s.ring)


def enter_piece(s: cython.pointer[Sweep], sq: cython.int, reach: Bitboard, unit: cython.int) -> cython.int:
    """Enter what one piece attacks, and what it does to the enemy king; count the squares it may well go to."""
    if s.pinned & bit(sq):
        reach &= LINE[s.king][sq]
    s.twice |= s.all & reach
    s.all |= reach
    s.kind |= reach
    is_near: cython.int = (reach & s.ring) != 0
    s.attackers += is_near
    s.danger += is_near * unit
    s.hits += popcount(reach & s.steps)
    return popcount(reach & s.area)


def end_kind(s: cython.pointer[Sweep]) -> Bitboard:
    """All that pieces of one kind attack; the next kind begins."""
    reached: Bitboard = s.kind
    s.kind = 0
    return reached


def places(pos: Position, e: cython.pointer[Evaluation], us: cython.int) -> Score:
    """Pieces on squares that suit them: outposts, open files; bishops and their pawns; what goes well together."""
    w: cython.pointer[Weights] = e.w
    them: cython.int = us ^ 1
    ours: Bitboard = pos.by_color[us]
    pawns: Bitboard = ours & pos.by_type[PAWN]
    knights: Bitboard = ours & pos.by_type[KNIGHT]
    bishops: Bitboard = ours & pos.by_type[BISHOP]
    rooks: Bitboard = ours & pos.by_type[ROOK]
    extra_pawns: cython.int = popcount(pawns) - 5
    score: Score = (w.knight_pawns * (popcount(knights) * extra_pawns)
                    + w.rook_pawns * (popcount(rooks) * extra_pawns))

    # Outposts: held by a pawn, and no enemy pawn can ever attack them.
    outposts: Bitboard = outpost_ranks(us) & e.attacked[us][PAWN] & ~e.pawns.spans[them]
    score += w.outpost[0] * popcount(knights & outposts) + w.outpost[1] * popcount(bishops & outposts)
    score += w.outpost_reach * popcount(e.attacked[us][KNIGHT] & outposts & ~ours)
    score += w.behind_pawn * popcount((knights | bishops) & forward(them, pos.by_type[PAWN]))

    if bishops:
        stuck: Bitboard = pawns & forward(them, occupied(pos)) & CENTRE_FILES
        dark: cython.int = popcount(bishops & DARK_SQUARES)
        light: cython.int = popcount(bishops & ~DARK_SQUARES)
        if dark and light:
            score += w.bishop_pair
        score += w.bishop_pawns * (dark * popcount(pawns & DARK_SQUARES) + light * popcount(pawns & ~DARK_SQUARES))
        score += w.bishop_blocked * (dark * popcount(stuck & DARK_SQUARES) + light * popcount(stuck & ~DARK_SQUARES))

    if rooks:
        half_open: Bitboard = rooks & ~file_fill(pawns)
        closed: Bitboard = file_fill(pieces(pos, them, PAWN))
        score += w.rook_file[0] * popcount(half_open & closed) + w.rook_file[1] * popcount(half_open & ~closed)
        seventh: Bitboard = rank_bb(6 if us == WHITE else 1)
        if rooks & seventh and (pieces(pos, them, PAWN) & seventh or relative_rank(us, e.king[them]) == 7):
            score += w.rook_seventh * popcount(rooks & seventh)
    return score


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
    by_rook: Bitboard = straight & e.attacked[them][ROOK]
    by_bishop: Bitboard = diagonal & e.attacked[them][BISHOP]
    by_knight: Bitboard = KNIGHT_ATTACKS[king] & e.attacked[them][KNIGHT]
    # A queen's check counts where a rook cannot give it and our queen cannot answer it.
    by_queen: Bitboard = (straight & ~by_rook | diagonal) & e.attacked[them][QUEEN] & ~e.attacked[us][QUEEN]
    danger: cython.int = w.danger_check[ROOK - PAWN] * ((by_rook & safe) != 0)
    danger += w.danger_check[QUEEN - PAWN] * ((by_queen & safe) != 0)
    danger += w.danger_check[BISHOP - PAWN] * ((by_bishop & safe) != 0)
    danger += w.danger_check[KNIGHT - PAWN] * ((by_knight & safe) != 0)
    unsafe: Bitboard = (by_rook | by_bishop | by_knight) & ~safe & ~pos.by_color[them]
    return danger + w.danger_unsafe_check * popcount(unsafe)


def threats(pos: Position, e: cython.pointer[Evaluation], us: cython.int) -> Score:
    """What we attack and can win, or can attack with a pawn's step."""
    w: cython.pointer[Weights] = e.w
    them: cython.int = us ^ 1
    ours: cython.pointer[Bitboard] = e.attacked[us]
    theirs: cython.pointer[Bitboard] = e.attacked[them]
    full: Bitboard = occupied(pos)
    enemies: Bitboard = pos.by_color[them] & ~pos.by_type[KING]
    officers: Bitboard = enemies & ~pos.by_type[PAWN]
    held: Bitboard = theirs[PAWN] | e.twice[them] & ~e.twice[us]
    weak: Bitboard = enemies & ~held & ours[0]
    score: Score = (sum_by_kind(pos, (weak | officers) & (ours[KNIGHT] | ours[BISHOP]), w.minor_threat)
                    + sum_by_kind(pos, weak & ours[ROOK], w.rook_threat))
    score += w.king_threat * popcount(weak & ours[KING])
    score += w.hanging * popcount(weak & (~theirs[0] | officers & e.twice[us]))
    score += w.restricted * popcount(theirs[0] & ~held & ours[0])

    safe: Bitboard = ~theirs[0] | ours[0]
    pawns: Bitboard = pieces(pos, us, PAWN)
    score += sum_by_kind(pos, pawn_attacks_bb(us, pawns & safe) & officers, w.pawn_threat)
    steps: Bitboard = forward(us, pawns) & ~full
    steps |= forward(us, steps & rank_bb(2 if us == WHITE else 5)) & ~full
    score += w.push_threat * popcount(pawn_attacks_bb(us, steps & safe & ~theirs[PAWN]) & officers)

    queen: Bitboard = officers & pos.by_type[QUEEN]
    if queen and not more_than_one(queen):
        sq: cython.int = pop_lsb(cython.address(queen))
        free: Bitboard = e.area[us] & ~held & ~pos.by_color[us]
        score += w.queen_knight * popcount(KNIGHT_ATTACKS[sq] & ours[KNIGHT] & free)
        score += w.queen_slider * popcount(free & e.twice[us] & (
            bishop_attacks(sq, full) & ours[BISHOP] | rook_attacks(sq, full) & ours[ROOK]))
    return score


def sum_by_kind(pos: Position, men: Bitboard, worth: cython.pointer[Score]) -> Score:
    """Add up the worth of some pieces, by their kind from pawn to queen."""
    total: Score = 0
    while men:
        total += worth[type_of(pos.board[pop_lsb(cython.address(men))]) - PAWN]
    return total


def passed_pawns(pos: Position, e: cython.pointer[Evaluation], us: cython.int) -> Score:
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
    return score


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
    clear_eval_cache(cache)
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
