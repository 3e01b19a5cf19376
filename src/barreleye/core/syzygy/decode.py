"""From a position to its number in a table, and from the number to the value stored there.

A table stores one value for each number, as pairs of pairs of symbols in canonical Huffman codes, cut into blocks; a
sparse index says in which block to begin looking.
"""
import cython
from cython.cimports.barreleye.core.bitboard import pop_lsb
from cython.cimports.barreleye.core.position import Position, pieces
from cython.cimports.barreleye.core.syzygy.decode import (
    FAILED, FOUND, OTHER_SIDE, Placement, Status, decompress, distance, index_of, index_pawns, index_pieces,
    place_rest, read_table, sort_like,
)
from cython.cimports.barreleye.core.syzygy.layout import (
    BELOW_DIAGONAL, BINOMIAL, KINGS_INDEX, LEAD_PAWN_INDEX, PAWN_ORDER, TRIANGLE_INDEX, mirror_diagonal, off_diagonal,
)
from cython.cimports.barreleye.core.syzygy.tables import (
    BLACK_TO_MOVE, LOSS_PLIES, MAPPED, SINGLE_VALUE, WIDE, WIN_PLIES, Bytes, Part, Table, be32, be64, condemn,
    is_ready, le16, le32, left_of, part_of, right_of,
)
from cython.cimports.barreleye.core.types import PAWN, Bitboard, color_of, file_of, rank_of
from cython.cimports.libc.stdint import int64_t, uint8_t, uint64_t


def read_table(table: cython.pointer[Table], pos: Position, wdl: cython.int,
               status: cython.pointer[Status]) -> cython.int:
    """A position's stored value: -2 to 2 from a WDL table; from a DTZ table plies, given the result wdl."""
    if not is_ready(table):
        status[0] = FAILED
        return 0
    # Tables know the first side of their name as white, and of equal sides only white to move.
    flip: cython.bint = pos.st.material_key != table.key or (table.symmetric and pos.side != 0)
    color_flip: cython.int = 8 if flip else 0
    square_flip: cython.int = 56 if flip else 0
    place: Placement
    place.side = pos.side ^ flip
    place.men = 0
    file: cython.int = 0
    if table.has_pawns:
        lead: cython.int = table.parts[0].pieces[0] ^ color_flip
        pawns: Bitboard = pieces(pos, color_of(lead), PAWN)
        while pawns:
            sq: cython.int = pop_lsb(cython.address(pawns)) ^ square_flip
            place.sq[place.men] = sq
            if PAWN_ORDER[sq] > PAWN_ORDER[place.sq[0]]:
                place.sq[place.men] = place.sq[0]
                place.sq[0] = sq
            place.men += 1
        file = min(file_of(place.sq[0]), 7 - file_of(place.sq[0]))
    place.lead = place.men

    side: cython.int = place.side if table.sides == 2 else 0
    part: cython.pointer[Part] = part_of(table, side, file)
    if table.is_dtz and (part.flags & BLACK_TO_MOVE) != place.side and (not table.symmetric or table.has_pawns):
        status[0] = OTHER_SIDE
        return 0
    place_rest(cython.address(place), pos, color_flip, square_flip)
    sort_like(cython.address(place), part)
    value: cython.int = decompress(table, part, index_of(table, part, cython.address(place)))
    if value >= 0:
        value = distance(table, part, value, wdl) if table.is_dtz else value - 2 if value <= 4 else -1 - 2 * value
    if value < -2:
        condemn(table)
        status[0] = FAILED
        return 0
    status[0] = FOUND
    return value


def place_rest(place: cython.pointer[Placement], pos: Position, color_flip: cython.int,
               square_flip: cython.int) -> cython.void:
    """Add the men that are not leading pawns."""
    lead: Bitboard = 0
    index: cython.int
    for index in range(place.lead):
        lead |= cython.cast(Bitboard, 1) << (place.sq[index] ^ square_flip)
    rest: Bitboard = pos.by_type[0] ^ lead
    while rest:
        sq: cython.int = pop_lsb(cython.address(rest))
        place.sq[place.men] = sq ^ square_flip
        place.piece[place.men] = pos.board[sq] ^ color_flip
        place.men += 1


