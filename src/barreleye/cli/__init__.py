"""The `barreleye` command: picks one of the commands below and turns its failures into one line and an exit status.

A command is a module with a docstring (its first line is the help shown in the overview), `configure(parser)` to add
its arguments and `run(args)` to do the work and return the exit status. Only the module asked for is loaded.
"""

import argparse
import difflib
import os
import sys
from collections.abc import Callable
from importlib import import_module
from types import ModuleType
from typing import NoReturn

from barreleye import __version__
from barreleye.terminal import printable

COMMANDS = {
    "web": "barreleye.cli.web",
    "play": "barreleye.cli.play",
    "analyse": "barreleye.cli.analyse",
    "explain": "barreleye.cli.explain",
    "annotate": "barreleye.cli.annotate",
    "puzzles": "barreleye.cli.puzzles",
    "eval": "barreleye.cli.evaluate",
    "record": "barreleye.cli.record",
    "tb": "barreleye.cli.tb",
    "match": "barreleye.cli.match",
    "lab": "barreleye.cli.lab",
    "train": "barreleye.cli.train",
    "bench": "barreleye.cli.bench",
    "perft": "barreleye.cli.perft",
    "completion": "barreleye.cli.completion",
}
OVERVIEW = """\
Barreleye, a chess engine you can see into.

usage: barreleye                          the UCI engine, to be added to a chess program
       barreleye COMMAND [ARGUMENTS]

commands:
{commands}

'barreleye COMMAND --help' explains a command; 'barreleye --version' says which Barreleye this is.

examples:
  barreleye web                           a page in the browser with all of it
  barreleye play --level casual           a game against it, here in the terminal
  barreleye analyse                       watch it think about the start position
  barreleye analyse game.pgn --move 23b   think about the position before Black's 23rd move
  barreleye explain game.pgn --move 23b   why it would play something else there
  barreleye annotate game.pgn --html report.html
  barreleye tb --path ~/syzygy FEN        what endgame tablebases say of a position
  barreleye perft 6                       count the positions six moves deep
  barreleye match --engine cmd=toga2 --engine cmd=stockfish --tc 1+0.01 --games 100 --openings file=BOOK.epd

exit status: 0 all well, 1 done but not all is well (see the command), 2 bad arguments or input, 130 interrupted
"""
# Commands of the UCI loop that may stand on the command line, as in `barreleye d` or `barreleye "go depth 10" quit`.
UCI_COMMANDS = {"compiler", "d", "flip", "genfens", "go", "isready", "position", "setoption", "stats", "uci",
                "ucinewgame"}
OK, USAGE, INTERRUPTED, CLOSED_PIPE = 0, 2, 130, 141


def main(argv: list[str] | None = None) -> int:
    """Run one command line and return its exit status."""
    words = sys.argv[1:] if argv is None else list(argv)
    if words[:1] == ["help"]:
        words = [*words[1:2], "--help"]
    if not words:
        return guarded("uci", run_uci)
    if words[0] in ("-h", "--help"):
        return guarded("help", show_overview)
    if words[0] in ("-V", "--version"):
        from barreleye.core.origin import CORE

        print(f"barreleye {__version__} ({CORE} core)")
        return OK
    name = words[0]
    if name not in COMMANDS and name.split()[:1] and name.split()[0] in UCI_COMMANDS:
        return guarded(name, lambda: run_uci(words))
    if name not in COMMANDS:
        return report(name, unknown(name))
    command = import_module(COMMANDS[name])
    parser = parser_of(name, command)
    args = (parser.parse_intermixed_args if parser.mixes else parser.parse_args)(words[1:])
    return guarded(name, lambda: command.run(args))


def run_uci(words: list[str] | None = None) -> int:
    """The UCI loop, or commands of it: one in several words, or several that are an argument each."""
    from barreleye import uci

    if not words:
        return uci.main()
    return uci.run_once(words if " " in words[0].strip() else [" ".join(words)])


def guarded(name: str, work: Callable[[], int]) -> int:
    """The status of a piece of work, whichever way it ends."""
    try:
        status = work()
        sys.stdout.flush()
        return status
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        # Whoever read our output has gone; nothing is left to say, also not when Python flushes at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return CLOSED_PIPE
    except OSError as error:
        return report(name, f"{error.filename}: {error.strerror}" if error.filename else error.strerror or str(error))
    except ValueError as error:
        return report(name, str(error))
    except MemoryError as error:
        return report(name, str(error) or "out of memory: ask for a smaller hash table, fewer threads or less data")


def report(name: str, problem: str) -> int:
    print(f"barreleye {printable(name)}: {printable(' '.join(problem.split()))}", file=sys.stderr)
    return USAGE


def unknown(name: str) -> str:
    close = difflib.get_close_matches(name, COMMANDS, n=1)
    guess = f"did you mean {close[0]}?" if close else f"the commands are {', '.join(COMMANDS)}."
    return f"no such command; {guess}"


class Parser(argparse.ArgumentParser):
    """A parser that says what is wrong in one line, as all else that is wrong is said."""

    mixes = False           # whether options may stand between positional arguments

    def error(self, message: str) -> NoReturn:
        self.exit(USAGE, f"{self.prog}: {' '.join(message.split())}; see {self.prog} --help\n")


def parser_of(name: str, command: ModuleType) -> Parser:
    parser = Parser(
        prog=f"barreleye {name}",
        description=command.__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    command.configure(parser)
    return parser


def show_overview() -> int:
    commands = "\n".join(f"  {name:<11} {summary_of(module)}" for name, module in COMMANDS.items())
    print(OVERVIEW.format(commands=commands), end="")
    return OK


def summary_of(module: str) -> str:
    sentence = (import_module(module).__doc__ or "").partition("\n")[0].rstrip(".")
    return sentence[:1].lower() + sentence[1:]
