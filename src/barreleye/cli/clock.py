"""The clock of a game in the terminal."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass
class Clock:
    """Both sides' time in seconds, from the first move on."""

    base_s: float
    increment_s: float
    left: dict[bool, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.left = {True: self.base_s, False: self.base_s}

    @classmethod
    def parse(cls, text: str) -> Clock:
        """Minutes and seconds a move, as 10+5 or 10.

        >>> Clock.parse("3+2").left
        {True: 180.0, False: 180.0}
        """
        minutes, _, seconds = text.partition("+")
        try:
            base, increment = 60 * float(minutes), float(seconds or 0)
        except ValueError:
            base = increment = -1.0
        if not 0 < base < 1e6 or not 0 <= increment < 1e6:
            raise ValueError(f"--time is {text!r}, expected minutes and seconds a move, as 10+5")
        return cls(base, increment)

    @classmethod
    def of_header(cls, text: str) -> Clock | None:
        """What PGN's TimeControl says, in seconds; None when it says nothing that we know.

        >>> Clock.of_header("300+3"), Clock.of_header("-")
        (Clock(base_s=300.0, increment_s=3.0, left={True: 300.0, False: 300.0}), None)
        """
        base, _, increment = text.partition("+")
        try:
            clock = cls(float(base), float(increment or 0))
        except ValueError:
            return None
        return clock if 0 < clock.base_s < 1e6 and 0 <= clock.increment_s < 1e6 else None

    @property
    def header(self) -> str:
        """What PGN's TimeControl should say."""
        return f"{self.base_s:g}+{self.increment_s:g}"

    def set_back(self, clocks: list[float | None], white_first: bool) -> None:
        """Have what both sides had left after their last moves."""
        for white in (True, False):
            own = [left for left in clocks[white != white_first::2] if left is not None]
            self.left[white] = own[-1] if own else self.base_s

    def spend(self, white: bool, seconds: float) -> bool:
        """Take time off a side's clock; False when it has run out."""
        self.left[white] -= seconds
        if self.left[white] <= 0:
            return False
        self.left[white] += self.increment_s
        return True

    def text(self, white: bool) -> str:
        seconds = max(0, int(self.left[white]))
        return f"{seconds // 60}:{seconds % 60:02}"
