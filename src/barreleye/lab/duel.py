"""Duels: two engines that differ in something play each other inside this process, on all cores, at fixed nodes.

Games come in pairs from one opening with colours reversed. A pair depends on its number, the seed and the two engines
alone, and pairs are counted in the order of their numbers, so the same seed gives the same games and the same verdict
whatever number of threads plays them.
"""

from __future__ import annotations

import os
import queue
import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from barreleye.core.duel import ENDINGS, LONGEST
from barreleye.core.duel import Duel as Table
from barreleye.core.position import Position
from barreleye.lab.entrant import Entrant
from barreleye.match.openings import Book, open_book
from barreleye.match.referee import DrawRule, Resign
from barreleye.match.sprt import Sprt
from barreleye.match.stats import Score

PATIENCE_S = 0.2            # between two looks at whether somebody wants to stop


@dataclass(frozen=True)
class Rules:
    """When games are not played out; None: never."""

    resign: Resign | None = Resign(score=1000, moves=3)
    draw: DrawRule | None = DrawRule(number=40, moves=8, score=10)
    max_moves: int = 300
    tables: str = ""                        # a folder of Syzygy tables that decide games

    def __post_init__(self) -> None:
        if not 1 <= self.max_moves <= LONGEST // 2:
            raise ValueError(f"the longest game has 1 to {LONGEST // 2} moves, not {self.max_moves}")

    def apply(self, table: Table) -> None:
        """Have games end by these rules."""
        table.win_plies = table.draw_plies = 0
        if self.resign:
            table.win_score, table.win_plies = self.resign.score, 2 * self.resign.moves
        if self.draw:
            table.draw_score, table.draw_plies = self.draw.score, 2 * self.draw.moves
            table.draw_after = 2 * self.draw.number
        table.longest = 2 * self.max_moves
        if self.tables:
            from barreleye.tablebase import open_tables

            table.use_tables(open_tables(self.tables))


@dataclass(frozen=True)
class Game:
    """One game, seen by the first engine. `steps` holds the moves and White's scores, four bytes each."""

    points: float
    ending: str
    plies: int
    steps: bytes = b""


@dataclass(frozen=True)
class Pair:
    """Two games from one opening; the first engine has White in the first of them."""

    number: int
    games: tuple[Game, Game]
    nodes: tuple[int, int] = (0, 0)         # that each engine spent

    @property
    def points(self) -> float:
        return self.games[0].points + self.games[1].points


@dataclass
class Standing:
    """What a duel has brought so far, pairs counted in their order."""

    names: tuple[str, str]
    total: int                              # games wanted
    sprt: Sprt | None = None
    score: Score = field(default_factory=Score)
    pairs: list[Pair] = field(default_factory=list)
    endings: Counter[str] = field(default_factory=Counter)
    plies: int = 0
    nodes: list[int] = field(default_factory=lambda: [0, 0])
    verdict: str | None = None
    waiting: dict[int, Pair] = field(default_factory=dict)      # finished before one that comes first
    seconds: float = 0.0
    found: int = 0                          # games that were there before
    interrupted: bool = False

    @property
    def is_complete(self) -> bool:
        return self.verdict is not None or self.score.games >= self.total

    @property
    def llr(self) -> float | None:
        return self.sprt.llr(self.score.pairs) if self.sprt else None

    def add(self, pair: Pair) -> None:
        """Count a pair as soon as all before it are counted."""
        self.waiting[pair.number] = pair
        while not self.is_complete and (ready := self.waiting.pop(len(self.pairs), None)) is not None:
            self.pairs.append(ready)
            for game in ready.games:
                self.score.add_game(game.points)
                self.endings[game.ending] += 1
                self.plies += game.plies
            for side in (0, 1):
                self.nodes[side] += ready.nodes[side]
            self.score.add_pair(ready.points)
            if self.sprt:
                self.verdict = self.sprt.verdict(self.score.pairs)


def duel(first: Entrant | str, second: Entrant | str = "", *, games: int = 1000, nodes: int = 5000,
         openings: str | Book = "", seed: int = 1, threads: int = 0, sprt: Sprt | None = None, rules: Rules | None = None,
         on_pair: Callable[[Standing], Any] | None = None) -> Standing:
    """Play so many games, fewer when a sequential test is decided before; Ctrl-C ends it with what there is.

    Engines are said as in `Entrant.parse`. threads=0 takes every core.
    """
    sides = tuple(Entrant.parse(one) if isinstance(one, str) else one for one in (first, second))
    if games < 2 or games % 2:
        raise ValueError(f"the number of games must be even, not {games}: openings are played twice")
    book = open_book(openings, seed=seed) if isinstance(openings, str) else openings
    rules = rules or Rules()
    standing = Standing((sides[0].title, sides[1].title), games, sprt)
    count = min(threads or os.cpu_count() or 1, games // 2)
    tables = [Table(sides[0].contender(nodes), sides[1].contender(nodes)) for _ in range(count)]
    for table in tables:
        rules.apply(table)
    numbers = iter(range(games // 2))
    lock = threading.Lock()
    results: queue.SimpleQueue[Pair | BaseException | None] = queue.SimpleQueue()

    def work(table: Table) -> None:
        try:
            while True:
                with lock:
                    number = next(numbers, None)
                    start = None if number is None else start_of(book, number)
                if number is None or start is None:
                    break
                pair = play_pair(table, number, start)
                if pair is None:
                    break
                results.put(pair)
        except BaseException as error:      # handed to whoever waits
            results.put(error)
        finally:
            results.put(None)

    began = time.monotonic()
    workers = [threading.Thread(target=work, args=(table,), name=f"duel {index}", daemon=True)
               for index, table in enumerate(tables)]
    for worker in workers:
        worker.start()
    running = len(workers)
    try:
        while running and not standing.is_complete:
            try:
                result = results.get(timeout=PATIENCE_S)
            except queue.Empty:
                continue
            standing.seconds = time.monotonic() - began
            if isinstance(result, BaseException):
                raise result
            if result is None:
                running -= 1
                continue
            standing.add(result)
            if on_pair is not None:
                on_pair(standing)
    except KeyboardInterrupt:
        standing.interrupted = True
    finally:
        for table in tables:
            table.stop()
        for worker in workers:
            worker.join()
    return standing


def start_of(book: Book, number: int) -> Position:
    """Where the pair of this number begins, with the moves that led there."""
    opening = book.opening(number)
    start = Position(opening.fen)
    for move in opening.moves:
        start.push(move)
    return start


def play_pair(table: Table, number: int, start: Position) -> Pair | None:
    """Both games of a pair; None when they were abandoned."""
    before = table.first.nodes, table.second.nodes
    games = []
    for first_is_white in (True, False):
        points, ending, steps = table.play(start, first_is_white)
        if points < 0:
            return None
        games.append(Game(points / 2, ENDINGS[ending], len(steps) // 4, steps))
    return Pair(number, (games[0], games[1]), (table.first.nodes - before[0], table.second.nodes - before[1]))
