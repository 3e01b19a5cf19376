"""How a duel is played: the engines, nodes or a clock for their moves, openings, and when games end."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

from barreleye.core.duel import LONGEST
from barreleye.core.duel import Duel as Board
from barreleye.core.syzygy.probe import Tablebase
from barreleye.engine.bench import POSITIONS
from barreleye.engine.random_openings import RandomOpenings
from barreleye.lab.effect import bench_signature
from barreleye.lab.entrant import Entrant
from barreleye.match.games.clock import TimeControl
from barreleye.match.games.referee import DrawRule, Resign
from barreleye.opening_books import Book, open_book

if TYPE_CHECKING:
    from concurrent.futures import Executor

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


def check_numbers(games: int, threads: int) -> None:
    """ValueError for a number of games or threads that cannot be."""
    if games < 2 or games % 2:
        raise ValueError(f"the number of games must be even, not {games}: each opening is played twice")
    if threads < 0:
        raise ValueError(f"the number of threads is {threads}, expected at least 1, or 0 for one on each CPU")
