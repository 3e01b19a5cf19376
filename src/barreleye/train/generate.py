"""Self-play on all cores, or on a cluster: games become shards of positions that can be interrupted and taken up again.

A shard is a run of seeds, played in groups, several at the same time. Groups are kept in the order of their seeds, and
no more of them than are asked for, so a data set is the same to the last byte whatever threads, workers or
interruptions made it. An unfinished shard is continued, and an unfinished group is played again.
"""

from __future__ import annotations

import queue
import random
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from barreleye import lock, nets, syzygy_files
from barreleye.core.machine import start
from barreleye.core.notation import START_FEN
from barreleye.core.position import Position
from barreleye.core.selfplay import SelfPlay
from barreleye.opening_books import Book, open_book
from barreleye.train import dataset
from barreleye.train.groups import PACKAGED, Group, GroupWork, PlayedGroup
from barreleye.train.shards import LOCK, Shard, check_room, take_stock
from barreleye.work.crew import Crew
from barreleye.work.facts import needs_of
from barreleye.work.threads import ThreadCrew

if TYPE_CHECKING:
    from concurrent.futures import Executor

MOST_RANDOM_PLIES = 200
MOST_SAMPLES = 8                        # that a search keeps
LARGEST_GROUP, GROUP_NODES = 16, 4096   # games in a group, and about the nodes that all their searches have together
SAVE_SECONDS = 10.0                     # between two times a shard is written
LIMITS = (("nodes", 1, 1 << 62), ("hard_nodes", 0, 1 << 62), ("check_share", 0, 1),
          ("random_plies", 0, MOST_RANDOM_PLIES), ("opening_limit", 0, 32_000), ("book_share", 0, 1),
          ("win_score", 1, 32_000), ("win_plies", 1, 600), ("draw_score", 0, 32_000), ("draw_plies", 1, 600),
          ("draw_after", 0, 10_000), ("first_ply", 0, 600), ("score_limit", 1, 32_000), ("harvest", 0, MOST_SAMPLES),
          ("harvest_nodes", 1, 1 << 62), ("seed", 0, 1 << 62), ("shard_games", 1, 1 << 20),
          ("group_games", 0, 1 << 20), ("hash_mb", 1, 1 << 20))
# How folders were made whose headers do not say so.
BEFORE: dict[str, Any] = {
    "check_share": 1.0, "win_score": 1500, "win_plies": 5, "draw_score": 10, "draw_plies": 10, "draw_after": 70,
    "first_ply": 8, "score_limit": 5000, "syzygy": "", "harvest": 0, "harvest_nodes": 100, "group_games": 1}


