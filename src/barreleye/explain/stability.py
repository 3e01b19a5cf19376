"""How likely a move is to stay best with ten times the nodes: a logistic model of what a search shows of itself.

Fitted by benchmarks/confidence.py; docs/confidence.png shows what it says beside what happened.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from barreleye.explain.confidence import Signs

INTERCEPT = 0.0
WEIGHTS = {"agreement": 1.0}


def features(signs: Signs) -> dict[str, float]:
    """The numbers that the model weighs, each of about the same size."""
    calm = 1 / (1 + signs.spread / 10)
    return {
        "agreement": signs.agreement,
        "held": math.log1p(signs.held),
        "leaders": float(signs.leaders),
        "calm": calm,
        "effort": signs.effort,
        "late effort": signs.late_effort,
        "gap": math.log1p(max(0, signs.gap)) / 5,
        "choice": math.log(max(2, signs.replies)) / 3,
        "decided": min(abs(signs.score), 1000) / 1000,
        "nodes": math.log10(max(10, signs.nodes)) - 4,
    }


def probability(signs: Signs) -> float:
    """That ten times the nodes would choose the same move."""
    known = features(signs)
    return 1 / (1 + math.exp(-(INTERCEPT + sum(weight * known[name] for name, weight in WEIGHTS.items()))))
