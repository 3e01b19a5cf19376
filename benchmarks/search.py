"""How fast the search is: bench in turns with Stockfish, the way to `uciok`, and what a second thread adds.

Every comparison takes turns, so that whatever else the machine does slows both sides; the figures are medians over the
rounds. A quiet machine is needed all the same: two threads cannot scale on a core that somebody else uses.
"""

import argparse
import os
import platform
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from statistics import mean, median

from barreleye import __version__
from barreleye.engine import Engine
from barreleye.engine.bench import POSITIONS

STOCKFISH_BENCH = ("bench", "16", "1", "13")          # hash, threads, depth: ours by default
HASH_MB = 64


def barreleye_command() -> list[str]:
    """The installed program beside this Python, else the package run as a module."""
    script = Path(sys.executable).with_name("barreleye")
    return [str(script)] if script.exists() else [sys.executable, "-m", "barreleye"]


def bench_nps(command: Sequence[str]) -> float:
    """What an engine's own bench says of its speed, in millions of nodes a second."""
    result = subprocess.run(command, capture_output=True, text=True, check=True)
    found = re.search(r"Nodes/second\s*:\s*(\d+)", result.stderr + result.stdout)
    if found is None:
        sys.exit(f"{' '.join(command)} did not say Nodes/second.")
    return int(found[1]) / 1e6


def compare_bench(stockfish: str, rounds: int) -> None:
    ours, theirs = [], []
    for _ in range(rounds):
        ours.append(bench_nps([*barreleye_command(), "bench"]))
        theirs.append(bench_nps([stockfish, *STOCKFISH_BENCH]))
    ratios = [one / other for one, other in zip(ours, theirs, strict=True)]
    print(f"Search, one thread, `bench` of both, millions of nodes a second, {rounds} rounds\n")
    print("| Barreleye | Stockfish | ratio | lowest | highest |\n|----------:|----------:|------:|-------:|--------:|")
    print(f"| {median(ours):>9.2f} | {median(theirs):>9.2f} | {median(ratios):>5.2f} | {min(ratios):>6.2f} "
          f"| {max(ratios):>7.2f} |\n", flush=True)


def seconds_to_uciok(command: Sequence[str]) -> float:
    """From the start of the process to the end of its greeting."""
    started = time.perf_counter()
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin and process.stdout
        process.stdin.write("uci\n")
        process.stdin.flush()
        for line in process.stdout:
            if line.strip() == "uciok":
                break
        seconds = time.perf_counter() - started
        process.communicate("quit\n")
    return seconds


def compare_start(stockfish: str | None, rounds: int) -> None:
    commands = {"Barreleye": barreleye_command()} | ({"Stockfish": [stockfish]} if stockfish else {})
    times: dict[str, list[float]] = {name: [] for name in commands}
    for _ in range(rounds + 1):
        for name, command in commands.items():
            times[name].append(1000 * seconds_to_uciok(command))
    print(f"From process start to `uciok`, milliseconds, {rounds} rounds\n")
    print("| engine    | median | lowest | highest |\n|-----------|-------:|-------:|--------:|")
    for name, all_times in times.items():
        kept = all_times[1:]                           # the first start reads the disk
        print(f"| {name:<9} | {median(kept):>6.0f} | {min(kept):>6.0f} | {max(kept):>7.0f} |")
    print(flush=True)


def search_together(engines: Sequence[Engine], fen: str, time_ms: int) -> float:
    """Nodes a second of engines that search a position at the same time."""
    for engine in engines:
        engine.new_game()
        engine.position(fen)

    def search(engine: Engine) -> float:
        started = time.perf_counter()
        return engine.search(movetime=time_ms).nodes / (time.perf_counter() - started)

    with ThreadPoolExecutor(len(engines)) as pool:
        return sum(pool.map(search, engines))


def compare_threads(threads: int, time_ms: int) -> None:
    """Every bench position on one thread, by several engines side by side and on several threads, in turns.

    Engines side by side share nothing but the machine, so what they reach is all that threads could.
    """
    shared = Engine(Hash=HASH_MB, Threads=threads)
    alone = [Engine(Hash=HASH_MB) for _ in range(threads)]
    runs = {"one thread": alone[:1], f"{threads} engines": alone, f"{threads} threads": [shared]}
    # Bare endings are searched to the end at once and say nothing.
    positions = [fen for fen in POSITIONS if sum(letter.isalpha() for letter in fen.split()[0]) > 6]
    speeds: dict[str, list[float]] = {name: [] for name in runs}
    for fen in positions:
        for name, engines in runs.items():
            speeds[name].append(search_together(engines, fen, time_ms) / 1e6)
    print(f"Threads, millions of nodes a second over {len(positions)} positions at {time_ms} ms each\n")
    print("| searching  | speed | against one |\n|------------|------:|------------:|")
    for name, each in speeds.items():
        print(f"| {name:<10} | {mean(each):>5.2f} | {sum(each) / sum(speeds['one thread']):>11.2f} |")
    print(flush=True)


def processor() -> str:
    try:
        with open("/proc/cpuinfo") as lines:
            return next(line.split(":")[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure the search against Stockfish, the start, and threads.")
    parser.add_argument("--rounds", type=int, default=5, help="alternating rounds (default: %(default)s)")
    parser.add_argument("--threads", type=int, default=2, help="threads to compare with one (default: %(default)s)")
    parser.add_argument("--movetime", type=int, default=400, help="milliseconds a position (default: %(default)s)")
    parser.add_argument("--stockfish", default=shutil.which("stockfish") or "/usr/games/stockfish",
                        help="the engine to compare with (default: %(default)s)")
    args = parser.parse_args()
    load = f", load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores" if hasattr(os, "getloadavg") else ""
    print(f"{processor()}, Python {platform.python_version()}, Barreleye {__version__}{load}\n")
    stockfish = shutil.which(args.stockfish)
    if stockfish:
        compare_bench(stockfish, args.rounds)
    else:
        print(f"There is no Stockfish at {args.stockfish}, so no comparison: install it or say --stockfish PATH.\n")
    compare_start(stockfish, 2 * args.rounds)
    compare_threads(args.threads, args.movetime)


if __name__ == "__main__":
    main()
