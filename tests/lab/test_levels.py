"""Levels against each other."""

import json
from dataclasses import replace

import pytest

from barreleye.cli import main
from barreleye.lab.levels import Games, Notebook, Step, play, suggested
from barreleye.levels import LEVELS
from barreleye.match import Score

BOOK = ["rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1",
        "rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq - 0 1"]


@pytest.fixture
def book(tmp_path):
    path = tmp_path / "book.epd"
    path.write_text("\n".join(BOOK) + "\n")
    return str(path)


def test_games_depend_on_their_seed_alone(book):
    steps = []
    for concurrency in (1, 2):
        step = Step(LEVELS[0], LEVELS[2])
        play(step, Games(4, book, 5, concurrency))
        steps.append(step)
    assert steps[0].pairs == steps[1].pairs and len(steps[0].pairs) == 2
    assert isinstance(steps[0].score, Score) and steps[0].score.games == 4


def test_a_notebook_is_gone_on_from_also_when_ratings_changed(book, tmp_path):
    games, path = Games(2, book), tmp_path / "notes.json"
    notebook = Notebook(path, games)
    step = notebook.step(LEVELS[0], LEVELS[1])
    play(step, games, notebook.keep)
    known = Notebook(path, games).step(replace(LEVELS[0], elo=1), LEVELS[1])
    assert known.pairs == step.pairs and len(known.pairs) == 1
    assert Notebook(path, Games(2, book, seed=9)).step(LEVELS[0], LEVELS[1]).pairs == []
    assert Notebook(path, games).step(replace(LEVELS[0], spread=1), LEVELS[1]).pairs == []
    path.write_text("nonsense")
    with pytest.raises(ValueError, match="not a file of games between levels"):
        Notebook(path, games)


def test_suggested_ratings_add_up():
    even = Step(LEVELS[0], LEVELS[1], [(1.0, 0.0)] * 10)
    better = Step(LEVELS[1], LEVELS[2], [(1.0, 1.0), (1.0, 0.0)] * 10)      # 75 %: 191 Elo
    ratings = suggested(LEVELS, [even, better])
    assert ratings == {LEVELS[0].name: LEVELS[0].elo, LEVELS[1].name: LEVELS[0].elo,
                       LEVELS[2].name: LEVELS[0].elo + 190}
    assert not Step(LEVELS[0], LEVELS[1], [(0.0, 0.0), (1.0, 0.0)]).is_right
    assert suggested(LEVELS, [Step(LEVELS[0], LEVELS[1], [(1.0, 1.0)])]) == {LEVELS[0].name: LEVELS[0].elo}


def test_the_command(book, capsys):
    words = ["lab", "levels", "--openings", book, "--games", "2", "--level", LEVELS[1].name]
    assert main([*words, "--json"]) in (0, 1)
    [step] = json.loads(capsys.readouterr().out)["steps"]
    assert step["weaker"] == LEVELS[0].name and step["wins"] + step["draws"] + step["losses"] == 2
    assert main(words) in (0, 1)
    assert "stated" in capsys.readouterr().out


@pytest.mark.parametrize(("words", "complaint"), [
    (["--games", "3"], "even"), (["--level", "nobody"], "no level"), (["--level", "newcomer"], "one below it"),
    (["--concurrency", "0"], "concurrency"),
])
def test_bad_arguments(book, capsys, words, complaint):
    assert main(["lab", "levels", "--openings", book, *words]) == 2
    assert complaint in capsys.readouterr().err
    assert main(["lab", "levels", "--openings", "/nowhere.epd"]) == 2
