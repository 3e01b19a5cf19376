"""Levels: the table, what options mean, and how a level chooses."""

from itertools import pairwise
from typing import Any

import chess
import chess.engine
import pytest

from barreleye import levels
from barreleye.engine import Engine, options
from barreleye.levels import LEVELS, Handicap, Level, of_elo, of_name, of_options, of_skill

MATE_IN_ONE = "6k1/5ppp/8/8/8/8/q4PPP/3Q2K1 w - - 0 1"


def limited(elo: int = LEVELS[0].elo, seed: int = 1, **settings: object) -> Engine:
    engine = Engine(Hash=1, UCI_LimitStrength=True, UCI_Elo=elo, **settings)
    engine.set_option("Strength Seed", seed)
    return engine


def test_the_table_rises_in_every_way():
    for low, high in pairwise(LEVELS):
        assert low.elo + 60 <= high.elo <= low.elo + 400
        assert low.nodes <= high.nodes and low.spread >= high.spread and low.lines >= high.lines
    assert len({level.name for level in LEVELS}) == len(LEVELS)


def test_levels_have_names_and_numbers():
    assert of_name("Casual") is of_name(str(levels.NAMES.index("casual") + 1)) is not None
    assert of_name("full") is None and of_name(str(len(levels.NAMES))) is None
    with pytest.raises(ValueError, match="there is no level 'godlike': choose newcomer, "):
        of_name("godlike")


def test_ratings_between_two_levels_are_between_them():
    for level in LEVELS:
        assert of_elo(level.elo) is level
    low, high = LEVELS[6], LEVELS[7]
    between = of_elo((low.elo + high.elo) / 2)
    assert low.nodes < between.nodes < high.nodes and high.spread < between.spread < low.spread
    assert of_elo(LEVELS[5].elo + 1).nodes > 200 and of_elo(LEVELS[4].elo + 1).nodes == 1
    for elo in (LEVELS[0].elo - 1, LEVELS[-1].elo + 1):
        with pytest.raises(ValueError, match="a rating is a number from"):
            of_elo(elo)


def test_skill_goes_from_the_weakest_level_to_full_strength():
    assert of_skill(0) == LEVELS[0] and of_skill(19) == LEVELS[-1] and of_skill(20) is None
    ratings = [level.elo for level in map(of_skill, range(20)) if level]
    assert ratings == sorted(set(ratings)) and len(ratings) == 20


def test_options():
    values = {option.name: option.default for option in options.OPTIONS}
    assert of_options(values) is None
    assert of_options({**values, "Skill Level": 0}) == LEVELS[0]
    assert of_options({**values, "UCI_LimitStrength": True, "UCI_Elo": LEVELS[3].elo, "Skill Level": 0}) == LEVELS[3]
    assert of_options({**values, "UCI_Elo": LEVELS[3].elo}) is None
    elo = options.find("uci_elo")
    assert (elo.minimum, elo.maximum) == (LEVELS[0].elo, LEVELS[-1].elo)
    skill = options.find("Skill Level")
    assert (skill.default, skill.minimum, skill.maximum) == (20, 0, 20)


def play(engine: Engine, plies: int = 12) -> list[str]:
    engine.new_game()
    moves: list[str] = []
    for _ in range(plies):
        engine.position(moves=moves)
        moves.append(str(engine.search(nodes=100_000).best_move))
    return moves


def test_a_seed_makes_a_game_and_another_seed_another():
    first = play(limited(seed=1))
    assert play(limited(seed=1)) == first
    engine = limited(seed=2)
    assert play(engine) != first
    assert play(engine) == play(engine)


def test_a_weak_level_varies_and_stays_legal_and_a_full_engine_is_as_before():
    engine, seen = limited(), set()
    for seed in range(12):
        engine.set_option("Strength Seed", seed)
        seen.add(str(engine.search(depth=30).best_move))
    assert len(seen) > 3 and seen <= {move.uci() for move in chess.Board().legal_moves}
    engine.set_option("UCI_LimitStrength", False)
    engine.new_game()
    assert engine.search(depth=6).best_move == Engine(Hash=1).search(depth=6).best_move


def test_a_level_ends_its_own_searches_and_respects_shorter_ones():
    engine = limited(LEVELS[8].elo)
    assert engine.search(depth=100).nodes < 2 * LEVELS[8].nodes
    assert engine.search(nodes=300).nodes < 1000
    engine.position("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1")
    heard: list[object] = []
    assert engine.search(depth=3, on_info=heard.append).best_move is None and len(heard) == 1


def test_listeners_hear_the_move_that_is_played():
    for seed in range(6):
        engine = limited(seed=seed, MultiPV=3)
        heard: list[Any] = []
        result = engine.search(depth=20, on_info=heard.append)
        assert [line.multipv for line in heard] == [1, 2, 3]
        assert engine.text(heard[0].pv[0]) == result.best_move
        assert result.info is heard[0]


def test_searchmoves_bind_a_level_too():
    engine = limited()
    assert {engine.search(depth=5, searchmoves=["a2a3", "h2h3"]).best_move for _ in range(3)} <= {"a2a3", "h2h3"}


def test_better_lines_are_chosen_more_often():
    """Two lines a spread apart: the better one e times as often as the other."""
    level = Level("test", 0, 1, 50, 2)
    engine = Engine(Hash=1)
    lines: dict[int, Any] = {place: levels.ChosenLine(1, 1, place, score, 0, 0, 1, 0, 0, [place])
                             for place, score in ((1, 50), (2, 0), (3, 0))}
    counts = [0, 0, 0, 0]
    for seed in range(4000):
        handicap = Handicap(level, seed, engine.board)
        handicap.lines = lines
        chosen = handicap.choose()
        assert chosen is not None
        counts[chosen.pv[0]] += 1
    assert counts[3] == 0                                    # beyond the lines it considers
    assert counts[1] / counts[2] == pytest.approx(2.718, rel=0.15)


def test_a_middling_level_sees_a_mate_in_one():
    engine = limited(LEVELS[5].elo)
    engine.position(MATE_IN_ONE)
    assert {engine.search(depth=30).best_move for _ in range(3)} == {"d1d8"}


def test_games_differ_unless_a_seed_is_given():
    def games(engine: Engine) -> set[tuple[str, ...]]:
        played = set()
        for _ in range(4):
            engine.new_game()
            board = chess.Board()
            for _ in range(6):
                move = engine.play(board, chess.engine.Limit(nodes=2000)).move
                assert move is not None
                board.push(move)
            played.add(tuple(move.uci() for move in board.move_stack))
        return played

    assert len(games(limited(seed=0))) > 1
    assert len(games(limited(seed=7))) == 1


def test_a_position_of_the_same_game_gets_the_same_answer():
    engine = limited(seed=0)
    engine.new_game()
    moves = set()
    for _ in range(5):
        engine.configure({"Clear Hash": None})          # or the second search would begin with what the first found
        moves.add(engine.play(chess.Board(), chess.engine.Limit(nodes=2000)).move)
    assert len(moves) == 1
