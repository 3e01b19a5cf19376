"""Self-play on all cores of one process: games become shards of positions that can be interrupted and taken up again.

A shard is a run of seeds, and a game depends on its seed and the settings alone, so a data set is the same whatever
threads or interruptions made it. Each thread fills a shard of its own; an unfinished one is kept and continued.
"""

from __future__ import annotations

import queue
import random
import threading
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from barreleye import __version__
from barreleye.core.notation import START_FEN
from barreleye.core.position import Position
from barreleye.core.selfplay import SelfPlay
from barreleye.match.openings import Book, open_book
from barreleye.train import dataset

MOST_RANDOM_PLIES = 200
RESULTS = ("black", "draw", "white")


@dataclass(frozen=True, slots=True)
class Settings:
    """What a data set depends on, apart from the engine and its network."""

    nodes: int = 1000                   # an iteration is not begun after so many
    hard_nodes: int = 0                 # a search ends at so many; 0 for eight times as many
    random_plies: int = 8
    opening_limit: int = 300            # openings that a short search scores beyond this are thrown away
    book: str = ""                      # other starts than the usual one,
    book_share: float = 0.2             # for this share of the games
    seed: int = 1                       # of the first game; the next ones count on from it
    shard_games: int = 500
    hash_mb: int = 2
    net: str = ""                       # the network's digest, "" for the hand-written evaluation

    def __post_init__(self) -> None:
        for name, least, most in (("nodes", 1, 1 << 62), ("random_plies", 0, MOST_RANDOM_PLIES), ("book_share", 0, 1),
                                  ("seed", 0, 1 << 62)):
            if not least <= getattr(self, name) <= most:
                raise ValueError(f"{name.replace('_', ' ')}: {getattr(self, name)}, expected {least} to {most}")

    def player(self, network: Any = None) -> SelfPlay:
        """Somebody to play both sides by these settings."""
        player = SelfPlay(self.hash_mb)
        player.soft_nodes = self.nodes
        player.hard_nodes = self.hard_nodes or 8 * self.nodes
        player.random_plies = self.random_plies
        player.opening_limit = self.opening_limit
        if network is not None:
            player.use_network(network)
        return player


@dataclass(slots=True)
class Tally:
    """How far the generation is."""

    games: int = 0
    rejected: int = 0
    positions: int = 0
    results: list[int] = field(default_factory=lambda: [0, 0, 0])
    nodes: int = 0
    seconds: float = 0.0
    found: int = 0                      # positions that were there before

    @property
    def speed(self) -> float:
        """New positions a second."""
        return (self.positions - self.found) / max(self.seconds, 1e-9)


@dataclass(slots=True)
class Shard:
    """A run of seeds and what has been made of it so far."""

    number: int
    done: int = 0                       # seeds used up
    games: int = 0
    positions: bytearray = field(default_factory=bytearray)
    records: bytearray = field(default_factory=bytearray)

    def path(self, folder: Path) -> Path:
        return folder / f"{self.number:06d}.positions"


