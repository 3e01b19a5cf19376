"""How fast builds search, compared with each other: nodes in a second of processor time.

Each build is a folder that holds a package `barreleye`, such as a site-packages. They take turns, in an order that
changes from round to round, each time in a process of its own, and only the searches count. Processor time does not
tell when a machine is busy, except by what others drive out of its caches: many rounds help, and the first folder given
twice says how far to trust the rest.
"""

import argparse
import os
import random
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from statistics import median, quantiles

# Only what every build has.
PROGRAM = """
import sys, time
from barreleye.bench import POSITIONS
from barreleye.engine import Engine
engine, nodes, spent = Engine(Hash=16), 0, 0.0
for fen in POSITIONS:
    engine.new_game()
    engine.position(fen)
    started = time.process_time()
    nodes += engine.search(depth=int(sys.argv[1])).nodes
    spent += time.process_time() - started
print(nodes / spent / 1e6)
"""


def speed(build: Path, depth: int) -> float:
    """Millions of nodes a second of one run."""
    environment = {**os.environ, "PYTHONPATH": str(build)}
    command = [sys.executable, "-c", PROGRAM, str(depth)]
    result = subprocess.run(command, env=environment, capture_output=True, text=True)
    if result.returncode:
        sys.exit(f"{build} cannot be measured:\n{result.stderr}")
    return float(result.stdout)


def compare(builds: Sequence[Path], rounds: int, depth: int) -> None:
    speeds: list[list[float]] = [[] for _ in builds]
    for _ in range(rounds):
        for index in random.sample(range(len(builds)), len(builds)):
            speeds[index].append(speed(builds[index], depth))
    print(f"Search, one thread, depth {depth}, millions of nodes in a second of processor time, {rounds} rounds\n")
    print("| build | speed | best | against the first | quartiles | best against best |\n|---|--:|--:|--:|--:|--:|")
    for build, each in zip(builds, speeds, strict=True):
        ratios = [one / other for one, other in zip(each, speeds[0], strict=True)]
        low, _, high = quantiles(ratios, n=4)
        print(f"| {build} | {median(each):.2f} | {max(each):.2f} | {median(ratios):.3f} | {low:.3f} to {high:.3f} "
              f"| {max(each) / max(speeds[0]):.3f} |")


def main() -> None:
    parser = argparse.ArgumentParser(description="Compare how fast builds search, in turns.")
    parser.add_argument("builds", type=Path, nargs="+", metavar="FOLDER", help="holds a package barreleye")
    parser.add_argument("--rounds", type=int, default=30, help="runs of each (default: %(default)s)")
    parser.add_argument("--depth", type=int, default=12, help="of every search (default: %(default)s)")
    args = parser.parse_args()
    for build in args.builds:
        if not (build / "barreleye").is_dir():
            parser.error(f"{build} holds no package barreleye")
    if args.rounds < 2:
        parser.error(f"--rounds is {args.rounds}, expected at least 2")
    compare([build.resolve() for build in args.builds], args.rounds, args.depth)


if __name__ == "__main__":
    main()
