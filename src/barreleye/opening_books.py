"""Starting positions for the games: from EPD or PGN files, plain or packed, in order or shuffled by a seed."""

from __future__ import annotations

import io
import random
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from barreleye import packed
from barreleye.core.notation import START_FEN
from barreleye.core.position import Position

_SUFFIXES = (".epd", ".pgn", ".fen", ".txt")
_COUNTERS = re.compile(r"\b(hmvc|fmvn)\s+(\d+)\s*;")


@dataclass(frozen=True)
class Start:
    """A position to begin from and the moves already made there, which the engines are shown as history."""

    fen: str = START_FEN
    moves: tuple[str, ...] = ()


class Book:
    """Openings numbered from 0 without end: a book that is used up begins anew. Entries are read when asked for."""

    def __init__(self, entries: list[str], read: Callable[[str], Start], name: str, order: list[int]) -> None:
        self._entries = entries
        self._read = read
        self._order = order
        self.name = name

    def __len__(self) -> int:
        return len(self._entries)

    def opening(self, number: int, chess960: bool = False) -> Start:
        """The opening of this number, played through by our own rules; ValueError when it cannot begin a game."""
        index = self._order[number % len(self._order)]
        try:
            opening = self._read(self._entries[index])
            position = Position(opening.fen, chess960)
            for move in opening.moves:
                position.push(move)
        except ValueError as error:
            raise ValueError(f"{self.name}: opening {index + 1} is not playable: {error}") from error
        if not position.legal_moves():
            raise ValueError(f"{self.name}: opening {index + 1} is a finished game")
        return opening

    def check(self, count: int, chess960: bool = False) -> None:
        """Read the first openings that will be needed, so that a bad book is an error before any game."""
        for number in range(min(count, len(self), 1000)):
            self.opening(number, chess960)


def start_position_book() -> Book:
    return Book([START_FEN], read_epd, "start position", [0])


def open_book(path: str, order: str = "random", seed: int = 1, start: int = 1, plies: int | None = None) -> Book:
    """A book from a file; `start` is the number of the first opening in sequential order, `plies` cuts PGN lines."""
    if order not in ("random", "sequential"):
        raise ValueError(f"the order of openings is random or sequential, not {order!r}")
    name, text = _read_text(Path(path))
    if name.lower().endswith(".pgn"):
        entries = [part for part in re.split(r"\n(?=\[Event )", text.replace("\r\n", "\n")) if part.strip()]
    else:
        entries = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    if not entries:
        raise ValueError(f"{path}: the book holds no openings")
    indices = list(range(len(entries)))
    if order == "random":
        random.Random(seed).shuffle(indices)
    else:
        first = (start - 1) % len(indices)
        indices = indices[first:] + indices[:first]
    if name.lower().endswith(".pgn"):
        return Book(entries, lambda entry: read_pgn(entry, plies), name, indices)
    return Book(entries, read_epd, name, indices)


def _read_text(path: Path) -> tuple[str, str]:
    """The name (without its packing) and text of a plain, .gz or .zip file; in an archive the first book counts."""
    try:
        name, data = packed.unpacked(path.read_bytes(), str(path), _SUFFIXES)[0]
    except (OSError, ValueError) as error:
        raise ValueError(f"cannot read the book {path}: {getattr(error, 'strerror', None) or error}") from error
    return name, packed.text(data)


def read_epd(line: str) -> Start:
    """A FEN or EPD line; missing counters are read from `hmvc` and `fmvn` or begin at 0 and 1.

    >>> read_epd("4k3/8/8/8/8/8/8/4K2R w K - hmvc 3;").fen
    '4k3/8/8/8/8/8/8/4K2R w K - 3 1'
    """
    fields = line.split()
    if len(fields) < 4:
        raise ValueError(f"{line.strip()!r} is not a FEN")
    if len(fields) >= 6 and fields[4].isdigit() and fields[5].rstrip(";").isdigit():
        counters = [fields[4], fields[5].rstrip(";")]
    else:
        said = dict(_COUNTERS.findall(line))
        counters = [said.get("hmvc", "0"), said.get("fmvn", "1")]
    return Start(" ".join(fields[:4] + counters))


def read_pgn(text: str, plies: int | None = None) -> Start:
    """The main line of a PGN game, or its first plies."""
    import chess.pgn

    class Builder(chess.pgn.GameBuilder[chess.pgn.Game]):
        """Keeps errors in the game; python-chess would also log them to the terminal."""

        def handle_error(self, error: Exception) -> None:
            self.game.errors.append(error)

    game = chess.pgn.read_game(io.StringIO(text), Visitor=Builder)
    if game is None:
        raise ValueError("no game in this part of the file")
    if game.errors:
        raise ValueError(str(game.errors[0]))
    moves = [move.uci() for move in game.mainline_moves()][:plies]
    return Start(game.headers.get("FEN", START_FEN), tuple(moves))
