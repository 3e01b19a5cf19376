"""The network evaluation: (768 -> width) x 2 -> 1, perspective, squared clipped ReLU, integers throughout.

Each ply of the search has a layer: what the move changed, and, once somebody asked for the evaluation, the hidden layer
as both sides see it. Layers are filled lazily from the nearest ancestor that is ready; when a king has crossed between
files d and e the board is mirrored for its side and the layer is made anew, from the last one made that way.
"""
import cython
from cython.cimports.barreleye.core.bitboard import expect, pop_lsb, popcount
from cython.cimports.barreleye.core.evaluate.nnue import (
    INPUTS, LAYERS, MAX_WIDTH, NET_SCALE, QA, QB, Layer, Refresh, activate, add_row, capture_row, castle_row,
    input_index, input_row, move_row, remove_row,
)
from cython.cimports.barreleye.core.move import CASTLING, EN_PASSANT, PROMOTION, from_sq, kind_of, promotion_type, to_sq
from cython.cimports.barreleye.core.platform import alloc_aligned, free_aligned
from cython.cimports.barreleye.core.position import Position, king_square, occupied, pieces
from cython.cimports.barreleye.core.types import (
    BLACK, COLORS, KING, NO_PIECE, PIECES, ROOK, SQUARE_C1, SQUARE_D1, SQUARE_F1, SQUARE_G1, WHITE, Bitboard, Move,
    file_of, make_piece, pawn_push, relative_square, type_of,
)
from cython.cimports.libc.stdint import int16_t, int32_t
from cython.cimports.libc.string import memcpy


class Network:
    """The weights of a network, read from a buffer that stays mapped as long as anybody uses it."""

    def __cinit__(self, buffer: object, width: int, buckets: int):
        if not 16 <= width <= MAX_WIDTH or width % 16 or not 1 <= buckets <= 8:
            raise ValueError(f"a network of width {width} with {buckets} buckets cannot be used here")
        view: cython.const[cython.uchar][::1] = buffer
        size: cython.Py_ssize_t = 2 * width * (INPUTS + 1 + 2 * buckets) + 4 * buckets
        if view.shape[0] != size:
            raise ValueError(f"the weights take {view.shape[0]} bytes, expected {size}")
        self.owner = buffer
        self.width = width
        self.buckets = buckets
        self.feature_weights = cython.cast(cython.pointer[cython.const[int16_t]], cython.address(view[0]))
        self.feature_bias = self.feature_weights + INPUTS * self.width
        self.output_weights = self.feature_bias + self.width
        self.output_bias = cython.cast(cython.pointer[cython.const[int32_t]],
                                       self.output_weights + 2 * self.buckets * self.width)


