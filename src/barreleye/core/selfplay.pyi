from typing import final

from barreleye.core.evaluate.nnue import Network
from barreleye.core.position import Position
from barreleye.core.syzygy.probe import Tablebase

@final
class SelfPlay:
    random_plies: int
    soft_nodes: int
    hard_nodes: int
    check_nodes: int
    samples: int
    sample_nodes: int
    opening_limit: int
    win_score: int
    win_plies: int
    draw_score: int
    draw_plies: int
    draw_after: int
    first_ply: int
    score_limit: int
    def __init__(self, hash_mb: int = 8) -> None: ...
    @property
    def nodes(self) -> int: ...
    def use_network(self, network: Network | None = None) -> None: ...
    def use_tables(self, tables: Tablebase) -> None: ...
    def play(self, start: Position, seed: int) -> tuple[int, bytes, bytes]: ...
    def judge(self, position: Position) -> int: ...
    def new_game(self) -> None: ...
