"""What a tab may ask, read with care: every field is checked here, and what is wrong is said in a sentence."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

MOST_BYTES = 64 << 10            # of a message
MOST_PGN = 2 << 20               # of an uploaded file
MOST_MOVES = 2000
MOST_NODES = 1_000_000_000
MOST_SECONDS = 24 * 3600


class Problem(ValueError):
    """A sentence for the page."""


class Request:
    """One message of a tab: what to do, and what with."""

    def __init__(self, text: str | bytes) -> None:
        try:
            found = json.loads(text)
        except (ValueError, RecursionError):
            raise Problem("This message is not JSON.") from None
        if not isinstance(found, dict):
            raise Problem("A message has to be a JSON object.")
        self.fields: dict[str, Any] = found
        number = found.get("id")
        self.id = number if isinstance(number, int) and not isinstance(number, bool) else None
        self.what = self.text("do", most=40)

    def text(self, name: str, default: str | None = None, most: int = 400) -> str:
        """A field that holds text."""
        value = self.fields.get(name, default)
        if not isinstance(value, str) or len(value) > most:
            raise Problem(f"The message needs {name!r}, a text of up to {most} characters.")
        return value

    def number(self, name: str, least: int, most: int, default: int | None = None) -> int:
        """A field that holds a whole number."""
        value = self.fields.get(name, default)
        if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
            raise Problem(f"{name} is a whole number from {least:,} to {most:,}.")
        return value

    def flag(self, name: str) -> bool:
        """A field that is true or false; false when it is missing."""
        value = self.fields.get(name, False)
        if not isinstance(value, bool):
            raise Problem(f"{name} is true or false.")
        return value

    def words(self, name: str, most: int = MOST_MOVES, longest: int = 40) -> list[str]:
        """A field that holds a list of short texts; empty when it is missing."""
        value = self.fields.get(name, [])
        if (not isinstance(value, list) or len(value) > most
                or not all(isinstance(word, str) and len(word) <= longest for word in value)):
            raise Problem(f"{name} is a list of at most {most} short texts.")
        return value

    def part(self, name: str) -> Mapping[str, Any]:
        """A field that holds an object; empty when it is missing."""
        value = self.fields.get(name, {})
        if not isinstance(value, dict):
            raise Problem(f"{name} is an object.")
        return value

    def limit(self) -> dict[str, float]:
        """How long to think: at most one of seconds, nodes and depth; nothing is as long as it is wanted."""
        asked = self.part("limit")
        ranges = {"time": (0.01, MOST_SECONDS), "nodes": (1, MOST_NODES), "depth": (1, 245)}
        found: dict[str, float] = {}
        for name, value in asked.items():
            if name not in ranges:
                raise Problem("A limit is a time in seconds, a number of nodes or a depth.")
            least, most = ranges[name]
            if not isinstance(value, (int, float)) or isinstance(value, bool) or not least <= value <= most:
                raise Problem(f"The limit {name} is a number from {least:,} to {most:,}.")
            found[name] = value if name == "time" else int(value)
        return found
