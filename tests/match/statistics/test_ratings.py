import itertools

import numpy as np
import pytest
from tests.match.statistics.simulation import pair_distribution

from barreleye.match.statistics.ratings import rating_table
from barreleye.match.statistics.score import Score

POINTS = np.array([0, 0.5, 1, 1.5, 2])


def score_of(pairs):
    """A score whose games fit these pairs: an uneven pair is a decided game and a draw, an even one two draws."""
    n0, n1, n2, n3, n4 = pairs
    return Score(wins=2 * n4 + n3, losses=2 * n0 + n1, draws=n1 + 2 * n2 + n3, pairs=list(pairs))


def test_two_players_differ_by_the_elo_of_their_score():
    score = score_of([2, 10, 30, 20, 8])
    table = rating_table(["a", "b"], {("a", "b"): score})
    assert [row.name for row in table] == ["a", "b"]
    assert table[0].elo - table[1].elo == pytest.approx(score.elo().value, rel=1e-3)
    assert table[0].elo == pytest.approx(-table[1].elo)
    assert 2 * table[0].error == pytest.approx(score.elo().error, rel=0.02)
    assert (table[0].points, table[0].games, table[0].draws) == (score.points, 140, 90)


def test_every_player_scores_what_the_ratings_expect():
    scores = {
        ("a", "b"): score_of([1, 5, 9, 4, 1]),
        ("a", "c"): score_of([0, 2, 5, 9, 4]),
        ("b", "c"): score_of([2, 3, 6, 7, 2]),
    }
    table = {row.name: row for row in rating_table(["a", "b", "c"], scores)}
    for name, row in table.items():
        expected = sum(
            score.games / (1 + 10 ** ((table[next(n for n in pair if n != name)].elo - row.elo) / 400))
            for pair, score in scores.items()
            if name in pair
        )
        assert expected == pytest.approx(row.points, abs=0.01)
    assert sum(row.elo for row in table.values()) == pytest.approx(0, abs=1e-6)


def test_a_player_who_wins_everything_keeps_a_finite_rating():
    table = rating_table(["a", "b"], {("a", "b"): Score(20, 0, 0, [0, 0, 0, 0, 10])})
    assert 300 < table[0].elo - table[1].elo < 3000
    assert table[0].error > 50


def test_error_bars_cover_the_truth():
    """A pool of four of known ratings, played many times over."""
    truth = {"a": 90.0, "b": 30.0, "c": -40.0, "d": -80.0}
    chances = {(x, y): pair_distribution(truth[x] - truth[y]) for x, y in itertools.combinations(truth, 2)}
    random = np.random.default_rng(5)
    covered = 0
    pools = 500
    for _ in range(pools):
        scores = {pair: score_of(random.multinomial(60, p).tolist()) for pair, p in chances.items()}
        covered += sum(abs(row.elo - truth[row.name]) <= row.error for row in rating_table(list(truth), scores))
    assert 0.93 <= covered / (4 * pools) <= 0.97
