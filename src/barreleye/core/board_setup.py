"""A position put up from the fields of a FEN: pieces, castling rights, keys, checks. Moves keep that from then on."""
import cython
from cython.cimports.barreleye.core.attacks import BETWEEN
from cython.cimports.barreleye.core.bitboard import bit, pop_lsb
from cython.cimports.barreleye.core.board_setup import set_castling_right, set_keys, set_up
from cython.cimports.barreleye.core.notation import Fen
from cython.cimports.barreleye.core.position import SETUP_PLIES, Position, State, attackers_to, king_square
from cython.cimports.barreleye.core.types import (
    BISHOP, BLACK, CASTLINGS, COLORS, KING, KING_SIDE, NO_PIECE, NO_SQUARE, PAWN, PIECE_TYPES, PIECES, QUEEN_SIDE,
    SQUARE_C1, SQUARE_D1, SQUARE_F1, SQUARE_G1, SQUARES, WHITE, Bitboard, Key, castling_number, color_of, file_of,
    rank_of, relative_square, type_of,
)
from cython.cimports.barreleye.core.zobrist import (
    CASTLING_KEYS, COUNT_KEYS, EN_PASSANT_KEYS, NO_PAWNS_KEY, PIECE_KEYS, SIDE_KEY,
)
from cython.cimports.libc.string import memset


def set_up(pos: Position, fen: cython.pointer[Fen]) -> cython.int:
    """Put up the checked fields of a FEN, forgetting everything before."""
    pos.st = pos.states
    pos.reserve(SETUP_PLIES)
    memset(pos.states, 0, cython.sizeof(State))
    memset(pos.board, 0, SQUARES)
    memset(pos.by_type, 0, PIECE_TYPES * cython.sizeof(Bitboard))
    memset(pos.by_color, 0, COLORS * cython.sizeof(Bitboard))
    memset(pos.count, 0, PIECES)
    memset(pos.castling_loss, 0, SQUARES)
    memset(pos.castling_rook, NO_SQUARE, CASTLINGS)
    memset(pos.castling_path, 0, CASTLINGS * cython.sizeof(Bitboard))
    memset(pos.castling_walk, 0, CASTLINGS * cython.sizeof(Bitboard))
    sq: cython.int
    for sq in range(SQUARES):
        if fen.board[sq] != NO_PIECE:
            pos.put_piece(fen.board[sq], sq)
    pos.side = fen.side
    pos.game_ply = 2 * (fen.fullmove - 1) + fen.side
    if pos.is_attacked(king_square(pos, pos.side ^ 1), pos.side, pos.by_type[0]):
        name: str = "black" if pos.side == WHITE else "white"
        raise ValueError(f"FEN is not a position: the {name} king is in check "
                         f"but it is {'white' if pos.side == WHITE else 'black'} to move (field 2)")

    st: cython.pointer[State] = pos.st
    st.rule50 = fen.rule50
    rooks: Bitboard = fen.castling_rooks
    while rooks:
        sq = pop_lsb(cython.address(rooks))
        set_castling_right(pos, WHITE if rank_of(sq) == 0 else BLACK, sq)
    st.ep_square = NO_SQUARE
    if fen.ep_square != NO_SQUARE and pos.has_legal_ep(fen.ep_square):
        st.ep_square = fen.ep_square
    set_keys(pos, st)
    st.checkers = attackers_to(pos, king_square(pos, pos.side), pos.by_type[0]) & pos.by_color[pos.side ^ 1]
    pos.set_pins()
    return 0


def set_castling_right(pos: Position, color: cython.int, rook_sq: cython.int) -> cython.void:
    """Record that this rook may castle: what must be empty, where the king walks, which squares end the right."""
    king: cython.int = king_square(pos, color)
    side: cython.int = KING_SIDE if rook_sq > king else QUEEN_SIDE
    number: cython.int = castling_number(color, side)
    king_to: cython.int = relative_square(color, SQUARE_G1 if side == KING_SIDE else SQUARE_C1)
    rook_to: cython.int = relative_square(color, SQUARE_F1 if side == KING_SIDE else SQUARE_D1)
    if pos.castling_rook[number] != NO_SQUARE:      # X-FEN may name two rooks of one side: the first stays
        return
    pos.st.castling |= 1 << number
    pos.castling_loss[king] |= 1 << number
    pos.castling_loss[rook_sq] |= 1 << number
    pos.castling_rook[number] = rook_sq
    pos.castling_walk[number] = (BETWEEN[king][king_to] | bit(king_to)) & ~bit(king)
    pos.castling_path[number] = ((BETWEEN[king][king_to] | BETWEEN[rook_sq][rook_to] | bit(king_to) | bit(rook_to))
                                  & ~(bit(king) | bit(rook_sq)))
    if king != relative_square(color, 4) or file_of(rook_sq) != (7 if side == KING_SIDE else 0):
        pos.chess960_rules = True


def set_keys(pos: Position, st: cython.pointer[State]) -> cython.void:
    """Compute every key from the board alone; do_move keeps them from then on."""
    st.key = SIDE_KEY if pos.side == BLACK else 0
    st.pawn_key = NO_PAWNS_KEY
    st.minor_key = 0
    st.material_key = 0
    st.non_pawn_key[WHITE] = 0
    st.non_pawn_key[BLACK] = 0
    sq: cython.int
    for sq in range(SQUARES):
        piece: cython.int = pos.board[sq]
        if piece == NO_PIECE:
            continue
        kind: cython.int = type_of(piece)
        key: Key = PIECE_KEYS[piece][sq]
        st.key ^= key
        if kind == PAWN:
            st.pawn_key ^= key
        else:
            st.non_pawn_key[color_of(piece)] ^= key
            if kind <= BISHOP or kind == KING:
                st.minor_key ^= key
    index: cython.int
    for piece in range(PIECES):
        for index in range(pos.count[piece]):
            st.material_key ^= COUNT_KEYS[piece][index]
    if st.ep_square != NO_SQUARE:
        st.key ^= EN_PASSANT_KEYS[file_of(st.ep_square)]
    st.key ^= CASTLING_KEYS[st.castling]
