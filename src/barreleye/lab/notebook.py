"""The file an experiment is kept in: JSON, rewritten after every result, so that an interrupted run goes on from it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from barreleye import output
from barreleye.lab.effect import Effect
from barreleye.lab.strength import Strength


class Notebook:
    """Effects and strengths by technique. Results of another engine or depth are dropped, not mixed in."""

    def __init__(self, path: Path | None, signature: int, depth: int) -> None:
        self.path = path
        self.head = {"signature": signature, "depth": depth}
        self.effects: dict[str, Effect] = {}
        self.strengths: dict[str, Strength] = {}
        self.is_resumed = False
        if path is not None and path.exists():
            self._read(path)

    def _read(self, path: Path) -> None:
        try:
            kept: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
            if {name: kept[name] for name in self.head} != self.head:
                return
            self.effects = {row["technique"]: Effect(**row) for row in kept["effects"]}
            self.strengths = {row["technique"]: Strength(**row) for row in kept["strengths"]}
        except (ValueError, KeyError, TypeError) as error:
            raise ValueError(f"{path} does not hold an ablation: {error}") from error
        self.is_resumed = bool(self.effects)

    def add(self, result: Effect | Strength) -> None:
        """Keep a result at once."""
        if isinstance(result, Effect):
            self.effects[result.technique] = result
        else:
            self.strengths[result.technique] = result
        if self.path is not None:
            text = json.dumps({**self.head, "effects": [row.as_json() for row in self.effects.values()],
                               "strengths": [row.as_json() for row in self.strengths.values()]}, indent=1)
            output.write_text(self.path, text + "\n")

    @property
    def games_path(self) -> Path | None:
        """Where the games behind the strengths are kept, pair by pair."""
        return None if self.path is None else self.path.with_suffix(".notes")

    def largest(self, count: int) -> list[Effect]:
        """The techniques that are on by default with the largest effect on nodes."""
        rows = [row for row in self.effects.values() if row.default]
        return sorted(rows, key=lambda row: -row.size)[:count]
