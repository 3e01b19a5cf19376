"""Training a network on positions from self-play: the loop around the compiled learner.

What is learned is the chance to score, a mix of the game's result and what searches said of the position and of those
that follow (`foresight`); the share of the result may change while training. Positions to check with are set apart by
whole games, because neighbours in a game are nearly the same.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import asdict, dataclass
from math import ceil, cos, pi
from pathlib import Path
from typing import Any

import numpy as np

from barreleye import nets
from barreleye.core.learner import MAX_LEARNERS, Learner
from barreleye.train.checkpoint import Checkpoint
from barreleye.train.dataset import NO_RESULT, Part, Records, find_parts
from barreleye.train.supply import WINDOW, Numbers, Supply
from barreleye.train.weights import first_weights, quantise, weights_of

Floats = np.ndarray[Any, np.dtype[np.float32]]
Progress = Callable[[int, int, float], None]
LESSON = 1 << 18                # positions learned from between two looks at the clock and at who wants to stop
CHECKPOINT_SECONDS = 60.0
LARGEST_SCORE = 1000            # scores beyond this say little about the scale
LARGEST_SCALE = 3000            # a file has room for three times as much
SCALE_CHANGE = 3.0              # an untrained network says nothing about it either


@dataclass(frozen=True, slots=True)
class TrainingSettings:
    """How a network is trained."""

    width: int = 128
    buckets: int = 1
    regions: int = 1                # of the king
    start: str = ""                 # a network file to begin with instead of random weights
    epochs: int = 20                # passes over the positions,
    steps: int = 0                  # or steps in all, if not 0
    batch: int = 16_384
    rate: float = 1e-3
    last_rate: float = 2e-6
    warm_up: float = 0.02           # share of the steps in which the rate rises
    decay: float = 0.01
    clip: float = 3.8               # the largest weight that still fits the integers of the file
    first_share: float = 0.05       # of the result in what is learned, at the beginning
    last_share: float = 0.05        # and at the end; more is learned by heart, for a game has one result
    foresight: float = 0.85         # what the score a ply later counts against that of the position itself
    validation: float = 0.02        # share of the games to check with
    min_ply: int = 0                # positions before this ply are left out
    scale: float = 0.0              # centipawns at a logit of one in the scores; 0 to fit it to the results
    seed: int = 1
    patience: int = 12              # epochs without a better check before giving up

    def __post_init__(self) -> None:
        for name, least in (("epochs", 1), ("steps", 0), ("batch", 1), ("min_ply", 0), ("scale", 0), ("seed", 0),
                            ("rate", 1e-9)):
            if not getattr(self, name) >= least:
                raise ValueError(f"{name} is {getattr(self, name)}, expected at least {least}")
        for name, most in (("rate", 1), ("scale", LARGEST_SCALE)):
            if getattr(self, name) > most:
                raise ValueError(f"{name} is {getattr(self, name)}, expected at most {most}")
        for name in ("first_share", "last_share", "validation"):
            if not 0 <= getattr(self, name) <= 1:
                raise ValueError(f"{name} is {getattr(self, name)}, expected a share from 0 to 1")
        if not 0 <= self.foresight < 1:
            raise ValueError(f"foresight is {self.foresight}, expected at least 0 and less than 1")


@dataclass(frozen=True, slots=True)
class Epoch:
    """One pass over the positions: mean losses and speed."""

    number: int
    learning: float
    checking: float
    rate: float
    speed: float                    # positions a second


def fit_scale(records: Records) -> float:
    """The centipawns at which a score says what the results say: the logistic curve with the least squared error."""
    some = records[records["result"] < NO_RESULT]
    if not len(some):
        raise ValueError("no position has a result to fit the scale of the scores to: give --scale")
    score, points = some["score"].astype(np.float64), some["result"] / 2.0
    best, least = 400.0, float("inf")
    for scale in np.geomspace(50, 1000, 60):
        error = float(np.mean((1 / (1 + np.exp(-score / scale)) - points) ** 2))
        if error < least:
            best, least = float(scale), error
    return best


class Trainer:
    """A training run: positions, learner, and where it stands."""

    def __init__(self, parts: Sequence[Part], settings: TrainingSettings, threads: int = 1) -> None:
        self.settings = settings
        self.threads = min(threads, MAX_LEARNERS)
        self.supply = Supply(parts, settings.validation, settings.seed, settings.min_ply)
        self.checking = self.supply.checking
        self.scale = settings.scale or fit_scale(self.supply.sample)
        self.supply.look_ahead(self.scale, settings.foresight)
        self.learner = Learner(settings.width, settings.buckets, self.threads, self.scale, settings.regions)
        self.steps_an_epoch = max(1, self.supply.positions // settings.batch)
        self.steps = settings.steps or settings.epochs * self.steps_an_epoch
        self.epochs = ceil(self.steps / self.steps_an_epoch)
        self.step = 0
        self.loss = 0.0                 # of the positions seen in this epoch
        self.seen = 0
        self.history: list[Epoch] = []
        self.best = b""
        self.stop = threading.Event()
        self.checkpoint: Path | None = None     # where to keep what is needed to go on after an interruption
        self._saved = time.monotonic()
        shape = settings.width, settings.buckets, settings.regions
        self.learner.set_weights(weights_of(settings.start, *shape, settings.seed) if settings.start
                                 else first_weights(*shape, settings.seed))

    def run(self, progress: Progress | None = None) -> Iterator[Epoch]:
        """Train to the end, epoch by epoch; progress hears (step, steps in the epoch, loss so far).

        self.stop ends it early. With a checkpoint, its file is written after every epoch and every minute.
        """
        with ThreadPoolExecutor(self.threads) as pool, ThreadPoolExecutor(1) as reader:
            windows = self._windows(reader)
            while len(self.history) < self.epochs and not self.is_stuck():
                began, before = time.perf_counter(), self.seen
                end = min((len(self.history) + 1) * self.steps_an_epoch, self.steps)
                while self.step < end:
                    if not self._learn(pool, *next(windows), progress):
                        return
                seconds = time.perf_counter() - began
                epoch = Epoch(len(self.history) + 1, self.loss / self.seen, self.check(pool),
                              self.rate(self.step / self.steps), (self.seen - before) / seconds)
                self.history.append(epoch)
                self.loss, self.seen = 0.0, 0
                if epoch.checking <= min(one.checking for one in self.history):
                    self.best = self.learner.get_weights()
                self.save_checkpoint()
                yield epoch

    def is_stuck(self) -> bool:
        """Whether too many epochs have passed since the best."""
        best = min(self.history, key=lambda epoch: epoch.checking).number if self.history else 0
        return len(self.history) - best >= self.settings.patience

    def _windows(self, reader: ThreadPoolExecutor) -> Iterator[tuple[Records, Numbers]]:
        """What is still to be learned, window by window: records, and the order of those to take; one is read ahead."""
        batch = self.settings.batch
        size = max(1, WINDOW // batch)

        def read(epoch: int, begin: int, end: int, skipped: int) -> tuple[Records, Numbers]:
            count = min(end * batch, self.supply.positions) - begin * batch
            records, order = self.supply.window(epoch, begin * batch, count)
            return records, order[skipped * batch:]

        def ahead() -> Iterator[Future[tuple[Records, Numbers]]]:
            step = self.step
            while step < self.steps:
                epoch, inside = divmod(step, self.steps_an_epoch)
                begin = inside // size * size
                end = min(begin + size, self.steps_an_epoch, self.steps - epoch * self.steps_an_epoch)
                yield reader.submit(read, epoch, begin, end, inside - begin)
                step += end - inside

        futures = ahead()
        present = next(futures, None)
        while present is not None:
            coming = next(futures, None)
            yield present.result()
            present = coming

    def _learn(self, pool: ThreadPoolExecutor, records: Records, order: Numbers, progress: Progress | None) -> bool:
        """Learn from a window; False if somebody wants to stop."""
        settings = self.settings
        epoch_begin = len(self.history) * self.steps_an_epoch
        epoch_steps = min(self.steps_an_epoch, self.steps - epoch_begin)
        lesson = max(1, LESSON // settings.batch) * settings.batch
        for place in range(0, len(order), lesson):
            if self.stop.is_set():
                self.save_checkpoint()
                return False
            some = order[place:place + lesson]
            done = np.arange(self.step, self.step + ceil(len(some) / settings.batch)) / self.steps
            rates = np.array([self.rate(share) for share in done], np.float32)
            shares = (settings.first_share + (settings.last_share - settings.first_share) * done).astype(np.float32)
            try:
                parts = [pool.submit(self.learner.learn, records.view(np.uint8), some, settings.batch, rates, shares,
                                     settings.decay, settings.clip, thread) for thread in range(self.threads)]
                self.loss += sum(part.result() for part in parts)
            except BaseException:
                self.learner.abandon()      # or a thread might wait for one that never began
                raise
            self.seen += len(some)
            self.step += len(done)
            if progress is not None:
                progress(self.step - epoch_begin, epoch_steps, self.loss / self.seen)
            if time.monotonic() - self._saved >= CHECKPOINT_SECONDS:
                self.save_checkpoint()
        return True

    def rate(self, done: float) -> float:
        """The step size when this share of the training is done: a short rise, then half a cosine down."""
        settings = self.settings
        if done < settings.warm_up:
            return settings.rate * max(done / settings.warm_up, 1e-3)
        fall = (done - settings.warm_up) / (1 - settings.warm_up)
        return settings.last_rate + (settings.rate - settings.last_rate) * (1 + cos(pi * fall)) / 2

    def check(self, pool: ThreadPoolExecutor) -> float:
        """The loss on the positions set apart, always with the same share of the result."""
        data, count = self.checking.view(np.uint8), len(self.checking)
        bounds = [count * thread // self.threads for thread in range(self.threads + 1)]
        losses = pool.map(lambda thread: self.learner.measure(
            data, bounds[thread], bounds[thread + 1] - bounds[thread], self.settings.last_share, thread),
            range(self.threads))
        return float(sum(losses)) / count

    def predict(self, records: Records) -> Floats:
        """The network's logits for the side to move."""
        data = np.ascontiguousarray(records).view(np.uint8)
        return np.frombuffer(self.learner.predict(data, 0, len(records)), "<f4")

    def output_scale(self) -> int:
        """Centipawns at a logit of one that make the network's scores as large as those it learned from."""
        some = self.checking[np.abs(self.checking["score"]) <= LARGEST_SCORE]
        if not len(some):
            return round(self.scale)
        logits = float(np.mean(np.abs(self.predict(some))))
        matched = float(np.mean(np.abs(some["score"].astype(np.float64)))) / max(logits, 1e-6)
        return round(max(self.scale / SCALE_CHANGE, min(self.scale * SCALE_CHANGE, matched)))

    def save(self, path: Path, note: str = "") -> None:
        """Write the best weights so far as a network file."""
        if self.best:
            self.learner.set_weights(self.best)
        settings = self.settings
        nets.save(path, settings.width, settings.buckets, quantise(
            self.learner.get_weights(), settings.width, settings.buckets, settings.regions), note,
            self.output_scale(), settings.regions)

    def save_checkpoint(self) -> None:
        """Keep everything needed to go on later, if a file was named for it."""
        self._saved = time.monotonic()
        if self.checkpoint is not None:
            _, mean, variance = self.learner.get_moments()
            Checkpoint(asdict(self.settings), self.supply.parts, self.scale, self.step, self.loss, self.seen,
                       [asdict(epoch) for epoch in self.history], self.learner.get_weights(), self.best, mean,
                       variance).save(self.checkpoint)

    def resume(self, stored: Checkpoint) -> None:
        """Go on from a checkpoint of the same training."""
        self.learner.set_weights(stored.weights)
        self.learner.set_moments(stored.step, stored.mean, stored.variance)
        self.step, self.loss, self.seen = stored.step, stored.loss, stored.seen
        self.best = stored.best
        self.history = [Epoch(**epoch) for epoch in stored.history]


def open_training(data: Iterable[Path], settings: TrainingSettings, threads: int, checkpoint: Path) -> Trainer:
    """A training on files and folders that keeps a checkpoint and goes on from it if there is one."""
    parts = find_parts(data)
    stored = None
    if checkpoint.exists():
        stored = Checkpoint.load(checkpoint)
        stored.check(checkpoint, settings, parts)
        parts = stored.parts            # without what has come since
    trainer = Trainer(parts, settings, threads)
    trainer.checkpoint = checkpoint
    if stored is not None:
        trainer.resume(stored)
    return trainer

