"""The threads of one engine: workers, their shared table, the vote on the best move.

`search` runs the main worker on the calling thread and each helper on a Python thread of its own; all of them spend
their time in one function without the GIL.
"""
import threading
from concurrent.futures import ThreadPoolExecutor

import cython
from cython.cimports.barreleye.core import params, techniques
from cython.cimports.barreleye.core.control import MAX_THREADS, Control, Limits
from cython.cimports.barreleye.core.driver import iterate
from cython.cimports.barreleye.core.evaluate.nnue import Network
from cython.cimports.barreleye.core.ledger import read_ledger
from cython.cimports.barreleye.core.move import NO_MOVE
from cython.cimports.barreleye.core.movegen import generate_legal
from cython.cimports.barreleye.core.platform import clock_us, store_flag, thread_us
from cython.cimports.barreleye.core.position import Position
from cython.cimports.barreleye.core.recorder import Recording
from cython.cimports.barreleye.core.report import SearchInfo, line_info, report_lines
from cython.cimports.barreleye.core.syzygy.probe import Tablebase
from cython.cimports.barreleye.core.syzygy.root import rank_root
from cython.cimports.barreleye.core.timeman import clock_of, set_budget
from cython.cimports.barreleye.core.tt import TranspositionTable, TTData
from cython.cimports.barreleye.core.tuning import use_params
from cython.cimports.barreleye.core.types import BLACK, MAX_MOVES, MAX_PLY, WHITE, Move
from cython.cimports.barreleye.core.value import VALUE_DRAW, VALUE_INFINITE, VALUE_MATE, is_loss, is_win
from cython.cimports.barreleye.core.worker import RootMove, Worker, shown_score
from cython.cimports.libc.stdint import int64_t
from cython.cimports.libc.string import memcpy, memset

from barreleye.core.machine import processors, start
from barreleye.core.techniques import DEFAULT_MASK, MATE_MASK, TECHNIQUES
from barreleye.core.tt import most_mb
from barreleye.core.worker import IS_TUNING_BUILD as IS_TUNING_BUILD

WORKER_MB = 14              # what a search thread needs
WHOLE_LINE_US = 1 << 40     # more than lengthening any line by the tables takes


