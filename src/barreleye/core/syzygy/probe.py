"""What the tables say of a position once captures, en passant and the fifty-move rule have had their word.

A results table may store anything not above the truth where a capture is best, and knows nothing of en passant; a
distance table stores one side to move only. So a probe looks at captures itself, and sometimes one ply ahead.
"""
import cython
from cython.cimports.barreleye.core.bitboard import more_than_one, popcount
from cython.cimports.barreleye.core.movegen import count_legal, generate_captures, generate_evasions, generate_legal
from cython.cimports.barreleye.core.position import Position, is_capture, moved_piece
from cython.cimports.barreleye.core.syzygy.decode import FAILED, FOUND, ZEROING, Status, read_table
from cython.cimports.barreleye.core.syzygy.probe import (
    WDL_CURSED_WIN, WDL_DRAW, WDL_LOSS, WDL_WIN, Slot, best_pawn_move, dtz_before_zeroing,
    dtz_by_moves, probe_dtz, probe_wdl, search_wdl, sign, stored_wdl,
)
from cython.cimports.barreleye.core.syzygy.tables import Table, TableFile
from cython.cimports.barreleye.core.types import MAX_MOVES, NO_SQUARE, PAWN, Key, Move, type_of
from cython.cimports.libc.stdlib import calloc, free


class Tablebase:
    """A set of tables, found by material. It never changes once made; any number of threads may ask it."""

    def __cinit__(self, files: list):
        self.files = list(files)
        size: cython.int = 64
        while size < 8 * len(self.files):
            size *= 2
        self.mask = size - 1
        self.slots = cython.cast(cython.pointer[Slot], calloc(size, cython.sizeof(Slot)))
        if self.slots == cython.NULL:
            raise MemoryError("no memory for the list of tablebases")
        self.cardinality = 0
        file: TableFile
        for file in self.files:
            table: cython.pointer[Table] = cython.address(file.table)
            self.add(table.key, table)
            self.add(table.mirror, table)
            if not table.is_dtz:
                self.cardinality = max(self.cardinality, table.men)

    def __dealloc__(self):
        free(self.slots)

    def add(self, key: Key, table: cython.pointer[Table]) -> cython.int:
        """Let positions of this material find the table; the first of several stays."""
        slot: cython.pointer[Slot] = self.find(key)
        slot.key = key
        if table.is_dtz:
            if slot.dtz == cython.NULL:
                slot.dtz = table
        elif slot.wdl == cython.NULL:
            slot.wdl = table
        return 0

    def find(self, key: Key) -> cython.pointer[Slot]:
        """The slot of a material, or the empty one where it would be."""
        place: Key = key & self.mask
        while self.slots[place].key != key and (self.slots[place].wdl != cython.NULL
                                                or self.slots[place].dtz != cython.NULL):
            place = (place + 1) & self.mask
        return cython.address(self.slots[place])

    def wdl(self, position: Position) -> object:
        """2 won, 1 won but for the fifty-move rule, 0, -1, -2 for the side to move; None if the tables cannot tell."""
        pos: Position = position.copy()
        status: Status
        value: cython.int = probe_wdl(self, pos, cython.address(status))
        return None if status == FAILED else value

    def dtz(self, position: Position) -> object:
        """Plies to a capture or pawn move that keeps the result, signed like it, over 100 for cursed ones; 0 draws."""
        pos: Position = position.copy()
        status: Status
        value: cython.int = probe_dtz(self, pos, cython.address(status))
        return None if status == FAILED else value

    def probe_all(self, positions: list, rounds: int = 1, distances: bool = False) -> int:
        """Probe every position so many times, for measuring; the sum of the results, or of the distances."""
        total: cython.longlong = 0
        status: Status
        pos: Position
        number: cython.int
        for number in range(cython.cast(cython.int, rounds)):
            for pos in positions:
                if distances:
                    total += probe_dtz(self, pos, cython.address(status))
                else:
                    total += probe_wdl(self, pos, cython.address(status))
        return total


def probe_wdl(tables: Tablebase, pos: Position, status: cython.pointer[Status]) -> cython.int:
    """The result for the side to move, WDL_LOSS to WDL_WIN, with the fifty-move counter at zero."""
    if pos.st.castling or popcount(pos.by_type[0]) > tables.cardinality:
        status[0] = FAILED
        return WDL_DRAW
    return search_wdl(tables, pos, WDL_LOSS, WDL_WIN, status)


def stored_wdl(tables: Tablebase, pos: Position, status: cython.pointer[Status]) -> cython.int:
    """What the results table itself says."""
    status[0] = FOUND
    if not more_than_one(pos.by_type[0] & (pos.by_type[0] - 1)):      # bare kings need no table
        return WDL_DRAW
    slot: cython.pointer[Slot] = tables.find(pos.st.material_key)
    if slot.wdl == cython.NULL:
        status[0] = FAILED
        return WDL_DRAW
    return read_table(slot.wdl, pos, 0, status)


