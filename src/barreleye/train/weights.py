"""The weights of a network between its file and the learner: how a training begins, and what of it is written.

The learner has floating-point numbers in rows of `width`; with regions, what an input means in a region and, behind the
rows of the network, what it means in all of them. The file has integers, and the sums of both.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from barreleye import nets
from barreleye.core.evaluate.shape import INPUTS, LARGEST_FEATURE, LARGEST_SUM, MAX_REGIONS, QA, QB, row_count

Doubles = np.ndarray[Any, np.dtype[np.float64]]


def first_weights(width: int, buckets: int, regions: int, seed: int) -> bytes:
    """Small random numbers, with all regions alike."""
    rng = np.random.default_rng(seed)
    inputs = rng.uniform(-1, 1, (INPUTS + 1, width)) * INPUTS ** -0.5
    outputs = rng.uniform(-1, 1, (2 * buckets, width)) * (2 * width) ** -0.5
    return join(inputs, outputs, np.zeros(buckets), regions)


def weights_of(path: str, width: int, buckets: int, regions: int, seed: int) -> bytes:
    """Those of a network file, for a training to go on from.

    The network may be wider than the file's: what is added begins with small random inputs and without a say. It may
    have regions where the file has none.
    """
    facts, payload = nets.read(path)
    if facts.width > width or facts.buckets != buckets or facts.regions not in (1, regions):
        raise ValueError(
            f"{path} was made with --width {facts.width} --buckets {facts.buckets} --regions {facts.regions}, so a "
            f"training with --width {width} --buckets {buckets} --regions {regions} cannot begin with it: give --width "
            f"{facts.width} or more, --buckets {facts.buckets} and --regions {facts.regions}"
            + (f" or {MAX_REGIONS}" if facts.regions == 1 else ""))
    rows = row_count(buckets, facts.regions)
    values = np.frombuffer(payload[:2 * rows * facts.width], "<i2").reshape(rows, facts.width).astype(np.float64)
    biases = np.frombuffer(payload[2 * rows * facts.width:], "<i4") / (QA * QB)
    split = facts.regions * INPUTS + 1
    inputs, outputs = values[:split] / QA, values[split:] / QB
    added = np.random.default_rng(seed).uniform(-1, 1, (split, width - facts.width)) * INPUTS ** -0.5
    return join(np.hstack([inputs, added]), np.hstack([outputs, np.zeros((2 * buckets, width - facts.width))]), biases,
                regions)


def join(inputs: Doubles, outputs: Doubles, biases: Doubles, regions: int) -> bytes:
    """All weights as the learner wants them; with regions, rows are split into what all share and the rest."""
    rows, bias = inputs[:-1], inputs[-1]
    if regions == 1:
        parts = [rows, bias, outputs, biases]
    else:
        own = rows.reshape(-1, INPUTS, rows.shape[1])
        shared = own.mean(axis=0)
        parts = [np.broadcast_to(own, (regions, *shared.shape)) - shared, bias, outputs, shared, biases]
    return np.concatenate([part.ravel() for part in parts]).astype("<f4").tobytes()


def quantise(weights: bytes, width: int, buckets: int, regions: int) -> bytes:
    """The learner's weights as the integers of a network file; what no engine could add up is made smaller."""
    values = np.frombuffer(weights, "<f4").astype(np.float64)
    inputs = (regions * INPUTS + 1) * width
    outputs = row_count(buckets, regions) * width
    features = values[:inputs].copy()
    if regions > 1:
        features[:-width].reshape(regions, -1)[:] += values[outputs:-buckets]
    reading = values[inputs:outputs].reshape(2 * buckets, width) * QB
    reading *= np.minimum(1.0, (LARGEST_SUM - width) / np.maximum(np.abs(reading).sum(axis=1, keepdims=True), 1))
    return b"".join((np.clip(np.rint(features * QA), -LARGEST_FEATURE, LARGEST_FEATURE).astype("<i2").tobytes(),
                     np.rint(reading).astype("<i2").tobytes(),
                     np.rint(values[-buckets:] * QA * QB).astype("<i4").tobytes()))
