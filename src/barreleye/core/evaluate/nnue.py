"""The network evaluation: (inputs -> width) x 2 -> 1, perspective, squared clipped ReLU, integers throughout.

Each ply of the search has a hidden layer for both sides, filled only when somebody asks for the evaluation: from the
nearest ancestor that is ready, by what the moves in between changed. A layer is ready when it was made for the key of
the position that now stands at its ply, so nothing has to be done when moves are made and taken back. When a king has
crossed between files d and e the board is mirrored for its side, and in a network with regions other rows count when it
has left its region: then the layer is made from the board, beginning with the last one made that way.
"""
import cython
from cython.cimports.barreleye.core.bitboard import expect, pop_lsb, popcount
from cython.cimports.barreleye.core.evaluate.nnue import (
    LAYERS, Refresh, activate, add_row, capture_row, castle_row, changes_view, input_row, move_row, read_out,
    remove_row,
)
from cython.cimports.barreleye.core.evaluate.shape import (
    INPUTS, LARGEST_FEATURE, LARGEST_SUM, MAX_REGIONS, QA, QB, bucket_of, view_of,
)
from cython.cimports.barreleye.core.move import (
    CASTLING, EN_PASSANT, NULL_MOVE, PROMOTION, from_sq, kind_of, promotion_type, to_sq,
)
from cython.cimports.barreleye.core.platform import alloc_aligned, free_aligned
from cython.cimports.barreleye.core.position import Position, State, king_square, occupied, pieces
from cython.cimports.barreleye.core.types import (
    BLACK, COLORS, KING, NO_PIECE, PIECES, ROOK, SQUARE_C1, SQUARE_D1, SQUARE_F1, SQUARE_G1, WHITE, Bitboard, Move,
    color_of, make_piece, pawn_push, relative_square,
)
from cython.cimports.libc.stdint import int16_t, int32_t, int64_t, uint16_t
from cython.cimports.libc.string import memcpy

from barreleye.core.evaluate.shape import check_shape, row_count


class Network:
    """The weights of a network, copied from a buffer."""

    def __cinit__(self, buffer: object, width: int, buckets: int, scale: int = 400, regions: int = 1):
        check_shape(width, buckets, regions)
        view: cython.const[cython.uchar][::1] = buffer
        size: cython.Py_ssize_t = 2 * width * row_count(buckets, regions) + 4 * buckets
        if view.shape[0] != size:
            raise ValueError(f"the weights take {view.shape[0]} bytes, expected {size}")
        self.width = width
        self.buckets = buckets
        self.regions = regions
        self.scale = scale
        # A copy of its own: in large pages, because rows are read all over it, and safe from whoever writes the file.
        self.memory = cython.cast(cython.pointer[int16_t], alloc_aligned(size))
        if self.memory == cython.NULL:
            raise MemoryError("not enough memory for a network")
        memcpy(self.memory, cython.address(view[0]), size)
        self.feature_weights = self.memory
        self.feature_bias = self.feature_weights + self.regions * INPUTS * self.width
        self.output_weights = self.feature_bias + self.width
        self.output_bias = cython.cast(cython.pointer[cython.const[int32_t]],
                                       self.output_weights + 2 * self.buckets * self.width)
        if not self.fits():
            raise ValueError("its weights are too large for the integers of the engine")

    def __dealloc__(self):
        free_aligned(self.memory)

    def fits(self) -> cython.bint:
        """Whether no position can overflow a 16-bit hidden value or the 32-bit sum of an output."""
        index: cython.int
        half: cython.int
        weight: cython.int
        for index in range((self.regions * INPUTS + 1) * self.width):
            weight = self.feature_weights[index]
            if abs(weight) > LARGEST_FEATURE:
                return False
        for half in range(2 * self.buckets):
            total: int64_t = 0
            for index in range(half * self.width, (half + 1) * self.width):
                weight = self.output_weights[index]
                total += abs(weight)
            if total > LARGEST_SUM:
                return False
        return True


