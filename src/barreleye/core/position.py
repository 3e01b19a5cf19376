"""A chess position that can be played forwards and back without allocating: the board every search walks on.

Castling is king takes own rook throughout, so Chess960 is the rule and orthodox chess a case of it. The C methods
run without the GIL; the Python methods at the end are the rules of chess for everyone else.
"""
import cython
from cython.cimports.barreleye.core.attacks import (
    BETWEEN, KING_ATTACKS, KNIGHT_ATTACKS, PAWN_ATTACKS, aligned, bishop_attacks, queen_attacks, rook_attacks,
    slider_attacks,
)
from cython.cimports.barreleye.core.bitboard import (
    DARK_SQUARES, bit, expect, lsb, more_than_one, pawn_attacks_bb, pop_lsb, popcount,
)
from cython.cimports.barreleye.core.board_setup import set_keys, set_up
from cython.cimports.barreleye.core.move import (
    CASTLING, EN_PASSANT, NO_MOVE, NORMAL, NULL_MOVE, PROMOTION, castled_king, from_sq, from_to, kind_of, make_move,
    promotion_type, to_sq,
)
from cython.cimports.barreleye.core.movegen import generate_legal
from cython.cimports.barreleye.core.notation import (
    Fen, board_text, castling_text, move_text, parse_fen, square_name, squares_of,
)
from cython.cimports.barreleye.core.position import (
    SETUP_PLIES, State, attackers_to, king_square, need_check_info, need_threats, pieces,
)
from cython.cimports.barreleye.core.see import see_ge
from cython.cimports.barreleye.core.types import (
    BISHOP, BLACK, CASTLINGS, COLORS, KING, KING_SIDE, KNIGHT, MAX_MOVES, NO_PIECE, NO_SQUARE, NORTH, PAWN,
    PIECE_TYPES, PIECES, QUEEN, QUEEN_SIDE, ROOK, SQUARE_C1, SQUARE_D1, SQUARE_F1, SQUARE_G1, SQUARES, WHITE,
    Bitboard, Key, Move, castling_number, color_of, file_of, make_piece, pawn_push, relative_rank, relative_square,
    type_of,
)
from cython.cimports.barreleye.core.zobrist import (
    CASTLING_KEYS, COUNT_KEYS, CUCKOO_KEYS, CUCKOO_MOVES, EN_PASSANT_KEYS, PIECE_KEYS, SIDE_KEY, cuckoo_first,
    cuckoo_second,
)
from cython.cimports.libc.stdlib import free, realloc
from cython.cimports.libc.string import memcpy, memset

from barreleye.core.notation import START_FEN

BLANK = cython.declare(object, object())      # instead of a FEN, for a copy that is filled at once; not seen by Python


