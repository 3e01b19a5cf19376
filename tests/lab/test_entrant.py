"""Engines in words: what they say, and what is refused."""

import pytest

from barreleye import nets
from barreleye.lab.entrant import HASH_MB, Entrant
from barreleye.levels import LEVELS


def test_nothing_said_is_the_engine_as_it_is():
    assert Entrant.parse("") == Entrant.parse("default") == Entrant("default")
    assert Entrant.parse("default").limits(5000) == (5000, 10_000)
    described = Entrant.parse("default").described(5000)
    assert described["net"] == nets.inspect(nets.DEFAULT).digest[:16] and described["hash"] == HASH_MB


def test_words_may_hold_spaces_and_commas():
    entrant = Entrant.parse("name=new one  off=null move, probcut on='Razoring' net=none hash=8 RAZOR_BASE=250 "
                            "scale=450")
    assert entrant.name == entrant.title == "new one" and entrant.net == "none" and entrant.hash_mb == 8
    assert entrant.switches == {"Null Move": False, "ProbCut": False, "Razoring": True}
    assert entrant.params == {"RAZOR_BASE": 250} and entrant.scale == 450
    assert Entrant.parse("off=ProbCut").title == "off=ProbCut"


def test_a_switch_that_changes_nothing_is_no_difference():
    assert Entrant.parse("off=Razoring on=ProbCut").described(1) == Entrant().described(1)
    assert Entrant.parse("on=Razoring").described(1)["switches"] == {"Razoring": True}


def test_nodes_of_its_own_and_levels():
    assert Entrant.parse("nodes=300").limits(5000) == (300, 600)
    assert Entrant.parse("default nodes=300 hard=4000").limits(5000) == (300, 4000)
    club = Entrant.parse("level=club")
    assert club.level is LEVELS[5] and club.limits(5000) == club.level.limits
    assert club.described(1)["level"] == {"lines": club.level.lines, "spread": club.level.spread}
    assert Entrant.parse("level=full").level is None


def test_networks_are_known_by_what_is_in_them(tmp_path):
    copy = tmp_path / "copy.net"
    copy.write_bytes(nets.DEFAULT.read_bytes())
    assert Entrant(net=str(copy)).described(1) == Entrant().described(1) != Entrant(net="none").described(1)
    assert Entrant(net=str(copy), scale=200).described(1) != Entrant().described(1)


@pytest.mark.parametrize(("text", "complaint"), [
    ("off=Telepathy", "'Telepathy' is not a technique"), ("off=", "is not a setting of an engine"),
    ("new.net", "'new.net' is not a setting of an engine; there are default, name="),
    ("colour=red", "colour= is not a setting"), ("nodes=many", "nodes=many: expected a whole number"),
    ("nodes=0", "nodes=0: expected at least 1"), ("Hash=0", "Hash=0"), ("scale=0", "scale=0"),
    ("level=godlike", "there is no level"), ("level=club nodes=5", "nodes of its own"),
])
def test_what_is_wrong_is_named(text, complaint):
    with pytest.raises(ValueError, match=complaint):
        Entrant.parse(text)


def test_files_that_are_no_networks(tmp_path):
    with pytest.raises(FileNotFoundError):
        Entrant(net=str(tmp_path / "none.net")).contender(100)
    (tmp_path / "bad.net").write_text("nonsense")
    with pytest.raises(ValueError, match="is not a Barreleye network"):
        Entrant(net=str(tmp_path / "bad.net")).contender(100)
