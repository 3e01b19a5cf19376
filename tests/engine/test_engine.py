"""Engine as python-chess's users know engines, and what only an engine in the same process can do."""

import asyncio
import copy
import multiprocessing
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from typing import Any

import chess
import chess.engine
import pytest
from chess.engine import INFO_ALL, INFO_BASIC, INFO_NONE, INFO_PV, INFO_SCORE, Cp, Limit, Mate, PovScore

from barreleye.core.position import Position
from barreleye.engine import Engine

MATE_IN_TWO = "7k/8/5K2/6R1/8/8/8/8 w - - 0 1"
MIDDLEGAME = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"


@pytest.fixture
def engine():
    with Engine(Hash=1) as engine:
        yield engine


# Positions and limits


def test_a_position_can_be_said_in_many_ways(engine):
    board = chess.Board()
    for move in ("e2e4", "e7e5"):
        board.push_uci(move)
    places: list[Any] = [board, board.fen(), (chess.STARTING_FEN, ["e2e4", "e7e5"]),
                         (chess.STARTING_FEN, board.move_stack), Position(board.fen())]
    found = [engine.analyse(place, Limit(depth=6), game=object()) for place in places]
    assert len({(info["nodes"], tuple(info["pv"]), str(info["score"])) for info in found}) == 1
    board.push(chess.Move.null())
    assert engine.play(board, Limit(depth=2)).move in board.legal_moves


@pytest.mark.parametrize("wrong", ["rubbish", "8/8/8/8/8/8/8/8 w - - 0 1", (chess.STARTING_FEN, ["e2e5"]),
                                   chess.Board(None)])
def test_what_is_no_position_is_refused_and_nothing_breaks(engine, wrong):
    with pytest.raises(ValueError):
        engine.play(wrong, Limit(depth=1))
    assert engine.play(chess.Board(), Limit(depth=1)).move


def test_other_variants_are_refused(engine):
    import chess.variant

    with pytest.raises(chess.engine.EngineError, match=r"giveaway|antichess"):
        engine.play(chess.variant.AntichessBoard(), Limit(depth=1))


def test_a_search_that_would_not_end_is_refused(engine):
    for ask in (engine.play, engine.analyse):
        with pytest.raises(ValueError, match="would never end"):
            ask(chess.Board(), Limit(white_inc=1))


def test_clocks_are_kept(engine):
    assert engine.play(chess.Board(), Limit(white_clock=0.3, black_clock=60)).move
    assert engine.analyse(chess.Board(), Limit(time=0.05))["depth"] >= 1


# What is told


def test_info_flags_choose_what_is_told(engine):
    board = chess.Board()
    assert engine.play(board, Limit(depth=3)).info == {}
    assert engine.play(board, Limit(depth=3), info=INFO_NONE).info == {}
    basic = engine.analyse(board, Limit(depth=3), info=INFO_BASIC)
    assert {"depth", "seldepth", "nodes", "nps", "time", "multipv", "hashfull", "tbhits"} == basic.keys()
    assert {"score", "exact"} == engine.analyse(board, Limit(depth=3), info=INFO_SCORE).keys() - basic.keys()
    assert {"pv"} == engine.analyse(board, Limit(depth=3), info=INFO_PV).keys() - basic.keys()


def test_a_final_dictionary_has_no_bounds_left_over(engine):
    """Cut short wherever, the flags belong to the score they stand beside."""
    seen = set()
    for nodes in range(3000, 40_000, 3500):
        heard: list[Any] = []
        info = engine.analyse(MIDDLEGAME, Limit(nodes=nodes), on_info=heard.append)
        last = next(said for said in reversed(heard) if "score" in said)
        for key in ("score", "exact", "lowerbound", "upperbound"):
            assert info.get(key) == last.get(key)
        assert info["exact"] is not ("lowerbound" in info or "upperbound" in info)
        seen.add(info["exact"])
    assert True in seen


