"""The training kernel against a plain numpy network, finite differences, and a problem it must solve."""

from concurrent.futures import ThreadPoolExecutor

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


def make_learner(seed: int = 3, threads: int = 1, width: int = WIDTH, regions: int = 1) -> Learner:
    learner = Learner(width, BUCKETS, threads, regions=regions)
    rng = np.random.default_rng(seed)
    size = 1 if regions == 1 else 0.5       # of each of the two that are added
    learner.set_weights((size * rng.normal(0.05, 0.15, learner.parameters)).astype("<f4").tobytes())
    return learner


def learn(learner: Learner, data: bytes, steps: int = 1, rate: float = 1e-3, batch: int = 0,
          share: float = SHARE) -> float:
    """Steps over all positions, or batches of them, on all threads of a learner; returns the sum of the losses."""
    count = len(data) // 32
    batch = batch or count
    order = np.resize(np.arange(count, dtype=np.uint32), steps * batch)
    rates, shares = np.full(steps, rate, np.float32), np.full(steps, share, np.float32)
    with ThreadPoolExecutor(learner.threads) as pool:
        parts = [pool.submit(learner.learn, data, order, batch, rates, shares, 0.01, 1.98, thread)
                 for thread in range(learner.threads)]
        return float(sum(part.result() for part in parts))


