"""What every test may ask for."""

import os
import struct
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def root_dir() -> Path:
    """The source tree the tests belong to."""
    return ROOT


@pytest.fixture(scope="session")
def data_dir() -> Path:
    """Published test suites, opening books and tablebases, which are too large for the source tree."""
    folder = Path(os.environ.get("BARRELEYE_DATA") or ROOT.parent / "shared" / "data")
    if not folder.is_dir():
        reason = f"test data is not at {folder}: set BARRELEYE_DATA to the folder that holds it"
        pytest.fail(reason) if os.environ.get("CI") == "true" else pytest.skip(reason)
    return folder


@pytest.fixture
def book_file(tmp_path: Path) -> Callable[[dict[str, dict[str, int]]], Path]:
    """Makes a Polyglot book from the moves and weights of some positions."""
    import chess
    import chess.polyglot

    def make(lines: dict[str, dict[str, int]]) -> Path:
        entries = []
        for fen, moves in lines.items():
            for text, weight in moves.items():
                move = chess.Move.from_uci(text)
                promotion = (move.promotion or 1) - 1
                number = move.to_square | move.from_square << 6 | promotion << 12
                entries.append(struct.pack(">QHHI", chess.polyglot.zobrist_hash(chess.Board(fen)), number, weight, 0))
        path = tmp_path / "book.bin"
        path.write_bytes(b"".join(sorted(entries)))
        return path

    return make
