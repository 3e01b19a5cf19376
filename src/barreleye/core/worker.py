"""One search thread: its board, stack, histories, counters and root moves. Everything a node touches hangs here."""
import cython
from cython.cimports.barreleye.core import params, techniques
from cython.cimports.barreleye.core.bitboard import expect, more_than_one
from cython.cimports.barreleye.core.control import Control
from cython.cimports.barreleye.core.decision import tally
from cython.cimports.barreleye.core.evaluate.classical import (
    clear_eval_cache, evaluate_classical, evaluate_fast, free_eval_cache, new_eval_cache,
)
from cython.cimports.barreleye.core.evaluate.nnue import Accumulators, Network
from cython.cimports.barreleye.core.harvest import offer
from cython.cimports.barreleye.core.history import Histories, clear_histories, forget_low_plies
from cython.cimports.barreleye.core.ledger import free_ledger, new_ledger
from cython.cimports.barreleye.core.move import NO_MOVE
from cython.cimports.barreleye.core.platform import alloc_aligned, free_aligned
from cython.cimports.barreleye.core.position import Position
from cython.cimports.barreleye.core.syzygy.probe import Tablebase
from cython.cimports.barreleye.core.techniques import Counters
from cython.cimports.barreleye.core.tt import TranspositionTable
from cython.cimports.barreleye.core.tuning import TUNING, use_params
from cython.cimports.barreleye.core.types import BLACK, MAX_MOVES, WHITE, Move
from cython.cimports.barreleye.core.value import VALUE_DRAW, VALUE_INFINITE, VALUE_NONE, as_evaluation
from cython.cimports.barreleye.core.worker import (
    REDUCTIONS, STACK_BELOW, STACK_SIZE, Frame, RootMove, shown_score, uses,
)
from cython.cimports.libc.math import log
from cython.cimports.libc.stdlib import calloc, free
from cython.cimports.libc.string import memset

from barreleye.core.parameters import numbers

IS_TUNING_BUILD = bool(TUNING)


