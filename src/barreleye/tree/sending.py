"""A tree on its way to another process: what it was searched from, and how it is put together again."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from barreleye.core.position import Position
from barreleye.tree.words import PASS

if TYPE_CHECKING:
    from barreleye.core.recorder import Recording
    from barreleye.tree.tree import Summary, Tree


def told(position: Position) -> tuple[str, tuple[str, ...]]:
    """A position as a FEN and the moves from there, as far back as a repetition can reach."""
    steps = [position.copy()]
    for _ in range(position.halfmove_clock):
        before = steps[-1].copy()
        try:
            before.pop()
        except ValueError:                  # as far as its history is known
            break
        steps.append(before)
    moves = []
    for before, after in itertools.pairwise(reversed(steps)):
        moves.append(next((move for move in before.legal_moves() if led(before, move) == after.key), PASS))
    return steps[-1].fen(shredder=position.chess960), tuple(moves)


def led(position: Position, move: str) -> int:
    """The key of the position that a move leads to."""
    after = position.copy()
    after.push(move)
    return after.key


def remade(recordings: Sequence[Recording], fen: str, chess960: bool, moves: Sequence[str], summary: Summary,
           replay: Callable[[Tree, dict[str, Any]], Tree] | None) -> Tree:
    """A tree that was sent to another process."""
    from barreleye.tree.tree import Tree

    position = Position(fen, chess960)
    for move in moves:
        if move == PASS:
            position.push_null()
        else:
            position.push(move)
    return Tree(recordings, position, summary, replay)
