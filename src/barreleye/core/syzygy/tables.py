"""One Syzygy file: its material, its compressed arrays, and everything about it checked before it is used.

A file is opened by the layer above and read here in place. Whatever a broken file says, no probe reads outside of it:
sizes and offsets are checked once when the table is opened, the few indices that depend on the data when they are used.
"""
import threading

import cython
from cython.cimports.barreleye.core.syzygy.layout import BINOMIAL, LEAD_PAWNS_SIZE
from cython.cimports.barreleye.core.syzygy.tables import (
    BROKEN, CHECKSUM_BYTES, DTZ_MAGIC, KINGS_SIZE, LEAF, MAPPED, MAX_CODE, MAX_PARTS, NO_FAULT, NO_MEMORY, PAWN_FILES,
    READY, SINGLE_SIZE, SINGLE_VALUE, TOO_SHORT, UNOPENED, WDL_MAGIC, WIDE, WRONG_CODES, WRONG_DATA, WRONG_KIND,
    WRONG_MAGIC, WRONG_ORDER, WRONG_PIECES, WRONG_SIZES, WRONG_SYMBOLS, Bytes, Part, Reader, Table, align, be32,
    count_values, free_parts, has_pieces, le16, le32, left_of, open_table, parse, part_of, read_map, read_pieces,
    read_sizes, right_of, set_groups, store_release, take,
)
from cython.cimports.barreleye.core.types import (
    BLACK, COLORS, KING, PAWN, PIECES, WHITE, make_piece, type_of,
)
from cython.cimports.barreleye.core.zobrist import COUNT_KEYS
from cython.cimports.cpython.buffer import PyBUF_SIMPLE, PyBuffer_Release, PyObject_GetBuffer
from cython.cimports.libc.stdint import uint8_t, uint16_t, uint32_t, uint64_t
from cython.cimports.libc.stdlib import calloc, free
from cython.cimports.libc.string import memcmp, memset

LETTERS = " PNBRQK"
FAULTS = {
    TOO_SHORT: "it is cut short",
    WRONG_MAGIC: "it does not begin like a Syzygy table",
    WRONG_KIND: "it is not the table its name says",
    WRONG_PIECES: "its pieces are not those of its name",
    WRONG_ORDER: "the order of its pieces makes no sense",
    WRONG_SIZES: "its sizes make no sense",
    WRONG_CODES: "its code table makes no sense",
    WRONG_SYMBOLS: "its symbols make no sense",
    NO_MEMORY: "there is not enough memory to open it",
    WRONG_DATA: "its data is damaged",
}


class TableFile:
    """A table by its name, such as KRPvKR, and where its file lies. It is opened when first asked.

    opener(path) returns an object with the buffer protocol, usually a memory map; it is kept until this object goes.
    """

    def __cinit__(self, name: str, path: str, is_dtz: bool, opener):
        memset(cython.address(self.table), 0, cython.sizeof(Table))
        self.has_view = False
        self.name = name
        self.path = path
        self.opener = opener
        self.lock = threading.Lock()
        self.table.is_dtz = is_dtz
        self.table.owner = cython.cast(cython.p_void, self)
        self.set_material(name)

    def __dealloc__(self):
        free_parts(cython.address(self.table))
        if self.has_view:
            PyBuffer_Release(cython.address(self.view))

    def set_material(self, name: str) -> cython.int:
        """Read the men off the name and make the keys under which positions find this table."""
        table: cython.pointer[Table] = cython.address(self.table)
        white, black = name.split("v")
        color: cython.int
        for color, side in enumerate((white, black)):
            for letter in side:
                table.count[make_piece(color, LETTERS.index(letter))] += 1
        table.men = len(white) + len(black)
        white_pawns: cython.int = table.count[make_piece(WHITE, PAWN)]
        black_pawns: cython.int = table.count[make_piece(BLACK, PAWN)]
        table.has_pawns = white_pawns + black_pawns > 0
        # The side with fewer pawns leads, as that makes the smaller index.
        white_leads: cython.bint = black_pawns == 0 or (white_pawns > 0 and black_pawns >= white_pawns)
        table.lead_pawns = white_pawns if white_leads else black_pawns
        table.other_pawns = black_pawns if white_leads else white_pawns
        kind: cython.int
        number: cython.int
        table.symmetric = True
        for kind in range(PAWN, KING + 1):
            if table.count[make_piece(WHITE, kind)] != table.count[make_piece(BLACK, kind)]:
                table.symmetric = False
            for color in range(COLORS):
                count: cython.int = table.count[make_piece(color, kind)]
                if kind != KING and count == 1:
                    table.has_single = True
                for number in range(count):
                    table.key ^= COUNT_KEYS[make_piece(color, kind)][number]
                    table.mirror ^= COUNT_KEYS[make_piece(color ^ 1, kind)][number]
        return 0

    def load(self) -> cython.int:
        """Open and check the file, once; afterwards the table is READY or BROKEN."""
        table: cython.pointer[Table] = cython.address(self.table)
        with self.lock:
            if table.state != UNOPENED:
                return 0
            try:
                PyObject_GetBuffer(self.opener(self.path), cython.address(self.view), PyBUF_SIMPLE)
                self.has_view = True
                table.fault = parse(table, cython.cast(Bytes, self.view.buf), self.view.len)
                if table.fault != NO_FAULT:
                    self.problem = FAULTS[table.fault]
            except (OSError, ValueError, MemoryError, BufferError) as error:
                self.problem = getattr(error, "strerror", None) or str(error)
            store_release(cython.address(table.state), READY if self.problem is None else BROKEN)
        return 0

    def check(self) -> str:
        """What is wrong with the file as far as it is known, None if nothing; damage may show only when probing."""
        if self.problem is None and self.table.state == BROKEN:
            self.problem = FAULTS[self.table.fault]
        return self.problem

    @property
    def is_open(self) -> bool:
        """Whether somebody has asked this table yet."""
        return self.table.state != UNOPENED

    @property
    def men(self) -> int:
        """How many men it has, kings included."""
        return self.table.men

    @property
    def is_dtz(self) -> bool:
        """Whether it tells distances rather than results."""
        return self.table.is_dtz


