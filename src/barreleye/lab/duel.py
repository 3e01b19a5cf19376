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
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

from barreleye.core.duel import ENDINGS, LONGEST
from barreleye.core.duel import Duel as Board
from barreleye.core.machine import processors, start
from barreleye.core.position import Position
from barreleye.core.syzygy.probe import Tablebase
from barreleye.engine.bench import POSITIONS
from barreleye.engine.random_openings import RandomOpenings
from barreleye.lab.effect import bench_signature
from barreleye.lab.entrant import AS_IT_IS, Entrant
from barreleye.lab.notes import Notes
from barreleye.lab.standing import DuelGame, Pair, Standing
from barreleye.match.games.clock import TimeControl
from barreleye.match.games.referee import DrawRule, Resign
from barreleye.match.statistics.sprt import Sprt
from barreleye.opening_books import Book, Start, open_book

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from barreleye.lab.elsewhere import RemotePlayers

PATIENCE_S = 0.2            # between two looks at whether somebody wants to stop
SIGNATURE_DEPTH, SIGNATURE_POSITIONS = 7, POSITIONS[::6]        # a short bench that tells one build from another
NODES_PER_MS, MOST_NODES_PER_MS = 1500, 10_000      # what one core of today searches
OPENING_LIMIT = 100         # centipawns by which a random opening may favour a side
RESIGN, DRAW = Resign(score=600, moves=3), DrawRule(number=40, moves=8, score=10)


@dataclass(frozen=True)
class Rules:
    """When games are not played out: both engines agree for long enough, or a game is too long; None for never."""

    resign: Resign | None = RESIGN
    draw: DrawRule | None = DRAW
    max_moves: int = 300
    syzygy: str = ""                        # a folder of tables that decide games

    def __post_init__(self) -> None:
        if not 1 <= self.max_moves <= LONGEST // 2:
            raise ValueError(f"the longest game may have 1 to {LONGEST // 2} moves, not {self.max_moves}")

    def apply(self, board: Board, tables: Tablebase | None) -> None:
        """Have games end by these rules."""
        board.win_plies = board.draw_plies = 0
        if self.resign:
            board.win_score, board.win_plies = self.resign.score, 2 * self.resign.moves
        if self.draw:
            board.draw_score, board.draw_plies = self.draw.score, 2 * self.draw.moves
            board.draw_after = 2 * self.draw.number
        board.longest = 2 * self.max_moves
        if tables is not None:
            board.use_tables(tables)


AS_USUAL = Rules()


@dataclass(frozen=True)
class NodeClock:
    """A clock that counts nodes, so many to a millisecond: games by it need no quiet machine and can be repeated."""

    base_ms: int
    increment_ms: int = 0
    nodes_per_ms: int = NODES_PER_MS

    def __post_init__(self) -> None:
        if not 1 <= self.nodes_per_ms <= MOST_NODES_PER_MS:
            raise ValueError(f"a millisecond may have 1 to {MOST_NODES_PER_MS} nodes, not {self.nodes_per_ms}")

    @classmethod
    def parse(cls, text: str, nodes_per_ms: int = NODES_PER_MS) -> NodeClock:
        """Read `1+0.01`: seconds for the game, and for each move.

        >>> NodeClock.parse("1+0.01")
        NodeClock(base_ms=1000, increment_ms=10, nodes_per_ms=1500)
        """
        control = TimeControl.parse(text)
        if not control.is_clock or control.moves:
            raise ValueError(f"{text!r} is not a clock for a whole game: try 1+0.01")
        return cls(control.base_ms, control.increment_ms, nodes_per_ms)


@dataclass(frozen=True)
class Games:
    """How many games two engines of an experiment play and how, in the words of `duel`."""

    count: int
    nodes: int = 5000
    openings: str = ""
    seed: int = 1
    threads: int = 0
    executor: Executor | None = None        # who plays them instead of threads here


@dataclass(frozen=True)
class Plan:
    """All that the games of a duel depend on."""

    first: Entrant
    second: Entrant
    nodes: int = 5000
    openings: str = ""                      # a book; "" makes random openings
    seed: int = 1
    rules: Rules = AS_USUAL
    clock: NodeClock | None = None          # instead of nodes for each move

    def __post_init__(self) -> None:
        if self.nodes < 1:
            raise ValueError(f"the number of nodes is {self.nodes}, expected at least 1")
        for entrant in (self.first, self.second) if self.clock else ():
            if entrant.level or entrant.nodes or entrant.hard_nodes:
                raise ValueError(f"{entrant.title}: a clock takes the place of level=, nodes= and hard=")
        if self.first.title == self.second.title:
            names = (f"{entrant.title} {number}" for number, entrant in enumerate((self.first, self.second), 1))
            for word, name, entrant in zip(("first", "second"), names, (self.first, self.second), strict=True):
                object.__setattr__(self, word, replace(entrant, name=name))

    def open_book(self) -> Book | RandomOpenings:
        """Its openings by number."""
        return open_book(self.openings, seed=self.seed) if self.openings else RandomOpenings(self.seed, OPENING_LIMIT)

    def boards(self, count: int) -> list[Board]:
        """So many boards with both engines at each; ValueError or OSError says what is wrong with an engine."""
        tables = None
        if self.rules.syzygy:
            from barreleye.syzygy_files import open_tables

            tables = open_tables(self.rules.syzygy)
            if not tables.cardinality:
                raise ValueError(f"there are no Syzygy tables in {self.rules.syzygy}")
        boards = [Board(self.first.contender(self.nodes), self.second.contender(self.nodes)) for _ in range(count)]
        for board in boards:
            self.rules.apply(board, tables)
            if self.clock is not None:
                for side in (board.first, board.second):
                    side.use_clock(self.clock.base_ms, self.clock.increment_ms, self.clock.nodes_per_ms)
        return boards

    def described(self, book: Book | RandomOpenings) -> dict[str, Any]:
        """What must be the same when a duel goes on: engines, openings, rules, and the build that plays."""
        rules = asdict(self.rules)
        rules["syzygy"] = bool(rules["syzygy"])
        return {"engine": bench_signature(SIGNATURE_DEPTH, SIGNATURE_POSITIONS),
                "first": self.first.described(self.nodes), "second": self.second.described(self.nodes),
                "openings": {"name": book.name, "count": len(book)}, "seed": self.seed, "rules": rules,
                **({"clock": asdict(self.clock)} if self.clock else {})}


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


def check_numbers(games: int, threads: int) -> None:
    """ValueError for a number of games or threads that cannot be."""
    if games < 2 or games % 2:
        raise ValueError(f"the number of games must be even, not {games}: each opening is played twice")
    if threads < 0:
        raise ValueError(f"the number of threads is {threads}, expected at least 1, or 0 for one on each CPU")


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
