"""A chess position that can be played forwards and back: bitboards, mailbox, keys, pins and checks."""
cimport cython
from barreleye.core.attacks cimport (
    KING_ATTACKS, KNIGHT_ATTACKS, PAWN_ATTACKS, bishop_attacks, rook_attacks,
)
from barreleye.core.bitboard cimport bit, lsb, popcount
from barreleye.core.move cimport CASTLING, EN_PASSANT, NORMAL, PROMOTION, from_sq, kind_of, promotion_type, to_sq
from barreleye.core.types cimport (
    BISHOP, BLACK, Bitboard, CASTLINGS, COLORS, KING, KNIGHT, Key, Move, NO_PIECE, PAWN, PIECE_TYPES, PIECES, QUEEN,
    ROOK, SQUARES, WHITE, make_piece, type_of, uint8_t,
)

cdef enum:
    SETUP_PLIES = 48                  # room in every position, for tablebase probes; who plays further reserves more

cdef struct State:                    # what a move cannot take back by itself; one per ply, oldest first
    # copied from the state before and then changed
    Key pawn_key
    Key minor_key                     # knights, bishops and kings
    Key non_pawn_key[COLORS]          # pieces of one colour that are not pawns
    Key material_key                  # how many of each piece, wherever they stand
    int castling
    int rule50
    int plies_from_null               # states behind this one that a repetition may reach
    int ep_square                     # set only when a legal en-passant capture exists
    # made anew by every move; do_move copies no further than here
    int captured
    int repetition                    # plies back to the same position; negative if that one had a repetition itself
    Move move                         # the move that led here
    int moved                         # the piece that made it, as it stood before; NO_PIECE for a pass
    Key key
    Bitboard checkers                 # enemy pieces giving check
    Bitboard blockers[COLORS]         # pieces of either colour that alone shield this colour's king
    Bitboard pinners[COLORS]          # this colour's sliders that pin something to the other king
    # made when first asked for, by need_check_info: all that concerns the enemy king
    bint knows_checks
    Bitboard check_squares[PIECE_TYPES]   # where a piece of ours would give check
    # likewise, by need_threats
    bint knows_threats
    Bitboard threats[PIECE_TYPES]         # where the enemy attacks such a piece of ours by a lesser one; [0] by any


@cython.final
cdef class Position:
    cdef uint8_t board[SQUARES]                   # piece on each square
    cdef Bitboard by_type[PIECE_TYPES]            # [0] is every piece
    cdef Bitboard by_color[COLORS]
    cdef uint8_t count[PIECES]
    cdef int side                                 # to move
    cdef int game_ply
    cdef bint chess960_rules                      # castling is written king takes rook
    cdef uint8_t castling_loss[SQUARES]           # rights that end when a move touches the square
    cdef uint8_t castling_rook[CASTLINGS]         # where the rook of each right stands
    cdef Bitboard castling_path[CASTLINGS]        # squares that must be empty
    cdef Bitboard castling_walk[CASTLINGS]        # squares the king crosses or reaches
    cdef State* st                                # the present; st[-1] is one ply ago
    cdef State* states
    cdef int capacity

    cdef int reserve(self, int plies) except -1
    cdef void set_pins(self) noexcept nogil
    cdef void set_check_info(self) noexcept nogil
    cdef void set_threats(self) noexcept nogil
    cdef void set_repetition(self) noexcept nogil
    cdef Bitboard shields(self, int color, Bitboard* pinners) noexcept nogil
    cdef void copy_from(self, Position other) noexcept nogil

    cdef void put_piece(self, int piece, int sq) noexcept nogil
    cdef void remove_piece(self, int sq) noexcept nogil
    cdef void shift_piece(self, int origin, int target) noexcept nogil
    cdef void do_move(self, Move move, bint gives_check) noexcept nogil
    cdef void do_castling(self, int us, int king_from, int rook_from, Key* key) noexcept nogil
    cdef void promote(self, int us, int sq, int kind, Key* key) noexcept nogil
    cdef void undo_move(self, Move move) noexcept nogil
    cdef void do_null_move(self) noexcept nogil
    cdef void undo_null_move(self) noexcept nogil
    cdef bint has_legal_ep(self, int ep_sq) noexcept nogil

    cdef bint is_attacked(self, int sq, int by, Bitboard occupied) noexcept nogil
    cdef bint gives_check(self, Move move) noexcept nogil
    cdef bint is_pseudo_legal(self, Move move) noexcept nogil
    cdef bint is_legal_move(self, Move move) noexcept nogil
    cdef bint castling_is_legal(self, Move move) noexcept nogil
    cdef Key key_after(self, Move move) noexcept nogil
    cdef bint is_draw(self, int ply) noexcept nogil
    cdef bint is_dead(self) noexcept nogil
    cdef bint has_upcoming_repetition(self, int ply) noexcept nogil
    cdef bint has_legal_moves(self) noexcept nogil
    cdef Move parse_move(self, object text) except? 0


