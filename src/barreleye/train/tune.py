"""Fits the weights of the hand-written evaluation to the results of games.

The value of a position in centipawns, put through a logistic curve, is the expected result of its game. The steepness
of that curve is fitted first and then kept, so that centipawns keep their size; after that all weights are fitted at
once by Adam on the logarithmic loss. core.evaluate.trace says how often each weight counts in a position.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np
import numpy.typing as npt

from barreleye.core.evaluate.trace import parts, trace
from barreleye.core.evaluate.weights import WEIGHTS
from barreleye.core.position import Position
from barreleye.train.positions import Sample
from barreleye.train.weights_file import Weights

Floats = npt.NDArray[np.float32]
Rows = npt.NDArray[np.int16]

FULL_PHASE = 24
NORMAL_SCALE = 64
DANGER_SQUARE = 4096
DANGER_SHARE = 16
DANGER_LIMIT = 3000
LINEAR, DANGER = parts()
PHASE, WHITE_SCALE, BLACK_SCALE = range(LINEAR + 2 * DANGER, LINEAR + 2 * DANGER + 3)


@dataclass
class TraceTable:
    """Traced positions: a row each, the result for white, the game, and a search's score or nan."""

    rows: Rows
    results: Floats
    games: npt.NDArray[np.int32]
    scores: Floats

    def __len__(self) -> int:
        return len(self.rows)

    def pick(self, which: npt.NDArray[Any] | slice) -> TraceTable:
        return TraceTable(self.rows[which], self.results[which], self.games[which], self.scores[which])

    def split(self, share: float) -> tuple[TraceTable, TraceTable]:
        """Positions to learn from and positions to check with; no game is in both."""
        if not 0 < share < 1:
            raise ValueError(f"the share of the games to check with is {share:g}, expected more than 0 and less than 1")
        checked = self.games % max(2, round(1 / share)) == 0
        return self.pick(~checked), self.pick(checked)


@dataclass
class Model:
    """All weights as real numbers: midgame and endgame columns, and king danger."""

    linear: Floats
    danger: Floats

    def values(self, rows: Rows) -> Floats:
        """Centipawns for white."""
        return self.forward(rows)[0]

    def forward(self, rows: Rows) -> tuple[Floats, Floats, Floats, Floats, Floats]:
        """Values, the shares of midgame and endgame in them, and both kings' danger as counted."""
        scores = rows[:, :LINEAR].astype(np.float32) @ self.linear
        white = np.clip(rows[:, LINEAR : LINEAR + DANGER] @ self.danger, 0, DANGER_LIMIT)
        black = np.clip(rows[:, LINEAR + DANGER : LINEAR + 2 * DANGER] @ self.danger, 0, DANGER_LIMIT)
        midgame = scores[:, 0] + (black**2 - white**2) / DANGER_SQUARE
        endgame = scores[:, 1] + (black - white) / DANGER_SHARE
        phase = rows[:, PHASE] / np.float32(FULL_PHASE)
        scale = np.where(endgame > 0, rows[:, WHITE_SCALE], rows[:, BLACK_SCALE]) / np.float32(NORMAL_SCALE)
        rest = (1 - phase) * scale
        return midgame * phase + endgame * rest, phase, rest, white, black

    def gradient(self, rows: Rows, results: Floats, steepness: float) -> tuple[float, Model]:
        """The loss over some positions and what each weight does to it."""
        values, phase, rest, white, black = self.forward(rows)
        expected = logistic(values, steepness)
        slope = steepness * (expected - results) / len(rows)
        counts = rows[:, :LINEAR].astype(np.float32)
        linear = counts.T @ np.stack((slope * phase, slope * rest), axis=1)
        danger = np.zeros_like(self.danger)
        for sign, king, start in ((-1, white, LINEAR), (1, black, LINEAR + DANGER)):
            inside = (king > 0) & (king < DANGER_LIMIT)
            pull = sign * inside * slope * (phase * 2 * king / DANGER_SQUARE + rest / DANGER_SHARE)
            danger += rows[:, start : start + DANGER].astype(np.float32).T @ pull.astype(np.float32)
        return log_loss(expected, results), Model(linear, danger)

    def flat(self) -> Floats:
        return np.concatenate((self.linear.ravel(), self.danger))

    @staticmethod
    def of_flat(flat: Floats) -> Model:
        return Model(flat[: 2 * LINEAR].reshape(LINEAR, 2), flat[2 * LINEAR :])

    @staticmethod
    def of_weights(weights: Weights) -> Model:
        pairs = [value for group in weights.values() for value in group if isinstance(value, tuple)]
        units = [value for group in weights.values() for value in group if not isinstance(value, tuple)]
        return Model(np.array(pairs, np.float32), np.array(units, np.float32))

    def weights(self, like: Weights) -> Weights:
        """The same numbers rounded, by group."""
        pairs = iter(np.rint(self.linear).astype(int).tolist())
        units = iter(np.rint(self.danger).astype(int).tolist())
        return {
            name: [tuple(next(pairs)) if isinstance(value, tuple) else next(units) for value in group]
            for name, group in like.items()
        }