class Pool:
    """Search threads that share a transposition table. One search at a time; stop from any thread."""

    def __cinit__(self, hash_mb: int = 16, threads: int = 1, network: Network = None):
        self.tt = TranspositionTable(hash_mb, threads)
        self.control = Control()
        self.workers = []
        self.enabled = DEFAULT_MASK
        self.params = {}
        self.network = network
        self.wake = threading.Event()
        self.set_tables(Tablebase([]))
        self.node_clock = -1
        self.set_threads(threads)

    # Settings, between searches

    def set_threads(self, threads: int) -> None:
        """Have so many search threads."""
        if not 1 <= threads <= MAX_THREADS:
            raise ValueError(f"Threads is {threads}, expected a number from 1 to {MAX_THREADS}")
        if threads > len(self.workers) and threads * WORKER_MB > most_mb(threads * WORKER_MB):
            raise MemoryError(f"not enough memory for {threads} search threads: choose fewer Threads")
        w: Worker
        added: list = []               # joined to the others only when there was memory for all
        while len(self.workers) + len(added) < threads:
            w = Worker(len(self.workers) + len(added), self.control, self.tt)
            w.set_network(self.network)
            w.keep_ledger()
            if self.params:
                w.set_params(self.params)
            added.append(w)
        clear_workers(added)
        self.workers = self.workers[:threads] + added
        self.control.counter_count = threads
        index: cython.int
        for index in range(threads):
            w = self.workers[index]
            self.control.counters[index] = cython.address(w.nodes)
            self.control.changes[index] = cython.address(w.best_move_changes)
            self.control.hits[index] = cython.address(w.tb_hits)

    def set_hash(self, size_mb: int) -> None:
        """Have a table of so many MiB."""
        self.tt.resize(size_mb, len(self.workers))

    def set_network(self, network: Network = None) -> None:
        """Evaluate by this network; None for the hand-written terms alone."""
        w: Worker
        for w in self.workers:
            w.set_network(network)
        self.network = network
        self.new_game()

    def set_multipv(self, lines: int) -> None:
        """Report so many lines."""
        self.control.multi_pv = max(1, min(lines, MAX_MOVES))

    def set_tables(self, tables: Tablebase, limit: int = 7, probe_depth: int = 1, rule50: bool = True) -> None:
        """Ask these tables about positions of up to limit men, in the tree from probe_depth on."""
        self.tables = tables
        self.tb_limit = limit
        self.tb_depth = probe_depth
        self.tb_rule50 = rule50

    def set_nodestime(self, nodes_per_ms: int) -> None:
        """Let the clock count nodes: so many for a millisecond, 0 for real time."""
        self.nodes_per_ms = nodes_per_ms
        self.node_clock = -1

    def switch(self, technique: int, on: bool) -> None:
        """Turn a technique on or off."""
        mask: cython.ulonglong = cython.cast(cython.ulonglong, 1) << cython.cast(cython.int, technique)
        changed: cython.ulonglong = self.enabled | mask if on else self.enabled & ~mask
        if changed != self.enabled:
            self.enabled = changed
            self.new_game()            # what one way of searching learned would colour the other

    def set_recordings(self, recordings: list = None) -> None:
        """Have what each search thread does written down in one of these from now on; None for no more of it."""
        w: Worker
        recording: Recording
        for w in self.workers:
            if w.recording is not None:
                recording = w.recording
                recording.seal()
            w.recorder = cython.NULL
            w.recording = None
            if recordings is not None:
                recording = recordings[w.index]
                w.recording = recording
                w.recorder = cython.address(recording.recorder)

    def set_params(self, changes: dict) -> None:
        """Search with these numbers of params.pxd and the defaults of all others, in a tuning build."""
        changes = dict(changes)
        w: Worker
        for w in self.workers:
            w.set_params(changes)
        if changes != self.params:
            self.params = changes
            self.new_game()

    def new_game(self) -> None:
        """Forget the table, the histories and what earlier searches said about time."""
        self.tt.clear(len(self.workers))
        clear_workers(self.workers)
        main: Worker = self.workers[0]
        before: cython.pointer[cython.const[cython.int]] = use_params(main.params)
        self.control.forget()
        use_params(before)
        self.node_clock = -1

    # From other threads

    def stop(self) -> None:
        """End the search now; it still returns its best move."""
        self.released = True
        self.control.request_stop()
        self.wake.set()

    def ponderhit(self) -> None:
        """The opponent played the expected move."""
        self.control.ponderhit()
        self.wake.set()

    def after_fork(self, was_searching: bool) -> None:
        """In a forked process: the other threads are gone, and with them the keys to the locks they held.

        Workers that were in the middle of a search stay so for good: others take their place.
        """
        self.wake = threading.Event()
        if was_searching:
            threads = len(self.workers)
            self.workers = []
            self.set_threads(threads)

    # Searching

    def search(self, position: Position, limits: dict, root_moves: list = None, on_info=None,
               overhead_ms: int = 10, ponder: bool = False) -> tuple:
        """Search until a limit or stop(). Returns (best move, ponder move, last SearchInfo) as 16-bit moves.

        limits has any of wtime, btime, winc, binc, movestogo, movetime (ms), depth, nodes, softnodes, mate, infinite,
        ponder. on_info is called with each SearchInfo.
        """
        self.prepare(position, limits, root_moves, overhead_ms, ponder)
        return self.run(on_info)

    def prepare(self, position: Position, limits: dict, root_moves: list = None, overhead_ms: int = 10,
                ponder: bool = False) -> None:
        """Take over what to search; run() does it, on any thread. From here on its clock runs and stop() reaches it."""
        control: Control = self.control
        main: Worker = self.workers[0]
        control.restart()
        self.set_limits(limits, position)
        self.tb_extend_us = 500 * overhead_ms
        before: cython.pointer[cython.const[cython.int]] = use_params(main.params)
        set_budget(control, position.side, position.game_ply, overhead_ms, ponder)
        use_params(before)
        store_flag(cython.address(control.pondering), 1 if limits.get("ponder") else 0)
        main.pos.reserve(cython.cast(cython.int, position.st - position.states) + MAX_PLY + 16)
        main.pos.copy_from(position)
        self.wanted = root_moves
        self.wake.clear()
        self.released = False

    def run(self, on_info=None, sparing: bool = False) -> tuple:
        """The search that was prepared; returns what search() does.

        sparing is for searches that a clock ends and that look for one line: it leaves out reports that soon follow the
        start or another, and the last one, because the result has it; is_untold says whether it is news.
        """
        control: Control = self.control
        control.listener = on_info
        control.is_heard = on_info is not None
        control.pause_us = params.REPORT_PAUSE_US if sparing and self.ends_by_clock() and control.multi_pv == 1 else 0
        self.tt.new_search()
        main: Worker = self.workers[0]
        w: Worker
        for w in self.workers:
            self.set_worker(w, main)
        self.is_untold = False
        self.winner = main
        if main.root_count == 0:
            info = self.no_moves(main)
            self.wait_for_release()
            return NO_MOVE, NO_MOVE, info

        running = []
        gate = threading.Lock()
        with gate:         # helpers that search already would use up the limit, and the time to start the others
            for w in self.workers[1:]:
                helper = threading.Thread(target=run_helper, args=(self, w, gate), daemon=True)
                try:
                    start(helper)
                except RuntimeError:       # the system gives no more threads: search with those there are
                    break
                running.append(helper)
        run_worker(self, main)
        self.wait_for_release()
        control.arm()
        control.request_stop()
        for helper in running:
            helper.join()
        answer = self.conclude(main)
        failure, control.failure = control.failure, None
        control.listener = None        # listeners tend to hold on to their engine
        if failure is not None:
            raise failure
        return answer

    def conclude(self, main: Worker) -> tuple:
        """After all threads have ended: the winner's move, its line if there is news of it, the node clock set."""
        best: Worker = self.vote()
        self.winner = best
        control: Control = self.control
        control.learn(best.order[0].score, best.order[0].average_score)
        # Nodes on the opponent's clock are free; when the expected move was not played, all of them were.
        if self.nodes_per_ms and control.uses_time and not control.is_pondering:
            side: cython.int = clock_of(main.pos.side, control.limits.has_clock)
            self.node_clock += control.limits.increment_ms[side] * self.nodes_per_ms
            self.node_clock -= control.total_nodes() - control.ponder_nodes
            self.node_clock = max(0, self.node_clock)
        lines: cython.int = min(control.multi_pv, best.root_count)
        depth: cython.int = max(1, best.line_depth)
        if lines > 1 and not best.root_in_tables and best.root_depth > best.completed_depth:
            best.sort_lines()              # an interrupted iteration leaves lines of two iterations
        while lines > 1 and shown_score(best.order[lines - 1]) == -VALUE_INFINITE:
            lines -= 1                     # the first one was interrupted: nothing is known of these
        # Say nothing twice; but lines may now be lengthened by the tables.
        is_news: cython.bint = best.nodes != best.reported_nodes
        if self.tables.cardinality != 0:
            told = [line_info(best, index, depth).pv for index in range(lines)]
            if best.tb_extend_us == 0:
                best.tb_extend_us = self.tb_extend_us
            is_news = is_news or told != [line_info(best, index, depth).pv for index in range(lines)]
        self.is_untold = is_news and control.pause_us != 0
        if is_news and not self.is_untold:
            report_lines(best, depth, lines)
        return best.order[0].move, self.ponder_move(best), line_info(best, 0, depth)

    def wait_for_release(self) -> None:
        """While pondering or analysing without end, the answer waits for stop or ponderhit, whatever was reached."""
        while not self.released and (self.control.is_pondering or self.control.limits.infinite):
            self.wake.wait(0.05)
            self.wake.clear()

    def ends_by_clock(self) -> cython.bint:
        """Whether real time decides how long the search goes on, and not the depth it reaches."""
        limits: cython.pointer[Limits] = cython.address(self.control.limits)
        return ((self.control.uses_time or limits.move_time_ms != 0) and not limits.infinite and not limits.depth
                and not self.nodes_per_ms)

    def no_moves(self, main: Worker) -> SearchInfo:
        """The report on a position that is mate or stalemate already."""
        info: SearchInfo = SearchInfo.__new__(SearchInfo)
        info.score = -VALUE_MATE if main.pos.st.checkers else VALUE_DRAW
        info.multipv = 1
        info.pv = []
        if self.control.listener is not None:
            self.control.listener(info)
            self.control.listener = None
        return info

    def set_limits(self, limits: dict, position: Position) -> cython.int:
        """Copy what `go` asked for to where the search can read it without Python."""
        to: cython.pointer[Limits] = cython.address(self.control.limits)
        memset(to, 0, cython.sizeof(Limits))
        to.has_clock[WHITE] = "wtime" in limits
        to.has_clock[BLACK] = "btime" in limits
        to.time_ms[WHITE] = limits.get("wtime", 0)
        to.time_ms[BLACK] = limits.get("btime", 0)
        to.increment_ms[WHITE] = limits.get("winc", 0)
        to.increment_ms[BLACK] = limits.get("binc", 0)
        to.moves_to_go = limits.get("movestogo", 0)
        to.depth = min(limits.get("depth", 0), MAX_PLY)
        to.mate = min(limits.get("mate", 0), MAX_PLY)
        to.move_time_ms = limits.get("movetime", 0)
        to.nodes = limits.get("nodes", 0)
        to.soft_nodes = limits.get("softnodes", 0)
        to.infinite = bool(limits.get("infinite"))
        self.control.nodes_per_ms = self.nodes_per_ms
        us: cython.int = clock_of(position.side, to.has_clock)
        if self.nodes_per_ms and to.has_clock[us]:
            # The clock is kept in nodes; what the GUI says of time matters at the first move and at each new control.
            if self.node_clock < 0 or (to.moves_to_go and to.moves_to_go >= self.moves_to_go):
                self.node_clock = to.time_ms[us] * self.nodes_per_ms
            self.moves_to_go = to.moves_to_go
            to.time_ms[us] = self.node_clock // self.nodes_per_ms
        return 0

    def set_worker(self, w: Worker, main: Worker) -> cython.int:
        """Make a worker ready to search; the others take over what the main one, which comes first, has found out."""
        if w is not main:
            w.pos.reserve(cython.cast(cython.int, main.pos.st - main.pos.states) + MAX_PLY + 16)
            w.pos.copy_from(main.pos)
        w.pos.reserve(MAX_PLY + 16)
        w.enabled = self.enabled & MATE_MASK if self.control.limits.mate else self.enabled
        w.prepare()
        w.tables = self.tables
        w.tb_probe_depth = self.tb_depth
        w.tb_rule50 = self.tb_rule50
        w.tb_extend_us = 0
        if w is main:
            self.set_root_moves(w)
            self.ask_tables(w)
        else:
            self.share_root_moves(w, main)
        return 0

    def set_root_moves(self, w: Worker) -> cython.int:
        """List the moves the search may choose from: all legal ones, or those of searchmoves."""
        moves: Move[MAX_MOVES]
        end: cython.pointer[Move] = generate_legal(w.pos, moves)
        move: cython.pointer[Move] = moves
        while move < end:
            if self.wanted is None or move[0] in self.wanted:
                w.allow(move[0])
            move += 1
        return 0

    def ask_tables(self, w: Worker) -> cython.int:
        """Let the tables rank a worker's root moves. With a clock only the last line is lengthened.

        What a limit in nodes or depth ends must not depend on time: its lines are lengthened as far as they go.
        """
        if self.tables.cardinality:
            if not self.control.uses_time and not self.control.limits.move_time_ms:
                before: cython.pointer[cython.const[cython.int]] = use_params(w.params)
                w.tb_extend_us = params.EXTEND_LINE_US
                use_params(before)
                if self.control.limits.nodes or self.control.limits.depth:
                    w.tb_extend_us = WHOLE_LINE_US
            rank_root(w, self.tb_limit)
        return 0

    def share_root_moves(self, w: Worker, main: Worker) -> cython.void:
        """Give a worker the root moves of the main one, in the order that the tables gave them."""
        index: cython.int
        memcpy(w.root_moves, main.root_moves, main.root_count * cython.sizeof(RootMove))
        for index in range(main.root_count):
            w.order[index] = w.root_moves + (main.order[index] - main.root_moves)
        w.root_count = main.root_count
        w.root_in_tables = main.root_in_tables
        w.tb_cardinality = main.tb_cardinality
        w.tb_extend_us = main.tb_extend_us

    def vote(self) -> Worker:
        """The worker to believe: moves gather votes by score and depth; a proven win or loss outweighs them."""
        w: Worker
        finished = [w for w in self.workers if (cython.cast(Worker, w)).completed_depth > 0]
        if not finished:
            return self.workers[0]
        best: Worker = finished[0]     # the main worker, unless it has nothing to say yet
        if len(finished) == 1 or self.control.limits.depth or self.control.multi_pv > 1:
            return best
        lowest: cython.int = min([(cython.cast(Worker, w)).order[0].score for w in finished])
        votes: dict = {}
        for w in finished:
            votes[w.order[0].move] = votes.get(w.order[0].move, 0) + weight(w, lowest)
        for w in finished:
            score: cython.int = w.order[0].score
            top: cython.int = best.order[0].score
            if is_win(top):
                if score > top:
                    best = w
            elif is_loss(top) and best.completed_depth > 0:
                if not is_loss(score) or score < top:      # no loss after all, or a proof of it to prepare for
                    best = w
            elif is_win(score) or (not is_loss(score) and (votes[w.order[0].move], weight(w, lowest))
                                   > (votes[best.order[0].move], weight(best, lowest))):
                best = w                                   # of those with the same move, who looked deepest
        return best

    def ponder_move(self, best: Worker) -> Move:
        """The reply we expect: the line's second move, or what the table knows after the first."""
        if best.order[0].pv_length > 1:
            return best.order[0].pv[1]
        data: TTData
        move: Move = best.order[0].move
        reply: Move = NO_MOVE
        best.pos.do_move(move, best.pos.gives_check(move))
        self.tt.probe(best.pos.st.key, cython.address(data))
        if data.hit and data.move != NO_MOVE and best.pos.is_pseudo_legal(data.move) \
                and best.pos.is_legal_move(data.move) and not best.pos.is_draw(1):
            reply = data.move
        best.pos.undo_move(move)
        return reply

    # What the search did

    @property
    def nodes(self) -> int:
        """Nodes of the running or last search."""
        return self.control.total_nodes()

    def time_nodes(self, on: bool = True) -> None:
        """Whether to keep `times`, which costs two microseconds a search and as much a report."""
        self.control.is_timed = on

    def times(self) -> dict:
        """What timed searches took, in microseconds: processor time in the nodes of all of them, and when the last

        search began its first node and ended its last, by the clock that never goes back.
        """
        return {"nodes": self.node_us, "first": self.control.first_us, "last": self.control.last_us}

    def ledger(self) -> dict:
        """What the last search's winner wrote down about the root moves; barreleye.ledger makes objects of it."""
        w: Worker = self.winner
        if w is None:
            return {}
        return {"fen": w.pos.fen(w.pos.chess960), "chess960": w.pos.chess960, "depth": w.completed_depth,
                "best": w.order[0].move if w.root_count else NO_MOVE, "nodes": w.nodes,
                "complete": not w.ledger.is_full, "cells": read_ledger(w.ledger)}

    def stats(self) -> dict:
        """Counters of the last search, summed over the threads."""
        total: dict = {"nodes": 0, "tt_probes": 0, "tt_hits": 0, "main_nodes": 0, "quiescence_nodes": 0,
                       "beta_cutoffs": 0, "first_move_cutoffs": 0, "evaluations": 0, "tbhits": 0, "depth": 0}
        tried: list = [0] * len(TECHNIQUES)
        succeeded: list = [0] * len(TECHNIQUES)
        researched: list = [0] * len(TECHNIQUES)
        w: Worker
        index: cython.int
        for w in self.workers:
            total["nodes"] += w.nodes
            total["tt_probes"] += w.counters.tt_probes
            total["tt_hits"] += w.counters.tt_hits
            total["main_nodes"] += w.counters.main_nodes
            total["quiescence_nodes"] += w.counters.quiescence_nodes
            total["beta_cutoffs"] += w.counters.beta_cutoffs
            total["first_move_cutoffs"] += w.counters.first_move_cutoffs
            total["evaluations"] += w.counters.evaluations
            total["tbhits"] += w.tb_hits
            if w.index == 0:
                total["depth"] = w.completed_depth
            for index in range(cython.cast(cython.int, techniques.TECHNIQUE_COUNT)):
                tried[index] += w.counters.tried[index]
                succeeded[index] += w.counters.succeeded[index]
                researched[index] += w.counters.researched[index]
        total["techniques"] = {technique.name: {"enabled": bool(self.enabled >> number & 1), "tried": tried[number],
                                                "succeeded": succeeded[number], "researched": researched[number]}
                               for number, technique in enumerate(TECHNIQUES)}
        return total


