"""What a running search has said so far, in the words of chess: SAN lines, white's point of view, chances."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING, Any

from barreleye import wdl
from barreleye.core.notation import move_name
from barreleye.engine import Engine, Limits, Result
from barreleye.openings import opening

if TYPE_CHECKING:
    import chess

    from barreleye.core.report import SearchInfo

LONGEST_LINE = 40  # plies shown of a line
# Expected score of the better side, and what people call it.
VERDICTS = ((0.62, "the position is equal"), (0.75, "{} is slightly better"), (0.88, "{} is better"),
            (0.96, "{} is much better"), (2.0, "{} is winning"))


class Thinking:
    """One search of one position: started, listened to, ended. Lines are numbered from 1 as UCI does."""

    def __init__(self, engine: Engine, board: chess.Board, limits: Limits, title: str = "") -> None:
        self.engine = engine
        self.board = board
        self.limits = limits
        self.title = title                     # the game the position comes from
        self.opening = opening(board)
        self.lines: dict[int, SearchInfo] = {}
        self.heard: list[SearchInfo] = []      # every line with an exact score, as it came
        self.current: SearchInfo | None = None
        self.result: Result | None = None
        self._done = threading.Event()
        self._started = self._ended = 0.0
        self._san: dict[tuple[int, ...], list[str]] = {}

    # Running

    def start(self) -> None:
        """Begin to search in the background."""
        self._started = time.perf_counter()
        self.engine.go(self.limits, on_info=self._hear, on_done=self._finish)

    def stop(self) -> None:
        """End the search and keep its result; after its end this does nothing."""
        self.engine.stop()
        result = self.engine.wait()
        if not self._done.is_set():
            self._finish(result)

    def wait(self, seconds: float) -> bool:
        """Let some time pass; True once the search has ended. An error of the search is raised here."""
        if not self._done.wait(seconds) and self.engine.is_searching:
            return False
        self.engine.wait()
        return True

    def _hear(self, info: SearchInfo) -> None:
        if info.currmove:
            self.current = info
        elif info.depth:
            self.lines[info.multipv] = info
            if not info.bound:
                self.heard.append(info)

    def _finish(self, result: Result) -> None:
        """Of a line that was cut short on a bound, the last exact report on the same move says more."""
        self._ended = time.perf_counter()
        for number, line in self.lines.items():
            exact = (info for info in reversed(self.heard) if info.multipv == number and info.pv[:1] == line.pv[:1])
            self.lines[number] = line if not line.bound else next(exact, line)
        self.result = result
        self._done.set()

    # Telling

    def heading(self) -> list[str]:
        """What is known before the search: the game, the opening."""
        return [line for line in (self.title, str(self.opening or "")) if line]

    @property
    def seconds(self) -> float:
        """How long the search has run, or ran."""
        return (self._ended or time.perf_counter()) - self._started

    @property
    def nodes(self) -> int:
        """Positions looked at."""
        return self.result.nodes if self.result else int(self.engine.pool.nodes)

    @property
    def nps(self) -> int:
        """Positions looked at in a second."""
        return round(self.nodes / max(self.seconds, 1e-3))

    @property
    def hash_permille(self) -> int:
        """How full the transposition table is."""
        return int(self.engine.pool.tt.hashfull())

    @property
    def progress(self) -> float | None:
        """How much of the nearest limit is used up, from 0 to 1; None when there is no limit."""
        best = self.lines.get(1)
        shares = [used / limit for used, limit in (
            (1000 * self.seconds, self.limits.movetime), (self.nodes, self.limits.nodes),
            (best.depth if best else 0, self.limits.depth)) if limit]
        return min(1.0, max(shares)) if shares else None

    def score(self, info: SearchInfo) -> int:
        """A line's score from white's point of view."""
        score = wdl.centipawns(info.score)
        return score if self.board.turn else -score

    def mate(self, info: SearchInfo) -> int | None:
        """Moves to mate, negative when black gives it; None when there is none."""
        moves = wdl.mate_moves(info.score)
        return moves if moves is None or self.board.turn else -moves

    def san(self, info: SearchInfo) -> list[str]:
        """A line's moves as people write them."""
        key = tuple(info.pv[:LONGEST_LINE])
        if key not in self._san:
            import chess

            board, moves = self.board.copy(stack=False), []
            for number in key:
                move = chess.Move.from_uci(move_name(number, board.chess960))
                moves.append(board.san_and_push(move))
            self._san[key] = moves
        return self._san[key]

    def best_move(self) -> chess.Move | None:
        """The move the search prefers at the moment."""
        import chess

        best = self.lines.get(1)
        if self.result and self.result.best_move:
            return chess.Move.from_uci(self.result.best_move)
        return chess.Move.from_uci(move_name(best.pv[0], self.board.chess960)) if best and best.pv else None

    def as_json(self) -> dict[str, Any]:
        """What is known by now, for programs: scores from White's point of view, in centipawns or moves to mate."""
        lines: list[dict[str, Any]] = []
        for number, info in sorted(self.lines.copy().items()):
            mate = self.mate(info)
            win, draw, loss = wdl.white_chances(info.score, self.board)
            lines.append({
                "multipv": number, "depth": info.depth, "seldepth": info.sel_depth,
                "score": {"mate": mate} if mate is not None else {"cp": self.score(info)},
                "bound": {-1: "upper", 0: "exact", 1: "lower"}[info.bound if self.board.turn else -info.bound],
                "wdl": {"white": win / 1000, "draw": draw / 1000, "black": loss / 1000},
                "san": self.san(info), "uci": [move_name(move, self.board.chess960) for move in info.pv]})
        best, ponder = [*(lines[0]["uci"] if lines else []), None, None][:2]
        if self.result is not None:
            best, ponder = self.result.best_move, self.result.ponder
        return {"fen": self.board.fen(), "turn": "white" if self.board.turn else "black", "title": self.title or None,
                "opening": None if self.opening is None else {"eco": self.opening.eco, "name": self.opening.name},
                "best_move": best, "ponder": ponder, "lines": lines, "nodes": self.nodes,
                "seconds": round(self.seconds, 3), "nps": self.nps, "hashfull": self.hash_permille,
                "done": self.result is not None}


