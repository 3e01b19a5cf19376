import pytest

from barreleye.match.games.clock import GameClock, TimeControl, go_command


@pytest.mark.parametrize("text", ["8+0.08", "40/60+0.6", "60", "st=0.1", "nodes=5000", "depth=8", "40/60"])
def test_a_time_control_reads_back_as_written(text):
    assert str(TimeControl.parse(text)) == text


@pytest.mark.parametrize("text", ["", "fast", "0+1", "st=0", "st=", "nodes=-3", "depth=x", "8+", "8+0.08+1", "tc=8"])
def test_nonsense_is_named(text):
    with pytest.raises(ValueError, match="not a time control"):
        TimeControl.parse(text)


def test_increment_is_added_and_the_flag_falls_beyond_the_margin():
    clock = GameClock(TimeControl.parse("1+0.5"))
    assert clock.spend(400, margin_ms=0)
    assert clock.remaining_ms == 1100
    assert clock.spend(1120, margin_ms=50)
    assert clock.remaining_ms == 500
    assert not clock.spend(551, margin_ms=50)


def test_a_session_of_moves_brings_new_time():
    clock = GameClock(TimeControl.parse("2/10"))
    clock.spend(1000, 0)
    assert (clock.remaining_ms, clock.moves_to_go) == (9000, 1)
    clock.spend(1000, 0)
    assert (clock.remaining_ms, clock.moves_to_go) == (18000, 2)


def test_time_for_each_move_does_not_add_up():
    clock = GameClock(TimeControl.parse("st=0.1"))
    assert clock.spend(100, 0) and clock.spend(100, 0)
    assert not clock.spend(101, 0)


def test_nodes_and_depth_have_no_clock():
    clock = GameClock(TimeControl.parse("nodes=10"))
    assert clock.budget_ms() is None
    assert clock.spend(1e9, 0)


@pytest.mark.parametrize(
    ("white", "black", "expected"),
    [
        ("8+0.08", "8+0.08", "go wtime 8000 btime 8000 winc 80 binc 80"),
        ("40/60", "40/60", "go wtime 60000 btime 60000 movestogo 40"),
        ("st=0.1", "8", "go movetime 100"),
        ("nodes=7", "8", "go nodes 7"),
        ("depth=7", "8", "go depth 7"),
        ("8+0.1", "nodes=5", "go wtime 8000 btime 8000 winc 100 binc 100"),
    ],
)
def test_what_white_is_told(white, black, expected):
    clocks = GameClock(TimeControl.parse(white)), GameClock(TimeControl.parse(black))
    assert go_command(*clocks, white_to_move=True) == expected
