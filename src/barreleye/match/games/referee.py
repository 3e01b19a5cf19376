"""When a game is over: by the rules, as our own core judges them, or by the adjudication the user asked for."""

from __future__ import annotations

from dataclasses import dataclass

from barreleye import tablebase
from barreleye.core.position import Position

WHITE_WINS, BLACK_WINS, DRAW = "1-0", "0-1", "1/2-1/2"


@dataclass(frozen=True)
class Resign:
    """Both players agree for this many moves each that one of them is lost by at least this score."""

    score: int = 600
    moves: int = 3


@dataclass(frozen=True)
class DrawRule:
    """From move `number` on, both players are within `score` centipawns of equal for `moves` moves each."""

    number: int = 34
    moves: int = 8
    score: int = 20


@dataclass(frozen=True)
class Ending:
    result: str
    reason: str


class TablebaseReferee:
    """Verdicts from Syzygy tables, right after a capture or pawn move, where they hold under the fifty-move rule."""

    def __init__(self, path: str) -> None:
        try:
            self._tables = tablebase.open_tables(path)
        except OSError as error:
            raise ValueError(f"cannot read the tablebases in {path}: {error.strerror or error}") from error
        if not self._tables.cardinality:
            raise ValueError(f"there are no Syzygy tables in {path}")

    def verdict(self, position: Position) -> Ending | None:
        if position.halfmove_clock != 0:
            return None
        score = tablebase.result(position, tables=self._tables)
        if score is None:
            return None
        return Ending({1.0: WHITE_WINS, 0.5: DRAW, 0.0: BLACK_WINS}[score], "tablebase")


class Referee:
    """Follows one game move by move. Scores are from White's side, None where an engine gave none."""

    def __init__(
        self,
        resign: Resign | None = None,
        draw: DrawRule | None = None,
        max_moves: int | None = None,
        tablebase: TablebaseReferee | None = None,
    ) -> None:
        self._resign = resign
        self._draw = draw
        self._max_moves = max_moves
        self._tablebase = tablebase
        self._scores: list[int | None] = []

    def ending(self, position: Position, score: int | None) -> Ending | None:
        """Judge the position after a move that was scored so by the player who made it."""
        self._scores.append(score)
        return rules_ending(position) or self._adjudicate(position)

    def _adjudicate(self, position: Position) -> Ending | None:
        if self._tablebase and (found := self._tablebase.verdict(position)):
            return found
        if self._resign:
            last = self._last_scores(2 * self._resign.moves)
            if last and min(last) >= self._resign.score:
                return Ending(WHITE_WINS, "resign adjudication")
            if last and max(last) <= -self._resign.score:
                return Ending(BLACK_WINS, "resign adjudication")
        if self._draw and position.ply >= 2 * self._draw.number:
            last = self._last_scores(2 * self._draw.moves)
            if last and max(map(abs, last)) <= self._draw.score:
                return Ending(DRAW, "draw adjudication")
        if self._max_moves and len(self._scores) >= 2 * self._max_moves:
            return Ending(DRAW, "maximum length")
        return None

    def _last_scores(self, count: int) -> list[int]:
        """The last scores of both players, or nothing while any of them is missing."""
        last = self._scores[-count:]
        known = [score for score in last if score is not None]
        return known if len(known) == count else []


def rules_ending(position: Position) -> Ending | None:
    if position.is_checkmate():
        return Ending(BLACK_WINS if position.turn else WHITE_WINS, "checkmate")
    if position.is_stalemate():
        return Ending(DRAW, "stalemate")
    if position.is_insufficient_material():
        return Ending(DRAW, "insufficient material")
    if position.is_fifty_moves():
        return Ending(DRAW, "fifty moves")
    if position.is_repetition(3):
        return Ending(DRAW, "threefold repetition")
    return None
