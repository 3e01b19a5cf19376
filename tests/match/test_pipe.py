"""Lines as they come: split over chunks, among chatter, and more of them than is worth keeping."""

import asyncio
import os

import pytest

from barreleye.match.pipe import FLOOD_LINES, EngineFault, EnginePipe


def hear(*chunks, word="bestmove", timeout=2.0):
    """What a question is answered with when the engine says these chunks."""

    async def session():
        ours, theirs = os.pipe()
        pipe = EnginePipe()
        question = asyncio.create_task(pipe.ask("go", word, timeout))
        await asyncio.sleep(0)
        pipe.listen(ours)
        try:
            for chunk in chunks:
                os.write(theirs, chunk)
                await asyncio.sleep(0.001)
            return await question, pipe
        finally:
            os.close(theirs)

    return asyncio.run(session())


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
    answer, pipe = hear(*[b"info depth %d score cp %d\n" % (n, n) for n in range(200)], b"bestmove e2e4\n")
    assert answer.before[0] == b"> go"
    assert answer.before[-2] == b"info depth 199 score cp 199\n"
    assert pipe.last_words(2) == ["  info depth 199 score cp 199", "  bestmove e2e4"]


def test_a_flood_is_a_fault():
    with pytest.raises(EngineFault, match="lines within") as caught:
        hear(*[b"info\n" * 100] * (FLOOD_LINES // 100))
    assert caught.value.reason == "flood"


def test_silence_is_a_fault():
    with pytest.raises(EngineFault, match=r"no bestmove within 0.2 s") as caught:
        hear(b"info depth 1\n", timeout=0.2)
    assert caught.value.reason == "no answer"


def test_long_lines_are_shortened_in_the_report():
    _, pipe = hear(b"info string " + b"x" * 5000 + b"\nbestmove e2e4\n")
    assert all(len(line) <= 160 for line in pipe.last_words())
