"""`genfens`: openings as OpenBench asks for them."""

from __future__ import annotations

from collections.abc import Iterator

from barreleye.engine.random_openings import RandomOpenings


def openings(count: int, seed: int, book: str = "None") -> Iterator[str]:
    """FENs of openings."""
    source = RandomOpenings(seed, book="" if book == "None" else book)
    for number in range(count):
        yield source.opening(number).fen