def search_wdl(tables: Tablebase, pos: Position, alpha: cython.int, beta: cython.int,
               status: cython.pointer[Status]) -> cython.int:
    """The better of the stored result and the best capture; status ZEROING if a capture alone gives it."""
    moves: Move[MAX_MOVES]
    move: cython.pointer[Move] = moves
    end: cython.pointer[Move] = (generate_evasions(pos, moves) if pos.st.checkers
                                 else generate_captures(pos, moves))
    best: cython.int = WDL_LOSS - 1
    captures: cython.int = 0
    value: cython.int
    while move < end:
        if is_capture(pos, move[0]):
            captures += 1
            pos.do_move(move[0], pos.gives_check(move[0]))
            value = -search_wdl(tables, pos, -beta, -max(alpha, best), status)
            pos.undo_move(move[0])
            if status[0] == FAILED:
                return WDL_DRAW
            if value > best:
                best = value
                if best >= beta:
                    status[0] = ZEROING
                    return best
        move += 1
    # With en passant as the only way to move, the table would speak of a stalemate that is none.
    if captures and pos.st.ep_square != NO_SQUARE and count_legal(pos) == captures:
        status[0] = ZEROING
        return best
    value = stored_wdl(tables, pos, status)
    if status[0] == FAILED:
        return WDL_DRAW
    if best >= value:
        status[0] = ZEROING if best > WDL_DRAW else FOUND
        return best
    return value


def best_pawn_move(tables: Tablebase, pos: Position, alpha: cython.int, status: cython.pointer[Status]) -> cython.int:
    """The best result of a quiet pawn move, below WDL_LOSS if there is none; it stops where alpha is reached."""
    moves: Move[MAX_MOVES]
    move: cython.pointer[Move] = moves
    end: cython.pointer[Move] = generate_legal(pos, moves)
    best: cython.int = WDL_LOSS - 1
    status[0] = FOUND
    while move < end:
        if type_of(moved_piece(pos, move[0])) == PAWN and not is_capture(pos, move[0]):
            pos.do_move(move[0], pos.gives_check(move[0]))
            value: cython.int = -search_wdl(tables, pos, WDL_LOSS, WDL_WIN, status)
            pos.undo_move(move[0])
            if status[0] == FAILED:
                return WDL_DRAW
            best = max(best, value)
            if best >= alpha:
                break
        move += 1
    return best


def probe_dtz(tables: Tablebase, pos: Position, status: cython.pointer[Status]) -> cython.int:
    """Plies to the zeroing move that keeps the result, signed like it; 0 for draws, 101 and up for cursed results.

    Some tables count in moves: the true distance of a won or lost position may be one ply less.
    """
    wdl: cython.int = probe_wdl(tables, pos, status)
    if status[0] == FAILED or wdl == WDL_DRAW:
        return 0
    if status[0] == ZEROING:
        return dtz_before_zeroing(wdl)
    if wdl > WDL_DRAW and pos.by_type[PAWN] & pos.by_color[pos.side]:
        if best_pawn_move(tables, pos, wdl, status) == wdl and status[0] != FAILED:
            status[0] = ZEROING
            return dtz_before_zeroing(wdl)
        if status[0] == FAILED:
            return 0
    slot: cython.pointer[Slot] = tables.find(pos.st.material_key)
    if slot.dtz == cython.NULL:
        status[0] = FAILED
        return 0
    plies: cython.int = read_table(slot.dtz, pos, wdl, status)
    if status[0] == FAILED:
        return 0
    if status[0] == FOUND:
        return sign(wdl) * (plies + (100 if abs(wdl) == WDL_CURSED_WIN else 0))
    return dtz_by_moves(tables, pos, wdl, status)


def dtz_by_moves(tables: Tablebase, pos: Position, wdl: cython.int, status: cython.pointer[Status]) -> cython.int:
    """The distance when the table has only the other side to move: one more than the best move's."""
    moves: Move[MAX_MOVES]
    move: cython.pointer[Move] = moves
    end: cython.pointer[Move] = generate_legal(pos, moves)
    best: cython.int = 0xFFFF
    status[0] = FOUND
    while move < end:
        zeroing: cython.bint = is_capture(pos, move[0]) or type_of(moved_piece(pos, move[0])) == PAWN
        dtz: cython.int
        pos.do_move(move[0], pos.gives_check(move[0]))
        if zeroing:
            dtz = -dtz_before_zeroing(search_wdl(tables, pos, WDL_LOSS, WDL_WIN, status))
        else:
            dtz = -probe_dtz(tables, pos, status)
            if dtz == 1 and pos.st.checkers and not pos.has_legal_moves():
                best = 1
            dtz += sign(dtz)
        pos.undo_move(move[0])
        if status[0] == FAILED:
            return 0
        if sign(dtz) == sign(wdl) and dtz < best:
            best = dtz
        move += 1
    status[0] = FOUND
    return -1 if best == 0xFFFF else best         # no move at all: mated
