import json
import os
import stat
import threading

import pytest

from barreleye.match.games.game import GameRecord
from barreleye.match.tournament.results import ResultsFile


def record(number, **more):
    return GameRecord(number, "a", "b", "1-0", "checkmate", 33, "fen", **more)


def test_the_file_is_json_after_every_game_and_remembers_all(tmp_path):
    path = tmp_path / "results.json"
    file = ResultsFile(str(path), {"control": "8+0.08"})
    assert file.open() == []
    assert json.loads(path.read_text())["games"] == []
    games = [record(0), record(3, fault="a", detail='said "x"', talk=["> go", "  info"]), record(1)]
    for count, game in enumerate(games, 1):
        file.append(game, {"played": count, "padding": "x" * (30 - 10 * count)})
        content = json.loads(path.read_text())
        assert len(content["games"]) == count == content["summary"]["played"]
    file.close()
    assert ResultsFile(str(path), {"control": "8+0.08"}).open() == games


def test_a_second_run_is_refused(tmp_path):
    path = tmp_path / "results.json"
    file = ResultsFile(str(path), {})
    file.open()
    file.append(record(0), {})
    before = path.read_bytes()
    with pytest.raises(BlockingIOError, match=r"results\.json is in use by another run"):
        ResultsFile(str(path), {}).open()
    file.append(record(1), {})
    file.close()
    assert path.read_bytes().startswith(before[:before.index(b"summary") - 5])
    assert ResultsFile(str(path), {}).open() == [record(0), record(1)]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes")
def test_a_pipe_gets_the_same_text_and_stays_one(tmp_path):
    pipe, path, read = tmp_path / "pipe", tmp_path / "results.json", []
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: read.append(pipe.read_text()))
    reader.start()
    for target in (pipe, path):
        file = ResultsFile(str(target), {"control": "1+0.01"})
        assert file.open() == []
        file.append(record(0), {"played": 1})
        file.append(record(1), {"played": 2})
        file.close()
    reader.join()
    assert read == [path.read_text()] and stat.S_ISFIFO(pipe.stat().st_mode)


def test_a_link_stays_one_and_permissions_too(tmp_path):
    path, link = tmp_path / "results.json", tmp_path / "link"
    ResultsFile(str(path), {}).open()
    path.chmod(0o640)
    link.symlink_to(path)
    file = ResultsFile(str(link), {})
    file.open()
    file.append(record(0), {})
    file.close()
    assert link.is_symlink() and stat.S_IMODE(path.stat().st_mode) == 0o640
    assert ResultsFile(str(path), {}).open() == [record(0)]


def test_a_torn_last_line_costs_one_game(tmp_path):
    path = tmp_path / "results.json"
    file = ResultsFile(str(path), {})
    file.open()
    for number in range(3):
        file.append(record(number), {})
    file.close()
    lines = path.read_text().splitlines()
    path.write_text("\n".join([*lines[:4], lines[4][:25]]))
    assert ResultsFile(str(path), {}).open() == [record(0), record(1)]


def test_other_settings_are_refused_by_name(tmp_path):
    path = tmp_path / "results.json"
    file = ResultsFile(str(path), {"control": "8+0.08", "chess960": False})
    file.open()
    file.append(record(0), {})
    file.close()
    before = path.read_bytes()
    with pytest.raises(ValueError, match=r'control: "8\+0.08" there, "1\+0.01" now'):
        ResultsFile(str(path), {"control": "1+0.01", "chess960": False}).open()
    assert path.read_bytes() == before


def test_a_match_without_games_may_still_change(tmp_path):
    path = tmp_path / "results.json"
    ResultsFile(str(path), {"control": "8+0.08"}).open()
    assert ResultsFile(str(path), {"control": "1+0.01"}).open() == []
    assert json.loads(path.read_text())["match"] == {"control": "1+0.01"}


def test_a_strange_file_is_not_overwritten(tmp_path):
    path = tmp_path / "notes.json"
    path.write_text('["my notes"]')
    with pytest.raises(ValueError, match="not a results file"):
        ResultsFile(str(path), {}).open()
    assert path.read_text() == '["my notes"]'