@dataclass(frozen=True)
class TuneSettings:
    """How to fit: passes over the positions, positions to a step, step size, how far weights may move freely, what a
    position counts when those of a game resemble one another, and the share of search scores in what is learned."""

    epochs: int = 100
    batch: int = 16384
    rate: float = 1.0
    prior: float = 30.0
    independence: float = 0.01
    blend: float = 0.5
    seed: int = 1

    def __post_init__(self) -> None:
        for name, value, is_right in (("epochs", self.epochs, self.epochs >= 1), ("batch", self.batch, self.batch >= 1),
                                      ("rate", self.rate, self.rate > 0), ("prior", self.prior, self.prior > 0)):
            if not is_right:
                raise ValueError(f"{name} is {value:g}, expected a number above 0")
        if not 0 <= self.blend <= 1:
            raise ValueError(f"blend is {self.blend:g}, expected a share from 0 to 1")


@dataclass
class Fit:
    """What came out: the weights, the steepness, and the losses before and after on both sets."""

    weights: Weights
    steepness: float
    before: tuple[float, float]
    after: tuple[float, float]


def trace_samples(
    samples: Iterable[Sample], threads: int = 1, on_progress: Callable[[int], None] = lambda _: None
) -> TraceTable:
    """Trace every position whose ending is not known already."""
    results: list[float] = []
    games: list[int] = []
    scores: list[float] = []
    rows = bytearray()
    with ThreadPoolExecutor(threads) as pool:
        for chunk in chunks(samples, 4096):
            for sample, row in zip(chunk, pool.map(trace_fen, (sample.fen for sample in chunk)), strict=True):
                if row is not None:
                    rows += row
                    results.append(sample.result)
                    games.append(sample.game)
                    scores.append(sample.score)
            on_progress(len(chunk))
    table = np.frombuffer(rows, np.int16).reshape(-1, LINEAR + 2 * DANGER + 3)
    return TraceTable(table, np.array(results, np.float32), np.array(games, np.int32), np.array(scores, np.float32))


def trace_fen(fen: str) -> bytes | None:
    row: bytes | None = trace(Position(fen))
    return row


def chunks(samples: Iterable[Sample], size: int) -> Iterator[Sequence[Sample]]:
    rest = iter(samples)
    while chunk := tuple(islice(rest, size)):
        yield chunk


def logistic(values: Floats, steepness: float) -> Floats:
    expected: Floats = 1 / (1 + np.exp(-steepness * values))
    return expected


def log_loss(expected: Floats, results: Floats) -> float:
    """Mean bits of surprise at the results."""
    sure = np.clip(expected, 1e-7, 1 - 1e-7)
    return float(np.mean(-results * np.log2(sure) - (1 - results) * np.log2(1 - sure)))


def fit_steepness(values: Floats, results: Floats) -> float:
    """The steepness of the curve from centipawns to results that surprises least."""
    low, high = 1e-4, 2e-2
    while high - low > 1e-6:
        third = (high - low) / 3
        left, right = low + third, high - third
        if log_loss(logistic(values, left), results) < log_loss(logistic(values, right), results):
            high = right
        else:
            low = left
    return (low + high) / 2


def loss_of(model: Model, table: TraceTable, steepness: float, batch: int = 16384) -> float:
    """The mean loss over a whole table."""
    total = 0.0
    for at in range(0, len(table), batch):
        part = table.pick(slice(at, at + batch))
        total += len(part) * log_loss(logistic(model.values(part.rows), steepness), part.results)
    return total / len(table)


def blended(table: TraceTable, share: float) -> Floats:
    """What to expect of each position: its game's result, mixed with what a search's score says where there is one."""
    scored = ~np.isnan(table.scores)
    if not scored.any():
        return table.results
    steepness = fit_steepness(table.scores[scored], table.results[scored])
    said = logistic(np.nan_to_num(table.scores), steepness)
    targets: Floats = np.where(scored, (1 - share) * table.results + share * said, table.results).astype(np.float32)
    return targets


def tune(
    table: TraceTable, validation: TraceTable, settings: TuneSettings,
    on_epoch: Callable[[int, float], None] = lambda *_: None
) -> Fit:
    """Fit all weights, starting from and held to the present ones as strongly as the positions are few."""
    start = Model.of_weights(WEIGHTS)
    values = np.concatenate([start.values(table.rows[at : at + 16384]) for at in range(0, len(table), 16384)])
    steepness = fit_steepness(values, table.results)
    targets = blended(table, settings.blend)
    fixed = start.flat()
    best = fixed.copy()
    mean, square = np.zeros_like(best), np.zeros_like(best)
    hold = 1 / (settings.prior**2 * len(table) * settings.independence)
    random = np.random.default_rng(settings.seed)
    steps = 0
    for epoch in range(settings.epochs):
        order = random.permutation(len(table))
        rate = settings.rate * 0.5 * (1 + np.cos(np.pi * epoch / settings.epochs))
        for at in range(0, len(table), settings.batch):
            picked = order[at : at + settings.batch]
            _, pull = Model.of_flat(best).gradient(table.rows[picked], targets[picked], steepness)
            slope = pull.flat() + hold * (best - fixed)
            steps += 1
            mean += 0.1 * (slope - mean)
            square += 0.001 * (slope**2 - square)
            step = (mean / (1 - 0.9**steps)) / (np.sqrt(square / (1 - 0.999**steps)) + 1e-9)
            best -= (rate * step).astype(np.float32)
        on_epoch(epoch, loss_of(Model.of_flat(best), validation, steepness))
    fitted = Model.of_flat(best).weights(WEIGHTS)
    rounded = Model.of_weights(fitted)
    before = (loss_of(start, table, steepness), loss_of(start, validation, steepness))
    after = (loss_of(rounded, table, steepness), loss_of(rounded, validation, steepness))
    return Fit(fitted, steepness, before, after)
