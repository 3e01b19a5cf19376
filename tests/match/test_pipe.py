"""Bytes as they come: words split over chunks, words inside lines, more output than is worth keeping."""

import asyncio

import pytest

from barreleye.match.pipe import KEPT_BYTES, EngineFault, EnginePipe


def hear(*chunks, word="bestmove"):
    """What a question is answered with when the engine says these chunks."""

    async def session():
        pipe = EnginePipe()
        question = asyncio.create_task(pipe.ask("go", word, 1))
        await asyncio.sleep(0)
        for chunk in chunks:
            pipe.pipe_data_received(1, chunk)
        return await question, pipe

    return asyncio.run(session())


@pytest.mark.parametrize(
    "chunks",
    [
        [b"bestmove e2e4\n"],
        [b"info depth 1\nbestmove e2e4\r\n"],
        [b"info depth 1\nbest", b"move e2", b"e4", b"\n"],
        [b"info string the bestmove is near\n", b"bestmove e2e4\nbestmove a2a3\n"],
        [bytes([letter]) for letter in b"info string bestmove\nbestmove e2e4\n"],
        [b"info depth 1\nbestmove e2", b"e4", b"\ninfo string late\n"],
        [b"x" * (3 * KEPT_BYTES), b"\nbestmove e2e4\n"],
    ],
)
def test_the_answer_is_the_first_line_that_begins_with_the_word(chunks):
    answer, _ = hear(*chunks)
    assert answer.line == "bestmove e2e4"


def test_the_output_before_the_answer_is_kept_as_its_tail():
    lines = b"".join(b"info depth %d score cp %d\n" % (n, n) for n in range(4000))
    chunks = [lines[at : at + 5000] for at in range(0, len(lines), 5000)]
    answer, pipe = hear(*chunks, b"bestmove e2e4\n")
    assert answer.before.endswith(b"info depth 3999 score cp 3999\n")
    assert len(answer.before) <= KEPT_BYTES
    assert pipe.last_words(2) == ["  info depth 3999 score cp 3999", "  bestmove e2e4"]


def test_a_flood_is_a_fault():
    with pytest.raises(EngineFault, match="lines within a second") as caught:
        hear(*[b"info depth 1\n" * 100] * 100)
    assert caught.value.reason == "flood"


def test_silence_is_a_fault():
    with pytest.raises(EngineFault, match="no bestmove within 1 s") as caught:
        hear(b"info depth 1\n")
    assert caught.value.reason == "no answer"


def test_long_lines_are_shortened_in_the_report():
    _, pipe = hear(b"info string " + b"x" * 5000 + b"\nbestmove e2e4\n")
    assert all(len(line) <= 160 for line in pipe.last_words())
