import pytest

from barreleye.core.position import Position
from barreleye.match.games.referee import DrawRule, Referee, Resign, TablebaseReferee, rules_ending


@pytest.mark.parametrize(
    ("fen", "result", "reason"),
    [
        ("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", "1-0", "checkmate"),
        ("8/8/8/8/8/6k1/6q1/7K w - - 0 1", "0-1", "checkmate"),
        ("7k/6Q1/6K1/8/8/8/8/8 b - - 100 80", "1-0", "checkmate"),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "1/2-1/2", "stalemate"),
        ("7k/8/6K1/8/8/8/8/6N1 b - - 0 1", "1/2-1/2", "insufficient material"),
        ("7k/8/6K1/8/8/8/8/6R1 b - - 100 90", "1/2-1/2", "fifty moves"),
    ],
)
def test_the_rules(fen, result, reason):
    ending = rules_ending(Position(fen))
    assert ending is not None
    assert (ending.result, ending.reason) == (result, reason)


def test_the_third_repetition_is_a_draw():
    position = Position()
    for move in ["g1f3", "g8f6", "f3g1", "f6g8", "g1f3", "g8f6", "f3g1"]:
        position.push(move)
        assert rules_ending(position) is None
    position.push("f6g8")
    ending = rules_ending(position)
    assert ending is not None and ending.reason == "threefold repetition"


def endings(referee, scores, position=None):
    """The ending found after each score, from White's side."""
    position = position or Position()
    return [ending and (ending.result, ending.reason) for ending in (referee.ending(position, s) for s in scores)]


def test_a_lost_game_ends_when_both_have_agreed_long_enough():
    lost = ("0-1", "resign adjudication")
    assert endings(Referee(Resign(500, 2)), [-600, -500, -499, -600, -600, -600, -600]) == [None] * 6 + [lost]
    assert endings(Referee(Resign(500, 1)), [800, 500])[-1] == ("1-0", "resign adjudication")


def test_one_side_alone_or_a_missing_score_decides_nothing():
    assert endings(Referee(Resign(500, 1)), [900, 0, 900, 0, 900]) == [None] * 5
    assert endings(Referee(Resign(500, 1)), [900, None, 900, None]) == [None] * 4


def test_a_dull_game_is_drawn_from_the_given_move_on():
    early, late = Position(), Position("7k/8/6K1/8/8/8/8/6R1 b - - 3 40")
    assert endings(Referee(draw=DrawRule(34, 2, 10)), [0] * 8, early) == [None] * 8
    assert endings(Referee(draw=DrawRule(34, 2, 10)), [5, -10, 10, 0], late)[-1] == ("1/2-1/2", "draw adjudication")
    assert endings(Referee(draw=DrawRule(34, 2, 10)), [5, -11, 10, 0], late)[-1] is None


def test_the_longest_game():
    assert endings(Referee(max_moves=2), [0, 0, 0, 0]) == [None] * 3 + [("1/2-1/2", "maximum length")]


@pytest.mark.parametrize(
    ("fen", "result"),
    [
        ("8/8/8/4k3/8/8/4K3/4R3 w - - 0 1", "1-0"),
        ("8/8/8/4k3/8/8/4K3/4R3 b - - 0 1", "1-0"),
        ("8/8/8/4K3/8/8/4k3/4q3 w - - 0 1", "0-1"),
        ("8/8/8/8/8/2n1k3/8/K2R4 w - - 0 1", "1/2-1/2"),
        ("8/8/8/4k3/8/8/4K3/4R3 w - - 7 1", None),  # the fifty-move count has begun: the tables alone cannot tell
    ],
)
def test_tablebases(data_dir, fen, result):
    ending = TablebaseReferee(str(data_dir / "syzygy")).verdict(Position(fen))
    assert (ending and ending.result) == result


def test_a_folder_without_tables_is_an_error(tmp_path):
    with pytest.raises(ValueError, match="no Syzygy tables"):
        TablebaseReferee(str(tmp_path))
    with pytest.raises(ValueError, match="nowhere"):
        TablebaseReferee(str(tmp_path / "nowhere"))
