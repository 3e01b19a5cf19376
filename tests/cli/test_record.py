"""`barreleye record`: a search written down, in the terminal."""

import json
import sqlite3

import pytest

from barreleye.cli import main

FEN = "r1bq1rk1/pp2nppp/2n1p3/2ppP3/3P4/P1PB1N2/2P2PPP/R1BQK2R w KQ - 1 10"


def test_it_shows_the_root_moves(capsys):
    assert main(["record", FEN, "--nodes", "3000"]) == 0
    told = capsys.readouterr().out
    assert "the root moves in iteration" in told and "dxc5" in told and "all kept" in told


def test_it_shows_a_line_and_its_decisions(capsys):
    assert main(["record", FEN, "--depth", "10", "--show", "10.Rb1"]) == 0
    told = capsys.readouterr().out
    assert "After 10.Rb1." in told and "TT Cutoff: the table already knew a value of" in told
    assert main(["record", FEN, "--nodes", "300", "--show", "Rb1 a6 Kf1 h6 Rb2 Kh8"]) == 0
    assert "never went there" in capsys.readouterr().out


def test_it_compares_with_a_search_without_a_technique(capsys):
    assert main(["record", FEN, "--nodes", "3000", "--without", "null move", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["difference"]["decisions"][0]["technique"] == "Null Move"
    assert told["visits_kept"] == told["visits_total"] and told["visits"][0]["kind"] == "first"


def test_it_writes_files(tmp_path, capsys):
    names = [str(tmp_path / f"tree.{suffix}") for suffix in ("db", "json", "txt", "svg")]
    assert main(["record", FEN, "--nodes", "1000", *(word for name in names for word in ("-o", name))]) == 0
    assert capsys.readouterr().out.count("wrote ") == 4
    base = sqlite3.connect(names[0])
    assert base.execute("SELECT value FROM search WHERE name = 'version'").fetchone()
    base.close()
    assert (tmp_path / "tree.svg").read_text().startswith("<svg")


@pytest.mark.parametrize(("words", "text"), [
    (["--without", "Magic"], "not a technique"), (["-o", "tree.doc"], "ends in .db"), (["--show", "Qh9"], "Qh9"),
    (["--budget", "0.01"], "expected a number from 1"), (["--budget", "inf"], "budget of inf MiB"),
    (["--nodes", "0"], "nodes"), (["-o", "/nowhere/tree.db"], "no folder"),
])
def test_what_is_wrong_is_said_in_one_line(words, text, capsys):
    assert main(["record", FEN, *words]) == 2
    told = capsys.readouterr().err
    assert told.count("\n") == 1 and text in told


@pytest.mark.parametrize("fen", ["7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1"])
def test_a_position_without_moves(fen, tmp_path, capsys):
    assert main(["record", fen]) == 0
    assert "no legal move" in capsys.readouterr().out
    assert main(["record", fen, "-o", str(tmp_path / "tree.svg")]) == 2
    told = capsys.readouterr().err
    assert told.count("\n") == 1 and "cannot be drawn: the position has no legal move" in told


def test_bounds_are_not_shown_as_values(capsys):
    """Moves that were only shown to be no better have no value of their own."""
    assert main(["record", FEN, "--nodes", "3000"]) == 0
    rows = [line.split() for line in capsys.readouterr().out.splitlines()]
    scouts = [row for row in rows if len(row) > 3 and row[1] in ("reduced", "scout")]
    assert scouts and all(row[3] in ("<=", ">=", "-") for row in scouts)
