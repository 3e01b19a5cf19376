"""How fast a network learns: positions a second at a width, on all processors, from a few seconds of self-play."""

import argparse
import os
import platform
import tempfile
from pathlib import Path
from statistics import median

import numpy as np

from barreleye import __version__
from barreleye.train import dataset
from barreleye.train.generate import Settings as Play
from barreleye.train.generate import generate
from barreleye.train.network import Settings, Trainer

POSITIONS = 1_000_000        # in an epoch


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--width", type=int, action="append", help="of the hidden layer (default 128 and 256)")
    parser.add_argument("--rounds", type=int, default=5, help="epochs at each width (default %(default)s)")
    args = parser.parse_args()
    threads = os.cpu_count() or 1
    load = f", load {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else ""
    print(f"{platform.processor() or platform.machine()}, {threads} threads, Barreleye {__version__}{load}\n")
    with tempfile.TemporaryDirectory() as folder:
        generate(Path(folder), Play(nodes=50), games=300, threads=threads)
        played = dataset.load([Path(folder)])
    records = np.resize(played, POSITIONS)
    print("| width | median, M positions/s | lowest | highest |\n|---:|---:|---:|---:|")
    for width in args.width or (128, 256):
        trainer = Trainer(records, Settings(width=width, buckets=8, epochs=args.rounds, scale=200.0), threads)
        speeds = [epoch.speed / 1e6 for epoch in trainer.run()]
        print(f"| {width} | {median(speeds):.2f} | {min(speeds):.2f} | {max(speeds):.2f} |")


if __name__ == "__main__":
    main()
