"""What the report's script needs to step through a game: every position with what there is to say of it."""

from __future__ import annotations

import base64
import hashlib
import json
from functools import cache
from importlib.resources import files
from typing import Any

import chess

from barreleye.analysis.accuracy import win_percent
from barreleye.analysis.review import Move, Review

LINE_PLIES = 8


@cache
def script() -> str:
    """The script, which works on what `told` gives it."""
    return files("barreleye.analysis").joinpath("replay.js").read_text(encoding="utf-8")


@cache
def integrity() -> str:
    """How a content security policy names the script."""
    return "sha256-" + base64.b64encode(hashlib.sha256(script().encode()).digest()).decode()


def told(review: Review) -> str:
    """A game as data in the page. It holds other people's words: nothing in it may look like the end of it."""
    clocks = ["", ""]
    steps = [{"label": "The beginning", "board": review.moves[0].board.board_fen(), "move": "",
              "best": best(review.moves[0]), "score": review.start.text, "share": share(review.start.ceiled),
              "kind": "", "said": [], "line": "", "own": review.own_comment, "clocks": clocks}]
    for index, move in enumerate(review.moves):
        following = review.moves[index + 1] if index + 1 < len(review.moves) else None
        if move.clock is not None:
            clocks = [clock(move.clock), clocks[1]] if move.white else [clocks[0], clock(move.clock)]
        steps.append(step(move, following.board if following else review.final, clocks,
                          best(following) if following else ""))
    text = json.dumps({"names": [review.white.name, review.black.name], "steps": steps}, separators=(",", ":"))
    return f"<script type='application/json' class='told'>{text.replace('<', chr(92) + 'u003c')}</script>"


def step(move: Move, after: chess.Board, clocks: list[str], now: str) -> dict[str, Any]:
    """One move."""
    is_judged = move.judgement is not None
    better = line(move) if is_judged and len(move.line) > 1 else ""
    return {"label": move.label, "board": after.board_fen(), "move": move.move.uci(), "best": now,
            "score": "" if move.is_over else move.after.text, "share": share(move.after.ceiled),
            "kind": move.judgement.name.lower() if move.judgement else "",
            "said": [text for text in (move.comment, move.explanation) if text], "line": better,
            "own": move.own_comment, "clocks": clocks}


def line(move: Move) -> str:
    """What was better, with its numbers."""
    return "Better: " + move.board.variation_san(move.best[:LINE_PLIES])


def best(move: Move) -> str:
    return move.best_move.uci() if move.best_move else ""


def share(cp: int) -> float:
    return round(win_percent(cp), 1)


def clock(left_s: float) -> str:
    """Time left, as clocks show it.

    >>> clock(3725.0), clock(59.4)
    ('1:02:05', '0:59')
    """
    seconds = int(left_s)
    hours = f"{seconds // 3600}:" if seconds >= 3600 else ""
    return f"{hours}{seconds // 60 % 60:0{2 if hours else 1}}:{seconds % 60:02}"