@dataclass(frozen=True, slots=True)
class PlaySettings:
    """What a data set depends on, apart from the engine and its network."""

    nodes: int = 1000                   # an iteration is not begun after so many
    hard_nodes: int = 0                 # a search ends at so many; 0 for eight times as many
    check_share: float = 0.25           # of the nodes for positions in check, which are not kept
    random_plies: int = 8
    opening_limit: int = 300            # openings that a short search scores beyond this are thrown away
    book: str = ""                      # other starts than the usual one,
    book_share: float = 0.2             # for this share of the games
    win_score: int = 1500               # a win is adjudicated at this score,
    win_plies: int = 5                  # held for so many plies;
    draw_score: int = 10                # a draw likewise,
    draw_plies: int = 10
    draw_after: int = 70                # and not before this ply
    syzygy: str = ""                    # folders of tablebases, which end games with their exact results
    first_ply: int = 8                  # positions before this ply are not kept,
    score_limit: int = 5000             # nor those with a score beyond this
    harvest: int = 0                    # positions of the search tree for each position kept,
    harvest_nodes: int = 100            # searched with so many nodes each
    seed: int = 1                       # of the first game; the next ones count on from it
    shard_games: int = 500
    group_games: int = 0                # games that share what they learn; 0 for as many as suit the nodes
    hash_mb: int = 2
    net: str = ""                       # the network's digest, "" for the hand-written evaluation

    def __post_init__(self) -> None:
        for name, least, most in LIMITS:
            if not least <= getattr(self, name) <= most:
                raise ValueError(f"{name.replace('_', ' ')} is {getattr(self, name)}, expected a number from {least} "
                                 f"to {most}")

    @property
    def group(self) -> int:
        """Games in a group: the shorter the searches, the more of them pay for one clean start."""
        return self.group_games or max(1, min(LARGEST_GROUP, GROUP_NODES // self.nodes))

    def player(self, network: Any = None) -> SelfPlay:
        """Somebody to play both sides by these settings."""
        player = SelfPlay(self.hash_mb)
        player.soft_nodes = self.nodes
        player.hard_nodes = self.hard_nodes or 8 * self.nodes
        player.check_nodes = max(1, round(self.check_share * self.nodes))
        player.samples, player.sample_nodes = self.harvest, self.harvest_nodes
        for name in ("random_plies", "opening_limit", "win_score", "win_plies", "draw_score", "draw_plies",
                     "draw_after", "first_ply", "score_limit"):
            setattr(player, name, getattr(self, name))
        if network is not None:
            player.use_network(network)
        if self.syzygy:
            player.use_tables(syzygy_files.open_tables(self.syzygy))
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


def generate(folder: Path, settings: PlaySettings, *, positions: int = 0, games: int = 0, minutes: float = 0.0,
             threads: int = 1, network: Any = None, stop: threading.Event | None = None,
             begun: Callable[[Tally], None] | None = None, progress: Callable[[Tally], None] | None = None,
             executor: Executor | None = None) -> Tally:
    """Play until there are so many positions or games in the folder, or so many minutes have passed.

    Without any of these it goes on until it is stopped or interrupted. What the folder already has counts; a folder
    made with other settings is refused with ValueError, one that another run fills with BlockingIOError. stop is only
    heard and never set: whoever gave it may have more to do. begun is called once nothing stands in the way any more,
    with what the folder holds already. executor has the games played elsewhere; the network must then come from a file.
    """
    check_room(asdict(settings))
    book = open_book(settings.book, "sequential") if settings.book else None
    folder.mkdir(parents=True, exist_ok=True)
    with lock.held(folder / LOCK, str(folder)):
        generation = Generation(folder, settings, book, positions, games, minutes, stop)
        settings.player(network)                # what it cannot open is an error at once
        with crew_of(settings, threads, network, executor) as crew:
            if begun is not None:
                begun(generation.tally)
            return generation.run(crew, progress)


def crew_of(settings: PlaySettings, threads: int, network: Any, executor: Executor | None) -> ThreadCrew | Crew:
    """Who plays: threads of this process, or the workers of an executor."""
    if executor is None:
        return ThreadCrew(threads, GroupWork(settings, network))
    path = nets.file_of(network) if network is not None else None
    is_sent = path is not None and path != nets.DEFAULT.resolve()
    needs, files = needs_of([path] if is_sent and path else [], [settings.syzygy])
    named = None if path is None else nets.inspect(path).digest if is_sent else PACKAGED
    return Crew(executor, GroupWork(settings, named), "selfplay-groups", needs, files)


class Generation:
    """One run of generate: what there is, what is missing, and when it is enough."""

    def __init__(self, folder: Path, settings: PlaySettings, book: Book | None, positions: int, games: int,
                 minutes: float, stop: threading.Event | None) -> None:
        self.folder, self.settings, self.book = folder, settings, book
        self.positions, self.games, self.minutes = positions, games, minutes
        self.stop, self.ended = stop, threading.Event()
        self.tally = Tally()
        self.unfinished: deque[Shard] = deque()
        self.highest = -1
        self.began = time.monotonic()
        self.errors: list[BaseException] = []
        # The worker reports here that it is done. A join that Ctrl-C breaks off takes a running thread for an ended one
        # (CPython 3.11), and the process would end before that thread has written its games.
        self.ready: queue.SimpleQueue[None] = queue.SimpleQueue()
        self.take_stock()

    def take_stock(self) -> None:
        """Count what the folder has and take up its unfinished shards."""
        for stock in take_stock(self.folder):
            facts = stock.facts
            check_settings(stock.path, facts.get("settings") or {}, self.settings)
            self.highest = max(self.highest, facts["shard"])
            self.tally.games += facts["games"]
            self.tally.positions += facts["positions"]
            for result in range(3):
                self.tally.results[result] += facts["results"][result]
            if facts["seeds"] < self.settings.shard_games:
                self.unfinished.append(stock.resume(self.first_seed(facts["shard"])))
        self.tally.found = self.tally.positions

    def run(self, crew: ThreadCrew | Crew, progress: Callable[[Tally], None] | None) -> Tally:
        """Have games played until there is enough."""
        # On a thread of its own: Ctrl-C reaches the main one, and must not part a group's games from its positions.
        worker = threading.Thread(target=self.work, args=(crew,), name="self-play", daemon=True)
        start(worker)
        try:
            while self.ready.empty():
                time.sleep(0.01 if self.has_enough() else 0.25)
                self.tally.seconds = time.monotonic() - self.began
                if progress is not None:
                    progress(self.tally)
        finally:
            self.ended.set()
            worker.join()
        if self.errors:
            raise self.errors[0]
        return self.tally

    def work(self, crew: ThreadCrew | Crew) -> None:
        """Fill shards in the order of their seeds until there is enough."""
        due: deque[tuple[Shard, Group]] = deque()         # given out, and not yet come back
        saved, shard = time.monotonic(), None
        try:
            try:
                for played in crew.in_order(self.groups(due), self.has_enough):
                    following, group = due.popleft()
                    if shard is not None and following is not shard:
                        shard.save(self.folder, asdict(self.settings))
                    shard = following
                    self.keep(shard, group, played)
                    if time.monotonic() - saved >= SAVE_SECONDS:
                        shard.save(self.folder, asdict(self.settings))
                        saved = time.monotonic()
            finally:
                if shard is not None:
                    shard.save(self.folder, asdict(self.settings))
        except BaseException as error:      # handed to whoever waits
            self.errors.append(error)
        finally:
            self.ready.put(None)

    def groups(self, due: deque[tuple[Shard, Group]]) -> Iterator[Group]:
        """What is to be played, without end: the rest of unfinished shards, then new ones."""
        while True:
            if self.unfinished:
                shard = self.unfinished.popleft()
            else:
                self.highest += 1
                shard = Shard(self.highest, self.first_seed(self.highest))
            for place in range(shard.done, self.settings.shard_games, self.settings.group):
                first = shard.first_seed + place
                count = min(self.settings.group, self.settings.shard_games - place)
                starts = {} if self.book is None else {seed: self.start(seed) for seed in range(first, first + count)}
                due.append((shard, Group(first, count, starts)))
                yield due[-1][1]

    def keep(self, shard: Shard, group: Group, played: PlayedGroup) -> None:
        """Add a group to its shard, and to what is counted."""
        shard.done += group.count
        shard.positions += played.positions
        shard.games += played.games
        self.tally.nodes += played.nodes
        self.tally.rejected += played.rejected
        self.tally.games += sum(played.results)
        self.tally.positions += len(played.positions) // dataset.RECORD.itemsize
        for result, count in enumerate(played.results):
            shard.results[result] += count
            self.tally.results[result] += count

    def has_enough(self) -> bool:
        return (self.ended.is_set() or (self.stop is not None and self.stop.is_set())
                or (0 < self.positions <= self.tally.positions) or (0 < self.games <= self.tally.games)
                or (self.minutes > 0 and time.monotonic() - self.began >= 60 * self.minutes))

    def first_seed(self, number: int) -> int:
        return self.settings.seed + number * self.settings.shard_games

    def start(self, seed: int) -> str:
        """Where the game of a seed begins, before its random moves."""
        if self.book is None:
            return START_FEN
        chance = random.Random(seed)
        if chance.random() >= self.settings.book_share:
            return START_FEN
        opening = self.book.opening(chance.randrange(len(self.book)))
        if not opening.moves:
            return opening.fen
        position = Position(opening.fen)
        for move in opening.moves:
            position.push(move)
        return position.fen()


def check_settings(path: Path, made: dict[str, Any], settings: PlaySettings) -> None:
    """Refuse to continue a shard that was made in another way, and say what differs."""
    wanted = asdict(settings)
    there = {**BEFORE, **made}
    unlike = [f"{name.replace('_', ' ')} {there.get(name, 'unknown')!r} and not {value!r}"
              for name, value in wanted.items() if there.get(name) != value]
    if unlike:
        raise ValueError(f"{path} was made with other settings ({', '.join(unlike)}): choose another folder, or play "
                         "with its settings")
