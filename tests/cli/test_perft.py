"""The perft command and the command line around it."""

import json
import subprocess
import sys

import pytest

from barreleye import __version__
from barreleye.cli import main
from barreleye.core.origin import CORE

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
PERFT = [sys.executable, "-m", "barreleye", "perft"]


def test_counts_the_start_position(capsys):
    assert main(["perft", "4"]) == 0
    assert capsys.readouterr().out.startswith("197281 nodes in ")


def test_every_way_of_counting_agrees(capsys):
    for options in ([], ["--no-bulk"], ["--threads", "2"], ["--divide"], ["--chess960"]):
        assert main(["perft", "--json", "--fen", KIWIPETE, *options, "3"]) == 0
        assert json.loads(capsys.readouterr().out)["nodes"] == 97862, options


def test_divide_shows_each_first_move_and_the_sum(capsys):
    assert main(["perft", "--divide", "--fen", KIWIPETE, "2"]) == 0
    *moves, total = capsys.readouterr().out.splitlines()
    counts = {move: int(count) for move, count in (line.split(": ") for line in moves)}
    assert len(counts) == 48
    assert counts["e1g1"] == 43
    assert total.startswith(f"{sum(counts.values())} nodes") and sum(counts.values()) == 2039


def test_castling_is_king_takes_rook_in_chess960(capsys):
    assert main(["perft", "--divide", "--chess960", "--fen", KIWIPETE, "1"]) == 0
    assert "e1h1: 1\n" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--fen", "8/8/8/8/8/8/8/8 w - - 0 1", "1"], "kings"),
        (["--fen", "nonsense", "1"], "FEN"),
        (["--", "-1"], "depth"),
        (["--threads", "0", "1"], "threads"),
    ],
)
def test_bad_input_is_one_line_and_status_2(capsys, arguments, complaint):
    assert main(["perft", *arguments]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("barreleye perft: ") and err.count("\n") == 1
    assert complaint in err


def test_overview_teaches(capsys):
    assert main(["--help"]) == 0
    overview = capsys.readouterr().out
    assert "perft" in overview and "barreleye perft 6" in overview and "the UCI engine" in overview
    for arguments in (["help"], ["-h"]):
        assert main(arguments) == 0
        assert capsys.readouterr().out == overview


def test_no_arguments_are_the_uci_engine():
    result = subprocess.run([sys.executable, "-m", "barreleye"], input="uci\nquit\n", capture_output=True, text=True)
    assert result.returncode == 0 and result.stdout.endswith("uciok\n")


def test_help_of_a_command(capsys):
    for arguments in (["perft", "--help"], ["help", "perft"]):
        with pytest.raises(SystemExit) as stopped:
            main(arguments)
        assert stopped.value.code == 0
        assert "--divide" in capsys.readouterr().out


def test_version(capsys):
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"barreleye {__version__} ({CORE} core)\n"


def test_unknown_command_suggests_the_nearest(capsys):
    assert main(["pertf", "3"]) == 2
    assert capsys.readouterr().err == "barreleye pertf: no such command; did you mean perft?\n"
    assert main(["zzz"]) == 2
    assert "the commands are" in capsys.readouterr().err


def test_only_the_asked_command_is_loaded():
    program = (
        "import sys, barreleye.cli; barreleye.cli.main(['perft', '1']); "
        "print([name for name in sys.modules if name in ('chess', 'rich', 'numpy', 'asyncio', 'barreleye.cli.match')])"
    )
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert result.stdout.splitlines()[-1] == "[]"


def test_reader_who_leaves_early_is_no_error():
    command = [*PERFT, "--divide", "1"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None and process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == ""
    assert process.returncode == 141


@pytest.mark.skipif(sys.platform == "win32", reason="signals work differently there")
@pytest.mark.parametrize("threads", ["1", "2"])
def test_interrupt_ends_a_long_count_at_once(threads):
    command = [*PERFT, "--threads", threads, "12"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(2)
        process.send_signal(2)
        assert process.wait(30) == 130
        assert process.stderr is not None and process.stderr.read() == ""
