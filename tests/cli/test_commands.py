"""What all commands have in common: help with examples, exit codes, completion; and the small ones: eval, bench."""

import argparse
import json
import os
import shutil
import subprocess
import sys

import pytest

from barreleye import levels
from barreleye.cli import COMMANDS, main
from barreleye.cli.completion import whole_parser


@pytest.mark.parametrize("command", COMMANDS)
def test_help_has_examples(command, capsys):
    with pytest.raises(SystemExit) as stopped:
        main([command, "--help"])
    said = capsys.readouterr().out
    assert stopped.value.code == 0 and "examples:" in said and f"barreleye {command}" in said.split("examples:")[1]


def test_the_overview_lists_every_command(capsys):
    assert main(["--help"]) == 0
    said = capsys.readouterr().out
    for command in COMMANDS:
        assert f"\n  {command:<11} " in said


@pytest.mark.parametrize("command", [(sys.executable, "-m", "barreleye"), ("barreleye",)])
def test_a_core_that_cannot_be_had_is_one_sentence(command):
    program = shutil.which(command[0], path=os.path.dirname(sys.executable))
    if program is None:
        pytest.skip("the command is not installed beside this Python")
    wrong = {**os.environ, "BARRELEYE_CORE": "abacus"}
    said = subprocess.run([program, *command[1:], "--version"], env=wrong, capture_output=True, text=True)
    assert (said.returncode, said.stdout, said.stderr.count("\n")) == (2, "", 1)
    assert said.stderr.startswith("barreleye: BARRELEYE_CORE=abacus ")


def test_a_program_that_imports_barreleye_can_catch_that(tmp_path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "__init__.py").write_text(
        "try:\n    import barreleye\nexcept ImportError:\n    print('caught')\n")
    (tmp_path / "mine" / "__main__.py").write_text("")
    wrong = {**os.environ, "BARRELEYE_CORE": "abacus"}
    for words in (["-m", "mine"], ["-c", "import mine"], ["-m", "mine", "barreleye"]):
        said = subprocess.run([sys.executable, *words], env=wrong, cwd=tmp_path, capture_output=True, text=True)
        assert (said.returncode, said.stdout, said.stderr) == (0, "caught\n", "")


def words_of(parser: argparse.ArgumentParser) -> set[str]:
    """Every option, sub-command and choice that a command knows."""
    words: set[str] = set()
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            words |= set(action.choices).union(*map(words_of, action.choices.values()))
        else:
            words |= set(action.option_strings[-1:]) if action.option_strings else set(map(str, action.choices or ()))
    return words - {"--help"}


def test_the_documents_show_every_command_and_option(root_dir):
    text = (root_dir / "docs" / "cli.md").read_text(encoding="utf-8")
    commands = next(action for action in whole_parser()._actions if isinstance(action, argparse._SubParsersAction))
    assert set(commands.choices) == set(COMMANDS)
    for command, parser in commands.choices.items():
        assert f"## {command}\n" in text, command
        section = text.split(f"## {command}\n")[1].split("\n## ")[0]
        words = words_of(parser)
        if "--move" in words:
            section += text.split("### Positions\n")[1].split("\n## ")[0]
        missing = [word for word in words if word not in section]
        assert not missing, f"docs/cli.md, {command}: {missing}"


def test_the_uci_loop_loads_no_more_than_it_needs():
    program = ("import sys, io; sys.stdin = io.StringIO('quit'); import barreleye.cli; barreleye.cli.main([]); "
               "print([name for name in sys.modules if name in ('chess', 'rich', 'numpy', 'asyncio', 'random', 'json', "
               "'barreleye.match', 'barreleye.analysis')])")
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert result.stdout.splitlines()[-1] == "[]"


def test_bash_completes(tmp_path, capsys):
    bash = shutil.which("bash")
    if bash is None:
        pytest.skip("there is no bash here")
    assert main(["completion", "bash"]) == 0
    (tmp_path / "complete.sh").write_text(capsys.readouterr().out)

    def completed(*words):
        typed = " ".join(f"'{word}'" for word in ("barreleye", *words))
        script = (f"source {tmp_path}/complete.sh; COMP_WORDS=({typed}); COMP_CWORD={len(words)}; _shtab_barreleye; "
                  'printf "%s\\n" "${COMPREPLY[@]}"')
        done = subprocess.run([bash, "-c", script], capture_output=True, text=True, cwd=tmp_path)
        assert done.stderr == ""
        return set(done.stdout.split())

    assert completed("pl") == {"play"} and completed("an") == {"analyse", "annotate"}
    assert completed("annotate", "--ht") == {"--html"}
    assert completed("lab", "") >= {"ablate", "levels"} and completed("lab", "levels", "--op") == {"--openings"}
    assert completed("completion", "z") == {"zsh"}
    assert completed("annotate", "comp") == {"complete.sh"} and completed("annotate", "-o", "c") == {"complete.sh"}
    assert completed("bench", "comp") == set() and completed("annotate", "--nodes", "") == set()
    assert completed("analyse", "comp") == completed("play", "comp") == {"complete.sh"}
    assert completed("play", "--color", "") == {"white", "black", "random"}
    assert completed("play", "--level", "") == set(levels.NAMES) == completed("lab", "levels", "--level", "")
    assert completed("train", "--minutes", "5", "--fold") == {"--folder"}
    assert "complete.sh" in completed("train", "net", "c") and completed("train", "--folder", "c") == {"complete.sh"}


