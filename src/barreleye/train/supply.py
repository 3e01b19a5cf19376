"""Positions on their way from files to the learner: set apart by games, filtered, and mixed by windows.

Files are looked through once, in blocks of whole games, to learn which positions to learn from; after that only as many
positions are in memory as are mixed with one another. In each epoch the blocks come in another order, and the positions
of a window of blocks in any order: neighbours in a game meet in one batch hardly more often than if all were mixed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from barreleye.core.learner import mix
from barreleye.train.dataset import RECORD, Part, Records, game_numbers
from barreleye.train.foresight import look_ahead

BLOCK = 32_768                  # positions read at once
WINDOW = 1 << 22                # positions mixed with one another: 128 MB
MOST_CHECKED = 1_000_000        # a check learns nothing from more
SAMPLE = 1_000_000              # positions that tell what the others are like

Numbers = np.ndarray[Any, Any]


@dataclass(frozen=True, slots=True)
class Block:
    """Whole games that stand side by side in a file."""

    part: Part
    first: int
    count: int
    learned: int                # positions to learn from
    mask: bytes                 # which ones, a bit each; empty if all

    def indices(self) -> Numbers:
        """The positions to learn from by their places in the block."""
        if not self.mask:
            return np.arange(self.count, dtype=np.uint32)
        bits = np.unpackbits(np.frombuffer(self.mask, np.uint8), count=self.count)
        return np.flatnonzero(bits).astype(np.uint32)


def chances(games: Numbers, seed: int) -> Numbers:
    """A number from 0 to 1 for each game, as good as random and always the same (splitmix64)."""
    with np.errstate(over="ignore"):
        word = (games.astype(np.uint64) + np.uint64(1) + np.uint64(seed) * np.uint64(0xD1B54A32D192ED03))
        word *= np.uint64(0x9E3779B97F4A7C15)
        word = (word ^ (word >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        word = (word ^ (word >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    drawn: Numbers = (word ^ (word >> np.uint64(31))) / 2.0 ** 64
    return drawn


class Supply:
    """The positions of some files: those to check with in memory, those to learn from where they are."""

    def __init__(self, parts: Sequence[Part], validation: float, seed: int, min_ply: int = 0) -> None:
        self.parts = list(parts)
        self.seed = seed
        self.total = sum(part.count for part in parts)
        self.games = 0
        self.blocks: list[Block] = []
        self.validation = min(validation, MOST_CHECKED / max(self.total, 1))
        self.min_ply = min_ply
        self._scale = self._fade = 0.0
        self._epoch, self._order, self._ends = -1, np.zeros(0, int), np.zeros(0, int)
        checking, sample = [], []
        for part in self.parts:
            first = 0
            while first < part.count:
                apart, some, size = self._look(part, first)
                checking.append(apart)
                sample.append(some)
                first += size
        self.checking: Records = np.concatenate([np.zeros(0, RECORD), *checking])
        self.sample: Records = np.concatenate([np.zeros(0, RECORD), *sample])
        self.learned = np.array([block.learned for block in self.blocks], np.int64)
        self.positions = int(self.learned.sum())
        if not self.positions or not len(self.checking):
            raise ValueError(f"{self.total} positions of {self.games} games are too few to train on"
                             + (f" from ply {min_ply} on" if min_ply else ""))

    def _look(self, part: Part, first: int) -> tuple[Records, Records, int]:
        """Make a block of the games that begin here: positions to check with, some to learn from, and its size."""
        size = BLOCK
        records = part.read(first, min(size, part.count - first))
        games = game_numbers(records)
        while first + len(records) < part.count and games[-1] == 0:         # a game longer than a block
            size *= 2
            records = part.read(first, min(size, part.count - first))
            games = game_numbers(records)
        if first + len(records) < part.count:
            records = records[:int(np.searchsorted(games, games[-1]))]      # the last game may go on behind the block
            games = games[:len(records)]
        count = int(games[-1]) + 1
        apart = chances(np.arange(self.games, self.games + count), self.seed) < self.validation
        if self.games == 0:
            apart[0] = True             # there is something to check with however few games there are
        self.games += count
        wanted = records["ply"] >= self.min_ply
        checked = apart[games]
        learned = wanted & ~checked
        count = int(learned.sum())
        mask = b"" if count == len(records) else np.packbits(learned).tobytes()
        self.blocks.append(Block(part, first, len(records), count, mask))
        step = max(1, self.total // SAMPLE)
        return records[wanted & checked], records[::step][learned[::step]], len(records)

    def look_ahead(self, scale: float, fade: float) -> None:
        """From now on give positions the averages of scores that `foresight` tells of; fade 0 leaves them their own."""
        self._scale, self._fade = scale, fade
        if fade:
            look_ahead(self.checking, scale, fade)

    def window(self, epoch: int, first: int, count: int) -> tuple[Records, Numbers]:
        """Some positions of an epoch's sequence: records, and the numbers of those to learn from in mixed order."""
        if epoch != self._epoch:
            self._epoch = epoch
            self._order = np.random.default_rng((self.seed, epoch)).permutation(len(self.blocks))
            self._ends = np.cumsum(self.learned[self._order])
        low = int(np.searchsorted(self._ends, first, side="right"))
        high = int(np.searchsorted(self._ends, first + count, side="left"))
        chosen = [self.blocks[number] for number in self._order[low:high + 1]]
        records = np.empty(sum(block.count for block in chosen), RECORD)
        indices, place = [], 0
        for block in chosen:
            games = records[place:place + block.count]
            block.part.read_into(games, block.first)
            if self._fade:
                look_ahead(games, self._scale, self._fade)
            indices.append(block.indices() + np.uint32(place))
            place += block.count
        skipped = first - (int(self._ends[low - 1]) if low else 0)
        wanted = np.concatenate(indices)[skipped:skipped + count]
        mix(wanted, int(np.random.default_rng((self.seed, epoch, first)).integers(1 << 63)))
        return records, wanted
