"""SPSA: many numbers tuned at once, by games between two ways of turning all of them a little.

Simultaneous perturbation stochastic approximation (Spall 1992). Each pair of games is played by two engines whose
numbers lie one step to either side of the present ones, every number on a side drawn by lot, and all numbers then move
a little towards the side that won. Steps and moves shrink on the way; the step of a number is the one it ends with.

>>> knob = Knob("RAZOR_BASE", 240, 100, 500, step=20)
>>> search = Spsa([knob], Schedule(pairs=100), seed=1)
>>> search.sides(0)
({'RAZOR_BASE': 208}, {'RAZOR_BASE': 272})
>>> for number in range(100):
...     one, other = search.sides(number)
...     search.add(number, 2.0 if one["RAZOR_BASE"] > other["RAZOR_BASE"] else 0.0)     # the higher number wins
>>> search.rounded
{'RAZOR_BASE': 252}
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass

ALPHA, GAMMA = 0.602, 0.101     # how fast moves and steps shrink (Spall)
STABILITY = 0.1                 # of all pairs: as if so many had been played before the first
RATE = 0.002                    # of a step: how far a won game moves a number at the end
BATCH = 16                      # pairs between two moves of the numbers


@dataclass(frozen=True)
class Knob:
    """A number that is tuned, the range it stays in, and how far it is turned for the last games."""

    name: str
    start: int
    low: int
    high: int
    step: float


@dataclass(frozen=True)
class Schedule:
    """How many pairs are played, and how large their steps and moves are."""

    pairs: int
    rate: float = RATE
    batch: int = BATCH

    def __post_init__(self) -> None:
        if self.pairs < 1 or self.batch < 1 or not 0 < self.rate <= 1:
            raise ValueError(f"expected at least 1 pair and 1 to a batch, and a rate above 0 and up to 1, not "
                             f"{self.pairs}, {self.batch}, {self.rate:g}")

    def stretch(self, number: int) -> float:
        """How many times as large as at the end the steps of a pair are."""
        return float((self.pairs / (number + 1)) ** GAMMA)

    def gain(self, number: int) -> float:
        """What part of its step a number moves for a game won in this pair."""
        before = STABILITY * self.pairs
        fading = float(((before + self.pairs) / (before + number + 1)) ** ALPHA)
        return self.rate * fading / self.stretch(number) ** 2


class Spsa:
    """The numbers on their way. Results may come in any order; they count by batches, in the order of their numbers.

    A batch is played with the numbers as they were before the batch before it, so that nobody has to wait for the last
    game of a batch; what comes out depends on the results alone.
    """

    def __init__(self, knobs: Sequence[Knob], schedule: Schedule, seed: int = 1) -> None:
        self.knobs = tuple(knobs)
        self.schedule = schedule
        self.seed = seed
        self.path: list[list[float]] = [[float(knob.start) for knob in self.knobs]]     # after each batch
        self._results: dict[int, float] = {}

    @property
    def values(self) -> list[float]:
        """Where the numbers are now."""
        return self.path[-1]

    @property
    def rounded(self) -> dict[str, int]:
        """The same as whole numbers, by name."""
        return {knob.name: math.floor(value + 0.5) for knob, value in zip(self.knobs, self.values, strict=True)}

    def is_ready(self, number: int) -> bool:
        """Whether the numbers that a pair is played with are known."""
        return self._before(number) < len(self.path)

    def sides(self, number: int) -> tuple[dict[str, int], dict[str, int]]:
        """The numbers of the two engines that play a pair."""
        chance = random.Random(f"spsa {self.seed} {number}")
        stretch = self.schedule.stretch(number)
        sides: tuple[dict[str, int], dict[str, int]] = {}, {}
        for knob, value, flip in zip(self.knobs, self.path[self._before(number)], self._flips(number), strict=True):
            # Rounded up as often as its fraction says, so that a step below one is a step now and then.
            luck = chance.random()
            for side, turn in zip(sides, (flip, -flip), strict=True):
                turned = math.floor(value + turn * stretch * knob.step + luck)
                side[knob.name] = min(knob.high, max(knob.low, turned))
        return sides

    def add(self, number: int, points: float) -> None:
        """Hear what the first side of a pair scored, 0 to 2 points; a complete batch moves the numbers."""
        self._results[number] = points
        while True:
            first = (len(self.path) - 1) * self.schedule.batch
            batch = range(first, min(first + self.schedule.batch, self.schedule.pairs))
            if not batch or not all(pair in self._results for pair in batch):
                return
            self._move(batch)

    def _move(self, batch: range) -> None:
        values = list(self.values)
        for number in batch:
            won = 2 * self._results.pop(number) - 2
            pull = self.schedule.gain(number) * self.schedule.stretch(number) * won
            for index, (knob, flip) in enumerate(zip(self.knobs, self._flips(number), strict=True)):
                values[index] = min(knob.high, max(knob.low, values[index] + pull * knob.step * flip))
        self.path.append(values)

    def _flips(self, number: int) -> list[int]:
        """To which side each number is turned for the first engine of a pair."""
        chance = random.Random(f"spsa flips {self.seed} {number}")
        return [chance.choice((-1, 1)) for _ in self.knobs]

    def _before(self, number: int) -> int:
        """How many batches have moved the numbers that a pair is played with."""
        return max(0, number // self.schedule.batch - 1)
