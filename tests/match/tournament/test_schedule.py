from collections import Counter

from barreleye.match.tournament.schedule import Schedule


def fixtures(schedule):
    return [schedule.fixture(n) for n in range(schedule.total)]


def test_each_opening_is_played_twice_with_colours_reversed():
    games = fixtures(Schedule(2, 4))
    assert [(g.white, g.black, g.opening) for g in games] == [(0, 1, 0), (1, 0, 0), (0, 1, 1), (1, 0, 1)]


def test_a_round_robin_is_fair():
    games = fixtures(Schedule(5, 8))
    assert len(games) == 10 * 8
    assert set(Counter((g.white, g.black) for g in games).values()) == {4}
    for pairing in {frozenset((g.white, g.black)) for g in games}:
        assert [g.opening for g in games if {g.white, g.black} == pairing] == [0, 0, 1, 1, 2, 2, 3, 3]


def test_a_gauntlet_is_the_first_against_all():
    games = fixtures(Schedule(4, 2, gauntlet=True))
    assert Counter(frozenset((g.white, g.black)) for g in games) == {frozenset((0, n)): 2 for n in (1, 2, 3)}


def test_a_longer_match_begins_with_the_shorter_one():
    assert fixtures(Schedule(4, 10))[: 6 * 4] == fixtures(Schedule(4, 4))
