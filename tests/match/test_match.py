"""Whole matches between fakes: every ending is recorded, and no misbehaviour stops the runner."""

import io
import itertools
import json
from typing import Any

import chess.pgn
import pytest

from barreleye.match import LineWatcher, Openings, Resign, Sprt, Watcher, play_match


def games_of(path):
    with open(path) as file:
        return list(iter(lambda: chess.pgn.read_game(file), None))


def test_a_match_is_played_to_its_end(fake, tmp_path):
    result = play_match(
        [fake(name="a"), fake(name="b")],
        "nodes=1",
        games=6,
        concurrency=2,
        max_moves=5,
        pgn=str(tmp_path / "games.pgn"),
        json=str(tmp_path / "results.json"),
    )
    assert not result.interrupted
    assert (result.score.wins, result.score.losses, result.score.draws) == (0, 0, 6)
    assert result.score.pairs == [0, 0, 3, 0, 0]
    assert sorted(game.number for game in result.games) == list(range(6))
    games = games_of(tmp_path / "games.pgn")
    assert len(games) == 6
    for game in games:
        assert not game.errors
        assert game.headers["Termination"] == "adjudication"
        moves = list(game.mainline())
        assert len(moves) == 10
        assert moves[0].comment.startswith("+0.20/1 0.") and moves[-1].comment.endswith("maximum length")
    assert json.loads((tmp_path / "results.json").read_text())["summary"]["played"] == 6


@pytest.mark.parametrize(
    ("mode", "tc", "reason", "detail"),
    [
        ("killed", "nodes=1", "crash", "signal 9"),
        ("exit", "nodes=1", "crash", "exit code 3"),
        ("illegal", "nodes=1", "illegal move", "played e2e5"),
        ("none", "nodes=1", "illegal move", "played (none)"),
        ("silent", "0.5+0.1", "no answer", "no bestmove within"),
        ("silent", "nodes=1", "no answer", "no bestmove within"),
        ("late", "st=0.1", "time forfeit", "with 100 ms left"),
        ("flood", "20+1", "flood", "lines within 0.5 s"),
        ("flood", "nodes=1", "flood", "lines within 0.5 s"),
        ("endless", "nodes=1", "flood", "bytes without an end of the line"),
        ("escape", "nodes=1", "illegal move", "played ?[2Jxxx"),
    ],
)
def test_misbehaviour_is_a_recorded_loss_and_the_match_goes_on(fake, mode, tc, reason, detail):
    errors = io.StringIO()
    result = play_match(
        [fake(mode, 2), fake(name="good")],
        tc,
        games=4,
        concurrency=2,
        max_moves=4,
        hang_s=2,
        watcher=Watcher(errors),
    )
    assert (result.score.wins, result.score.losses, result.score.draws) == (0, 4, 0)
    for game in result.games:
        assert (game.reason, game.fault) == (reason, mode)
        assert detail in game.detail
        assert game.plies == (2 if game.white == mode else 3)
        assert any(line.startswith(("> go", "> stop")) for line in game.talk) or mode in ("flood", "endless")
        assert all(line.isprintable() and len(line) < 200 for line in [game.detail, *game.talk])
    assert result.standings.faults == {(mode, reason): 4}
    assert errors.getvalue().count(f"{mode} loses by {reason}") == 4


def test_a_score_of_thousands_of_digits_is_no_score(fake, tmp_path):
    result = play_match([fake("digits"), fake(name="good")], "nodes=1", games=2, max_moves=2,
                        pgn=str(tmp_path / "games.pgn"))
    assert result.score.draws == 2
    comments = [node.comment for game in games_of(tmp_path / "games.pgn") for node in game.mainline()]
    assert len(comments) == 8 and all(len(comment) < 60 for comment in comments)


def test_chess960_castling_is_understood_both_ways(fake, tmp_path):
    book = tmp_path / "book.epd"
    book.write_text("r3k2r/pppppppp/8/8/8/8/PPPPPPPP/1R2K1R1 w GBkq - 0 1\n")
    result = play_match(
        [fake(name="a"), fake(name="b")],
        "nodes=1",
        games=2,
        chess960=True,
        max_moves=20,
        openings=Openings(str(book)),
        pgn=str(tmp_path / "games.pgn"),
    )
    assert result.score.draws == 2
    assert {game.headers["Variant"] for game in games_of(tmp_path / "games.pgn")} == {"Chess960"}


def test_an_sprt_stops_by_itself(fake):
    result = play_match(
        [fake(name="good"), fake("illegal", 1)],
        "nodes=1",
        games=2000,
        concurrency=2,
        sprt=Sprt(0, 200, alpha=0.2, beta=0.2),
        watcher=Watcher(io.StringIO()),
    )
    assert result.verdict == "H1"
    assert Sprt(0, 200, alpha=0.2, beta=0.2).llr(result.score.pairs) == result.standings.llr
    assert result.score.games < 100 and result.score.losses == 0


