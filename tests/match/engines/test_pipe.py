"""Lines as they come: split over chunks, among chatter, and more of them than is worth keeping."""

import sys
import threading

import pytest

from barreleye.match.engines import pipe as pipe_module
from barreleye.match.engines.pipe import EngineFault, EnginePipe

SPEAKER = """
import os, sys, time
sys.stdin.readline()
for chunk in {chunks!r} * {times}:
    os.write(1, chunk)
    time.sleep(0.002)
time.sleep({silence})
"""


def hear(*chunks, word="bestmove", timeout=5.0, silence=0.0, times=1):
    """What a question is answered with when the engine says these chunks; a second thread looks in meanwhile."""
    pipe = EnginePipe([sys.executable, "-S", "-c", SPEAKER.format(chunks=chunks, silence=silence, times=times)])
    done = threading.Event()

    def look_in():
        while not done.wait(0.01):
            pipe.look_in()

    watchdog = threading.Thread(target=look_in)
    watchdog.start()
    try:
        return pipe.ask("go", word, timeout), pipe
    finally:
        done.set()
        watchdog.join()
        pipe.kill()
        pipe.close(1)
        assert not pipe.is_alive


@pytest.mark.parametrize(
    "chunks",
    [
        [b"bestmove e2e4\n"],
        [b"info depth 1\nbestmove e2e4\r\n"],
        [b"info depth 1\nbest", b"move e2", b"e4", b"\n"],
        [b"info string the bestmove is near\n", b"bestmove e2e4\nbestmove a2a3\n"],
        [bytes([letter]) for letter in b"info string bestmove\nreadyok\nbestmove e2e4\n"],
        [b"bestmoves are better than uciok\n\n\nbestmove e2e4\n"],
        [b"x" * 40_000, b"\nbestmove e2e4\n"],
        [b"\xff\xfe\n", b"bestmove e2e4\n"],
    ],
)
def test_the_answer_is_the_first_line_that_begins_with_the_word(chunks):
    answer, _ = hear(*chunks)
    assert answer.line == "bestmove e2e4"


def test_the_lines_before_the_answer_come_with_it():
    answer, pipe = hear(*[b"info depth %d score cp %d\n" % (n, n) for n in range(50)], b"bestmove e2e4\n")
    assert answer.lines[0] == b"> go"
    assert answer.lines[-2] == b"info depth 49 score cp 49\n"
    assert pipe.last_words(2) == ["  info depth 49 score cp 49", "  bestmove e2e4"]


def test_a_flood_is_a_fault(monkeypatch):
    monkeypatch.setattr(pipe_module, "FLOOD_LINES", 500)
    with pytest.raises(EngineFault, match="lines within") as caught:
        hear(*[b"info\n" * 100] * 10, silence=60)
    assert caught.value.reason == "flood"


def test_a_flood_of_long_lines_is_one_too(monkeypatch):
    monkeypatch.setattr(pipe_module, "FLOOD_BYTES", 100_000)
    with pytest.raises(EngineFault, match="bytes within") as caught:
        hear(b"x" * 9_999 + b"\n", times=200, silence=60)
    assert caught.value.reason == "flood"


def test_a_line_without_end_is_a_fault_at_once(monkeypatch):
    monkeypatch.setattr(pipe_module, "LONGEST_LINE", 100_000)
    with pytest.raises(EngineFault, match="100000 bytes without an end of the line") as caught:
        hear(b"x" * 20_000, times=20, silence=60)
    assert caught.value.reason == "flood"


def test_errors_without_end_are_not_kept():
    loud = "import os, sys, time; sys.stdin.readline(); [os.write(2, b'e' * 100_000) for _ in range(100)]; " \
           "os.write(2, b'\\n' + b'last'); time.sleep(0.1); print('bestmove e2e4', flush=True); sys.stdin.read()"
    pipe = EnginePipe([sys.executable, "-S", "-c", loud])
    try:
        assert pipe.ask("go", "bestmove", 10).line == "bestmove e2e4"
        assert len(pipe._errors) <= pipe_module.KEPT_ERRORS and pipe.last_words()[-1] == "stderr: last"
    finally:
        pipe.kill()
        pipe.close(1)


def test_an_engine_that_does_not_listen_holds_up_nobody():
    """What it is sent fills the pipe; the question fails all the same, and so does the next look at it."""
    pipe = EnginePipe([sys.executable, "-S", "-c", "import time; time.sleep(60)"])
    def ask():
        with pytest.raises(EngineFault):
            pipe.ask("x" * 500_000, "bestmove", 0.3, 0.1)

    asked = threading.Thread(target=ask)
    asked.start()
    try:
        for _ in range(200):
            pipe.look_in()
            asked.join(0.02)
            if not asked.is_alive():
                break
        assert not asked.is_alive()
    finally:
        pipe.kill()
        pipe.close(1)


def test_silence_is_a_fault():
    with pytest.raises(EngineFault, match=r"no bestmove within 0.2 s") as caught:
        hear(b"info depth 1\n", timeout=0.2, silence=60)
    assert caught.value.reason == "no answer"


def test_a_dead_engine_cannot_be_asked():
    _, pipe = hear(b"bestmove e2e4\n")
    with pytest.raises(EngineFault, match="ended") as caught:
        pipe.ask("go", "bestmove", 5)
    assert caught.value.reason == "crash"


def test_long_lines_are_shortened_in_the_report():
    _, pipe = hear(b"info string " + b"x" * 5000 + b"\nbestmove e2e4\n")
    assert all(len(line) <= 160 for line in pipe.last_words())
