"""The tuner: reads games, learns from them what was put into them, and writes weights that read like the old ones."""

import gzip
import random
from pathlib import Path

import chess
import numpy as np
import pytest

from barreleye import Position
from barreleye.cli import main, train
from barreleye.core.evaluate.classical import evaluate
from barreleye.core.evaluate.weights import WEIGHTS
from barreleye.train.positions import Sample, read_samples
from barreleye.train.tune import (
    Model,
    TuneSettings,
    blended,
    fit_steepness,
    log_loss,
    logistic,
    loss_of,
    trace_samples,
    tune,
)
from barreleye.train.weights_file import default_path, replace_weights


def random_samples(games: int, seed: int) -> list[Sample]:
    """Positions of random games; the results follow from the material at the end."""
    rng = random.Random(seed)
    samples = []
    for game in range(games):
        board = chess.Board()
        fens = []
        for _ in range(rng.randrange(20, 80)):
            moves = list(board.legal_moves)
            if not moves:
                break
            board.push(rng.choice([move for move in moves if board.is_capture(move)] or moves))
            if not board.is_check():
                fens.append(board.fen())
        balance = sum(
            sign * len(board.pieces(kind, color)) * worth
            for color, sign in ((True, 1), (False, -1))
            for kind, worth in ((1, 1), (2, 3), (3, 3), (4, 5), (5, 9))
        )
        result = 1.0 if balance > 2 else 0.0 if balance < -2 else 0.5
        samples += [Sample(fen, result, game) for fen in rng.sample(fens, min(5, len(fens)))]
    return samples


@pytest.fixture(scope="module")
def samples() -> list[Sample]:
    return random_samples(200, seed=5)


def test_model_is_the_evaluation(samples: list[Sample]):
    table = trace_samples(samples)
    values = iter(Model.of_weights(WEIGHTS).values(table.rows))
    for sample in samples:
        if trace_samples([sample]).rows.size:
            position = Position(sample.fen)
            value = evaluate(position) * (1 if " w " in sample.fen else -1)
            assert abs(value - next(values)) < 3, sample.fen


def test_gradient_is_the_slope_of_the_loss(samples: list[Sample]):
    table = trace_samples(samples)
    model = Model.of_weights(WEIGHTS)
    flat = model.flat()
    _, gradient = model.gradient(table.rows, table.results, 0.005)
    step = 4.0
    order = np.argsort(-np.abs(gradient.flat()))[:12].tolist() + list(range(len(flat) - 20, len(flat)))
    for index in order:
        up, down = flat.copy(), flat.copy()
        up[index] += step
        down[index] -= step
        slope = (loss_of(Model.of_flat(up), table, 0.005) - loss_of(Model.of_flat(down), table, 0.005)) / (2 * step)
        assert slope * np.log(2) == pytest.approx(float(gradient.flat()[index]), rel=0.05, abs=2e-6)


def test_steepness_is_recovered():
    values = np.linspace(-600, 600, 5001).astype(np.float32)
    results = logistic(values, 0.004)
    assert fit_steepness(values, results) == pytest.approx(0.004, abs=1e-5)
    assert log_loss(results, results) < log_loss(logistic(values, 0.006), results)


def test_fit_lowers_the_loss_of_games_not_seen(samples: list[Sample]):
    table, validation = trace_samples(samples).split(0.25)
    assert set(table.games).isdisjoint(validation.games)
    fit = tune(table, validation, TuneSettings(epochs=30, batch=128))
    assert fit.after[0] < fit.before[0]
    assert fit.after[1] < fit.before[1]
    assert {name: len(group) for name, group in fit.weights.items()} == {
        name: len(group) for name, group in WEIGHTS.items()
    }


def test_scores_pull_the_target_away_from_the_result(samples: list[Sample]):
    scored = [sample._replace(score=800 * sample.result - 400) for sample in samples]
    table = trace_samples(scored)
    assert blended(trace_samples(samples), 0.5) == pytest.approx(table.results)
    assert blended(table, 0.0) == pytest.approx(table.results)
    targets = blended(table, 0.5)
    draws = table.results == 0.5
    assert targets[draws] == pytest.approx(0.5)
    assert (abs(targets[~draws] - table.results[~draws]) > 0).all()


