"""Training a network on positions from self-play: the loop around the compiled learner.

What is learned is the chance to score, a mix of the game's result and the search's score; the share of the result grows
while training. Positions to check with are set apart by whole games, because neighbours in a game are nearly the same.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from math import cos, pi
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np

from barreleye import nets
from barreleye.core.evaluate.shape import INPUTS, QA, QB, row_count
from barreleye.core.learner import Learner
from barreleye.train.dataset import BLACK_TO_MOVE, Records, game_numbers

Floats = np.ndarray[Any, np.dtype[np.float32]]
FIT_POSITIONS = 1_000_000       # enough to fit a steepness or a scale
LARGEST_SCORE = 1000            # scores beyond this say little about the scale
SCALE_CHANGE = 3.0              # an untrained network says nothing about it either


@dataclass(frozen=True, slots=True)
class Settings:
    """How a network is trained."""

    width: int = 128
    buckets: int = 1
    epochs: int = 20
    batch: int = 16_384
    rate: float = 1e-3
    last_rate: float = 2e-6
    warm_up: float = 0.02           # share of the steps in which the rate rises
    decay: float = 0.01
    clip: float = 1.98              # the largest weight that still fits the integers of the file
    first_share: float = 0.05       # of the result in what is learned, at the beginning
    last_share: float = 0.05        # and at the end; more is learned by heart, for a game has one result
    validation: float = 0.02        # share of the games to check with
    scale: float = 0.0              # centipawns at a logit of one in the scores; 0 to fit it to the results
    seed: int = 1
    patience: int = 12              # epochs without a better check before giving up

    def __post_init__(self) -> None:
        for name, least in (("epochs", 1), ("batch", 1), ("scale", 0), ("seed", 0), ("rate", 1e-9)):
            if getattr(self, name) < least:
                raise ValueError(f"{name} is {getattr(self, name)}, expected at least {least}")
        for name in ("first_share", "last_share", "validation"):
            if not 0 <= getattr(self, name) <= 1:
                raise ValueError(f"{name} is {getattr(self, name)}, expected a share from 0 to 1")


@dataclass(frozen=True, slots=True)
class Epoch:
    """One pass over the positions: mean losses and speed."""

    number: int
    learning: float
    checking: float
    rate: float
    speed: float                    # positions a second


def expected_scores(records: Records, scale: float, share: float) -> Floats:
    """What the network should say of each position, for the side to move."""
    black = records["side_ep"] & BLACK_TO_MOVE != 0
    score = np.where(black, -records["score"], records["score"]).astype(np.float32)
    points = np.where(black, 2 - records["result"], records["result"]).astype(np.float32) / 2
    mixed: Floats = share * points + (1 - share) / (1 + np.exp(-score / scale))
    return mixed


def fit_scale(records: Records) -> float:
    """The centipawns at which a score says what the results say: the logistic curve with the least squared error."""
    some = records[:: max(1, len(records) // FIT_POSITIONS)]
    score, points = some["score"].astype(np.float64), some["result"] / 2.0
    best, least = 400.0, float("inf")
    for scale in np.geomspace(50, 1000, 60):
        error = float(np.mean((1 / (1 + np.exp(-score / scale)) - points) ** 2))
        if error < least:
            best, least = float(scale), error
    return best


def split_by_game(records: Records, share: float, seed: int) -> tuple[Records, Records]:
    """Positions to learn from and positions to check with; no game is in both."""
    games = game_numbers(records)
    count = int(games[-1]) + 1 if len(games) else 0
    apart = np.random.default_rng(seed).random(count) < share
    if count < 2 or apart.all():
        raise ValueError(f"{len(records)} positions of {count} games are too few to train on")
    if not apart.any():
        apart[0] = True
    checking = apart[games]
    return records[~checking], records[checking]


class Trainer:
    """A training run: positions, learner, and where it stands."""

    def __init__(self, records: Records, settings: Settings, threads: int = 1) -> None:
        self.settings = settings
        self.threads = threads
        self.learning, self.checking = split_by_game(records, settings.validation, settings.seed)
        self.scale = settings.scale or fit_scale(self.learning)
        self.learner = Learner(settings.width, settings.buckets, threads, self.scale)
        self.steps_an_epoch = max(1, len(self.learning) // settings.batch)
        self.history: list[Epoch] = []
        self.best = b""
        self.stop = threading.Event()
        rng = np.random.default_rng(settings.seed)
        inputs = (INPUTS + 1) * settings.width
        outputs = row_count(settings.buckets) * settings.width - inputs
        weights = np.concatenate([
            rng.uniform(-1, 1, inputs) * INPUTS ** -0.5,
            rng.uniform(-1, 1, outputs) * (2 * settings.width) ** -0.5,
            np.zeros(settings.buckets)])
        self.learner.set_weights(weights.astype("<f4").tobytes())

    def run(self, progress: Callable[[int, int, float], None] | None = None) -> Iterator[Epoch]:
        """Train to the end, epoch by epoch; progress hears (step, steps, loss so far). self.stop ends it early."""
        records = self.learning.view(np.uint8).reshape(-1)
        settings = self.settings
        with ThreadPoolExecutor(self.threads) as pool:
            for number in range(len(self.history), settings.epochs):
                order = np.random.default_rng((settings.seed, number)).permutation(len(self.learning))
                order = order.astype(np.uint32)
                began, loss, seen, rate = time.perf_counter(), 0.0, 0, 0.0
                for step in range(self.steps_an_epoch):
                    if self.stop.is_set():
                        return
                    done = (number * self.steps_an_epoch + step) / (settings.epochs * self.steps_an_epoch)
                    share = settings.first_share + (settings.last_share - settings.first_share) * done
                    rate = self.rate(done)
                    batch = order[step * settings.batch:(step + 1) * settings.batch]
                    parts = np.array_split(batch, self.threads)
                    loss += sum(pool.map(self.learner.learn, [records] * self.threads, parts,
                                         range(self.threads), [share] * self.threads))
                    seen += len(batch)
                    self.learner.begin_step()
                    list(pool.map(lambda part, size, now: self.learner.update_part(
                        part, self.threads, size, now, settings.decay, settings.clip),
                        range(self.threads), [len(batch)] * self.threads, [rate] * self.threads))
                    if progress is not None:
                        progress(step + 1, self.steps_an_epoch, loss / seen)
                seconds = time.perf_counter() - began
                epoch = Epoch(number + 1, loss / seen, self.check(), rate, seen / seconds)
                self.history.append(epoch)
                if epoch.checking <= min(one.checking for one in self.history):
                    self.best = self.learner.get_weights()
                yield epoch
                since_best = number + 1 - min(self.history, key=lambda one: one.checking).number
                if since_best >= settings.patience:
                    return

    def rate(self, done: float) -> float:
        """The step size when this share of the training is done: a short rise, then half a cosine down."""
        settings = self.settings
        if done < settings.warm_up:
            return settings.rate * max(done / settings.warm_up, 1e-3)
        fall = (done - settings.warm_up) / (1 - settings.warm_up)
        return settings.last_rate + (settings.rate - settings.last_rate) * (1 + cos(pi * fall)) / 2

    def check(self) -> float:
        """The loss on the positions set apart, always with the same share of the result."""
        wanted = expected_scores(self.checking, self.scale, self.settings.last_share)
        return float(np.mean((1 / (1 + np.exp(-self.predict(self.checking))) - wanted) ** 2))

    def predict(self, records: Records) -> Floats:
        """The network's logits for the side to move."""
        data = np.ascontiguousarray(records).view(np.uint8).reshape(-1)
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
        nets.save(path, settings.width, settings.buckets, quantise(self.learner.get_weights(), settings), note,
                  self.output_scale())

    # Checkpoints

    def save_checkpoint(self, path: Path) -> None:
        """Everything needed to go on later."""
        steps, mean, variance = self.learner.get_moments()
        facts = {"settings": asdict(self.settings), "positions": len(self.learning), "steps": steps,
                 "scale": self.scale, "history": [asdict(epoch) for epoch in self.history]}
        partial = path.with_name(path.name + ".partial")
        with partial.open("wb") as file:
            np.savez(file, facts=np.array(json.dumps(facts)),
                     weights=np.frombuffer(self.learner.get_weights(), "<f4"), best=np.frombuffer(self.best, "<f4"),
                     mean=np.frombuffer(mean, "<f4"), variance=np.frombuffer(variance, "<f4"))
        partial.replace(path)

    def load_checkpoint(self, path: Path) -> None:
        """Go on from where a checkpoint of the same training stands; ValueError if it is another one."""
        try:
            with np.load(path) as stored:
                facts = json.loads(str(stored["facts"]))
                arrays = {name: stored[name].tobytes() for name in ("weights", "best", "mean", "variance")}
        except (OSError, ValueError, KeyError, EOFError, BadZipFile) as error:
            raise ValueError(f"{path} is not a checkpoint: {error}") from error
        if facts["settings"] != asdict(self.settings) or facts["positions"] != len(self.learning):
            raise ValueError(f"{path} belongs to another training: remove it, or give the settings and data it has")
        self.learner.set_weights(arrays["weights"])
        self.learner.set_moments(facts["steps"], arrays["mean"], arrays["variance"])
        self.best = arrays["best"]
        self.history = [Epoch(**epoch) for epoch in facts["history"]]


def quantise(weights: bytes, settings: Settings) -> bytes:
    """Floating-point weights as the integers of a network file."""
    values = np.frombuffer(weights, "<f4").astype(np.float64)
    inputs = (INPUTS + 1) * settings.width
    outputs = row_count(settings.buckets) * settings.width
    return b"".join((np.rint(values[:inputs] * QA).astype("<i2").tobytes(),
                     np.clip(np.rint(values[inputs:outputs] * QB), -127, 127).astype("<i2").tobytes(),
                     np.rint(values[outputs:] * QA * QB).astype("<i4").tobytes()))
