"""Reads the published suites: positions with their best moves, mates with their length."""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import chess


@dataclass(frozen=True)
class Case:
    """A position and what is asked of it."""

    name: str
    fen: str
    best: frozenset[str] = frozenset()
    avoid: frozenset[str] = frozenset()
    mate: int = 0

    @property
    def board(self) -> chess.Board:
        return chess.Board(self.fen)

    def is_solved_by(self, move: str) -> bool:
        return move not in self.avoid and (not self.best or move in self.best)


def read_best_moves(path: Path) -> list[Case]:
    """The `bm` and `am` of each line; python-chess knows what SAN means."""
    cases = []
    for number, line in enumerate(filter(None, path.read_text().splitlines()), 1):
        board = chess.Board()
        operations: dict[str, Any] = dict(board.set_epd(line))
        best, avoid = (frozenset(move.uci() for move in operations.get(code, [])) for code in ("bm", "am"))
        cases.append(Case(str(operations.get("id", f"{path.stem}:{number}")), board.fen(), best, avoid))
    return cases


def read_mates(path: Path) -> list[Case]:
    """Mates with their length, from `ce +M3`. The suite writes moves in long algebraic, which EPD does not know."""
    cases = []
    for number, line in enumerate(filter(None, path.read_text().splitlines()), 1):
        fields = " ".join(line.split()[:4])
        length = re.search(r"ce \+M(\d+);", line)
        assert length, line
        cases.append(Case(f"{path.stem}:{number}", f"{fields} 0 1", mate=int(length[1])))
    return cases
