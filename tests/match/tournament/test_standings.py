"""What finished games add up to, in whatever order they come."""

import random

from barreleye.match import EngineSpec, MatchSettings, Sprt
from barreleye.match.games.game import GameRecord
from barreleye.match.tournament.standings import Standings

ENGINES = EngineSpec(("a",)), EngineSpec(("b",))


def standings_of(settings, records):
    standings = Standings(settings, settings.schedule())
    for record in records:
        standings.add(record)
    return standings


def test_a_verdict_depends_on_the_games_and_not_on_which_are_finished_first():
    settings = MatchSettings(ENGINES, games=400, sprt=Sprt(elo0=0, elo1=50))
    chance = random.Random(1)
    schedule = settings.schedule()
    names = [engine.name for engine in ENGINES]
    records = []
    for number in range(400):
        fixture = schedule.fixture(number)
        wins = chance.random() < 0.6
        result = "1-0" if wins == (fixture.white == 0) else "0-1"
        records.append(GameRecord(number, names[fixture.white], names[fixture.black], result, "checkmate", 60, "fen"))
    whole = standings_of(settings, records)
    assert whole.verdict == "H1" and whole.played < 400
    for seed in range(20):
        delays = random.Random(seed).choices(range(40), k=400)
        mixed = [record for _, record in sorted(zip(map(sum, enumerate(delays)), records, strict=True),
                                                key=lambda pair: pair[0])]
        found = standings_of(settings, mixed)
        assert found.as_json() == whole.as_json() and found.records == whole.records


def test_without_a_test_every_game_counts_at_once():
    settings = MatchSettings(ENGINES, games=4)
    later = GameRecord(3, "b", "a", "1-0", "checkmate", 60, "fen")
    standings = standings_of(settings, [later])
    assert standings.played == 1 and standings.score.losses == 1 and standings.numbers == {3}
