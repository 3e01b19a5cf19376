"""What a cluster costs: two workers beside two threads, the driver's own CPU time, and its memory.

    python benchmarks/cluster.py --positions 2000 --nodes 20000 --rounds 3
    python benchmarks/cluster.py --self-play 100000 --positions 0
    python benchmarks/cluster.py --beside 120 --positions 0 --nodes 20000
    python benchmarks/cluster.py --positions 0 --command "annotate games.pgn -o annotated.pgn --nodes 10000"

Both sides are measured in turns, so that a busy machine slows both alike; on a very busy one --beside has them work at
the same time, as two threads and two workers that the system treats alike. The workers are on this machine, with the
scheduler and the driver beside them: what these take, they take from the workers. With local:N the scheduler is part of
the driver's process, and so of its CPU time.
"""

from __future__ import annotations

import argparse
import resource
import shlex
import statistics
import tempfile
import threading
import time
from concurrent.futures import ProcessPoolExecutor
from itertools import cycle
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import barreleye
from barreleye import cli
from barreleye.cluster import connect
from barreleye.engine.bench import POSITIONS
from barreleye.lab.duel import duel
from barreleye.train.generate import PlaySettings, Tally, generate

NODES = 100                 # of self-play, a move
WARM_S = 10.0               # before a pace is taken


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


def process_cpu() -> float:
    """CPU time of this process and of the programs that it has running."""
    import psutil

    this = psutil.Process()
    return sum(sum(one.cpu_times()[:2]) for one in [this, *this.children(recursive=True)])


def worker_cpu(executor: Any) -> float:
    return float(sum(executor._client.run(process_cpu).values()))


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
        spent = worker_cpu(executor) - workers
        ratios.append(here / there)
        shares.append((own_cpu() - driver) / spent)
        print(f"{title}, round {number + 1}: {here:.1f} s on threads, {there:.1f} s on workers: throughput "
              f"{ratios[-1]:.3f}; the driver used {100 * shares[-1]:.2f} % of the workers' {spent:.1f} s of CPU time",
              flush=True)
    print(f"{title}: median throughput {statistics.median(ratios):.3f} of two threads, driver "
          f"{100 * statistics.median(shares):.2f} %", flush=True)


def pace(executor: Any, nodes: int, seconds: float) -> float:
    """Positions a second, from the first results after a while to the last."""
    began = time.monotonic()
    marks: list[tuple[float, int]] = []
    with barreleye.analyse_many(cycle(games_of(2000)), {"nodes": nodes}, 2, executor=executor) as batch:
        for done, _ in enumerate(batch, 1):
            now = time.monotonic() - began
            if now > WARM_S and (not marks or now > marks[-1][0] + 0.001):
                marks.append((now, done))
            if now > WARM_S + seconds:
                break
    return (marks[-1][1] - marks[0][1]) / (marks[-1][0] - marks[0][0])


def threads_pace(nodes: int, seconds: float) -> float:
    return pace(None, nodes, seconds)


def beside(executor: Any, nodes: int, seconds: float) -> None:
    """Two threads in a process of their own and the workers, at the same time."""
    with ProcessPoolExecutor(1, get_context("spawn")) as other:
        other.submit(time.monotonic).result()
        here = other.submit(threads_pace, nodes, seconds)
        there = pace(executor, nodes, seconds)
        print(f"side by side at {nodes} nodes: {here.result():.1f} positions a second on threads, {there:.1f} on "
              f"workers: throughput {there / here.result():.3f}", flush=True)


def self_play(executor: Any, positions: int) -> None:
    """The driver's memory while so many positions come in."""
    sizes: list[tuple[int, float]] = []

    def show(tally: Tally) -> None:
        if not sizes or tally.positions >= sizes[-1][0] + positions // 20:
            sizes.append((tally.positions, resident_mb()))

    driver, workers = own_cpu(), worker_cpu(executor)
    with tempfile.TemporaryDirectory() as folder:
        began = time.monotonic()
        tally = generate(Path(folder), PlaySettings(nodes=NODES), positions=positions, executor=executor,
                         progress=show)
        seconds = time.monotonic() - began
    for place, size in sizes:
        print(f"{place:>9} positions: {size:.1f} MiB")
    print(f"{tally.positions} positions, {tally.games} games in {seconds:.0f} s, "
          f"{worker_cpu(executor) - workers:.0f} s of the workers' CPU time, driver "
          f"{100 * (own_cpu() - driver) / (worker_cpu(executor) - workers):.2f} %", flush=True)


def command(executor: Any, arguments: list[str]) -> None:
    """What a command costs the driver and the workers."""
    address = executor._client.scheduler.address
    driver, workers, began = own_cpu(), worker_cpu(executor), time.monotonic()
    status = cli.main([*arguments, "--cluster", address])
    spent, used, seconds = worker_cpu(executor) - workers, own_cpu() - driver, time.monotonic() - began
    print(f"{' '.join(arguments)}: status {status}, {seconds:.1f} s, {spent:.1f} s of the workers' CPU time, "
          f"{used:.2f} s of the driver's, {100 * used / spent:.2f} %", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--positions", type=int, default=2000)
    parser.add_argument("--nodes", type=int, default=20_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--duel", type=int, default=0, metavar="GAMES")
    parser.add_argument("--beside", type=float, default=0, metavar="SECONDS")
    parser.add_argument("--self-play", type=int, default=0, metavar="POSITIONS")
    parser.add_argument("--command", default="", metavar="COMMAND", help="a command of barreleye's and its arguments")
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
        if args.beside:
            for _ in range(args.rounds):
                beside(executor, args.nodes, args.beside)
        if args.command:
            command(executor, shlex.split(args.command))
        if args.self_play:
            self_play(executor, args.self_play)


if __name__ == "__main__":
    main()
