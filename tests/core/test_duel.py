"""Games between two contenders: whole legal games with true results, the same on every run."""

import struct

import chess
import pytest

from barreleye import nets
from barreleye.core.contender import Contender
from barreleye.core.duel import ENDINGS, Duel
from barreleye.core.notation import move_name
from barreleye.core.pool import IS_TUNING_BUILD
from barreleye.core.position import Position
from barreleye.core.techniques import index_of
from barreleye.engine import Engine
from barreleye.levels import LEVELS
from barreleye.syzygy_files import open_tables

WON = "3k4/8/8/8/8/8/4Q3/4K2R w - - 0 1"
SHUFFLE = "8/8/1k6/p1p1p1p1/P1P1P1P1/1K6/8/8 w - - 0 1"


def make_duel(nodes: int = 200) -> Duel:
    players = Contender(1), Contender(1)
    for player in players:
        player.use_network(nets.load_default())
        player.soft_nodes, player.hard_nodes = nodes, 2 * nodes
    return Duel(*players)


def played_out() -> Duel:
    duel = make_duel()
    duel.win_plies = duel.draw_plies = 0
    return duel


def moves_of(steps: bytes) -> list[tuple[str, int]]:
    return [(move_name(move), score) for move, score in struct.iter_unpack("<Hh", steps)]


@pytest.mark.parametrize("first_is_white", [True, False])
def test_games_are_legal_and_end_as_they_say(first_is_white):
    duel = played_out()
    for fen in (chess.STARTING_FEN, WON, SHUFFLE):
        points, ending, steps = duel.play(Position(fen), first_is_white)
        board = chess.Board(fen)
        for move, _ in moves_of(steps):
            assert board.outcome(claim_draw=False) is None and not board.is_repetition(3)
            board.push_uci(move)
        white = points if first_is_white else 2 - points
        word = ENDINGS[ending]
        if word == "checkmate":
            assert board.is_checkmate() and white == (0 if board.turn else 2)
        else:
            assert white == 1
            assert {"stalemate": board.is_stalemate(), "insufficient material": board.is_insufficient_material(),
                    "fifty moves": board.halfmove_clock == 100, "threefold repetition": board.is_repetition(3)}[word]


def test_the_same_game_again_whatever_was_played_before():
    duel, other = make_duel(), make_duel()
    games = [duel.play(Position(), first) for first in (True, False)]
    other.play(Position(WON))
    assert [other.play(Position(), first) for first in (True, False)] == games
    assert games[0][2] == games[1][2], "identical engines play the same game with either colour"


def test_what_makes_an_engine_different_is_heard_of():
    usual = make_duel().play(Position())[2]
    for change in (lambda player: player.switch(index_of("Null Move"), False),
                   lambda player: player.use_network(None),
                   lambda player: player.use_network(nets.load(nets.DEFAULT, 700))):
        duel = make_duel()
        change(duel.first)
        assert duel.play(Position(), True)[2] != usual
        assert duel.first.nodes > 0 and duel.second.nodes > 0


def test_both_must_agree_that_a_game_is_decided():
    duel = make_duel()
    points, ending, steps = duel.play(Position(WON), False)
    assert (points, ENDINGS[ending]) == (0, "resign adjudication") and len(steps) // 4 == duel.win_plies
    ahead = Position("r3k3/pppp1ppp/8/8/8/8/PPPP1PPP/RN1BK3 w - - 0 1")
    duel.win_score, duel.longest = 300, 8
    assert ENDINGS[duel.play(ahead)[1]] == "resign adjudication"
    duel.first.use_network(nets.load(nets.DEFAULT, 1))
    points, ending, steps = duel.play(ahead)
    assert (points, ENDINGS[ending], len(steps) // 4) == (1, "maximum length", 8), "to one of them all looks level"


def test_level_games_are_given_up_late_enough():
    duel = make_duel()
    duel.win_plies, duel.draw_plies, duel.draw_score, duel.draw_after = 0, 4, 32_000, 30
    points, ending, steps = duel.play(Position("8/8/4k3/8/8/4K3/4P3/8 w - - 0 11"))
    assert (points, ENDINGS[ending], len(steps) // 4) == (1, "draw adjudication", 10)


def test_tables_decide_after_a_capture_or_pawn_move(data_dir):
    duel = played_out()
    duel.use_tables(open_tables(str(data_dir / "syzygy")))
    points, ending, steps = duel.play(Position("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"), False)
    assert ENDINGS[ending] == "tablebase" and steps == b""
    assert points == 2 - duel.play(Position("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"))[0]


def test_a_history_counts_for_repetitions():
    start = Position(SHUFFLE)
    for move in ("b3a3", "b6a6", "a3b3", "a6b6") * 2:
        start.push(move)
    points, ending, steps = played_out().play(start)
    assert (points, ENDINGS[ending], steps) == (1, "threefold repetition", b"")


def test_a_stopped_duel_plays_no_further():
    duel = make_duel()
    duel.stop()
    points, ending, _ = duel.play(Position())
    assert (points, ENDINGS[ending]) == (-1, "abandoned")


def test_one_cannot_play_itself():
    player = Contender(1)
    with pytest.raises(ValueError, match="two contenders"):
        Duel(player, player)
    duel = make_duel()
    duel.longest = 0
    with pytest.raises(ValueError, match="expected 1 to"):
        duel.play(Position())


@pytest.mark.skipif(IS_TUNING_BUILD, reason="a tuning build takes every parameter")
def test_parameters_are_fixed_in_an_ordinary_build():
    Contender(1).set_params({})
    with pytest.raises(ValueError, match="not a tuning build"):
        Contender(1).set_params({"RAZOR_BASE": 250})


@pytest.mark.skipif(not IS_TUNING_BUILD, reason="needs a tuning build: make test TUNE=1")
def test_parameters_are_one_contender_s_own():
    usual, duel = make_duel().play(Position())[2], make_duel()
    duel.second.set_params({"ASPIRATION_DELTA": 40})
    assert duel.play(Position())[2] != usual


@pytest.mark.parametrize("level", [LEVELS[2], LEVELS[8]])
def test_a_level_plays_here_as_it_plays_in_the_engine(level):
    """The same game move by move: the limits, the lines and the choice among them are the same."""
    duel = make_duel()
    duel.longest = 30
    for player in (duel.first, duel.second):
        (player.soft_nodes, player.hard_nodes), player.seed = level.limits, 7
        player.use_level(level.lines, level.spread)
    moves = [move for move, _ in moves_of(duel.play(Position())[2])]
    engines = [Engine(**{"Hash": 1, "UCI_LimitStrength": True, "UCI_Elo": level.elo, "Strength Seed": 7})
               for _ in range(2)]
    for ply, move in enumerate(moves):
        engines[ply % 2].position(moves=moves[:ply])
        assert engines[ply % 2].search(depth=100).best_move == move


def test_a_level_has_a_seed_and_sane_numbers():
    duel = make_duel()
    for player in (duel.first, duel.second):
        player.use_level(8, 100.0)
    games = set()
    for seed in (1, 1, 2, 2**63):
        duel.first.seed = duel.second.seed = seed
        games.add(duel.play(Position())[2])
    assert len(games) == 3
    for lines, spread in ((0, 1.0), (513, 1.0), (5, 0.0)):
        with pytest.raises(ValueError, match="a level looks at"):
            duel.first.use_level(lines, spread)
