"""What is the threat? Positions in which everybody sees it, and some without any."""

import json

import pytest

import barreleye
from barreleye.explain.inquiry import Inquiry
from barreleye.explain.threat import threat


@pytest.fixture(scope="module")
def engine():
    return barreleye.Engine(Hash=4)


def asked(engine, fen, nodes=20_000):
    engine.position(fen)
    return threat(Inquiry(engine, nodes=nodes))


# FEN, the threatened move, what it wins or the mate, the first sentence
THREATS = {
    "scholar's mate": ("r1bqkbnr/pppp1ppp/2n5/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 3 3", "h5f7", 1,
                       "White threatens mate: 4.Qxf7#."),
    "back rank": ("6k1/5ppp/8/8/8/8/1r3PPP/3R2K1 b - - 0 1", "d1d8", 1, "White threatens mate: 2.Rd8#."),
    "mate in two": ("r1bq2rk/pp3pbp/2p1p1pQ/7P/3P4/2PB1N2/PP3PPR/2KR4 b - - 1 1", "h6h7", 2,
                    "White threatens mate in two: 2.Qxh7+ Kxh7 3.hxg6#."),
    "a knight hangs": ("rnbqkb1r/pppp1ppp/8/4N3/4n3/8/PPPPQPPP/RNB1KB1R b KQkq - 1 4", "e2e4", "a knight", None),
    "trapped queen": ("rnbqkb1r/pppp1ppp/8/4P3/6n1/7P/PPPNPPP1/R1BQKBNR w KQkq - 1 2", "g4e3",
                      "the queen for a knight",
                      "Black threatens 2...Ne3, winning the queen for a knight: the queen on d1 is trapped."),
    "fork": ("r3k3/8/8/3N4/8/8/8/4K3 b q - 0 1", "d5c7", "a rook",
             "White threatens 2.Nc7+, winning a rook: the knight on c7 forks king and rook."),
}


@pytest.mark.parametrize("name", THREATS)
def test_threats(engine, name):
    fen, move, wins, said = THREATS[name]
    found = asked(engine, fen)
    assert found.is_threat and found.move == move and found.line[0] == move
    assert (found.mate if isinstance(wins, int) else found.wins) == wins
    assert said is None or found.sentences[0].text == said
    assert json.loads(json.dumps(found.to_json()))["move"] == move
    assert asked(engine, fen) == found                  # whatever was searched in between


@pytest.mark.parametrize(("fen", "said"), [
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "There is no threat: Black's best would be 1..."),
    ("8/8/4k3/8/8/4K3/8/8 w - - 0 1", "There is no threat: Black's best would be 1..."),
    ("k7/2Q5/8/8/8/8/8/4K3 w - - 0 1", "Black has no move at all, so nothing is threatened."),
    ("R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1", "Black is mated."),
    ("k7/2Q5/1K6/8/8/8/8/8 b - - 0 1", "Black is stalemated."),
])
def test_no_threat(engine, fen, said):
    found = asked(engine, fen)
    assert not found.is_threat and str(found).startswith(said)


def test_in_check_the_check_is_the_threat(engine):
    found = asked(engine, "rnb1kbnr/pppp1ppp/8/4p3/5P1q/5N2/PPPPP1PP/RNBQKB1R w KQkq - 0 1")
    assert found.is_threat and found.move is None and found.cost is None
    assert str(found) == "White is in check from the queen on h4, and has to see to that first."
    assert found.sentences[0].evidence == {"checkers": ["h4"]}
    both = asked(engine, "4k3/8/5N2/8/8/8/8/4RK2 b - - 0 1")
    assert "from the rook on e1 and the knight on f6" in str(both)


def test_what_cannot_be_parried(engine):
    found = asked(engine, "7k/8/8/8/8/8/R7/1R4K1 b - - 0 1")
    assert found.mate and "can only delay it" in str(found)
    at_once = asked(engine, "7k/R7/8/6K1/8/8/8/1R6 b - - 0 1")
    assert str(at_once) == "White threatens mate: 2.Rb8#. Black cannot prevent it."


def test_a_won_game_has_no_score(engine):
    found = asked(engine, "8/1P4k1/8/8/8/8/r7/4K3 w - - 0 1", 100_000)
    assert found.is_threat and str(found).endswith(" to a won game for Black.")


def test_chess960_castling(engine):
    fen = "4k3/8/8/8/8/8/6q1/RK6 w A - 0 1"
    engine.set_option("UCI_Chess960", True)
    try:
        assert str(asked(engine, fen, 5000))
    finally:
        engine.set_option("UCI_Chess960", False)


@pytest.mark.parametrize(("fen", "chance"), [
    ("k7/8/8/8/8/8/1r6/K7 w - - 0 1", "1.Kxb2 wins a rook"),
    ("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", "1.Ra8# is mate"),
])
def test_what_the_side_to_move_could_win_is_no_threat(engine, fen, chance):
    assert_missed_chance(asked(engine, fen), chance)


def test_a_piece_that_would_only_run_away_threatens_nothing(engine):
    """How much it gains by that is a matter of the evaluation's taste: more often than not it is nothing."""
    harmless = 0
    for fen, piece in (("6k1/5ppp/8/8/3n4/4P3/5PPP/6K1 w - - 0 1", "knight"),
                       ("6k1/5ppp/8/8/3n4/4P3/3B1PPP/6K1 w - - 0 1", "knight"),
                       ("6k1/5ppp/8/8/3n4/4P3/3N1PPP/6K1 w - - 0 1", "knight"),
                       ("6k1/5ppp/8/8/3b4/4P3/5PPP/6K1 w - - 0 1", "bishop"),
                       ("3q2k1/5ppp/8/8/3n4/4P3/5PPP/3Q2K1 w - - 0 1", "knight")):
        found = asked(engine, fen)
        assert found.wins == "" and found.mate is None and f"wins a {piece}" in str(found)
        if not found.is_threat:
            harmless += 1
            assert_missed_chance(found, f"xd4 wins a {piece}")
    assert harmless >= 3


def assert_missed_chance(found, chance):
    assert not found.is_threat and found.wins == "" and found.mate is None
    assert "threatens nothing, but White would miss a chance by waiting: " in str(found) and chance in str(found)


def test_what_one_side_has_already_is_not_threatened(engine):
    """Black is a rook up whether White passes or not."""
    found = asked(engine, "3r2k1/5ppp/8/8/8/7P/5PP1/6K1 w - - 0 1")
    assert not found.is_threat and str(found).startswith("There is no threat")


def test_a_threat_against_a_side_that_comes_first(engine):
    """Both queens hang on to each other: whoever moves takes."""
    found = asked(engine, "3q2k1/5ppp/8/8/8/8/r4PPP/3Q2K1 w - - 0 1")
    assert found.is_threat and "But it is White's move, and 1.Qxd8# is mate." in str(found)