class Accumulators:
    """The hidden layers of one board's search, one for each ply."""

    def __cinit__(self, net: Network):
        self.net = net
        self.memory = cython.cast(cython.pointer[int16_t], alloc_aligned(
            (LAYERS + 2 * MAX_REGIONS) * COLORS * net.width * cython.sizeof(int16_t)))
        if self.memory == cython.NULL:
            raise MemoryError("not enough memory for a network's accumulators")
        place: cython.pointer[int16_t] = self.memory
        index: cython.int
        side: cython.int
        for index in range(LAYERS):
            for side in range(COLORS):
                self.layers[index].values[side] = place
                self.layers[index].key[side] = 0
                place += net.width
        for side in range(COLORS):
            for index in range(2 * MAX_REGIONS):
                self.cache[side][index].values = place
                memcpy(place, net.feature_bias, net.width * cython.sizeof(int16_t))
                place += net.width

    def __dealloc__(self):
        free_aligned(self.memory)

    def attach(self, pos: Position) -> cython.void:
        """Count plies from where this position stands.

        The layer of the root is made at once, for all others to be reached from: a search that finds the root's
        evaluation in the table would not ask for it, and each leaf would have to begin with the board.
        """
        self.root = cython.cast(cython.int, pos.st - pos.states)
        self.bring_up(pos, WHITE)
        self.bring_up(pos, BLACK)

    def evaluate(self, pos: Position) -> cython.int:
        """Centipawns for the side to move."""
        self.bring_up(pos, WHITE)
        self.bring_up(pos, BLACK)
        us: cython.int = pos.side
        index: cython.int = cython.cast(cython.int, pos.st - pos.states) - self.root
        return read_out(self.net, self.layers[index].values[us], self.layers[index].values[us ^ 1],
                        popcount(occupied(pos)))

    def bring_up(self, pos: Position, side: cython.int) -> cython.void:
        """Make the present layer ready for one side, from an ancestor if one can be reached, else from the board."""
        state: cython.pointer[State] = pos.st
        top: cython.int = cython.cast(cython.int, state - pos.states) - self.root
        index: cython.int = top
        expect(0 <= top and top < LAYERS)
        if self.layers[top].key[side] == state.key:
            return
        view: cython.int = view_of(self.net.regions, side, king_square(pos, side))
        while self.layers[index].key[side] != state.key:
            if index == 0 or changes_view(self.net.regions, state, side):
                self.refresh(pos, top, side, view)
                return
            index -= 1
            state -= 1
        while index < top:
            index += 1
            state += 1
            self.advance(index, side, view, state)

    def advance(self, index: cython.int, side: cython.int, view: cython.int,
                state: cython.pointer[cython.const[State]]) -> cython.void:
        """One layer from the one before it, by what the move that led here changed."""
        values: cython.pointer[int16_t] = self.layers[index - 1].values[side]
        to: cython.pointer[int16_t] = self.layers[index].values[side]
        width: cython.int = self.net.width
        piece: cython.int = state.moved
        self.layers[index].key[side] = state.key
        if piece == NO_PIECE:
            memcpy(to, values, width * cython.sizeof(int16_t))
            return
        us: cython.int = color_of(piece)
        origin: cython.int = from_sq(state.move)
        target: cython.int = to_sq(state.move)
        kind: cython.int = kind_of(state.move)
        removed: cython.pointer[cython.const[int16_t]] = input_row(self.net, side, view, piece, origin)
        if kind == CASTLING:
            king_side: cython.bint = target > origin
            king_to: cython.int = relative_square(us, SQUARE_G1 if king_side else SQUARE_C1)
            rook_to: cython.int = relative_square(us, SQUARE_F1 if king_side else SQUARE_D1)
            rook: cython.int = make_piece(us, ROOK)
            castle_row(to, values, input_row(self.net, side, view, piece, king_to),
                       input_row(self.net, side, view, rook, rook_to), removed,
                       input_row(self.net, side, view, rook, target), width)
            return
        arrived: cython.int = make_piece(us, promotion_type(state.move)) if kind == PROMOTION else piece
        added: cython.pointer[cython.const[int16_t]] = input_row(self.net, side, view, arrived, target)
        if state.captured == NO_PIECE:
            move_row(to, values, added, removed, width)
        else:
            captured_sq: cython.int = target - pawn_push(us) if kind == EN_PASSANT else target
            capture_row(to, values, added, removed,
                        input_row(self.net, side, view, state.captured, captured_sq), width)

    def refresh(self, pos: Position, index: cython.int, side: cython.int, view: cython.int) -> cython.void:
        """The present layer for one side from the board: only what differs from the last time is added and removed."""
        kept: cython.pointer[Refresh] = cython.address(self.cache[side][view])
        width: cython.int = self.net.width
        piece: cython.int
        for piece in range(1, PIECES):
            if piece & 7 == 0 or piece & 7 == 7:
                continue
            now: Bitboard = pieces(pos, piece >> 3, piece & 7)
            gone: Bitboard = kept.pieces[piece] & ~now
            come: Bitboard = now & ~kept.pieces[piece]
            kept.pieces[piece] = now
            while gone:
                remove_row(kept.values, input_row(self.net, side, view, piece, pop_lsb(cython.address(gone))),
                           width)
            while come:
                add_row(kept.values, input_row(self.net, side, view, piece, pop_lsb(cython.address(come))), width)
        memcpy(self.layers[index].values[side], kept.values, width * cython.sizeof(int16_t))
        self.layers[index].key[side] = pos.st.key


