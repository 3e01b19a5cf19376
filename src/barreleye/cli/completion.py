"""Print what makes your shell complete Barreleye's commands and options when you press Tab.

The output is a script for the shell; it needs nothing but the shell itself.
"""

from __future__ import annotations

import argparse
from importlib import import_module
from pathlib import Path

from barreleye import levels

SHELLS = ("bash", "zsh", "fish", "tcsh")
FILES = ("FILE", "PATH", "DATA", "GAMES.pgn", "COMMAND", "POSITION")        # metavars of arguments that are files
EXAMPLES = """\
bash:  barreleye completion bash > ~/.local/share/bash-completion/completions/barreleye
zsh:   barreleye completion zsh > ~/.zfunc/_barreleye       (a folder of your fpath; then start a new shell)
fish:  barreleye completion fish > ~/.config/fish/completions/barreleye.fish

examples:
  eval "$(barreleye completion bash)"         for this shell only
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EXAMPLES
    parser.add_argument("shell", choices=SHELLS, help="the shell you use")


def run(args: argparse.Namespace) -> int:
    import shtab

    print(shtab.complete(whole_parser(), args.shell))
    return 0


def whole_parser() -> argparse.ArgumentParser:
    """All commands in one parser, with what is known of the values of their arguments."""
    from barreleye.cli import COMMANDS, summary_of

    parser = argparse.ArgumentParser(prog="barreleye")
    parser.add_argument("-V", "--version", action="store_true", help="which Barreleye this is")
    commands = parser.add_subparsers(dest="command")
    for name, module in COMMANDS.items():
        command = commands.add_parser(name, help=summary_of(module))
        import_module(module).configure(command)
        mark_values(command)
    return parser


def mark_values(parser: argparse.ArgumentParser) -> None:
    """Say which arguments are files, and which have a few values that their type checks."""
    import shtab

    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for command in action.choices.values():
                mark_values(command)
        elif action.type is Path or action.metavar in FILES:
            action.complete = shtab.FILE  # type: ignore[attr-defined]
        elif "--level" in action.option_strings:
            action.choices = levels.NAMES
