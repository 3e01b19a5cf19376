"""What the benchmarks ask of an independent engine: when a difference is clear, and what its scores are worth."""

import chess
import chess.engine

CLEAR_COST, CLEAR_GAP, AS_GOOD = 150, 100, 50
CEILING = 1500                  # beyond this a game is won, however much more it is; mates are beyond it


def points(score: chess.engine.PovScore, color: chess.Color) -> int:
    """Centipawns for a side; a mate counts more, the sooner the more."""
    mine = score.pov(color)
    mate = mine.mate()
    if mate is not None:
        return CEILING + 500 - abs(mate) if mate > 0 else -CEILING - 500 + abs(mate)
    return max(-CEILING, min(CEILING, mine.score() or 0))
