from typing import final

from barreleye.core.contender import Contender
from barreleye.core.position import Position
from barreleye.core.syzygy.probe import Tablebase

LONGEST: int
ENDINGS: tuple[str, ...]

@final
class Duel:
    win_score: int
    win_plies: int
    draw_score: int
    draw_plies: int
    draw_after: int
    longest: int
    def __init__(self, first: Contender, second: Contender) -> None: ...
    @property
    def first(self) -> Contender: ...
    @property
    def second(self) -> Contender: ...
    def use_tables(self, tables: Tablebase) -> None: ...
    def play(self, start: Position, first_is_white: bool = True) -> tuple[int, int, bytes]: ...
    def stop(self) -> None: ...
