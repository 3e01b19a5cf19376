"""Engine options: one table with name, kind, default, range and what each does when it is set.

The engine reads it, `uci` prints it. A new option is one entry here.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from barreleye import levels, nets
from barreleye.core.facts import MAX_HASH_MB, MAX_THREADS
from barreleye.core.parameters import tunable
from barreleye.core.pool import IS_TUNING_BUILD
from barreleye.core.techniques import TECHNIQUES
from barreleye.engine.own_book import open_book

if TYPE_CHECKING:
    from barreleye.engine.searcher import Searcher

Value: TypeAlias = bool | int | str | None


@dataclass(frozen=True, slots=True)
class Option:
    """One option as UCI knows it. A button has no value; setting it does something."""

    name: str
    kind: str
    default: Value = None
    minimum: int = 0
    maximum: int = 0
    help: str = ""
    effect: Callable[[Searcher, Any], object] | None = None    # of setting it, between searches; raises to refuse
    check: Callable[[Any], object] | None = None    # raises what is wrong with a value before anything is changed
    clamps: bool = False              # more than the maximum counts as the maximum
    is_managed: bool = False          # set from search to search by the arguments of play and analysis
    is_of_search: bool = False        # changes what a search finds, even from a clean state

    def parse(self, value: object) -> Value:
        """The value meant by text or a Python object; ValueError says what would be right."""
        if self.kind == "button":
            return None
        if self.kind == "check":
            text = str(value).strip().lower()
            if text not in ("true", "false"):
                raise ValueError(f"{self.name} is {value!r}, expected true or false")
            return text == "true"
        if self.kind == "spin":
            try:
                number = int(str(value).strip())
            except ValueError:
                number = self.minimum - 1
            if self.clamps:
                number = min(number, self.maximum)
            if not self.minimum <= number <= self.maximum:
                raise ValueError(f"{self.name} is {value!r}, expected a number from {self.minimum} to {self.maximum}")
            return number
        text = "" if value is None else str(value).strip()
        return "" if text in ("<empty>", "None") else text

    def declaration(self) -> str:
        """The line that `uci` answers with."""
        line = f"option name {self.name} type {self.kind}"
        if self.kind == "check":
            return f"{line} default {'true' if self.default else 'false'}"
        if self.kind == "spin":
            return f"{line} default {self.default} min {self.minimum} max {self.maximum}"
        return f"{line} default {self.default or '<empty>'}" if self.kind == "string" else line


def switch(technique: int) -> Callable[[Searcher, bool], None]:
    """What turning a technique on or off does."""
    return lambda searcher, on: searcher.pool.switch(technique, on)


def set_parameter(name: str, default: int) -> Callable[[Searcher, int], None]:
    """What giving a number of params.pxd another value does, in a tuning build."""
    def effect(searcher: Searcher, number: int) -> None:
        others = {other: value for other, value in searcher.pool.params.items() if other != name}
        searcher.pool.set_params(others if number == default else {**others, name: number})

    return effect


def check_network(path: str) -> None:
    """Refuse a file that is no network."""
    if path:
        nets.load(path)


# In a tuning build every number of params.pxd is an option.
PARAMETERS = tuple(Option(name, "spin", default, low, high, help=meaning, effect=set_parameter(name, default),
                          is_of_search=True)
                   for name, default, low, high, meaning in (tunable() if IS_TUNING_BUILD else ()))
OPTIONS = (
    Option("Debug Log File", "string", "", help="write the whole conversation to this file",
           effect=lambda searcher, path: searcher.on_log and searcher.on_log(path)),
    Option("Threads", "spin", 1, 1, MAX_THREADS, help="search threads",
           effect=lambda searcher, count: searcher.pool.set_threads(count)),
    Option("Hash", "spin", 16, 1, MAX_HASH_MB, help="size of the transposition table in MiB",
           effect=lambda searcher, size_mb: searcher.pool.set_hash(size_mb)),
    Option("Clear Hash", "button", help="forget the table and everything the search has learned",
           effect=lambda searcher, _: searcher.pool.new_game()),
    Option("Ponder", "check", False, help="the GUI may let the engine think on the opponent's time", is_managed=True),
    Option("MultiPV", "spin", 1, 1, 256, help="how many lines to report", clamps=True, is_managed=True),
    Option("Skill Level", "spin", levels.FULL_SKILL, 0, levels.FULL_SKILL, help="0 plays weakest, 20 its best"),
    Option("UCI_LimitStrength", "check", False, help="play at the strength given by UCI_Elo"),
    Option("UCI_Elo", "spin", levels.DEFAULT_ELO, levels.LEAST_ELO, levels.MOST_ELO, help="the rating to play at"),
    Option("Strength Seed", "spin", 0, 0, levels.SEED_LIMIT,
           help="at limited strength, the same seed gives the same choices in the same positions; 0 draws one for each "
                "game"),
    Option("Move Overhead", "spin", 10, 0, 5000, help="milliseconds lost between engine and GUI on each move"),
    Option("nodestime", "spin", 0, 0, 10_000, help="measure time in nodes, so many to a millisecond; 0 is real time",
           effect=lambda searcher, nodes_per_ms: searcher.pool.set_nodestime(nodes_per_ms)),
    Option("SyzygyPath", "string", "", help="folders with endgame tablebases, separated as the system separates paths",
           effect=lambda searcher, path: searcher.open_tables(path)),
    Option("SyzygyProbeDepth", "spin", 1, 1, 100, help="lowest remaining depth at which the largest tables are probed",
           effect=lambda searcher, depth: searcher.use_tables(SyzygyProbeDepth=depth)),
    Option("Syzygy50MoveRule", "check", True, help="a tablebase win that takes more than fifty moves is a draw",
           effect=lambda searcher, holds: searcher.use_tables(Syzygy50MoveRule=holds)),
    Option("SyzygyProbeLimit", "spin", 7, 0, 7, help="probe tables for positions of up to this many men",
           effect=lambda searcher, men: searcher.use_tables(SyzygyProbeLimit=men)),
    Option("EvalFile", "string", "", help="a network file to use instead of the one that comes with Barreleye",
           effect=lambda searcher, path: searcher.set_network(path), check=check_network, is_of_search=True),
    Option("OwnBook", "check", True, help="play from the book that Book File names, if it names one"),
    Option("Book File", "string", "", help="an opening book in the format of Polyglot (.bin)",
           effect=lambda searcher, path: searcher.own_book.open(path), check=open_book),
    Option("Book Depth", "spin", 255, 1, 1000, help="the last move of a game that may come from the book"),
    Option("Best Book Move", "check", False, help="always the book's first choice instead of one by chance"),
    Option("UCI_Chess960", "check", False, help="castling moves are written king takes rook", is_managed=True),
    Option("UCI_ShowWDL", "check", False, help="report the chances of a win, a draw and a loss with each score"),
    Option("UCI_AnalyseMode", "check", False, help="no moves from the book; nothing else changes"),
    *(Option(technique.option, "check", technique.default, help=f"{technique.description} ({technique.item})",
             effect=switch(number), is_of_search=True)
      for number, technique in enumerate(TECHNIQUES)),
    *PARAMETERS,
)
BY_NAME = {option.name.lower(): option for option in OPTIONS}


def find(name: str) -> Option:
    """The option of that name, in any case and spacing; ValueError when there is none."""
    option = BY_NAME.get(" ".join(name.lower().split()))
    if option is None:
        close = difflib.get_close_matches(name.lower(), BY_NAME, n=1)
        raise ValueError(f"no such option: {name}" + (f"; did you mean {BY_NAME[close[0]].name}?" if close else ""))
    return option
