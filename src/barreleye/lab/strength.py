"""What switching one technique costs in games: the engine against itself with the switch thrown, at fixed nodes."""

from __future__ import annotations

import math
import sys
from dataclasses import asdict, dataclass
from typing import Any

from barreleye.match import EngineSpec, Openings, Watcher, play_match

HASH_MB = "16"


@dataclass(frozen=True)
class Strength:
    """The engine as it is, seen from its side: positive Elo means the change makes it weaker."""

    technique: str
    nodes: int
    wins: int
    losses: int
    draws: int
    elo: float | None          # None where all games ended alike
    low: float | None
    high: float | None

    @property
    def games(self) -> int:
        return self.wins + self.losses + self.draws

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True)
class Games:
    """How the games are played. Fixed nodes make every game a function of its opening, so a book is needed."""

    count: int
    nodes: int
    openings: str
    concurrency: int = 1
    command: tuple[str, ...] = (sys.executable, "-m", "barreleye")


def play(technique: Any, games: Games, results: str | None, watcher: Watcher | None = None) -> Strength | None:
    """Play the match, going on from the results file; None when it was interrupted."""
    common = {"Hash": HASH_MB} | ({f"Use {technique.behind}": "false"} if technique.behind else {})
    switch = {technique.option: "false" if technique.default else "true"}
    result = play_match(
        [EngineSpec(games.command, "usual", options=common),
         EngineSpec(games.command, "changed", options=common | switch)],
        f"nodes={games.nodes}", games=games.count, concurrency=games.concurrency,
        openings=Openings(games.openings), json=results, watcher=watcher)
    if result.interrupted:
        return None
    score, elo = result.score, result.score.elo()
    ends = [round(end, 1) if math.isfinite(end) else None for end in (elo.value, elo.low, elo.high)]
    return Strength(technique.name, games.nodes, score.wins, score.losses, score.draws, *ends)
