"""Data sets on disk: positions with the score and result of their games, and the games themselves.

A positions file is a header of 1024 bytes and 32-byte records, in the order in which the games were played. Positions
that the search found on the way stand behind the one it was searching, marked as having no result. The header says in
JSON where the positions come from: engine version, network, settings, seeds. A games file has the same header and, for
each game, its start, result and moves with scores, so that filters and labels can be redone.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from barreleye import output

POSITIONS_MAGIC = b"BARRELEYE POS\0\0\0"
GAMES_MAGIC = b"BARRELEYE GAMES\0"
HEADER_SIZE = 1024
RECORD = np.dtype([("occupied", "<u8"), ("pieces", "u1", 16), ("score", "<i2"), ("result", "u1"), ("side_ep", "u1"),
                   ("rule50", "u1"), ("castling", "u1"), ("ply", "<u2")])
FIELDS = struct.Struct("<Q16shBBBBH")     # of a record
GAME = struct.Struct("<QBBHH")      # seed, result, Chess960, bytes of the start's FEN, moves
MOVE_SIZE = 4                       # a move and white's score, 16 bits each
BLACK_TO_MOVE = 128
NO_RESULT = 3                       # in place of a result: the search found the position, nobody played it
PIECE_LETTERS = ".PNBRQK..pnbrqk."

Records = np.ndarray[Any, Any]


@dataclass(frozen=True, slots=True)
class StoredGame:
    """A game of self-play: moves are (16-bit move, white's score) pairs, random ones with a score of 0."""

    seed: int
    result: int
    start: str
    chess960: bool
    moves: bytes

    def pack(self) -> bytes:
        start = self.start.encode()
        return (GAME.pack(self.seed, self.result, self.chess960, len(start), len(self.moves) // MOVE_SIZE)
                + start + self.moves)


def write_file(path: Path, magic: bytes, facts: dict[str, Any], payload: bytes) -> None:
    """A header and what follows it, whole or not at all."""
    head = magic + json.dumps(facts, sort_keys=True).encode()
    if len(head) > HEADER_SIZE:
        raise ValueError(f"{path}: the description takes {len(head)} bytes, but there is room for {HEADER_SIZE}")
    with output.writing(path, "wb") as file:
        file.write(head.ljust(HEADER_SIZE))
        file.write(payload)


def read_facts(path: Path, magic: bytes = POSITIONS_MAGIC) -> dict[str, Any]:
    """What a file says of itself; ValueError if it is not such a file."""
    with path.open("rb") as file:
        head = file.read(HEADER_SIZE)
    if len(head) < HEADER_SIZE or not head.startswith(magic):
        kind = "positions" if magic == POSITIONS_MAGIC else "games"
        raise ValueError(f"{path} is not a Barreleye {kind} file: `barreleye train generate` makes such files")
    try:
        facts: dict[str, Any] = json.loads(head[len(magic):])
    except ValueError:
        raise ValueError(f"{path} has a damaged header") from None
    return facts


def read_positions(path: Path) -> Records:
    """The records of a file, mapped and not read; an unfinished record at the end is left out."""
    count = count_positions(path)
    if count == 0:
        return np.zeros(0, RECORD)
    return np.memmap(path, RECORD, "r", HEADER_SIZE, (count,))


def count_positions(path: Path) -> int:
    """Whole records in a file."""
    read_facts(path)
    return (path.stat().st_size - HEADER_SIZE) // RECORD.itemsize


@dataclass(frozen=True, slots=True)
class Part:
    """The first positions of a file, as many as it had when it was looked at; it may grow meanwhile."""

    path: Path
    count: int

    def read(self, first: int, count: int) -> Records:
        """Some positions in a row, in memory."""
        records = np.empty(count, RECORD)
        self.read_into(records, first)
        return records

    def read_into(self, records: Records, first: int) -> None:
        """Fill an array with the positions from one on."""
        with self.path.open("rb") as file:
            file.seek(HEADER_SIZE + first * RECORD.itemsize)
            if file.readinto(records.view(np.uint8).data) != records.nbytes:
                raise ValueError(f"{self.path} has become shorter while it was in use")


def find_parts(paths: Iterable[Path]) -> list[Part]:
    """The positions of some files and folders as they are now, unread."""
    return [Part(path.resolve(), count_positions(path)) for path in find_files(paths)]


def write_positions(path: Path, facts: dict[str, Any], records: Records | bytes) -> None:
    """A positions file; facts may have anything JSON can say."""
    payload = records if isinstance(records, bytes | bytearray) else np.ascontiguousarray(records).tobytes()
    write_file(path, POSITIONS_MAGIC, facts, bytes(payload))


def read_games(path: Path) -> Iterator[StoredGame]:
    """The games of a games file."""
    read_facts(path, GAMES_MAGIC)
    data = path.read_bytes()
    place = HEADER_SIZE
    while place + GAME.size <= len(data):
        seed, result, chess960, length, moves = GAME.unpack_from(data, place)
        place += GAME.size
        end = place + length + MOVE_SIZE * moves
        if end > len(data):
            raise ValueError(f"{path} is cut short")
        yield StoredGame(seed, result, data[place:place + length].decode(), bool(chess960), data[place + length:end])
        place = end


def find_files(paths: Iterable[Path], kind: str = "positions") -> list[Path]:
    """Files of positions, or of games, named one by one or by their folders, in the order of their names."""
    found: list[Path] = []
    for path in paths:
        inside = sorted(path.glob(f"*.{kind}")) if path.is_dir() else [path]
        if not inside:
            raise ValueError(f"there are no {kind} in {path}")
        found += inside
    return found


def load(paths: Iterable[Path]) -> Records:
    """All positions of some files and folders, in memory."""
    parts = [read_positions(path) for path in find_files(paths)]
    return np.concatenate(parts) if parts else np.zeros(0, RECORD)


def game_numbers(records: Records) -> np.ndarray[Any, Any]:
    """Which game each record belongs to.

    Within a game the ply of the positions that were played only grows. Those without a result belong to the game of the
    one before them, whatever their ply; where nothing was played, a game begins where the ply falls.
    """
    ply = records["ply"].astype(np.int32)
    played = records["result"] != NO_RESULT
    starts = np.zeros(len(records), bool)
    if played.any():
        starts[played] = np.diff(ply[played], prepend=1 << 17) <= 0
    else:
        starts = np.diff(ply, prepend=1 << 17) < 0
    starts[:1] = True
    return np.cumsum(starts) - 1


def fen(record: Any) -> str:
    """A record as FEN; castling rights are read as those of a game that began in the usual array."""
    # Straight from the bytes: numpy takes longer to hand out eight fields than the rest takes.
    occupied, men, _, _, side_ep, rule50, castling, ply = FIELDS.unpack(record.tobytes())
    pieces = int.from_bytes(men, "little")
    board = ["1"] * 64
    while occupied:
        lowest = occupied & -occupied
        board[lowest.bit_length() - 1] = PIECE_LETTERS[pieces & 15]
        occupied ^= lowest
        pieces >>= 4
    rows = "/".join("".join(board[first:first + 8]) for first in range(56, -1, -8))
    for gap in range(8, 1, -1):
        rows = rows.replace("1" * gap, str(gap))
    black = side_ep & BLACK_TO_MOVE
    rights = "".join(letter for bit, letter in enumerate("KQkq") if castling >> bit & 1) or "-"
    ep_file = side_ep & 15
    square_name = f"{'abcdefgh'[ep_file - 1]}{3 if black else 6}" if ep_file else "-"
    return f"{rows} {'b' if black else 'w'} {rights} {square_name} {rule50} {1 + (ply >> 1)}"
