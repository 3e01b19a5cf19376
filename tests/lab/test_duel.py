"""Duels: the same games however they are played, counted in their order, ended by a test."""

import threading
from typing import Any

import pytest

from barreleye import nets
from barreleye.engine.random_openings import RandomOpenings
from barreleye.lab.duel import duel
from barreleye.lab.entrant import Entrant
from barreleye.lab.notes import Notes
from barreleye.lab.plan import Plan, Rules
from barreleye.lab.standing import DuelGame, Pair, Standing
from barreleye.match.games.referee import Resign
from barreleye.match.statistics.sprt import Sprt

FEW: dict[str, Any] = {"games": 8, "nodes": 60}


def moves_of(standing):
    return [game.steps for pair in standing.pairs for game in pair.games]


def pair_of(number, points):
    games = [DuelGame(one, "checkmate", 60) for one in points]
    return Pair(number, (games[0], games[1]), (600, 900))


def test_the_same_seed_gives_the_same_games_on_any_number_of_threads():
    played = [duel("off=Null Move", "default", threads=threads, **FEW) for threads in (1, 2, 3)]
    assert moves_of(played[0]) == moves_of(played[1]) == moves_of(played[2])
    assert played[0].score == played[1].score == played[2].score and played[0].games == 8
    assert moves_of(duel("off=Null Move", "default", seed=2, **FEW)) != moves_of(played[0])


def test_identical_engines_share_every_pair():
    standing = duel("default", "default", **FEW)
    assert standing.score.pairs == [0, 0, 4, 0, 0] and standing.score.points == 4
    assert standing.names == ("default 1", "default 2")
    nodes = standing.nodes_a_move
    assert nodes[0] == nodes[1] > 60


def test_what_is_clearly_weaker_loses():
    standing = duel("net=none off=Positional Terms nodes=50", "nodes=500", games=20)
    assert standing.score.points < 4, standing.lines()


def test_the_other_way_round_the_points_are_the_other_s():
    one, other = (duel(*names, **FEW) for names in (("nodes=300", "default"), ("default", "nodes=300")))
    assert one.score.points == other.score.games - other.score.points
    assert one.nodes_a_move[0] > 2 * one.nodes_a_move[1]


def test_levels_play_by_their_seed_and_by_the_network():
    levels = "level=newcomer", "level=club"
    standing = duel(*levels, games=4)
    assert moves_of(duel(*levels, games=4, threads=1)) == moves_of(standing)
    assert moves_of(duel(*levels, games=4, seed=9)) != moves_of(standing)
    assert moves_of(duel(*(f"{level} net=none" for level in levels), games=4)) != moves_of(standing)


def test_openings_come_from_a_book_or_from_chance(tmp_path):
    book = tmp_path / "book.epd"
    book.write_text("8/8/4k3/8/8/4K3/4P3/8 w - -\n8/8/4k3/8/8/4K3/4P2P/8 b - -\n")
    standing = duel("default", openings=str(book), rules=Rules(None, None, 3), games=4, nodes=60)
    assert standing.plies == 4 * 6 and set(standing.endings) == {"maximum length"}
    openings = [RandomOpenings(1, 100).opening(number).fen for number in (3, 0)]
    source = RandomOpenings(1, 100)
    assert [source.opening(number).fen for number in (0, 1, 2, 3)][::3] == openings[::-1]
    assert RandomOpenings(2, 100).opening(0) != source.opening(0)


def test_rules_are_those_asked_for():
    won = Rules(Resign(score=0, moves=1), None)
    standing = duel("default", rules=won, **FEW)
    assert standing.endings["resign adjudication"] > 0 and standing.plies < 8 * 100
    played_out = duel("default", rules=Rules(None, None), **FEW)
    assert "resign adjudication" not in played_out.endings and played_out.plies > standing.plies
    with pytest.raises(ValueError, match="the longest game"):
        Rules(max_moves=0)


def test_tables_decide_games(data_dir, tmp_path):
    book = tmp_path / "book.epd"
    book.write_text("8/8/4k3/8/8/4K3/4P3/8 w - -\n")
    standing = duel("default", openings=str(book), games=2, nodes=60, rules=Rules(syzygy=str(data_dir / "syzygy")))
    assert standing.endings == {"tablebase": 2}
    with pytest.raises(ValueError, match="no Syzygy tables"):
        duel("default", games=2, rules=Rules(syzygy=str(tmp_path)))


