"""The laboratory: effects of switching techniques, kept in a file, shown as tables."""

import json

import pytest

from barreleye.cli import main
from barreleye.core.techniques import TECHNIQUES
from barreleye.engine import Engine
from barreleye.engine.bench import POSITIONS
from barreleye.lab import effect as lab_effect
from barreleye.lab.effect import Effect, bench_signature, measure, searched, wanted_techniques
from barreleye.lab.notebook import Notebook
from barreleye.lab.notes import Notes
from barreleye.lab.plan import Games
from barreleye.lab.standing import Standing
from barreleye.lab.strength import Strength, play
from barreleye.lab.table import elo_cell, markdown, short

FEW = POSITIONS[:3]


def made_up(name, nodes, default=True):
    return Effect(name, "B9", default, 5, 1000, nodes, 1.0, nodes / 900, 0, 10, 5, 0)


def technique(name):
    return wanted_techniques([name])[0]


def test_measuring_is_the_bench_with_one_switch_thrown():
    row = measure(technique("null move"), 7, FEW)
    engine = Engine(**{"Use Null Move": False})
    assert row.usual_nodes == bench_signature(7, FEW)
    assert row.changed_nodes == sum(searched(engine, fen, 7)[0] for fen in FEW)
    assert row.usual_nodes != row.changed_nodes
    assert 0 < row.succeeded <= row.tried
    assert row.given_up == 0


def test_a_technique_that_is_off_is_switched_on():
    off = next(one for one in TECHNIQUES if not one.default and one.name == "Razoring")
    row = measure(off, 10, FEW)
    assert not row.default
    assert row.succeeded > 0, "the counters are those of the engine that uses it"


def test_a_technique_behind_another_is_measured_without_that_one():
    row = measure(technique("Positional Terms"), 6, FEW)
    assert row.usual_nodes == sum(searched(Engine(**{"Use NNUE": False}), fen, 6)[0] for fen in FEW)
    assert row.tried > 0 and row.changed_nodes != row.usual_nodes


def test_a_change_that_explodes_is_given_up(monkeypatch):
    monkeypatch.setattr(lab_effect, "NODE_CAP", 0)
    monkeypatch.setattr(lab_effect, "SMALLEST_CAP", 200)
    row = measure(technique("Futility"), 9, FEW)
    assert row.given_up == len(FEW) and row.changed_nodes < row.usual_nodes


def test_unknown_techniques_are_named(capsys):
    assert main(["lab", "ablate", "--technique", "telepathy"]) == 2
    err = capsys.readouterr().err
    assert "'telepathy' is not a technique" in err and "Null Move" in err


def test_a_run_goes_on_from_its_file(tmp_path, capsys, monkeypatch):
    path = tmp_path / "ablation.json"
    words = ["lab", "ablate", "--depth", "3", "--positions", "2", "--json", str(path), "--markdown"]
    assert main([*words, "--technique", "Razoring"]) == 0
    capsys.readouterr()
    measured = []

    def spy(one, *rest):
        measured.append(one.name)
        return measure(one, *rest)

    monkeypatch.setattr(lab_effect, "measure", spy)
    assert main([*words, "--technique", "Razoring", "--technique", "Futility"]) == 0
    assert measured == ["Futility"]
    out, err = capsys.readouterr()
    assert "continuing from" in err
    assert "| Razoring | step 7 |" in out and "| Futility | step 8 |" in out
    assert {row["technique"] for row in json.loads(path.read_text())["effects"]} == {"Razoring", "Futility"}


def test_results_of_another_engine_are_not_mixed_in(tmp_path):
    path = tmp_path / "ablation.json"
    Notebook(path, 1234, 5).add(made_up("Razoring", 1100))
    assert Notebook(path, 1234, 5).effects.keys() == {"Razoring"}
    assert not Notebook(path, 1235, 5).effects
    assert not Notebook(path, 1234, 6).effects
    path.write_text("{}")
    with pytest.raises(ValueError, match="does not hold an ablation"):
        Notebook(path, 1234, 5)


def test_the_largest_effects_go_either_way_and_are_on_by_default():
    notebook = Notebook(None, 1, 5)
    for name, nodes, default in (("A", 1100, True), ("B", 400, True), ("C", 3000, False), ("D", 2000, True)):
        notebook.add(made_up(name, nodes, default))
    assert [row.technique for row in notebook.largest(2)] == ["B", "D"]


