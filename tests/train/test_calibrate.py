"""The fit of chances to the results of games."""

from pathlib import Path

import numpy as np
import pytest

from barreleye import wdl
from barreleye.cli import main
from barreleye.train import dataset
from barreleye.train.calibrate import MATERIAL, POWERS, SCORES, calibrate, expected, material
from barreleye.train.dataset import Records

HALF_WIN, SPREAD = (160.0, -80.0, 40.0), (40.0, 10.0, 50.0)
PAWN_AND_QUEEN = 0xD1               # a byte of pieces: a queen of Black's above a pawn of White's


@pytest.fixture(scope="module")
def records(data_folder: Path) -> Records:
    return dataset.load([data_folder])


@pytest.fixture(scope="module")
def simulated() -> Records:
    """Positions of any material, with results that are drawn by a known model."""
    rng = np.random.default_rng(3)
    made = np.zeros(300_000, dataset.RECORD)
    made["score"] = rng.integers(-500, 500, len(made))
    made["side_ep"] = rng.integers(0, 2, len(made)) * dataset.BLACK_TO_MOVE
    made["pieces"] = np.where(np.arange(16) < rng.integers(0, 9, len(made))[:, None], PAWN_AND_QUEEN, 0)
    powers = POWERS[np.clip(material(made), MATERIAL[0], MATERIAL[-1]) - MATERIAL[0]]
    half_win, spread = powers @ HALF_WIN, powers @ SPREAD
    win, lose = (1 / (1 + np.exp((half_win - side * made["score"]) / spread)) for side in (1, -1))
    luck = rng.random(len(made))
    made["result"] = np.where(luck < lose, 0, np.where(luck < 1 - win, 1, 2))
    return made


def test_calibration_finds_what_was_put_in(simulated: Records) -> None:
    fitted = calibrate(simulated)
    assert pytest.approx(POWERS @ HALF_WIN, abs=6) == POWERS @ fitted.half_win
    assert pytest.approx(POWERS @ SPREAD, abs=6) == POWERS @ fitted.spread
    assert fitted.positions == len(simulated)


def test_positions_without_result_are_left_out(records: Records) -> None:
    marked = records.copy()
    marked["result"][::2] = dataset.NO_RESULT
    fitted, alone = calibrate(marked), calibrate(records[1::2])
    assert (fitted.half_win, fitted.spread) == (alone.half_win, alone.spread)
    with pytest.raises(ValueError, match="a result to learn from"):
        calibrate(marked[::2])


@pytest.mark.parametrize("result", [0, 1, 2])
def test_a_fit_to_next_to_nothing_can_be_used(records: Records, monkeypatch: pytest.MonkeyPatch, result: int) -> None:
    few = records[:20].copy()
    few["result"] = result
    fitted = calibrate(few)
    monkeypatch.setattr(wdl, "HALF_WIN", fitted.half_win)
    monkeypatch.setattr(wdl, "SPREAD", fitted.spread)
    assert all(min(wdl.chances(score, men)) >= 0 for score in range(-500, 501, 50) for men in range(100))


def test_material_is_what_everybody_counts(records: Records) -> None:
    some = records[::7]
    assert material(some).tolist() == [wdl.material(dataset.fen(record)) for record in some]


def test_the_model_is_the_one_in_use(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wdl, "HALF_WIN", HALF_WIN)
    monkeypatch.setattr(wdl, "SPREAD", SPREAD)
    model = 1000 * expected(SCORES, POWERS @ HALF_WIN, POWERS @ SPREAD)
    for men, rows in zip(MATERIAL[::5], model[::5], strict=True):
        used = [wdl.chances(score, men)[::-1] for score in SCORES]
        assert np.abs(np.array(used) - rows).max() <= 1


def test_the_command_prints_lines_for_the_module_and_draws(simulated: Records, tmp_path: Path,
                                                           capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("matplotlib")
    dataset.write_positions(tmp_path / "some.positions", {}, simulated[:20_000])
    picture = tmp_path / "chances.png"
    assert main(["train", "calibrate", str(tmp_path / "some.positions"), "--png", str(picture)]) == 0
    said = capsys.readouterr().out
    numbers: dict[str, tuple[float, ...]] = {}
    exec("\n".join(line for line in said.splitlines() if line.startswith(("HALF_WIN = (", "SPREAD = ("))), numbers)
    fitted = calibrate(simulated[:20_000])
    assert numbers["HALF_WIN"] == pytest.approx(fitted.half_win, abs=0.06)
    assert numbers["SPREAD"] == pytest.approx(fitted.spread, abs=0.06)
    assert "material" in said and picture.read_bytes().startswith(b"\x89PNG")
