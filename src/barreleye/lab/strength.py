"""What switching one technique costs in games: a duel of the engine against itself with the switch thrown."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

from barreleye.lab.duel import duel
from barreleye.lab.entrant import Entrant
from barreleye.lab.notes import Notes
from barreleye.lab.plan import Games, Plan, check_numbers
from barreleye.lab.standing import Standing
from barreleye.match.statistics.score import finite


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


def check(games: Games) -> None:
    """Say what is wrong with the games before minutes are spent on finding out which of them to play."""
    check_numbers(games.count, games.threads)
    Plan(Entrant("as it is"), Entrant("changed"), games.nodes, games.openings, games.seed).open_book()


def play(technique: Any, games: Games, notes: Notes | None = None,
         on_change: Callable[[Standing], object] | None = None) -> Strength | None:
    """Play the duel, going on from the notes; None when it was interrupted."""
    common = {technique.behind: False} if technique.behind else {}
    word = "without" if technique.default else "with"
    standing = duel(Entrant("as it is", switches=common),
                    Entrant(f"{word} {technique.name}", switches=common | {technique.name: not technique.default}),
                    games=games.count, nodes=games.nodes, openings=games.openings, seed=games.seed,
                    threads=games.threads, notes=notes, on_change=on_change, executor=games.executor)
    if standing.interrupted:
        return None
    score, elo = standing.score, standing.score.elo()
    return Strength(technique.name, games.nodes, score.wins, score.losses, score.draws,
                    *finite([elo.value, elo.low, elo.high]))
