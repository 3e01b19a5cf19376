"""Studies pawns once and remembers: structure, passed pawns and what shelters each king."""
import cython
from cython.cimports.barreleye.core.attacks import PAWN_ATTACKS
from cython.cimports.barreleye.core.bitboard import bit, file_bb, pop_lsb, popcount, rank_bb
from cython.cimports.barreleye.core.evaluate.layout import WEIGHTS, Weights
from cython.cimports.barreleye.core.evaluate.pawns import (
    AHEAD, BESIDE, PASSED_SPAN, PAWN_ENTRIES, EvalCache, PawnEntry, clear_eval_cache, fill_spans,
    first_rank, free_eval_cache, new_eval_cache, pawn_structure, probe_pawns, ranks_from, study_pawns, study_shelter,
)
from cython.cimports.barreleye.core.evaluate.score import Score
from cython.cimports.barreleye.core.platform import alloc_aligned, free_aligned
from cython.cimports.barreleye.core.position import Position, king_square, pieces
from cython.cimports.barreleye.core.types import (
    BLACK, NO_SQUARE, PAWN, SQUARES, WHITE, Bitboard, Key, file_of, make_piece, pawn_push, rank_of, relative_rank,
)
from cython.cimports.libc.stdlib import free, malloc
from cython.cimports.libc.string import memset


def new_eval_cache() -> cython.pointer[EvalCache]:
    """A cache for one thread, to be cleared before it is used, or NULL when memory is out."""
    cache: cython.pointer[EvalCache] = cython.cast(cython.pointer[EvalCache], malloc(cython.sizeof(EvalCache)))
    if cache == cython.NULL:
        return cython.NULL
    cache.entries = cython.cast(cython.pointer[PawnEntry], alloc_aligned(PAWN_ENTRIES * cython.sizeof(PawnEntry)))
    if cache.entries == cython.NULL:
        free(cache)
        return cython.NULL
    cache.weights = cython.address(WEIGHTS)
    return cache


def free_eval_cache(cache: cython.pointer[EvalCache]) -> cython.void:
    """Give the memory back; NULL is allowed."""
    if cache != cython.NULL:
        free_aligned(cache.entries)
        free(cache)


def clear_eval_cache(cache: cython.pointer[EvalCache]) -> cython.void:
    """Forget all pawns. The zero key belongs to no position, so a zeroed entry is an empty one."""
    memset(cache.entries, 0, PAWN_ENTRIES * cython.sizeof(PawnEntry))


def probe_pawns(pos: Position, cache: cython.pointer[EvalCache], spare: cython.pointer[PawnEntry],
                w: cython.pointer[Weights]) -> cython.pointer[PawnEntry]:
    """What is known of these pawns and kings, studied now if need be; into the spare entry without a cache."""
    entry: cython.pointer[PawnEntry] = spare
    key: Key = pos.st.pawn_key
    if cache != cython.NULL:
        entry = cython.address(cache.entries[key & (PAWN_ENTRIES - 1)])
    if cache == cython.NULL or entry.key != key:
        study_pawns(pos, entry, w)
        entry.key = key
    if entry.king[WHITE] != king_square(pos, WHITE):
        study_shelter(pos, WHITE, entry, w)
    if entry.king[BLACK] != king_square(pos, BLACK):
        study_shelter(pos, BLACK, entry, w)
    return entry


def study_pawns(pos: Position, entry: cython.pointer[PawnEntry],
                w: cython.pointer[Weights]) -> cython.void:
    """Everything but the shelter, which depends on the kings as well."""
    entry.squares = 0
    entry.structure[WHITE] = pawn_structure(pos, WHITE, entry, w)
    entry.structure[BLACK] = pawn_structure(pos, BLACK, entry, w)
    entry.king[WHITE] = NO_SQUARE
    entry.king[BLACK] = NO_SQUARE


