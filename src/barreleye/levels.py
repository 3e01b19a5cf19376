"""How strong the engine plays: the table of levels, and how a level chooses its moves.

A weak player does not throw pieces away at random: it sees less and is less sure which of the good moves is best. So a
level looks at few positions, at several lines, and picks among them by chance, the better the more often. The chance is
drawn from a seed and the position: another seed for each game, unless one is given to have the same game again.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from barreleye.core.position import Position
    from barreleye.core.report import SearchInfo

FULL_SKILL = 20
SEED_LIMIT = 2_147_483_647
ONE_PLY_NODES = 250     # about what one ply takes with the captures after it,
ONE_PLY_LIMIT = 10_000  # and what it is allowed


@dataclass(frozen=True, slots=True)
class Level:
    """A strength: what it is called, its rating, how many positions it looks at and how freely it chooses."""

    name: str
    elo: int
    nodes: int
    spread: float       # centipawns of loss that make a move e times less likely
    lines: int          # moves it considers

    @property
    def title(self) -> str:
        """Its name and what it is worth, for people; between two of the table its rating is its name."""
        return f"{self.name}, {self.elo} Elo" if self in LEVELS else self.name

    @property
    def limits(self) -> tuple[int, int]:
        """Soft and hard nodes of its searches, 0 for none. A level of one node looks one ply ahead, at every line."""
        return (1, ONE_PLY_LIMIT) if self.nodes == 1 else (0, self.nodes)


# The one place that knows the levels. Ratings are what `barreleye lab levels` measured, which also says how to change
# them when the engine has changed. They are relative to each other; where the scale begins is an estimate, from games
# against Stockfish at a UCI_Elo of 1500, 1900 and 2300. A level of one node sees one ply and what is captured after it.
LEVELS = (
    Level("newcomer", 540, 1, 250, 12),
    Level("beginner", 720, 1, 150, 12),
    Level("learner", 840, 1, 95, 12),
    Level("casual", 930, 1, 65, 12),
    Level("improver", 1020, 1, 45, 10),
    Level("club", 1120, 1, 30, 8),
    Level("tournament", 1290, 500, 30, 6),
    Level("regional", 1480, 1000, 20, 5),
    Level("expert", 1680, 1600, 16, 4),
    Level("candidate", 1870, 2600, 12, 4),
    Level("master", 2180, 4500, 8, 3),
    Level("champion", 2420, 8000, 5, 3),
)
LEAST_ELO, MOST_ELO = LEVELS[0].elo, LEVELS[-1].elo
DEFAULT_ELO = LEVELS[len(LEVELS) // 2].elo
FULL = "full"
NAMES = (*(level.name for level in LEVELS), FULL)


def of_name(name: str) -> Level | None:
    """The level of that name or number from 1, None for full strength; ValueError lists what there is."""
    word = name.strip().lower()
    if word in (FULL, str(len(NAMES))):
        return None
    for number, level in enumerate(LEVELS, 1):
        if word in (level.name, str(number)):
            return level
    raise ValueError(f"there is no level {name!r}: choose {', '.join(NAMES)}, or a number from 1 to {len(NAMES)}")


def of_elo(elo: float) -> Level:
    """The level of that rating, between two of the table where it has none."""
    if not LEAST_ELO <= elo <= MOST_ELO:
        raise ValueError(f"a rating is a number from {LEAST_ELO} to {MOST_ELO}, not {elo:g}")
    above = next(index for index, level in enumerate(LEVELS) if level.elo >= elo)
    high = LEVELS[above]
    if high.elo == elo:
        return high
    low = LEVELS[above - 1]
    part = (elo - low.elo) / (high.elo - low.elo)
    few, many = (math.log(max(ONE_PLY_NODES, level.nodes)) for level in (low, high))
    nodes = low.nodes if low.nodes == high.nodes else round(math.exp((1 - part) * few + part * many))
    spread = math.exp((1 - part) * math.log(low.spread) + part * math.log(high.spread))
    return Level(f"{elo:.0f} Elo", round(elo), nodes, spread, round((1 - part) * low.lines + part * high.lines))


def of_skill(skill: int) -> Level | None:
    """The level that `Skill Level` means: 0 is the weakest, 20 full strength, even steps of rating between."""
    return None if skill >= FULL_SKILL else of_elo(LEAST_ELO + (MOST_ELO - LEAST_ELO) * skill / (FULL_SKILL - 1))


def of_options(values: Mapping[str, Any]) -> Level | None:
    """What the engine's options ask for; a rating counts for more than a skill, as in other engines."""
    return of_elo(values["UCI_Elo"]) if values["UCI_LimitStrength"] else of_skill(values["Skill Level"])


@dataclass(frozen=True, slots=True)
class ChosenLine:
    """A line of play as the search reports it, with the place it has after a choice."""

    depth: int
    sel_depth: int
    multipv: int
    score: int
    bound: int
    time_us: int
    nodes: int
    hashfull: int
    tbhits: int
    pv: list[int]
    currmove: int = 0
    currmovenumber: int = 0


def drawn_seed() -> int:
    """A seed that nobody has chosen."""
    return 1 + int.from_bytes(os.urandom(4), "little") % SEED_LIMIT


class Handicap:
    """One search below full strength: it hears every line and reports only what the level has chosen."""

    def __init__(self, level: Level, seed: int, board: Position, shown: int = 1) -> None:
        self.level = level
        self.place = seed, board.key, board.ply
        self.shown = shown
        self.lines: dict[int, SearchInfo] = {}

    @property
    def width(self) -> int:
        """How many lines the search must look at."""
        return max(self.level.lines, self.shown)

    def hear(self, info: SearchInfo) -> None:
        if info.depth and not info.currmove:
            self.lines[info.multipv] = info

    def choose(self) -> SearchInfo | None:
        """One of the lines, the better the more likely; None when the game is over."""
        from barreleye.core.chance import chosen  # the table above is read where nothing is compiled yet

        lines = [line for _, line in sorted(self.lines.items()) if line.pv][:self.level.lines]
        if not lines:
            return None
        return lines[chosen([line.score for line in lines], self.level.spread, *self.place)]

    def decide(self, found: tuple[int, int, Any], on_info: Callable[[Any], None] | None) -> tuple[int, int, Any]:
        """Instead of what the search found: the chosen move, the reply expected, the report that listeners get."""
        chosen = self.choose()
        if chosen is None:
            if on_info is not None:
                on_info(found[2])
            return found
        others = [line for _, line in sorted(self.lines.items()) if line is not chosen and line.pv]
        lines = [ChosenLine(line.depth, line.sel_depth, place, line.score, line.bound, line.time_us, line.nodes,
                      line.hashfull, line.tbhits, list(line.pv))
                 for place, line in enumerate([chosen, *others][:self.shown], 1)]
        if on_info is not None:
            for line in lines:
                on_info(line)
        return chosen.pv[0], chosen.pv[1] if len(chosen.pv) > 1 else 0, lines[0]