def test_pairs_count_in_the_order_of_their_numbers():
    standing = Standing(("a", "b"), 8, Sprt(0, 10))
    standing.add(pair_of(1, (1.0, 1.0)))
    assert standing.games == 0
    standing.add(pair_of(0, (0.0, 0.5)))
    assert standing.games == 4 and [pair.number for pair in standing.pairs] == [0, 1]
    assert (standing.score.wins, standing.score.losses, standing.score.draws) == (2, 1, 1)
    assert standing.score.pairs == [0, 1, 0, 0, 1]


def test_a_decided_test_ends_the_duel_and_counts_nothing_after():
    weak = "net=none off=Positional Terms", "default"
    played = [duel(*weak, games=400, nodes=100, sprt=Sprt(0, 100), threads=threads) for threads in (1, 3)]
    assert played[0].verdict == played[1].verdict == "H0" and played[0].games == played[1].games < 400
    assert moves_of(played[0]) == moves_of(played[1])
    sprt = Standing(("a", "b"), 100, Sprt(-100, 0))
    for number in range(30):
        sprt.add(pair_of(number, (1.0, 1.0)))
    assert sprt.verdict == "H1" and len(sprt.pairs) < 30 and sprt.is_complete


def test_notes_are_gone_on_from(tmp_path):
    settings: dict[str, Any] = {"games": 8, "nodes": 60, "threads": 2}
    whole = duel("off=ProbCut", **settings)
    heard: list[int] = []
    with Notes(tmp_path / "duel.notes") as notes:
        begun = duel("off=ProbCut", **{**settings, "games": 4}, notes=notes)
        assert begun.found == 0 and begun.games == 4
        standing = duel("off=ProbCut", **settings, notes=notes, on_change=lambda now: heard.append(now.games))
        assert standing.found == 4 and standing.score == whole.score and heard[0] == 4
        again = duel("off=ProbCut", **settings, notes=notes)
        assert again.found == 8 and again.score == whole.score and not again.seconds
        assert duel("off=ProbCut", **{**settings, "games": 2}, notes=notes).games == 2
        with pytest.raises(ValueError, match="second switches Futility: null there, false now"):
            duel("off=ProbCut", "off=Futility", **settings, notes=notes, is_alone=True)
        with pytest.raises(ValueError, match="seed: 1 there, 2 now"):
            duel("off=ProbCut", **settings, seed=2, notes=notes, is_alone=True)


def test_stopped_from_elsewhere_it_keeps_what_is_finished():
    stop = threading.Event()
    standing = duel("default", games=1000, nodes=100, stop=stop,
                    on_change=lambda now: stop.set() if now.games >= 4 else None)
    assert standing.interrupted and 4 <= standing.games < 100


def test_errors_of_a_thread_are_heard(tmp_path):
    book = tmp_path / "book.epd"
    book.write_text("8/8/8/8/8/8/8/8 w - -\n")
    with pytest.raises(ValueError, match="not playable"):
        duel("default", openings=str(book), **FEW)
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("duel")]


@pytest.mark.parametrize(("settings", "complaint"), [
    ({"games": 3}, "even"), ({"nodes": 0}, "the number of nodes is 0"),
    ({"threads": -1}, "the number of threads is -1"),
    ({"openings": "/nowhere.epd"}, "cannot read the book"),
])
def test_bad_settings(settings, complaint):
    with pytest.raises(ValueError, match=complaint):
        duel("default", **{**FEW, **settings})


def test_the_plan_says_what_games_depend_on():
    plan = Plan(Entrant(), Entrant("new", net="none"))
    described = plan.described(plan.open_book())
    assert described["first"]["net"] == nets.inspect(nets.DEFAULT).digest[:16] and described["second"]["net"] == "none"
    assert described["engine"] > 1000 and described["rules"]["syzygy"] is False


def test_a_standing_in_words_and_for_programs():
    standing = Standing(("new", "old"), 100, Sprt(0, 5))
    assert "no interval yet" in "\n".join(standing.lines()) and standing.seconds_left is None
    for number, points in enumerate([(1.0, 0.5), (0.5, 0.5), (0.0, 1.0), (1.0, 1.0)]):
        standing.add(pair_of(number, points))
    standing.seconds = 36.0
    text = "\n".join(standing.lines())
    for words in ("new - old: 8 of 100 games, W 4 L 1 D 3 (68.8 %)", "Elo  +137", "nElo", "LOS", "SPRT [0, 5] logistic",
                  "60 plies a game; nodes a move 10 and 15", "ended by 8 checkmate"):
        assert words in text
    assert standing.line().startswith("8/100  W 4 L 1 D 3  Elo +137") and "LLR" in standing.line()
    said = standing.as_json()
    assert said["pairs"] == [0, 0, 2, 1, 1] and said["games_an_hour"] == 800 and said["sprt"]["verdict"] is None
    assert standing.seconds_left == pytest.approx(36.0 * 92 / 8)
