"""The root ledger: what each window of each iteration found out about each root move, about a kilobyte an iteration.

Every search of an engine keeps one, each worker its own. Room for a window is made before it is searched.
"""
import cython
from cython.cimports.barreleye.core.ledger import (
    FIRST_CELLS, MOST_CELLS, Cell, Ledger, free_ledger, new_ledger, note_root_move, open_window, read_ledger,
)
from cython.cimports.barreleye.core.move import NO_MOVE
from cython.cimports.barreleye.core.position import Position
from cython.cimports.barreleye.core.tt import TranspositionTable, TTData
from cython.cimports.barreleye.core.types import Move
from cython.cimports.libc.stdint import uint64_t
from cython.cimports.libc.stdlib import calloc, free, realloc


def new_ledger() -> cython.pointer[Ledger]:
    """An empty ledger, NULL without memory."""
    ledger: cython.pointer[Ledger] = cython.cast(cython.pointer[Ledger], calloc(1, cython.sizeof(Ledger)))
    if ledger == cython.NULL:
        return cython.NULL
    ledger.cells = cython.cast(cython.pointer[Cell], calloc(FIRST_CELLS, cython.sizeof(Cell)))
    if ledger.cells == cython.NULL:
        free(ledger)
        return cython.NULL
    ledger.room = FIRST_CELLS
    return ledger


def free_ledger(ledger: cython.pointer[Ledger]) -> cython.void:
    """Give it back."""
    if ledger != cython.NULL:
        free(ledger.cells)
        free(ledger)


def open_window(ledger: cython.pointer[Ledger], moves: cython.int, iteration: cython.int, depth: cython.int,
                line: cython.int, window: cython.int) -> cython.void:
    """Make room for a window in which so many root moves are searched. Without it the search goes on unrecorded."""
    ledger.next.iteration = iteration
    ledger.next.depth = depth
    ledger.next.line = line
    ledger.next.window = min(window, 255)
    ledger.next.order = 0
    if ledger.is_full or ledger.count + moves <= ledger.room:
        return
    room: cython.int = max(2 * ledger.room, ledger.count + moves)
    larger: cython.p_void = cython.NULL
    if room <= MOST_CELLS:
        larger = realloc(ledger.cells, room * cython.sizeof(Cell))
    if larger == cython.NULL:
        ledger.is_full = True
    else:
        ledger.cells = cython.cast(cython.pointer[Cell], larger)
        ledger.room = room


def note_root_move(ledger: cython.pointer[Ledger], pos: Position, tt: TranspositionTable, move: Move, reply: Move,
                   value: cython.int, alpha: cython.int, beta: cython.int, nodes: uint64_t) -> cython.void:
    """Write down what came of a root move; a reply that its line does not tell may be in the table."""
    ledger.next.order += 1
    if ledger.is_full:
        return
    cell: cython.pointer[Cell] = ledger.cells + ledger.count
    ledger.count += 1
    cell[0] = ledger.next
    cell.move = move
    cell.reply = reply
    cell.value = value
    cell.alpha = alpha
    cell.beta = beta
    cell.nodes = nodes
    cell.reply_depth = 0
    data: TTData
    pos.do_move(move, pos.gives_check(move))
    tt.probe(pos.st.key, cython.address(data))
    if data.hit:
        cell.reply_depth = max(0, data.depth)
        if (reply == NO_MOVE and data.move != NO_MOVE and pos.is_pseudo_legal(data.move)
                and pos.is_legal_move(data.move) and not pos.is_draw(1)):
            cell.reply = data.move
    pos.undo_move(move)


def read_ledger(ledger: cython.pointer[Ledger]) -> list:
    """Every cell as a tuple, with what it says of the search first, then of the move, then of its value."""
    cells: list = []
    index: cython.int
    for index in range(ledger.count):
        cell: cython.pointer[Cell] = ledger.cells + index
        cells.append((cell.iteration, cell.depth, cell.line, cell.window, cell.order, cell.move, cell.reply,
                      cell.reply_depth, cell.alpha, cell.beta, cell.value, cell.nodes))
    return cells