def test_resignation_needs_the_scores_of_both(fake):
    """The fakes always claim +0.20, so the two contradict each other and nobody resigns."""
    result = play_match([fake(name="a"), fake(name="b")], "nodes=1", games=2, max_moves=4, resign=Resign(10, 1))
    assert {game.reason for game in result.games} == {"maximum length"}


def test_a_gauntlet_and_a_round_robin_rate_all_players(fake):
    players = [fake(name=name) for name in "abc"]
    for gauntlet, total in ((True, 4), (False, 6)):
        result = play_match(players, "nodes=1", games=2, max_moves=2, gauntlet=gauntlet, concurrency=2)
        assert len(result.games) == total
        assert {row.name: row.elo for row in result.ratings()} == pytest.approx({"a": 0, "b": 0, "c": 0}, abs=1e-6)
        assert "rank" in str(result)


def test_players_may_have_their_own_time_controls(fake, tmp_path):
    from barreleye.match import TimeControl

    slow = fake(name="slow", control=TimeControl.parse("5+1"))
    play_match([slow, fake(name="b")], "depth=3", games=2, max_moves=2, pgn=str(tmp_path / "games.pgn"))
    first, second = games_of(tmp_path / "games.pgn")
    assert (first.headers["WhiteTimeControl"], first.headers["BlackTimeControl"]) == ("5+1", "depth=3")
    assert (second.headers["WhiteTimeControl"], second.headers["BlackTimeControl"]) == ("depth=3", "5+1")


def test_a_finished_match_is_not_played_again_and_a_longer_one_goes_on(fake, tmp_path):
    players = [fake(name="a"), fake(name="b")]
    how: dict[str, Any] = {"max_moves": 2, "json": str(tmp_path / "results.json")}
    play_match(players, "nodes=1", games=2, **how)
    before = (tmp_path / "results.json").read_text().split('"summary"')[0]
    again = play_match(players, "nodes=1", games=2, **how)
    assert again.score.games == 2
    assert (tmp_path / "results.json").read_text().split('"summary"')[0] == before
    longer = play_match(players, "nodes=1", games=4, **how)
    assert sorted(game.number for game in longer.games) == [0, 1, 2, 3]


def test_plain_lines_come_every_ten_games(fake, capsys):
    play_match([fake(name="a"), fake(name="b")], "nodes=1", games=20, max_moves=1, concurrency=2, watcher=LineWatcher())
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == ["10/20", "20/20"]
    assert "W 0 L 0 D 20" in lines[1]


@pytest.mark.parametrize(
    ("settings", "complaint"),
    [
        ({"games": 3}, "even"),
        ({"games": 0}, "even"),
        ({"concurrency": 0}, "concurrency"),
        ({"max_moves": 0}, "maximum length"),
        ({"margin_ms": -1}, "margin"),
        ({"openings": Openings("/no/such/book.epd")}, "book.epd"),
        ({"tablebase": "/no/such/tables"}, "tables"),
        ({"pgn": "/no/such/folder/games.pgn"}, "games.pgn"),
        ({"json": "/no/such/folder/results.json"}, "results.json"),
    ],
)
def test_bad_settings_are_errors_before_any_engine_starts(fake, settings, complaint):
    with pytest.raises(ValueError, match=complaint):
        play_match([fake(name="a"), fake(name="b")], "nodes=1", **settings)


def test_players_need_different_names(fake):
    with pytest.raises(ValueError, match="two engines are called 'good'"):
        play_match([fake(), fake()], "nodes=1")
    with pytest.raises(ValueError, match="at least two"):
        play_match([fake()], "nodes=1")
    with pytest.raises(ValueError, match="two engines"):
        play_match([fake(name=name) for name in "abc"], "nodes=1", sprt=Sprt(0, 5))


def test_real_engines_play_by_the_clock(installed_engine, data_dir, tmp_path):
    result = play_match(
        [installed_engine("toga2"), installed_engine("fairy-stockfish")],
        "0.5+0.01",
        games=2,
        concurrency=2,
        openings=Openings(str(data_dir / "books" / "noob_3moves.epd.zip")),
        tablebase=str(data_dir / "syzygy"),
        pgn=str(tmp_path / "games.pgn"),
    )
    assert result.score.games == 2
    for game, record in itertools.zip_longest(games_of(tmp_path / "games.pgn"), result.games):
        board = game.end().board()
        assert not game.errors
        if record.reason == "checkmate":
            assert board.is_checkmate()
        if record.reason == "threefold repetition":
            assert board.is_repetition(3)
