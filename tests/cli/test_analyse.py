"""The analyse command: what it reads, what it shows in a pipe, in a terminal and to programs."""

import io
import json
import signal
import subprocess
import sys

import chess
import pytest
from rich.console import Console

from barreleye.cli import main
from barreleye.cli.board import color_of
from barreleye.cli.position import set_up
from barreleye.cli.thinking import Thinking, numbered, score_text, white_share
from barreleye.cli.view import View
from barreleye.engine import Engine, Limits

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
MATE_IN_ONE = "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4"
ANALYSE = [sys.executable, "-m", "barreleye", "analyse"]


def analysed(capsys, *words):
    assert main(["analyse", "--json", "--hash", "1", *words]) == 0
    return json.loads(capsys.readouterr().out)


def thought(fen=START, moves="", **options):
    """A finished analysis."""
    engine = Engine(Hash=1, **options)
    thinking = Thinking(engine, set_up(fen, moves).show(engine), Limits(depth=5))
    thinking.start()
    while not thinking.wait(1):
        pass
    return thinking


def drawn(thinking, encoding="utf-8", **settings):
    """What a terminal shows, without its colours."""
    file = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
    console = Console(file=file, force_terminal=True, width=settings.pop("width", 90), **settings)
    with console.capture() as capture:
        console.print(View(thinking, console))
    return capture.get()


# What it reads


def test_moves_may_be_san_or_uci_with_or_without_numbers(capsys):
    fens = {analysed(capsys, "--depth", "1", "--moves", moves)["fen"]
            for moves in ("e4 e5 Nf3", "e2e4 e7e5 g1f3", "1. e4 e5 2. Nf3", "1.e4 e7e5 2.Nf3")}
    board = chess.Board()
    for move in ("e4", "e5", "Nf3"):
        board.push_san(move)
    assert fens == {board.fen()}


def test_every_limit_ends_the_search(capsys):
    assert analysed(capsys, "--depth", "4")["lines"][0]["depth"] == 4
    assert 2000 <= analysed(capsys, "--nodes", "2000")["nodes"] < 20000
    assert analysed(capsys, "--time", "0.05", "--threads", "2")["best_move"]
    assert analysed(capsys, "--time", "60", "--nodes", "500", "--depth", "50")["nodes"] < 20000


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["--fen", "nonsense"], "FEN"),
        (["--moves", "e4 e5 Ke3"], "--moves, number 3: 'Ke3' is not a legal move"),
        (["--moves", "e4 xyz"], "'xyz'"),
        (["--depth", "0"], "--depth"),
        (["--time", "-1"], "--time"),
        (["--time", "nan"], "--time"),
        (["--time", "1e300"], "not above 1e+09"),
        (["--infinite", "--depth", "3"], "--infinite goes on until Ctrl-C: leave it out, or --depth"),
        (["--multipv", "0"], "MultiPV"),
        (["--hash", "0"], "Hash"),
        (["--threads", "0"], "Threads"),
    ],
)
def test_bad_input_is_one_line_and_status_2(capsys, words, complaint):
    assert main(["analyse", *words]) == 2
    out, err = capsys.readouterr()
    assert out == "" and err.count("\n") == 1
    assert err.startswith("barreleye analyse: ") and complaint in err


# What it says to programs


def test_json_has_the_lines_in_both_notations_from_whites_point_of_view(capsys):
    result = analysed(capsys, "--depth", "6", "--fen", MATE_IN_ONE, "--multipv", "2")
    first, second = result["lines"]
    assert result["best_move"] == "h5f7" and result["turn"] == "white"
    assert first["score"] == {"mate": 1} and first["san"] == ["Qxf7#"] and first["uci"] == ["h5f7"]
    assert first["wdl"] == {"white": 1, "draw": 0, "black": 0}
    assert "cp" in second["score"]
    board = chess.Board(MATE_IN_ONE)
    for san, uci in zip(second["san"], second["uci"], strict=True):
        assert board.push_san(san).uci() == uci


def test_a_level_ending_is_a_draw_and_a_level_opening_is_open(capsys):
    ending, opening = (analysed(capsys, "--depth", "8", "--fen", fen)["lines"][0]["wdl"]["draw"]
                       for fen in ("4k3/8/8/3p1p2/3P1P2/8/8/4K3 w - - 0 1", chess.STARTING_FEN))
    assert ending > 0.95 and 0.3 < opening < 0.8


