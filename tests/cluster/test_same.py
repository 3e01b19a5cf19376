"""A cluster gives to the last byte what one process gives."""

import json
from dataclasses import replace
from typing import Any

import chess
import pytest
from tests.cluster.conftest import BARRELEYE, FAMOUS, contents, other_net
from tests.train.conftest import SETTINGS

import barreleye
from barreleye import nets
from barreleye.analysis.games import read_games
from barreleye.cli import main
from barreleye.cluster import connect
from barreleye.engine.bench import POSITIONS
from barreleye.lab.duel import duel
from barreleye.lab.notes import Notes
from barreleye.match import EngineSpec, Openings, play_match
from barreleye.train.generate import generate

pytest.importorskip("distributed")


@pytest.fixture(scope="module")
def executor(pair):
    with connect(pair.address) as found:
        yield found


def test_positions_and_games(executor, tmp_path):
    shuffled = chess.Board()
    position = barreleye.Position()
    for move in ("g1f3", "g8f6", "f3g1", "f6g8", "g1f3", "g8f6", "f3g1"):
        shuffled.push_uci(move)
        position.push(move)
    passed = barreleye.Position(POSITIONS[3])
    passed.push_null()
    items: list[Any] = [*list(read_games(FAMOUS.read_text(), print))[:6], *POSITIONS[:20], shuffled, position, passed,
             (POSITIONS[0], ["e2e4"]), barreleye.Position(POSITIONS[-4], chess960=True)]
    for more in ({}, {"multipv": 2, "options": {"Hash": 1, "Use Null Move": False}}, {"chunk": 1}):
        here = list(barreleye.analyse_many(items, {"nodes": 100}, 1, **more))
        assert list(barreleye.analyse_many(items, {"nodes": 100}, executor=executor, **more)) == here
    assert len(here) > 300


def test_another_network_is_sent(executor, tmp_path):
    options = {"EvalFile": str(other_net(tmp_path / "other.net")), "Hash": 1}
    here = list(barreleye.analyse_many(POSITIONS, {"nodes": 200}, 1, options=options))
    assert list(barreleye.analyse_many(POSITIONS, {"nodes": 200}, executor=executor, options=options)) == here
    assert here != list(barreleye.analyse_many(POSITIONS, {"nodes": 200}, 1, options={"Hash": 1}))


def test_endgame_tables_are_the_same_everywhere(executor, data_dir):
    options = {"SyzygyPath": str(data_dir / "syzygy"), "Hash": 1}
    ends = ["8/8/8/8/8/4k3/4p3/4K3 b - - 0 1", "8/8/8/3k4/8/8/4R3/4K3 w - - 0 1", "8/8/4k3/8/8/3BK3/5N2/8 w - - 0 1"]
    here = list(barreleye.analyse_many(ends, {"nodes": 500}, 1, options=options))
    assert list(barreleye.analyse_many(ends, {"nodes": 500}, executor=executor, options=options)) == here


def test_a_journal_of_threads_is_gone_on_with_on_the_cluster(executor, tmp_path):
    path = tmp_path / "journal"
    games = list(read_games(FAMOUS.read_text(), print))[:4]
    whole = list(barreleye.analyse_many(games, {"nodes": 100}, 1))
    with barreleye.analyse_many(games, {"nodes": 100}, 1, resume=path) as batch:
        begun = [next(batch) for _ in range(30)]
    assert begun == whole[:30]
    lines = path.read_bytes().count(b"\n")
    assert list(barreleye.analyse_many(games, {"nodes": 100}, resume=path, executor=executor)) == whole
    assert path.read_bytes().count(b"\n") > lines
    assert list(barreleye.analyse_many(games, {"nodes": 100}, 1, resume=path)) == whole


@pytest.mark.parametrize("command", [["annotate", "--explain"], ["puzzles", "--json"]])
def test_commands_over_collections(pair, tmp_path, command):
    games = tmp_path / "games.pgn"
    games.write_text("\n\n".join(map(str, list(read_games(FAMOUS.read_text(), print))[:5])))
    words = [*command, str(games), "--nodes", "1000", "--hash", "1"]
    assert main([*words, "-o", str(tmp_path / "here"), "--threads", "1"]) == 0
    assert main([*words, "-o", str(tmp_path / "there"), "--cluster", pair.address]) == 0
    assert (tmp_path / "there").read_bytes() == (tmp_path / "here").read_bytes()
    assert (tmp_path / "here").stat().st_size > 1000
    assert sorted(path.name for path in tmp_path.iterdir()) == ["games.pgn", "here", "there"]


