"""The root ledger: its sums, its windows, its replies, whoever asks and however the search ends."""

import itertools
import json

import chess
import pytest

import barreleye
from barreleye.engine.bench import POSITIONS
from barreleye.ledger import RootVisit

CHESS960 = "nrk4r/pppppppp/8/8/8/8/PPPPPPPP/NRK4R w KQkq - 0 1"
CHECKED = "rnbqk1nr/pppp1ppp/4p3/8/1bPP4/8/PP2PPPP/RNBQKBNR w KQkq - 1 3"
HANGING = "rnb1kbnr/ppp1pppp/8/3q4/8/2N5/PPPP1PPP/R1BQKBNR b KQkq - 0 3"
MOST_MOVES = "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1"


@pytest.fixture
def engine():
    with barreleye.Engine(Hash=4) as engine:
        yield engine


def ledger_of(engine, fen, **limits):
    engine.new_game()
    engine.position(fen)
    result = engine.search(**limits)
    return engine.ledger, result


@pytest.mark.parametrize("fen", [*POSITIONS[::4], CHESS960, CHECKED, MOST_MOVES])
def test_visits_add_up_to_the_search(engine, fen):
    ledger, result = ledger_of(engine, fen, depth=7)
    assert sum(visit.nodes for visit in ledger.visits) == ledger.nodes == result.nodes
    assert ledger.best_move == result.best_move == ledger.leader(ledger.depth).move
    assert ledger.leader(ledger.depth).value == result.info.score or result.info.score == 0
    assert sum(ledger.effort().values()) == result.nodes and ledger.moves[0] == result.best_move
    assert ledger.complete and ledger.depth == 7 and ledger.iterations == tuple(range(1, 8))


@pytest.mark.parametrize("fen", [POSITIONS[7], POSITIONS[30], CHESS960, CHECKED])
@pytest.mark.parametrize("lines", [1, 3])
def test_every_window_is_whole(engine, fen, lines):
    engine.set_option("MultiPV", lines)
    ledger, _ = ledger_of(engine, fen, depth=8)
    board = chess.Board(fen, chess960=True)
    windows: dict[tuple[int, int, int], list[RootVisit]] = {}
    for visit in ledger.visits:
        windows.setdefault((visit.iteration, visit.line, visit.window), []).append(visit)
    for (iteration, line, _), visits in windows.items():
        assert [visit.order for visit in visits] == list(range(1, len(visits) + 1))
        assert len({visit.move for visit in visits}) == len(visits)
        assert all(visit.depth <= iteration for visit in visits)
        failed_high = visits[-1].value >= visits[-1].beta
        assert failed_high or len(visits) == board.legal_moves.count() - (line - 1)
        for before, visit in itertools.pairwise(visits):       # alpha rises to what was found
            assert visit.alpha == max(before.alpha, before.value)
            assert visit.alpha < visit.beta == before.beta
        for visit in visits:
            assert visit.bound == ("lower" if visit.value >= visit.beta else
                                   "upper" if visit.value <= visit.alpha else "exact")
    assert {line for _, line, _ in windows} == set(range(1, lines + 1))


def test_replies_are_legal_and_refute(engine):
    ledger, _ = ledger_of(engine, HANGING, depth=8)
    board = chess.Board(HANGING)
    known = 0
    for visit in ledger.visits:
        board.push_uci(visit.move)
        if visit.reply is not None:
            known += 1
            assert chess.Move.from_uci(visit.reply) in board.legal_moves
        board.pop()
    assert known > 0.8 * len(ledger.visits)
    # Whoever leaves the queen where it is loses it, and a move that only failed low says to what.
    for move in ("a7a6", "h7h6", "b7b6"):
        visit = ledger.last(move)
        assert (visit.bound, visit.reply) == ("upper", "c3d5") and visit.value < visit.alpha, visit
        assert min(visit.value for visit in ledger.of_move(move)) < -300


def test_only_the_moves_that_were_asked_for(engine):
    engine.position(HANGING)
    engine.search(depth=5, searchmoves=["a7a6", "d5d8"])
    assert set(engine.ledger.moves) == {"a7a6", "d5d8"} and engine.ledger.best_move == "d5d8"


def test_many_lines_make_it_grow(engine):
    engine.set_option("MultiPV", 218)
    ledger, _ = ledger_of(engine, MOST_MOVES, depth=2)
    assert len(ledger.visits) >= 2 * 218 * 219 // 2 and ledger.complete


def test_a_stopped_search_keeps_what_it_finished(engine):
    ledger, result = ledger_of(engine, POSITIONS[9], nodes=3000)
    assert ledger.nodes == result.nodes and sum(visit.nodes for visit in ledger.visits) <= result.nodes
    assert ledger.depth < ledger.iterations[-1] or ledger.visits[-1].iteration == ledger.depth
    assert [leader.iteration for leader in ledger.leaders()] == list(range(1, ledger.depth + 1))


def test_the_same_search_writes_the_same(engine):
    first, _ = ledger_of(engine, POSITIONS[9], nodes=5000)
    again, _ = ledger_of(engine, POSITIONS[9], nodes=5000)
    assert first == again


def test_it_is_that_of_the_thread_that_won(engine):
    engine.set_option("Threads", 2)
    ledger, result = ledger_of(engine, POSITIONS[9], nodes=20000)
    assert ledger.best_move == result.best_move and 0 < ledger.nodes < result.nodes


def test_the_matrix_has_a_row_for_each_move(engine):
    ledger, _ = ledger_of(engine, POSITIONS[3], depth=5)
    rows = ledger.matrix()
    assert next(iter(rows)) == ledger.best_move and set(rows) == {move.uci() for move in
                                                                  chess.Board(POSITIONS[3]).legal_moves}
    assert all(row[5] == ledger.last(move, 5) for move, row in rows.items())


def test_plain_data(engine):
    ledger, _ = ledger_of(engine, POSITIONS[3], depth=3)
    data = json.loads(json.dumps(ledger.to_json()))
    assert data["fen"] == POSITIONS[3].replace("KQkq", "HAha") and len(data["visits"]) == len(ledger.visits)
    assert dict(zip(data["columns"], data["visits"][0], strict=True))["move"] == ledger.visits[0].move


def test_no_moves_no_visits(engine):
    ledger, result = ledger_of(engine, "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", depth=3)
    assert result.best_move is None and ledger.visits == () and ledger.best_move is None and ledger.leaders() == ()


def test_there_is_none_before_a_search_and_during_one(engine):
    with pytest.raises(ValueError, match="no search"):
        _ = engine.ledger
    engine.position()
    engine.go({"infinite": True})
    with pytest.raises(RuntimeError, match="still writing"):
        _ = engine.ledger
    engine.stop()
    engine.wait()
    assert engine.ledger.visits
