"""The files that self-play fills: a shard is a run of seeds, kept as the positions and the games that came of them.

Both files of a shard are written anew at the end of a group of games, the games first. Whatever moment a process is
killed at, the positions say which seeds are done, and games beyond them are played again.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from barreleye import __version__, output
from barreleye.train import dataset

LOCK = ".lock"


@dataclass(slots=True)
class Shard:
    """A run of seeds and what has been made of it so far."""

    number: int
    first_seed: int
    done: int = 0                       # seeds used up
    results: list[int] = field(default_factory=lambda: [0, 0, 0])
    positions: bytearray = field(default_factory=bytearray)
    games: bytearray = field(default_factory=bytearray)

    @property
    def position_count(self) -> int:
        return len(self.positions) // dataset.RECORD.itemsize

    def path(self, folder: Path) -> Path:
        return folder / f"{self.number:06d}.positions"

    def facts(self, settings: dict[str, Any]) -> dict[str, Any]:
        """What the headers of its files say."""
        return {"version": __version__, "settings": settings, "shard": self.number, "seeds": self.done,
                "games": sum(self.results), "positions": self.position_count, "results": self.results}

    def save(self, folder: Path, settings: dict[str, Any]) -> None:
        """Write both files, the games first: positions without games would be half a shard."""
        if not self.done:
            return
        path, facts = self.path(folder), self.facts(settings)
        try:
            dataset.write_file(path.with_suffix(".games"), dataset.GAMES_MAGIC, facts, bytes(self.games))
            dataset.write_positions(path, facts, bytes(self.positions))
        except OSError as error:
            raise OSError(f"cannot write to {folder}: {error.strerror}; what was written before is safe: "
                          "give the same command again to continue") from error


@dataclass(frozen=True, slots=True)
class Stock:
    """What a folder has of one shard."""

    path: Path
    facts: dict[str, Any]

    def resume(self, first_seed: int) -> Shard:
        """The shard as the header of its positions describes it, to be continued."""
        facts = self.facts
        shard = Shard(facts["shard"], first_seed, facts["seeds"], list(facts["results"]))
        shard.positions += self.path.read_bytes()[dataset.HEADER_SIZE:]
        for game in dataset.read_games(self.path.with_suffix(".games")):
            # Killed between the two files, a run leaves games whose positions were never written.
            if game.seed < first_seed + shard.done:
                shard.games += game.pack()
        return shard


def take_stock(folder: Path) -> Iterator[Stock]:
    """What each shard of a folder says of itself, in order; what a killed run had half written is removed."""
    drop_partial(folder)
    for path in sorted(folder.glob("*.positions")):
        yield Stock(path, dataset.read_facts(path))


def drop_partial(folder: Path) -> None:
    """Remove files that were never finished."""
    for partial in folder.glob(f"*{output.SUFFIX}"):
        partial.unlink(missing_ok=True)


def check_room(settings: dict[str, Any]) -> None:
    """Refuse settings that do not fit the header of a shard before a game is played."""
    shard = Shard(10**6, 0, 10**6, [10**6] * 3)
    facts = shard.facts(settings) | {"positions": 10**9}
    head = len(dataset.GAMES_MAGIC) + len(json.dumps(facts, sort_keys=True))
    if head > dataset.HEADER_SIZE:
        raise ValueError(f"the settings take {head} bytes in a file's header, but there is room for "
                         f"{dataset.HEADER_SIZE}: give the book or the tables by a shorter path")
