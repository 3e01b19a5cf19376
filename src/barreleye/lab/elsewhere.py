"""Duels on a cluster: pairs of games played by its workers, each at a board that it keeps."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from operator import length_hint
from pathlib import Path

from barreleye import nets
from barreleye.core.duel import Duel as Board
from barreleye.engine.random_openings import RandomOpenings
from barreleye.lab.duel import play_pair, position_of
from barreleye.lab.entrant import NO_NET, Entrant
from barreleye.lab.plan import Plan
from barreleye.lab.standing import Pair
from barreleye.opening_books import Book, Start
from barreleye.work import parcels
from barreleye.work.crew import Crew, never
from barreleye.work.facts import needs_of


class BoardTool:
    """A board with both engines, and openings where they are made by chance."""

    def __init__(self, plan: Plan) -> None:
        self.board: Board = plan.boards(1)[0]
        self.openings = None if plan.openings else plan.open_book()

    def stop(self) -> None:
        self.board.stop()

    def close(self) -> None:
        """Nothing is held that is not freed with it."""


@dataclass(frozen=True)
class PairWork:
    """The pairs of a duel. Its engines name networks by their digests; a book is read by whoever sends it."""

    plan: Plan

    def tool(self) -> BoardTool:
        first, second = (with_network(entrant) for entrant in (self.plan.first, self.plan.second))
        return BoardTool(replace(self.plan, first=first, second=second))

    def do(self, tool: BoardTool, item: tuple[int, Start | None], over: threading.Event) -> Pair | None:
        number, opening = item
        if opening is None:
            assert tool.openings is not None, "this duel has a book"
            opening = tool.openings.opening(number)
        return play_pair(tool.board, self.plan.seed, number, position_of(opening))

    def identity(self) -> str:
        return ""


class RemotePlayers:
    """A cluster's workers that play the pairs of given numbers; the pairs come in the order of their numbers."""

    work = PairWork
    name = "duel-pairs"
    is_tuning = False

    def __init__(self, executor: Executor, plan: Plan, book: Book | RandomOpenings, numbers: Iterator[int],
                 stop: threading.Event | None = None) -> None:
        networks = [Path(entrant.net) for entrant in (plan.first, plan.second) if entrant.net not in ("", NO_NET)]
        needs, files = needs_of(networks, [plan.rules.syzygy],
                                is_tuning=bool(self.is_tuning or plan.first.params or plan.second.params))
        sent = replace(plan, first=portable(plan.first), second=portable(plan.second))
        self._crew = Crew(executor, self.work(sent), self.name, needs, files)
        self._book, self._numbers = book, numbers
        self._until = stop.is_set if stop is not None else never

    @property
    def cpu_seconds(self) -> float:
        return self._crew.cpu_seconds

    def pairs(self) -> Iterator[Pair]:
        """The pairs as they are due."""
        items = ((number, self.opening(number)) for number in self._numbers)
        return self._crew.in_order(items, self._until, length_hint(self._numbers))

    def opening(self, number: int) -> Start | None:
        """Where a pair begins; None for an opening by chance, which an engine looks at: whoever plays it makes it."""
        return None if isinstance(self._book, RandomOpenings) else self._book.opening(number)

    def __enter__(self) -> RemotePlayers:
        return self

    def __exit__(self, *_: object) -> None:
        self._crew.close()


def portable(entrant: Entrant) -> Entrant:
    """An engine whose network is named by its digest."""
    return entrant if entrant.net in ("", NO_NET) else replace(entrant, net=nets.inspect(entrant.net).digest)


def with_network(entrant: Entrant) -> Entrant:
    """The same engine where its network has been sent to."""
    return entrant if entrant.net in ("", NO_NET) else replace(entrant, net=str(parcels.path_of(entrant.net)))
