"""What Engine.explain does: the question read, a twin of the engine that may be used up, the answers."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from barreleye.engine.limits import Limits
from barreleye.engine.python_chess import legal_moves_of, position_of
from barreleye.explain.explanation import DEFAULT_NODES, Explanation, explain

if TYPE_CHECKING:
    import chess

    from barreleye.engine.engine import Engine
    from barreleye.engine.limits import AnyLimit
    from barreleye.engine.python_chess import Place


def explain_position(engine: Engine, board: Place | None, limit: AnyLimit | None,
                     why_not: chess.Move | str | Iterable[chess.Move | str] | None, **questions: Any) -> Explanation:
    """Explain a position, by default the engine's; ValueError says what is wrong with a move or the limit."""
    asked = Limits.of({"nodes": DEFAULT_NODES} if limit is None else limit)
    if not asked.words() or not asked.words().keys() <= {"nodes", "depth"}:
        raise ValueError(f"{limit} cannot be repeated exactly: explain() needs a limit in nodes or in depth")
    position = engine.board.copy() if board is None else position_of(board)
    moves = [] if why_not is None else legal_moves_of(position, why_not)
    with engine.twin() as twin:
        twin.board = position
        return explain(twin, nodes=asked.nodes, depth=asked.depth, why_nots=moves, **questions)
