"""From nothing to a network: play, train, and see whether the result is worth anything.

The budget in minutes is shared out: most of it goes to self-play, because positions are what a network lacks.
"""

from __future__ import annotations

import tempfile
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from barreleye import nets
from barreleye.core.evaluate.shape import INPUTS
from barreleye.lab.duel import duel
from barreleye.lab.entrant import Entrant
from barreleye.lab.standing import Standing
from barreleye.train import dataset, generate, network
from barreleye.train.checkpoint import Checkpoint
from barreleye.train.dataset import Records, game_numbers
from barreleye.train.weights import quantise

PLAY_SHARE = 0.6                # of the time for self-play
SPEED = 800_000                 # positions a second that training is sure to reach on one thread at width 64
BALANCED, EARLY_PLY = 100, 24    # centipawns and plies of a position fit to begin a game from
FEWEST_EPOCHS, MOST_EPOCHS = 4, 40


def plan(positions: int, minutes: float, threads: int) -> network.TrainingSettings:
    """Settings that suit so many positions and so much time: a small network for little data, small steps for few."""
    width = 32 if positions < 300_000 else 64 if positions < 3_000_000 else 128 if positions < 20_000_000 else 256
    speed = SPEED * threads * 64 / max(width, 64)
    epochs = int(60 * minutes * speed / max(positions, 1))
    batch = 1024 if positions < 300_000 else 4096 if positions < 3_000_000 else 16_384
    return network.TrainingSettings(width=width, epochs=max(FEWEST_EPOCHS, min(MOST_EPOCHS, epochs)), batch=batch,
                            buckets=1 if positions < 3_000_000 else 8)


def grow(folder: Path, target: Path, minutes: float, settings: generate.PlaySettings, *, threads: int = 1,
         teacher: Any = None, checkpoint: Path, stop: threading.Event | None = None,
         on_play: Callable[[generate.Tally], None] | None = None,
         on_epoch: Callable[[network.Epoch, network.Trainer], None] | None = None) -> network.Trainer:
    """Play into a folder, train on what it has, write the network. What the folder had before counts too.

    A training that was interrupted goes on from its checkpoint before anything else is played.
    """
    stop = stop or threading.Event()
    if checkpoint.exists():
        wanted = network.TrainingSettings(**Checkpoint.load(checkpoint).settings)
    else:
        generate.generate(folder, settings, minutes=PLAY_SHARE * minutes, threads=threads, network=teacher, stop=stop,
                          progress=on_play)
        positions = sum(part.count for part in dataset.find_parts([folder]))
        wanted = plan(positions, (1 - PLAY_SHARE) * minutes, threads)
    trainer = network.open_training([folder], wanted, threads, checkpoint)
    trainer.save_checkpoint()
    trainer.stop = stop
    for epoch in trainer.run():
        if on_epoch is not None:
            on_epoch(epoch, trainer)
    if not trainer.best:
        raise KeyboardInterrupt
    trainer.save(target, f"{trainer.supply.total} positions of self-play at {settings.nodes} nodes")
    return trainer


def material_network(path: Path) -> None:
    """Write a network that counts pieces and nothing else: what a trained one has to beat."""
    values = (100, 320, 330, 500, 950, 0)
    width = 16
    features = np.zeros((INPUTS, width), np.float64)
    for kind, value in enumerate(values):
        for lane in range(width):
            features[64 * kind:64 * kind + 64, lane] = value / 10_000
            features[384 + 64 * kind:448 + 64 * kind, lane] = -value / 10_000
    # One side's balance pushes every lane up from the middle, the other side's sees it fall: the difference is linear.
    weights = np.concatenate([features.ravel(), np.full(width, 0.5), np.full(width, 1.0), np.full(width, -1.0), [0.0]])
    scale = round(10_000 / (2 * width))
    nets.save(path, width, 1, quantise(weights.astype("<f4").tobytes(), width, 1, 1), "material alone", scale)


def play_off(ours: Path, theirs: Path, records: Records, games: int, nodes: int, threads: int = 0,
             on_change: Callable[[Standing], object] | None = None) -> Standing:
    """A duel between two networks at equal nodes, from balanced positions early in the games of self-play."""
    balanced = records[(np.abs(records["score"].astype(np.int32)) <= BALANCED) & (records["ply"] <= EARLY_PLY)]
    _, firsts = np.unique(game_numbers(balanced), return_index=True)
    if not len(firsts):
        raise ValueError("the data has no balanced opening to play from")
    with tempfile.TemporaryDirectory() as scratch:
        book = Path(scratch, "openings.epd")
        book.write_text("".join(f"{dataset.fen(balanced[index])}\n" for index in firsts[:games]))
        return duel(*(Entrant(path.stem, net=str(path)) for path in (ours, theirs)), games=games, nodes=nodes,
                    openings=str(book), threads=threads, on_change=on_change)
