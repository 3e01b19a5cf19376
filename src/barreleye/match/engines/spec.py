"""The players of a match as the user names them: command, name, directory, options, time control."""

from __future__ import annotations

import os
import shlex
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from barreleye.match.games.clock import TimeControl

_LIMITS = ("st", "nodes", "depth")


@dataclass(frozen=True)
class EngineSpec:
    """How to start one engine. `control` overrides the match's time control for this player."""

    command: tuple[str, ...]
    name: str = ""
    directory: str | None = None
    options: Mapping[str, str] = field(default_factory=dict)
    control: TimeControl | None = None

    def __post_init__(self) -> None:
        if not self.command or not self.command[0]:
            raise ValueError("an engine needs a command: --engine cmd=PATH")
        if not self.name:
            object.__setattr__(self, "name", Path(self.command[0]).name)

    @classmethod
    def parse(cls, words: Sequence[str], each: Sequence[str] = ()) -> EngineSpec:
        """Read `cmd=... name=... dir=... tc=... option.Hash=16`; `each` holds words for every engine, said first.

        >>> EngineSpec.parse(["cmd=gnuchess --uci", "option.Hash=16"]).command
        ('gnuchess', '--uci')
        """
        plain: dict[str, str] = {}
        options: dict[str, str] = {}
        control: TimeControl | None = None
        for word in [*each, *words]:
            key, equals, value = word.partition("=")
            if not equals and not plain and os.sep in key:
                key, value = "cmd", word
            if key == "tc":
                control = TimeControl.parse(value)
            elif key in _LIMITS:
                control = TimeControl.parse(word)
            elif key.startswith("option.") and len(key) > len("option."):
                options = {name: kept for name, kept in options.items() if name.lower() != key[7:].lower()}
                options[key[7:]] = value
            elif key in ("cmd", "name", "dir"):
                plain[key] = value
            else:
                known = "cmd=, name=, dir=, tc=, st=, nodes=, depth= and option.NAME="
                raise ValueError(f"{word!r} is not a setting of an engine; there are {known}")
        return cls(tuple(shlex.split(plain.get("cmd", ""))), plain.get("name", ""), plain.get("dir"), options, control)

    def resolved_command(self) -> list[str]:
        """The command with its program found: as a path from here, from the engine's directory, or on PATH."""
        program, *arguments = self.command
        if self.directory and not Path(self.directory).is_dir():
            raise ValueError(f"engine {self.name}: there is no directory {self.directory}")
        places = [Path(program), Path(self.directory or ".") / program]
        for place in places if os.path.dirname(program) else ():
            if place.is_file():
                if not os.access(place, os.X_OK):
                    raise ValueError(f"engine {self.name}: {place} is not executable")
                return [str(place.absolute()), *arguments]
        found = shutil.which(program)
        if found is None:
            raise ValueError(f"engine {self.name}: there is no program {program!r} here or on the PATH")
        return [os.path.abspath(found), *arguments]

    def described(self) -> dict[str, object]:
        """The settings that must not change while a match is resumed."""
        return {
            "command": list(self.command),
            "name": self.name,
            "directory": self.directory,
            "options": dict(sorted(self.options.items())),
            "control": str(self.control) if self.control else None,
        }
