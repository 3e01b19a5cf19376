"""Print what makes your shell complete Barreleye's commands and options when you press Tab.

The output is a script for the shell; it needs nothing but the shell itself.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path

from barreleye import levels

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
    parser.add_argument("shell", choices=tuple(SCRIPTS), help="the shell you use")


def run(args: argparse.Namespace) -> int:
    print(SCRIPTS[args.shell](), end="")
    return 0


@dataclass(frozen=True)
class Word:
    """Something that may be typed: an option, a sub-command or a choice, with its explanation.

    An option with a value has all its spellings in `names`, with the values that are known or whether it is a file.
    """

    text: str
    help: str
    names: tuple[str, ...] = ()
    values: tuple[str, ...] = ()
    is_file: bool = False


@dataclass
class Syntax:
    """What may follow a command: these words, and perhaps files."""

    words: list[Word] = field(default_factory=list)
    files: bool = False


def is_file(action: argparse.Action) -> bool:
    return action.type is Path or action.metavar in FILES


def values_of(action: argparse.Action) -> tuple[str, ...]:
    if "--level" in action.option_strings:
        return levels.NAMES
    return tuple(map(str, action.choices or ()))


def words_of(parser: argparse.ArgumentParser) -> dict[str, Syntax]:
    """What may follow a command, by its sub-command; the empty one is the command itself."""
    found = {"": Syntax()}
    words = found[""].words
    for action in parser._actions:
        explained = (action.help or "").partition("(default")[0].replace("%%", "%").split(";")[0].strip(" ,.:")
        if isinstance(action, argparse._SubParsersAction):
            for choice in action._choices_actions:
                words.append(Word(choice.dest, choice.help or ""))
                found[choice.dest] = words_of(action.choices[choice.dest])[""]
        elif action.option_strings:
            names = () if action.nargs == 0 else tuple(action.option_strings)
            words.append(Word(action.option_strings[-1], explained, names, values_of(action), is_file(action)))
        else:
            words += [Word(value, explained) for value in values_of(action)]
            found[""].files |= is_file(action)
    return found


def vocabulary() -> dict[str, dict[str, Syntax]]:
    """Every command with what may follow it."""
    from barreleye.cli import COMMANDS, parser_of

    return {name: words_of(parser_of(name, import_module(module))) for name, module in COMMANDS.items()}


def summaries() -> list[Word]:
    from barreleye.cli import COMMANDS, summary_of

    return [Word(name, summary_of(module)) for name, module in COMMANDS.items()]


def keys(name: str, sub: str) -> str:
    return f"{name} {sub}".strip()


def syntaxes() -> list[tuple[str, Syntax]]:
    """Every command and sub-command with what may follow it."""
    return [(keys(name, sub), syntax) for name, subs in vocabulary().items() for sub, syntax in subs.items()]


def valued() -> list[tuple[str, Word]]:
    """Every option that wants a value, as the pattern of a shell's case: command and option, in all spellings."""
    return [("|".join(f"'{key} {name}'" for name in word.names), word)
            for key, syntax in syntaxes() for word in syntax.words if word.names]


def bash() -> str:
    """Options, commands, choices, and files where they are expected; after an option, its values."""
    cases = "\n".join(f"    '{key}') words='{' '.join(word.text for word in syntax.words)}' files={syntax.files:d} ;;"
                      for key, syntax in syntaxes())
    values = "\n".join(f"    {pattern}) words='{' '.join(word.values)}' files={word.is_file:d} ;;"
                       for pattern, word in valued())
    first = " ".join(word.text for word in summaries())
    return f"""\
# bash completion for barreleye
_barreleye() {{
  local current="${{COMP_WORDS[COMP_CWORD]}}" words='' files=0 key="${{COMP_WORDS[1]}}"
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W '{first} help --help --version' -- "$current"))
    return
  fi
  case "$key" in
    {'|'.join(name for name, subs in vocabulary().items() if len(subs) > 1)})
      [ "$COMP_CWORD" -gt 2 ] && [ "${{COMP_WORDS[2]#-}}" = "${{COMP_WORDS[2]}}" ] && key="$key ${{COMP_WORDS[2]}}" ;;
  esac
  case "$key" in
{cases}
  esac
  case "$key ${{COMP_WORDS[COMP_CWORD-1]}}" in
{values}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  [ "$files" = 1 ] || return 0
  case "$current" in -*) ;; *) COMPREPLY+=($(compgen -f -- "$current")) ;; esac
}}
complete -o filenames -F _barreleye barreleye
"""


def zsh() -> str:
    def listed(words: list[Word]) -> str:
        return " ".join("'" + f"{word.text}:{word.help}".replace("'", "'\\''") + "'" for word in words)

    cases = "\n".join(f"    '{key}') described=({listed(syntax.words)}) files={syntax.files:d} ;;"
                      for key, syntax in syntaxes())
    values = "\n".join(f"    {pattern}) described=({' '.join(word.values)}) files={word.is_file:d} ;;"
                       for pattern, word in valued())
    return f"""\
#compdef barreleye
# zsh completion for barreleye
_barreleye() {{
  local -a described
  local files=0 key="${{words[2]}}"
  if (( CURRENT == 2 )); then
    described=({listed(summaries())})
    _describe command described
    return
  fi
  case "$key" in
    {'|'.join(name for name, subs in vocabulary().items() if len(subs) > 1)})
      (( CURRENT > 3 )) && [[ "${{words[3]}}" != -* ]] && key="$key ${{words[3]}}" ;;
  esac
  case "$key" in
{cases}
  esac
  case "$key ${{words[CURRENT-1]}}" in
{values}
  esac
  (( $#described )) && _describe -o option described
  (( files )) && [[ "$PREFIX" != -* ]] && _files
}}
if [ "$funcstack[1]" = "_barreleye" ]; then _barreleye "$@"; else compdef _barreleye barreleye; fi
"""


def fish() -> str:
    def quoted(text: str) -> str:
        return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"

    lines = ["# fish completion for barreleye", "complete -c barreleye -n __fish_use_subcommand -f"]
    lines += [f"complete -c barreleye -n __fish_use_subcommand -a {word.text} -d {quoted(word.help)}"
              for word in summaries()]
    for name, subs in vocabulary().items():
        for sub, syntax in subs.items():
            seen = f"__fish_seen_subcommand_from {name}"
            seen += f"; and __fish_seen_subcommand_from {sub}" if sub else ""
            lines.append(f"complete -c barreleye -n {quoted(seen)} {'-F' if syntax.files else '-f'}")
            for word in syntax.words:
                what = f"-l {word.text[2:]}" if word.text.startswith("--") else f"-a {word.text}"
                what += "".join(f" -s {name[1:]}" for name in word.names if len(name) == 2)
                if word.names:
                    what += " -r -F" if word.is_file else f" -x -a {quoted(' '.join(word.values))}"
                lines.append(f"complete -c barreleye -n {quoted(seen)} {what} -d {quoted(word.help)}")
    return "\n".join(lines) + "\n"


SCRIPTS = {"bash": bash, "zsh": zsh, "fish": fish}
