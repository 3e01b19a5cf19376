"""Whether the levels are as far apart as they say: neighbours of the table play each other, and the ratings are compared."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from barreleye.levels import Level
from barreleye.match import DrawRule, EngineSpec, Openings, Resign, Score, Watcher, play_match

HASH_MB = "1"
TOLERANCE = 60              # Elo by which a stated difference may miss the measured one
NODES = 1_000_000           # far more than any level uses: the level is what ends a search
# Games that both players think decided are not played out: the levels are many and the games short of news.
RESIGN, DRAWN, LONGEST = Resign(score=700, moves=3), DrawRule(number=40, moves=6, score=15), 120


@dataclass(frozen=True)
class Games:
    """How the games are played. A seed makes every game a function of its opening, so a book is needed."""

    count: int
    openings: str
    seed: int = 1
    concurrency: int = 1
    command: tuple[str, ...] = (sys.executable, "-m", "barreleye")


@dataclass(frozen=True)
class Step:
    """Two neighbours of the table and what their games said; Elo is the stronger one's lead."""

    weaker: Level
    stronger: Level
    score: Score

    @property
    def stated(self) -> int:
        return self.stronger.elo - self.weaker.elo

    @property
    def measured(self) -> float:
        return self.score.elo().value

    @property
    def margin(self) -> float:
        """Half the 95 % interval."""
        elo = self.score.elo()
        return (elo.high - elo.low) / 2

    @property
    def is_right(self) -> bool:
        return abs(self.measured - self.stated) <= TOLERANCE

    def as_json(self) -> dict[str, Any]:
        numbers = (self.measured, self.margin)
        measured, margin = (round(number, 1) if math.isfinite(number) else None for number in numbers)
        return {"weaker": self.weaker.name, "stronger": self.stronger.name, "stated": self.stated,
                "measured": measured, "margin": margin, "is_right": self.is_right, "wins": self.score.wins,
                "draws": self.score.draws, "losses": self.score.losses}


def play(weaker: Level, stronger: Level, games: Games, results: str | None = None,
         watcher: Watcher | None = None) -> Step | None:
    """Let two levels play; a results file is gone on from. None when it was interrupted."""
    result = play_match(
        [player(stronger, games), player(weaker, games)], f"nodes={NODES}", games=games.count,
        concurrency=games.concurrency, openings=Openings(games.openings, seed=games.seed), max_moves=LONGEST,
        resign=RESIGN, draw=DRAWN, json=results, watcher=watcher)
    return None if result.interrupted else Step(weaker, stronger, result.score)


def player(level: Level, games: Games) -> EngineSpec:
    """A level as an engine of a match."""
    return EngineSpec(games.command, level.name, options={
        "Hash": HASH_MB, "UCI_LimitStrength": "true", "UCI_Elo": str(level.elo), "Strength Seed": str(games.seed)})


def suggested(levels: Sequence[Level], steps: Iterable[Step]) -> dict[str, int]:
    """Ratings that would agree with the games: from the first level upwards, rounded to tens."""
    by_name = {step.stronger.name: step.measured for step in steps}
    rating, ratings = float(levels[0].elo), {levels[0].name: levels[0].elo}
    for level in levels[1:]:
        if not math.isfinite(by_name.get(level.name, math.inf)):
            break
        rating += by_name[level.name]
        ratings[level.name] = round(rating, -1).__trunc__()
    return ratings