def test_live_reports_while_playing(engine):
    heard: list[Any] = []
    result = engine.play(chess.Board(), Limit(depth=7), on_info=heard.append)
    depths = [said["depth"] for said in heard if "pv" in said]
    assert depths == sorted(depths) and depths[-1] == 7
    assert heard[-1]["pv"][0] == result.move and result.info == {}

    def fail(_):
        raise KeyError("from the listener")

    with pytest.raises(KeyError, match="from the listener"):
        engine.analyse(chess.Board(), Limit(depth=30), on_info=fail)
    assert engine.play(chess.Board(), Limit(depth=1)).move


def test_evaluation_by_terms(engine):
    won = engine.evaluate("4k3/8/8/8/8/8/8/3QK3 b - - 0 1")
    assert won.centipawns > 500 and won.score == PovScore(Cp(-won.centipawns), chess.BLACK)
    assert won.terms["material"].total[1] > 500 and won.terms["material"].black == (0, 0)
    with pytest.raises(ValueError, match="in check"):
        engine.evaluate("4k3/8/8/8/8/8/4Q3/4K3 b - - 0 1")


def test_perft_and_stats(engine):
    assert engine.perft(3) == 8902
    start = chess.Board("bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN w GEge - 0 1", chess960=True)
    assert engine.perft(2, start) == start.legal_moves.count() ** 2
    nodes = engine.analyse(chess.Board(), Limit(depth=5))["nodes"]
    assert engine.stats()["nodes"] == nodes


def test_options_for_one_search_and_for_good(engine):
    usual = engine.analyse(MIDDLEGAME, Limit(depth=7), game=1)["nodes"]
    changed = {"use late move reduction": "false"}
    assert engine.analyse(MIDDLEGAME, Limit(depth=7), game=2, options=changed)["nodes"] != usual
    assert engine.analyse(MIDDLEGAME, Limit(depth=7), game=3)["nodes"] == usual
    assert engine.values["Use Late Move Reduction"] is True
    engine.configure({"Use Late Move Reduction": False})
    assert engine.analyse(MIDDLEGAME, Limit(depth=7), game=4)["nodes"] != usual
    engine.analyse(MIDDLEGAME, Limit(depth=2), game=4, options={"Hash": 2})
    assert engine.configuration() == {"Hash": 1, "Use Late Move Reduction": False}
    for wrong in ({"MultiPV": 2}, {"Ponder": True}, {"uci_chess960": True}, {"Nonsense": 1}, {"Hash": "much"}):
        with pytest.raises(chess.engine.EngineError):
            engine.configure(wrong)
    with pytest.raises(ValueError):
        engine.play(chess.Board(), Limit(depth=1), root_moves=[])


def test_what_a_search_borrows_does_not_show_in_the_words_of_uci(engine):
    engine.set_option("MultiPV", 2)
    engine.analyse(chess.Board(), Limit(depth=3), multipv=4)
    lines: set[int] = set()
    engine.search(depth=3, on_info=lambda info: lines.add(info.multipv))
    assert lines == {1, 2}


def test_closed_is_closed():
    engine = Engine(Hash=1)
    with engine:
        engine.ping()
        assert engine.id["name"].startswith("Barreleye") and engine.options["hash"].max == 33_554_432
        analysis = engine.analysis(chess.Board())
    assert analysis.wait().move and not engine.is_searching
    for ask in (engine.ping, lambda: engine.play(chess.Board(), Limit(depth=1)), lambda: engine.configure({"Hash": 2})):
        with pytest.raises(chess.engine.EngineTerminatedError):
            ask()
    engine.close()


QUIT_WHILE_CLEARING = """
import random, threading, time
from chess.engine import EngineError
from barreleye import Engine

def clear(engine):
    try:
        while True:
            engine.new_game()
    except EngineError:
        pass

chance = random.Random(1)
for _ in range(8):
    engine = Engine(Hash=32)
    threads = [threading.Thread(target=clear, args=(engine,)) for _ in range(2)]
    for thread in threads:
        thread.start()
    time.sleep(0.02 * chance.random())
    engine.quit()
    for thread in threads:
        thread.join()
"""