def gradient_of(learner: Learner, data: bytes) -> tuple[float, np.ndarray]:
    """Loss and gradient, as the first step leaves them in Adam's memory: a tenth of the mean."""
    loss = learn(learner, data, rate=0)
    return loss, np.frombuffer(learner.get_moments()[1], "<f4") * 10 * (len(data) // 32)


def inputs(record: np.void, regions: int) -> list[list[int]]:
    """Active inputs for the side to move and the other, straight from the record's meaning."""
    squares = [square for square in range(64) if int(record["occupied"]) >> square & 1]
    men = [int(record["pieces"][index // 2]) >> 4 * (index % 2) & 15 for index in range(len(squares))]
    us = int(record["side_ep"]) >> 7
    rows = []
    for side in (us, 1 - us):
        king = squares[men.index(6 + 8 * side)]
        flip = (56 if side else 0) ^ (7 if king % 8 >= 4 else 0)
        rank, file = king // 8 ^ (7 if side else 0), king % 8
        region = 0 if regions == 1 else min(rank, 2) + 1 if rank else int(2 <= file <= 5)
        rows.append([768 * region + 384 * ((man >> 3) != side) + 64 * ((man & 7) - 1) + (square ^ flip)
                     for man, square in zip(men, squares, strict=True)])
    return rows


def reference(weights: np.ndarray, data: bytes, width: int = WIDTH, regions: int = 1) -> tuple[float, np.ndarray]:
    """Loss and gradient in double precision."""
    shared = 768 * width if regions > 1 else 0
    sizes = [768 * width * regions, width, 2 * BUCKETS * width, shared]
    split = np.split(weights.astype(float), np.cumsum(sizes))
    features, bias = split[0].reshape(768 * regions, width), split[1]
    output, output_bias = split[2].reshape(BUCKETS, 2, width), split[4]
    if shared:
        features = features + np.tile(split[3].reshape(768, width), (regions, 1))
    gradient = [np.zeros_like(features), np.zeros_like(bias), np.zeros_like(output), np.zeros_like(output_bias)]
    loss = 0.0
    for record in np.frombuffer(data, RECORD):
        rows = inputs(record, regions)
        bucket = (len(rows[0]) - 1) * BUCKETS // 32
        hidden = [bias + features[half].sum(axis=0) for half in rows]
        active = [np.clip(values, 0, 1) for values in hidden]
        out = output_bias[bucket] + sum((active[half] ** 2 * output[bucket, half]).sum() for half in range(2))
        black = int(record["side_ep"]) >> 7
        score, points = int(record["score"]), int(record["result"]) / 2
        if black:
            score, points = -score, 1 - points
        target = 1 / (1 + np.exp(-score / 400))
        if record["result"] < 3:
            target = SHARE * points + (1 - SHARE) * target
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
    if shared:
        gradient.insert(3, gradient[0].reshape(regions, 768, width).sum(axis=0))
    return loss, np.concatenate([part.ravel() for part in gradient])


@pytest.mark.parametrize("regions", [1, 4])
@pytest.mark.parametrize("width", [16, 80, 128])
def test_gradient_agrees_with_numpy(records: bytes, width: int, regions: int) -> None:
    learner = make_learner(width=width, regions=regions)
    loss, found = gradient_of(learner, records)
    expected_loss, expected = reference(np.frombuffer(learner.get_weights(), "<f4"), records, width, regions)
    assert loss == pytest.approx(expected_loss, rel=1e-4)
    assert np.abs(found - expected).max() < 1e-3 * np.abs(expected).max()


def test_a_position_without_result_has_its_score_alone(records: bytes) -> None:
    some = np.frombuffer(records, RECORD).copy()
    some["result"][::2] = 3
    learner = make_learner()
    loss, found = gradient_of(learner, some.tobytes())
    expected_loss, expected = reference(np.frombuffer(learner.get_weights(), "<f4"), some.tobytes())
    assert loss == pytest.approx(expected_loss, rel=1e-4)
    assert np.abs(found - expected).max() < 1e-3 * np.abs(expected).max()
    assert loss != pytest.approx(learn(learner, records, rate=0), rel=1e-4)


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


@pytest.mark.parametrize("regions", [1, 4])
def test_threads_share_the_work(records: bytes, regions: int) -> None:
    found = []
    for threads in (1, 2, 3, 3):
        learner = make_learner(threads=threads, regions=regions)
        loss = learn(learner, records, steps=5, batch=150)
        found.append((loss, np.frombuffer(learner.get_weights(), "<f4")))
    for loss, weights in found[1:]:
        assert loss == pytest.approx(found[0][0], rel=1e-5)
        assert np.abs(weights - found[0][1]).max() < 1e-4
    assert found[2][1].tobytes() == found[3][1].tobytes(), "the same threads come to the same network"


def test_steps_may_be_taken_together(records: bytes) -> None:
    one, many = make_learner(threads=2), make_learner(threads=2)
    learn(many, records, steps=4)
    for _ in range(4):
        learn(one, records)
    assert one.get_weights() == many.get_weights()
    assert one.steps == many.steps == 4


def test_waiting_for_a_thread_that_does_not_come_can_be_ended(records: bytes) -> None:
    learner = make_learner(threads=2)
    with ThreadPoolExecutor(1) as pool:
        alone = pool.submit(learner.learn, records, np.arange(8, dtype=np.uint32), 8, np.full(1, 1e-3, np.float32),
                            np.full(1, SHARE, np.float32), 0.01, 1.98, 0)
        learner.abandon()
        alone.result(timeout=30)
    assert learner.steps == 0


def test_measuring_and_predicting_agree_with_learning(records: bytes) -> None:
    learner = make_learner(threads=2)
    count = len(records) // 32
    loss = learn(learner, records, rate=0)
    assert learner.measure(records, 0, count, SHARE, 1) == pytest.approx(loss, rel=1e-5)
    parts = learner.measure(records, 0, 100, SHARE) + learner.measure(records, 100, count - 100, SHARE)
    assert parts == pytest.approx(loss, rel=1e-5)
    assert learner.measure(records, 0, 0, SHARE) == 0
    whole = learner.predict(records, 0, count)
    assert learner.predict(records, 7, 9) == whole[4 * 7:4 * 16]


def test_training_lowers_the_loss(records: bytes) -> None:
    learner = make_learner()
    losses = [learn(learner, records, rate=5e-3) for _ in range(60)]
    assert losses[-1] < 0.25 * losses[0]
    assert np.abs(np.frombuffer(learner.get_weights(), "<f4")).max() <= 1.98


@pytest.mark.parametrize(("width", "regions"), [(16, 1), (80, 1), (80, 4)])
def test_checkpoints_go_on_exactly(records: bytes, width: int, regions: int) -> None:
    first = make_learner(width=width, regions=regions)
    learn(first, records)
    second = make_learner(seed=9, width=width, regions=regions)
    second.set_weights(first.get_weights())
    second.set_moments(*first.get_moments())
    assert second.get_moments() == first.get_moments()
    learn(first, records)
    learn(second, records)
    assert first.get_weights() == second.get_weights()
    with pytest.raises(ValueError, match="another shape"):
        make_learner(width=32).set_weights(first.get_weights())


@pytest.mark.parametrize(("width", "buckets", "threads"), [(8, 1, 1), (24, 1, 1), (4096, 1, 1), (32, 0, 1), (32, 1, 0)])
def test_refuses_impossible_shapes(width: int, buckets: int, threads: int) -> None:
    with pytest.raises(ValueError, match="expected"):
        Learner(width, buckets, threads)


def test_refuses_positions_that_are_not_there(records: bytes) -> None:
    learner, one = make_learner(), np.ones(1, np.float32)
    count = len(records) // 32
    with pytest.raises(ValueError, match="there is no position"):
        learner.learn(records, np.array([count], np.uint32), 1, one, one, 0.01, 1.98)
    with pytest.raises(ValueError, match="3 positions are not 1 batches of 2"):
        learner.learn(records, np.arange(3, dtype=np.uint32), 2, one, one, 0.01, 1.98)
    with pytest.raises(ValueError, match="no thread 1"):
        learner.learn(records, np.arange(3, dtype=np.uint32), 3, one, one, 0.01, 1.98, 1)
    for first, size in ((0, count + 1), (-1, 5), (count, 1)):
        with pytest.raises(ValueError, match="no positions"):
            learner.predict(records, first, size)


def test_damaged_records_lead_nowhere(records: bytes) -> None:
    rng = np.random.default_rng(8)
    learner = make_learner(width=80)
    assert np.isfinite(learn(learner, rng.bytes(32 * 600), steps=3))
    assert np.isfinite(np.frombuffer(learner.get_weights(), "<f4")).all()
