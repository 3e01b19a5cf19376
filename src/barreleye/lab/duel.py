"""Duels: two engines that differ in something play each other inside this process, on all cores, at fixed nodes.

Games come in pairs from one opening with colours reversed. A pair depends on its number, the seed and the two engines
alone, and pairs are counted in the order of their numbers, so the same seed gives the same games and the same verdict
whatever number of threads plays them, here or on a cluster.

>>> from barreleye.lab.duel import duel
>>> standing = duel("off=Null Move", "default", games=4, nodes=100)
>>> standing.games, standing.names
(4, ('off=Null Move', 'default'))
"""

from __future__ import annotations

import queue
import random
import threading
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from barreleye.core.duel import ENDINGS
from barreleye.core.duel import Duel as Board
from barreleye.core.machine import processors, start
from barreleye.core.position import Position
from barreleye.engine.random_openings import RandomOpenings
from barreleye.lab.entrant import AS_IT_IS, Entrant
from barreleye.lab.notes import Notes
from barreleye.lab.plan import AS_USUAL, NodeClock, Plan, Rules, check_numbers
from barreleye.lab.standing import DuelGame, Pair, Standing
from barreleye.match.statistics.sprt import Sprt
from barreleye.opening_books import Book, Start

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from barreleye.lab.elsewhere import RemotePlayers

PATIENCE_S = 0.2            # between two looks at whether somebody wants to stop


def duel(first: Entrant | str, second: Entrant | str = AS_IT_IS, *, games: int = 1000, nodes: int = 5000,
         openings: str = "", seed: int = 1, threads: int = 0, sprt: Sprt | None = None, rules: Rules = AS_USUAL,
         clock: NodeClock | None = None, notes: Notes | None = None, is_alone: bool = False,
         stop: threading.Event | None = None, on_change: Callable[[Standing], object] | None = None,
         executor: Executor | None = None) -> Standing:
    """Play so many games, or until a sequential test is decided; Ctrl-C or stop end it with what there is.

    Engines are said as in `Entrant.parse`; threads=0 takes every core. A clock takes the place of the nodes. What
    the notes know of this duel is not played again. on_change hears of the standing when it begins and after every
    pair. executor has the games played elsewhere.
    """
    one, other = (Entrant.parse(entrant) if isinstance(entrant, str) else entrant for entrant in (first, second))
    plan = Plan(one, other, nodes, openings, seed, rules, clock)
    check_numbers(games, threads)
    book = plan.open_book()
    standing = Standing((plan.first.title, plan.second.title), games, sprt)
    number, known = notes.take_up(plan.described(book), is_alone) if notes else (0, [])
    for pair in known:
        if pair.number < games // 2:
            standing.add(pair)
    standing.found = standing.games
    done = {pair.number for pair in known}
    missing = [pair for pair in range(games // 2) if pair not in done]
    boards = plan.boards(1 if executor else max(1, min(threads or processors(), len(missing))))
    if on_change is not None:
        on_change(standing)
    if standing.is_complete:
        return standing
    began = time.monotonic()
    with players_of(plan, boards, book, iter(missing), executor, stop) as players:
        try:
            for fresh in players.pairs():
                standing.seconds = time.monotonic() - began
                standing.cpu_seconds = players.cpu_seconds
                if fresh is not None:
                    if notes:
                        notes.keep(number, fresh)
                    standing.add(fresh)
                    if on_change is not None:
                        on_change(standing)
                if standing.is_complete:
                    break
                if stop is not None and stop.is_set():
                    standing.interrupted = True
                    break
            standing.interrupted |= not standing.is_complete
        except KeyboardInterrupt:
            standing.interrupted = True
    return standing


def players_of(plan: Plan, boards: list[Board], book: Book | RandomOpenings, numbers: Iterator[int],
               executor: Executor | None, stop: threading.Event | None) -> Players | RemotePlayers:
    """Who plays the pairs of these numbers: threads at these boards, or an executor's workers."""
    if executor is None:
        return Players(boards, book, plan.seed, numbers)
    from barreleye.lab.elsewhere import RemotePlayers

    return RemotePlayers(executor, plan, book, numbers, stop)


class Players:
    """Threads that play the pairs of given numbers, each at its own board."""

    def __init__(self, boards: list[Board], book: Book | RandomOpenings, seed: int, numbers: Iterator[int]) -> None:
        self._boards = boards
        self._book = book
        self._seed = seed
        self._numbers = numbers
        self._began = time.process_time()
        self._lock = threading.Lock()
        self._results: queue.SimpleQueue[Pair | BaseException | None] = queue.SimpleQueue()
        self._threads = [threading.Thread(target=self._work, args=(board,), name=f"duel {index}", daemon=True)
                         for index, board in enumerate(boards)]

    def __enter__(self) -> Players:
        for thread in self._threads:
            start(thread)
        return self

    def __exit__(self, *_: object) -> None:
        for board in self._boards:
            board.stop()
        for thread in self._threads:
            thread.join()

    @property
    def cpu_seconds(self) -> float:
        """What this process has spent since it began, all threads together."""
        return time.process_time() - self._began

    def pairs(self) -> Iterator[Pair | None]:
        """Pairs as they are finished, None now and then in between; raises what went wrong on a thread."""
        running = len(self._threads)
        while running:
            try:
                result = self._results.get(timeout=PATIENCE_S)
            except queue.Empty:
                yield None
                continue
            if result is None:
                running -= 1
            elif isinstance(result, Pair):
                yield result
            else:
                raise result

    def _work(self, board: Board) -> None:
        try:
            while (drawn := self._next()) is not None:
                pair = self._play(board, *drawn)
                if pair is None:
                    break
                self._results.put(pair)
        except BaseException as error:      # handed to whoever waits
            self._results.put(error)
        finally:
            self._results.put(None)

    def _play(self, board: Board, number: int, start: Position) -> Pair | None:
        return play_pair(board, self._seed, number, start)

    def _next(self) -> tuple[int, Position] | None:
        """A pair that nobody has begun, and where it begins; None when there is no more."""
        with self._lock:
            number = next(self._numbers, None)
            if number is None:
                return None
            opening = self._book.opening(number)
        return number, position_of(opening)


def position_of(opening: Start) -> Position:
    """Where a game begins."""
    start = Position(opening.fen)
    for move in opening.moves:
        start.push(move)
    return start


def play_pair(board: Board, seed: int, number: int, start: Position) -> Pair | None:
    """Both games of a pair; None when they were abandoned."""
    before = board.first.nodes, board.second.nodes
    board.first.seed = board.second.seed = random.Random(f"{seed} {number}").getrandbits(64)
    games = []
    for first_is_white in (True, False):
        points, ending, steps = board.play(start, first_is_white)
        if points < 0:
            return None
        games.append(DuelGame(points / 2, ENDINGS[ending], len(steps) // 4, steps))
    return Pair(number, (games[0], games[1]), (board.first.nodes - before[0], board.second.nodes - before[1]))