def open_table(table: cython.pointer[Table]) -> cython.void:
    """Open a table that is asked for the first time. The only moment a probe takes the GIL."""
    owner: TableFile = cython.cast(TableFile, table.owner)
    owner.load()


def parse(table: cython.pointer[Table], start: Bytes, size: cython.size_t) -> cython.int:
    """Find every part of the file and check that it lies inside; NO_FAULT or what is wrong."""
    reader: Reader
    reader.start = start
    reader.at = start
    reader.end = start + (size - CHECKSUM_BYTES if size > CHECKSUM_BYTES else 0)
    reader.failed = False
    table.end = start + size
    if reader.end - start < 8:
        return TOO_SHORT
    if be32(start) != (DTZ_MAGIC if table.is_dtz else WDL_MAGIC):
        return WRONG_MAGIC
    # Two parts when the sides differ and the file is for results; the split flag says the same.
    if ((start[4] & 2) != 0) != table.has_pawns or ((start[4] & 1) != 0) == table.symmetric:
        return WRONG_KIND
    table.sides = 1 if table.is_dtz or table.symmetric else 2
    reader.at += 5
    table.parts = cython.cast(cython.pointer[Part], calloc(MAX_PARTS, cython.sizeof(Part)))
    if table.parts == cython.NULL:
        return NO_MEMORY
    fault: cython.int = read_pieces(table, cython.address(reader))
    if fault:
        return fault
    files: cython.int = PAWN_FILES if table.has_pawns else 1
    file: cython.int
    side: cython.int
    for file in range(files):
        for side in range(table.sides):
            fault = read_sizes(table, part_of(table, side, file), cython.address(reader))
            if fault:
                return fault
    if table.is_dtz:
        fault = read_map(table, cython.address(reader))
        if fault:
            return fault
    part: cython.pointer[Part]
    for file in range(files):
        for side in range(table.sides):
            part = part_of(table, side, file)
            if not part.flags & SINGLE_VALUE:
                spans: uint64_t = (part.size + ((cython.cast(uint64_t, 1) << part.span_bits) - 1)) >> part.span_bits
                part.sparse = take(cython.address(reader), 6 * spans)
    for file in range(files):
        for side in range(table.sides):
            part = part_of(table, side, file)
            part.block_length = take(cython.address(reader), 2 * part.block_lengths)
    for file in range(files):
        for side in range(table.sides):
            part = part_of(table, side, file)
            align(cython.address(reader), 64)
            part.data = take(cython.address(reader), part.blocks << part.block_bits)
    return TOO_SHORT if reader.failed else NO_FAULT


def take(reader: cython.pointer[Reader], bytes: uint64_t) -> Bytes:
    """The next so many bytes; when there are not so many, the reader fails and stays where it is."""
    found: Bytes = reader.at
    if bytes > cython.cast(uint64_t, reader.end - reader.at):
        reader.failed = True
    else:
        reader.at += bytes
    return found