def sort_like(place: cython.pointer[Placement], part: cython.pointer[Part]) -> cython.void:
    """Bring the men into the order of the part."""
    index: cython.int
    other: cython.int
    for index in range(place.lead, place.men - 1):
        for other in range(index, place.men):
            if place.piece[other] == part.pieces[index]:
                piece: uint8_t = place.piece[index]
                sq: cython.int = place.sq[index]
                place.piece[index] = place.piece[other]
                place.sq[index] = place.sq[other]
                place.piece[other] = piece
                place.sq[other] = sq
                break


def index_of(table: cython.pointer[Table], part: cython.pointer[Part], place: cython.pointer[Placement]) -> uint64_t:
    """The number of a placement: the leading group's, then each group among the squares the earlier ones left."""
    index: cython.int
    other: cython.int
    if file_of(place.sq[0]) > 3:
        for index in range(place.men):
            place.sq[index] ^= 7
    number: uint64_t = index_pawns(place) if table.has_pawns else index_pieces(table, place)
    number *= part.group_factor[0]
    done: cython.int = part.group_len[0]
    group: cython.int = 1
    # Pawns that follow leading pawns have no first rank.
    missing: cython.int = 8 if table.other_pawns > 0 else 0
    while part.group_len[group]:
        end: cython.int = done + part.group_len[group]
        # Insertion sort: groups have one man or two, hardly ever more.
        for index in range(done + 1, end):
            sq: cython.int = place.sq[index]
            other = index
            while other > done and place.sq[other - 1] > sq:
                place.sq[other] = place.sq[other - 1]
                other -= 1
            place.sq[other] = sq
        ways: uint64_t = 0
        for index in range(done, end):
            below: cython.int = 0
            for other in range(done):
                below += place.sq[other] < place.sq[index]
            ways += BINOMIAL[index - done + 1][place.sq[index] - below - missing]
        missing = 0
        number += ways * part.group_factor[group]
        done = end
        group += 1
    return number


def index_pawns(place: cython.pointer[Placement]) -> uint64_t:
    """The number of the leading pawns, the first of them on files a-d."""
    index: cython.int
    other: cython.int
    for index in range(2, place.lead):
        sq: cython.int = place.sq[index]
        other = index
        while other > 1 and PAWN_ORDER[place.sq[other - 1]] > PAWN_ORDER[sq]:
            place.sq[other] = place.sq[other - 1]
            other -= 1
        place.sq[other] = sq
    number: uint64_t = LEAD_PAWN_INDEX[place.lead][place.sq[0]]
    for index in range(1, place.lead):
        number += BINOMIAL[index][PAWN_ORDER[place.sq[index]]]
    return number


def index_pieces(table: cython.pointer[Table], place: cython.pointer[Placement]) -> uint64_t:
    """The number of the leading three men, or of the two kings, after turning the board to one of eight ways."""
    index: cython.int
    other: cython.int
    lead: cython.int = 3 if table.has_single else 2
    if rank_of(place.sq[0]) > 3:
        for index in range(place.men):
            place.sq[index] ^= 56
    # The first man off the long diagonal comes below it.
    for index in range(lead):
        if off_diagonal(place.sq[index]) == 0:
            continue
        if off_diagonal(place.sq[index]) > 0:
            for other in range(index, place.men):
                place.sq[other] = mirror_diagonal(place.sq[other])
        break
    first: cython.int = place.sq[0]
    second: cython.int = place.sq[1]
    if not table.has_single:
        return KINGS_INDEX[TRIANGLE_INDEX[first]][second]
    third: cython.int = place.sq[2]
    before_second: cython.int = second > first
    before_third: cython.int = (third > first) + (third > second)
    if off_diagonal(first):
        return (TRIANGLE_INDEX[first] * 63 + second - before_second) * 62 + third - before_third
    if off_diagonal(second):
        return (6 * 63 + rank_of(first) * 28 + BELOW_DIAGONAL[second]) * 62 + third - before_third
    if off_diagonal(third):
        return (6 * 63 * 62 + 4 * 28 * 62 + rank_of(first) * 7 * 28 + (rank_of(second) - before_second) * 28
                + BELOW_DIAGONAL[third])
    return (6 * 63 * 62 + 4 * 28 * 62 + 4 * 7 * 28 + rank_of(first) * 7 * 6 + (rank_of(second) - before_second) * 6
            + rank_of(third) - before_third)


