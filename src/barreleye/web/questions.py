"""Questions about a position that take a search of their own: why, why not, what the network sees, what a switch does.

Each is asked of a twin of the tab's engine, with one thread and a clean table, so that the same question has the same
answer. Closing the twin ends whatever it is doing.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from typing import Any

import chess

from barreleye.core.position import Position
from barreleye.engine import Engine
from barreleye.engine.python_chess import position_of
from barreleye.explain.answer import Answer, plain
from barreleye.explain.explanation import explain
from barreleye.explain.inquiry import Inquiry
from barreleye.explain.network import placed, seen_by_network
from barreleye.tree import words
from barreleye.web.job import Job
from barreleye.web.messages import Problem
from barreleye.web.positions import board_of, sans
from barreleye.web.reports import white

Place = tuple[str, list[str]]
MOST_ROWS = 40              # moves of the heat map
# A search that is recorded is the one that questions are about, however many lines the analysis before it showed.
RECORDED = {"Threads": 1, "MultiPV": 1}


@contextlib.contextmanager
def twin_of(engine: Engine, place: Place, job: Job) -> Iterator[Engine]:
    """An engine of the same kind for one question, at this position."""
    with engine.twin() as twin:
        twin.board = position_of(place)

        def end() -> None:
            twin.quit()
            twin.stop()                     # one that was about to begin

        job.at_stop(end)
        yield twin


def ask_why(engine: Engine, place: Place, job: Job, question: str, move: str, nodes: int) -> dict[str, Any]:
    """Why this move, why not another, what is the threat, which technique decides: sentences with their evidence."""
    board = board_of(*place)
    if move and chess.Move.from_uci(move) not in board.legal_moves:
        raise Problem("This move is not legal here.")
    with twin_of(engine, place, job) as twin:
        found = explain(twin, nodes=nodes, why_nots=[move] if move else [], with_threat=question == "threat",
                        technique=question == "technique")
    wanted = {"why": ("Why", "Changes", "Confidence"), "why not": ("WhyNot",), "threat": ("Threat",),
              "technique": ("Techniques",)}[question]
    answers = [answer for answer in found if type(answer).__name__ in (*wanted, "Over")]
    return {"answers": [told(answer) for answer in answers or found.answers[:1]], "nodes": found.nodes}


def told(answer: Answer) -> dict[str, Any]:
    """An answer for the page."""
    return {"question": answer.question, "arrow": answer.arrow, "kind": type(answer).__name__,
            "sentences": [{"text": sentence.text, "evidence": plain(sentence.evidence)}
                          for sentence in answer.sentences]}


def ledger(engine: Engine, place: Place, job: Job, nodes: int) -> dict[str, Any]:
    """What each iteration thought of each root move, and what it cost: a row for each move."""
    board = board_of(*place)
    if not any(board.legal_moves):
        raise Problem("There is no move to think about here.")
    with twin_of(engine, place, job) as twin:
        found = Inquiry(twin, nodes).search().ledger
    rows = []
    for move, visits in list(found.matrix().items())[:MOST_ROWS]:
        cells = {visit.iteration: {
            **white(visit.value, board), "nodes": visit.nodes, "bound": for_white(visit.bound, board.turn),
            "reply": reply(board, move, visit.reply)} for visit in visits.values()}
        rows.append({"move": move, "san": board.san(chess.Move.from_uci(move)), "cells": cells,
                     "nodes": sum(visit.nodes for visit in found.of_move(move))})
    leaders = [{"depth": one.iteration, "move": one.move} for one in found.leaders()]
    return {"depth": found.depth, "iterations": list(found.iterations), "nodes": found.nodes, "best": found.best_move,
            "rows": rows, "left": max(0, len(found.moves) - len(rows)), "leaders": leaders}


def for_white(bound: str, turn: bool) -> str:
    """A bound in words, for White."""
    if bound == "exact":
        return ""
    return "at least" if (bound == "lower") == turn else "at most"


def reply(board: chess.Board, move: str, answer: str | None) -> str:
    """The best answer to a move, as people write it."""
    return "" if answer is None else "".join(sans(board, [move, answer])[1:])


def network(engine: Engine, place: Place, job: Job, square: str) -> dict[str, Any]:
    """What each piece is worth to the network, or where it would like the one on a square to stand."""
    board = board_of(*place)
    if board.is_check():
        raise Problem("The network is not asked about a position in check: the search looks further first.")
    if square and board.piece_at(chess.parse_square(square)) is None:
        raise Problem(f"There is no piece on {square}.")
    with twin_of(engine, place, job) as twin:
        inquiry = Inquiry(twin, 1)
        if square:
            where = placed(inquiry, square)
            return {**told(where), "square": square, "verdict": where.verdict, "verdicts": where.verdicts,
                    "reach": list(where.within_reach), "unsafe": list(where.unsafe), "white": is_white(board, square)}
        seen = seen_by_network(inquiry)
        return {**told(seen), "verdict": seen.verdict, "kings": seen.kings, "shares": seen.shares,
                "removal": seen.removal}


def is_white(board: chess.Board, square: str) -> bool:
    """Whose piece stands there."""
    piece = board.piece_at(chess.parse_square(square))
    return piece is not None and piece.color


def compare(engine: Engine, place: Place, job: Job, off: Sequence[str], nodes: int) -> dict[str, Any]:
    """The same search twice, the second time without some techniques: where they part, what it costs and changes."""
    position = Position(place[0]) if not place[1] else position_of(place)
    one = engine.record(position, {"nodes": nodes}, options=RECORDED, on_start=job.on_start)
    job.check()
    other = engine.record(position, {"nodes": nodes}, options={**RECORDED, **{f"Use {name}": False for name in off}},
                          on_start=job.on_start)
    job.check()
    board, difference = one.board(), one.compare(other)
    sides = [{"best": board.san(board.parse_uci(one.best_move)) if one.best_move else "", "depth": one.depth,
              "nodes": one.nodes, "pv": sans(board, list(one.pv[:10])), **white(one.score, board)}
             for one in difference.summaries]
    parting = difference.parting[0] if difference.parting else None
    return {"text": str(difference), "same": difference.is_same, "sides": sides, "off": list(off),
            "parting": None if parting is None else {
                "fen": parting.board().fen(), "title": words.san_line(parting) or "the root",
                "moves": list(parting.line)}}