def test_it_can_be_closed_while_another_thread_clears_its_table():
    done = subprocess.run([sys.executable, "-c", QUIT_WHILE_CLEARING], check=False, timeout=120)
    assert done.returncode == 0


# Threads, loops and processes


def test_two_engines_in_two_threads_do_not_disturb_each_other():
    def look(results: list[Any]) -> None:
        engine = Engine(Hash=1)
        results += [engine.analyse(MIDDLEGAME, Limit(nodes=4000), game=n)["score"].relative for n in range(3)]
        results += [engine.analyse(MIDDLEGAME, Limit(depth=7), game=n)["nodes"] for n in range(3)]

    answers: list[list[Any]] = [[], [], []]
    look(answers[2])
    threads = [threading.Thread(target=look, args=(answers[n],)) for n in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers[0] == answers[1] == answers[2]


def test_one_engine_in_many_threads_answers_each(engine):
    """A command ends the one before; whoever asked gets what was found until then."""
    moves: list[Any] = []

    def ask() -> None:
        for _ in range(4):
            moves.append(engine.play(chess.Board(), Limit(depth=9)).move)

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(moves) == 16 and all(move in chess.Board().legal_moves for move in moves)


def test_pondering(engine):
    board = chess.Board()
    result = engine.play(board, Limit(white_clock=5, black_clock=5), ponder=True)
    assert engine.is_searching
    board.push(result.move)
    board.push(result.ponder)
    time.sleep(0.05)
    hit = engine.play(board, Limit(white_clock=5, black_clock=5), ponder=True, info=INFO_ALL)
    assert hit.move == hit.info["pv"][0] and hit.move in board.legal_moves
    engine.ping()
    assert not engine.is_searching


def test_twins_for_asyncio():
    async def talk() -> None:
        async with Engine(Hash=1) as engine:
            await engine.aconfigure({"Use Futility": True})
            result = await engine.aplay(chess.Board(), Limit(depth=5))
            assert result.move and result.move in chess.Board().legal_moves
            info = await engine.aanalyse(MATE_IN_TWO, Limit(depth=8))
            assert info["score"].white() == Mate(2)
            assert len(await engine.aanalyse(MIDDLEGAME, Limit(depth=3), multipv=3)) == 3
            analysis = await engine.aanalysis(chess.Board())
            async for said in analysis:
                if said["depth"] >= 5:
                    analysis.stop()
            assert (await analysis.wait()).move
            forever = asyncio.ensure_future(engine.aplay(chess.Board(), Limit(depth=200)))
            await asyncio.sleep(0.05)
            forever.cancel()
            with pytest.raises(asyncio.CancelledError):
                await forever
            await engine.aping()
            with pytest.raises(ValueError):
                await engine.aplay("rubbish", Limit(depth=1))

    asyncio.run(talk())


def settled_threads(expected: int | None = None) -> int:
    """How many threads there are, once those that end have ended: as many as expected, or no other number for 0.5 s."""
    quiet, count = 0, threading.active_count()
    for _ in range(1000):
        if (quiet == 50) if expected is None else (count <= expected):
            break
        time.sleep(0.01)
        quiet = quiet + 1 if threading.active_count() == count else 0
        count = threading.active_count()
    return count


def test_an_engine_dropped_while_it_thinks_is_freed():
    before = settled_threads()
    for _ in range(5):
        engine = Engine(Hash=1)
        analysis = engine.analysis(chess.Board())
        analysis.get()
        del engine, analysis
        Engine(Hash=1).go({"infinite": True})
    assert settled_threads(before) == before


def resident_mb() -> float:
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20


@pytest.mark.parametrize("count", [30, pytest.param(1000, marks=pytest.mark.slow)])
@pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="needs Linux's account of memory")
def test_engines_come_and_go_without_a_trace(count):
    def live() -> None:
        engine = Engine(Hash=1)
        engine.play(chess.Board(), Limit(depth=2), info=INFO_ALL)

    for _ in range(5):
        live()
    threads, memory = settled_threads(), resident_mb()
    for _ in range(count):
        live()
    assert settled_threads(threads) == threads
    assert resident_mb() < memory + 8           # one engine is larger than that