def generate(folder: Path, settings: Settings, *, positions: int = 0, games: int = 0, minutes: float = 0.0,
             threads: int = 1, network: Any = None, stop: threading.Event | None = None,
             progress: Callable[[Tally], None] | None = None) -> Tally:
    """Play until there are so many positions or games in the folder, or so many minutes have passed.

    What the folder already has counts; a folder made with other settings is refused with ValueError. stop is only heard
    and never set: whoever gave it may have more to do.
    """
    folder.mkdir(parents=True, exist_ok=True)
    ended = threading.Event()
    book = open_book(settings.book, "sequential") if settings.book else None
    tally = Tally()
    shards: queue.SimpleQueue[Shard] = queue.SimpleQueue()
    finished = take_stock(folder, settings, tally, shards)
    tally.found = tally.positions
    began = time.monotonic()
    lock = threading.Lock()
    errors: list[BaseException] = []
    # Workers report here that they are done. A join that Ctrl-C breaks off takes a running thread for an ended one
    # (CPython 3.11), and the process would end before that thread has written its games.
    ready: queue.SimpleQueue[None] = queue.SimpleQueue()

    def enough() -> bool:
        return (ended.is_set() or (stop is not None and stop.is_set())
                or (positions > 0 and tally.positions >= positions)
                or (games > 0 and tally.games >= games)
                or (minutes > 0 and time.monotonic() - began >= 60 * minutes))

    def next_shard() -> Shard:
        nonlocal finished
        with lock:
            try:
                return shards.get_nowait()
            except queue.Empty:
                finished += 1
                return Shard(finished)

    def work() -> None:
        try:
            player = settings.player(network)
            while not enough():
                shard = next_shard()
                try:
                    while shard.done < settings.shard_games and not enough():
                        seed = settings.seed + shard.number * settings.shard_games + shard.done
                        fill(shard, player, settings, seed, book, tally, lock)
                finally:
                    save(folder, shard, settings)
        except BaseException as error:      # handed to whoever waits
            errors.append(error)
            ended.set()
        finally:
            ready.put(None)

    workers = [threading.Thread(target=work, name=f"self-play {number}", daemon=True) for number in range(threads)]
    for worker in workers:
        worker.start()
    try:
        while ready.qsize() < threads:
            time.sleep(0.01 if enough() else 0.25)
            tally.seconds = time.monotonic() - began
            if progress is not None:
                progress(tally)
    finally:
        ended.set()
        for worker in workers:
            worker.join()
    if errors:
        raise errors[0]
    return tally


def take_stock(folder: Path, settings: Settings, tally: Tally, shards: queue.SimpleQueue[Shard]) -> int:
    """Count what a folder has and queue its unfinished shards; returns the highest number in use."""
    highest = -1
    for path in sorted(folder.glob("*.positions")):
        facts = dataset.read_facts(path)
        if facts.get("settings") != asdict(settings):
            raise ValueError(f"{path} was made with other settings: choose another folder, or the settings it has: "
                             f"{facts.get('settings')}")
        shard = Shard(facts["shard"], facts["seeds"], facts["games"])
        highest = max(highest, shard.number)
        tally.games += facts["games"]
        tally.positions += facts["positions"]
        for result in range(3):
            tally.results[result] += facts["results"][result]
        if shard.done < settings.shard_games:
            shard.positions += path.read_bytes()[dataset.HEADER_SIZE:]
            shard.records += path.with_suffix(".games").read_bytes()[dataset.HEADER_SIZE:]
            shards.put(shard)
    return highest


def fill(shard: Shard, player: SelfPlay, settings: Settings, seed: int, book: Book | None, tally: Tally,
         lock: threading.Lock) -> None:
    """Play the game of one seed and add it to the shard."""
    start = START_FEN
    if book is not None:
        chance = random.Random(seed)
        if chance.random() < settings.book_share:
            start = book.opening(chance.randrange(len(book))).fen
    before = player.nodes
    result, positions, moves = player.play(Position(start), seed)
    shard.done += 1
    if result >= 0:
        shard.games += 1
        shard.positions += positions
        shard.records += dataset.Game(seed, result, start, False, moves).pack()
    with lock:
        tally.nodes += player.nodes - before
        if result < 0:
            tally.rejected += 1
            return
        tally.games += 1
        tally.positions += len(positions) // dataset.RECORD.itemsize
        tally.results[result] += 1


def save(folder: Path, shard: Shard, settings: Settings) -> None:
    """Write a shard, the games first: positions without games would be half a shard."""
    if not shard.done:
        return
    records = memoryview(shard.positions)
    results = [0, 0, 0]
    for game in shard_results(shard):
        results[game] += 1
    facts = {"version": __version__, "settings": asdict(settings), "shard": shard.number, "seeds": shard.done,
             "games": shard.games, "positions": len(records) // dataset.RECORD.itemsize, "results": results}
    path = shard.path(folder)
    dataset.write_file(path.with_suffix(".games"), dataset.GAMES_MAGIC, facts, bytes(shard.records))
    dataset.write_positions(path, facts, bytes(records))


def shard_results(shard: Shard) -> list[int]:
    """The result of each game of a shard."""
    results = []
    place = 0
    while place < len(shard.records):
        _, result, _, length, moves = dataset.GAME.unpack_from(shard.records, place)
        results.append(result)
        place += dataset.GAME.size + length + dataset.MOVE_SIZE * moves
    return results
