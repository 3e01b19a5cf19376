"""The search: what it must find whatever is switched off, what it must know of draws, mates and lines."""

from typing import Any

import chess
import pytest
from tests.uci.rules import search_violations
from tests.uci.talker import Conversation

from barreleye.core.report import SearchInfo
from barreleye.core.techniques import MATE_BLIND, TECHNIQUES
from barreleye.engine import Engine, Result
from barreleye.wdl import mate_moves

MATE_IN_TWO = "7k/8/5K2/6R1/8/8/8/8 w - - 0 1"
MORPHY = "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1"
NAMES = [technique.name for technique in TECHNIQUES]
POSITIONS = (
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3r1k1/1pqb1pbp/p2p1np1/3Pn3/P1P5/2N1BN1P/1P1QBPP1/R4RK1 w - - 4 17",
    "8/8/1p1r1k2/p1pPN1p1/P3KnP1/1P6/8/3R4 b - - 0 1",
)


def search(fen: str, moves: str = "", **limits: Any) -> Result:
    engine = Engine(Hash=4)
    engine.position(fen, moves.split())
    return engine.search(**limits)


# Switches


def check_switched(settings: list[tuple[str, bool]], depth: int = 12) -> None:
    """With these settings the search is still right: every line legal, a mate in two found."""
    talk = Conversation()
    talk.send("setoption name Hash value 2",
              *(f"setoption name Use {name} value {str(on).lower()}" for name, on in settings))
    for fen in POSITIONS:
        talk.send(f"position fen {fen}")
        assert list(search_violations(chess.Board(fen), talk.go("go nodes 3000"))) == []
    talk.send("ucinewgame", f"position fen {MATE_IN_TWO}")
    lines = talk.go(f"go depth {depth}")
    assert list(search_violations(chess.Board(MATE_IN_TWO), lines)) == []
    assert " score mate 2 " in lines[-2]


@pytest.mark.parametrize("name", NAMES)
def test_each_technique_the_other_way_round(name: str):
    default = next(technique.default for technique in TECHNIQUES if technique.name == name)
    check_switched([(name, not default)])


@pytest.mark.parametrize("on", [False, True])
def test_all_techniques_off_and_on(on: bool):
    check_switched([(name, on) for name in NAMES], 12 if on else 6)        # without any, depth costs dear


def test_each_switch_does_something():
    """Turned round, nearly every technique changes the nodes of some small search; prefetching must not."""
    def nodes(name: str | None) -> list[int]:
        engine = Engine(Hash=4)
        if name:
            engine.set_option(f"Use {name}", not next(t.default for t in TECHNIQUES if t.name == name))
        counts = []
        for fen in (*POSITIONS, "8/8/8/8/5kp1/P7/8/1K1N4 w - - 80 80", "r6k/8/8/8/8/8/8/R6K w - - 90 120",
                    "8/8/4k3/8/4K3/8/4R3/7r w - - 70 90"):
            engine.new_game()
            engine.position(fen)
            counts.append(engine.search(depth=10).nodes)
        return counts

    plain = nodes(None)
    assert nodes("Prefetch") == plain
    # These need deeper searches, a mate in sight or tablebases.
    rare = {"Null Verification", "Mate Distance", "TT Move History", "Tablebases"}
    assert {name for name in NAMES if nodes(name) == plain} - rare == {"Prefetch"}


@pytest.mark.parametrize("terms", [True, False])
def test_hand_written_evaluation_has_a_cheaper_form(terms: bool):
    engine = Engine(Hash=4)
    engine.set_option("Use NNUE", False)
    engine.set_option("Use Positional Terms", terms)
    engine.position(POSITIONS[0])
    engine.search(nodes=3000)
    stats = engine.stats()
    assert stats["evaluations"] > 0
    assert stats["techniques"]["Positional Terms"]["tried"] == (stats["evaluations"] if terms else 0)


# Mates


@pytest.mark.parametrize(("fen", "moves"), [
    ("7k/5K2/8/6Q1/8/8/8/8 w - - 0 1", 1), (MATE_IN_TWO, 2), (MORPHY, 2),
    ("8/8/8/8/1p1N4/1Bk1K3/3N4/b7 w - - 0 1", 3), ("8/8/6pp/6pk/7P/6K1/7P/8 w - - 0 1", 4),
])
def test_mate_is_proved_with_its_length(fen: str, moves: int):
    result = search(fen, mate=moves)
    assert mate_moves(result.info.score) == moves
    board = chess.Board(fen)
    board.push_uci(str(result.best_move))
    if moves == 1:
        assert board.is_checkmate()
        return
    for reply in [move.uci() for move in board.legal_moves]:
        against = search(fen, f"{result.best_move} {reply}", mate=moves - 1)
        assert 0 < (mate_moves(against.info.score) or 99) <= moves - 1, reply


def test_side_that_is_mated_knows_it():
    result = search("7k/8/6K1/8/8/8/8/R7 b - - 0 1", depth=8)
    assert mate_moves(result.info.score) == -1


def test_search_for_mate_ends_also_for_the_side_that_is_mated():
    result = search(MATE_IN_TWO.replace(" w ", " b "), mate=3, movetime=30_000)
    assert -3 <= (mate_moves(result.info.score) or 0) < 0
    assert result.info.time_us < 20_000_000


def test_mate_search_goes_without_what_overlooks_mates():
    assert set(NAMES) >= MATE_BLIND
    result = search("2qrr1n1/3b2p1/2pBP1Rp/1p2P2k/p2P1R2/2P5/P1B3PP/6K1 w - - 0 1", mate=2, nodes=3_000_000)
    assert mate_moves(result.info.score) == 2


