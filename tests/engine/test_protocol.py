"""python-chess's own client code, against the engine in this process and against the UCI program: the same answers."""

import asyncio
import concurrent.futures
import sys
import threading

import chess
import chess.engine
import pytest
from chess.engine import INFO_ALL, Cp, Limit, Mate, PovScore
from tests.waiting import eventually

from barreleye.chess_engine import NativeProtocol, open_native, simple_engine

MATE_IN_TWO = "7k/8/5K2/6R1/8/8/8/8 w - - 0 1"
MIDDLEGAME = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
CHESS960 = "bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN w GEge - 0 1"


@pytest.fixture(scope="module")
def native():
    with simple_engine(Hash=1) as engine:
        yield engine


@pytest.fixture(scope="module")
def program():
    with chess.engine.SimpleEngine.popen_uci([sys.executable, "-m", "barreleye"], timeout=60) as engine:
        engine.configure({"Hash": 1})
        yield engine


@pytest.fixture(params=["native", "program"])
def engine(request):
    """Each of the two: what holds for one has to hold for the other."""
    return request.getfixturevalue(request.param)


def agree(native, program, ask):
    """Both answers, which are the same; each engine begins a new game for the question."""
    answers = [ask(which, object()) for which in (native, program)]
    assert answers[0] == answers[1]
    return answers[0]


def told(info):
    """What a line says that does not depend on the clock."""
    kept = ("score", "pv", "depth", "seldepth", "multipv", "nodes", "wdl", "hashfull", "tbhits")
    return {key: info[key] for key in kept if key in info}


# The same answers


@pytest.mark.parametrize("limit", [Limit(depth=7), Limit(nodes=3000), Limit(mate=2), Limit(depth=4, time=60)])
@pytest.mark.parametrize("fen", [chess.STARTING_FEN, MIDDLEGAME, MATE_IN_TWO])
def test_play(native, program, fen, limit):
    if limit.mate and fen != MATE_IN_TWO:
        limit = Limit(mate=2, nodes=2000)

    def ask(engine, game):
        result = engine.play(chess.Board(fen), limit, game=game, info=INFO_ALL)
        return result.move, result.ponder, told(result.info), result.draw_offered, result.resigned

    assert agree(native, program, ask)[0] in chess.Board(fen).legal_moves


def test_analyse_one_line_and_several(native, program):
    board = chess.Board(MIDDLEGAME)
    line = agree(native, program, lambda engine, game: told(engine.analyse(board, Limit(depth=8), game=game)))
    assert line["depth"] == 8 and line["pv"][0] in board.legal_moves
    lines = agree(native, program, lambda engine, game: [
        told(info) for info in engine.analyse(board, Limit(depth=5), multipv=4, game=game)])
    assert [info["multipv"] for info in lines] == [1, 2, 3, 4]
    assert len({info["pv"][0] for info in lines}) == 4


def test_analysis_streams_the_same_reports(native, program):
    def ask(engine, game):
        with engine.analysis(chess.Board(), Limit(depth=8), game=game) as analysis:
            reports = [told(info) for info in analysis if "score" in info]
            best = analysis.wait()
        return reports, best.move, best.ponder, told(analysis.info)

    reports, move, _, last = agree(native, program, ask)
    assert {info["depth"] for info in reports} == set(range(1, 9))
    assert last["pv"][0] == move


def test_searchmoves(native, program):
    wanted = [chess.Move.from_uci("a2a3"), chess.Move.from_uci("h2h4")]
    move = agree(native, program, lambda engine, game: engine.play(
        chess.Board(), Limit(depth=6), game=game, root_moves=wanted).move)
    assert move in wanted
    lines = agree(native, program, lambda engine, game: [
        info["pv"][0] for info in engine.analyse(chess.Board(), Limit(depth=4), multipv=5, game=game,
                                                  root_moves=wanted)])
    assert sorted(lines, key=str) == wanted


def test_mates_and_ends_of_games(native, program):
    score = agree(native, program, lambda engine, game: engine.analyse(
        chess.Board(MATE_IN_TWO), Limit(depth=8), game=game)["score"])
    assert score == PovScore(Mate(2), chess.WHITE)
    mated, stalemate = chess.Board("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"), chess.Board("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1")
    for board, expected in ((mated, Mate(0)), (stalemate, Cp(0))):
        info = agree(native, program, lambda engine, game, board=board: told(
            engine.analyse(board, Limit(depth=3), game=game)))
        assert info["score"] == PovScore(expected, chess.BLACK)
        assert agree(native, program, lambda engine, game, board=board: engine.play(
            board, Limit(depth=3), game=game).move) is None


def test_chess960(native, program):
    board = chess.Board(CHESS960, chess960=True)
    board.push_san("g3")
    board.push_san("g6")

    def ask(engine, game):
        info = engine.analyse(board, Limit(depth=6), game=game)
        castling = engine.play(chess.Board("4k3/8/8/8/8/8/4P3/1R2K1R1 w GB - 0 1", chess960=True), Limit(depth=1),
                               root_moves=[chess.Move.from_uci("e1g1")]).move
        return told(info), castling

    info, castling = agree(native, program, ask)
    assert info["pv"][0] in board.legal_moves
    assert castling.uci() == "e1g1"


