"""Evaluating the positions of games."""

import threading

import pytest

from barreleye.analysis.accuracy import Score
from barreleye.analysis.study import Analysts, Evaluation, Played, Settings, chunks

MOVES = ("e2e4", "e7e5", "f1c4", "b8c6", "d1h5", "g8f6", "h5f7")


def test_chunks_cover_every_position_once_and_go_backwards():
    assert [list(part) for part in chunks(8, 3)] == [[7, 6, 5], [4, 3, 2], [1, 0]]
    for count in range(1, 40):
        assert sorted(index for part in chunks(count) for index in part) == list(range(count))


def study(threads, games, **settings):
    seen = []
    with Analysts(Settings(nodes=800, threads=threads, hash_mb=1, **settings)) as analysts:
        found = list(analysts.study(games, lambda: seen.append(threading.current_thread().name)))
    return found, seen


def test_the_result_does_not_depend_on_the_number_of_threads_or_on_other_games():
    games = [Played(moves=MOVES), Played(moves=("d2d4", "d7d5")), Played(moves=MOVES[:4])]
    alone, seen = study(1, games)
    together, _ = study(3, games)
    assert alone == together and len(seen) == sum(len(game.moves) + 1 for game in games)
    assert study(2, [games[1]])[0] == [alone[1]]


def test_scores_are_whites_and_ends_have_no_line():
    [lines], _ = study(1, [Played(moves=MOVES)])
    assert len(lines) == len(MOVES) + 1
    assert lines[6][0].score == Score(mate=1) and lines[6][0].line[0] == "h5f7"
    assert lines[7] == [Evaluation(Score(mate=1))]
    [black], _ = study(1, [Played(moves=("f2f3", "e7e5", "g2g4", "d8h4"))])
    assert black[3][0].score == Score(mate=-1) and black[4] == [Evaluation(Score(mate=-1))]
    [stale], _ = study(1, [Played("7k/8/6K1/5Q2/8/8/8/8 w - - 0 1", ("f5f7",))])
    assert stale[1] == [Evaluation(Score(0))]


def test_several_lines():
    [lines], _ = study(1, [Played(moves=MOVES[:6])], multipv=2)
    assert lines[6][0].line[0] == "h5f7" and len(lines[6]) == 2


def test_evaluations_survive_json():
    for evaluation in (Evaluation(Score(12), ("e2e4", "e7e5"), 9), Evaluation(Score(mate=-2))):
        assert Evaluation.from_json(evaluation.as_json()) == evaluation


@pytest.mark.parametrize("wrong", [{"nodes": 0}, {"threads": 0}, {"hash_mb": 0}, {"syzygy": "/nowhere/at/all"}])
def test_settings_that_cannot_be(wrong):
    with pytest.raises((ValueError, OSError)):
        Analysts(Settings(**wrong))