class Position:
    """A position and the moves that led to it.

    >>> position = Position()
    >>> position.push("e2e4")
    >>> position.fen()
    'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1'
    """

    def __cinit__(self, fen: object = START_FEN, chess960: bool = False):
        """Set up a position from FEN text; chess960 makes castling moves read king takes rook."""
        fields: Fen
        if fen is not BLANK:
            parse_fen(fen, cython.address(fields))
            self.chess960_rules = chess960
            set_up(self, cython.address(fields))

    def __dealloc__(self):
        free(self.states)

    # Memory

    def reserve(self, plies: cython.int) -> cython.int:
        """Make sure that so many moves can be played from here without another allocation."""
        used: cython.Py_ssize_t = self.st - self.states if self.states != cython.NULL else 0
        if used + plies + 1 > self.capacity:
            capacity: cython.Py_ssize_t = used + plies + SETUP_PLIES + 1
            grown: cython.pointer[State] = cython.cast(
                cython.pointer[State], realloc(self.states, capacity * cython.sizeof(State)))
            if grown == cython.NULL:
                raise MemoryError("no memory for the moves of a game")
            memset(grown + self.capacity, 0, (capacity - self.capacity) * cython.sizeof(State))
            self.states = grown
            self.st = grown + used
            self.capacity = capacity
        return 0

    def copy_from(self, other: Position) -> cython.void:
        """Become the other position with its history; the caller has reserved room for it."""
        memcpy(self.board, other.board, SQUARES)
        memcpy(self.by_type, other.by_type, PIECE_TYPES * cython.sizeof(Bitboard))
        memcpy(self.by_color, other.by_color, COLORS * cython.sizeof(Bitboard))
        memcpy(self.count, other.count, PIECES)
        memcpy(self.castling_loss, other.castling_loss, SQUARES)
        memcpy(self.castling_rook, other.castling_rook, CASTLINGS)
        memcpy(self.castling_path, other.castling_path, CASTLINGS * cython.sizeof(Bitboard))
        memcpy(self.castling_walk, other.castling_walk, CASTLINGS * cython.sizeof(Bitboard))
        self.side = other.side
        self.game_ply = other.game_ply
        self.chess960_rules = other.chess960_rules
        used: cython.Py_ssize_t = other.st - other.states
        memcpy(self.states, other.states, (used + 1) * cython.sizeof(State))
        self.st = self.states + used

    # Pieces on and off the board

    def put_piece(self, piece: cython.int, sq: cython.int) -> cython.void:
        """Stand a piece on an empty square."""
        here: Bitboard = bit(sq)
        self.board[sq] = piece
        self.by_type[0] |= here
        self.by_type[type_of(piece)] |= here
        self.by_color[color_of(piece)] |= here
        self.count[piece] += 1

    def remove_piece(self, sq: cython.int) -> cython.void:
        """Take the piece off its square."""
        piece: cython.int = self.board[sq]
        here: Bitboard = bit(sq)
        self.board[sq] = NO_PIECE
        self.by_type[0] ^= here
        self.by_type[type_of(piece)] ^= here
        self.by_color[color_of(piece)] ^= here
        self.count[piece] -= 1

    def shift_piece(self, origin: cython.int, target: cython.int) -> cython.void:
        """Slide a piece to an empty square."""
        piece: cython.int = self.board[origin]
        both: Bitboard = bit(origin) | bit(target)
        self.board[origin] = NO_PIECE
        self.board[target] = piece
        self.by_type[0] ^= both
        self.by_type[type_of(piece)] ^= both
        self.by_color[color_of(piece)] ^= both

    # Moves forwards and back

    def do_move(self, move: Move, gives_check: cython.bint) -> cython.void:
        """Play a legal move. gives_check is what self.gives_check(move) says."""
        expect(self.st + 1 < self.states + self.capacity)
        expect(self.is_pseudo_legal(move) and self.is_legal_move(move))
        st: cython.pointer[State] = self.st + 1
        copied: cython.size_t = (cython.cast(cython.p_char, cython.address(st.captured))
                                 - cython.cast(cython.p_char, st))
        memcpy(st, self.st, copied)
        self.st = st
        us: cython.int = self.side
        them: cython.int = us ^ 1
        origin: cython.int = from_sq(move)
        target: cython.int = to_sq(move)
        kind: cython.int = kind_of(move)
        piece: cython.int = self.board[origin]
        captured: cython.int = NO_PIECE
        key: Key = (st - 1).key ^ SIDE_KEY
        changed: Key

        self.game_ply += 1
        st.rule50 += 1
        st.plies_from_null += 1
        st.move = move
        st.moved = piece
        if st.ep_square != NO_SQUARE:
            key ^= EN_PASSANT_KEYS[file_of(st.ep_square)]
            st.ep_square = NO_SQUARE

        if kind == CASTLING:
            self.do_castling(us, origin, target, cython.address(key))
        else:
            captured_sq: cython.int = target
            if kind == EN_PASSANT:
                captured_sq -= pawn_push(us)
            captured = self.board[captured_sq]
            if captured != NO_PIECE:
                changed = PIECE_KEYS[captured][captured_sq]
                if type_of(captured) == PAWN:
                    st.pawn_key ^= changed
                else:
                    st.non_pawn_key[them] ^= changed
                    if type_of(captured) <= BISHOP:
                        st.minor_key ^= changed
                self.remove_piece(captured_sq)
                key ^= changed
                st.material_key ^= COUNT_KEYS[captured][self.count[captured]]
                st.rule50 = 0
            self.shift_piece(origin, target)
            changed = PIECE_KEYS[piece][origin] ^ PIECE_KEYS[piece][target]
            key ^= changed
            if type_of(piece) == PAWN:
                st.rule50 = 0
                st.pawn_key ^= changed
                if kind == PROMOTION:
                    self.promote(us, target, promotion_type(move), cython.address(key))
            else:
                st.non_pawn_key[us] ^= changed
                if type_of(piece) <= BISHOP or type_of(piece) == KING:
                    st.minor_key ^= changed

        lost: cython.int = st.castling & (self.castling_loss[origin] | self.castling_loss[target])
        if lost:
            key ^= CASTLING_KEYS[lost]
            st.castling ^= lost
        st.captured = captured
        self.side = them
        if type_of(piece) == PAWN and (origin ^ target) == 2 * NORTH:
            ep_sq: cython.int = (origin + target) >> 1
            if PAWN_ATTACKS[us][ep_sq] & pieces(self, them, PAWN) and self.has_legal_ep(ep_sq):
                st.ep_square = ep_sq
                key ^= EN_PASSANT_KEYS[file_of(ep_sq)]
        st.key = key
        st.checkers = 0
        if gives_check:
            st.checkers = attackers_to(self, king_square(self, them), self.by_type[0]) & self.by_color[us]
        self.set_pins()
        self.set_repetition()

    def do_castling(self, us: cython.int, king_from: cython.int, rook_from: cython.int,
                    key: cython.pointer[Key]) -> cython.void:
        """Move king and rook at once: in Chess960 each may land where the other stood."""
        king_side: cython.bint = rook_from > king_from
        king_to: cython.int = relative_square(us, SQUARE_G1 if king_side else SQUARE_C1)
        rook_to: cython.int = relative_square(us, SQUARE_F1 if king_side else SQUARE_D1)
        king: cython.int = make_piece(us, KING)
        rook: cython.int = make_piece(us, ROOK)
        self.remove_piece(king_from)
        self.remove_piece(rook_from)
        self.put_piece(king, king_to)
        self.put_piece(rook, rook_to)
        king_change: Key = PIECE_KEYS[king][king_from] ^ PIECE_KEYS[king][king_to]
        change: Key = king_change ^ PIECE_KEYS[rook][rook_from] ^ PIECE_KEYS[rook][rook_to]
        key[0] ^= change
        self.st.non_pawn_key[us] ^= change
        self.st.minor_key ^= king_change

    def promote(self, us: cython.int, sq: cython.int, kind: cython.int, key: cython.pointer[Key]) -> cython.void:
        """Turn the pawn that has just arrived on the last rank into a piece."""
        pawn: cython.int = make_piece(us, PAWN)
        promoted: cython.int = make_piece(us, kind)
        st: cython.pointer[State] = self.st
        self.remove_piece(sq)
        self.put_piece(promoted, sq)
        key[0] ^= PIECE_KEYS[pawn][sq] ^ PIECE_KEYS[promoted][sq]
        st.pawn_key ^= PIECE_KEYS[pawn][sq]
        st.non_pawn_key[us] ^= PIECE_KEYS[promoted][sq]
        if kind <= BISHOP:
            st.minor_key ^= PIECE_KEYS[promoted][sq]
        st.material_key ^= COUNT_KEYS[promoted][self.count[promoted] - 1] ^ COUNT_KEYS[pawn][self.count[pawn]]

    def undo_move(self, move: Move) -> cython.void:
        """Take back the move just played."""
        expect(self.st > self.states and self.st.move == move)
        us: cython.int = self.side ^ 1
        origin: cython.int = from_sq(move)
        target: cython.int = to_sq(move)
        kind: cython.int = kind_of(move)
        if kind == CASTLING:
            king_side: cython.bint = target > origin
            self.remove_piece(relative_square(us, SQUARE_G1 if king_side else SQUARE_C1))
            self.remove_piece(relative_square(us, SQUARE_F1 if king_side else SQUARE_D1))
            self.put_piece(make_piece(us, KING), origin)
            self.put_piece(make_piece(us, ROOK), target)
        else:
            if kind == PROMOTION:
                self.remove_piece(target)
                self.put_piece(make_piece(us, PAWN), target)
            self.shift_piece(target, origin)
            if self.st.captured != NO_PIECE:
                self.put_piece(self.st.captured, target - pawn_push(us) if kind == EN_PASSANT else target)
        self.side = us
        self.game_ply -= 1
        self.st -= 1

    def do_null_move(self) -> cython.void:
        """Pass. Only when not in check."""
        expect(self.st + 1 < self.states + self.capacity)
        expect(self.st.checkers == 0)
        st: cython.pointer[State] = self.st + 1
        st[0] = self.st[0]
        self.st = st
        st.key ^= SIDE_KEY
        if st.ep_square != NO_SQUARE:
            st.key ^= EN_PASSANT_KEYS[file_of(st.ep_square)]
            st.ep_square = NO_SQUARE
        st.rule50 += 1
        st.plies_from_null = 0
        st.repetition = 0
        st.captured = NO_PIECE
        st.move = NULL_MOVE
        st.moved = NO_PIECE
        self.side ^= 1
        self.game_ply += 1
        self.set_pins()

    def undo_null_move(self) -> cython.void:
        """Take back a pass."""
        expect(self.st.move == NULL_MOVE)
        self.st -= 1
        self.side ^= 1
        self.game_ply -= 1

    def has_legal_ep(self, ep_sq: cython.int) -> cython.bint:
        """Whether the side to move has a pawn that may legally capture en passant there, pins and checks seen."""
        us: cython.int = self.side
        king: cython.int = king_square(self, us)
        captured: Bitboard = bit(ep_sq - pawn_push(us))
        takers: Bitboard = PAWN_ATTACKS[us ^ 1][ep_sq] & pieces(self, us, PAWN)
        while takers:
            taker: cython.int = pop_lsb(cython.address(takers))
            after: Bitboard = (self.by_type[0] ^ bit(taker) ^ captured) | bit(ep_sq)
            if not (attackers_to(self, king, after) & self.by_color[us ^ 1] & ~captured):
                return True
        return False

    # What follows from the board

    def set_pins(self) -> cython.void:
        """What move generation needs in every node: the shields of the own king."""
        self.st.knows_checks = False
        self.st.knows_threats = False
        self.st.blockers[self.side] = self.shields(self.side, cython.address(self.st.pinners[self.side ^ 1]))

    def set_check_info(self) -> cython.void:
        """The shields of the enemy king and the squares from which a move of ours checks it."""
        st: cython.pointer[State] = self.st
        them: cython.int = self.side ^ 1
        king: cython.int = king_square(self, them)
        st.knows_checks = True
        st.blockers[them] = self.shields(them, cython.address(st.pinners[self.side]))
        st.check_squares[PAWN] = PAWN_ATTACKS[them][king]
        st.check_squares[KNIGHT] = KNIGHT_ATTACKS[king]
        st.check_squares[BISHOP] = bishop_attacks(king, self.by_type[0])
        st.check_squares[ROOK] = rook_attacks(king, self.by_type[0])
        st.check_squares[QUEEN] = st.check_squares[BISHOP] | st.check_squares[ROOK]
        st.check_squares[KING] = 0

    def set_threats(self) -> cython.void:
        """The squares that the enemy attacks, by the rank of the attackers."""
        st: cython.pointer[State] = self.st
        them: cython.int = self.side ^ 1
        full: Bitboard = self.by_type[0]
        st.knows_threats = True
        reached: Bitboard = pawn_attacks_bb(them, pieces(self, them, PAWN))
        st.threats[PAWN] = st.threats[KING] = 0
        st.threats[KNIGHT] = st.threats[BISHOP] = reached
        attackers: Bitboard = pieces(self, them, KNIGHT)
        while attackers:
            reached |= KNIGHT_ATTACKS[pop_lsb(cython.address(attackers))]
        attackers = pieces(self, them, BISHOP)
        while attackers:
            reached |= bishop_attacks(pop_lsb(cython.address(attackers)), full)
        st.threats[ROOK] = reached
        attackers = pieces(self, them, ROOK)
        while attackers:
            reached |= rook_attacks(pop_lsb(cython.address(attackers)), full)
        st.threats[QUEEN] = reached
        attackers = pieces(self, them, QUEEN)
        while attackers:
            reached |= queen_attacks(pop_lsb(cython.address(attackers)), full)
        st.threats[0] = reached | KING_ATTACKS[king_square(self, them)]

    def shields(self, color: cython.int, pinners: cython.pointer[Bitboard]) -> Bitboard:
        """Pieces that alone stand between this colour's king and an enemy slider; pinners of its own ones aside."""
        king: cython.int = king_square(self, color)
        snipers: Bitboard = (rook_attacks(king, 0) & (self.by_type[ROOK] | self.by_type[QUEEN])
                             | bishop_attacks(king, 0) & (self.by_type[BISHOP] | self.by_type[QUEEN]))
        snipers &= self.by_color[color ^ 1]
        others: Bitboard = self.by_type[0] ^ snipers
        blockers: Bitboard = 0
        pinners[0] = 0
        while snipers:
            sniper: cython.int = pop_lsb(cython.address(snipers))
            between: Bitboard = BETWEEN[king][sniper] & others
            if between and not more_than_one(between):
                blockers |= between
                if between & self.by_color[color]:
                    pinners[0] |= bit(sniper)
        return blockers

    def set_repetition(self) -> cython.void:
        """Find the last time this position stood on the board."""
        st: cython.pointer[State] = self.st
        st.repetition = 0
        reach: cython.int = min(st.rule50, st.plies_from_null)
        plies: cython.int = 4
        while plies <= reach:
            if (st - plies).key == st.key:
                st.repetition = -plies if (st - plies).repetition else plies
                return
            plies += 2

    def is_attacked(self, sq: cython.int, by: cython.int, occupied: Bitboard) -> cython.bint:
        """Whether a colour attacks a square: attackers_to, leaving as soon as one is found."""
        enemies: Bitboard = self.by_color[by]
        if PAWN_ATTACKS[by ^ 1][sq] & enemies & self.by_type[PAWN]:
            return True
        if KNIGHT_ATTACKS[sq] & enemies & self.by_type[KNIGHT] or KING_ATTACKS[sq] & enemies & self.by_type[KING]:
            return True
        if bishop_attacks(sq, occupied) & enemies & (self.by_type[BISHOP] | self.by_type[QUEEN]):
            return True
        return (rook_attacks(sq, occupied) & enemies & (self.by_type[ROOK] | self.by_type[QUEEN])) != 0

    def gives_check(self, move: Move) -> cython.bint:
        """Whether a legal move checks the enemy king, directly or by discovery."""
        us: cython.int = self.side
        origin: cython.int = from_sq(move)
        target: cython.int = to_sq(move)
        king: cython.int = king_square(self, us ^ 1)
        kind: cython.int = kind_of(move)
        after: Bitboard
        need_check_info(self)
        if self.st.check_squares[type_of(self.board[origin])] & bit(target) and kind != CASTLING:
            if kind != PROMOTION:
                return True
        if self.st.blockers[us ^ 1] & bit(origin) and kind != CASTLING and not aligned(origin, target, king):
            return True
        if kind == NORMAL:
            return False
        if kind == PROMOTION:
            after = self.by_type[0] ^ bit(origin)
            if promotion_type(move) == KNIGHT:
                return (KNIGHT_ATTACKS[target] & bit(king)) != 0
            return (slider_attacks(promotion_type(move), target, after) & bit(king)) != 0
        rooks: Bitboard = pieces(self, us, ROOK) | pieces(self, us, QUEEN)
        bishops: Bitboard = pieces(self, us, BISHOP) | pieces(self, us, QUEEN)
        if kind == EN_PASSANT:
            after = (self.by_type[0] ^ bit(origin) ^ bit(target - pawn_push(us))) | bit(target)
        else:
            king_side: cython.bint = target > origin
            rook_to: cython.int = relative_square(us, SQUARE_F1 if king_side else SQUARE_D1)
            after = ((self.by_type[0] ^ bit(origin) ^ bit(target)) | bit(rook_to)
                     | bit(relative_square(us, SQUARE_G1 if king_side else SQUARE_C1)))
            rooks = (rooks ^ bit(target)) | bit(rook_to)
        return (rook_attacks(king, after) & rooks | bishop_attacks(king, after) & bishops) != 0

    def is_pseudo_legal(self, move: Move) -> cython.bint:
        """Whether any 16 bits are a move of the side to move here, king safety aside: guards what the table says."""
        us: cython.int = self.side
        origin: cython.int = from_sq(move)
        target: cython.int = to_sq(move)
        kind: cython.int = kind_of(move)
        piece: cython.int = self.board[origin]
        if piece == NO_PIECE or color_of(piece) != us or origin == target:
            return False
        if kind != PROMOTION and promotion_type(move) != KNIGHT:
            return False
        if kind == CASTLING:
            number: cython.int = castling_number(us, KING_SIDE if target > origin else QUEEN_SIDE)
            return (type_of(piece) == KING and self.st.castling >> number & 1 and self.castling_rook[number] == target
                    and not self.castling_path[number] & self.by_type[0])
        if self.by_color[us] & bit(target):
            return False
        if type_of(piece) != PAWN:
            if kind != NORMAL:
                return False
            if type_of(piece) == KNIGHT:
                return (KNIGHT_ATTACKS[origin] & bit(target)) != 0
            if type_of(piece) == KING:
                return (KING_ATTACKS[origin] & bit(target)) != 0
            return (slider_attacks(type_of(piece), origin, self.by_type[0]) & bit(target)) != 0
        if kind == EN_PASSANT:
            return target == self.st.ep_square and (PAWN_ATTACKS[us][origin] & bit(target)) != 0
        if (relative_rank(us, target) == 7) != (kind == PROMOTION):
            return False
        if PAWN_ATTACKS[us][origin] & bit(target):
            return self.board[target] != NO_PIECE
        up: cython.int = pawn_push(us)
        if target == origin + up:
            return self.board[target] == NO_PIECE
        return (target == origin + 2 * up and relative_rank(us, origin) == 1
                and self.board[target] == NO_PIECE and self.board[origin + up] == NO_PIECE)

    def is_legal_move(self, move: Move) -> cython.bint:
        """Whether a pseudo-legal move leaves the own king out of check."""
        us: cython.int = self.side
        origin: cython.int = from_sq(move)
        target: cython.int = to_sq(move)
        king: cython.int = king_square(self, us)
        checkers: Bitboard = self.st.checkers
        if kind_of(move) == EN_PASSANT:
            captured: Bitboard = bit(target - pawn_push(us))
            after: Bitboard = (self.by_type[0] ^ bit(origin) ^ captured) | bit(target)
            return not attackers_to(self, king, after) & self.by_color[us ^ 1] & ~captured
        if kind_of(move) == CASTLING:
            return self.castling_is_legal(move)
        if origin == king:
            return not self.is_attacked(target, us ^ 1, self.by_type[0] ^ bit(king))
        if checkers and (more_than_one(checkers) or not BETWEEN[king][lsb(checkers)] & bit(target)):
            return False
        return not self.st.blockers[us] & bit(origin) or aligned(origin, target, king)

    def castling_is_legal(self, move: Move) -> cython.bint:
        """Not out of, through or into check, also when the rook was what shielded the king (Chess960)."""
        if self.st.checkers:
            return False
        us: cython.int = self.side
        origin: cython.int = from_sq(move)
        rook_from: cython.int = to_sq(move)
        king_side: cython.bint = rook_from > origin
        king_to: cython.int = relative_square(us, SQUARE_G1 if king_side else SQUARE_C1)
        rook_to: cython.int = relative_square(us, SQUARE_F1 if king_side else SQUARE_D1)
        walk: Bitboard = self.castling_walk[castling_number(us, KING_SIDE if king_side else QUEEN_SIDE)]
        while walk:
            if self.is_attacked(pop_lsb(cython.address(walk)), us ^ 1, self.by_type[0]):
                return False
        after: Bitboard = (self.by_type[0] ^ bit(origin) ^ bit(rook_from)) | bit(king_to) | bit(rook_to)
        return not self.is_attacked(king_to, us ^ 1, after)

    def key_after(self, move: Move) -> Key:
        """The key a normal move leads to, to fetch its table entry early; rights and en passant are left out."""
        origin: cython.int = from_sq(move)
        target: cython.int = to_sq(move)
        piece: cython.int = self.board[origin]
        captured: cython.int = self.board[target]
        key: Key = self.st.key ^ SIDE_KEY ^ PIECE_KEYS[piece][origin] ^ PIECE_KEYS[piece][target]
        return key ^ PIECE_KEYS[captured][target] if captured else key

    # Draws

    def is_draw(self, ply: cython.int) -> cython.bint:
        """Fifty moves, dead material, a threefold, or a first repetition inside the search (ply from its root)."""
        if self.st.rule50 > 99 and (not self.st.checkers or self.has_legal_moves()):
            return True
        if self.st.repetition and self.st.repetition < ply:
            return True
        return self.is_dead()

    def is_dead(self) -> cython.bint:
        """Neither side can ever mate: bare kings, one minor piece, or only bishops of one square colour."""
        if self.by_type[PAWN] | self.by_type[ROOK] | self.by_type[QUEEN]:
            return False
        bishops: Bitboard = self.by_type[BISHOP]
        if self.by_type[KNIGHT]:
            return not bishops and not more_than_one(self.by_type[KNIGHT])
        return not bishops & DARK_SQUARES or not bishops & ~DARK_SQUARES

    def has_upcoming_repetition(self, ply: cython.int) -> cython.bint:
        """Whether a reversible move of ours leads back to an earlier position: a draw is there for the taking."""
        st: cython.pointer[State] = self.st
        reach: cython.int = min(st.rule50, st.plies_from_null)
        plies: cython.int = 3
        while plies <= reach:
            key: Key = st.key ^ (st - plies).key
            place: cython.int = cuckoo_first(key)
            if CUCKOO_KEYS[place] != key:
                place = cuckoo_second(key)
            if CUCKOO_KEYS[place] == key:
                move: Move = CUCKOO_MOVES[place]
                a: cython.int = from_sq(move)
                b: cython.int = to_sq(move)
                # The key says which piece and which two squares, not whose turn: only our own piece can go back.
                piece: cython.int = self.board[a] if self.board[a] != NO_PIECE else self.board[b]
                if color_of(piece) == self.side and not BETWEEN[a][b] & ~bit(b) & self.by_type[0]:
                    # At and before the root only a second repetition counts.
                    if ply > plies or (st - plies).repetition:
                        return True
            plies += 2
        return False

    def has_legal_moves(self) -> cython.bint:
        """Whether there is any legal move."""
        moves: Move[MAX_MOVES]
        return generate_legal(self, moves) != moves

    def parse_move(self, text: object) -> Move:
        """The legal move a UCI text names, in either castling notation; ValueError when there is none."""
        if not isinstance(text, str):
            raise TypeError(f"{text!r} is not a move: give UCI text such as 'e2e4'")
        moves: Move[MAX_MOVES]
        end: cython.pointer[Move] = generate_legal(self, moves)
        move: cython.pointer[Move] = moves
        wanted: cython.int = squares_of(text)
        castling: Move = NO_MOVE
        while move < end:
            kind: cython.int = kind_of(move[0])
            if wanted == (move[0] if kind == PROMOTION else from_to(move[0])):
                return move[0]
            # The king's own two steps, unless some plain king move already has that name.
            if kind == CASTLING and wanted == make_move(from_sq(move[0]), castled_king(move[0])):
                castling = move[0]
            move += 1
        if castling == NO_MOVE:
            raise ValueError(f"{text!r} is not a legal move in {self.fen()}")
        return castling

    # For Python

    @property
    def turn(self) -> bool:
        """True when white is to move."""
        return self.side == WHITE

    @property
    def chess960(self) -> bool:
        """Whether castling moves are written king takes rook."""
        return self.chess960_rules

    @property
    def halfmove_clock(self) -> int:
        """Plies since the last capture or pawn move."""
        return self.st.rule50

    @property
    def ply(self) -> int:
        """Plies since the start of the game, by the FEN's move number."""
        return self.game_ply

    @property
    def key(self) -> int:
        """The position's 64-bit hash."""
        return self.st.key

    def fen(self, shredder: bool = False) -> str:
        """FEN text; castling rights as KQkq or X-FEN, or as rook files throughout (Shredder-FEN)."""
        st: cython.pointer[State] = self.st
        rooks: Bitboard = 0
        number: cython.int
        for number in range(CASTLINGS):
            if st.castling >> number & 1:
                rooks |= bit(self.castling_rook[number])
        return (f"{board_text(self.board)} {'w' if self.side == WHITE else 'b'} "
                f"{castling_text(self.board, rooks, shredder)} "
                f"{square_name(st.ep_square) if st.ep_square != NO_SQUARE else '-'} "
                f"{st.rule50} {self.game_ply // 2 + 1}")

    def push(self, uci: object) -> None:
        """Play a move given in UCI text."""
        move: Move = self.parse_move(uci)
        self.reserve(SETUP_PLIES)
        self.do_move(move, self.gives_check(move))

    def push_null(self) -> None:
        """Pass the move."""
        if self.st.checkers:
            raise ValueError(f"no passing while in check in {self.fen()}")
        self.reserve(SETUP_PLIES)
        self.do_null_move()

    def pop(self) -> None:
        """Take back the last move or pass."""
        if self.st == self.states:
            raise ValueError("there is no move to take back")
        if self.st.move == NULL_MOVE:
            self.undo_null_move()
        else:
            self.undo_move(self.st.move)

    def line(self) -> tuple:
        """The FEN that its moves began from, or of the last pass among them, and the moves since then in UCI text."""
        other: Position = self.copy()
        moves: list = []
        while other.st != other.states and other.st.move != NULL_MOVE:
            moves.append(move_text(other.st.move, self.chess960_rules))
            other.pop()
        return other.fen(), moves[::-1]

    def copy(self) -> Position:
        """Another position of its own with the same history."""
        other: Position = Position.__new__(Position, BLANK)
        other.reserve(cython.cast(cython.int, self.st - self.states))
        other.copy_from(self)
        return other

    def legal_moves(self) -> list:
        """Every legal move in UCI text."""
        moves: Move[MAX_MOVES]
        end: cython.pointer[Move] = generate_legal(self, moves)
        return [move_text(moves[index], self.chess960_rules) for index in range(end - moves)]

    def move_number(self, uci: object) -> int:
        """The 16 bits of a legal move given in UCI text; ValueError when it is none."""
        return self.parse_move(uci)

    def is_legal(self, uci: object) -> bool:
        """Whether a UCI text names a legal move here."""
        try:
            self.parse_move(uci)
        except ValueError:
            return False
        return True

    def is_check(self) -> bool:
        """Whether the side to move is in check."""
        return self.st.checkers != 0

    def is_checkmate(self) -> bool:
        """In check with no legal move."""
        return self.st.checkers != 0 and not self.has_legal_moves()

    def is_stalemate(self) -> bool:
        """Not in check with no legal move."""
        return self.st.checkers == 0 and not self.has_legal_moves()

    def is_insufficient_material(self) -> bool:
        """Whether neither side has the material to mate, whatever is played."""
        return self.is_dead()

    def is_fifty_moves(self) -> bool:
        """Fifty moves by each side without a capture or pawn move, and not mate."""
        return self.st.rule50 > 99 and self.has_legal_moves()

    def is_repetition(self, count: int = 3) -> bool:
        """Whether this position has stood on the board at least so many times, now included."""
        st: cython.pointer[State] = self.st
        seen: cython.int = 1
        reach: cython.int = min(st.rule50, st.plies_from_null)
        plies: cython.int
        for plies in range(4, reach + 1, 2):
            seen += (st - plies).key == st.key
        return seen >= count

    def gives_check_to(self, uci: object) -> bool:
        """Whether a legal move, in UCI text, checks the enemy king."""
        return self.gives_check(self.parse_move(uci))

    def see(self, uci: object, threshold: int = 0) -> bool:
        """Whether the exchange that a move starts gains at least so many centipawns."""
        return see_ge(self, self.parse_move(uci), threshold)

    def piece_count(self) -> int:
        """How many men are on the board, kings included."""
        return popcount(self.by_type[0])

    def upcoming_repetition(self, ply: int) -> bool:
        """Whether the side to move can go back to an earlier position, seen so many plies from a search's root."""
        return self.has_upcoming_repetition(ply)

    def accepts(self, move: int) -> bool:
        """Whether 16 bits are a legal move here: the test that guards moves from the transposition table."""
        return self.is_pseudo_legal(move) and self.is_legal_move(move)

    def keys(self, recompute: bool = False) -> dict:
        """All hash keys by name, as kept from move to move or computed anew from the board."""
        st: State = self.st[0]
        if recompute:
            set_keys(self, cython.address(st))
        return {"full": st.key, "pawn": st.pawn_key, "minor": st.minor_key, "material": st.material_key,
                "white": st.non_pawn_key[WHITE], "black": st.non_pawn_key[BLACK]}

    def snapshot(self) -> bytes:
        """Every byte that undoing a move must restore."""
        need_check_info(self)
        need_threats(self)
        return (cython.cast(cython.p_char, self.board)[:SQUARES]
                + cython.cast(cython.p_char, self.by_type)[:PIECE_TYPES * cython.sizeof(Bitboard)]
                + cython.cast(cython.p_char, self.by_color)[:COLORS * cython.sizeof(Bitboard)]
                + cython.cast(cython.p_char, self.count)[:PIECES]
                + cython.cast(cython.p_char, self.st)[:cython.sizeof(State)]
                + bytes([self.side]) + str(self.game_ply).encode())

    def __repr__(self) -> str:
        return f"Position({self.fen()!r}{', chess960=True' if self.chess960_rules else ''})"

    def __reduce__(self):
        raise TypeError("a Position does not pickle: send its fen()")