@pytest.mark.parametrize("openings", ["", "book"])
def test_duels(executor, tmp_path, openings):
    if openings:
        (tmp_path / "book.epd").write_text("\n".join(POSITIONS[:20]))
        openings = str(tmp_path / "book.epd")
    net = other_net(tmp_path / "other.net")
    words = {"games": 24, "nodes": 60, "openings": openings}
    with Notes(tmp_path / "here") as notes:
        here = duel(f"net={net} off=Null Move", "Hash=1", threads=1, notes=notes, **words)
    with Notes(tmp_path / "there") as notes:
        there = duel(f"net={net} off=Null Move", "Hash=1", executor=executor, notes=notes, **words)
    assert [game.steps for pair in there.pairs for game in pair.games] == [
        game.steps for pair in here.pairs for game in pair.games]
    assert (tmp_path / "there").read_bytes() == (tmp_path / "here").read_bytes()
    assert there.cpu_seconds > 0


def test_levels_play_alike(executor):
    here, there = (duel("level=beginner", "level=casual", games=6, threads=1, executor=one) for one in (None, executor))
    assert there.pairs == here.pairs


def test_experiments_with_levels_and_techniques(pair, tmp_path, capsys):
    levels = ["lab", "levels", "--level", "beginner", "--games", "4", "--json"]
    ablate = ["lab", "ablate", "--depth", "2", "--positions", "1", "--technique", "Null Move", "--games", "4",
              "--nodes", "50"]
    said, kept = [], []
    for place, where in (("here", ["--threads", "1"]), ("there", ["--cluster", pair.address])):
        capsys.readouterr()
        assert main([*levels, *where]) in (0, 1)
        said.append(json.loads(capsys.readouterr().out))
        assert main([*ablate, "--json", str(tmp_path / place), *where]) == 0
        kept.append(json.loads((tmp_path / place).read_text())["strengths"])
    assert said[0] == said[1] and kept[0] == kept[1]
    assert main([*ablate[:-4], "--cluster", pair.address]) == 2
    assert "give --games too" in capsys.readouterr().err


def without_times(text: str) -> str:
    return "\n".join(line for line in text.replace("\n", " ").replace("{", "\n{").replace("}", "}\n").split("\n")
                     if not line.endswith("s}"))


def test_matches(executor, tmp_path):
    (tmp_path / "book.epd").write_text("\n".join(POSITIONS[:12]))
    engines = [EngineSpec(BARRELEYE, name, options={"Hash": "1", "Skill Level": level, "Strength Seed": "1"})
               for name, level in (("strong", "20"), ("weak", "3"), ("weaker", "1"))]
    for place, one in (("here", None), ("there", executor)):
        play_match(engines, "nodes=50", games=4, openings=Openings(str(tmp_path / "book.epd")), gauntlet=True,
                   json=str(tmp_path / place), executor=one)
        play_match(engines[:2], "nodes=50", games=6, openings=Openings(str(tmp_path / "book.epd")),
                   pgn=str(tmp_path / f"{place}.pgn"), executor=one)
    assert (tmp_path / "there").read_bytes() == (tmp_path / "here").read_bytes()
    assert json.loads((tmp_path / "here").read_text())["summary"]["played"] == 8
    here, there = ((tmp_path / f"{place}.pgn").read_text() for place in ("here", "there"))
    assert without_times(there) == without_times(here) and here.count("[Event ") == 6


@pytest.mark.parametrize("network", ["none", "packaged", "sent"])
def test_self_play(executor, tmp_path, network):
    settings = SETTINGS
    loaded = None
    if network != "none":
        path = nets.DEFAULT if network == "packaged" else other_net(tmp_path / "other.net")
        loaded, settings = nets.load(path), replace(SETTINGS, net=nets.inspect(path).digest[:16])
    for place, one, threads in (("one", None, 1), ("two", None, 2), ("there", executor, 1)):
        generate(tmp_path / place, settings, positions=1500, threads=threads, network=loaded, executor=one)
    assert contents(tmp_path / "there") == contents(tmp_path / "two") == contents(tmp_path / "one")
    assert len(contents(tmp_path / "one")) > 4


def test_self_play_begun_here_is_gone_on_with_there(executor, tmp_path):
    (tmp_path / "book.epd").write_text("\n".join(POSITIONS[:20]))
    settings = replace(SETTINGS, book=str(tmp_path / "book.epd"), book_share=0.5)
    generate(tmp_path / "whole", settings, positions=1500)
    generate(tmp_path / "parts", settings, positions=300, threads=2)
    generate(tmp_path / "parts", settings, positions=700, executor=executor)
    generate(tmp_path / "parts", settings, positions=1500)
    assert contents(tmp_path / "parts") == contents(tmp_path / "whole")
