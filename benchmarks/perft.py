"""How fast the rules are: perft in turns with Stockfish on one thread, and what importing the package costs.

Each round counts the same position with both programs, one right after the other, so that whatever else the machine
does slows both. The figure is the median over the rounds of the ratio of their nodes per second. Both are running
before the clock starts: Stockfish is timed from `go perft` to `Nodes searched`, Barreleye around the call.
"""

import argparse
import os
import platform
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from statistics import median

import barreleye

CASES = (
    ("start position", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 6, 119_060_324),
    ("kiwipete", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 5, 193_690_690),
)


class Stockfish:
    """A running Stockfish that counts leaves."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.process = subprocess.Popen(
            [path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        self.name = self.ask("uci", "id name").removeprefix("id name ")
        self.ask("isready", "readyok")

    def ask(self, command: str, answer: str) -> str:
        """Send a command and wait for the line that begins with the answer."""
        assert self.process.stdin and self.process.stdout
        self.process.stdin.write(command + "\n")
        self.process.stdin.flush()
        for line in self.process.stdout:
            if line.startswith(answer):
                return line.strip()
        sys.exit(f"{self.path} ended without answering {command!r}.")

    def perft(self, depth: int, fen: str) -> int:
        return int(self.ask(f"go perft {depth}", "Nodes searched").split(":")[1])

    def quit(self) -> None:
        self.process.communicate("quit\n")


def nodes_per_second(count: Callable[[int, str], int], fen: str, depth: int, expected: int) -> float:
    started = time.perf_counter()
    nodes = count(depth, fen)
    seconds = time.perf_counter() - started
    if nodes != expected:
        sys.exit(f"{nodes} leaves at depth {depth} of {fen}, expected {expected}.")
    return nodes / seconds


def compare_perft(path: str, rounds: int) -> None:
    stockfish = Stockfish(path)
    print(f"Perft, one thread, millions of nodes a second, median of {rounds} rounds against {stockfish.name}\n")
    print(f"| {'position':<14} | depth | Barreleye | Stockfish | ratio | lowest | highest |")
    print(f"|{'-' * 16}|------:|----------:|----------:|------:|-------:|--------:|")
    for name, fen, depth, expected in CASES:
        stockfish.ask(f"position fen {fen}\nisready", "readyok")
        ours, theirs = [], []
        for _ in range(rounds + 1):
            ours.append(nodes_per_second(barreleye.perft, fen, depth, expected) / 1e6)
            theirs.append(nodes_per_second(stockfish.perft, fen, depth, expected) / 1e6)
        del ours[0], theirs[0]  # the round that warms the caches
        ratios = [one / other for one, other in zip(ours, theirs, strict=True)]
        print(
            f"| {name:<14} | {depth:>5} | {median(ours):>9.1f} | {median(theirs):>9.1f} "
            f"| {median(ratios):>5.2f} | {min(ratios):>6.2f} | {max(ratios):>7.2f} |",
            flush=True,
        )
    stockfish.quit()


def python_seconds(*arguments: str) -> float:
    started = time.perf_counter()
    subprocess.run([sys.executable, *arguments], check=True)
    return time.perf_counter() - started


def compare_startup(rounds: int) -> None:
    """What `import barreleye` and making the first position add to Python's own start, in turns."""
    print(f"\nStart of Python, milliseconds, median of {rounds} rounds\n")
    print(f"| {'program':<46} | time | over bare Python |\n|{'-' * 48}|-----:|-----------------:|")
    programs = ("pass", "import barreleye", "import barreleye; barreleye.Position()")
    times: dict[str, list[float]] = {program: [] for program in programs}
    for _ in range(rounds):
        for program in programs:
            times[program].append(1000 * python_seconds("-c", program))
    for program in programs:
        over = median(one - bare for one, bare in zip(times[program], times["pass"], strict=True))
        print(f"| {f'`{program}`':<46} | {median(times[program]):>4.0f} | {over:>16.1f} |")


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure perft against Stockfish, and the start of Python.")
    parser.add_argument("--rounds", type=int, default=9, help="alternating rounds (default: %(default)s)")
    parser.add_argument(
        "--stockfish",
        default=shutil.which("stockfish") or "/usr/games/stockfish",
        help="the engine to compare with (default: %(default)s)",
    )
    args = parser.parse_args()
    load = f", load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores" if hasattr(os, "getloadavg") else ""
    print(f"{processor()}, Python {platform.python_version()}, Barreleye {barreleye.__version__}{load}\n")
    if shutil.which(args.stockfish):
        compare_perft(args.stockfish, args.rounds)
    else:
        print(f"There is no Stockfish at {args.stockfish}, so no perft: install it or say --stockfish PATH.")
    compare_startup(args.rounds)


def processor() -> str:
    try:
        with open("/proc/cpuinfo") as lines:
            return next(line.split(":")[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()


if __name__ == "__main__":
    main()
