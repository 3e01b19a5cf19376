"""What a search may use up: one frozen record, checked once, whoever asks and in whatever words."""

from __future__ import annotations

import difflib
import math
import operator
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    import chess.engine

    AnyLimit: TypeAlias = "chess.engine.Limit | Mapping[str, float] | Limits"

MOST_MS = 1 << 40           # some thirty years; a thousand times as much still fits where the search counts
MOST_COUNT = (1 << 31) - 1
MOST_NODES = 1 << 62
# What each number may be. Inside the search zero means that there is no such limit.
RANGES = {
    "wtime": (0, MOST_MS), "btime": (0, MOST_MS), "winc": (0, MOST_MS), "binc": (0, MOST_MS), "movetime": (1, MOST_MS),
    "movestogo": (0, MOST_COUNT), "depth": (1, MOST_COUNT), "mate": (1, MOST_COUNT),
    "nodes": (1, MOST_NODES), "softnodes": (1, MOST_NODES),
}
# What a chess.engine.Limit says, what UCI calls it, and the least that python-chess lets one say. A search has to look
# at something, so nothing at all becomes the least there is.
SECONDS = {"time": ("movetime", 0), "white_clock": ("wtime", None), "black_clock": ("btime", None),
           "white_inc": ("winc", None), "black_inc": ("binc", None)}
COUNTS = {"depth": ("depth", 1), "nodes": ("nodes", 0), "mate": ("mate", 0), "remaining_moves": ("movestogo", None)}


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits by their UCI names, times in milliseconds; None is no limit.

    softnodes lets no further iteration begin after so many nodes. An infinite search answers only when it is stopped;
    one without any limit also when it has reached the last depth.

    >>> Limits.of({"time": 0.5})
    Limits(movetime=500)
    >>> Limits.of({"depht": 3})
    Traceback (most recent call last):
      ...
    ValueError: no such limit: depht; did you mean depth?
    """

    wtime: int | None = None
    btime: int | None = None
    winc: int | None = None
    binc: int | None = None
    movestogo: int | None = None
    movetime: int | None = None
    depth: int | None = None
    nodes: int | None = None
    softnodes: int | None = None
    mate: int | None = None
    infinite: bool = False
    ponder: bool = False

    def __post_init__(self) -> None:
        """Refuse what cannot be meant."""
        for name, (least, most) in RANGES.items():
            value = getattr(self, name)
            if value is None:
                continue
            try:
                number = -1 if isinstance(value, bool) else operator.index(value)
            except TypeError:
                number = -1
            if not least <= number <= most:
                raise ValueError(f"{name} is {value!r}, expected a whole number from {least} to {most}")
            object.__setattr__(self, name, number)
        for name in ("infinite", "ponder"):
            object.__setattr__(self, name, bool(getattr(self, name)))

    @classmethod
    def of(cls, limit: AnyLimit | None) -> Limits:
        """Limits given as such, as a chess.engine.Limit, or as a mapping in the words of UCI or of python-chess.

        Without anything that ends it the search is infinite.
        """
        if isinstance(limit, Limits):
            return limit
        found = cls(**(of_words(limit) if isinstance(limit, Mapping) else of_limit(limit)))
        return found if found.ends or found.ponder or found.infinite else replace(found, infinite=True)

    @property
    def ends(self) -> bool:
        """Whether a search under them comes to an end by itself."""
        return any(getattr(self, name) is not None for name in ENDING)

    @property
    def has_clock(self) -> bool:
        """Whether a player's clock runs."""
        return self.wtime is not None or self.btime is not None

    def words(self) -> dict[str, int]:
        """Those that are set, as the compiled search takes them."""
        return {name: value for name in NAMES if (value := getattr(self, name)) is not None and value is not False}

    def capped(self, soft: int, hard: int) -> Limits:
        """The same with no more nodes than hard, and no iteration begun after soft, unless that is 0."""
        nodes = hard if self.nodes is None else min(hard, self.nodes)
        return replace(self, softnodes=soft or self.softnodes, nodes=nodes)

    def pondering(self, white: bool, used_s: float) -> Limits:
        """The same clock after our move and the expected reply: increments come in, what we used goes off."""
        changes: dict[str, Any] = {}
        for clock, increment, is_ours in (("wtime", "winc", white), ("btime", "binc", not white)):
            if (left := getattr(self, clock)) is not None:
                used_ms = round(1000 * used_s) if is_ours else 0
                changes[clock] = max(1, left + (getattr(self, increment) or 0) - used_ms)
        moves = (self.movestogo or 0) - 1
        return replace(self, **changes, movestogo=moves if moves > 0 else None, ponder=True)

    def __repr__(self) -> str:
        return f"Limits({', '.join(f'{name}={value}' for name, value in self.words().items())})"


NAMES = tuple(field.name for field in fields(Limits))
ENDING = ("wtime", "btime", "movetime", "depth", "nodes", "softnodes", "mate")


def of_words(words: Mapping[str, Any]) -> dict[str, Any]:
    """A mapping in the words of UCI or of python-chess, in the words of UCI alone."""
    found: dict[str, Any] = {}
    for name, value in words.items():
        if name in NAMES:
            word, number = name, value
        elif name in SECONDS or name in COUNTS:
            ((word, number),) = said(name, value).items() or [("", None)]
        else:
            close = difflib.get_close_matches(str(name), [*NAMES, *SECONDS, *COUNTS], n=1)
            guess = f"did you mean {close[0]}?" if close else f"there are {', '.join(NAMES)}"
            raise ValueError(f"no such limit: {name}; {guess}")
        if word in found:
            raise ValueError(f"{name} repeats another limit: give {word} only once")
        found[word] = number
    return {word: number for word, number in found.items() if number is not None}


def of_limit(limit: chess.engine.Limit | None) -> dict[str, Any]:
    """What a chess.engine.Limit asks for, in the words of UCI."""
    if limit is None:
        return {}
    found: dict[str, Any] = {}
    for name in (*SECONDS, *COUNTS):
        try:
            value = getattr(limit, name)
        except AttributeError:
            raise TypeError(f"{limit!r} is not a limit: give a chess.engine.Limit such as Limit(time=1), "
                            "or a mapping such as {'nodes': 10000}") from None
        if value is not None:
            found |= said(name, value)
    return found


def said(name: str, value: Any) -> dict[str, int]:
    """One limit of python-chess in the words of UCI; nothing when it says nothing."""
    word, least = (SECONDS | COUNTS)[name]
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value) \
            or (least is not None and value < least):
        raise ValueError(f"the limit's {name} is {value!r}, expected a number"
                         + ("" if least is None else f" of at least {least}"))
    number = round(1000 * value) if name in SECONDS else int(value)
    if word == "movestogo":
        return {word: number} if number > 0 else {}
    # A clock that has run out still leaves a moment; an increment may be none.
    return {word: max(0 if word in ("winc", "binc") else 1, number)}
