"""What is kept of a training while it goes on, so that it can go on after any interruption."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np

from barreleye import output
from barreleye.train.dataset import Part

ARRAYS = ("weights", "best", "mean", "variance")


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """Where a training stands: what it was told, what it reads, how far it is, and its numbers as 32-bit floats."""

    settings: dict[str, Any]
    parts: list[Part]
    scale: float
    step: int
    loss: float
    seen: int
    history: list[dict[str, Any]]
    weights: bytes
    best: bytes
    mean: bytes
    variance: bytes

    def save(self, path: Path) -> None:
        """Write it, whole or not at all."""
        facts = {"settings": self.settings, "parts": [[str(part.path), part.count] for part in self.parts],
                 "scale": self.scale, "step": self.step, "loss": self.loss, "seen": self.seen, "history": self.history}
        arrays: dict[str, Any] = {name: np.frombuffer(getattr(self, name), "<f4") for name in ARRAYS}
        with output.writing(path, "wb") as file:
            np.savez(file, facts=np.array(json.dumps(facts)), **arrays)

    @classmethod
    def load(cls, path: Path) -> Checkpoint:
        """Read one; ValueError if the file is something else."""
        try:
            with np.load(path) as stored:
                facts = json.loads(str(stored["facts"]))
                arrays = {name: stored[name].tobytes() for name in ARRAYS}
            parts = [Part(Path(name), count) for name, count in facts.pop("parts")]
            return cls(parts=parts, **facts, **arrays)
        except (OSError, ValueError, KeyError, TypeError, EOFError, BadZipFile) as error:
            raise ValueError(f"{path} is not a checkpoint of this version: {error}; remove it to begin anew") from error

    def check(self, path: Path, settings: Any, parts: Sequence[Part]) -> None:
        """ValueError unless this is where a training with such settings and data stands; the data may have grown."""
        there = {part.path: part.count for part in parts}
        if self.settings != asdict(settings) or any(part.count > there.get(part.path, 0) for part in self.parts):
            raise ValueError(f"{path} belongs to another training: remove it, or train with its settings and data")
