"""Engine options: one table with name, kind, default and range, read by the engine and printed by `uci`."""

from __future__ import annotations

from dataclasses import dataclass

from barreleye import levels
from barreleye.core.parameters import tunable
from barreleye.core.pool import IS_TUNING_BUILD
from barreleye.core.techniques import TECHNIQUES

Value = bool | int | str | None


@dataclass(frozen=True, slots=True)
class Option:
    """One option as UCI knows it. A button has no value; setting it does something."""

    name: str
    kind: str
    default: Value = None
    minimum: int = 0
    maximum: int = 0
    help: str = ""

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


# In a tuning build every number of params.pxd is an option.
PARAMETERS = tuple(Option(name, "spin", default, low, high, help=meaning)
                   for name, default, low, high, meaning in (tunable() if IS_TUNING_BUILD else ()))
OPTIONS = (
    Option("Debug Log File", "string", "", help="write the whole conversation to this file"),
    Option("Threads", "spin", 1, 1, 1024, help="search threads"),
    Option("Hash", "spin", 16, 1, 33_554_432, help="size of the transposition table in MiB"),
    Option("Clear Hash", "button", help="forget the table and all that was learned"),
    Option("Ponder", "check", False, help="the GUI may let the engine think on the opponent's time"),
    Option("MultiPV", "spin", 1, 1, 256, help="how many lines to report"),
    Option("Skill Level", "spin", levels.FULL_SKILL, 0, levels.FULL_SKILL, help="0 plays weakest, 20 its best"),
    Option("UCI_LimitStrength", "check", False, help="play like somebody rated UCI_Elo"),
    Option("UCI_Elo", "spin", levels.DEFAULT_ELO, levels.LEAST_ELO, levels.MOST_ELO, help="the rating to play like"),
    Option("Strength Seed", "spin", 0, 0, levels.SEED_LIMIT,
           help="a limited engine chooses alike under the same seed, 0 too"),
    Option("Move Overhead", "spin", 10, 0, 5000, help="milliseconds lost between engine and GUI at each move"),
    Option("nodestime", "spin", 0, 0, 10_000, help="count the clock in nodes, so many a millisecond; 0 is real time"),
    Option("SyzygyPath", "string", "", help="folders with endgame tablebases, separated as the system separates paths"),
    Option("SyzygyProbeDepth", "spin", 1, 1, 100, help="least depth at which the largest tablebases are asked"),
    Option("Syzygy50MoveRule", "check", True, help="a tablebase win that takes more than fifty moves is a draw"),
    Option("SyzygyProbeLimit", "spin", 7, 0, 7, help="ask tablebases about positions of up to so many men"),
    Option("EvalFile", "string", "", help="a network file to evaluate by instead of the one that comes with Barreleye"),
    Option("UCI_Chess960", "check", False, help="castling moves are written king takes rook"),
    Option("UCI_ShowWDL", "check", False, help="report win, draw and loss chances with each score"),
    Option("UCI_AnalyseMode", "check", False, help="accepted for GUIs that send it; analysis and play search alike"),
    *(Option(technique.option, "check", technique.default, help=f"{technique.description} ({technique.item})")
      for technique in TECHNIQUES),
    *PARAMETERS,
)
BY_NAME = {option.name.lower(): option for option in OPTIONS}


def find(name: str) -> Option:
    """The option of that name, in any case and spacing; ValueError when there is none."""
    option = BY_NAME.get(" ".join(name.lower().split()))
    if option is None:
        raise ValueError(f"no such option: {name}")
    return option
