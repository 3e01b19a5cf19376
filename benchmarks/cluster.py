"""What a cluster costs: two workers beside two threads, the driver's own CPU time, and its memory.

    python benchmarks/cluster.py --positions 2000 --nodes 20000 --rounds 3
    python benchmarks/cluster.py --self-play 100000

Both sides are measured in turns, so that a busy machine slows both alike. The workers are on this machine, with the
scheduler and the driver beside them: what these take, they take from the workers.
"""

from __future__ import annotations

import argparse
import resource
import statistics
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

import barreleye
from barreleye.cluster import connect
from barreleye.engine.bench import POSITIONS
from barreleye.lab.duel import duel
from barreleye.train.generate import PlaySettings, Tally, generate

NODES_A_GAME = 100          # of self-play, a move


def games_of(positions: int) -> list[barreleye.Game]:
    """Games with so many positions in all, played from the bench's positions."""
    found: list[barreleye.Game] = []
    left, number = positions, 0
    while left > 0:
        fen = POSITIONS[number % 20]
        position = barreleye.Position(fen)
        moves: list[str] = []
        while len(moves) < min(60, left - 1) and (legal := position.legal_moves()):
            moves.append(legal[(7 * number + 13 * len(moves)) % len(legal)])
            position.push(moves[-1])
        found.append(barreleye.Game(moves, fen))
        left -= len(moves) + 1
        number += 1
    return found


def own_cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def worker_cpu(executor: Any) -> float:
    return float(sum(executor._client.run(time.process_time).values()))


def resident_mb() -> float:
    return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize() / 2**20


def compare(executor: Any, title: str, work: Any, rounds: int) -> None:
    """The same work in turns on two threads and on the workers."""
    ratios, shares = [], []
    for number in range(rounds):
        began = time.monotonic()
        work(None)
        here = time.monotonic() - began
        driver, workers, began = own_cpu(), worker_cpu(executor), time.monotonic()
        work(executor)
        there = time.monotonic() - began
        ratios.append(here / there)
        shares.append((own_cpu() - driver) / (worker_cpu(executor) - workers))
        print(f"{title}, round {number + 1}: {here:.1f} s on threads, {there:.1f} s on workers: throughput "
              f"{ratios[-1]:.3f}; the driver used {100 * shares[-1]:.2f} % of the workers' CPU time", flush=True)
    print(f"{title}: median throughput {statistics.median(ratios):.3f} of two threads, driver "
          f"{100 * statistics.median(shares):.2f} %", flush=True)


def self_play(executor: Any, positions: int) -> None:
    """The driver's memory while so many positions come in."""
    sizes: list[tuple[int, float]] = []

    def show(tally: Tally) -> None:
        if not sizes or tally.positions >= sizes[-1][0] + positions // 20:
            sizes.append((tally.positions, resident_mb()))

    driver, workers = own_cpu(), worker_cpu(executor)
    with tempfile.TemporaryDirectory() as folder:
        began = time.monotonic()
        tally = generate(Path(folder), PlaySettings(nodes=NODES_A_GAME), positions=positions, executor=executor,
                         progress=show)
        seconds = time.monotonic() - began
    for place, size in sizes:
        print(f"{place:>9} positions: {size:.1f} MiB")
    print(f"{tally.positions} positions, {tally.games} games in {seconds:.0f} s, "
          f"{worker_cpu(executor) - workers:.0f} s of the workers' CPU time, driver "
          f"{100 * (own_cpu() - driver) / (worker_cpu(executor) - workers):.2f} %", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--positions", type=int, default=2000)
    parser.add_argument("--nodes", type=int, default=20_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--duel", type=int, default=0, metavar="GAMES")
    parser.add_argument("--self-play", type=int, default=0, metavar="POSITIONS")
    parser.add_argument("--cluster", default="local:2", metavar="ADDRESS")
    args = parser.parse_args()
    print(f"{threading.active_count()} thread, {resident_mb():.0f} MiB before it begins")
    with connect(args.cluster) as executor:
        if args.positions:
            games = games_of(args.positions)
            limit = {"nodes": args.nodes}
            compare(executor, f"{args.positions} positions at {args.nodes} nodes",
                    lambda one: list(barreleye.analyse_many(games, limit, 2, executor=one)), args.rounds)
        if args.duel:
            compare(executor, f"{args.duel} games of a duel at 1000 nodes",
                    lambda one: duel("off=ProbCut", games=args.duel, nodes=1000, threads=2, executor=one), args.rounds)
        if args.self_play:
            self_play(executor, args.self_play)


if __name__ == "__main__":
    main()
