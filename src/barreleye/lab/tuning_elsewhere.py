"""Tuning on a cluster: pairs played by its workers, whose engines have other numbers in every pair."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import Executor
from dataclasses import dataclass
from itertools import takewhile
from typing import Any

from barreleye.engine.random_openings import RandomOpenings
from barreleye.lab.elsewhere import BoardTool, PairWork, RemotePlayers
from barreleye.lab.plan import Plan
from barreleye.lab.spsa import Spsa
from barreleye.lab.standing import Pair
from barreleye.opening_books import Book


@dataclass(frozen=True)
class TurnedWork(PairWork):
    """Pairs that come with the parameters of both engines."""

    def do(self, tool: BoardTool, item: Any, over: threading.Event) -> Pair | None:
        number, opening, one, other = item
        tool.board.first.set_params(one)
        tool.board.second.set_params(other)
        return super().do(tool, (number, opening), over)


class RemoteTurners(RemotePlayers):
    """A cluster's workers that play pairs whose numbers follow from earlier pairs."""

    work = TurnedWork
    name = "tuning-pairs"
    is_tuning = True

    def __init__(self, executor: Executor, plan: Plan, book: Book | RandomOpenings, numbers: Iterator[int],
                 spsa: Spsa) -> None:
        super().__init__(executor, plan, book, numbers)
        self._spsa = spsa
        self._fixed = plan.first.params

    def learn(self, pair: Pair) -> None:
        """Move the numbers by a pair's result."""
        self._spsa.add(pair.number, pair.points)

    def give_up(self) -> None:
        """Nobody waits here for results: leaving the `with` block calls off what is under way."""

    def pairs(self) -> Iterator[Pair]:
        """The pairs as they are due: those whose numbers are known, then those that are known after them."""
        missing = list(self._numbers)
        while missing:
            ready = list(takewhile(self._spsa.is_ready, missing))
            missing = missing[len(ready):]
            sides = [self._spsa.sides(number) for number in ready]
            items = ((number, self.opening(number), {**self._fixed, **one}, {**self._fixed, **other})
                     for number, (one, other) in zip(ready, sides, strict=True))
            yield from self._crew.in_order(items, total=len(ready))
