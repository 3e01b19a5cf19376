"""Chess text: FEN in and out, UCI move names out. Errors name the field and say what is wrong with it.

Refused: text that is not FEN, kings missing or doubled, more than 16 pieces or 8 pawns of a colour, pawns on the
first or last rank, an en-passant square on an impossible rank. Normalised: missing trailing fields get their
defaults, castling rights without their king and rook in place are dropped, an en-passant square is dropped when
no pawn could capture there, a move number of 0 becomes 1.
"""
import cython
from cython.cimports.barreleye.core.bitboard import bit
from cython.cimports.barreleye.core.move import (
    CASTLING, NO_MOVE, NULL_MOVE, PROMOTION, castled_king, from_sq, kind_of, make_move, make_promotion, promotion_type,
    to_sq,
)
from cython.cimports.barreleye.core.notation import (
    Fen, board_text, castling_text, check_material, king_of, move_text, outermost_rook, parse_board, parse_castling,
    parse_en_passant, parse_fen, square_name, squares_of,
)
from cython.cimports.barreleye.core.types import (
    BLACK, COLORS, KING, KNIGHT, NO_PIECE, NO_SQUARE, PAWN, ROOK, SQUARES, WHITE, Bitboard, Move, color_of, file_of,
    make_piece, make_square, pawn_push, rank_of, relative_rank, type_of, uint8_t,
)

START_FEN = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
PIECE_LETTERS = " PNBRQK  pnbrqk "
SQUARE_NAMES: tuple = tuple([file + rank for rank in "12345678" for file in "abcdefgh"])
COLOR_NAMES = ("white", "black")
MAX_CLOCK = 99_999


def parse_fen(text: object, fen: cython.pointer[Fen]) -> cython.int:
    """Read and check a FEN; the side not to move being in check is the position's to find out."""
    if not isinstance(text, str):
        raise TypeError(f"a position is set up from FEN text, not from {text!r}")
    fields: list = text.split()
    if not fields:
        raise ValueError("FEN is empty: expected at least the piece placement, as in " + repr(START_FEN))
    if len(fields) > 6:
        raise ValueError(f"FEN has {len(fields)} fields, expected at most 6: {text!r}")
    fields += ("w", "-", "-", "0", "1")[len(fields) - 1:]

    parse_board(fields[0], fen)
    if fields[1] not in ("w", "b"):
        raise ValueError(f"FEN side to move (field 2) is {fields[1]!r}, expected 'w' or 'b'")
    fen.side = BLACK if fields[1] == "b" else WHITE
    parse_castling(fields[2], fen)
    parse_en_passant(fields[3], fen)
    for name, field in (("halfmove clock (field 5)", fields[4]), ("move number (field 6)", fields[5])):
        if not (field.isascii() and field.isdigit() and len(field) <= 5):
            raise ValueError(f"FEN {name} is {field!r}, expected a number from 0 to {MAX_CLOCK}")
    fen.rule50 = int(fields[4])
    fen.fullmove = max(1, int(fields[5]))
    return 0


def parse_board(field: str, fen: cython.pointer[Fen]) -> cython.int:
    """Field 1: the pieces, rank 8 first."""
    ranks: list = field.split("/")
    if len(ranks) != 8:
        found: str = "1 rank" if len(ranks) == 1 else f"{len(ranks)} ranks"
        raise ValueError(f"FEN piece placement (field 1) has {found}, expected 8: {field!r}")
    sq: cython.int
    for sq in range(SQUARES):
        fen.board[sq] = NO_PIECE
    rank: cython.int
    for rank in range(8):
        file: cython.int = 0
        for letter in ranks[7 - rank]:
            if letter in "12345678":
                file += int(letter)
            elif letter in "PNBRQKpnbrqk":
                if file < 8:
                    fen.board[make_square(file, rank)] = PIECE_LETTERS.index(letter)
                file += 1
            else:
                raise ValueError(f"FEN piece placement (field 1) has {letter!r} on rank {rank + 1}, "
                                 "expected a piece letter or a digit from 1 to 8")
        if file != 8:
            raise ValueError(f"FEN piece placement (field 1) gives rank {rank + 1} {file} squares, expected 8")
    return check_material(fen)


