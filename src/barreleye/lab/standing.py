"""What a duel has brought so far: its pairs of games, counted in the order of their numbers, and what they say."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from barreleye.match.statistics.score import Score, finite
from barreleye.match.statistics.sprt import Sprt
from barreleye.match.tournament.report import elo_text, score_lines


@dataclass(frozen=True)
class DuelGame:
    """One game, seen by the first engine. `steps` holds moves and White's scores, four bytes each; notes drop them."""

    points: float
    ending: str
    plies: int
    steps: bytes = field(default=b"", compare=False)


@dataclass(frozen=True)
class Pair:
    """Two games from one opening; the first engine has White in the first of them."""

    number: int
    games: tuple[DuelGame, DuelGame]
    nodes: tuple[int, int]                  # that each engine spent on both

    @property
    def points(self) -> float:
        return self.games[0].points + self.games[1].points

    def as_json(self) -> dict[str, Any]:
        """The pair in short, for a file of notes."""
        return {"pair": self.number, "points": [game.points for game in self.games],
                "endings": [game.ending for game in self.games], "plies": [game.plies for game in self.games],
                "nodes": list(self.nodes)}

    @classmethod
    def from_json(cls, row: dict[str, Any]) -> Pair:
        """The pair that such a row tells of; ValueError, KeyError or TypeError when it tells of none."""
        first, second = (DuelGame(*facts) for facts in zip(row["points"], row["endings"], row["plies"], strict=True))
        one, other = row["nodes"]
        return cls(row["pair"], (first, second), (one, other))


@dataclass
class Standing:
    """The score of the first engine, and how it came about. A pair counts once all pairs before it are there."""

    names: tuple[str, str]
    total: int                              # games wanted
    sprt: Sprt | None = None
    score: Score = field(default_factory=Score)
    pairs: list[Pair] = field(default_factory=list)
    waiting: dict[int, Pair] = field(default_factory=dict)      # finished before one that comes first
    endings: Counter[str] = field(default_factory=Counter)
    plies: int = 0
    nodes: list[int] = field(default_factory=lambda: [0, 0])
    verdict: str | None = None              # of the SPRT: `H0` or `H1`
    found: int = 0                          # games that an earlier run had played
    seconds: float = 0.0                    # since this run began,
    cpu_seconds: float = 0.0                # and of this process, all threads together
    interrupted: bool = False

    @property
    def games(self) -> int:
        return self.score.games

    @property
    def is_complete(self) -> bool:
        return self.verdict is not None or self.games >= self.total

    @property
    def llr(self) -> float | None:
        return self.sprt.llr(self.score.pairs) if self.sprt else None

    @property
    def games_an_hour(self) -> float:
        """The pace of this run."""
        return 3600 * (self.games - self.found) / self.seconds if self.seconds else 0.0

    @property
    def seconds_left(self) -> float | None:
        """Until all games are played at this pace, None before there is any."""
        return 3600 * (self.total - self.games) / self.games_an_hour if self.games_an_hour else None

    @property
    def nodes_a_move(self) -> tuple[float, float]:
        """What each engine spent on a move, on average."""
        moves = max(1, self.plies) / 2
        return self.nodes[0] / moves, self.nodes[1] / moves

    def add(self, pair: Pair) -> None:
        """Count a pair, or keep it until those before it have come."""
        self.waiting[pair.number] = pair
        while not self.is_complete and (ready := self.waiting.pop(len(self.pairs), None)) is not None:
            self.pairs.append(ready)
            for game in ready.games:
                self.score.add_game(game.points)
                self.endings[game.ending] += 1
                self.plies += game.plies
            self.nodes = [spent + more for spent, more in zip(self.nodes, ready.nodes, strict=True)]
            self.score.add_pair(ready.points)
            if self.sprt:
                self.verdict = self.sprt.verdict(self.score.pairs)

    def lines(self) -> list[str]:
        """Everything the games say, in words."""
        lines = score_lines(self.names, self.total, self.score, self.sprt, self.verdict)
        if self.games:
            first, second = (f"{nodes:.0f}" for nodes in self.nodes_a_move)
            lines.append(f"{self.plies / self.games:.0f} plies a game; nodes a move {first} and {second}")
            ends = ", ".join(f"{count} {ending}" for ending, count in self.endings.most_common())
            lines.append(f"ended by {ends}")
        return lines

    def line(self) -> str:
        """The most important of it, for a log."""
        score = self.score
        text = (f"{self.games}/{self.total}  W {score.wins} L {score.losses} D {score.draws}  "
                f"Elo {elo_text(score.elo())}")
        return text if self.llr is None else f"{text}, LLR {self.llr:.2f}"

    def _repr_mimebundle_(self, **_: Any) -> dict[str, Any]:
        """What notebooks show."""
        from barreleye.pictures.notebook import of_games

        return of_games("\n".join(self.lines()), " against ".join(self.names), self.score.wins, self.score.draws,
                        self.score.losses, self.as_json())

    def as_json(self) -> dict[str, Any]:
        """Everything the games say, for programs."""
        score = self.score
        elo, normalized = score.elo(), score.normalized_elo()
        sprt = {"elo0": self.sprt.elo0, "elo1": self.sprt.elo1, "model": self.sprt.model, "llr": self.llr,
                "bounds": [self.sprt.lower, self.sprt.upper], "verdict": self.verdict} if self.sprt else None
        return {"engines": list(self.names), "games": self.games, "wanted": self.total, "wins": score.wins,
                "losses": score.losses, "draws": score.draws, "pairs": score.pairs,
                "elo": finite([elo.value, elo.low, elo.high]),
                "normalized_elo": finite([normalized.value, normalized.low, normalized.high]),
                "los": round(score.likelihood_of_superiority(), 4), "sprt": sprt, "endings": dict(self.endings),
                "plies": self.plies, "nodes_a_move": [round(nodes, 1) for nodes in self.nodes_a_move],
                "resumed_after": self.found, "seconds": round(self.seconds, 2),
                "cpu_seconds": round(self.cpu_seconds, 2), "games_an_hour": round(self.games_an_hour),
                "interrupted": self.interrupted}