@pytest.mark.parametrize(("shell", "words"), [
    ("zsh", ["#compdef barreleye", "annotate games", "--html"]),
    ("fish", ["complete -c barreleye", "annotate", "-l html", "white black random"]),
    ("tcsh", ["complete barreleye", "--html"]),
])
def test_other_shells(shell, words, tmp_path, capsys):
    assert main(["completion", shell]) == 0
    script = capsys.readouterr().out
    for word in words:
        assert word in script
    if program := shutil.which(shell):
        (tmp_path / "script").write_text(script)
        assert subprocess.run([program, "-n", str(tmp_path / "script")]).returncode == 0


def test_an_unknown_shell(capsys):
    with pytest.raises(SystemExit) as stopped:
        main(["completion", "cmd.exe"])
    assert stopped.value.code == 2


@pytest.mark.parametrize(("words", "said"), [
    (["play", "--nonsense"], "barreleye play: unrecognized arguments: --nonsense; see barreleye play --help\n"),
    (["perft", "x"], "barreleye perft: argument DEPTH: invalid int value: 'x'; see barreleye perft --help\n"),
    (["lab", "levels", "--games", "x"], "; see barreleye lab levels --help\n"),
])
def test_bad_arguments_are_one_line(words, said, capsys):
    with pytest.raises(SystemExit) as stopped:
        main(words)
    err = capsys.readouterr().err
    assert stopped.value.code == 2 and err.endswith(said) and err.count("\n") == 1


# eval


def test_eval_shows_every_term(capsys):
    assert main(["eval", "--moves", "e4 e5"]) == 0
    said = capsys.readouterr().out
    assert "material" in said and "mobility" in said and " 4     ·     ·  ♙ " in said


def test_eval_for_programs(capsys):
    assert main(["eval", "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["terms"]["material"]["white"] == said["terms"]["material"]["black"] and not said["in_check"]
    assert main(["eval", "--json", "--fen", "4k3/8/8/8/8/8/4q3/4K3 w - - 0 1"]) == 0
    assert json.loads(capsys.readouterr().out)["in_check"]


def test_eval_of_nothing(capsys):
    assert main(["eval", "--fen", "nonsense"]) == 2
    assert main(["eval", "--moves", "e4 e4"]) == 2
    assert "not a legal move" in capsys.readouterr().err


def test_bench_for_programs(capsys):
    assert main(["bench", "--depth", "2", "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["depth"] == 2 and said["nodes"] > 1000 and said["nps"] > 0
    assert main(["bench", "16", "1", "2", "default", "depth", "mixed"]) == 0
    assert capsys.readouterr().out.startswith(f"{said['nodes']} nodes ")


# What went wrong once


@pytest.mark.parametrize("words", [
    ["analyse", "--hash", "30000000"], ["bench", "30000000", "1", "1"], ["bench", "--json", "30000000", "1", "1"],
    ["puzzles", "--hash", "30000000", "GAMES"], ["annotate", "--hash", "30000000", "GAMES"],
])
def test_too_much_memory_is_one_line(words, tmp_path, capsys):
    games = tmp_path / "games.pgn"
    games.write_text("1. e4 e5 *\n")
    assert main([str(games) if word == "GAMES" else word for word in words]) == 2
    said = capsys.readouterr().err.splitlines()[-1]
    assert said.startswith(f"barreleye {words[0]}: not enough memory") and "Hash" in said


@pytest.mark.parametrize("command", [["eval"], ["eval", "--moves", "e4"], ["analyse", "--depth", "2"], ["perft", "2"]])
@pytest.mark.parametrize("encoding", ["cp1252", "ascii", "cp437"])
def test_a_terminal_without_chess_pieces_gets_letters(command, encoding):
    said = subprocess.run([sys.executable, "-m", "barreleye", *command], capture_output=True,
                          env={**os.environ, "PYTHONIOENCODING": encoding})
    assert said.returncode == 0 and said.stderr == b"" and said.stdout


def test_openbench_gives_each_command_an_argument_of_its_own():
    def run(*words: str) -> list[str]:
        return subprocess.run([sys.executable, "-m", "barreleye", *words], capture_output=True, text=True, check=True,
                              timeout=120).stdout.splitlines()

    fens = run("genfens 3 seed 42 book None", "quit")
    assert len(fens) == 3 and all(line.startswith("info string genfens ") for line in fens)
    assert run("genfens", "3", "seed", "42", "book", "None") == fens
    said = run("position startpos moves e2e4", "go depth 3", "d", "quit", "d")
    assert sum(line.startswith("bestmove") for line in said) == 1
    assert said[-1] == "Checkers: " and sum(line.startswith("Fen: ") for line in said) == 1
    assert run("go infinite", "stop", "quit")[-1].startswith("bestmove ")
