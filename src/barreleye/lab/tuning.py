"""The search's parameters tuned by games of the engine against itself (SPSA), at fixed nodes or by a clock of nodes.

Pairs of games are kept in notes as those of a duel are, and the numbers follow from their results: a tuning goes on
where it was interrupted, and the same seed gives the same numbers on any number of threads.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any

from barreleye.core.duel import Duel as Board
from barreleye.core.machine import processors
from barreleye.core.parameters import Parameter, numbers, tunable
from barreleye.core.pool import IS_TUNING_BUILD
from barreleye.core.position import Position
from barreleye.engine.random_openings import RandomOpenings
from barreleye.lab.duel import Players, duel, play_pair
from barreleye.lab.entrant import Entrant
from barreleye.lab.notes import Notes
from barreleye.lab.plan import Plan, check_numbers
from barreleye.lab.spsa import Knob, Schedule, Spsa
from barreleye.lab.standing import Pair, Standing
from barreleye.opening_books import Book

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from barreleye.lab.tuning_elsewhere import RemoteTurners

STEPS = 20                      # to a parameter's range: its step, unless another is given
WAIT_S = 0.2                    # between two looks at whether somebody wants to stop
# The forty that most nodes pass by: margins, reductions, histories, order. Guards of depth and counts of one or two
# have too few values to be turned a little.
SEARCH = (
    "ASPIRATION_DELTA", "PAWN_CORRECTION_SCALE", "MINOR_CORRECTION_SCALE", "NON_PAWN_CORRECTION_SCALE",
    "CONTINUATION_CORRECTION_SCALE", "HINDSIGHT_MARGIN", "RAZOR_BASE", "RAZOR_MARGIN", "FUTILITY_MARGIN",
    "FUTILITY_NO_TT_CUT", "NULL_BASE", "NULL_EVAL_DIVISOR", "PROBCUT_BASE", "CAPTURE_FUTILITY_BASE",
    "CAPTURE_FUTILITY_MARGIN", "CAPTURE_SEE_MARGIN", "HISTORY_PRUNING_MARGIN", "HISTORY_DEPTH_DIVISOR",
    "QUIET_FUTILITY_BASE", "QUIET_FUTILITY_NO_BEST", "QUIET_FUTILITY_MARGIN", "QUIET_SEE_MARGIN", "SINGULAR_MARGIN",
    "DOUBLE_MARGIN_BASE", "LMR_TABLE_SCALE", "LMR_DELTA", "LMR_NOT_IMPROVING", "LMR_BASE", "LMR_PV_BASE",
    "LMR_MOVE_COUNT", "LMR_CUT_NODE", "LMR_TT_CAPTURE", "LMR_HISTORY_SCALE", "LMR_HISTORY_BASE", "DEEPER_BASE",
    "QS_FUTILITY_BASE", "BONUS_DEPTH", "MALUS_DEPTH", "THREAT_ORDER_SCALE", "GOOD_QUIET_LIMIT",
)
TIME = (
    "SHARE_BASE", "SHARE_PLY_POWER", "SHARE_PLY_SCALE", "STRETCH_BASE", "STRETCH_MAGNITUDE", "STRETCH_PLIES",
    "FALLING_BASE", "FALLING_AVERAGE", "FALLING_RECENT", "STABLE_BASE", "STABLE_SCALE", "STABLE_SLOPE", "STABLE_DEPTH",
    "STABLE_PREVIOUS", "INSTABILITY_BASE", "INSTABILITY_SCALE", "EFFORT_SHARE", "EFFORT_FACTOR",
)
GROUPS = {"search": SEARCH, "time": TIME}


def knobs(words: Sequence[str], engine: Entrant) -> list[Knob]:
    """The parameters that these words name: a group, a name or pattern, each with `:STEP` if the usual one won't do.

    >>> knobs(["RAZOR_*:12"], Entrant())
    [Knob(name='RAZOR_BASE', start=240, low=100, high=500, step=12.0), \
Knob(name='RAZOR_MARGIN', start=140, low=50, high=300, step=12.0)]
    """
    chosen: dict[str, Knob] = {}
    for word in words:
        pattern, colon, step = word.partition(":")
        names = GROUPS.get(pattern, (pattern,))
        found = [parameter for parameter in tunable() if any(fnmatchcase(parameter.name, name) for name in names)]
        if not found:
            raise ValueError(f"no parameter is called {pattern!r}: core/params.pxd has them all, and there are the "
                             f"groups {' and '.join(GROUPS)}")
        for parameter in found:
            chosen[parameter.name] = knob_of(parameter, engine, _step(word, step) if colon else None)
    return list(chosen.values())


def knob_of(parameter: Parameter, engine: Entrant, step: float | None) -> Knob:
    """A parameter to tune, from the number that the engine has."""
    start = engine.params.get(parameter.name, parameter.default)
    usual = (parameter.high - parameter.low) / STEPS
    return Knob(parameter.name, start, parameter.low, parameter.high, usual if step is None else step)


def _step(word: str, text: str) -> float:
    try:
        step = float(text)
    except ValueError:
        step = 0.0
    if not 0 < step < 1e9:
        raise ValueError(f"{word!r}: a step is a number above 0, as in RAZOR_BASE:20")
    return step


@dataclass
class Tuning:
    """How far a tuning has come: the numbers on their way, and the games of the two sides, about even."""

    spsa: Spsa
    standing: Standing
    plan: Plan
    validation: Standing | None = None      # the tuned engine against the one it began as

    @property
    def is_complete(self) -> bool:
        return self.standing.is_complete

    @property
    def interrupted(self) -> bool:
        """Whether somebody ended it, or the match after it."""
        return self.standing.interrupted or bool(self.validation and self.validation.interrupted)

    @property
    def changes(self) -> dict[str, int]:
        """The numbers that have become others."""
        starts = {knob.name: knob.start for knob in self.spsa.knobs}
        return {name: value for name, value in self.spsa.rounded.items() if value != starts[name]}

    def as_json(self) -> dict[str, Any]:
        """Everything, for programs."""
        rows = [{**asdict(knob), "value": round(value, 3)}
                for knob, value in zip(self.spsa.knobs, self.spsa.values, strict=True)]
        return {"parameters": rows, "changes": self.changes, "games": self.standing.games,
                "wanted": self.standing.total, "rate": self.spsa.schedule.rate, "batch": self.spsa.schedule.batch,
                "seconds": round(self.standing.seconds, 2), "resumed_after": self.standing.found,
                "validation": self.validation.as_json() if self.validation else None,
                "interrupted": self.interrupted}


def tune(chosen: Sequence[Knob], plan: Plan, schedule: Schedule, *, threads: int = 0, notes: Notes | None = None,
         on_change: Callable[[Tuning], object] | None = None, executor: Executor | None = None) -> Tuning:
    """Tune these parameters of the plan's first engine by games as the plan says; threads=0 takes every core.

    Ctrl-C ends it with what there is. on_change hears of it when it begins and after every pair. executor has the games
    played elsewhere.
    """
    if not IS_TUNING_BUILD:
        raise ValueError("this is not a tuning build: build with 'make build TUNE=1' and run .venv-tune/bin/barreleye")
    if not chosen:
        raise ValueError("name at least one parameter to tune")
    check_numbers(2 * schedule.pairs, threads)
    numbers({**plan.first.params, **{knob.name: knob.start for knob in chosen}})        # are they in their ranges?
    book = plan.open_book()
    spsa = Spsa(chosen, schedule, plan.seed)
    tuning = Tuning(spsa, Standing(("one side", "the other"), 2 * schedule.pairs), plan)
    settings = {**plan.described(book), "tuning": {"knobs": [asdict(knob) for knob in chosen], **asdict(schedule)}}
    number, known = notes.take_up(settings, is_alone=True) if notes else (0, [])
    for pair in known:
        tuning.standing.add(pair)
        spsa.add(pair.number, pair.points)
    tuning.standing.found = tuning.standing.games
    done = {pair.number for pair in known}
    missing = [pair for pair in range(schedule.pairs) if pair not in done]
    if on_change is not None:
        on_change(tuning)
    if missing:
        turners: Turners | RemoteTurners
        if executor is not None:
            from barreleye.lab.tuning_elsewhere import RemoteTurners

            turners = RemoteTurners(executor, plan, book, iter(missing), spsa)
        else:
            boards = plan.boards(max(1, min(threads or processors(), len(missing))))
            turners = Turners(boards, book, plan.seed, iter(missing), spsa, plan.first.params)
        with turners:
            _follow(turners, tuning, lambda pair: notes.keep(number, pair) if notes else None, on_change)
    return tuning


def validate(tuning: Tuning, games: int, *, threads: int = 0, notes: Notes | None = None,
             on_change: Callable[[Standing], object] | None = None, executor: Executor | None = None) -> Standing:
    """Have the tuned engine play the one it began as, from other openings than those it was tuned with."""
    plan = tuning.plan
    tuning.validation = duel(replace(plan.first, name="tuned", params={**plan.first.params, **tuning.spsa.rounded}),
                             replace(plan.first, name="start"), games=games, nodes=plan.nodes,
                             openings=plan.openings, seed=plan.seed + 1, threads=threads, rules=plan.rules,
                             clock=plan.clock, notes=notes, on_change=on_change, executor=executor)
    return tuning.validation


def _follow(players: Turners | RemoteTurners, tuning: Tuning, keep: Callable[[Pair], object],
            on_change: Callable[[Tuning], object] | None) -> None:
    """Let the numbers follow the games until all are played or somebody interrupts."""
    began = time.monotonic()
    try:
        for fresh in players.pairs():
            tuning.standing.seconds = time.monotonic() - began
            tuning.standing.cpu_seconds = players.cpu_seconds
            if fresh is not None:
                keep(fresh)
                tuning.standing.add(fresh)
                players.learn(fresh)
                if on_change is not None:
                    on_change(tuning)
    except KeyboardInterrupt:
        tuning.standing.interrupted = True
    finally:
        players.give_up()


class Turners(Players):
    """Players whose engines have other numbers in every pair."""

    def __init__(self, boards: list[Board], book: Book | RandomOpenings, seed: int, numbers: Iterator[int],
                 spsa: Spsa, fixed: Mapping[str, int]) -> None:
        super().__init__(boards, book, seed, numbers)
        self._spsa = spsa
        self._fixed = fixed                     # parameters that stay as they are
        self._news = threading.Condition()
        self._is_over = False

    def learn(self, pair: Pair) -> None:
        """Move the numbers by a pair's result, and let those play on who waited for it."""
        with self._news:
            self._spsa.add(pair.number, pair.points)
            self._news.notify_all()

    def give_up(self) -> None:
        """Let nobody wait for results any more."""
        with self._news:
            self._is_over = True
            self._news.notify_all()

    def _play(self, board: Board, number: int, start: Position) -> Pair | None:
        with self._news:
            while not self._spsa.is_ready(number) and not self._is_over:
                self._news.wait(WAIT_S)
            if self._is_over:
                return None
            one, other = self._spsa.sides(number)
        board.first.set_params({**self._fixed, **one})
        board.second.set_params({**self._fixed, **other})
        return play_pair(board, self._seed, number, start)
