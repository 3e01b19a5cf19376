"""Whether the levels are as far apart as they say: neighbours in the table play duels, and ratings are compared."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from barreleye.lab.duel import duel
from barreleye.lab.entrant import Entrant
from barreleye.lab.notes import Notes
from barreleye.lab.plan import Games, Rules
from barreleye.lab.standing import Standing
from barreleye.levels import Level
from barreleye.match.statistics.score import Score

TOLERANCE = 60              # Elo by which a stated difference may miss the measured one
HASH_MB = 1
# Weak players let the opponent off again and again, so nothing is decided before it is over; but they need not mate.
PLAYED_OUT = Rules(resign=None, draw=None, max_moves=150)


@dataclass
class Step:
    """Two neighbours of the table and what their games said; the score is the stronger one's."""

    weaker: Level
    stronger: Level
    score: Score = field(default_factory=Score)

    @property
    def stated(self) -> int:
        return self.stronger.elo - self.weaker.elo

    @property
    def measured(self) -> float:
        return self.score.elo().value

    @property
    def margin(self) -> float:
        """Half the 95 % interval."""
        return self.score.elo().error

    @property
    def is_right(self) -> bool:
        return abs(self.measured - self.stated) <= TOLERANCE

    def as_json(self) -> dict[str, Any]:
        numbers = (self.measured, self.margin)
        measured, margin = (round(number, 1) if math.isfinite(number) else None for number in numbers)
        score = self.score
        return {"weaker": self.weaker.name, "stronger": self.stronger.name, "stated": self.stated,
                "measured": measured, "margin": margin, "is_right": self.is_right, "wins": score.wins,
                "draws": score.draws, "losses": score.losses, "pairs": score.pairs}


def play(weaker: Level, stronger: Level, games: Games, notes: Notes | None = None,
         on_change: Callable[[Standing], object] | None = None) -> Step | None:
    """Let two levels play, going on from the notes; None when it was interrupted.

    Ratings do not change how a level plays: they may be corrected between two runs.
    """
    one, other = (Entrant(level.name, level=level, hash_mb=HASH_MB) for level in (stronger, weaker))
    standing = duel(one, other, games=games.count, openings=games.openings, seed=games.seed, threads=games.threads,
                    rules=PLAYED_OUT, notes=notes, on_change=on_change, executor=games.executor)
    return None if standing.interrupted else Step(weaker, stronger, standing.score)


def suggested(levels: Sequence[Level], steps: Iterable[Step]) -> dict[str, int]:
    """Ratings that would agree with the games: from the first level upwards, rounded to tens."""
    by_name = {step.stronger.name: step.measured for step in steps}
    rating, ratings = float(levels[0].elo), {levels[0].name: levels[0].elo}
    for level in levels[1:]:
        if not math.isfinite(by_name.get(level.name, math.inf)):
            break
        rating += by_name[level.name]
        ratings[level.name] = 10 * round(rating / 10)
    return ratings
