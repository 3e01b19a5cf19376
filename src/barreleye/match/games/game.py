"""One game between two started engines, from the opening to a result that always has a reason."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

from barreleye.core.notation import START_FEN
from barreleye.core.position import Position
from barreleye.match.engines.pipe import EngineFault
from barreleye.match.engines.player import Reply, UciPlayer
from barreleye.match.games.clock import GameClock, TimeControl, go_command
from barreleye.match.games.referee import BLACK_WINS, DRAW, WHITE_WINS, Referee
from barreleye.opening_books import Start

FAULTS = ("time forfeit", "crash", "illegal move", "no answer", "flood")  # losses by misbehaviour
UNUSABLE = ("crash", "no answer", "flood")  # after these the process is not trusted any more
POINTS = {WHITE_WINS: 1.0, DRAW: 0.5, BLACK_WINS: 0.0}


@dataclass
class GameRecord:
    """What is kept of a finished game. `fault` names the engine that lost by misbehaviour, `talk` its last lines."""

    number: int
    white: str
    black: str
    result: str
    reason: str
    plies: int
    opening: str
    fault: str | None = None
    detail: str = ""
    talk: list[str] = field(default_factory=list)

    def as_json(self) -> dict[str, Any]:
        return {key: value for key, value in asdict(self).items() if value not in (None, "", [])}

    @property
    def white_points(self) -> float:
        return POINTS[self.result]


class MatchGame:
    """A game in progress; its fields may be looked at while it is played."""

    def __init__(
        self,
        number: int,
        white: UciPlayer,
        black: UciPlayer,
        controls: tuple[TimeControl, TimeControl],
        opening: Start,
        referee: Referee,
        chess960: bool = False,
        margin_ms: float = 50.0,
        hang_s: float = 60.0,
    ) -> None:
        self.number = number
        self.players = (white, black)
        self.clocks = (GameClock(controls[0]), GameClock(controls[1]))
        self.opening = opening
        self.replies: list[Reply] = []
        self.moves = list(opening.moves)
        self.position = Position(opening.fen, chess960)
        for move in opening.moves:
            self.position.push(move)
        self._referee = referee
        self._margin_ms = margin_ms
        self._hang_s = hang_s

    def play(self) -> GameRecord:
        """Play to the end in this thread. A misbehaving engine loses; only a programming error gets out of here."""
        for side, player in enumerate(self.players):
            try:
                player.new_game()
            except EngineFault as fault:
                return self._forfeit(side, fault.reason, str(fault))
        while True:
            side = 0 if self.position.turn else 1
            try:
                reply = self._next_move(side)
            except EngineFault as fault:
                return self._forfeit(side, fault.reason, str(fault))
            score = reply.score_cp if reply.score_cp is None or side == 0 else -reply.score_cp
            if ending := self._referee.ending(self.position, score):
                return self._record(ending.result, ending.reason)

    def _next_move(self, side: int) -> Reply:
        """One move, timed and made on the board; EngineFault when it was late, illegal or never came."""
        budget_ms = self.clocks[side].budget_ms()
        limit_s = self._hang_s if budget_ms is None else (budget_ms + self._margin_ms) / 1000
        go = go_command(*self.clocks, white_to_move=side == 0)
        reply = self.players[side].play(self._position_command(), go, limit_s)
        if not self.clocks[side].spend(reply.elapsed_ms, self._margin_ms):
            allowed = f"{budget_ms:.0f} ms left" if budget_ms is not None else ""
            raise EngineFault("time forfeit", f"took {reply.elapsed_ms:.0f} ms with {allowed}")
        if budget_ms is None and reply.elapsed_ms > 1000 * self._hang_s:
            raise EngineFault("no answer", f"no bestmove within {self._hang_s:g} s")
        move = canonical_move(self.position, reply.move)
        if move is None:
            shown = reply.move or "nothing"
            raise EngineFault("illegal move", f"played {shown} in {self.position.fen()}")
        self.position.push(move)
        self.moves.append(move)
        self.replies.append(reply)
        return reply

    def _position_command(self) -> str:
        start = "startpos" if self.opening.fen == START_FEN else f"fen {self.opening.fen}"
        return f"position {start} moves {' '.join(self.moves)}" if self.moves else f"position {start}"

    def _forfeit(self, side: int, reason: str, detail: str) -> GameRecord:
        record = self._record(BLACK_WINS if side == 0 else WHITE_WINS, reason)
        record.fault = self.players[side].spec.name
        record.detail = detail
        record.talk = self.players[side].last_words()
        return record

    def _record(self, result: str, reason: str) -> GameRecord:
        white, black = (player.spec.name for player in self.players)
        return GameRecord(self.number, white, black, result, reason, len(self.replies), self.opening.fen)


def canonical_move(position: Position, text: str) -> str | None:
    """The move in the core's own spelling, or None when it is not legal. Castling may be written in either way."""
    legal: list[str] = position.legal_moves()
    if text in legal:
        return text
    if not position.is_legal(text):
        return None
    after = position.copy()
    after.push(text)
    for move in legal:
        other = position.copy()
        other.push(move)
        if other.fen() == after.fen():
            return move
    return None
