"""Looking at data sets and changing them: inspect, merge, shuffle, filter, dedup, relabel."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from barreleye.core.machine import search_stack
from barreleye.core.position import Position
from barreleye.train import dataset
from barreleye.train.dataset import NO_RESULT, RECORD, Records, game_numbers
from barreleye.train.generate import PlaySettings

DECISIVE_SCORE = 200            # a score that should agree with the result of a decisive game
RELABEL_CHUNK = 256
MOST_SOURCES, LONGEST_NAME = 8, 60      # that a header names
LARGEST_SCORE = 32_000           # that fits a record
LABELS = ("score", "result", "rule50", "ply")       # what may differ between two records of one position


@dataclass(frozen=True, slots=True)
class Summary:
    """What a data set is like."""

    positions: int
    games: int
    results: tuple[int, int, int]               # black's wins, draws, white's wins, by position
    unplayed: int                               # positions without a result
    coherence: float                            # share of clear scores in decisive games with the winner's sign
    duplicates: float                           # share of positions that occur more than once
    scores: list[tuple[str, int]]               # histogram
    men: list[tuple[str, int]]
    plies: list[tuple[str, int]]


def histogram(values: np.ndarray[Any, Any], edges: list[int]) -> list[tuple[str, int]]:
    """How many values lie between each two edges; the first and last count everything beyond."""
    counts = np.bincount(np.searchsorted(edges, values, side="right"), minlength=len(edges) + 1)
    names = [f"< {edges[0]}", *(f"{low} .. {high - 1}" for low, high in pairwise(edges)),
             f">= {edges[-1]}"]
    return list(zip(names, map(int, counts), strict=True))


def summarise(records: Records) -> Summary:
    """Counts, histograms, and whether scores agree with results."""
    if not len(records):
        raise ValueError("there are no positions")
    score = records["score"].astype(np.int32)
    result = records["result"].astype(np.int32)
    clear = (np.abs(score) >= DECISIVE_SCORE) & ((result == 0) | (result == 2))
    agree = (score[clear] > 0) == (result[clear] == 2)
    men = popcount(records["occupied"])
    return Summary(
        len(records), int(game_numbers(records)[-1]) + 1,
        (int((result == 0).sum()), int((result == 1).sum()), int((result == 2).sum())),
        int((result >= NO_RESULT).sum()),
        float(agree.mean()) if len(agree) else 1.0, 1 - len(np.unique(position_keys(records))) / len(records),
        histogram(score, [-2000, -1000, -500, -200, -100, -50, 0, 50, 100, 200, 500, 1000, 2000]),
        histogram(men, [5, 9, 13, 17, 21, 25, 29]), histogram(records["ply"], [20, 40, 60, 80, 100, 150, 200]))


def popcount(bitboards: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Bits set in each 64-bit number."""
    octets = np.ascontiguousarray(bitboards).view(np.uint8).reshape(-1, 8)
    counts: np.ndarray[Any, Any] = np.unpackbits(octets, axis=1).sum(axis=1)
    return counts


def position_keys(records: Records) -> np.ndarray[Any, Any]:
    """A 64-bit number for each position, whatever its labels: equal positions have equal numbers."""
    bare = records.copy()
    for label in LABELS:
        bare[label] = 0
    words = bare.view("<u8").reshape(-1, RECORD.itemsize // 8)
    key = np.zeros(len(records), np.uint64)
    with np.errstate(over="ignore"):
        for column in range(words.shape[1]):
            key = (key ^ words[:, column]) * np.uint64(0x9E3779B97F4A7C15)
            key ^= key >> np.uint64(29)
    return key


def dedup(records: Records) -> Records:
    """Each position once, with its newest labels: those that come last, of a played position if there is one."""
    unplayed = records["result"] >= NO_RESULT
    rising = np.concatenate([np.flatnonzero(unplayed), np.flatnonzero(~unplayed)])
    _, newest = np.unique(position_keys(records)[rising[::-1]], return_index=True)
    kept: Records = records[np.sort(rising[len(records) - 1 - newest])]
    return kept


def shuffle(records: Records, seed: int) -> Records:
    """Whole games in another order; a trainer shuffles positions itself and must still know the games."""
    games = game_numbers(records)
    places = np.random.default_rng(seed).permutation(int(games[-1]) + 1)
    return records[np.argsort(places[games], kind="stable")]


def select(records: Records, max_score: int | None = None, min_ply: int | None = None, max_rule50: int | None = None,
           min_men: int | None = None, coherent: bool = False) -> Records:
    """The positions that meet every condition given; coherent drops clear scores that the result contradicts."""
    keep = np.ones(len(records), bool)
    score = records["score"].astype(np.int32)
    if max_score is not None:
        keep &= np.abs(score) <= max_score
    if min_ply is not None:
        keep &= records["ply"] >= min_ply
    if max_rule50 is not None:
        keep &= records["rule50"] <= max_rule50
    if min_men is not None:
        keep &= popcount(records["occupied"]) >= min_men
    if coherent:
        keep &= ~((score >= DECISIVE_SCORE) & (records["result"] == 0)
                  | (score <= -DECISIVE_SCORE) & (records["result"] == 2))
    return records[keep]


def relabel(records: Records, settings: PlaySettings, network: Any = None, threads: int = 1,
            progress: Callable[[int], None] | None = None, stop: threading.Event | None = None) -> Records:
    """The same positions with scores from a new search of each."""
    stop = stop or threading.Event()
    fresh: Records = np.ascontiguousarray(records).copy()
    players = [settings.player(network) for _ in range(threads)]
    chunks = iter(range(0, len(fresh), RELABEL_CHUNK))
    lock = threading.Lock()

    def work(player: Any) -> None:
        while not stop.is_set():
            with lock:
                first = next(chunks, None)
            if first is None:
                return
            part = fresh[first:first + RELABEL_CHUNK]
            player.new_game()         # the same labels whichever thread comes here
            part["score"] = [max(-LARGEST_SCORE, min(LARGEST_SCORE, player.judge(Position(dataset.fen(record)))))
                             for record in part]
            if progress is not None:
                progress(len(part))

    with ThreadPoolExecutor(threads) as pool:
        try:
            with search_stack():
                running = [pool.submit(work, player) for player in players]
            for done in running:
                done.result()
        finally:
            stop.set()                # whatever ended it ends the threads, before the pool waits for them
    return fresh


def merge(paths: Iterable[Path]) -> tuple[Records, dict[str, Any]]:
    """All positions of some files, and what to say of where they come from."""
    files = dataset.find_files(paths)
    facts = [dataset.read_facts(path) for path in files]
    sources: dict[str, int] = {}
    for path, fact in zip(files, facts, strict=True):
        source = str(path.parent if "shard" in fact else path)
        sources[source] = sources.get(source, 0) + len(dataset.read_positions(path))
    return dataset.load(files), {"sources": shortened(sources)}


def shortened(sources: dict[str, int]) -> dict[str, int]:
    """The largest sources by the ends of their names, and all the others together: a header has little room."""
    ranked = sorted(sources.items(), key=lambda source: -source[1])
    kept = {name[-LONGEST_NAME:]: count for name, count in ranked[:MOST_SOURCES]}
    if others := ranked[MOST_SOURCES:]:
        kept[f"{len(others)} more"] = sum(count for _, count in others)
    return kept
