"""Recorded searches of a tab: the tree, the parts of it that were opened, and what the page shows of a visit."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import chess

from barreleye.core.techniques import TECHNIQUES
from barreleye.engine.search_thread import Search
from barreleye.tree import Tree, Visit, words
from barreleye.web import icicle
from barreleye.web.messages import Problem
from barreleye.web.reports import white

MOST_OPENED = 8             # parts kept
MOST_EVENTS = 60            # sentences on a card
MOST_CHILDREN = 200         # rows of the tree grid under one visit


class Trees:
    """One recorded search and the parts of it that were searched again."""

    def __init__(self, record: Callable[[Callable[[Search], None]], Tree], on_start: Callable[[Search], None]) -> None:
        self.on_start = on_start            # of whoever asks for a search now
        self.opened: dict[int, Tree] = {}
        self.tree = record(lambda search: self.on_start(search))
        icicle.techniques_of(self.tree)     # now, so that the first filter is as quick as any other

    def facts(self) -> dict[str, Any]:
        """What the search came to."""
        summary = self.tree.summary
        board = self.tree.board()
        best = summary.best_move
        root = self.tree.root.number if len(self.tree) else None
        return {"fen": board.fen(), "best": best, "san": board.san(board.parse_uci(best)) if best else "",
                "depth": summary.depth, "nodes": summary.nodes, "visits": self.tree.total, "kept": len(self.tree),
                "root": root, "canReplay": self.tree.can_replay, **white(summary.score, board)}

    def visit(self, number: int) -> Visit:
        """A visit, from the part in which it is whole if there is one."""
        for tree in reversed(self.opened.values()):
            try:
                found = tree.visit(number)
            except IndexError:
                continue
            if not found.is_collapsed:
                return found
        try:
            return self.tree.visit(number)
        except (IndexError, ValueError):
            raise Problem(f"There is no visit {number:,} in this tree.") from None

    def icicle(self, number: int | None, width: int, technique: str) -> tuple[dict[str, Any], bytes]:
        """The picture of a visit or of the whole search, with the way to it."""
        start = None if number is None else self.visit(number)
        tree = self.tree if start is None else start.tree
        told, cells = icicle.picture(tree, start, width, technique)
        path = [] if start is None else [{"node": one.number, "label": icicle.label(one)} for one in start.path]
        return {**told, "path": path, "collapsed": start is not None and start.is_collapsed}, cells

    def open(self, number: int, on_start: Callable[[Search], None]) -> None:
        """Search again to see what lies within a visit."""
        visit = self.visit(number)
        if visit.is_collapsed:
            self.on_start = on_start
            self.opened[number] = visit.open().tree
            while len(self.opened) > MOST_OPENED:
                del self.opened[next(iter(self.opened))]

    def card(self, number: int) -> dict[str, Any]:
        """A visit in words."""
        visit = self.visit(number)
        board = visit.board()
        events = visit.events
        told = [{"technique": event.technique, "outcome": event.outcome, "text": words.sentence(str(event)),
                 "step": STEPS.get(event.technique, "")} for event in events[:MOST_EVENTS]]
        return {"node": visit.number, "fen": board.fen(), "title": words.san_line(visit) or "the root",
                "moves": list(visit.line), "last": visit.move if visit.move not in (None, words.PASS) else None,
                "best": visit.best_move, "kind": words.KINDS[visit.kind], "reason": visit.reason,
                "window": [words.value(visit.alpha), words.value(visit.beta)], "value": words.value(visit.value),
                "depth": visit.depth, "quiescence": "quiescence" in visit.flags, "size": visit.size,
                "iteration": visit.iteration, "ending": visit.ending, "collapsed": visit.is_collapsed,
                "evaluation": None if visit.evaluation is None else words.value(visit.evaluation),
                "turn": "White" if board.turn else "Black", "events": told, "more": max(0, len(events) - MOST_EVENTS)}

    def rows(self, number: int | None) -> list[dict[str, Any]]:
        """The visits within another, for the grid that says in text what the icicle draws."""
        if number is None:
            found: tuple[Visit, ...] = self.tree.windows
            board = self.tree.board()
        else:
            visit = self.visit(number)
            found, board = visit.children, visit.board()
        return [self.row(visit, board) for visit in found[:MOST_CHILDREN]]

    def row(self, visit: Visit, board: chess.Board) -> dict[str, Any]:
        """One of them."""
        move = visit.move
        name = (f"depth {visit.depth}" if visit.kind == "window" else visit.kind if move is None
                else "pass" if move == words.PASS else board.san(chess.Move.from_uci(move)))
        return {"node": visit.number, "name": name, "kind": visit.kind, "depth": visit.depth, "size": visit.size,
                "value": words.value(visit.value), "ending": visit.ending, "inside": visit.size > 1}


STEPS = {technique.name: technique.item for technique in TECHNIQUES}
