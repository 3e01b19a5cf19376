"""Text from files and engines made safe to show: a name must not move the cursor, change colours or end a line."""

from __future__ import annotations

import unicodedata
from typing import TextIO

# Categories of characters: controls, also of the direction of writing, halves of characters, ends of lines.
HARMFUL = {"Cc", "Cf", "Cs", "Zl", "Zp"}
REPLACEMENT = "?"


def printable(text: str, keep: str = "") -> str:
    """The text with a question mark for every character that a terminal would obey instead of showing it.

    >>> printable("Evil" + chr(27) + "[31m" + chr(10) + "Name")
    'Evil?[31m?Name'
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(char if char in keep or unicodedata.category(char) not in HARMFUL else REPLACEMENT for char in text)


class SafeOutput:
    """A stream to a terminal, with only line ends and tabs obeyed."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        return self._stream.write(printable(text, keep="\n\t"))

    def flush(self) -> None:
        self._stream.flush()
