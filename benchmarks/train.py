"""How fast a network learns, and in how much memory: positions a second at a width, on all processors.

Without --data it learns from a few seconds of self-play, repeated to a million positions.
"""

import argparse
import os
import platform
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

import numpy as np

from barreleye import __version__
from barreleye.train import dataset
from barreleye.train.generate import PlaySettings, generate
from barreleye.train.network import Trainer, TrainingSettings

POSITIONS = 1_000_000        # in an epoch
WIDTHS = (128, 256, 512)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--width", type=int, action="append", help="of the hidden layer (default 128, 256 and 512)")
    parser.add_argument("--regions", type=int, default=1, help="of the king (default %(default)s)")
    parser.add_argument("--rounds", type=int, default=5, help="epochs at each width (default %(default)s)")
    parser.add_argument("--batch", type=int, default=16_384, help="positions to a step (default %(default)s)")
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1, help="(default %(default)s)")
    parser.add_argument("--data", type=Path, nargs="+", help="positions files, or folders of them")
    args = parser.parse_args()
    load = f", load {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else ""
    print(f"{platform.processor() or platform.machine()}, {args.threads} threads, Barreleye {__version__}{load}\n")
    with tempfile.TemporaryDirectory() as folder:
        parts = dataset.find_parts(args.data or [make_data(Path(folder), args.threads)])
        print("| width | median, M positions/s | lowest | highest | CPU ns a position | peak memory, MB |")
        print("|---:|---:|---:|---:|---:|---:|")
        for width in args.width or WIDTHS:
            settings = TrainingSettings(width=width, buckets=8, regions=args.regions, epochs=args.rounds,
                                        batch=args.batch, scale=200.0)
            trainer = Trainer(parts, settings, args.threads)
            began = time.process_time()
            speeds = [epoch.speed / 1e6 for epoch in trainer.run()]
            cost = (time.process_time() - began) / (trainer.steps * args.batch)
            print(f"| {width} | {median(speeds):.2f} | {min(speeds):.2f} | {max(speeds):.2f} | {1e9 * cost:.0f} "
                  f"| {peak_memory():.0f} |", flush=True)


def make_data(folder: Path, threads: int) -> Path:
    """Positions of self-play, repeated until there are enough."""
    generate(folder / "played", PlaySettings(nodes=50), games=300, threads=threads)
    path = folder / "many.positions"
    dataset.write_positions(path, {}, np.resize(dataset.load([folder / "played"]), POSITIONS))
    return path


def peak_memory() -> float:
    """The most memory this process has had so far, in MB; not a number where the system does not tell."""
    try:
        import resource
    except ImportError:
        return float("nan")
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1 << 20 if sys.platform == "darwin" else 1 << 10)


if __name__ == "__main__":
    main()
