from typing import final

from barreleye.core.position import Position

@final
class Replay:
    random_plies: int
    first_ply: int
    score_limit: int
    def positions(self, start: Position, seed: int, result: int, moves: bytes) -> bytes: ...