def white_share(thinking: Thinking, info: SearchInfo) -> float:
    """The points white can expect, from 0 to 1."""
    win, draw, _ = wdl.white_chances(info.score, thinking.board)
    return (win + draw / 2) / 1000


def score_text(thinking: Thinking, info: SearchInfo) -> str:
    """A line's score in pawns or as moves to mate, with a sign where it is only a bound: +0.34, #-3, ≥ +0.34."""
    mate = thinking.mate(info)
    text = f"#{mate}" if mate is not None else f"{thinking.score(info) / 100:+.2f}"
    bound = info.bound if thinking.board.turn else -info.bound
    return {-1: "≤ ", 0: "", 1: "≥ "}[bound] + text


def verdict(thinking: Thinking, info: SearchInfo) -> str:
    """The score in a few words."""
    score, share = thinking.score(info), white_share(thinking, info)
    better = "White" if score > 0 else "Black"
    mate = thinking.mate(info)
    if mate is not None:
        return f"{better} mates in {abs(mate)}"
    return next(words for limit, words in VERDICTS if max(share, 1 - share) < limit).format(better)


def outcome_text(board: chess.Board) -> str | None:
    """What to say of a position where the game is over, None while it goes on."""
    if any(board.legal_moves):
        return None
    if board.is_check():
        return f"checkmate: {'Black' if board.turn else 'White'} has won"
    return "stalemate: a draw"


def numbered(board: chess.Board, moves: list[str]) -> list[tuple[str, str]]:
    """Moves with the numbers to be written before them, empty where none is needed."""
    number, white = board.fullmove_number, board.turn
    words = []
    for index, move in enumerate(moves):
        words.append((f"{number}." if white else f"{number}…" if index == 0 else "", move))
        number, white = (number, False) if white else (number + 1, True)
    return words
