"""One search in the background: what it may use up, the thread it runs on, what it decided."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any

from barreleye.core.notation import move_name
from barreleye.core.pool import Pool
from barreleye.core.position import Position
from barreleye.core.report import SearchInfo
from barreleye.levels import Handicap

Limits = dict[str, Any]
ENDING_LIMITS = {"wtime", "btime", "movetime", "depth", "nodes", "softnodes", "mate"}
KNOWN_LIMITS = ENDING_LIMITS | {"winc", "binc", "movestogo", "infinite", "ponder"}
PATIENCE_S = 0.05      # how long a wait may be deaf to Ctrl-C where the system cannot interrupt it


@dataclass(frozen=True, slots=True)
class Result:
    """What a search decided, moves as UCI text; best_move is None when there is no legal move."""

    best_move: str | None
    ponder: str | None
    info: SearchInfo
    nodes: int


def check_limits(limits: Limits) -> Limits:
    """The limits of a search, whole and possible; ValueError names what is not."""
    for name, value in limits.items():
        if name not in KNOWN_LIMITS:
            raise ValueError(f"no such limit: {name}; there are {', '.join(sorted(KNOWN_LIMITS))}")
        least = 1 if name in ("depth", "nodes", "softnodes", "mate", "movetime") else 0
        if name not in ("infinite", "ponder") and not least <= value <= 1 << 62:
            raise ValueError(f"{name} is {value}, expected at least {least}")
    return dict(limits)


class Search:
    """One search on a thread of its own. The thread holds the pool, not the searcher, so that this can be freed."""

    def __init__(self, pool: Pool, board: Position, handicap: Handicap | None = None, *,
                 on_info: Callable[[SearchInfo], None] | None = None,
                 on_done: Callable[[Result], None] | None = None,
                 on_error: Callable[[BaseException], None] | None = None,
                 afterwards: Callable[[], Callable[[], None] | None] = lambda: None, **arguments: Any) -> None:
        self.pool = pool
        self.board = board
        self.future: Future[Result] = Future()
        self.is_busy = True                    # the pool is in use
        self._arguments = arguments            # of Pool.search, beside the board
        self._handicap = handicap
        self._on_info = on_info
        self._on_done = on_done
        self._on_error = on_error
        self._afterwards = afterwards
        self._busy_lock = threading.RLock()        # a collected engine stops its search wherever it is collected
        self._started = threading.Event()
        self._ended = threading.Event()        # not Thread.join: Ctrl-C in it makes Python take the thread for ended
        self._process = os.getpid()
        self._thread = threading.Thread(target=self._run, name="barreleye search", daemon=True)

    def start(self) -> None:
        """Begin, and return once stop() can reach the search."""
        self._thread.start()
        try:
            self._started.wait()
        except BaseException:
            self.end()
            raise

    def _run(self) -> None:
        self.future.set_running_or_notify_cancel()
        try:
            try:
                listener = self._on_info if self._handicap is None else self._handicap.hear
                best, ponder, info = self.pool.search(self.board, on_info=listener, ready=self._started.set,
                                                      **self._arguments)
                nodes = self.pool.nodes
            finally:
                with self._busy_lock:
                    self.is_busy = False
            if (afterwards := self._afterwards()) is not None:
                afterwards()
                del afterwards
            if self._handicap is not None:
                best, ponder, info = self._handicap.decide((best, ponder, info), self._on_info)
            result = Result(self._text(best), self._text(ponder), info, nodes)
            if self._on_done is not None:
                self._on_done(result)
            self.future.set_result(result)
        except BaseException as error:      # handed to whoever waits
            if self._on_error is not None:
                self._on_error(error)
            self.future.set_exception(error)
        finally:
            self._arguments.clear()         # listeners tend to hold on to their engine
            self._on_info = self._on_done = self._on_error = None
            self._started.set()
            self._ended.set()

    def _text(self, move: int) -> str | None:
        return move_name(move, self.board.chess960) if move else None

    @property
    def is_alive(self) -> bool:
        """Whether its thread is still at work: searching, or telling of the result."""
        return not self._ended.is_set() and self._process == os.getpid()

    @property
    def is_mine(self) -> bool:
        """Whether the caller is one of its listeners."""
        return self._thread is threading.current_thread()

    def stop(self) -> None:
        """Let it come to its end now; a later search of the same pool is not touched."""
        with self._busy_lock:
            if self.is_busy:
                self.pool.stop()

    def end(self) -> None:
        """Stop it and wait until its thread is done."""
        while self.is_alive:
            self.stop()
            self._ended.wait(PATIENCE_S)

    def wait(self) -> Result:
        """Its result, once it has ended. Ctrl-C while waiting ends it."""
        try:
            while self.is_alive:
                self._ended.wait(PATIENCE_S)
        except BaseException:
            self.end()
            raise
        if not self.future.done():
            raise RuntimeError("this search was left behind in the process that forked this one")
        return self.future.result()
