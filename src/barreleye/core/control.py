"""When to stop: the flag every node looks at, the clock, the node limit. Others read a clock only to date a report."""
import cython
from cython.cimports.barreleye.core import params
from cython.cimports.barreleye.core.control import (
    ARMING_NODES, ARMING_STEP, CHECK_NODES, HURRIED_NODES, UNTIMED_NODES, Limits,
)
from cython.cimports.barreleye.core.platform import (
    clock_us, load_count, load_flag, load_flag_ordered, store_count, store_flag, store_flag_ordered,
)
from cython.cimports.barreleye.core.value import VALUE_INFINITE
from cython.cimports.libc.stdint import int64_t, uint64_t


class Control:
    """Shared by the workers of one search: whoever comes by first sees that a limit is reached, for all of them."""

    def __cinit__(self):
        self.multi_pv = 1
        self.forget()

    def forget(self) -> cython.void:
        """A new game: nothing is known from earlier searches."""
        self.previous_score = VALUE_INFINITE
        self.previous_average = VALUE_INFINITE
        self.previous_time_reduction = params.FIRST_TIME_REDUCTION / 1000.0
        index: cython.int
        for index in range(4):
            self.recent_scores[index] = VALUE_INFINITE

    def learn(self, score: cython.int, average: cython.int) -> cython.void:
        """A search has ended with this score, if with any: the next one of the game measures its time by it."""
        if score == -VALUE_INFINITE:
            return
        self.previous_score = score
        self.previous_average = average
        index: cython.int
        for index in range(4):
            self.recent_scores[index] = score

    def restart(self) -> cython.void:
        """Start the stopwatch of a new search."""
        self.start_us = clock_us()
        self.reported_us = 0
        self.counted_nodes = ~cython.cast(uint64_t, 0)
        store_count(cython.address(self.ponder_us), 0)
        store_count(cython.address(self.ponder_nodes), 0)
        store_flag(cython.address(self.stop), 0)
        store_flag(cython.address(self.stop_asked), 0)
        store_flag(cython.address(self.hurried), 0)
        store_flag(cython.address(self.armed), 0)
        store_flag_ordered(cython.address(self.stop_on_ponderhit), 0)

    def halt(self) -> cython.void:
        """End the search, but not before it has had time for a move to answer with."""
        # One thread asks and then looks whether the search is armed, another arms it and then looks whether a stop was
        # asked for. In order, so that at least one of them sees what the other has done.
        store_flag_ordered(cython.address(self.stop_asked), 1)
        if load_flag_ordered(cython.address(self.armed)):
            store_flag(cython.address(self.stop), 1)

    def arm(self) -> cython.void:
        """From now on the search may be stopped anywhere."""
        store_flag_ordered(cython.address(self.armed), 1)
        if load_flag_ordered(cython.address(self.stop_asked)):
            store_flag(cython.address(self.stop), 1)

    def request_stop(self) -> None:
        """End the search as soon as every node has seen it; from any thread, at any time."""
        store_flag(cython.address(self.hurried), 1)
        self.halt()

    def ponderhit(self) -> None:
        """The expected move was played: a fixed time for the move counts from now on, other budgets from the start."""
        store_count(cython.address(self.ponder_nodes), self.total_nodes())
        store_count(cython.address(self.ponder_us), cython.cast(uint64_t, self.elapsed_us()))
        store_flag(cython.address(self.pondering), 0)
        if load_flag(cython.address(self.stop_on_ponderhit)):
            self.request_stop()

    @property
    def stop_requested(self) -> bool:
        """Whether the search has been told to end."""
        return load_flag(cython.address(self.stop_asked)) != 0

    @property
    def is_pondering(self) -> bool:
        """Whether the opponent's clock is running."""
        return load_flag(cython.address(self.pondering)) != 0

    def elapsed_ms(self) -> int:
        """Wall time since the search began."""
        return self.wall_us() // 1000

    def total_nodes(self) -> uint64_t:
        """Nodes of all workers together."""
        total: uint64_t = 0
        index: cython.int
        for index in range(self.counter_count):
            total += load_count(self.counters[index])
        return total

    def total_hits(self) -> uint64_t:
        """Positions found in tablebases, of all workers together."""
        total: uint64_t = 0
        index: cython.int
        for index in range(self.counter_count):
            if self.hits[index] != cython.NULL:
                total += load_count(self.hits[index])
        return total

    def wall_us(self) -> int64_t:
        """Microseconds since the search began."""
        return clock_us() - self.start_us

    def is_slow(self) -> cython.bint:
        """Whether somebody listens and the search has gone on long enough to report more than whole iterations."""
        return self.listener is not None and self.wall_us() > params.REPORT_BOUNDS_US

    def elapsed_us(self) -> int64_t:
        """Time spent as the budget counts it: microseconds, or nodes turned into time under nodestime."""
        if self.nodes_per_ms:
            return cython.cast(int64_t, self.total_nodes()) * 1000 // self.nodes_per_ms
        return self.wall_us()

    def check(self) -> cython.int:
        """Set the stop flag when a limit is reached; returns how many nodes may pass before the next look."""
        limits: cython.pointer[Limits] = cython.address(self.limits)
        has_clock: cython.bint = self.uses_time or limits.move_time_ms != 0
        timed: cython.bint = has_clock and not load_flag(cython.address(self.pondering))
        interval: cython.int = CHECK_NODES if has_clock else UNTIMED_NODES
        if limits.nodes:
            total: uint64_t = self.total_nodes()
            if total >= limits.nodes:
                self.halt()
            else:
                # An equal part of the nodes left for each thread: together they do not pass the limit unseen.
                interval = cython.cast(cython.int, min(
                    max(1, (limits.nodes - total) // cython.cast(uint64_t, self.counter_count)), interval))
        if not load_flag(cython.address(self.armed)):
            hurried: cython.bint = timed or load_flag(cython.address(self.hurried)) != 0
            if self.total_nodes() >= cython.cast(uint64_t, HURRIED_NODES if hurried else ARMING_NODES):
                self.arm()
            interval = min(interval, ARMING_STEP)
        if not timed:
            return interval
        elapsed: int64_t = self.elapsed_us()
        if (limits.move_time_ms
                and elapsed - cython.cast(int64_t, load_count(cython.address(self.ponder_us))) >= self.maximum_us):
            self.halt()
        if self.uses_time and (elapsed > self.maximum_us or load_flag(cython.address(self.stop_on_ponderhit))):
            self.halt()
        return interval
