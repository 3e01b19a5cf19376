"""Levels against each other."""

import json
from dataclasses import replace

import pytest

from barreleye.cli import main
from barreleye.lab.levels import Step, play, suggested
from barreleye.lab.notes import Notes
from barreleye.lab.plan import Games
from barreleye.levels import LEVELS
from barreleye.match import Score

BOOK = ["rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1",
        "rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq - 0 1"]


@pytest.fixture
def book(tmp_path):
    path = tmp_path / "book.epd"
    path.write_text("\n".join(BOOK) + "\n")
    return str(path)


def test_a_step_is_a_duel_of_levels(book):
    step = play(LEVELS[0], LEVELS[2], Games(4, openings=book, seed=5))
    assert step is not None and step.score.games == 4
    assert step == play(LEVELS[0], LEVELS[2], Games(4, openings=book, seed=5, threads=1))


def test_games_go_on_from_notes_also_when_ratings_changed(book, tmp_path):
    games = Games(2, openings=book)
    with Notes(tmp_path / "levels.notes") as notes:
        step = play(LEVELS[0], LEVELS[1], games, notes)
        found: list[int] = []

        def again(weaker, how=games):
            return play(weaker, LEVELS[1], how, notes, lambda standing: found.append(standing.found))

        corrected = again(replace(LEVELS[0], elo=1))
        assert step is not None and corrected is not None and corrected.score == step.score and found == [2]
        again(LEVELS[0], Games(2, openings=book, seed=9))
        again(replace(LEVELS[0], spread=1))
        assert found[1:] == [0] * 4


def test_suggested_ratings_add_up():
    even = Step(LEVELS[0], LEVELS[1], Score(10, 10, 0, [0, 0, 10, 0, 0]))
    better = Step(LEVELS[1], LEVELS[2], Score(30, 10, 0, [0, 0, 10, 0, 10]))      # 75 %: 191 Elo
    ratings = suggested(LEVELS, [even, better])
    assert ratings == {LEVELS[0].name: LEVELS[0].elo, LEVELS[1].name: LEVELS[0].elo,
                       LEVELS[2].name: LEVELS[0].elo + 190}
    assert not Step(LEVELS[0], LEVELS[1], Score(1, 3, 0, [1, 0, 1, 0, 0])).is_right
    one_sided = Step(LEVELS[0], LEVELS[1], Score(2, 0, 0, [0, 0, 0, 0, 1]))
    assert suggested(LEVELS, [one_sided]) == {LEVELS[0].name: LEVELS[0].elo}
    assert one_sided.as_json()["measured"] is None


def test_the_command(book, capsys):
    words = ["lab", "levels", "--openings", book, "--games", "2", "--level", LEVELS[1].name]
    assert main([*words, "--json"]) in (0, 1)
    [step] = json.loads(capsys.readouterr().out)["steps"]
    assert step["weaker"] == LEVELS[0].name and step["wins"] + step["draws"] + step["losses"] == 2
    assert main(words) in (0, 1)
    assert "stated" in capsys.readouterr().out


@pytest.mark.parametrize(("words", "complaint"), [
    (["--games", "3"], "even"), (["--level", "nobody"], "no level"), (["--level", "newcomer"], "one below it"),
    (["--threads", "-1"], "threads"),
])
def test_bad_arguments(book, capsys, words, complaint):
    assert main(["lab", "levels", "--openings", book, *words]) == 2
    assert complaint in capsys.readouterr().err
    assert main(["lab", "levels", "--openings", "/nowhere.epd"]) == 2
