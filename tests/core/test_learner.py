"""The training kernel against a plain numpy network, finite differences, and a problem it must solve."""

import numpy as np
import pytest

from barreleye.core.learner import Learner
from barreleye.core.position import Position
from barreleye.core.selfplay import SelfPlay

WIDTH, BUCKETS, SHARE = 16, 2, 0.3
RECORD = np.dtype([("occupied", "<u8"), ("pieces", "u1", 16), ("score", "<i2"), ("result", "u1"), ("side_ep", "u1"),
                   ("rule50", "u1"), ("castling", "u1"), ("ply", "<u2")])


@pytest.fixture(scope="module")
def records() -> bytes:
    player = SelfPlay(1)
    player.soft_nodes, player.hard_nodes, player.opening_limit = 50, 400, 2000
    data = b""
    for seed in range(8):
        data += player.play(Position(), seed)[1]
    assert len(data) >= 32 * 200
    return data


def make_learner(seed: int = 3, threads: int = 1) -> Learner:
    learner = Learner(WIDTH, BUCKETS, threads)
    rng = np.random.default_rng(seed)
    learner.set_weights(rng.normal(0.05, 0.15, learner.parameters).astype("<f4").tobytes())
    return learner


def inputs(record: np.void) -> list[list[int]]:
    """Active inputs for the side to move and the other, straight from the record's meaning."""
    squares = [square for square in range(64) if int(record["occupied"]) >> square & 1]
    men = [int(record["pieces"][index // 2]) >> 4 * (index % 2) & 15 for index in range(len(squares))]
    us = int(record["side_ep"]) >> 7
    rows = []
    for side in (us, 1 - us):
        king = squares[men.index(6 + 8 * side)]
        flip = (56 if side else 0) ^ (7 if king % 8 >= 4 else 0)
        rows.append([384 * ((man >> 3) != side) + 64 * ((man & 7) - 1) + (square ^ flip)
                     for man, square in zip(men, squares, strict=True)])
    return rows


def reference(weights: np.ndarray, data: bytes) -> tuple[float, np.ndarray]:
    """Loss and gradient in double precision."""
    split = np.split(weights.astype(float), np.cumsum([768 * WIDTH, WIDTH, 2 * BUCKETS * WIDTH]))
    features, bias = split[0].reshape(768, WIDTH), split[1]
    output, output_bias = split[2].reshape(BUCKETS, 2, WIDTH), split[3]
    gradient = [np.zeros_like(features), np.zeros_like(bias), np.zeros_like(output), np.zeros_like(output_bias)]
    loss = 0.0
    for record in np.frombuffer(data, RECORD):
        rows = inputs(record)
        bucket = (len(rows[0]) - 1) * BUCKETS // 32
        hidden = [bias + features[half].sum(axis=0) for half in rows]
        active = [np.clip(values, 0, 1) for values in hidden]
        out = output_bias[bucket] + sum((active[half] ** 2 * output[bucket, half]).sum() for half in range(2))
        black = int(record["side_ep"]) >> 7
        score, points = int(record["score"]), int(record["result"]) / 2
        if black:
            score, points = -score, 1 - points
        target = SHARE * points + (1 - SHARE) / (1 + np.exp(-score / 400))
        expected = 1 / (1 + np.exp(-out))
        loss += (expected - target) ** 2
        slope = 2 * (expected - target) * expected * (1 - expected)
        gradient[3][bucket] += slope
        for half in range(2):
            gradient[2][bucket, half] += slope * active[half] ** 2
            error = slope * output[bucket, half] * 2 * active[half] * (hidden[half] == active[half])
            gradient[1] += error
            for row in rows[half]:
                gradient[0][row] += error
    return loss, np.concatenate([part.ravel() for part in gradient])


def everything(data: bytes) -> np.ndarray:
    return np.arange(len(data) // 32, dtype=np.uint32)


def test_gradient_agrees_with_numpy(records: bytes) -> None:
    learner = make_learner()
    loss = learner.learn(records, everything(records), 0, SHARE)
    expected_loss, expected = reference(np.frombuffer(learner.get_weights(), "<f4"), records)
    assert loss == pytest.approx(expected_loss, rel=1e-4)
    found = np.frombuffer(learner.get_gradient(), "<f4")
    assert np.abs(found - expected).max() < 1e-3 * np.abs(expected).max()


def test_gradient_agrees_with_finite_differences(records: bytes) -> None:
    weights = np.frombuffer(make_learner().get_weights(), "<f4").astype(float)
    few = records[:32 * 40]
    _, gradient = reference(weights, few)
    largest = np.argsort(-np.abs(gradient))[:20]
    for index in largest:
        step = np.zeros_like(weights)
        step[index] = 1e-5
        slope = (reference(weights + step, few)[0] - reference(weights - step, few)[0]) / 2e-5
        assert slope == pytest.approx(gradient[index], rel=1e-3, abs=1e-6)


def test_threads_share_the_work(records: bytes) -> None:
    alone, together = make_learner(), make_learner(threads=2)
    order = everything(records)
    alone.learn(records, order, 0, SHARE)
    together.learn(records, order[::2].copy(), 0, SHARE)
    together.learn(records, order[1::2].copy(), 1, SHARE)
    for learner in (alone, together):
        learner.begin_step()
        learner.update_part(0, 1, len(order), 1e-3, 0.01, 1.98)
    found, expected = (np.frombuffer(learner.get_weights(), "<f4") for learner in (together, alone))
    assert np.abs(found - expected).max() < 1e-4


def test_training_lowers_the_loss(records: bytes) -> None:
    learner = make_learner()
    order = everything(records)
    losses = []
    for _ in range(60):
        losses.append(learner.learn(records, order, 0, SHARE) / len(order))
        learner.begin_step()
        for part in range(3):
            learner.update_part(part, 3, len(order), 5e-3, 0.01, 1.98)
    assert losses[-1] < 0.25 * losses[0]
    assert np.abs(np.frombuffer(learner.get_weights(), "<f4")).max() <= 1.98


def test_checkpoints_go_on_exactly(records: bytes) -> None:
    first, order = make_learner(), everything(records)

    def step(learner: Learner) -> None:
        learner.learn(records, order, 0, SHARE)
        learner.begin_step()
        learner.update_part(0, 1, len(order), 1e-3, 0.01, 1.98)

    step(first)
    second = make_learner(seed=9)
    second.set_weights(first.get_weights())
    second.set_moments(*first.get_moments())
    step(first)
    step(second)
    assert first.get_weights() == second.get_weights()


@pytest.mark.parametrize(("width", "buckets", "threads"), [(8, 1, 1), (24, 1, 1), (4096, 1, 1), (32, 0, 1), (32, 1, 0)])
def test_refuses_impossible_shapes(width: int, buckets: int, threads: int) -> None:
    with pytest.raises(ValueError, match="expected"):
        Learner(width, buckets, threads)


def test_refuses_positions_that_are_not_there(records: bytes) -> None:
    with pytest.raises(ValueError, match="there is no position"):
        make_learner().learn(records, np.array([len(records) // 32], np.uint32), 0, SHARE)
