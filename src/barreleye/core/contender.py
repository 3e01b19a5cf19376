"""One engine in games that are played without Python: a worker with a table of its own, which thinks when told to.

Self-play lets one of them play both sides, a duel lets two of them play each other.
"""
import cython
from cython.cimports.barreleye.core.control import Control, Limits
from cython.cimports.barreleye.core.driver import iterate
from cython.cimports.barreleye.core.evaluate.nnue import Network
from cython.cimports.barreleye.core.movegen import generate_legal
from cython.cimports.barreleye.core.position import Position
from cython.cimports.barreleye.core.tt import GENERATION_STEP, TranspositionTable
from cython.cimports.barreleye.core.types import MAX_MOVES, MAX_PLY, Move
from cython.cimports.barreleye.core.worker import Worker
from cython.cimports.libc.stdint import uint64_t
from cython.cimports.libc.string import memset

from barreleye.core.techniques import DEFAULT_MASK


class Contender:
    """A worker, its table and its limits. One thread at a time may use it."""

    def __cinit__(self, hash_mb: int = 8):
        self.tt = TranspositionTable(hash_mb)
        self.control = Control()
        self.worker = Worker(0, self.control, self.tt)
        self.worker.enabled = DEFAULT_MASK
        self.control.counter_count = 1
        self.control.counters[0] = cython.address(self.worker.nodes)
        self.control.changes[0] = cython.address(self.worker.best_move_changes)

    def use_network(self, network: Network = None) -> None:
        """Evaluate by this network."""
        self.worker.set_network(network)

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

    def think(self, soft: uint64_t, hard: uint64_t) -> cython.int:
        """Search the present position; the score for the side to move, the best move first among the root moves."""
        moves: Move[MAX_MOVES]
        limits: cython.pointer[Limits] = cython.address(self.control.limits)
        memset(limits, 0, cython.sizeof(Limits))
        limits.soft_nodes = soft
        limits.noisy_nodes = min(self.noisy_nodes, soft)
        limits.nodes = hard
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
        return self.worker.order[0].score
