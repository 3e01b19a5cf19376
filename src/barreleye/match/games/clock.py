"""Time controls: what a player may spend on a move, and the clock that counts it."""

from __future__ import annotations

import re
from dataclasses import dataclass

_NUMBER = r"(\d+(?:\.\d+)?)"
_CLOCK = re.compile(rf"(?:(\d+)/)?{_NUMBER}(?:\+{_NUMBER})?")


@dataclass(frozen=True)
class TimeControl:
    """One of: a clock (base, increment, moves per session), a time, a node count or a depth for each move."""

    base_ms: int = 0
    increment_ms: int = 0
    moves: int = 0  # per session; 0 is the whole game
    movetime_ms: int = 0
    nodes: int = 0
    depth: int = 0

    @classmethod
    def parse(cls, text: str) -> TimeControl:
        """Read `40/60+0.6`, `8+0.08`, `60`, `st=0.1`, `nodes=5000` or `depth=8`; times are in seconds.

        >>> TimeControl.parse("40/60+0.6")
        TimeControl(base_ms=60000, increment_ms=600, moves=40, movetime_ms=0, nodes=0, depth=0)
        """
        kind, _, value = text.strip().partition("=")
        try:
            if kind == "st" and float(value) > 0:
                return cls(movetime_ms=max(1, round(float(value) * 1000)))
            if kind in ("nodes", "depth") and int(value) > 0:
                return cls(**{kind: int(value)})
        except ValueError:
            pass
        found = _CLOCK.fullmatch(kind) if not value else None
        if found:
            moves, base, increment = found.groups()
            control = cls(round(float(base) * 1000), round(float(increment or 0) * 1000), int(moves or 0))
            if control.base_ms > 0:
                return control
        raise ValueError(f"{text!r} is not a time control: try 8+0.08, 40/60+0.6, st=0.1, nodes=5000 or depth=8")

    @property
    def is_clock(self) -> bool:
        return self.base_ms > 0

    def __str__(self) -> str:
        if self.movetime_ms:
            return f"st={self.movetime_ms / 1000:g}"
        if self.nodes:
            return f"nodes={self.nodes}"
        if self.depth:
            return f"depth={self.depth}"
        session = f"{self.moves}/" if self.moves else ""
        return f"{session}{self.base_ms / 1000:g}" + (f"+{self.increment_ms / 1000:g}" if self.increment_ms else "")


class GameClock:
    """One player's clock during one game."""

    def __init__(self, control: TimeControl) -> None:
        self.control = control
        self.remaining_ms = float(control.base_ms)
        self.moves_to_go = control.moves

    def budget_ms(self) -> float | None:
        """How long the next move may take, or None where only nodes or depth are limited."""
        if self.control.is_clock:
            return self.remaining_ms
        return float(self.control.movetime_ms) or None

    def spend(self, elapsed_ms: float, margin_ms: float) -> bool:
        """Take a move's time off the clock; False when the flag has fallen, which the margin alone forgives."""
        budget = self.budget_ms()
        if budget is None:
            return True
        if elapsed_ms > budget + margin_ms:
            return False
        if self.control.is_clock:
            self.remaining_ms = max(0.0, self.remaining_ms - elapsed_ms) + self.control.increment_ms
            if self.control.moves:
                self.moves_to_go -= 1
                if self.moves_to_go == 0:
                    self.moves_to_go = self.control.moves
                    self.remaining_ms += self.control.base_ms
        return True


def go_command(white: GameClock, black: GameClock, white_to_move: bool) -> str:
    """The `go` line for the side to move. Against an opponent without a clock it is shown its own time twice."""
    mine, other = (white, black) if white_to_move else (black, white)
    control = mine.control
    if control.movetime_ms:
        return f"go movetime {control.movetime_ms}"
    if control.nodes:
        return f"go nodes {control.nodes}"
    if control.depth:
        return f"go depth {control.depth}"
    if not other.control.is_clock:
        white = black = mine
    words = [f"go wtime {_whole(white.remaining_ms)} btime {_whole(black.remaining_ms)}"]
    if white.control.increment_ms or black.control.increment_ms:
        words.append(f"winc {white.control.increment_ms} binc {black.control.increment_ms}")
    if control.moves:
        words.append(f"movestogo {mine.moves_to_go}")
    return " ".join(words)


def _whole(milliseconds: float) -> int:
    return max(1, int(milliseconds))
