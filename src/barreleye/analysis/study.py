"""Evaluating every position of games, on as many threads as there are, with the same result however many those are.

A game is cut into chunks of a few positions. A chunk is one thread's work: it begins with an empty table and goes
backwards through the game, so that what was found later helps earlier, and starts one position past its end to know
what comes after. Node limits and single-threaded engines make a chunk's result a function of the chunk alone.
"""

from __future__ import annotations

import os
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from barreleye import wdl
from barreleye.analysis.accuracy import Score
from barreleye.core.notation import START_FEN, move_name
from barreleye.engine import Engine

if TYPE_CHECKING:
    from barreleye.core.report import SearchInfo

Result = TypeVar("Result")
CHUNK = 6                   # positions of one game that a thread evaluates with one table
LOOKAHEAD = 4               # chunks in the queue for each thread, so that none of them waits
LONGEST_LINE = 16           # plies kept of a line


@dataclass(frozen=True, slots=True)
class Settings:
    """How thoroughly to look, and with what."""

    nodes: int = 100_000
    threads: int = 1
    hash_mb: int = 16
    multipv: int = 1
    syzygy: str = ""

    def __post_init__(self) -> None:
        if self.nodes < 1:
            raise ValueError(f"the number of nodes is {self.nodes}, expected at least 1")
        if not 1 <= self.threads <= 1024:
            raise ValueError(f"the number of threads is {self.threads}, expected a number from 1 to 1024")
        for folder in self.syzygy.split(os.pathsep) if self.syzygy else ():
            if not os.path.isdir(folder):
                raise ValueError(f"there is no folder {folder} with tablebases")

    def engine(self) -> Engine:
        """An engine of a worker thread."""
        settings: dict[str, object] = {"Hash": self.hash_mb, "MultiPV": self.multipv}
        return Engine(**settings, **({"SyzygyPath": self.syzygy} if self.syzygy else {}))


@dataclass(frozen=True, slots=True)
class Played:
    """A game as the engine needs it: where it began and its moves in UCI."""

    fen: str = START_FEN
    moves: tuple[str, ...] = ()
    chess960: bool = False


@dataclass(frozen=True, slots=True)
class Evaluation:
    """One line of one position, from White's point of view. A position without legal moves has no line."""

    score: Score
    line: tuple[str, ...] = ()
    depth: int = 0

    def as_json(self) -> list[Any]:
        return [self.score.cp, self.score.mate, self.depth, " ".join(self.line)]

    @classmethod
    def from_json(cls, record: list[Any]) -> Evaluation:
        cp, mate, depth, line = record
        return cls(Score(cp, mate), tuple(line.split()), depth)


Lines = list[Evaluation]    # of one position, best first


def chunks(positions: int, size: int = CHUNK) -> list[range]:
    """The positions 0, 1, ... of a game in pieces, the last piece first, each to be gone through as it stands."""
    return [range(end - 1, max(0, end - size) - 1, -1) for end in range(positions, 0, -size)]


class Analysts:
    """Threads with an engine each. Use it in a `with` block; leaving it early ends what is still running."""

    def __init__(self, settings: Settings) -> None:
        settings.engine()                       # what is wrong with the settings shows here
        self.settings = settings
        self._own = threading.local()
        self._ended = threading.Event()
        self._pool = ThreadPoolExecutor(settings.threads, "analyst")

    def __enter__(self) -> Analysts:
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._pool.shutdown(cancel_futures=True)

    def study(self, games: Iterable[Played],
              on_position: Callable[[], None] | None = None) -> Iterator[list[Lines]]:
        """The lines of every position of every game, in the order of the games. on_position is called from threads."""
        waiting: deque[list[Future[list[Lines]]]] = deque()
        for game in games:
            waiting.append([self._pool.submit(self._chunk, game, part, on_position)
                            for part in chunks(len(game.moves) + 1)])
            while sum(map(len, waiting)) > LOOKAHEAD * self.settings.threads and len(waiting) > 1:
                yield joined(waiting.popleft())
        while waiting:
            yield joined(waiting.popleft())

    def submit(self, work: Callable[[Engine], Result], chess960: bool) -> Future[Result]:
        """Have a thread do something with its engine, freshly cleared."""
        def task() -> Result:
            engine = self._engine(chess960)
            engine.new_game()
            return work(engine)

        return self._pool.submit(task)

    def _chunk(self, game: Played, part: range, on_position: Callable[[], None] | None) -> list[Lines]:
        """The lines of a chunk's positions, last first."""
        engine = self._engine(game.chess960)
        engine.new_game()
        if part[0] < len(game.moves):
            self.look(engine, game, part[0] + 1)
        found = []
        for index in part:
            if self._ended.is_set():
                break
            found.append(self.look(engine, game, index))
            if on_position is not None:
                on_position()
        return found

    def _engine(self, chess960: bool) -> Engine:
        if not hasattr(self._own, "engine"):
            self._own.engine = self.settings.engine()
        engine: Engine = self._own.engine
        engine.set_option("UCI_Chess960", chess960)
        return engine

    def look(self, engine: Engine, game: Played, index: int) -> Lines:
        """Evaluate the position after so many moves of a game."""
        engine.position(game.fen, game.moves[:index])
        return evaluate(engine, self.settings.nodes)


def evaluate(engine: Engine, nodes: int) -> Lines:
    """The lines of the position the engine has, from White's point of view."""
    lines: dict[int, SearchInfo] = {}
    exact: dict[int, SearchInfo] = {}

    def hear(info: SearchInfo) -> None:
        if info.depth and not info.currmove:
            lines[info.multipv] = info
            if not info.bound:
                exact[info.multipv] = info

    sign = 1 if engine.board.turn else -1
    result = engine.search(nodes=nodes, on_info=hear)
    if result.best_move is None:
        return [Evaluation(Score(mate=-sign) if engine.board.is_check() else Score(0))]
    found = []
    for number, line in sorted(lines.items()):
        # A line cut short on a bound says less than the last exact report on the same move.
        known = exact.get(number)
        info = known if line.bound and known is not None and known.pv[:1] == line.pv[:1] else line
        mate = wdl.mate_moves(info.score)
        score = Score(sign * wdl.centipawns(info.score)) if mate is None else Score(mate=sign * mate)
        found.append(Evaluation(score, tuple(move_name(move, engine.board.chess960)
                                             for move in info.pv[:LONGEST_LINE]), info.depth))
    return found


def joined(parts: list[Future[list[Lines]]]) -> list[Lines]:
    """The chunks of a game put together, from its first position to its last."""
    backwards = [lines for part in parts for lines in part.result()]
    return backwards[::-1]
