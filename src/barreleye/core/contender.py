"""One engine in games that are played without Python: a worker with a table of its own, which thinks when told to.

Self-play lets one of them play both sides, a duel lets two of them play each other.
"""
import cython
from cython.cimports.barreleye.core.chance import chance_of, choose_line
from cython.cimports.barreleye.core.contender import (
    CHECKMATE, DEAD_POSITION, FIFTY_MOVES, GOES_ON, REPETITION, STALEMATE, TABLES, Ending,
)
from cython.cimports.barreleye.core.control import Control, Limits
from cython.cimports.barreleye.core.driver import iterate
from cython.cimports.barreleye.core.evaluate.nnue import Network
from cython.cimports.barreleye.core.movegen import generate_legal
from cython.cimports.barreleye.core.position import Position
from cython.cimports.barreleye.core.syzygy.decode import FAILED, Status
from cython.cimports.barreleye.core.syzygy.probe import WDL_WIN, Tablebase, probe_wdl
from cython.cimports.barreleye.core.timeman import set_budget
from cython.cimports.barreleye.core.tt import GENERATION_STEP, TranspositionTable
from cython.cimports.barreleye.core.tuning import use_params
from cython.cimports.barreleye.core.types import MAX_MOVES, MAX_PLY, WHITE, Move
from cython.cimports.barreleye.core.value import DRAW_SHAKE, VALUE_DRAW, VALUE_INFINITE
from cython.cimports.barreleye.core.worker import Worker, shown_score
from cython.cimports.libc.stdint import uint64_t
from cython.cimports.libc.string import memset

from barreleye.core.techniques import DEFAULT_MASK