def changes_view(regions: cython.int, state: cython.pointer[cython.const[State]], side: cython.int) -> cython.bint:
    """Whether the move that led here took this side's king to where its side sees the board in another way."""
    if state.moved != make_piece(side, KING):
        return False
    origin: cython.int = from_sq(state.move)
    target: cython.int = to_sq(state.move)
    if kind_of(state.move) == CASTLING:
        target = relative_square(side, SQUARE_G1 if target > origin else SQUARE_C1)
    return view_of(regions, side, origin) != view_of(regions, side, target)


# Plain loops over a multiple of sixteen lanes, which the compiler turns into vector code.

def add_row(values: cython.pointer[int16_t], row: cython.pointer[cython.const[int16_t]],
            width: cython.int) -> cython.void:
    """values += row"""
    lane: cython.int
    for lane in range(width):
        values[lane] = cython.cast(int16_t, values[lane] + row[lane])


def remove_row(values: cython.pointer[int16_t], row: cython.pointer[cython.const[int16_t]],
               width: cython.int) -> cython.void:
    """values -= row"""
    lane: cython.int
    for lane in range(width):
        values[lane] = cython.cast(int16_t, values[lane] - row[lane])


def move_row(to: cython.pointer[int16_t], values: cython.pointer[cython.const[int16_t]],
             added: cython.pointer[cython.const[int16_t]], removed: cython.pointer[cython.const[int16_t]],
             width: cython.int) -> cython.void:
    """A quiet move or promotion, in one pass."""
    lane: cython.int
    for lane in range(width):
        to[lane] = cython.cast(int16_t, values[lane] + added[lane] - removed[lane])


def capture_row(to: cython.pointer[int16_t], values: cython.pointer[cython.const[int16_t]],
                added: cython.pointer[cython.const[int16_t]], removed: cython.pointer[cython.const[int16_t]],
                captured: cython.pointer[cython.const[int16_t]], width: cython.int) -> cython.void:
    """A capture, in one pass."""
    lane: cython.int
    for lane in range(width):
        to[lane] = cython.cast(int16_t, values[lane] + added[lane] - removed[lane] - captured[lane])


def castle_row(to: cython.pointer[int16_t], values: cython.pointer[cython.const[int16_t]],
               added: cython.pointer[cython.const[int16_t]], also: cython.pointer[cython.const[int16_t]],
               removed: cython.pointer[cython.const[int16_t]], gone: cython.pointer[cython.const[int16_t]],
               width: cython.int) -> cython.void:
    """Castling, in one pass."""
    lane: cython.int
    for lane in range(width):
        to[lane] = cython.cast(int16_t, values[lane] + added[lane] + also[lane] - removed[lane] - gone[lane])


def activate(values: cython.pointer[cython.const[int16_t]], weights: cython.pointer[cython.const[int16_t]],
             width: cython.int) -> int32_t:
    """The sum of weight times half the clipped value squared, which fits 16 bits."""
    total: int32_t = 0
    lane: cython.int
    for lane in range(width):
        value: int16_t = max(cython.cast(int16_t, 0), min(cython.cast(int16_t, QA), values[lane]))
        half: int16_t = cython.cast(int16_t, cython.cast(uint16_t, value * value) >> 1)
        total += cython.cast(int32_t, half) * weights[lane]
    return total


def read_out(net: Network, us: cython.pointer[cython.const[int16_t]], them: cython.pointer[cython.const[int16_t]],
             men: cython.int) -> cython.int:
    """Centipawns for the side to move, from the hidden layers of both sides and the number of men on the board."""
    bucket: cython.int = bucket_of(men, net.buckets)
    weights: cython.pointer[cython.const[int16_t]] = net.output_weights + 2 * bucket * net.width
    total: cython.longlong = (cython.cast(cython.longlong, activate(us, weights, net.width))
                              + activate(them, weights + net.width, net.width))
    return cython.cast(cython.int, (2 * total // QA + net.output_bias[bucket]) * net.scale // (QA * QB))


def evaluate_with(accumulators: Accumulators, position: Position) -> int:
    """The network's verdict on a position from Python, in centipawns for the side to move."""
    accumulators.attach(position)
    return accumulators.evaluate(position)


def follow(accumulators: Accumulators, position: Position, moves: list, step: int = 1) -> list:
    """Evaluations along a line as a search would make them, None where it asks for none; the position is put back.

    step is how many moves lie between two evaluations, so that several are caught up with at once; 0000 is a pass.
    """
    values: list = []
    played: list = []
    position.reserve(len(moves))
    accumulators.attach(position)
    for text in moves:
        move: Move = NULL_MOVE if text == "0000" else position.parse_move(text)
        if move == NULL_MOVE:
            position.do_null_move()
        else:
            position.do_move(move, position.gives_check(move))
        played.append(move)
        values.append(accumulators.evaluate(position) if len(played) % step == 0 else None)
    for number in reversed(played):
        if number == NULL_MOVE:
            position.undo_null_move()
        else:
            position.undo_move(number)
    return values
