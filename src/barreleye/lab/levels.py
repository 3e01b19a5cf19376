"""Whether the levels are as far apart as they say: neighbours in the table play each other, and ratings are compared.

The games are played inside this process, with the match runner's openings, referee and statistics: a weak level needs
so little time for a move that talking to another program would take longer than thinking.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from barreleye import wdl
from barreleye.core.notation import move_name
from barreleye.core.pool import Pool
from barreleye.core.position import Position
from barreleye.levels import Handicap, Level
from barreleye.match import DrawRule, Openings, Resign, Score
from barreleye.match.openings import Opening
from barreleye.match.referee import BLACK_WINS, DRAW, WHITE_WINS, Referee, rules_ending

TOLERANCE = 60              # Elo by which a stated difference may miss the measured one
POINTS = {WHITE_WINS: 1.0, DRAW: 0.5, BLACK_WINS: 0.0}
HASH_MB = 1
# Games that both players think decided are not played out.
RESIGN, DRAWN, LONGEST = Resign(score=700, moves=3), DrawRule(number=40, moves=6, score=15), 120


@dataclass(frozen=True)
class Games:
    """How the games are played. A seed makes every game a function of its opening, so a book is needed."""

    count: int
    openings: str
    seed: int = 1
    concurrency: int = 1

    def __post_init__(self) -> None:
        if self.count < 2 or self.count % 2:
            raise ValueError(f"the number of games must be even, not {self.count}: openings are played twice")
        if self.concurrency < 1:
            raise ValueError(f"concurrency must be at least 1, not {self.concurrency}")


@dataclass
class Step:
    """Two neighbours of the table and what their games said; points and Elo are the stronger one's."""

    weaker: Level
    stronger: Level
    pairs: list[tuple[float, float]] = field(default_factory=list)     # points with White and with Black

    @property
    def score(self) -> Score:
        score = Score()
        for pair in self.pairs:
            for points in pair:
                score.add_game(points)
            score.add_pair(sum(pair))
        return score

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
        score = self.score
        return {"weaker": self.weaker.name, "stronger": self.stronger.name, "stated": self.stated,
                "measured": measured, "margin": margin, "is_right": self.is_right, "wins": score.wins,
                "draws": score.draws, "losses": score.losses}


def play(step: Step, games: Games, on_pair: Callable[[Step], None] | None = None) -> None:
    """Play the pairs that a step lacks, several at a time if asked to."""
    book = Openings(games.openings, seed=games.seed).open()
    missing = [book.opening(number) for number in range(len(step.pairs), games.count // 2)]

    def pair(opening: Opening) -> tuple[float, float]:
        return (play_game(opening, step.stronger, step.weaker, games.seed),
                1 - play_game(opening, step.weaker, step.stronger, games.seed))

    with ThreadPoolExecutor(games.concurrency, "game") as pool:
        try:
            for points in pool.map(pair, missing):
                step.pairs.append(points)
                if on_pair is not None:
                    on_pair(step)
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise


def play_game(opening: Opening, white: Level, black: Level, seed: int) -> float:
    """White's points. The searches run on this very thread: at these few nodes starting another one would cost more."""
    players = {True: (white, Pool(HASH_MB)), False: (black, Pool(HASH_MB))}
    board = Position(opening.fen)
    for move in opening.moves:
        board.push(move)
    referee = Referee(RESIGN, DRAWN, LONGEST)
    ending = rules_ending(board)
    while ending is None:
        level, pool = players[board.turn]
        handicap = Handicap(level, seed, board)
        pool.set_multipv(handicap.width)
        found = pool.search(board, handicap.limited({}), None, handicap.hear)
        best, _, info = handicap.decide(found, None)
        score = wdl.centipawns(info.score) * (1 if board.turn else -1)
        board.push(move_name(best, board.chess960))
        ending = referee.ending(board, score)
    return POINTS[ending.result]


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


class Notebook:
    """The pairs played so far, in a file that an interrupted calibration goes on from."""

    def __init__(self, path: Path | None, games: Games) -> None:
        self.path = path
        self.seed = games.seed
        self.known: dict[str, list[tuple[float, float]]] = {}
        if path is not None and path.exists():
            try:
                self.known = {key: [(first, second) for first, second in pairs]
                              for key, pairs in json.loads(path.read_text(encoding="utf-8"))["pairs"].items()}
            except (ValueError, KeyError, TypeError, AttributeError):
                raise ValueError(f"{path} is not a file of games between levels: name another one") from None

    def step(self, weaker: Level, stronger: Level) -> Step:
        """The step between two levels with the games it has."""
        return Step(weaker, stronger, list(self.known.get(self._key(weaker, stronger), [])))

    def keep(self, step: Step) -> None:
        """Write down a step as it is now."""
        self.known[self._key(step.weaker, step.stronger)] = step.pairs
        if self.path is not None:
            temporary = self.path.with_name(self.path.name + ".new")
            temporary.write_text(json.dumps({"pairs": self.known}) + "\n", encoding="utf-8")
            os.replace(temporary, self.path)

    def _key(self, weaker: Level, stronger: Level) -> str:
        """Ratings do not change how a level plays, so they may be corrected between two runs."""
        how = [{key: value for key, value in asdict(level).items() if key != "elo"} for level in (weaker, stronger)]
        return json.dumps([self.seed, *how])
