"""How likely a move is to stay best with ten times the nodes: a logistic model of what a search shows of itself.

Fitted by benchmarks/confidence.py to 6,200 searches of 3,200 positions from fast games, of 2,000, 20,000 and 200,000
nodes, with net 3 or 4; docs/confidence.png shows what it says beside what happened. Of 6,150 searches with net 10 it
says as much as a model fitted to them: the log-loss is 0.509 against 0.508.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from barreleye.core.facts import MATE_RANGE

if TYPE_CHECKING:
    from barreleye.explain.confidence import Signs

DEEPEST = 40                    # iterations beyond which more say nothing more
INTERCEPT = -2.756
WEIGHTS = {"held": 0.139, "held by effort": 0.395, "effort": 1.590, "leaders": -0.252, "restless": 0.475, "gap": 0.536,
           "depth": 2.519, "mate": 1.427, "choice": 0.647, "nodes": -0.534}


def features(signs: Signs) -> dict[str, float]:
    """The numbers that the model weighs, each of about the same size."""
    held = math.log1p(min(signs.held, DEEPEST))
    return {
        "held": held,
        "held by effort": held * signs.late_effort,
        "effort": signs.effort,
        "leaders": float(signs.leaders),
        "restless": math.log1p(signs.spread) / 4,
        "gap": math.log1p(max(0, signs.gap)) / 5,
        "depth": min(signs.depth, DEEPEST) / 20,
        "mate": float(abs(signs.score) >= MATE_RANGE),
        "choice": math.log(max(2, signs.replies)) / 3,
        "nodes": math.log10(max(1, signs.nodes)) - 4,
    }


def probability(signs: Signs) -> float:
    """That ten times the nodes would choose the same move."""
    known = features(signs)
    return 1 / (1 + math.exp(-(INTERCEPT + sum(weight * known[name] for name, weight in WEIGHTS.items()))))
