"""What switching one technique costs or saves: nodes and time to a fixed depth over the bench, side by side."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from barreleye.core.techniques import TECHNIQUES, index_of
from barreleye.engine import Engine, Limits
from barreleye.engine.bench import POSITIONS

NODE_CAP = 40           # a position is given up at so many times its usual nodes
SMALLEST_CAP = 50_000


@dataclass(frozen=True)
class Effect:
    """One technique turned the other way, against the engine as it is. Ratios above 1: the change costs."""

    technique: str
    item: str
    default: bool
    depth: int
    usual_nodes: int
    changed_nodes: int
    usual_s: float            # CPU seconds
    changed_s: float
    given_up: int             # positions cut short at NODE_CAP: the true ratio is larger
    tried: int                # the counters of the side that has it switched on
    succeeded: int
    researched: int

    @property
    def node_ratio(self) -> float:
        return self.changed_nodes / max(1, self.usual_nodes)

    @property
    def time_ratio(self) -> float:
        return self.changed_s / max(1e-9, self.usual_s)

    @property
    def size(self) -> float:
        """How far from no effect at all, in either direction."""
        return max(self.node_ratio, 1 / max(self.node_ratio, 1e-9))

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


def wanted_techniques(names: Sequence[str] = ()) -> list[Any]:
    """The techniques of these names, all of them without names; ValueError lists what there is."""
    return [TECHNIQUES[index_of(name)] for name in names] if names else list(TECHNIQUES)


def bench_signature(depth: int, positions: Sequence[str] = POSITIONS) -> int:
    """The engine's nodes over the positions: tells whether earlier results are of the same engine."""
    engine = Engine()
    return sum(searched(engine, fen, depth)[0] for fen in positions)


def measure(technique: Any, depth: int, positions: Sequence[str] = POSITIONS,
            on_position: Callable[[int], None] | None = None) -> Effect:
    """Search every position both ways in turn, so that a busy machine slows both alike."""
    usual, changed = Engine(), Engine()
    if technique.behind:
        for engine in (usual, changed):
            engine.set_option(f"Use {technique.behind}", False)
    changed.set_option(technique.option, not technique.default)
    switched_on = usual if technique.default else changed
    nodes, seconds, given_up, counters = [0, 0], [0.0, 0.0], 0, [0, 0, 0]
    for number, fen in enumerate(positions, 1):
        found, spent = searched(usual, fen, depth)
        cap = max(NODE_CAP * found, SMALLEST_CAP)
        other, other_spent = searched(changed, fen, depth, cap)
        given_up += other >= cap
        nodes = [nodes[0] + found, nodes[1] + other]
        seconds = [seconds[0] + spent, seconds[1] + other_spent]
        row = switched_on.stats()["techniques"][technique.name]
        counters = [old + row[word] for old, word in zip(counters, ("tried", "succeeded", "researched"), strict=True)]
        if on_position is not None:
            on_position(number)
    return Effect(technique.name, technique.item, technique.default, depth, nodes[0], nodes[1], round(seconds[0], 4),
                  round(seconds[1], 4), given_up, *counters)


def searched(engine: Engine, fen: str, depth: int, cap: int | None = None) -> tuple[int, float]:
    """Nodes and CPU seconds of one search from a clean state."""
    engine.new_game()
    engine.position(fen)
    start = time.process_time()
    nodes = engine.go(Limits(depth=depth, nodes=cap)).wait().nodes
    return nodes, time.process_time() - start