class Accumulators:
    """A stack of hidden layers that follows one board."""

    def __cinit__(self, net: Network):
        self.net = net
        self.memory = cython.cast(cython.pointer[int16_t], alloc_aligned(
            (LAYERS + 2) * COLORS * net.width * cython.sizeof(int16_t)))
        if self.memory == cython.NULL:
            raise MemoryError("not enough memory for a network's accumulators")
        place: cython.pointer[int16_t] = self.memory
        index: cython.int
        side: cython.int
        for index in range(LAYERS):
            for side in range(COLORS):
                self.layers[index].values[side] = place
                place += net.width
        for side in range(COLORS):
            for index in range(2):
                self.cache[side][index].values = place
                memcpy(place, net.feature_bias, net.width * cython.sizeof(int16_t))
                place += net.width

    def __dealloc__(self):
        free_aligned(self.memory)

    def reset(self, pos: Position) -> cython.void:
        """Start anew from a position."""
        self.top = 0
        side: cython.int
        for side in range(COLORS):
            self.layers[0].ready[side] = False
            self.layers[0].mirrored[side] = file_of(king_square(pos, side)) >= 4

    def push(self, pos: Position, move: Move) -> cython.void:
        """Note what a move is about to change; the position has not made it yet."""
        expect(self.top + 1 < LAYERS)
        us: cython.int = pos.side
        origin: cython.int = from_sq(move)
        target: cython.int = to_sq(move)
        kind: cython.int = kind_of(move)
        piece: cython.int = pos.board[origin]
        self.top += 1
        layer: cython.pointer[Layer] = cython.address(self.layers[self.top])
        layer.ready[WHITE] = layer.ready[BLACK] = False
        layer.mirrored[WHITE] = (layer - 1).mirrored[WHITE]
        layer.mirrored[BLACK] = (layer - 1).mirrored[BLACK]
        layer.removed[0].piece = piece
        layer.removed[0].sq = origin
        layer.removed_count = 1
        layer.added_count = 1
        if kind == CASTLING:
            king_side: cython.bint = target > origin
            layer.removed[1].piece = layer.added[1].piece = make_piece(us, ROOK)
            layer.removed[1].sq = target
            layer.removed_count = layer.added_count = 2
            layer.added[1].sq = relative_square(us, SQUARE_F1 if king_side else SQUARE_D1)
            target = relative_square(us, SQUARE_G1 if king_side else SQUARE_C1)
        else:
            captured_sq: cython.int = target - pawn_push(us) if kind == EN_PASSANT else target
            if pos.board[captured_sq] != NO_PIECE:
                layer.removed[1].piece = pos.board[captured_sq]
                layer.removed[1].sq = captured_sq
                layer.removed_count = 2
        layer.added[0].piece = make_piece(us, promotion_type(move)) if kind == PROMOTION else piece
        layer.added[0].sq = target
        if type_of(piece) == KING:
            layer.mirrored[us] = file_of(target) >= 4

    def push_null(self) -> cython.void:
        """Note a pass: nothing changes."""
        expect(self.top + 1 < LAYERS)
        self.top += 1
        layer: cython.pointer[Layer] = cython.address(self.layers[self.top])
        layer.ready[WHITE] = layer.ready[BLACK] = False
        layer.mirrored[WHITE] = (layer - 1).mirrored[WHITE]
        layer.mirrored[BLACK] = (layer - 1).mirrored[BLACK]
        layer.removed_count = layer.added_count = 0

    def evaluate(self, pos: Position) -> cython.int:
        """Centipawns for the side to move."""
        self.bring_up(pos, WHITE)
        self.bring_up(pos, BLACK)
        us: cython.int = pos.side
        layer: cython.pointer[Layer] = cython.address(self.layers[self.top])
        bucket: cython.int = (popcount(occupied(pos)) - 1) * self.net.buckets // 32
        weights: cython.pointer[cython.const[int16_t]] = (self.net.output_weights
                                                          + 2 * bucket * self.net.width)
        total: cython.longlong = (
            cython.cast(cython.longlong, activate(layer.values[us], weights, self.net.width))
            + activate(layer.values[us ^ 1], weights + self.net.width, self.net.width))
        return cython.cast(cython.int, (total // QA + self.net.output_bias[bucket]) * NET_SCALE // (QA * QB))

    def bring_up(self, pos: Position, side: cython.int) -> cython.void:
        """Make the top layer ready for one side, from an ancestor if one can be reached, else anew."""
        index: cython.int = self.top
        while not self.layers[index].ready[side]:
            if index == 0 or self.layers[index - 1].mirrored[side] != self.layers[index].mirrored[side]:
                self.refresh(pos, side)
                return
            index -= 1
        while index < self.top:
            index += 1
            self.advance(index, side)

    def advance(self, index: cython.int, side: cython.int) -> cython.void:
        """One layer from the one below it, by what the move changed."""
        layer: cython.pointer[Layer] = cython.address(self.layers[index])
        values: cython.pointer[int16_t] = (layer - 1).values[side]
        width: cython.int = self.net.width
        mirrored: cython.bint = layer.mirrored[side]
        layer.ready[side] = True
        if layer.added_count == 0:
            memcpy(layer.values[side], values, width * cython.sizeof(int16_t))
            return
        added: cython.pointer[cython.const[int16_t]] = input_row(self.net, side, mirrored,
                                                                 cython.address(layer.added[0]))
        removed: cython.pointer[cython.const[int16_t]] = input_row(self.net, side, mirrored,
                                                                   cython.address(layer.removed[0]))
        if layer.removed_count == 1:
            move_row(layer.values[side], values, added, removed, width)
        elif layer.added_count == 1:
            capture_row(layer.values[side], values, added, removed,
                        input_row(self.net, side, mirrored, cython.address(layer.removed[1])), width)
        else:
            castle_row(layer.values[side], values, added,
                       input_row(self.net, side, mirrored, cython.address(layer.added[1])), removed,
                       input_row(self.net, side, mirrored, cython.address(layer.removed[1])), width)

    def refresh(self, pos: Position, side: cython.int) -> cython.void:
        """The top layer for one side from the board: only what differs from the last time is added and removed."""
        layer: cython.pointer[Layer] = cython.address(self.layers[self.top])
        mirrored: cython.bint = layer.mirrored[side]
        kept: cython.pointer[Refresh] = cython.address(self.cache[side][mirrored])
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
                remove_row(kept.values, self.net.feature_weights
                           + input_index(side, mirrored, piece, pop_lsb(cython.address(gone))) * width, width)
            while come:
                add_row(kept.values, self.net.feature_weights
                        + input_index(side, mirrored, piece, pop_lsb(cython.address(come))) * width, width)
        memcpy(layer.values[side], kept.values, width * cython.sizeof(int16_t))
        layer.ready[side] = True


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
    """The sum of weight times clipped value squared; |weight| < 128 keeps weight times value in 16 bits."""
    total: int32_t = 0
    lane: cython.int
    for lane in range(width):
        value: int16_t = max(cython.cast(int16_t, 0), min(cython.cast(int16_t, QA), values[lane]))
        product: int16_t = cython.cast(int16_t, value * weights[lane])
        total += cython.cast(int32_t, product) * value
    return total


def evaluate_with(accumulators: Accumulators, position: Position) -> int:
    """The network's verdict on a position from Python: always made from the board."""
    accumulators.reset(position)
    return accumulators.evaluate(position)


def follow(accumulators: Accumulators, position: Position, moves: list) -> list:
    """Evaluations along a line, layer by layer as a search would make them; the position is put back at the end."""
    values: list = []
    played: list = []
    accumulators.reset(position)
    for text in moves:
        move: Move = position.parse_move(text)
        accumulators.push(position, move)
        position.reserve(LAYERS)
        position.do_move(move, position.gives_check(move))
        played.append(move)
        values.append(accumulators.evaluate(position))
    for number in reversed(played):
        position.undo_move(number)
        accumulators.top -= 1
    return values