def test_repetitions_of_the_game_are_known(native, program):
    """White is a rook up, but its only move here brings the position about for the third time."""
    board = chess.Board("7k/8/8/8/8/8/R7/K7 w - - 0 1")
    for _ in range(2):
        for move in ("a2b2", "h8g8", "b2a2", "g8h8"):
            board.push_uci(move)
    wanted = [chess.Move.from_uci("a2b2")]
    score = agree(native, program, lambda engine, game: engine.analyse(
        board, Limit(depth=3), game=game, root_moves=wanted)["score"])
    assert abs(score.white().score(mate_score=10_000)) <= 1


def test_options_for_one_search(native, program):
    def ask(engine, game):
        board = chess.Board(MIDDLEGAME)
        changed = told(engine.analyse(board, Limit(depth=7), game=game,
                                      options={"Use Late Move Reduction": False, "UCI_ShowWDL": True}))
        return changed, told(engine.analyse(board, Limit(depth=7), game=object()))

    changed, usual = agree(native, program, ask)
    assert "wdl" in changed and "wdl" not in usual
    assert changed["nodes"] != usual["nodes"]


def test_the_games_memory(native, program):
    """The second search of a game knows the first, the first of a new game nothing."""
    def ask(engine, game):
        nodes = []
        for which in (game, game, object()):
            nodes.append(engine.analyse(chess.Board(MIDDLEGAME), Limit(depth=8), game=which)["nodes"])
        return nodes

    first, second, again = agree(native, program, ask)
    assert first == again != second


# The same behaviour


def test_ponder(engine):
    board, game = chess.Board(), object()
    for _ in range(3):
        result = engine.play(board, Limit(white_clock=2, black_clock=2), game=game, ponder=True, info=INFO_ALL)
        assert result.move in board.legal_moves
        board.push(result.move)
        assert result.ponder in board.legal_moves
        board.push(result.ponder)
        assert result.info["depth"] >= 1
    board.pop()
    other = next(move for move in board.legal_moves if move != result.ponder)
    board.push(other)
    assert engine.play(board, Limit(depth=3), game=game, ponder=True).move in board.legal_moves
    engine.ping()


def test_infinite_analysis_until_stopped(engine):
    with engine.analysis(chess.Board()) as analysis:
        for info in analysis:
            if info.get("depth", 0) >= 5:
                break
        assert analysis.would_block() or not analysis.empty()        # in this order: more may arrive in between
    best = analysis.wait()
    assert best.move == analysis.info["pv"][0]
    while analysis.next() is not None:
        pass
    with pytest.raises(chess.engine.AnalysisComplete):
        analysis.get()


def test_a_new_command_cancels_the_one_before(engine):
    # Of the same game: a first move waits for `readyok`, and a `stop` that python-chess sends meanwhile is lost.
    engine.play(chess.Board(), Limit(depth=1))
    outcome = []

    def first():
        try:
            outcome.append(engine.play(chess.Board(), Limit(depth=200)))
        except concurrent.futures.CancelledError as error:
            outcome.append(error)

    thread = threading.Thread(target=first)
    thread.start()
    if isinstance(engine.protocol, chess.engine.UciProtocol):
        eventually(lambda: engine.protocol.command and engine.protocol.command.state.name == "ACTIVE")
    with engine.analysis(chess.Board()) as probe:     # cancels whichever came first
        probe.get()
        thread.join(0.2)
        assert engine.play(chess.Board(), Limit(depth=1)).move
    if thread.is_alive():
        engine.ping()
    thread.join(60)
    assert len(outcome) == 1 and isinstance(outcome[0], concurrent.futures.CancelledError)
    assert probe.wait().move


def test_what_is_refused(engine):
    with pytest.raises(chess.engine.EngineError):
        engine.configure({"MultiPV": 3})
    with pytest.raises(chess.engine.EngineError):
        engine.configure({"No Such Option": 3})
    with pytest.raises(chess.engine.EngineError):
        engine.play(chess.Board(), Limit(depth=1), options={"Hash": 0})
    assert engine.play(chess.Board(), Limit(depth=1)).move


def test_options_are_described_alike(native, program):
    ours, theirs = native.options, program.options
    assert list(ours) == list(theirs)
    for name in ours:
        if ours[name].type != "string":
            assert ours[name] == theirs[name]
    assert native.id == program.id


# Only here


def test_closing_ends_what_runs():
    engine = simple_engine(Hash=1)
    analysis = engine.analysis(chess.Board())
    analysis.get()
    engine.quit()
    with pytest.raises(chess.engine.EngineTerminatedError):
        engine.play(chess.Board(), Limit(depth=1))
    assert engine.returncode.result(10) == 0


def test_the_protocol_in_a_loop_of_ones_own():
    async def talk():
        transport, protocol = await open_native(Hash=1)
        assert isinstance(protocol, NativeProtocol) and isinstance(protocol, chess.engine.Protocol)
        long = asyncio.ensure_future(protocol.play(chess.Board(), Limit(depth=200)))
        await asyncio.sleep(0.05)
        result = await protocol.play(chess.Board(), Limit(depth=4))
        with pytest.raises(asyncio.CancelledError):
            await long
        with await protocol.analysis(chess.Board()) as analysis:
            async for info in analysis:
                if info.get("depth", 0) >= 4:
                    break
        best = await analysis.wait()
        assert not {"lowerbound", "upperbound"} & analysis.info.keys() or not analysis.info.get("exact")
        await protocol.quit()
        assert await protocol.returncode == 0 == transport.get_returncode()
        return result.move, best.move

    assert all(asyncio.run(talk()))
