"""The explain command: in a pipe, in a terminal, for programs, and what it refuses."""

import io
import json

import chess
import pytest
from rich.console import Console

import barreleye
from barreleye.cli import main
from barreleye.cli.explain import panel
from barreleye.cli.position import set_up

QUEEN = "rnb1kbnr/ppp1pppp/8/3q4/8/2N5/PPPP1PPP/R1BQKBNR b KQkq - 0 3"
GAME = '[White "A"]\n[Black "B"]\n[Result "*"]\n\n1. e4 d5 2. exd5 Qxd5 3. Nc3 a6 4. Nxd5 *\n'


def explained(capsys, *words):
    assert main(["explain", "--json", "--nodes", "1000", *words]) == 0
    return json.loads(capsys.readouterr().out)


def kinds(data):
    return [answer["kind"] for answer in data["answers"]]


@pytest.mark.parametrize("move", ["a6", "a7a6", "A6", "1...a6"])
def test_moves_are_typed_in_any_way(capsys, move):
    if move == "1...a6":
        assert main(["explain", QUEEN, "--why-not", move]) == 2
        assert "moves are written like" in capsys.readouterr().err
        return
    data = explained(capsys, QUEEN, "--why-not", move)
    assert data["answers"][1]["move"] == "a7a6" and kinds(data) == ["Why", "WhyNot", "Changes", "Confidence"]


def test_every_sentence_comes_with_its_evidence(capsys):
    data = explained(capsys, QUEEN, "--why-not", "a6", "--why-not", "Qd8")
    assert kinds(data).count("WhyNot") == 2
    for answer in data["answers"]:
        assert answer["sentences"] and all(sentence["evidence"] for sentence in answer["sentences"])


def test_plain_text_in_a_pipe(capsys):
    assert main(["explain", "--moves", "e4 d5 exd5 Qxd5 Nc3", "--nodes", "1000", "--why-not", "a6"]) == 0
    said = capsys.readouterr().out
    assert "B01 Scandinavian" in said and "Why not 3...a6?\n  a6 " in said and "How sure is it?\n" in said
    assert "\x1b" not in said


def test_the_move_that_was_played_is_asked_for(capsys, tmp_path):
    (tmp_path / "game.pgn").write_text(GAME)
    data = explained(capsys, str(tmp_path / "game.pgn"), "--move", "3b")
    assert data["answers"][1]["question"] == "Why not 3...a6?" and "3...a6 was played" in data["title"]
    data = explained(capsys, str(tmp_path / "game.pgn"), "--move", "3b", "--why-not", "Qd8")
    assert [answer["question"] for answer in data["answers"] if answer["kind"] == "WhyNot"] == ["Why not 3...Qd8?"]


def test_techniques(capsys):
    data = explained(capsys, QUEEN, "--technique")
    assert "Techniques" in kinds(data) and len(data["answers"][2]["without"]) > 40


def test_threat_and_network(capsys):
    data = explained(capsys, QUEEN, "--threat", "--network", "--piece", "b8")
    assert kinds(data) == ["Why", "Threat", "Changes", "NetworkView", "Placement", "Confidence"]


@pytest.mark.parametrize("width", [60, 100])
def test_a_terminal_shows_board_facts_and_answers(width):
    start = set_up(QUEEN)
    explanation = barreleye.Engine(Hash=1).explain(QUEEN, {"nodes": 2000}, why_not="a6", technique=True)
    file = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
    console = Console(file=file, force_terminal=True, width=width)
    with console.capture() as capture:
        console.print(panel(explanation, start, console, 1.0, flipped=False))
    shown = capture.get()
    for word in ("♛", "Why not 3...a6?", "nodes", "White", "without", "times", "stays best"):
        assert word in shown, word
    assert max(len(line) for line in Console(width=width).render_str(shown).plain.splitlines()) < 10 * width


def test_a_game_that_is_over(capsys):
    assert main(["explain", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"]) == 0
    assert "stalemate" in capsys.readouterr().out
    start = set_up("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1")
    console = Console(force_terminal=True, width=80)
    with console.capture() as capture:
        console.print(panel(barreleye.Engine(Hash=1).explain(start.board), start, console, 0.0, flipped=True))
    assert "stalemate" in capture.get()


@pytest.mark.parametrize(("words", "said"), [
    (["--why-not", "Ke2"], "'Ke2' is not a legal move here"), (["--why-not", "xyz"], "is not a move"),
    (["--nodes", "0"], "--nodes is 0"), (["--depth", "-3"], "--depth is -3"),
    (["--nodes", "5", "--depth", "0"], "--depth is 0"), (["--culprit"], "--why-not"),
    (["--nodes", "many"], "invalid int"), (["--syzygy", "/nowhere/at/all", "--nodes", "5"], "/nowhere/at/all"),
    (["--piece", "e4", "--nodes", "5"], "e4"), (["--piece", "z9", "--nodes", "5"], "z9"),
])
def test_what_is_refused(capsys, words, said):
    try:
        status = main(["explain", "--fen", QUEEN, *words])
    except SystemExit as stopped:
        status = int(stopped.code or 0)
    assert status == 2
    problem = capsys.readouterr().err
    assert said in problem and problem.count("\n") == 1


def test_chess960(capsys):
    data = explained(capsys, "--chess960", "--fen", "nrk4r/pppppppp/8/8/8/8/PPPPPPPP/NRK4R w KQkq - 0 1",
                     "--why-not", "O-O")
    assert data["answers"][1]["question"] == "Why not 1.O-O?"
    board = chess.Board(data["fen"], chess960=True)
    assert chess.Move.from_uci(data["answers"][0]["move"]) in board.legal_moves