# Draws


def test_stalemate_is_avoided_by_the_winner_and_sought_by_the_loser():
    winner = search("7k/8/6K1/8/8/8/8/5Q2 w - - 0 1", depth=6)
    assert winner.best_move != "f1f7" and winner.info.score > 300
    # The rook gives itself up next to the king: taken, it leaves white without a move.
    loser = search("7k/6Rp/8/8/8/8/5q2/7K w - - 0 1", depth=20)
    assert abs(loser.info.score) <= 1


def test_threefold_is_sought_by_the_loser_and_avoided_by_the_winner():
    fen = "r3k3/8/8/8/8/8/8/4K3 {} - - 0 1"
    shuffle = "e1f1 a8b8 f1e1 b8a8 e1f1 a8b8 f1e1 b8a8 e1f1 a8b8"
    saved = search(fen.format("w"), shuffle, depth=6)
    assert saved.best_move == "f1e1" and abs(saved.info.score) <= 1
    assert search("1r2k3/8/8/8/8/8/8/5K2 w - - 0 1", depth=6).info.score < -300
    shuffle = "a8b8 e1f1 b8a8 f1e1 a8b8 e1f1 b8a8 f1e1"
    won = search(fen.format("b"), shuffle, depth=6)
    assert won.best_move != "a8b8" and won.info.score > 300


def test_fifty_moves_end_the_game():
    """The mate is four plies away: with a clock of 97 it comes in time, with 98 too late."""
    fen = "7k/8/5K2/6R1/8/8/8/8 w - - {} 90"
    assert mate_moves(search(fen.format(97), depth=6).info.score) == 2
    assert mate_moves(search(fen.format(98), depth=6).info.score) is None
    assert abs(search(fen.format(98), depth=6).info.score) <= 1


def test_mate_on_the_hundredth_ply_counts():
    assert mate_moves(search("7k/5K2/8/6Q1/8/8/8/8 w - - 99 90", depth=3).info.score) == 1


@pytest.mark.parametrize("fen", ["8/8/8/4k3/8/8/8/4K3 w - - 0 1", "8/8/8/4k3/8/8/4B3/4K3 w - - 0 1",
                                 "8/8/3b4/4k3/8/8/8/2B1K3 w - - 0 1"])
def test_dead_material_is_a_draw(fen: str):
    assert abs(search(fen, depth=5).info.score) <= 1


# Limits and lines


@pytest.mark.parametrize("lines", [1, 2, 5, 256])
def test_multipv_lists_the_best_moves_in_order(lines: int):
    engine = Engine(Hash=2, MultiPV=lines)
    last: dict[int, tuple[int, int]] = {}
    engine.position(POSITIONS[1])
    engine.search(depth=6, on_info=lambda info: last.update({info.multipv: (info.score, info.pv[0])}))
    expected = min(lines, chess.Board(POSITIONS[1]).legal_moves.count())
    assert sorted(last) == list(range(1, expected + 1))
    scores = [last[number][0] for number in sorted(last)]
    assert scores == sorted(scores, reverse=True)
    assert len({move for _, move in last.values()}) == expected


@pytest.mark.parametrize("nodes", [1, 10, 500, 5000])
def test_node_limit_is_kept(nodes: int):
    for fen in POSITIONS:
        assert search(fen, nodes=nodes).nodes <= nodes + 512


@pytest.mark.parametrize("depth", [1, 2, 7])
def test_depth_limit_is_kept(depth: int):
    result = search(POSITIONS[0], depth=depth)
    assert result.info.depth == depth


def test_last_complete_result_is_kept_when_stopped_anywhere():
    """Whatever the node at which it stops, the move is legal and the report is of that move."""
    engine = Engine(Hash=2)
    for fen in POSITIONS[:2]:
        legal = {move.uci() for move in chess.Board(fen).legal_moves}
        for nodes in range(1, 400, 7):
            engine.new_game()
            engine.position(fen)
            result = engine.search(nodes=nodes)
            assert result.best_move in legal
            assert engine.text(result.info.pv[0]) == result.best_move


def test_deepest_search_ends_by_itself():
    result = search("8/8/8/8/8/5k2/7p/7K w - - 0 1", depth=1000)
    assert result.info.depth >= 240


@pytest.mark.parametrize("threads", [2, 4])
def test_threads_find_the_same_mate(threads: int):
    engine = Engine(Hash=4, Threads=threads)
    engine.position(MATE_IN_TWO)
    result = engine.search(depth=10)
    assert mate_moves(result.info.score) == 2
    assert len(engine.pool.workers) == threads


def test_report_claims_no_depth_whose_best_move_was_not_searched():
    """Cut short at some node, the last report is rarely what the iteration before it said, and then says its depth."""
    engine = Engine(Hash=2)
    repeated = 0
    for fen in POSITIONS:
        for nodes in range(3000, 20_000, 3000):
            seen: list[SearchInfo] = []
            engine.new_game()
            engine.position(fen)
            engine.search(nodes=nodes, on_info=seen.append)
            last = seen.pop()
            repeated += any(info.depth == last.depth - 1 and (info.score, info.sel_depth, info.pv)
                            == (last.score, last.sel_depth, last.pv) for info in seen)
    assert repeated <= 4


def test_nothing_is_said_twice():
    engine = Engine(Hash=2, MultiPV=5)
    said: list[tuple[int, int]] = []
    engine.position(POSITIONS[0])
    engine.search(depth=4, on_info=lambda info: said.append((info.depth, info.multipv)))
    assert said == [(depth, line) for depth in range(1, 5) for line in range(1, 6)]
