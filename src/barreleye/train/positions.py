"""Positions with results, as the tuner reads them: a `FEN;result` or `FEN;result;score` a line, game after game."""

import gzip
import zlib
from collections.abc import Iterable, Iterator
from math import nan
from pathlib import Path
from typing import NamedTuple

from barreleye import packed

RESULTS = {"1-0": 1.0, "1/2-1/2": 0.5, "0-1": 0.0, "1": 1.0, "1.0": 1.0, "0.5": 0.5, "0": 0.0, "0.0": 0.0}


class Sample(NamedTuple):
    """A quiet position, how its game ended for white, which game that was, and what a search said in centipawns."""

    fen: str
    result: float
    game: int
    score: float = nan


def read_samples(paths: Iterable[Path]) -> Iterator[Sample]:
    """Every position of the files, plain or gzipped. A new game begins with a file or where the move number falls."""
    game = -1
    for path in paths:
        last_move = 0
        game += 1
        for number, line in enumerate(lines_of(path), 1):
            if not line.strip():
                continue
            fen, result, score = [*(part.strip() for part in line.split(";")), "", ""][:3]
            if result not in RESULTS:
                raise ValueError(f"{path}, line {number}: expected 'FEN;result' with 1-0, 1/2-1/2 or 0-1")
            try:
                said = float(score) if score else nan
            except ValueError:
                raise ValueError(f"{path}, line {number}: {score!r} is not a score in centipawns") from None
            move = move_number(fen)
            game += move < last_move
            last_move = move
            yield Sample(fen, RESULTS[result], game, said)


def lines_of(path: Path) -> Iterator[str]:
    """The lines of a plain or gzipped file, one at a time: there may be more of them than memory."""
    with path.open("rb") as file:
        is_packed = file.read(2) == packed.GZIP
    try:
        with gzip.open(path, "rt", encoding="utf-8") if is_packed else path.open(encoding="utf-8") as lines:
            yield from lines
    except (EOFError, zlib.error, gzip.BadGzipFile, UnicodeDecodeError) as error:
        raise ValueError(f"{path} cannot be read: {error}") from None


def move_number(fen: str) -> int:
    fields = fen.split()
    return int(fields[5]) if len(fields) > 5 and fields[5].isdigit() else 0
