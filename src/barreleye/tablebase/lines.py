"""How play goes on in an endgame that the tablebases know, without giving pieces away for nothing.

The distance that tables hold counts to the next capture or pawn move, the opponent's too: who wins by it alone likes to
have a piece taken, as long as what is left still wins. Where such a line throws something away, a short search chooses
instead among the moves that keep both the win and the material.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from barreleye.core.notation import move_name
from barreleye.core.position import Position
from barreleye.core.syzygy.root import rank_moves

if TYPE_CHECKING:
    from barreleye.core.syzygy.probe import Tablebase
    from barreleye.engine import Engine

SEARCH_NODES = 30_000
MOST_SEARCHES = 40
SURE_PLIES = 90                 # a win within so many plies is not in danger from the fifty-move rule
WIN = 2
WORTH = {"q": 9, "r": 5, "b": 3, "n": 3}

Row = tuple[str, int, int | None, int, bool]        # move, result, distance, rank, whether it mates


def best_line(tables: Tablebase, position: Position, plies: int) -> list[str]:
    """The moves that follow when both sides play well by the tables."""
    root, position = position, position.copy()
    line: list[str] = []
    searches, engine = 0, None
    while len(line) < plies and not position.is_checkmate():
        rest = by_distance(tables, position, plies - len(line))
        if searches == MOST_SEARCHES or is_clean(tables, position, rest):
            return line + rest
        engine = engine or new_engine()
        engine.position(root.fen(), line)
        for move in searched(tables, position, engine)[:plies - len(line)]:
            position.push(move)
            line.append(move)
        searches += 1
    return line


def by_distance(tables: Tablebase, position: Position, plies: int) -> list[str]:
    """What the distances say: the winner gets on, the loser holds out."""
    position = position.copy()
    line: list[str] = []
    is_won = winner_of(tables, position) is not None
    while len(line) < plies and (ranked := rank_moves(tables, position)):
        if position.is_fifty_moves() or position.is_insufficient_material() or (
                not is_won and position.is_repetition(2)):      # a draw that goes round in a circle
            break
        move = preferred(position, ranked)
        line.append(move)
        position.push(move)
    return line


def preferred(position: Position, ranked: list[Row]) -> str:
    """Of the best-ranked moves: mate, what keeps its men, the greatest promotion, what leaves the fewest replies."""
    def order(row: Row) -> tuple[bool, bool, int, int, str]:
        return not row[4], gives_away(position, row[0]), -WORTH.get(row[0][4:], 0), replies(position, row[0]), row[0]

    return min((row for row in ranked if row[3] == ranked[0][3]), key=order)[0]


def is_clean(tables: Tablebase, position: Position, line: list[str]) -> bool:
    """Whether the winner, if there is one, neither leaves a man en prise nor promotes to less without need."""
    position, winner = position.copy(), winner_of(tables, position)
    for move in line if winner is not None else ():
        if position.turn == winner and is_waste(position, move):
            ranked = rank_moves(tables, position) or []
            if any(not is_waste(position, row[0]) for row in sure_wins(position, ranked)):
                return False
        position.push(move)
    return True


def winner_of(tables: Tablebase, position: Position) -> bool | None:
    """Who wins, True for White; None when nobody does."""
    ranked = rank_moves(tables, position)
    result = ranked[0][1] if ranked else 0
    return None if abs(result) != WIN else position.turn == (result > 0)


def is_waste(position: Position, move: str) -> bool:
    return gives_away(position, move) or move[4:] in ("r", "b", "n")


def sure_wins(position: Position, ranked: list[Row]) -> list[Row]:
    """The moves that win whatever the fifty-move counter says."""
    return [row for row in ranked if row[1] == WIN and (row[2] or 0) + position.halfmove_clock <= SURE_PLIES]


def searched(tables: Tablebase, position: Position, engine: Engine) -> list[str]:
    """The winner's move that a search finds, or its whole line if that ends in mate; the loser's by the tables."""
    from barreleye import wdl

    ranked = rank_moves(tables, position) or []
    if ranked[0][1] != WIN:
        return [preferred(position, ranked)]
    wins = [row[0] for row in sure_wins(position, ranked) or ranked[:1]]
    kept = [move for move in wins if not is_waste(position, move) and not repeats(position, move)] or wins
    result = engine.search(nodes=SEARCH_NODES, searchmoves=kept)
    line = [move_name(move, position.chess960) for move in result.info.pv]
    mate = wdl.mate_moves(result.info.score)
    if mate is not None and len(line) == 2 * mate - 1:
        return line
    return [result.best_move or kept[0]]


def new_engine() -> Engine:
    from barreleye.engine import Engine

    return Engine(Hash=4)


def gives_away(position: Position, move: str) -> bool:
    """Whether the answer to a move wins material."""
    position.push(move)
    try:
        return any(position.see(reply, 1) for reply in position.legal_moves())
    finally:
        position.pop()


def replies(position: Position, move: str) -> int:
    position.push(move)
    try:
        return len(position.legal_moves())
    finally:
        position.pop()


def repeats(position: Position, move: str) -> bool:
    """Whether a move leads to a position that has been on the board."""
    position.push(move)
    try:
        return position.is_repetition(2)
    finally:
        position.pop()