def pawn_structure(pos: Position, us: cython.int, entry: cython.pointer[PawnEntry],
                   w: cython.pointer[Weights]) -> Score:
    """Isolated, backward, doubled and connected pawns; fills in passed pawns and attack spans on the way."""
    them: cython.int = us ^ 1
    ours: Bitboard = pieces(pos, us, PAWN)
    theirs: Bitboard = pieces(pos, them, PAWN)
    passed: Bitboard = 0
    spans: Bitboard = 0
    squares: Score = 0
    score: Score = 0
    pawns: Bitboard = ours
    while pawns:
        sq: cython.int = pop_lsb(cython.address(pawns))
        rank: cython.int = relative_rank(us, sq)
        beside: Bitboard = ours & BESIDE[file_of(sq)]
        phalanx: Bitboard = beside & rank_bb(rank_of(sq))
        support: Bitboard = ours & PAWN_ATTACKS[them][sq]
        is_open: cython.bint = (theirs & AHEAD[us][sq]) == 0
        spans |= PASSED_SPAN[us][sq] & BESIDE[file_of(sq)]
        squares += w.psq[make_piece(us, PAWN)][sq]
        if phalanx:
            score += w.phalanx[rank]
        if support:
            score += w.supported[rank] * popcount(support)
        if not beside:
            score += w.isolated[is_open]
        # Backward: no neighbour can come to its help, and the square in front belongs to an enemy pawn.
        elif (not phalanx and not beside & ~PASSED_SPAN[us][sq]
                and theirs & (PAWN_ATTACKS[us][sq + pawn_push(us)] | bit(sq + pawn_push(us)))):
            score += w.backward[is_open]
        if ours & AHEAD[us][sq]:
            score += w.doubled
        elif not theirs & PASSED_SPAN[us][sq]:
            passed |= bit(sq)
    entry.passed[us] = passed
    entry.spans[us] = spans
    entry.squares += squares
    return score


def study_shelter(pos: Position, us: cython.int, entry: cython.pointer[PawnEntry],
                  w: cython.pointer[Weights]) -> cython.void:
    """The own pawns that stand before the king and the enemy pawns that come for it, on the three files around it."""
    king: cython.int = king_square(pos, us)
    ahead: Bitboard = ranks_from(us, king)
    ours: Bitboard = pieces(pos, us, PAWN)
    theirs: Bitboard = pieces(pos, us ^ 1, PAWN)
    centre: cython.int = max(1, min(6, file_of(king)))
    score: Score = 0
    open_files: cython.int = 0
    file: cython.int
    for file in range(centre - 1, centre + 2):
        edge: cython.int = min(file, 7 - file)
        here: Bitboard = file_bb(file)
        guard: cython.int = first_rank(us, ours & here & ahead)
        raider: cython.int = first_rank(us, theirs & here & ahead)
        open_files += (ours & here) == 0
        score += w.shelter[edge][guard]
        if guard and raider == guard + 1:
            score += w.storm_blocked[raider]
        else:
            score += w.storm[edge][raider]
    if not ours & file_bb(file_of(king)):
        score += w.king_file[(theirs & file_bb(file_of(king))) == 0]
    entry.shelter[us] = score
    entry.open_files[us] = open_files
    entry.king[us] = king


def fill_spans() -> cython.void:
    """What lies ahead of each square, for either colour."""
    sq: cython.int
    file: cython.int
    rank: cython.int
    for file in range(8):
        BESIDE[file] = (file_bb(file - 1) if file > 0 else 0) | (file_bb(file + 1) if file < 7 else 0)
    for sq in range(SQUARES):
        file = file_of(sq)
        for rank in range(8):
            color: cython.int = WHITE if rank > rank_of(sq) else BLACK
            if rank == rank_of(sq):
                continue
            AHEAD[color][sq] |= file_bb(file) & rank_bb(rank)
            PASSED_SPAN[color][sq] |= (file_bb(file) | BESIDE[file]) & rank_bb(rank)


fill_spans()
