"""The options an engine offers after `uci`, and the check of a value before it is sent."""

from __future__ import annotations

import re
from dataclasses import dataclass

_LINE = re.compile(r"option\s+name\s+(?P<name>.+?)\s+type\s+(?P<kind>\w+)(?P<rest>.*)")
_PART = re.compile(r"\b(default|min|max|var)\b")


@dataclass(frozen=True)
class UciOption:
    name: str
    kind: str
    default: str = ""
    low: int | None = None
    high: int | None = None
    choices: tuple[str, ...] = ()

    @classmethod
    def parse(cls, line: str) -> UciOption | None:
        """Read one `option name ... type ...` line; None when it is not one.

        >>> UciOption.parse("option name Hash type spin default 16 min 1 max 64").high
        64
        """
        found = _LINE.match(line.strip())
        if not found:
            return None
        parts = _PART.split(found["rest"])
        said = [(key, value.strip()) for key, value in zip(parts[1::2], parts[2::2], strict=True)]
        single = dict(said)
        return cls(
            name=found["name"],
            kind=found["kind"],
            default=single.get("default", ""),
            low=_number(single.get("min")),
            high=_number(single.get("max")),
            choices=tuple(value for key, value in said if key == "var"),
        )

    def checked(self, value: str) -> str:
        """The value as it is to be sent; ValueError when the engine said it would not take it."""
        if self.kind == "check":
            if value.lower() not in ("true", "false"):
                raise ValueError(f"option {self.name} is true or false, not {value!r}")
            return value.lower()
        if self.kind == "spin":
            number = _number(value)
            if number is None:
                raise ValueError(f"option {self.name} is a whole number, not {value!r}")
            if (self.low is not None and number < self.low) or (self.high is not None and number > self.high):
                raise ValueError(f"option {self.name} goes from {self.low} to {self.high}, not {value}")
        if self.kind == "combo" and self.choices:
            for choice in self.choices:
                if choice.lower() == value.lower():
                    return choice
            raise ValueError(f"option {self.name} is one of {', '.join(self.choices)}, not {value!r}")
        return value


def _number(text: str | None) -> int | None:
    try:
        return int(text) if text is not None else None
    except ValueError:
        return None