def align(reader: cython.pointer[Reader], step: cython.int) -> cython.void:
    """Go on to a multiple of step from the file's start."""
    over: cython.int = cython.cast(cython.int, (reader.at - reader.start) & (step - 1))
    if over:
        take(reader, step - over)


def read_pieces(table: cython.pointer[Table], reader: cython.pointer[Reader]) -> cython.int:
    """The order of the pieces and of the groups they form, for each part."""
    both: cython.bint = table.other_pawns > 0
    file: cython.int
    side: cython.int
    index: cython.int
    order: cython.int[2]
    for file in range(PAWN_FILES if table.has_pawns else 1):
        head: Bytes = take(reader, 1 + both + table.men)
        if reader.failed:
            return TOO_SHORT
        for side in range(table.sides):
            part: cython.pointer[Part] = part_of(table, side, file)
            order[0] = head[0] >> 4 if side else head[0] & 15
            order[1] = 15 if not both else head[1] >> 4 if side else head[1] & 15
            for index in range(table.men):
                part.pieces[index] = head[1 + both + index] >> 4 if side else head[1 + both + index] & 15
            if not has_pieces(table, part):
                return WRONG_PIECES
            fault: cython.int = set_groups(table, part, order, file)
            if fault:
                return fault
    align(reader, 2)
    return NO_FAULT


def has_pieces(table: cython.pointer[Table], part: cython.pointer[Part]) -> cython.bint:
    """Whether the part lists exactly the table's men, like ones together, leading ones first."""
    count: uint8_t[PIECES]
    memset(count, 0, PIECES)
    index: cython.int
    for index in range(table.men):
        count[part.pieces[index]] += 1
        if index > 0 and part.pieces[index] != part.pieces[index - 1] and count[part.pieces[index]] != 1:
            return False
    if memcmp(count, table.count, PIECES) != 0:
        return False
    if table.has_pawns:
        # Our pawns, then theirs. All parts agree on whose lead.
        for index in range(table.lead_pawns + table.other_pawns):
            if type_of(part.pieces[index]) != PAWN:
                return False
        return (count[part.pieces[0]] == table.lead_pawns and part.pieces[0] == table.parts[0].pieces[0])
    if table.has_single:
        return part.pieces[0] != part.pieces[1] and part.pieces[1] != part.pieces[2] and (
            table.men == 3 or part.pieces[2] != part.pieces[3])
    return type_of(part.pieces[0]) == KING and type_of(part.pieces[1]) == KING


def set_groups(table: cython.pointer[Table], part: cython.pointer[Part], order: cython.pointer[cython.int],
               file: cython.int) -> cython.int:
    """Join like pieces into groups and give each group its factor in the index, in the order the file wants."""
    groups: cython.int = 0
    leading: cython.int = 0 if table.has_pawns else 3 if table.has_single else 2
    index: cython.int
    part.group_len[0] = 1
    for index in range(1, table.men):
        leading -= 1
        if leading > 0 or part.pieces[index] == part.pieces[index - 1]:
            part.group_len[groups] += 1
        else:
            groups += 1
            part.group_len[groups] = 1
    groups += 1
    part.group_len[groups] = 0

    both: cython.bint = table.other_pawns > 0
    if order[0] >= groups or (both and (order[1] >= groups or order[1] == order[0])):
        return WRONG_ORDER
    free_squares: cython.int = 64 - part.group_len[0] - (part.group_len[1] if both else 0)
    following: cython.int = 2 if both else 1
    size: uint64_t = 1
    for index in range(groups):
        if index == order[0]:
            part.group_factor[0] = size
            size *= (LEAD_PAWNS_SIZE[part.group_len[0]][file] if table.has_pawns
                     else SINGLE_SIZE if table.has_single else KINGS_SIZE)
        elif index == order[1]:
            part.group_factor[1] = size
            size *= BINOMIAL[part.group_len[1]][48 - part.group_len[0]]
        else:
            part.group_factor[following] = size
            size *= BINOMIAL[part.group_len[following]][free_squares]
            free_squares -= part.group_len[following]
            following += 1
    part.size = size
    return NO_FAULT


