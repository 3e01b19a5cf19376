"""Print what makes your shell complete Barreleye's commands and options when you press Tab.

The output is a script for the shell; it needs nothing but the shell itself.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from importlib import import_module

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
    """Something that may be typed: an option, a sub-command or a choice, with its explanation."""

    text: str
    help: str


def words_of(parser: argparse.ArgumentParser) -> dict[str, list[Word]]:
    """What may follow a command, by its sub-command; the empty one is the command itself."""
    found: dict[str, list[Word]] = {"": []}
    for action in parser._actions:
        explained = (action.help or "").partition("(default")[0].replace("%%", "%").split(";")[0].strip(" ,.:")
        if isinstance(action, argparse._SubParsersAction):
            for choice in action._choices_actions:
                found[""].append(Word(choice.dest, choice.help or ""))
                found[choice.dest] = words_of(action.choices[choice.dest])[""]
        elif action.option_strings:
            found[""].append(Word(action.option_strings[-1], explained))
        else:
            found[""] += [Word(str(choice), explained) for choice in action.choices or ()]
    return found


def vocabulary() -> dict[str, dict[str, list[Word]]]:
    """Every command with what may follow it."""
    from barreleye.cli import COMMANDS, parser_of

    return {name: words_of(parser_of(name, import_module(module))) for name, module in COMMANDS.items()}


def summaries() -> list[Word]:
    from barreleye.cli import COMMANDS, summary_of

    return [Word(name, summary_of(module)) for name, module in COMMANDS.items()]


def keys(name: str, sub: str) -> str:
    return f"{name} {sub}".strip()


def bash() -> str:
    """Options where a word begins with a dash, commands and choices elsewhere, and files."""
    cases = "\n".join(f"    '{keys(name, sub)}') words='{' '.join(word.text for word in words)}' ;;"
                      for name, subs in vocabulary().items() for sub, words in subs.items())
    first = " ".join(word.text for word in summaries())
    return f"""\
# bash completion for barreleye
_barreleye() {{
  local current="${{COMP_WORDS[COMP_CWORD]}}" words='' key="${{COMP_WORDS[1]}}"
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W '{first} help --help --version' -- "$current"))
    return
  fi
  case "$key" in
    {'|'.join(name for name, subs in vocabulary().items() if len(subs) > 1)})
      [ "$COMP_CWORD" -gt 2 ] && key="$key ${{COMP_WORDS[2]}}" ;;
  esac
  case "$key" in
{cases}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  case "$current" in -*) ;; *) COMPREPLY+=($(compgen -f -- "$current")) ;; esac
}}
complete -o filenames -F _barreleye barreleye
"""


def zsh() -> str:
    def listed(words: list[Word]) -> str:
        return " ".join("'" + f"{word.text}:{word.help}".replace("'", "'\\''") + "'" for word in words)

    cases = "\n".join(f"    '{keys(name, sub)}') described=({listed(words)}) ;;"
                      for name, subs in vocabulary().items() for sub, words in subs.items())
    return f"""\
#compdef barreleye
# zsh completion for barreleye
_barreleye() {{
  local -a described
  local key="${{words[2]}}"
  if (( CURRENT == 2 )); then
    described=({listed(summaries())})
    _describe command described
    return
  fi
  case "$key" in
    {'|'.join(name for name, subs in vocabulary().items() if len(subs) > 1)})
      (( CURRENT > 3 )) && key="$key ${{words[3]}}" ;;
  esac
  case "$key" in
{cases}
  esac
  _describe -o option described
  [[ "$PREFIX" == -* ]] || _files
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
        for sub, words in subs.items():
            seen = f"__fish_seen_subcommand_from {name}"
            seen += f"; and __fish_seen_subcommand_from {sub}" if sub else ""
            for word in words:
                what = f"-l {word.text[2:]}" if word.text.startswith("--") else f"-a {word.text}"
                lines.append(f"complete -c barreleye -n {quoted(seen)} {what} -d {quoted(word.help)}")
    return "\n".join(lines) + "\n"


SCRIPTS = {"bash": bash, "zsh": zsh, "fish": fish}
