"""Fills the hash keys at import, always the same ones: keys may be stored and compared between runs."""
import cython
from cython.cimports.barreleye.core.attacks import KING_ATTACKS, KNIGHT_ATTACKS, bishop_attacks, rook_attacks
from cython.cimports.barreleye.core.bitboard import bit
from cython.cimports.barreleye.core.move import NO_MOVE, make_move
from cython.cimports.barreleye.core.types import (
    ALL_CASTLING, BISHOP, COLORS, KING, KNIGHT, PIECES, QUEEN, ROOK, SQUARES, Bitboard, Key, Move, make_piece,
)
from cython.cimports.barreleye.core.zobrist import (  # noqa: F401  (one key is only ever assigned here)
    CASTLING_KEYS, COUNT_KEYS, CUCKOO_KEYS, CUCKOO_MOVES, EN_PASSANT_KEYS, GOLDEN, MIX_1, MIX_2, NO_PAWNS_KEY,
    PIECE_KEYS, SIDE_KEY, cuckoo_first, cuckoo_second, fill_cuckoo, fill_keys, insert_cuckoo, next_random,
)


def next_random(seed: cython.pointer[Key]) -> Key:
    """The next number of a SplitMix64 sequence."""
    seed[0] += GOLDEN
    mixed: Key = seed[0]
    mixed = (mixed ^ (mixed >> 30)) * MIX_1
    mixed = (mixed ^ (mixed >> 27)) * MIX_2
    return mixed ^ (mixed >> 31)


def fill_keys() -> cython.void:
    """One number for each fact of a position. A castling set's key is the exclusive or of its rights' keys."""
    global SIDE_KEY, NO_PAWNS_KEY
    seed: Key = 1070372
    piece: cython.int
    index: cython.int
    right: cython.int
    for piece in range(PIECES):
        for index in range(SQUARES):
            PIECE_KEYS[piece][index] = next_random(cython.address(seed))
        for index in range(16):
            COUNT_KEYS[piece][index] = next_random(cython.address(seed))
    for index in range(8):
        EN_PASSANT_KEYS[index] = next_random(cython.address(seed))
    for right in range(4):
        key: Key = next_random(cython.address(seed))
        for index in range(ALL_CASTLING + 1):
            if index >> right & 1:
                CASTLING_KEYS[index] ^= key
    SIDE_KEY = next_random(cython.address(seed))
    NO_PAWNS_KEY = next_random(cython.address(seed))


def insert_cuckoo(key: Key, move: Move) -> cython.void:
    """Put a move where its key says, pushing whatever stood there to its own other place."""
    place: cython.int = cuckoo_first(key)
    while True:
        CUCKOO_KEYS[place], key = key, CUCKOO_KEYS[place]
        CUCKOO_MOVES[place], move = move, CUCKOO_MOVES[place]
        if move == NO_MOVE:
            return
        place = cuckoo_second(key) if place == cuckoo_first(key) else cuckoo_first(key)


def fill_cuckoo() -> cython.void:
    """Enter every move that a piece other than a pawn can make and take back on an empty board."""
    color: cython.int
    kind: cython.int
    a: cython.int
    b: cython.int
    for color in range(COLORS):
        for kind in range(KNIGHT, KING + 1):
            piece: cython.int = make_piece(color, kind)
            for a in range(SQUARES):
                reached: Bitboard = 0
                if kind == KNIGHT:
                    reached = KNIGHT_ATTACKS[a]
                elif kind == KING:
                    reached = KING_ATTACKS[a]
                if kind == BISHOP or kind == QUEEN:
                    reached |= bishop_attacks(a, 0)
                if kind == ROOK or kind == QUEEN:
                    reached |= rook_attacks(a, 0)
                for b in range(a + 1, SQUARES):
                    if reached & bit(b):
                        insert_cuckoo(PIECE_KEYS[piece][a] ^ PIECE_KEYS[piece][b] ^ SIDE_KEY, make_move(a, b))


fill_keys()
fill_cuckoo()