def check_material(fen: cython.pointer[Fen]) -> cython.int:
    """Refuse what no search could survive: missing kings, crowds, pawns that cannot stand where they do."""
    color: cython.int
    sq: cython.int
    for color in range(COLORS):
        kings: cython.int = 0
        pawns: cython.int = 0
        total: cython.int = 0
        for sq in range(SQUARES):
            piece: cython.int = fen.board[sq]
            if piece == NO_PIECE or color_of(piece) != color:
                continue
            total += 1
            kings += type_of(piece) == KING
            if type_of(piece) == PAWN:
                pawns += 1
                if rank_of(sq) == 0 or rank_of(sq) == 7:
                    raise ValueError(f"FEN piece placement (field 1) has a pawn on {square_name(sq)}: "
                                     "pawns never stand on the first or last rank")
        name: str = COLOR_NAMES[color]
        if kings != 1:
            raise ValueError(f"FEN piece placement (field 1) gives {name} {kings} kings, expected 1")
        if pawns > 8:
            raise ValueError(f"FEN piece placement (field 1) gives {name} {pawns} pawns, expected at most 8")
        if total > 16:
            raise ValueError(f"FEN piece placement (field 1) gives {name} {total} pieces, expected at most 16")
    return 0


def king_of(fen: cython.pointer[Fen], color: cython.int) -> cython.int:
    """Where that side's king stands; the material has been checked before."""
    sq: cython.int
    for sq in range(SQUARES):
        if fen.board[sq] == make_piece(color, KING):
            return sq
    return NO_SQUARE


def outermost_rook(fen: cython.pointer[Fen], color: cython.int, king: cython.int,
                   direction: cython.int) -> cython.int:
    """The rook furthest from the king in that direction along its rank, or NO_SQUARE."""
    found: cython.int = NO_SQUARE
    file: cython.int = file_of(king) + direction
    while 0 <= file < 8:
        if fen.board[make_square(file, rank_of(king))] == make_piece(color, ROOK):
            found = make_square(file, rank_of(king))
        file += direction
    return found


def parse_castling(field: str, fen: cython.pointer[Fen]) -> cython.int:
    """Field 3, in any of the three dialects: KQkq, X-FEN, Shredder-FEN. Rights that cannot be are dropped."""
    fen.castling_rooks = 0
    if field == "-":
        return 0
    for letter in field:
        lower: str = letter.lower()
        if lower not in "kqabcdefgh" or not letter.isascii():
            raise ValueError(f"FEN castling rights (field 3) are {field!r}, "
                             "expected '-' or letters among KQkq (or rook files A-H, a-h)")
        color: cython.int = WHITE if letter.isupper() else BLACK
        king: cython.int = king_of(fen, color)
        if relative_rank(color, king) != 0:
            continue
        rook: cython.int
        if lower == "k":
            rook = outermost_rook(fen, color, king, 1)
        elif lower == "q":
            rook = outermost_rook(fen, color, king, -1)
        else:
            rook = make_square("abcdefgh".index(lower), rank_of(king))
            if fen.board[rook] != make_piece(color, ROOK):
                rook = NO_SQUARE
        if rook != NO_SQUARE and rook != king:
            fen.castling_rooks |= bit(rook)
    return 0


def parse_en_passant(field: str, fen: cython.pointer[Fen]) -> cython.int:
    """Field 4. Kept only when an enemy pawn has just passed that square; the position checks who can take it."""
    fen.ep_square = NO_SQUARE
    if field == "-":
        return 0
    if len(field) != 2 or field[0] not in "abcdefgh" or field[1] not in "12345678":
        raise ValueError(f"FEN en-passant square (field 4) is {field!r}, expected '-' or a square such as 'e3'")
    sq: cython.int = make_square("abcdefgh".index(field[0]), int(field[1]) - 1)
    if relative_rank(fen.side, sq) != 5:
        raise ValueError(f"FEN en-passant square (field 4) is {field!r}, "
                         f"expected one on rank {6 if fen.side == WHITE else 3} with this side to move")
    up: cython.int = pawn_push(fen.side)
    if (fen.board[sq] == NO_PIECE and fen.board[sq + up] == NO_PIECE
            and fen.board[sq - up] == make_piece(fen.side ^ 1, PAWN)):
        fen.ep_square = sq
    return 0


