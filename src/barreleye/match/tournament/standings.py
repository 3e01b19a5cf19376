"""The results so far: per pairing, per engine, and what the SPRT makes of them."""

from __future__ import annotations

from collections import Counter
from typing import Any

from barreleye.match.games.game import GameRecord
from barreleye.match.statistics.ratings import Rating, rating_table
from barreleye.match.statistics.score import Score, finite
from barreleye.match.tournament.schedule import Schedule
from barreleye.match.tournament.settings import MatchSettings


class Standings:
    """Finished games are added one by one, in any order; everything else is computed from them.

    Under a sequential test a game counts once all games before it are there: the verdict must not depend on how many
    are played at the same time, nor on which of them are short.
    """

    def __init__(self, settings: MatchSettings, schedule: Schedule) -> None:
        self.names = [engine.name for engine in settings.engines]
        self.sprt = settings.sprt
        self.total = schedule.total
        self.records: list[GameRecord] = []
        self.scores = {(self.names[a], self.names[b]): Score() for a, b in schedule.pairings}
        self.faults: Counter[tuple[str, str]] = Counter()  # (engine, reason)
        self.verdict: str | None = None
        self.numbers: set[int] = set()  # of all games that were added
        self._waiting: dict[int, GameRecord] = {}  # finished before one that comes first
        self._schedule = schedule
        self._half_pairs: dict[int, float] = {}  # pair number: the first engine's points in the game already finished

    @property
    def played(self) -> int:
        return len(self.records)

    @property
    def is_complete(self) -> bool:
        return self.verdict is not None or self.played >= self.total

    @property
    def score(self) -> Score:
        """The first pairing's, which in a match of two is the whole match."""
        return next(iter(self.scores.values()))

    @property
    def llr(self) -> float | None:
        return self.sprt.llr(self.score.pairs) if self.sprt else None

    def add(self, record: GameRecord) -> None:
        self.numbers.add(record.number)
        if self.sprt is None:
            self._count(record)
            return
        self._waiting[record.number] = record
        while self.verdict is None and (ready := self._waiting.pop(len(self.records), None)) is not None:
            self._count(ready)

    def _count(self, record: GameRecord) -> None:
        self.records.append(record)
        if record.fault:
            self.faults[record.fault, record.reason] += 1
        straight = (record.white, record.black) in self.scores
        score = self.scores[(record.white, record.black) if straight else (record.black, record.white)]
        points = record.white_points if straight else 1 - record.white_points
        score.add_game(points)
        pair = self._schedule.fixture(record.number).pair
        if pair not in self._half_pairs:
            self._half_pairs[pair] = points
            return
        score.add_pair(points + self._half_pairs.pop(pair))
        if self.sprt:
            self.verdict = self.sprt.verdict(score.pairs)

    def ratings(self) -> list[Rating]:
        return rating_table(self.names, self.scores)

    def as_json(self) -> dict[str, Any]:
        """The summary kept at the end of the results file."""
        summary: dict[str, Any] = {"played": self.played, "scheduled": self.total, "scores": []}
        for (first, second), score in self.scores.items():
            elo = score.elo()
            summary["scores"].append(
                {
                    "engines": [first, second],
                    "wins": score.wins,
                    "losses": score.losses,
                    "draws": score.draws,
                    "pairs": score.pairs,
                    "elo": finite([elo.value, elo.low, elo.high]),
                }
            )
        if self.sprt:
            summary["sprt"] = {"llr": self.llr, "bounds": [self.sprt.lower, self.sprt.upper], "verdict": self.verdict}
        summary["faults"] = [[name, reason, count] for (name, reason), count in sorted(self.faults.items())]
        return summary