def test_games_are_told_apart(tmp_path: Path):
    plain, zipped = tmp_path / "a.txt", tmp_path / "b.txt.gz"
    fen = "4k3/8/8/8/8/8/8/4K2R w - - 0 {}"
    plain.write_text("".join(f"{fen.format(move)};1-0\n" for move in (5, 9, 30, 8)))
    with gzip.open(zipped, "wt") as file:
        file.write(f"{fen.format(40)};1/2-1/2;-35\n\n{fen.format(41)};0-1\n")
    samples = list(read_samples([plain, zipped]))
    assert [sample.game for sample in samples] == [0, 0, 0, 1, 2, 2]
    assert [sample.result for sample in samples] == [1, 1, 1, 1, 0.5, 0]
    assert [sample.score for sample in samples[-2:]] == [-35, pytest.approx(np.nan, nan_ok=True)]
    plain.write_text("nonsense\n")
    with pytest.raises(ValueError, match=r"a\.txt, line 1"):
        list(read_samples([plain]))


def test_written_weights_read_like_the_old_ones():
    text = default_path().read_text()
    assert replace_weights(text, WEIGHTS) == text
    changed = {
        name: [(weight[0] + 1, weight[1]) if isinstance(weight, tuple) else weight - 1 for weight in group]
        for name, group in WEIGHTS.items()
    }
    written = replace_weights(text, changed)
    scope: dict[str, object] = {}
    exec(written, scope)
    assert scope["WEIGHTS"] == changed
    assert [line for line in written.splitlines() if "#" in line] == [line for line in text.splitlines() if "#" in line]
    with pytest.raises(ValueError, match="tempo"):
        replace_weights(text, {name: group for name, group in WEIGHTS.items() if name != "tempo"})


@pytest.mark.parametrize(("words", "complaint"), [
    (["--validation", "0"], "--validation is 0, expected a share between 0 and 1"),
    (["--validation", "1"], "expected a share between 0 and 1"), (["--epochs", "0"], "epochs is 0"),
    (["--prior", "0"], "prior is 0"), (["--batch", "0"], "batch is 0"), (["--threads", "0"], "threads is 0"),
    (["--blend", "2"], "blend is 2"), (["--limit", "2"], "too few games"),
])
def test_what_cannot_be_fitted_is_said_in_a_line(tmp_path: Path, capsys: pytest.CaptureFixture[str], words, complaint):
    data = tmp_path / "games.txt"
    data.write_text("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1;1-0\n" * 4)
    assert main(["train", "tune", str(data), "--dry-run", *words]) == 2
    said = capsys.readouterr().err
    assert complaint in said and said.count("\n") == 1


@pytest.mark.parametrize(("content", "complaint"), [
    (gzip.compress(b"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1;1-0\n" * 50)[:-9], "cannot be read"),
    (b"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1;1-0;much\n", "line 1: 'much' is not a score"),
    (b"\xff\xfe;1-0", "cannot be read"),
])
def test_damaged_files_are_named(tmp_path: Path, content, complaint):
    data = tmp_path / "games.txt.gz"
    data.write_bytes(content)
    with pytest.raises(ValueError, match=complaint):
        list(read_samples([data]))


def test_command_writes_where_it_is_told(tmp_path: Path, samples: list[Sample], capsys: pytest.CaptureFixture[str]):
    import argparse

    data, output = tmp_path / "games.txt", tmp_path / "weights.py"
    results = {1.0: "1-0", 0.5: "1/2-1/2", 0.0: "0-1"}
    data.write_text("".join(f"{sample.fen};{results[sample.result]}\n" for sample in samples))
    output.write_text(default_path().read_text())
    parser = argparse.ArgumentParser()
    train.configure(parser)
    arguments = ["tune", str(data), "--epochs", "3", "--output", str(output)]
    assert train.run(parser.parse_args([*arguments, "--dry-run"])) == 0
    assert output.read_text() == default_path().read_text()
    assert train.run(parser.parse_args(arguments)) == 0
    assert output.read_text() != default_path().read_text()
    assert "loss when checking" in capsys.readouterr().out
