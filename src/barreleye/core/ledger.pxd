"""The root ledger: what each window of each iteration found out about each root move."""
from libc.stdint cimport int32_t, uint8_t, uint16_t, uint64_t
from barreleye.core.position cimport Position
from barreleye.core.tt cimport TranspositionTable
from barreleye.core.types cimport Move

cdef enum:
    FIRST_CELLS = 1 << 10
    MOST_CELLS = 1 << 20          # 32 MiB; only hundreds of lines at great depth would need more

cdef struct Cell:                 # one root move in one window; 32 bytes
    uint64_t nodes                # spent on it there
    int32_t alpha                 # the window when its turn came,
    int32_t beta
    int32_t value                 # and what came back
    Move move
    Move reply                    # the best one found, or the one that refuted it; NO_MOVE when unknown
    uint16_t order                # its turn: 1 was searched first
    uint16_t line                 # MultiPV: which line was looked for, from 0
    uint8_t iteration
    uint8_t depth                 # asked of the root
    uint8_t window                # of this iteration and line, from 0
    uint8_t reply_depth           # at which the table knows what comes after the move, 0 when it does not

cdef struct Ledger:
    Cell* cells
    int count
    int room
    bint is_full                  # later windows are missing
    Cell next                     # what the cells of the window have in common

cdef Ledger* new_ledger() noexcept nogil
cdef void free_ledger(Ledger* ledger) noexcept nogil
cdef void open_window(Ledger* ledger, int moves, int iteration, int depth, int line, int window) noexcept nogil
cdef void note_root_move(Ledger* ledger, Position pos, TranspositionTable tt, Move move, Move reply, int value,
                         int alpha, int beta, uint64_t nodes) noexcept nogil
cdef list read_ledger(Ledger* ledger)