INTERRUPTED = """
import sys, threading, time, os, signal, chess, chess.engine
from barreleye.engine import Engine
engine = Engine(Hash=1)
def interrupt():
    global sent
    time.sleep(0.3)
    sent = time.monotonic()
    os.kill(os.getpid(), signal.SIGINT)
threading.Thread(target=interrupt).start()
try:
    {call}
except KeyboardInterrupt:
    print(round(1000 * (time.monotonic() - sent)), engine.is_searching)
print(engine.play(chess.Board(), chess.engine.Limit(depth=1)).move is not None)
"""


@pytest.mark.skipif(os.name == "nt", reason="a process cannot send itself Ctrl-C alone")
@pytest.mark.parametrize("call", ["engine.play(chess.Board(), chess.engine.Limit(depth=200))",
                                  "for info in engine.analysis(chess.Board()): pass",
                                  "engine.search(depth=200)"])
def test_ctrl_c_ends_a_search(call):
    done = subprocess.run([sys.executable, "-c", INTERRUPTED.format(call=call)], capture_output=True, text=True,
                          timeout=120)
    assert done.stdout.split()[1:] == ["False", "True"], done.stderr
    # 100 ms on a machine with nothing else to do; here it only must not be the end of the search.
    assert int(done.stdout.split()[0]) < 5000


INTERRUPTED_OFTEN = """
import os, random, signal, threading, time
from barreleye.engine import Engine
engine, armed, sent = Engine(Hash=1), False, 0
def interrupt(*_):
    global armed
    if armed and sent < 190:            # the last ones may come after the loop
        armed = False
        raise KeyboardInterrupt
def send():
    global sent
    while sent < 200:
        time.sleep(random.Random(sent).random() / 500)
        os.kill(os.getpid(), signal.SIGINT)
        sent += 1
signal.signal(signal.SIGINT, interrupt)
threading.Thread(target=send).start()
while sent < 200:
    try:
        armed = True
        while sent < 200:
            engine.go({"infinite": True})
            engine.stop()
            engine.wait()
    except KeyboardInterrupt:
        pass
other = threading.Thread(target=lambda: print(engine.search(depth=2).best_move is not None), daemon=True)
other.start()
other.join(60)
"""


@pytest.mark.skipif(os.name == "nt", reason="a process cannot send itself Ctrl-C alone")
def test_ctrl_c_at_any_moment_leaves_the_engine_to_others():
    done = subprocess.run([sys.executable, "-c", INTERRUPTED_OFTEN], capture_output=True, text=True, timeout=240)
    assert done.stdout == "True\n", done.stderr


def nodes_of(engine: Engine) -> int:
    return int(engine.analyse(MIDDLEGAME, Limit(depth=6), game=object())["nodes"])


def test_pickles_and_copies_as_its_configuration():
    engine = Engine(Hash=2, Use_Null_Move=False)
    engine.analyse(chess.Board(), Limit(depth=1), options={"Hash": 4})
    for twin in (pickle.loads(pickle.dumps(engine)), copy.copy(engine), copy.deepcopy(engine)):
        assert twin is not engine and twin.configuration() == {"Hash": 2, "Use Null Move": False}
        assert twin.pool is not engine.pool
    assert nodes_of(pickle.loads(pickle.dumps(engine))) == nodes_of(engine)
    assert repr(Engine()) == "Engine()" and "Hash" in repr(engine)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_forked_process_can_use_the_engine_at_once():
    engine = Engine(Hash=1)
    expected = nodes_of(engine)
    analysis = engine.analysis(chess.Board())
    analysis.get()
    for _ in range(20):                 # each catches the search at another moment
        child = os.fork()
        if child == 0:
            signal.alarm(60)
            try:
                os._exit(0 if nodes_of(engine) == expected and not engine.is_searching else 1)
            except BaseException:
                os._exit(2)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    analysis.stop()
    assert analysis.wait().move
    assert nodes_of(engine) == expected


