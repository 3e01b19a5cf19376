"""What a CPU second of self-play yields: two installed builds, or two ways to play, in turns.

Each round plays the same seeds on one thread with both and compares kept positions for a CPU second; the figures are
medians over the rounds, so that whatever else the machine does slows both sides. A way to play is a list of settings as
in barreleye.train.generate.PlaySettings:

python benchmarks/selfplay.py --before OLD/bin/python
python benchmarks/selfplay.py --after-settings harvest=2 harvest_nodes=50
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from statistics import median

# Runs in the Python of a build, which may be older than this file.
PROGRAM = """
import json, sys, tempfile, time
from pathlib import Path
from barreleye import nets
from barreleye.train import generate as module
generate, PlaySettings = module.generate, getattr(module, "PlaySettings", None) or module.Settings
settings, games = json.loads(sys.argv[1]), int(sys.argv[2])
network = nets.load(nets.DEFAULT)
with tempfile.TemporaryDirectory() as folder:
    generate(Path(folder, "warm"), PlaySettings(**settings), games=1, network=network)
    began = time.process_time()
    tally = generate(Path(folder, "data"), PlaySettings(**settings), games=games, network=network)
    seconds = time.process_time() - began
print(json.dumps([seconds, tally.positions, tally.games, tally.nodes]))
"""


def play(python: str, settings: dict[str, float], games: int) -> tuple[float, int, int, int]:
    """CPU seconds, positions, games and nodes of one run."""
    done = subprocess.run([python, "-c", PROGRAM, json.dumps(settings), str(games)], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{python} cannot play with {settings}:\n{done.stderr}")
    seconds, positions, played, nodes = json.loads(done.stdout)
    return seconds, positions, played, nodes


def parse(words: list[str]) -> dict[str, float]:
    """Settings from NAME=NUMBER words."""
    settings = {}
    for word in words:
        name, _, value = word.partition("=")
        settings[name] = float(value) if "." in value else int(value)
    return settings


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--before", default=sys.executable, metavar="PYTHON", help="the Python of the old build")
    parser.add_argument("--after", default=sys.executable, metavar="PYTHON", help="the Python of the new build")
    parser.add_argument("--before-settings", nargs="*", default=[], metavar="NAME=N", help="how it plays")
    parser.add_argument("--after-settings", nargs="*", default=[], metavar="NAME=N", help="how it plays")
    parser.add_argument("--nodes", type=int, default=200, help="soft nodes of a search (default %(default)s)")
    parser.add_argument("--games", type=int, default=100, help="games a round (default %(default)s)")
    parser.add_argument("--rounds", type=int, default=9, help="alternating rounds (default %(default)s)")
    args = parser.parse_args()
    sides = {"before": (args.before, parse(args.before_settings)), "after": (args.after, parse(args.after_settings))}
    runs: dict[str, list[tuple[float, int, int, int]]] = {name: [] for name in sides}
    for number in range(args.rounds):
        for name, (python, settings) in sides.items():
            seed = 1 + 1_000_000 * number
            runs[name].append(play(python, {"nodes": args.nodes, "seed": seed, **settings}, args.games))
    print(f"Self-play at {args.nodes} nodes, one thread, {args.rounds} rounds of {args.games} games in turns\n")
    print("| build  | positions/CPU s | games/CPU s | nodes/position | positions/game | million nodes/CPU s |")
    print("|--------|----------------:|------------:|---------------:|---------------:|--------------------:|")
    for name, all_runs in runs.items():
        positions, games, each, share, speed = (median(figures) for figures in zip(
            *((made / seconds, played / seconds, nodes / made, made / played, nodes / seconds / 1e6)
              for seconds, made, played, nodes in all_runs), strict=True))
        print(f"| {name:<6} | {positions:>15.0f} | {games:>11.1f} | {each:>14.0f} | {share:>14.1f} | {speed:>19.2f} |")
    ratios = [after[1] / after[0] * before[0] / before[1]
              for before, after in zip(runs["before"], runs["after"], strict=True)]
    print(f"\npositions for a CPU second, after against before: {median(ratios):.2f} "
          f"(lowest {min(ratios):.2f}, highest {max(ratios):.2f})")


if __name__ == "__main__":
    main()
