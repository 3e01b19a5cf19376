"""What a search says, made ready for the page: the latest word on each line, for White, in notation people read."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from typing import Any

import chess

from barreleye import wdl
from barreleye.core.notation import move_name
from barreleye.core.report import SearchInfo
from barreleye.web.positions import sans

LONGEST_LINE = 18           # plies that are shown


class Reports:
    """Hears a search on its thread and remembers only the last word on each line, so that nothing piles up."""

    def __init__(self, board: chess.Board) -> None:
        self.board = board
        self._lock = threading.Lock()
        self._latest: dict[int, SearchInfo] = {}
        self._depths: dict[int, SearchInfo] = {}       # the best line of each depth, of which none is to be missed
        self._known: dict[tuple[int, ...], list[str]] = {}

    def hear(self, info: SearchInfo) -> None:
        """Take one report."""
        if info.depth and not info.currmove:
            with self._lock:
                self._latest[info.multipv] = info
                if info.multipv == 1 and not info.bound:
                    self._depths[info.depth] = info

    def take(self) -> dict[str, list[dict[str, Any]]]:
        """The lines that have changed since the last time, and the depths that are new."""
        with self._lock:
            latest, self._latest = self._latest, {}
            depths, self._depths = self._depths, {}
        return {"lines": [self.line(info) for _, info in sorted(latest.items())],
                "depths": [self.line(info, 1) for info in depths.values()]}

    def line(self, info: SearchInfo, plies: int = LONGEST_LINE) -> dict[str, Any]:
        """One line as the page shows it."""
        moves = tuple(info.pv[:plies])
        names = [move_name(move, self.board.chess960) for move in moves]
        if moves not in self._known:
            if len(self._known) > 500:
                self._known.clear()
            self._known[moves] = sans(self.board, names)
        return {"line": info.multipv, "depth": info.depth, "seldepth": info.sel_depth, "nodes": info.nodes,
                "ms": info.time_us // 1000, "hashfull": info.hashfull, "tbhits": info.tbhits,
                **white(info.score, self.board), "bound": bound(info.bound, self.board.turn), "pv": names,
                "san": self._known[moves]}


def white(score: int, board: chess.Board) -> dict[str, Any]:
    """A position's score for White: centipawns or moves to mate, and the chances."""
    sign = 1 if board.turn else -1
    mate = wdl.mate_moves(score)
    told: dict[str, Any] = {"chances": list(wdl.white_chances(score, board))}
    if mate is None:
        return {**told, "cp": sign * wdl.centipawns(score)}
    return {**told, "mate": sign * mate if mate else -sign}


def bound(kind: int, turn: bool) -> str:
    """Whether a score is only at least or at most this, for White."""
    if not kind:
        return ""
    return "at least" if (kind > 0) == turn else "at most"


def counters(stats: Mapping[str, Any]) -> dict[str, Any]:
    """What every technique has done so far."""
    return {"nodes": stats["nodes"], "quiescence": stats["quiescence_nodes"], "cutoffs": stats["beta_cutoffs"],
            "firstMove": stats["first_move_cutoffs"], "probes": stats["tt_probes"], "hits": stats["tt_hits"],
            "techniques": {name: [one["tried"], one["succeeded"], one["researched"]]
                           for name, one in stats["techniques"].items()}}
