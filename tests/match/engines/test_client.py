"""Conversations with real subprocesses."""

import asyncio

import pytest

from barreleye.match.engines import player as player_module
from barreleye.match.engines.client import UciClient
from barreleye.match.engines.pipe import EngineFault
from barreleye.match.engines.player import EngineError, UciPlayer, last_score
from barreleye.match.engines.spec import EngineSpec
from barreleye.match.engines.watchdog import Watchdog


def talk(spec, conversation=None, chess960=False):
    """Start the engine, hold the conversation, end the engine."""

    async def session():
        watchdog = Watchdog()
        client = UciClient(UciPlayer(spec, watchdog))
        try:
            await client.start(chess960)
            return client.player, await conversation(client) if conversation else None
        finally:
            await client.close()
            assert not client.player.is_alive
            watchdog.close()

    return asyncio.run(session())


def test_start_reads_identity_and_options_and_turns_pondering_off(fake):
    player, _ = talk(fake("good", options={"hash": "32", "STYLE": "very wild", "Clear Hash": ""}), chess960=True)
    assert player.id_name == "Fake good"
    assert player.options["hash"].high == 64
    sent = [line for line in player.last_words(40) if line.startswith("> setoption")]
    assert sent == [
        "> setoption name Ponder value false",
        "> setoption name Hash value 32",
        "> setoption name Style value Very Wild",
        "> setoption name Clear Hash",
        "> setoption name UCI_Chess960 value true",
    ]


def test_a_move_comes_with_its_time_score_and_depth(fake):
    async def one_move(client):
        await client.new_game()
        return await client.play("position startpos moves e2e4", "go nodes 5", 5)

    _, reply = talk(fake("late"), one_move)
    assert (reply.move, reply.score_cp, reply.depth) == ("a7a5", 20, 1)
    assert 400 <= reply.elapsed_ms < 3000


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"Hsah": "16"}, "no option 'Hsah'; it has: Clear Hash, Hash"),
        ({"Hash": "1000"}, "from 1 to 64"),
        ({"Style": "Odd"}, "one of Calm, Very Wild"),
    ],
)
def test_wrong_options_are_explained(fake, options, complaint):
    with pytest.raises(EngineError, match=complaint):
        talk(fake("good", options=options))


def test_an_engine_that_never_says_uciok(fake, monkeypatch):
    monkeypatch.setattr(player_module, "START_S", 0.5)
    with pytest.raises(EngineError, match=r"mute .* did not start: no uciok within 0.5 s"):
        talk(fake("mute"))


def test_a_program_that_is_no_engine():
    with pytest.raises(EngineError, match=r"did not start: the engine process ended \(exit code 0\)"):
        talk(EngineSpec(("true",)))


def test_a_missing_program_and_a_missing_directory():
    with pytest.raises(ValueError, match="no program 'no-such-engine'"):
        talk(EngineSpec(("no-such-engine",)))
    with pytest.raises(ValueError, match="no directory /no/where"):
        talk(EngineSpec(("true",), directory="/no/where"))


def test_what_an_engine_wrote_to_stderr_is_kept(fake):
    async def die(client):
        with pytest.raises(EngineFault, match="exit code 3") as caught:
            await client.play("position startpos", "go nodes 5", 5)
        return caught.value.reason, client.player.last_words()

    _, (reason, words) = talk(fake("exit"), die)
    assert reason == "crash"
    assert "stderr: assertion failed: king is missing" in words
    assert "> go nodes 5" in words


def test_an_engine_runs_in_its_directory(fake, tmp_path):
    script = tmp_path / "engine.sh"
    script.write_text('#!/bin/sh\nread line\necho "id name $(pwd)"\necho uciok\nread line\necho readyok\nread line\n')
    script.chmod(0o755)
    player, _ = talk(EngineSpec(("./engine.sh",), directory=str(tmp_path)))
    assert player.id_name == str(tmp_path)


@pytest.mark.parametrize(
    ("output", "expected"),
    [
        (b"", (None, None, None)),
        (b"info string score of nothing\n", (None, None, None)),
        (b"info depth 9 score cp -31 nodes 5 pv e2e4\ninfo nodes 7 nps 8\n", (-31, None, 9)),
        (b"info depth 9 score mate -3 pv e2e4\n", (-31997, -3, 9)),
        (b"info depth 9 score mate 4 pv e2e4\n", (31996, 4, 9)),
        (b"info depth 8 score cp 5 pv a\ninfo depth 9 score cp 90 lowerbound pv a\n", (5, None, 8)),
        (b"info depth 9 score cp 90 lowerbound pv a\n", (90, None, 9)),
        (b"info depth 8 multipv 1 score cp 5 pv a\ninfo depth 8 multipv 2 score cp 3 pv b\n", (5, None, 8)),
        (b"info depth x score cp\ninfo score\n", (None, None, None)),
    ],
)
def test_the_last_score(output, expected):
    assert last_score(output.splitlines(keepends=True)) == expected


@pytest.mark.parametrize("name", ["stockfish", "toga2", "fairy-stockfish", "ethereal-chess", "glaurung"])
def test_real_engines(installed_engine, name):
    async def one_move(client):
        await client.new_game()
        return await client.play("position startpos moves e2e4", "go movetime 50", 5)

    player, reply = talk(EngineSpec((installed_engine(name),), options={"Hash": "8"}), one_move)
    assert len(reply.move) == 4
    assert player.id_name != name


def test_a_cancelled_call_ends_the_engine(fake):
    async def give_up(client):
        with pytest.raises(asyncio.TimeoutError):
            await asyncio.wait_for(client.play("position startpos", "go infinite", 100), 0.2)

    player, _ = talk(fake("silent"), give_up)
    assert not player.is_alive