# Call before reading check_squares, or blockers and pinners at the enemy king.
cdef inline void need_check_info(Position pos) noexcept nogil:
    if not pos.st.knows_checks:
        pos.set_check_info()

# Call before reading threats.
cdef inline void need_threats(Position pos) noexcept nogil:
    if not pos.st.knows_threats:
        pos.set_threats()

cdef inline Bitboard occupied(Position pos) noexcept nogil:
    return pos.by_type[0]

cdef inline Bitboard pieces(Position pos, int color, int kind) noexcept nogil:
    return pos.by_color[color] & pos.by_type[kind]

cdef inline int king_square(Position pos, int color) noexcept nogil:
    return lsb(pos.by_color[color] & pos.by_type[KING])

cdef inline bint has_non_pawns(Position pos, int color) noexcept nogil:
    return (pos.by_color[color] & ~(pos.by_type[PAWN] | pos.by_type[KING])) != 0

cdef inline int moved_piece(Position pos, Move move) noexcept nogil:
    return pos.board[from_sq(move)]

cdef inline bint is_capture(Position pos, Move move) noexcept nogil:
    return ((pos.board[to_sq(move)] != NO_PIECE and kind_of(move) != CASTLING)
            or kind_of(move) == EN_PASSANT)

# Captures and queen promotions: what the capture stages generate and the quiet stages leave out.
cdef inline bint is_tactical(Position pos, Move move) noexcept nogil:
    return (is_capture(pos, move)
            or (kind_of(move) == PROMOTION and promotion_type(move) == QUEEN))

# Pieces of both colours that attack a square, seen through the given occupancy.
cdef inline Bitboard attackers_to(Position pos, int sq, Bitboard occupied) noexcept nogil:
    return (PAWN_ATTACKS[BLACK][sq] & pieces(pos, WHITE, PAWN)
            | PAWN_ATTACKS[WHITE][sq] & pieces(pos, BLACK, PAWN)
            | KNIGHT_ATTACKS[sq] & pos.by_type[KNIGHT]
            | KING_ATTACKS[sq] & pos.by_type[KING]
            | bishop_attacks(sq, occupied) & (pos.by_type[BISHOP] | pos.by_type[QUEEN])
            | rook_attacks(sq, occupied) & (pos.by_type[ROOK] | pos.by_type[QUEEN]))

# Whether a legal move checks the enemy king. Two sets of squares answer for most moves; the method for the rest.
cdef inline bint checks_king(Position pos, Move move) noexcept nogil:
    if kind_of(move) == NORMAL:
        need_check_info(pos)
        if pos.st.check_squares[type_of(pos.board[from_sq(move)])] & bit(to_sq(move)):
            return True
        if not pos.st.blockers[pos.side ^ 1] & bit(from_sq(move)):
            return False
    return pos.gives_check(move)