def weight(w: Worker, lowest: int) -> int:
    """What a worker's vote counts: more for a better score, and for one from a deeper search."""
    before: cython.pointer[cython.const[cython.int]] = use_params(w.params)
    base: cython.int = params.VOTE_BASE
    use_params(before)
    return (w.order[0].score - lowest + base) * w.completed_depth


def run_worker(pool: Pool, w: Worker) -> None:
    """One thread's search, without the GIL from end to end."""
    control: Control = w.control
    if not control.is_timed:
        with cython.nogil:
            iterate(w)
        return
    used_us: int64_t
    with cython.nogil:
        used_us = -thread_us()
        if w.index == 0:
            control.told_us = 0
            control.first_us = clock_us()
        iterate(w)
        used_us += thread_us()
        if w.index == 0:
            control.last_us = clock_us()
            used_us -= control.told_us
    pool.node_us += used_us


def run_helper(pool: Pool, w: Worker, gate: object) -> None:
    """A helper's search, from the moment at which the main worker begins."""
    with gate:
        pass
    run_worker(pool, w)


def clear_workers(workers: list) -> None:
    """Forget what workers learned, on all processors: what is cleared for the first time has to be found first."""
    if len(workers) < 2:
        for w in workers:
            clear_worker(w)
        return
    with ThreadPoolExecutor(min(len(workers), processors())) as threads:
        list(threads.map(clear_worker, workers))


def clear_worker(w: Worker) -> None:
    """Forget what a worker learned."""
    with cython.nogil:
        w.clear()
