from barreleye.core.position import Position
from barreleye.core.syzygy.probe import Tablebase

def rank_moves(tables: Tablebase, position: Position,
               rule50: bool = True) -> list[tuple[str, int, int | None, int, bool]] | None: ...