class Contender:
    """A worker, its table and its limits. One thread at a time may use it."""

    def __cinit__(self, hash_mb: int = 8):
        self.tt = TranspositionTable(hash_mb)
        self.control = Control()
        self.worker = Worker(0, self.control, self.tt)
        self.worker.clear()
        self.worker.enabled = DEFAULT_MASK
        self.control.counter_count = 1
        self.control.counters[0] = cython.address(self.worker.nodes)
        self.control.changes[0] = cython.address(self.worker.best_move_changes)
        self.soft_nodes = 5000
        self.hard_nodes = 10000

    def use_network(self, network: Network = None) -> None:
        """Evaluate by this network."""
        self.worker.set_network(network)

    def switch(self, technique: int, on: bool) -> None:
        """Turn a technique on or off."""
        mask: uint64_t = cython.cast(uint64_t, 1) << cython.cast(cython.int, technique)
        self.worker.enabled = self.worker.enabled | mask if on else self.worker.enabled & ~mask

    def set_params(self, params: dict) -> None:
        """Search with these parameters and the defaults of all others; only in a tuning build."""
        self.worker.set_params(params)

    def use_level(self, lines: int, spread: float) -> None:
        """Play below full strength: look at so many lines and choose one, by chance drawn from the seed."""
        if not 1 <= lines <= MAX_MOVES or spread <= 0:
            raise ValueError(f"a level looks at 1 to {MAX_MOVES} lines, with a spread above 0, not {lines}, {spread}")
        self.lines = self.control.multi_pv = lines
        self.spread = spread

    def use_clock(self, base_ms: int, increment_ms: int, nodes_per_ms: int) -> None:
        """Have a clock instead of a number of nodes for each move; it counts nodes, so many to a millisecond."""
        if not (base_ms > 0 and increment_ms >= 0 and nodes_per_ms > 0):
            raise ValueError(f"a clock needs time and nodes to a millisecond, not {base_ms}, {nodes_per_ms}")
        self.control.nodes_per_ms = nodes_per_ms
        self.clock_base = base_ms * nodes_per_ms
        self.increment_ms = increment_ms

    def take_up(self, start: Position, plies: cython.int) -> cython.int:
        """Stand where a game begins, with room for so many plies of it."""
        pos: Position = self.worker.pos
        pos.reserve(cython.cast(cython.int, start.st - start.states) + MAX_PLY)
        pos.copy_from(start)
        pos.reserve(plies + MAX_PLY + 16)
        return 0

    def forget(self) -> cython.void:
        """Know nothing of earlier games."""
        self.worker.clear()
        self.tt.wipe(0, self.tt.cluster_count)
        self.tt.generation = 0
        self.clock_left = self.clock_base
        before: cython.pointer[cython.const[cython.int]] = use_params(self.worker.params)
        self.control.forget()
        use_params(before)

    def think(self, soft: uint64_t, hard: uint64_t) -> cython.int:
        """Search the present position; the score for the side to move, the best move first among the root moves."""
        limits: cython.pointer[Limits] = cython.address(self.control.limits)
        memset(limits, 0, cython.sizeof(Limits))
        limits.soft_nodes = soft
        limits.noisy_nodes = min(self.noisy_nodes, soft)
        limits.nodes = hard
        return self.search()

    def think_by_clock(self) -> cython.int:
        """Search as long as the clock suggests, and pay for it; a clock that has run out stands at zero."""
        limits: cython.pointer[Limits] = cython.address(self.control.limits)
        side: cython.int = self.worker.pos.side
        memset(limits, 0, cython.sizeof(Limits))
        limits.has_clock[side] = True
        limits.time_ms[side] = self.clock_left // self.control.nodes_per_ms
        limits.increment_ms[side] = self.increment_ms
        before: cython.pointer[cython.const[cython.int]] = use_params(self.worker.params)
        set_budget(self.control, side, self.worker.pos.game_ply, 0, False)
        use_params(before)
        score: cython.int = self.search()
        spent: cython.longlong = self.worker.nodes
        self.clock_left = max(0, self.clock_left + self.increment_ms * self.control.nodes_per_ms - spent)
        self.control.learn(self.worker.order[0].score, self.worker.order[0].average_score)
        return score

    def search(self) -> cython.int:
        """Search within the limits that stand."""
        moves: Move[MAX_MOVES]
        self.control.restart()
        self.tt.generation += GENERATION_STEP
        self.worker.prepare()
        end: cython.pointer[Move] = generate_legal(self.worker.pos, moves)
        move: cython.pointer[Move] = moves
        while move < end:
            self.worker.allow(move[0])
            move += 1
        iterate(self.worker)
        self.nodes += self.worker.nodes
        return self.worker.root_score()

    def find_move(self, move: cython.pointer[Move]) -> cython.int:
        """Think by its own limits and decide on a move; the score of its line for the side to move."""
        score: cython.int = (self.think_by_clock() if self.clock_base
                             else self.think(self.soft_nodes, self.hard_nodes))
        if self.lines == 0:
            move[0] = self.worker.order[0].move
            return score
        scores: cython.int[MAX_MOVES]
        count: cython.int = min(self.lines, self.worker.root_count)
        index: cython.int
        self.worker.sort_lines()           # an interrupted iteration leaves lines of two iterations
        while count > 1 and shown_score(self.worker.order[count - 1]) == -VALUE_INFINITE:
            count -= 1                     # the first iteration was interrupted: nothing is known of these
        for index in range(count):
            scores[index] = shown_score(self.worker.order[index])
            if abs(scores[index]) <= DRAW_SHAKE:
                scores[index] = VALUE_DRAW
        index = choose_line(scores, count, self.spread,
                            chance_of(self.seed, self.worker.pos.st.key, self.worker.pos.game_ply))
        move[0] = self.worker.order[index].move
        return scores[index]


def ruled(pos: Position, tables: Tablebase, ending: cython.pointer[Ending]) -> cython.int:
    """What the rules or the tablebases say of a game that stands here: white's half points, or -1 while it goes on."""
    ending[0] = GOES_ON
    if not pos.has_legal_moves():
        ending[0] = CHECKMATE if pos.st.checkers else STALEMATE
        return 1 if not pos.st.checkers else 0 if pos.side == WHITE else 2
    status: Status
    if pos.st.rule50 == 0:
        wdl: cython.int = probe_wdl(tables, pos, cython.address(status))
        if status != FAILED:
            # A win that the fifty-move rule spoils is a draw.
            ending[0] = TABLES
            return 1 if abs(wdl) < WDL_WIN else 2 if (wdl > 0) == (pos.side == WHITE) else 0
    if pos.st.rule50 > 99:
        ending[0] = FIFTY_MOVES
    elif pos.st.repetition < 0:
        ending[0] = REPETITION
    elif pos.is_dead():
        ending[0] = DEAD_POSITION
    return -1 if ending[0] == GOES_ON else 1