@pytest.mark.slow
def test_a_spawned_process_gets_an_engine_of_its_own():
    engine = Engine(Hash=1)
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert pool.apply(nodes_of, (engine,)) == nodes_of(engine)


@pytest.mark.skipif(sys.platform == "win32", reason="signals work differently there")
@pytest.mark.parametrize("count", ["barreleye.perft(depth=12)", "barreleye.perft(depth=12, threads=2)",
                                   "barreleye.Engine(Hash=1, Threads=2).perft(12)"])
def test_interrupt_ends_a_long_count(count):
    program = f"""
import os, signal, threading, barreleye
timer = threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT))
try:
    timer.start()
    {count}
except KeyboardInterrupt:
    timer.join()
    print(barreleye.perft(depth=5), threading.active_count())
"""
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert result.stdout == "4865609 1\n", result.stderr


# What is refused, and how


def test_wrong_settings_are_engine_errors(engine):
    for wrong in ({"EvalFile": "/nope"}, {"Hash": 0}):
        with pytest.raises(chess.engine.EngineError):
            engine.configure(wrong)
        with pytest.raises(chess.engine.EngineError):
            engine.analyse(chess.Board(), Limit(depth=1), options=wrong)
    for multipv in (0, "many"):
        with pytest.raises(chess.engine.EngineError):
            engine.analyse(chess.Board(), Limit(depth=1), multipv=multipv)


def test_wrong_positions_and_limits_are_named(engine):
    assert engine.play(chess.Board(), {"nodes": 100}).move in list(chess.Board().legal_moves)
    assert engine.play(chess.Board(), {"wtime": 500, "btime": 500, "movestogo": 5}, ponder=True).move
    with pytest.raises(TypeError, match="None is not a position"):
        engine.play(None, Limit(depth=1))
    for limit in (Limit(time=-1), Limit(depth=0), {"depth": 0}):
        with pytest.raises(ValueError, match="expected a"):
            engine.play(chess.Board(), limit)
    with pytest.raises(TypeError, match=r"5 is not a limit: give a chess.engine.Limit such as Limit\(time=1\)"):
        engine.analyse(chess.Board(), 5)
    with pytest.raises(ValueError, match="no such limit: depht; did you mean depth"):
        engine.search(depht=3)
    assert engine.analyse(chess.Board(), {"time": 0.02})["depth"] >= 1


def test_empty_defaults_are_those_of_uci(engine):
    assert engine.options["EvalFile"].default == "<empty>"


@pytest.mark.parametrize("ask", [
    lambda engine: engine.search(depth=1), lambda engine: engine.go({"depth": 1}), lambda engine: engine.evaluate(),
    lambda engine: engine.perft(1), lambda engine: engine.position(), lambda engine: engine.play_on(["e2e4"]),
    lambda engine: engine.new_game(), lambda engine: engine.set_option("Threads", 2),
    lambda engine: engine.play(chess.Board(), Limit(depth=1)), lambda engine: engine.analysis(chess.Board()),
    lambda engine: engine.configure({"Threads": 2}), lambda engine: engine.ping(),
    lambda engine: asyncio.run(engine.aplay(chess.Board(), Limit(depth=1))),
])
def test_nothing_can_be_asked_after_quit(ask):
    engine = Engine(Hash=1)
    engine.quit()
    with pytest.raises(chess.engine.EngineTerminatedError, match="closed"):
        ask(engine)
    engine.quit()


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_listener_to_errors_that_fails_leaves_nobody_waiting():
    engine = Engine(Hash=1)

    def fail(_: object) -> None:
        raise RuntimeError("from the listener")

    future = engine.go({"depth": 3}, on_info=fail, on_error=fail).future
    with pytest.raises(RuntimeError, match="from the listener"):
        future.result(timeout=60)
    assert engine.search(depth=1).best_move