def test_black_to_move_and_winning_is_a_negative_score(capsys):
    result = analysed(capsys, "--depth", "6", "--fen", "6k1/5ppp/8/8/8/8/q4PPP/6K1 b - - 0 1")
    assert result["turn"] == "black"
    assert result["lines"][0]["score"] == {"mate": -1}
    assert result["lines"][0]["wdl"]["black"] == 1


def test_chess960_castling_is_king_takes_rook(capsys):
    fen = "nrk4r/pppppppp/8/8/8/8/PPPPPPPP/NRK4R w KQkq - 0 1"
    result = analysed(capsys, "--chess960", "--fen", fen, "--moves", "O-O", "--depth", "2")
    assert result["fen"].split()[0].endswith("/NR3RK1")


def test_a_finished_game_is_told_not_searched(capsys):
    assert main(["analyse", "--moves", "f3 e5 g4 Qh4"]) == 0
    assert capsys.readouterr().out == "checkmate: Black has won\n"
    assert main(["analyse", "--fen", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"]) == 0
    assert capsys.readouterr().out == "stalemate: a draw\n"
    assert analysed(capsys, "--moves", "f3 e5 g4 Qh4")["best_move"] is None


# What it shows


def test_a_pipe_gets_a_line_for_each_depth_and_the_result(capsys):
    assert main(["analyse", "--depth", "6", "--fen", MATE_IN_ONE]) == 0
    *lines, best, speed = capsys.readouterr().out.splitlines()
    assert [int(line[5:8]) for line in lines] == sorted({int(line[5:8]) for line in lines})
    assert all("#1" in line and line.endswith("Qxf7#") for line in lines[1:])
    assert best == "best move Qxf7#: White mates in 1"
    assert " nodes in " in speed


def test_a_terminal_gets_board_score_and_lines():
    thinking = thought(moves="e4 e5", MultiPV=3)
    text = drawn(thinking, color_system=None)
    assert "move 2, White to play" in text
    assert " 8  ♜  ♞  ♝  ♛  ♚  ♝  ♞  ♜ " in text and " 1  ♖  ♘  ♗  ♕  ♔  ♗  ♘  ♖ " in text
    for info in thinking.lines.values():
        assert score_text(thinking, info) in text
        assert thinking.san(info)[0] in text
    assert max(len(line) for line in text.splitlines()) <= 90


def test_colours_mark_the_best_move_the_last_move_and_check():
    thinking = thought(moves="e4 f6 Qh5")
    colors = {square: color_of(thinking.board, square, thinking.best_move()) for square in chess.SQUARES}
    assert thinking.board.is_check() and thinking.san(thinking.lines[1])[0] == "g6"
    assert colors[chess.G7] in ("#7fd1a4", "#3fa57a") and colors[chess.G6] in ("#7fd1a4", "#3fa57a")
    assert colors[chess.E8] == "#d1495b"
    assert colors[chess.D1] in ("#d9c56b", "#b39a3e") and colors[chess.H5] in ("#d9c56b", "#b39a3e")
    assert colors[chess.A1] != colors[chess.B1]


def test_a_narrow_terminal_and_one_without_unicode_still_work():
    thinking = thought()
    narrow = drawn(thinking, width=50, color_system=None)
    assert max(len(line) for line in narrow.splitlines()) <= 50 and "depth" in narrow
    plain = drawn(thinking, encoding="ascii", color_system=None)
    assert " r  n  b  q  k  b  n  r " in plain


def test_the_evaluation_bar_glides_and_arrives():
    thinking = thought(fen=MATE_IN_ONE)
    console = Console(file=io.StringIO(), force_terminal=True, width=90)
    result, thinking.result = thinking.result, None
    view = View(thinking, console)
    shares = []
    for _ in range(5):
        list(console.render(view))
        shares.append(view.shown_share)
    assert 0.5 < shares[0] < shares[1] < shares[4] < 1
    thinking.result = result
    list(console.render(view))
    assert view.shown_share == white_share(thinking, thinking.lines[1]) == 1


def test_numbers_stand_where_books_have_them():
    board = chess.Board("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1")
    assert numbered(board, ["e5", "Nf3", "Nc6"]) == [("1…", "e5"), ("2.", "Nf3"), ("", "Nc6")]
    assert numbered(chess.Board(), ["e4", "e5"]) == [("1.", "e4"), ("", "e5")]


@pytest.mark.skipif(sys.platform == "win32", reason="signals work differently there")
@pytest.mark.parametrize("words", [["--infinite"], ["--time", "100", "--threads", "2"]])
def test_interrupt_ends_the_search_and_prints_the_result(words):
    process = subprocess.Popen([*ANALYSE, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                               preexec_fn=hear_interrupts)
    try:
        assert process.stdout is not None
        process.stdout.readline()
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=30)
    finally:
        process.kill()
        process.wait()
    assert process.returncode == 0 and err == ""
    assert "best move " in out


@pytest.mark.skipif(sys.platform == "win32", reason="signals work differently there")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_line_of_json_for_whatever_is_new(number):
    process = subprocess.Popen([*ANALYSE, "--infinite", "--json", "--hash", "1", "--multipv", "2"], text=True,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=hear_interrupts)
    try:
        assert process.stdout is not None
        first = [json.loads(process.stdout.readline()) for _ in range(3)]
        process.send_signal(number)
        out, err = process.communicate(timeout=30)
    finally:
        process.kill()
        process.wait()
    last = json.loads(out.splitlines()[-1])
    assert process.returncode == 0 and err == ""
    assert [line["done"] for line in first] == [False] * 3 and last["done"]
    # An interrupted iteration leaves lines of two depths, and the better one may be of the depth before.
    depths = [max(found["depth"] for found in line["lines"]) for line in (*first, last)]
    assert depths == sorted(depths) and depths[0] < depths[-1] and len(last["lines"]) == 2
    assert all(line["best_move"] and line["nodes"] and line["fen"] == START for line in (*first, last))


@pytest.mark.skipif(sys.platform == "win32", reason="pipes work differently there")
def test_a_reader_that_goes_away_ends_an_endless_analysis():
    process = subprocess.Popen([*ANALYSE, "--infinite", "--json", "--hash", "1"], stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None and process.stderr is not None
        assert json.loads(process.stdout.readline())["best_move"]
        process.stdout.close()
        assert process.wait(timeout=30) == 141 and process.stderr.read() == ""
    finally:
        process.kill()
        process.wait()


def test_the_game_and_the_opening_stand_above(tmp_path, capsys):
    (tmp_path / "game.pgn").write_text('[White "Anna"]\n[Black "Bert"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 *\n')
    assert main(["analyse", str(tmp_path / "game.pgn"), "--move", "3b", "--depth", "2"]) == 0
    assert capsys.readouterr().out.splitlines()[:2] == ["Anna - Bert, 3...a6 was played", "C60 Ruy Lopez"]
    assert analysed(capsys, "--moves", "e4 e6", "--depth", "1")["opening"] == {"eco": "C00", "name": "French Defense"}
    assert "C60 Ruy Lopez" in drawn(thought(moves="e4 e5 Nf3 Nc6 Bb5"), color_system=None)
    (tmp_path / "evil.pgn").write_text('[White "\x1b[31m[/red]Evil"]\n[Black "Bert"]\n\n1. e4 *\n')
    assert main(["analyse", str(tmp_path / "evil.pgn"), "--depth", "1"]) == 0
    assert capsys.readouterr().out.startswith("?[31m[/red]Evil - Bert\n")


def hear_interrupts():
    """Tests may run in the background, where a shell lets its children ignore Ctrl-C."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def test_interrupt_prints_json_all_the_same(capsys, monkeypatch):
    def interrupted(thinking, seconds):
        if not thinking.lines:
            return False
        raise KeyboardInterrupt

    monkeypatch.setattr(Thinking, "wait", interrupted)
    assert analysed(capsys, "--time", "100")["best_move"]


def test_nothing_heavy_is_loaded_before_it_is_needed():
    program = ("import sys, barreleye.cli.analyse; "
               "print([name for name in ('chess', 'rich', 'barreleye.engine') if name in sys.modules])")
    assert subprocess.run([sys.executable, "-c", program], capture_output=True, text=True).stdout == "[]\n"
