"""Data sets: what is said of them, and what each change leaves alone."""

from dataclasses import replace
from pathlib import Path

import chess
import numpy as np
import pytest
from tests.train.conftest import SETTINGS

from barreleye.cli import main
from barreleye.train import curate, dataset
from barreleye.train.dataset import Records


@pytest.fixture(scope="module")
def records(data_folder: Path) -> Records:
    return dataset.load([data_folder])


def test_records_are_positions(records: Records) -> None:
    for record in records[::7]:
        text = dataset.fen(record)
        board = chess.Board(text)
        assert board.is_valid(), text
        assert not board.is_check()
        assert board.fen(en_passant="fen") == text


def test_summary_counts(records: Records) -> None:
    summary = curate.summarise(records)
    assert summary.positions == len(records) == sum(summary.results)
    assert sum(count for _, count in summary.scores) == len(records)
    assert sum(count for _, count in summary.men) == len(records)
    assert 0.7 < summary.coherence <= 1
    assert summary.games >= 28


def test_popcount(records: Records) -> None:
    assert [int(count) for count in curate.popcount(records["occupied"][:50])] == [
        int(occupied).bit_count() for occupied in records["occupied"][:50]]


def test_dedup_keeps_the_newest_label(records: Records) -> None:
    some = records[:100].copy()
    newer = some[:10].copy()
    newer["score"] = 1234
    newer["ply"] += 1
    merged = curate.dedup(np.concatenate([some, newer]))
    assert len(merged) == len(curate.dedup(some))
    assert (merged["score"] == 1234).sum() == len(np.unique(curate.position_keys(newer)))
    assert len(curate.dedup(merged)) == len(merged)


def test_shuffle_keeps_games_together(records: Records) -> None:
    mixed = curate.shuffle(records, 5)
    assert sorted(mixed.tobytes()[index:index + 32] for index in range(0, 32 * len(mixed), 32)) == sorted(
        records.tobytes()[index:index + 32] for index in range(0, 32 * len(records), 32))
    assert dataset.game_numbers(mixed)[-1] == dataset.game_numbers(records)[-1]
    assert mixed.tobytes() != records.tobytes()


def test_select(records: Records) -> None:
    assert (np.abs(curate.select(records, max_score=50)["score"]) <= 50).all()
    assert (curate.select(records, min_ply=40)["ply"] >= 40).all()
    assert (curate.popcount(curate.select(records, min_men=20)["occupied"]) >= 20).all()
    assert len(curate.select(records)) == len(records)
    kept = curate.select(records, coherent=True)
    assert not ((kept["score"] >= curate.DECISIVE_SCORE) & (kept["result"] == 0)).any()


def test_relabel_changes_scores_alone_whatever_the_threads(records: Records) -> None:
    some = records[:600]
    settings = replace(SETTINGS, nodes=100)
    one, two = (curate.relabel(some, settings, threads=threads) for threads in (1, 2))
    assert one.tobytes() == two.tobytes()
    assert (one["score"] != some["score"]).any()
    for name in dataset.RECORD.names or ():
        assert name == "score" or (one[name] == some[name]).all()
    assert np.corrcoef(np.clip(one["score"], -500, 500), np.clip(some["score"], -500, 500))[0, 1] > 0.8


@pytest.mark.parametrize("command", ["merge", "shuffle", "dedup", "filter --max-score 100", "relabel --nodes 20"])
def test_commands_write_files_that_can_be_read(tmp_path: Path, data_folder: Path, command: str) -> None:
    target = tmp_path / "out.positions"
    source = sorted(data_folder.glob("*.positions"))[0]
    assert main(["train", *command.split(), str(source), "-o", str(target)]) == 0
    assert 0 < len(dataset.read_positions(target)) <= len(dataset.read_positions(source))
    assert "sources" in dataset.read_facts(target)


def test_inspect_shows_boards(data_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["train", "inspect", str(data_folder), "--samples", "2"]) == 0
    said = capsys.readouterr().out
    assert said.count("result") >= 2 and "♔" in said and "coherence" in said


@pytest.mark.parametrize("words", [["inspect", "nothing.positions"], ["merge", "nothing", "-o", "x"],
                                   ["generate", "somewhere", "--book", "nothing.epd"],
                                   ["net", "nothing.positions", "-o", "x.net"]])
def test_bad_input_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str],
                               capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["train", *words]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_many_sources_fit_the_header(tmp_path: Path, records: Records) -> None:
    paths = [tmp_path / f"a rather long name for a file of positions {number}.positions" for number in range(60)]
    for number, path in enumerate(paths):
        dataset.write_positions(path, {}, records[:number + 1])
    merged, facts = curate.merge(paths)
    target = tmp_path / "all.positions"
    dataset.write_positions(target, {**facts, "relabelled": {"nodes": 300, "net": "0" * 16}}, merged)
    assert sum(dataset.read_facts(target)["sources"].values()) == len(merged) == 60 * 61 // 2


def test_relabelling_can_be_interrupted(records: Records) -> None:
    def interrupt(_: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        curate.relabel(np.concatenate([records] * 50), replace(SETTINGS, nodes=2000), progress=interrupt)


def test_positions_without_result_belong_to_the_game_before_them(records: Records) -> None:
    games = dataset.game_numbers(records)
    found, expected = [], []
    for index, record in enumerate(records[:400]):
        found.append(record)
        expected.append(games[index])
        for deeper in range(index % 3):
            extra = record.copy()
            extra["result"], extra["ply"] = dataset.NO_RESULT, record["ply"] + 4 * deeper
            found.append(extra)
            expected.append(games[index])
    assert dataset.game_numbers(np.array(found, dataset.RECORD)).tolist() == expected
    unplayed = records[:400].copy()
    unplayed["result"] = dataset.NO_RESULT
    assert dataset.game_numbers(unplayed).tolist() == games[:400].tolist()
    assert not len(dataset.game_numbers(records[:0]))


def test_positions_without_result_count_for_nothing_that_needs_one(records: Records) -> None:
    marked = records.copy()
    marked["result"][::2] = dataset.NO_RESULT
    summary, rest = curate.summarise(marked), curate.summarise(records[1::2])
    assert summary.unplayed == len(records[::2]) and rest.unplayed == 0
    assert summary.results == rest.results and summary.coherence == rest.coherence
    assert (curate.relabel(marked[:50], replace(SETTINGS, nodes=20))["result"] == marked["result"][:50]).all()
    kept = curate.select(marked, coherent=True)
    assert (kept["result"] == dataset.NO_RESULT).sum() == len(records[::2])


def test_dedup_prefers_a_result(records: Records) -> None:
    some = curate.dedup(records)[:50]
    found = some.copy()
    found["result"], found["score"] = dataset.NO_RESULT, 777
    assert curate.dedup(np.concatenate([some, found])).tobytes() == some.tobytes()
    twice = np.concatenate([found, found])
    twice["score"][50:] = 778
    assert (curate.dedup(twice)["score"] == 778).all()


def test_inspect_says_what_has_no_result(tmp_path: Path, records: Records, capsys: pytest.CaptureFixture[str]) -> None:
    marked = records.copy()
    marked["result"][::2] = dataset.NO_RESULT
    path = tmp_path / "marked.positions"
    dataset.write_positions(path, {}, marked)
    assert main(["train", "inspect", str(path), "--samples", "1"]) == 0
    said = capsys.readouterr().out
    assert "without result" in said and "found by the search" in said and "result none" in said
