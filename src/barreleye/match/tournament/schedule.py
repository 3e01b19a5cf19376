"""Who plays whom: games numbered from 0 so that an interrupted match knows exactly which are missing."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations


@dataclass(frozen=True)
class Fixture:
    """One game to be played. Two games of one opening share a `pair`; `opening` counts those of a pairing."""

    number: int
    pair: int
    white: int
    black: int
    opening: int


class Schedule:
    """Round after round every pairing plays one opening twice with colours reversed, the same opening in all pairings.

    A longer match begins with the games of a shorter one.
    """

    def __init__(self, players: int, games_per_pairing: int, gauntlet: bool = False) -> None:
        everyone = list(combinations(range(players), 2))
        self.pairings = [pairing for pairing in everyone if pairing[0] == 0] if gauntlet else everyone
        self.total = games_per_pairing * len(self.pairings)

    def fixture(self, number: int) -> Fixture:
        pair, second = divmod(number, 2)
        opening, which = divmod(pair, len(self.pairings))
        first, other = self.pairings[which]
        white, black = (other, first) if second else (first, other)
        return Fixture(number, pair, white, black, opening)
