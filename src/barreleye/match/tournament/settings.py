"""Everything that defines a match, checked as a whole before the first engine is started."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from barreleye.match.engines.spec import EngineSpec
from barreleye.match.games.clock import TimeControl
from barreleye.match.games.referee import DrawRule, Resign
from barreleye.match.statistics.sprt import Sprt
from barreleye.match.tournament.schedule import Schedule
from barreleye.opening_books import Book, open_book, start_position_book

DEFAULT_CONTROL = TimeControl(base_ms=8000, increment_ms=80)


@dataclass(frozen=True)
class Openings:
    """Which book, and how it is read: see `openings.open_book`."""

    file: str
    order: str = "random"
    seed: int = 1
    start: int = 1
    plies: int | None = None

    def open(self) -> Book:
        return open_book(self.file, self.order, self.seed, self.start, self.plies)


@dataclass(frozen=True)
class MatchSettings:
    """A match, gauntlet or round robin. `games` counts for each pairing and is even: openings are played twice."""

    engines: tuple[EngineSpec, ...]
    control: TimeControl = DEFAULT_CONTROL
    games: int = 100
    concurrency: int = 1
    gauntlet: bool = False  # the first engine against all others; otherwise all against all
    openings: Openings | None = None
    sprt: Sprt | None = None
    resign: Resign | None = None
    draw: DrawRule | None = None
    max_moves: int | None = None
    tablebase: str | None = None
    chess960: bool = False
    margin_ms: float = 50.0
    hang_s: float = 60.0
    pgn: str | None = None
    json: str | None = None

    def __post_init__(self) -> None:
        names = [engine.name for engine in self.engines]
        if len(names) < 2:
            raise ValueError("a match needs at least two engines")
        for name in names:
            if names.count(name) > 1:
                raise ValueError(f"two engines are called {name!r}: give each its own name=")
        if self.sprt and len(names) != 2:
            raise ValueError("an SPRT needs exactly two engines")
        if self.games < 2 or self.games % 2:
            raise ValueError(f"the number of games must be even, not {self.games}: each opening is played twice")
        if self.concurrency < 1:
            raise ValueError(f"concurrency must be at least 1, not {self.concurrency}")
        if self.max_moves is not None and self.max_moves < 1:
            raise ValueError(f"the maximum length must be at least 1 move, not {self.max_moves}")
        if self.margin_ms < 0 or self.hang_s <= 0:
            raise ValueError("--time-margin cannot be negative, and --hang must be more than 0")

    def control_of(self, engine: EngineSpec) -> TimeControl:
        return engine.control or self.control

    def schedule(self) -> Schedule:
        return Schedule(len(self.engines), self.games, self.gauntlet)

    def open_book(self) -> Book:
        """The openings, those that will be needed first already tried."""
        book = self.openings.open() if self.openings else start_position_book()
        book.check(self.games // 2, self.chess960)
        return book

    def described(self, book: Book) -> dict[str, Any]:
        """What a resumed match must share with its beginning: all that decides how games are played and judged."""
        openings = {"name": book.name, "count": len(book)}
        if self.openings:
            openings |= {key: value for key, value in asdict(self.openings).items() if key != "file"}
        return {
            "engines": [engine.described() for engine in self.engines],
            "control": str(self.control),
            "gauntlet": self.gauntlet,
            "openings": openings,
            "sprt": asdict(self.sprt) if self.sprt else None,
            "resign": asdict(self.resign) if self.resign else None,
            "draw": asdict(self.draw) if self.draw else None,
            "max_moves": self.max_moves,
            "tablebase": bool(self.tablebase),
            "chess960": self.chess960,
            "margin_ms": self.margin_ms,
            "hang_s": self.hang_s,
        }
