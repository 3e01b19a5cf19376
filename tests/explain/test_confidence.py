"""How sure: the signs are those of the ledger, and the model behind the probability is the one that was fitted."""

import importlib.util
import sys
from dataclasses import replace

import numpy as np
import pytest

import barreleye
from barreleye.explain import stability
from barreleye.explain.confidence import Signs, signs_of

CALM = Signs(depth=16, held=14, agreement=1.0, leaders=1, spread=3.0, effort=0.9, late_effort=0.95, gap=60, replies=35,
             score=40, nodes=20_000)
RESTLESS = Signs(depth=10, held=1, agreement=0.17, leaders=4, spread=25.0, effort=0.2, late_effort=0.3, gap=1,
                 replies=35, score=10, nodes=20_000)


@pytest.fixture(scope="module")
def benchmark(root_dir):
    spec = importlib.util.spec_from_file_location("confidence", root_dir / "benchmarks" / "confidence.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules["confidence"] = module
    spec.loader.exec_module(module)
    return module


def test_a_calm_search_is_believed_more_than_a_restless_one():
    assert stability.probability(CALM) > 0.85 and stability.probability(RESTLESS) < 0.5
    for better in ({"held": 6}, {"effort": 0.6}, {"leaders": 1}, {"gap": 80}):
        assert stability.probability(replace(RESTLESS, **better)) > stability.probability(RESTLESS), better


def test_every_feature_has_its_weight():
    assert list(stability.features(CALM)) == list(stability.WEIGHTS)


@pytest.mark.parametrize("signs", [
    replace(CALM, depth=245, held=245, score=31990), replace(CALM, depth=0, held=0, nodes=1, replies=2, gap=-300)])
def test_it_is_a_probability_at_the_edges_too(signs):
    assert 0 < stability.probability(signs) < 1


def test_signs_are_read_from_the_ledger():
    engine = barreleye.Engine(Hash=4)
    engine.position("r2q1rk1/1b1nbppp/pp1ppn2/8/2PQP3/1PN2NP1/PB3PBP/R3R1K1 w - - 2 13")
    result = engine.search(nodes=20_000)
    ledger, best = engine.ledger, str(result.best_move)
    signs = signs_of(ledger, result.info.score, result.nodes, 40)
    leaders = [leader.move for leader in ledger.leaders()]
    assert signs.depth == len(leaders) and signs.replies == 40 and signs.nodes == result.nodes
    assert all(move == best for move in leaders[len(leaders) - signs.held:])
    assert signs.held == len(leaders) or leaders[-signs.held - 1] != best
    assert signs.agreement == leaders[-6:].count(best) / 6 and signs.leaders == len(set(leaders[-6:]))
    assert signs.effort == pytest.approx(ledger.effort()[best] / sum(ledger.effort().values()), abs=1e-4)


def test_the_fit_finds_what_is_there(benchmark):
    rng = np.random.default_rng(1)
    features = rng.normal(size=(20_000, 3))
    chance = 1 / (1 + np.exp(-(0.5 + features @ [1.0, -2.0, 0.0])))
    weights = benchmark.fitted(features, (rng.random(len(chance)) < chance).astype(float))
    assert np.abs(weights - [0.5, 1.0, -2.0, 0.0]).max() < 0.1
    assert benchmark.chances(weights, features) == pytest.approx(chance, abs=0.05)


def test_collected_searches_can_be_fitted(benchmark, data_dir, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(benchmark, "BOOKS", ("endgames.epd.zip",))
    monkeypatch.setattr(benchmark, "GAME_NODES", 50)
    path = tmp_path / "few.jsonl.gz"
    benchmark.collect(path, data_dir / "books", 12, 1, [100, 1000, 3000])
    known = benchmark.examples([path])
    assert len(known.stayed) == 24 and known.features.shape == (24, len(stability.WEIGHTS))
    benchmark.fit([path], None)
    assert "INTERCEPT" in capsys.readouterr().out
