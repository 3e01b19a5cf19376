import json

import pytest

from barreleye import tablebase
from barreleye.cli import main

ROOK = "8/8/8/4k3/8/8/4K3/4R3 w - - 12 1"


@pytest.fixture(autouse=True)
def forget_default(monkeypatch):
    monkeypatch.setattr(tablebase, "_default", None)
    monkeypatch.delenv(tablebase.PATH_VARIABLE, raising=False)


@pytest.fixture
def path(data_dir):
    return ["--path", str(data_dir / "syzygy")]


def test_the_verdict_the_distance_and_every_move(path, capsys):
    assert main(["tb", *path, ROOK]) == 0
    said = capsys.readouterr().out
    assert "White wins" in said and "within 23 plies" in said and "counter at 12: 65 plies to spare" in said
    assert len([line for line in said.splitlines() if " win " in line]) == 14
    assert "#" in said.split("play goes on")[1]


@pytest.mark.parametrize(("fen", "words"), [
    ("8/8/8/4k3/8/8/2p1K3/8 w - - 0 1", "Draw"),
    ("k7/1Q6/1K6/8/8/8/8/8 b - - 0 1", "White has won: checkmate"),
    ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "Draw: stalemate"),
    ("8/8/8/4k3/8/8/4K3/4R3 w - - 90 60", "too late, this is a draw"),
    ("8/8/8/4K3/8/8/4k3/4r3 b - - 0 1", "Black wins"),
])
def test_verdicts(path, capsys, fen, words):
    assert main(["tb", *path, *fen.split()]) == 0
    assert words in capsys.readouterr().out


def test_json(path, capsys):
    assert main(["tb", *path, "--json", ROOK]) == 0
    said = json.loads(capsys.readouterr().out)
    assert (said["wdl"], said["verdict"], said["dtz"]) == (2, "win", 23)
    assert said["moves"][0] == {"uci": "e2d3", "san": "Kd3+", "wdl": 2, "verdict": "win", "dtz": 23, "mates": False}
    assert len(said["moves"]) == 14 and len(said["line"]) == 23


@pytest.mark.parametrize(("fen", "words"), [
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1", "has 32 men, the largest tablebase there 4"),
    ("4k2r/8/8/8/8/8/8/4K3 w k - 0 1", "castling"),
    ("nonsense", "FEN"),
])
def test_what_cannot_be_told(path, capsys, fen, words):
    assert main(["tb", *path, fen]) == 2
    assert words in capsys.readouterr().err


def test_without_tables(tmp_path, capsys):
    assert main(["tb", ROOK]) == 2
    assert "--path" in capsys.readouterr().err
    assert main(["tb", "--path", str(tmp_path / "nowhere"), ROOK]) == 2
    assert "nowhere" in capsys.readouterr().err