def read_sizes(table: cython.pointer[Table], part: cython.pointer[Part], reader: cython.pointer[Reader]) -> cython.int:
    """How a part is compressed: block sizes, code lengths, symbols."""
    head: Bytes = take(reader, 2)
    if reader.failed:
        return TOO_SHORT
    part.flags = head[0]
    if part.flags & SINGLE_VALUE:
        part.value = 0 if table.is_dtz else head[1]
        return NO_FAULT if part.value <= 4 else WRONG_SIZES
    part.block_bits = head[1]
    head = take(reader, 8)
    if reader.failed:
        return TOO_SHORT
    part.span_bits = head[0]
    part.blocks = le32(head + 2)
    part.block_lengths = part.blocks + head[1]
    longest: cython.int = head[6]
    part.shortest = head[7]
    if part.block_bits < 3 or part.block_bits > 20 or part.span_bits > 40 or part.blocks == 0:
        return WRONG_SIZES
    if part.shortest < 1 or longest < part.shortest or longest > MAX_CODE:
        return WRONG_CODES
    part.lengths = longest - part.shortest + 1
    head = take(reader, 2 * part.lengths + 2)
    if reader.failed:
        return TOO_SHORT
    index: cython.int
    for index in range(part.lengths):
        part.lowest[index] = le16(head + 2 * index)
    # Codes of one length are consecutive numbers, and longer codes are smaller: from the longest up, each length begins
    # where half of the longer codes end.
    part.base[part.lengths - 1] = 0
    for index in range(part.lengths - 2, -1, -1):
        part.base[index] = (part.base[index + 1] + part.lowest[index] - part.lowest[index + 1]) // 2
        if part.base[index] >> (part.shortest + index):
            return WRONG_CODES
    for index in range(part.lengths):
        part.base[index] <<= 64 - part.shortest - index
    part.symbols = le16(head + 2 * part.lengths)
    part.tree = take(reader, 3 * part.symbols + (part.symbols & 1))
    if reader.failed:
        return TOO_SHORT
    return count_values(part)


def count_values(part: cython.pointer[Part]) -> cython.int:
    """How many values each symbol stands for. A symbol that contains itself is a fault."""
    if part.symbols < 1 or part.symbols > LEAF:
        return WRONG_SYMBOLS
    part.values = cython.cast(cython.pointer[uint16_t], calloc(part.symbols, cython.sizeof(uint16_t)))
    path: cython.pointer[uint16_t] = cython.cast(
        cython.pointer[uint16_t], calloc(part.symbols + 1, cython.sizeof(uint16_t)))
    state: cython.pointer[uint8_t] = cython.cast(cython.pointer[uint8_t], calloc(part.symbols, 1))
    if part.values == cython.NULL or path == cython.NULL or state == cython.NULL:
        free(path)
        free(state)
        return NO_MEMORY
    fault: cython.int = NO_FAULT
    first: cython.int = 0
    depth: cython.int
    while first < part.symbols and not fault:
        path[0] = first
        depth = 0 if state[first] == 0 else -1
        # Walk down to symbols not yet counted; state 1 is on the way down, 2 is done.
        while depth >= 0 and not fault:
            symbol: cython.int = path[depth]
            left: cython.int = left_of(part, symbol)
            right: cython.int = right_of(part, symbol)
            state[symbol] = 1
            if right == LEAF:
                state[symbol] = 2
                depth -= 1
            elif left >= part.symbols or right >= part.symbols or state[left] == 1 or state[right] == 1:
                fault = WRONG_SYMBOLS
            elif state[left] == 0 or state[right] == 0:
                depth += 1
                path[depth] = left if state[left] == 0 else right
            elif part.values[left] + part.values[right] + 1 > 0xFFFF:
                fault = WRONG_SYMBOLS
            else:
                part.values[symbol] = part.values[left] + part.values[right] + 1
                state[symbol] = 2
                depth -= 1
        first += 1
    free(path)
    free(state)
    return fault


def read_map(table: cython.pointer[Table], reader: cython.pointer[Reader]) -> cython.int:
    """Where the lists of distances begin, four for each part that has them."""
    file: cython.int
    index: cython.int
    count: Bytes
    table.map = reader.at
    for file in range(PAWN_FILES if table.has_pawns else 1):
        part: cython.pointer[Part] = part_of(table, 0, file)
        if not part.flags & MAPPED:
            continue
        if part.flags & WIDE:
            align(reader, 2)
        for index in range(4):
            count = take(reader, 2 if part.flags & WIDE else 1)
            if reader.failed:
                return TOO_SHORT
            part.map_len[index] = le16(count) if part.flags & WIDE else count[0]
            part.map_start[index] = cython.cast(uint32_t, reader.at - table.map)
            take(reader, part.map_len[index] * (2 if part.flags & WIDE else 1))
            if reader.failed:
                return TOO_SHORT
    align(reader, 2)
    return TOO_SHORT if reader.failed else NO_FAULT


def free_parts(table: cython.pointer[Table]) -> cython.void:
    """Give back what opening the table took."""
    index: cython.int
    if table.parts != cython.NULL:
        for index in range(MAX_PARTS):
            free(table.parts[index].values)
        free(table.parts)
        table.parts = cython.NULL
