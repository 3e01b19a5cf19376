"""Searches that are asked questions: one position, one thread, a clean table each time, so that answers repeat."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from barreleye.core.notation import move_name

if TYPE_CHECKING:
    import chess

    from barreleye.core.report import SearchInfo
    from barreleye.engine import Engine
    from barreleye.ledger import Ledger
    from barreleye.tree import Tree


@dataclass(frozen=True, slots=True)
class Line:
    """One line that a search found, with its score for the side to move in the search's own numbers."""

    score: int
    moves: tuple[str, ...]              # UCI
    depth: int
    nodes: int                          # of the search when it was found
    bound: int = 0                      # -1: it may be worth less, 1: it may be worth more

    @classmethod
    def of(cls, info: SearchInfo, chess960: bool) -> Line:
        """The line of a report."""
        return cls(info.score, tuple(move_name(move, chess960) for move in info.pv), info.depth, info.nodes,
                   info.bound)


@dataclass(frozen=True, slots=True)
class Finding:
    """What one search of the position found."""

    fen: str
    best_move: str | None
    lines: tuple[Line, ...]             # best first, one unless more were asked for
    nodes: int
    ledger: Ledger
    counters: Mapping[str, Any]         # as Engine.stats() gives them
    reports: tuple[Line, ...]           # every best line on the way, as it came

    @property
    def score(self) -> int:
        """Of the best line, for the side to move."""
        return self.lines[0].score

    @property
    def moves(self) -> tuple[str, ...]:
        """The best line."""
        return self.lines[0].moves

    @property
    def depth(self) -> int:
        """Of the best line."""
        return self.lines[0].depth


class Inquiry:
    """One position under question. The engine given to it is its own: its options are changed from search to search."""

    def __init__(self, engine: Engine, nodes: int | None = None, depth: int | None = None) -> None:
        if nodes is None and depth is None:
            raise ValueError("give a limit in nodes or in depth: only such a search can be repeated")
        self.engine = engine
        self.position = engine.board
        self.fen: str = self.position.fen()
        given = {"nodes": nodes, "depth": depth}
        self.limits: dict[str, int] = {name: limit for name, limit in given.items() if limit is not None}

    @cached_property
    def board(self) -> chess.Board:
        """The position for python-chess."""
        from barreleye.explain.words import board_of

        return board_of(self.fen)

    @cached_property
    def is_known(self) -> bool:
        """Whether the result is known: the endgame tables have the position, or nobody can ever mate."""
        men = chess_men(self.fen)
        tables = men <= min(self.engine.pool.tables.cardinality, int(self.engine.values["SyzygyProbeLimit"] or 0))
        return (tables and not self.board.castling_rights) or self.board.is_insufficient_material()

    def draws_at_once(self, move: str | None) -> bool:
        """Whether the game is drawn as soon as a move is on the board."""
        if move is None:
            return False
        after = self.board.copy(stack=False)
        after.push(after.parse_uci(move))
        return after.is_insufficient_material() or after.is_stalemate() or after.is_fifty_moves()

    def standing(self, score: int, move: str | None = None) -> str:
        """Who stands better, as the end of a sentence; after a move, if one is named."""
        from barreleye.explain.words import standing

        return standing(score, self.position.turn, self.is_known or self.draws_at_once(move))

    def search(self, *, only: Iterable[str] | None = None, multipv: int = 1, without: Iterable[str] = (),
               **limits: int) -> Finding:
        """Search the position from a clean start; only these root moves, without these techniques."""
        return self.search_from(self.fen, only=only, multipv=multipv, without=without, **limits)

    def record(self, found: Finding, plies: int) -> Tree:
        """The search that found this, once more and written down as far as so many plies from the root."""
        return self.engine.record(self.position, {"nodes": max(1, found.nodes)}, multipv=1, plies=plies)

    def search_from(self, fen: str, *, only: Iterable[str] | None = None, multipv: int = 1,
                    without: Iterable[str] = (), more: int = 1, **limits: int) -> Finding:
        """The same for another position, with so many times the nodes unless limits are given.

        The position under question keeps the moves that led to it, for repetitions.
        """
        engine, off = self.engine, {f"Use {name}" for name in without}
        position = self.position if fen == self.fen else type(self.position)(fen, self.position.chess960)
        lines: dict[int, Line] = {}
        exact: dict[str, Line] = {}         # by first move
        reports: list[Line] = []

        def hear(info: SearchInfo) -> None:
            if info.depth and not info.currmove:
                lines[info.multipv] = line = Line.of(info, position.chess960)
                if line.moves and not line.bound:
                    exact[line.moves[0]] = line
                    if info.multipv == 1:
                        reports.append(line)

        before = {name: engine.values[name] for name in off}
        try:
            for name in off:
                engine.set_option(name, False)
            engine.set_option("MultiPV", multipv)
            engine.new_game()
            engine.board = position
            usual = {name: more * limit if name == "nodes" else limit for name, limit in self.limits.items()}
            result = engine.go(limits or usual, searchmoves=only, on_info=hear).wait()
        finally:
            for name, value in before.items():
                engine.set_option(name, value)
            engine.board = self.position
        lines[1] = Line.of(result.info, position.chess960)
        # Of a line that was cut short on a bound, the last exact report on the same move says more.
        kept = tuple(exact.get(line.moves[0], line) if line.bound else line
                     for number, line in sorted(lines.items()) if line.moves or number == 1)
        ledger = engine.ledger
        return Finding(fen, result.best_move, (with_reply(kept[0], ledger), *kept[1:]), result.nodes, ledger,
                       engine.stats(), tuple(reports))


def with_reply(line: Line, ledger: Ledger) -> Line:
    """A line that breaks off after its first move, with the reply that was found to it."""
    visit = ledger.last(line.moves[0]) if len(line.moves) == 1 else None
    return replace(line, moves=(line.moves[0], visit.reply)) if visit is not None and visit.reply else line


def chess_men(fen: str) -> int:
    """How many pieces stand on the board, pawns and kings included.

    >>> chess_men("8/8/8/4k3/8/8/3PK3/8 w - - 0 1")
    3
    """
    return sum(letter.isalpha() for letter in fen.split()[0])