class Worker:
    """The state of one search thread. A pool makes it; driver and search use it.

    Whoever makes a worker clears it before it searches: its tables are several megabytes, which a thread each fills.
    """

    def __cinit__(self, index: int, control: Control, tt: TranspositionTable):
        self.index = index
        self.control = control
        self.tt = tt
        self.pos = Position()
        self.tables = Tablebase([])
        self.histories = cython.cast(cython.pointer[Histories], alloc_aligned(cython.sizeof(Histories)))
        self.eval_cache = new_eval_cache()
        self.stack = cython.cast(cython.pointer[Frame], calloc(STACK_SIZE, cython.sizeof(Frame)))
        self.root_moves = cython.cast(cython.pointer[RootMove], calloc(MAX_MOVES, cython.sizeof(RootMove)))
        if (self.histories == cython.NULL or self.eval_cache == cython.NULL or self.stack == cython.NULL
                or self.root_moves == cython.NULL):
            raise MemoryError("not enough memory for another search thread: choose fewer Threads")
        self.enabled = ~cython.cast(cython.ulonglong, 0)
        number: cython.int
        for number in range(STACK_SIZE):
            frame: cython.pointer[Frame] = self.stack + number
            frame.ply = number - STACK_BELOW
            frame.static_eval = VALUE_NONE
            frame.continuation = cython.address(self.histories.continuation[0][0][0][0])
            frame.continuation_correction = cython.address(self.histories.continuation_correction[0][0])
        self.set_reductions()

    def __dealloc__(self):
        free_aligned(self.histories)
        if self.eval_cache != cython.NULL:
            free_eval_cache(self.eval_cache)
        free(self.stack)
        free(self.root_moves)
        free(self.params)
        free_ledger(self.ledger)

    def set_network(self, network: Network) -> cython.int:
        """Evaluate by this network, or by hand-written terms alone if there is none."""
        self.accumulators = None if network is None else Accumulators(network)
        self.has_network = network is not None
        return 0

    def keep_ledger(self) -> cython.int:
        """Write down from now on what each search finds out about its root moves."""
        if self.ledger == cython.NULL:
            self.ledger = new_ledger()
            if self.ledger == cython.NULL:
                raise MemoryError("not enough memory for another search thread: choose fewer Threads")
        return 0

    def set_params(self, changes: dict) -> None:
        """Search with these parameters and the defaults of all others; what was learned with others is forgotten."""
        if changes and not TUNING:
            raise ValueError("this is not a tuning build: build with BARRELEYE_TUNE=1")
        values: list = numbers(changes) if changes else []
        chosen: cython.p_int = cython.NULL
        if changes:
            chosen = cython.cast(cython.p_int, calloc(len(values), cython.sizeof(cython.int)))
            if chosen == cython.NULL:
                raise MemoryError("not enough memory for the parameters of another search thread")
        index: cython.int
        for index in range(len(values)):
            chosen[index] = values[index]
        free(self.params)
        self.params = chosen
        self.set_reductions()
        self.clear()

    def set_reductions(self) -> cython.void:
        """Fill the table of logarithms behind late-move reductions."""
        before: cython.pointer[cython.const[cython.int]] = use_params(self.params)
        number: cython.int
        self.reductions[0] = 0
        for number in range(1, REDUCTIONS):
            self.reductions[number] = cython.cast(cython.int, params.LMR_TABLE_SCALE / 128.0 * log(number))
        use_params(before)

    def clear(self) -> cython.void:
        """Forget all that was learned: a new game."""
        before: cython.pointer[cython.const[cython.int]] = use_params(self.params)
        clear_histories(self.histories)
        clear_eval_cache(self.eval_cache)
        use_params(before)

    def prepare(self) -> cython.void:
        """Make stack and counters ready for a new search."""
        before: cython.pointer[cython.const[cython.int]] = use_params(self.params)
        ply: cython.int
        # Frames below the root are never written, and a node makes its own and its grandchildren's ready: what is left
        # is what no grandparent has cleared. A short search would spend more on clearing the stack than on a node.
        for ply in range(2):
            frame: cython.pointer[Frame] = self.stack + STACK_BELOW + ply
            frame.killers[0] = NO_MOVE
            frame.killers[1] = NO_MOVE
            frame.cutoffs = 0
        forget_low_plies(self.histories)
        memset(cython.address(self.counters), 0, cython.sizeof(Counters))
        self.nodes = 0
        self.best_move_changes = 0
        self.tb_hits = 0
        self.tb_cardinality = 0
        self.root_in_tables = False
        self.root_depth = 0
        self.completed_depth = 0
        self.line_depth = 0
        self.reported_nodes = ~cython.cast(cython.ulonglong, 0)       # nothing yet, not even that there is nothing
        self.sel_depth = 0
        self.null_min_ply = 0
        self.check_at = 0
        self.root_count = 0
        if self.ledger != cython.NULL:
            self.ledger.count = 0
            self.ledger.is_full = False
        use_params(before)

    def allow(self, move: Move) -> cython.void:
        """List a legal move among those the search may choose from."""
        root_move: cython.pointer[RootMove] = self.root_moves + self.root_count
        root_move.move = move
        root_move.pv[0] = move
        root_move.pv_length = 1
        root_move.extended = False
        root_move.score_lowerbound = root_move.score_upperbound = False
        root_move.sel_depth = 0
        root_move.tb_rank = 0
        root_move.tb_score = 0
        root_move.effort = 0
        root_move.score = root_move.previous_score = root_move.average_score = -VALUE_INFINITE
        root_move.uci_score = -VALUE_INFINITE
        root_move.mean_squared_score = -VALUE_INFINITE * VALUE_INFINITE
        self.order[self.root_count] = root_move
        self.root_count += 1

    def evaluate(self) -> cython.int:
        """The evaluation of the worker's position, for the side to move; fading as the fifty-move limit nears."""
        expect(self.pos.st.checkers == 0)
        self.counters.evaluations += 1
        value: cython.int
        # Endings against a lone king are known better than a network learns them.
        if (self.has_network and uses(self, techniques.NNUE) and more_than_one(self.pos.by_color[WHITE])
                and more_than_one(self.pos.by_color[BLACK])):
            tally(self, techniques.NNUE, False)
            value = self.accumulators.evaluate(self.pos)
        elif uses(self, techniques.POSITIONAL_TERMS):
            tally(self, techniques.POSITIONAL_TERMS, False)
            value = evaluate_classical(self.pos, self.eval_cache)
        else:
            value = evaluate_fast(self.pos)
        if uses(self, techniques.RULE50_DAMPING) and self.pos.st.rule50:
            tally(self, techniques.RULE50_DAMPING, False)
            value -= value * self.pos.st.rule50 // params.RULE50_DIVISOR
        if self.harvest != cython.NULL:
            offer(self.harvest, self.pos, value)
        return as_evaluation(value)

    def root_score(self) -> cython.int:
        """What the best root move is worth; if the search ended before any was searched, the evaluation."""
        if self.order[0].score != -VALUE_INFINITE:
            return self.order[0].score
        return VALUE_DRAW if self.pos.st.checkers else self.evaluate()

    def sort_root_moves(self, first: cython.int, last: cython.int) -> cython.void:
        """Stable insertion sort, best score first; equal scores by the iteration before."""
        index: cython.int
        for index in range(first + 1, last):
            moved: cython.pointer[RootMove] = self.order[index]
            slot: cython.int = index
            while slot > first and (self.order[slot - 1].score < moved.score
                                    or (self.order[slot - 1].score == moved.score
                                        and self.order[slot - 1].previous_score < moved.previous_score)):
                self.order[slot] = self.order[slot - 1]
                slot -= 1
            self.order[slot] = moved

    def sort_lines(self) -> cython.void:
        """All root moves by what a report shows of them, best first."""
        index: cython.int
        for index in range(1, self.root_count):
            moved: cython.pointer[RootMove] = self.order[index]
            slot: cython.int = index
            while slot > 0 and shown_score(self.order[slot - 1]) < shown_score(moved):
                self.order[slot] = self.order[slot - 1]
                slot -= 1
            self.order[slot] = moved

    def find_root_move(self, move: Move) -> cython.pointer[RootMove]:
        """The record of a root move among the lines being searched, or NULL."""
        index: cython.int
        for index in range(self.pv_index, self.pv_last):
            if self.order[index].move == move:
                return self.order[index]
        return cython.NULL