def square_name(sq: cython.int) -> str:
    """Such as 'e4'."""
    return SQUARE_NAMES[sq]


def board_text(board: cython.pointer[uint8_t]) -> str:
    """Field 1 of a FEN."""
    parts: list = []
    rank: cython.int
    file: cython.int
    for rank in range(7, -1, -1):
        empty: cython.int = 0
        for file in range(8):
            piece: cython.int = board[make_square(file, rank)]
            if piece == NO_PIECE:
                empty += 1
                continue
            if empty:
                parts.append(str(empty))
                empty = 0
            parts.append(PIECE_LETTERS[piece])
        if empty:
            parts.append(str(empty))
        if rank:
            parts.append("/")
    return "".join(parts)


def castling_text(board: cython.pointer[uint8_t], rooks: Bitboard, shredder: cython.bint) -> str:
    """Field 3 of a FEN: KQkq, with the rook's file instead where another rook stands further out (X-FEN)."""
    text: str = ""
    color: cython.int
    direction: cython.int
    file: cython.int
    for color in range(COLORS):
        rank: cython.int = 7 * color
        king: cython.int = 0
        for file in range(8):
            if board[make_square(file, rank)] == make_piece(color, KING):
                king = file
        for direction in range(1, -2, -2):
            outside: cython.bint = False
            file = 7 if direction > 0 else 0
            while file != king:
                sq: cython.int = make_square(file, rank)
                if board[sq] == make_piece(color, ROOK):
                    if rooks & bit(sq):
                        letter: str = "abcdefgh"[file] if shredder or outside else "k" if direction > 0 else "q"
                        text += letter.upper() if color == WHITE else letter
                    outside = True
                file -= direction
    return text or "-"


def move_text(move: Move, chess960: cython.bint) -> str:
    """A move in UCI text; castling as king takes rook in Chess960, else as the king's two steps."""
    if move == NO_MOVE or move == NULL_MOVE:
        return "0000"
    origin: cython.int = from_sq(move)
    target: cython.int = to_sq(move)
    if kind_of(move) == CASTLING and not chess960:
        target = castled_king(move)
    text: str = square_name(origin) + square_name(target)
    if kind_of(move) == PROMOTION:
        text += " pnbrqk"[promotion_type(move)]
    return text


def squares_of(text: str) -> cython.int:
    """The bits of a move that UCI text names: both squares, and the promotion if there is one; -1 if it names none."""
    length: cython.Py_ssize_t = len(text)
    if length != 4 and length != 5:
        return -1
    text = text.lower()
    if len(text) != length:            # some letters have lower cases of two
        return -1
    square: cython.int[2]
    index: cython.int
    for index in range(2):
        file: cython.int = cython.cast(cython.int, text[2 * index]) - 97        # "a"
        rank: cython.int = cython.cast(cython.int, text[2 * index + 1]) - 49    # "1"
        if not (0 <= file < 8 and 0 <= rank < 8):
            return -1
        square[index] = make_square(file, rank)
    if length == 4:
        return make_move(square[0], square[1])
    piece_type: cython.int = " pnbrqk".find(text[4])
    return make_promotion(square[0], square[1], piece_type) if KNIGHT <= piece_type < KING else -1


def move_name(move: int, chess960: bool = False) -> str:
    """UCI text of a 16-bit move, for those who live above the core."""
    return move_text(move, chess960)


def line_names(moves: list, chess960: bool = False) -> str:
    """UCI text of 16-bit moves with spaces between them."""
    return " ".join([move_text(move, chess960) for move in moves])