def test_tables_say_what_the_change_costs():
    notebook = Notebook(None, 1234, 5)
    notebook.add(made_up("Null Move", 2000))
    notebook.add(made_up("Killers", 900, default=False))
    notebook.add(Strength("Null Move", 5000, 200, 100, 100, 88.7, 60.0, 120.0))
    text = markdown(notebook)
    assert "| Null Move | B9 | 2.00 | 2.22 | -89 ± 30 | 10 | 5 |  |" in text
    assert text.index("Switched off") < text.index("Null Move") < text.index("Switched on") < text.index("Killers")
    assert "signature 1234 at depth 5" in text and "400 games each at 5000 nodes" in text
    assert elo_cell(None) == "" and elo_cell(Strength("x", 1, 2, 0, 0, None, None, None)) == "all games alike"
    assert [short(count) for count in (0, 999, 1000, 9949, 99_500, 999_600)] == [
        "", "999", "1.0k", "9.9k", "100k", "1.0M"]


def test_tables_take_the_place_of_older_ones_in_a_document(tmp_path, capsys):
    path = tmp_path / "techniques.md"
    path.write_text("# Before\n<!-- ablation -->\nold\n<!-- /ablation -->\nafter\n")
    words = ["lab", "ablate", "--depth", "2", "--positions", "1", "--technique", "Razoring", "--into", str(path)]
    assert main(words) == 0 and main(words) == 0
    text = path.read_text()
    assert text.startswith("# Before\n<!-- ablation -->\n") and text.endswith("<!-- /ablation -->\nafter\n")
    assert "old" not in text and text.count("| Razoring |") == 1
    path.write_text("no marks")
    capsys.readouterr()
    assert main(words) == 2
    assert "has no lines <!-- ablation --> and" in capsys.readouterr().err


def test_games_are_played_between_the_engine_and_its_changed_self(tmp_path):
    games = Games(4, 50)
    with Notes(tmp_path / "games.notes") as notes:
        first = play(technique("TT Cutoff"), games, notes)
        assert first is not None and first.games == 4 and first.nodes == 50
        heard: list[Standing] = []
        assert play(technique("TT Cutoff"), games, notes, heard.append) == first
        assert [standing.found for standing in heard] == [4], "finished games are not played again"
        play(technique("Positional Terms"), Games(2, 50), notes)
    settings = [row["settings"] for line in (tmp_path / "games.notes").read_text().splitlines()
                if "settings" in (row := json.loads(line))]
    assert [[one[side]["switches"] for side in ("first", "second")] for one in settings] == [
        [{}, {"TT Cutoff": False}], [{"NNUE": False}, {"NNUE": False, "Positional Terms": False}]]


@pytest.mark.parametrize(("words", "complaint"), [
    (["--games", "3"], "must be even"), (["--games", "2", "--openings", "/nowhere.epd"], "/nowhere.epd"),
    (["--games", "2", "--nodes", "0"], "nodes"), (["--games", "2", "--threads", "-1"], "threads"),
    (["--games", "2", "--cluster", "nowhere"], "is not the address"), (["--cluster", "local:2"], "give --games too"),
])
def test_games_that_cannot_be_are_refused_before_anything_is_measured(tmp_path, capsys, words, complaint):
    assert main(["lab", "ablate", "--depth", "2", "--json", str(tmp_path / "some.json"), *words]) == 2
    said = capsys.readouterr()
    assert complaint in said.err and said.err.count("\n") == 1 and not said.out
    assert not list(tmp_path.glob("*.notes"))


def test_the_command_plays_for_the_largest_effects(tmp_path, capsys):
    words = ["lab", "ablate", "--depth", "3", "--positions", "2", "--technique", "Futility", "--technique", "Null Move",
             "--games", "2", "--nodes", "50", "--top", "1", "--json", str(tmp_path / "some.json"), "--markdown"]
    assert main(words) == 0
    said = capsys.readouterr().out
    assert "2 games each at 50 nodes" in said and (tmp_path / "some.notes").exists()
    assert len(json.loads((tmp_path / "some.json").read_text())["strengths"]) == 1
    assert main(words) == 0 and capsys.readouterr().out == said