def decompress(table: cython.pointer[Table], part: cython.pointer[Part], index: uint64_t) -> cython.int:
    """The stored value of a number, -3 if the data contradicts itself."""
    if part.flags & SINGLE_VALUE:
        return part.value
    if index >= part.size:
        return -3
    # The sparse index knows the position in the middle of each span; from there walk by whole blocks.
    entry: Bytes = part.sparse + 6 * (index >> part.span_bits)
    block: int64_t = le32(entry)
    half: int64_t = cython.cast(int64_t, 1) << part.span_bits >> 1
    offset: int64_t = le16(entry + 4)
    offset += cython.cast(int64_t, index & ((cython.cast(uint64_t, 1) << part.span_bits) - 1)) - half
    count: int64_t = part.block_lengths
    while offset < 0:
        block -= 1
        if block < 0 or block >= count:
            return -3
        offset += le16(part.block_length + 2 * block) + 1
    if block >= count:
        return -3
    while offset > le16(part.block_length + 2 * block):
        offset -= le16(part.block_length + 2 * block) + 1
        block += 1
        if block >= count:
            return -3
    if block >= cython.cast(int64_t, part.blocks):
        return -3

    # Read codes until the symbol that covers the offset.
    at: Bytes = part.data + (block << part.block_bits)
    buffer: uint64_t = be64(at)
    bits: cython.int = 64
    at += 8
    while True:
        length: cython.int = 0
        while buffer < part.base[length]:
            length += 1
        symbol: cython.int = part.lowest[length] + cython.cast(
            cython.int, (buffer - part.base[length]) >> (64 - length - part.shortest))
        if symbol < 0 or symbol >= part.symbols:
            return -3
        if offset <= part.values[symbol]:
            break
        offset -= part.values[symbol] + 1
        length += part.shortest
        buffer <<= length
        bits -= length
        if bits <= 32:
            if table.end - at < 4:
                return -3
            bits += 32
            buffer |= cython.cast(uint64_t, be32(at)) << (64 - bits)
            at += 4

    # A symbol is a pair of symbols, down to single values.
    while part.values[symbol]:
        left: cython.int = left_of(part, symbol)
        if offset <= part.values[left]:
            symbol = left
        else:
            offset -= part.values[left] + 1
            symbol = right_of(part, symbol)
    return left_of(part, symbol)


def distance(table: cython.pointer[Table], part: cython.pointer[Part], value: cython.int,
             wdl: cython.int) -> cython.int:
    """Plies to the next capture or pawn move, from what a DTZ table stores; -3 if that cannot be."""
    # Lists stand in the order win, loss, cursed win, blessed loss.
    which: cython.int = 0 if wdl == 2 else 1 if wdl == -2 else 2 if wdl == 1 else 3
    if part.flags & MAPPED:
        if value >= cython.cast(cython.int, part.map_len[which]):
            return -3
        entry: Bytes = table.map + part.map_start[which]
        value = le16(entry + 2 * value) if part.flags & WIDE else entry[value]
    if (wdl == 2 and not part.flags & WIN_PLIES) or (wdl == -2 and not part.flags & LOSS_PLIES) or abs(wdl) == 1:
        value *= 2
    return value + 1
