"""What every answer is: sentences, each with the numbers and lines it stands on, as text, as data and as a picture."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from enum import Enum
from typing import Any, ClassVar


@dataclass(frozen=True, slots=True)
class Sentence:
    """One thing said, and what it stands on: plain data, so that anybody can check it.

    >>> print(Sentence("Nf5 loses a knight.", {"move": "g3f5", "reply": "g6f5"}))
    Nf5 loses a knight.
    """

    text: str
    evidence: Mapping[str, Any] = field(hash=False)

    def __post_init__(self) -> None:
        if not self.text or not self.evidence:
            raise ValueError("a sentence needs words and evidence")

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """The answer to one question about one position. Each question has a class of its own with what it found."""

    has_own_board: ClassVar[bool] = False   # whether its picture shows more than the move that it is about

    question: str                           # as a person would ask it: Why Nf3?
    fen: str
    sentences: tuple[Sentence, ...]
    arrow: str | None = None                # the move that it is about, as UCI text, for pictures

    def __str__(self) -> str:
        return " ".join(sentence.text for sentence in self.sentences)

    def to_json(self) -> dict[str, Any]:
        """All of it as plain data, the class's own findings included."""
        data: dict[str, Any] = plain(self)
        return {"kind": type(self).__name__, **data}

    def _repr_mimebundle_(self, **_: Any) -> dict[str, Any]:
        """What notebooks show."""
        from barreleye.pictures.notebook import of_answer

        return of_answer(self)


def plain(value: Any) -> Any:
    """Plain data for json.dumps: dataclasses and mappings as objects, sequences and sets as arrays."""
    if is_dataclass(value) and not isinstance(value, type):
        return {part.name: plain(getattr(value, part.name)) for part in fields(value)}
    if isinstance(value, Mapping):
        return {str(name): plain(part) for name, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(part) for part in value]
    if isinstance(value, (set, frozenset)):
        return sorted(plain(part) for part in value)
    return value.value if isinstance(value, Enum) else value
