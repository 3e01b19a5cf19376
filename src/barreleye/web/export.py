"""A position as one HTML file that needs nothing else: the board, the answers, the tree of the search."""

from __future__ import annotations

from html import escape
from importlib.resources import files

import chess

from barreleye import __version__
from barreleye.analysis.drawing import fish
from barreleye.engine import Engine
from barreleye.explain.explanation import explain
from barreleye.openings import opening
from barreleye.pictures.board import board as drawn
from barreleye.pictures.board import sprites
from barreleye.pictures.tree import icicle
from barreleye.tree import words
from barreleye.web.job import Job
from barreleye.web.positions import board_of, sans
from barreleye.web.questions import RECORDED, Place, twin_of

STYLES = (("barreleye.pictures", "palette.css"), ("barreleye.analysis", "report.css"))
OWN = (".place { display: grid; grid-template-columns: minmax(240px, 420px) 1fr; gap: 24px; } "
       ".tree { overflow-x: auto; padding: 14px; } "
       "@media (max-width: 700px) { .place { grid-template-columns: 1fr; } }")


def document(engine: Engine, place: Place, job: Job, nodes: int) -> str:
    """The whole file."""
    board = board_of(*place)
    with twin_of(engine, place, job) as twin:
        found = explain(twin, nodes=nodes, with_threat=True)
    job.check()
    tree = engine.record(place, {"nodes": nodes}, options=RECORDED, on_start=job.on_start)
    job.check()
    summary = tree.summary
    best = chess.Move.from_uci(summary.best_move) if summary.best_move else None
    named = opening(board)
    title = str(named) if named else f"{'White' if board.turn else 'Black'} to move"
    score = words.value(summary.score if board.turn else -summary.score)
    line = board.root().variation_san(board.move_stack) if board.move_stack else ""
    verdict = (f"{board.san(best)} with {score} for White, {summary.nodes:,} nodes, depth {summary.depth}" if best
               else "The game is over")
    answers = "".join(f"<h3>{escape(answer.question)}</h3><p>{escape(str(answer))}</p>" for answer in found)
    pictured = ("<h3>The search</h3><div class='card tree' tabindex='0' role='group' aria-label='The tree of the "
                f"search'>{icicle(tree.root)}</div>" if len(tree) else "")
    style = "".join(files(room).joinpath(name).read_text(encoding="utf-8") for room, name in STYLES) + OWN
    return (f"<!doctype html>\n<html lang='en'><head><meta charset='utf-8'><title>Barreleye: {escape(title)}</title>"
            "<meta name='viewport' content='width=device-width, initial-scale=1'>"
            f"<style>{style}</style></head><body><svg class='sprites' aria-hidden='true'>{sprites()}</svg><main>"
            f"<header><h1>{fish()} Barreleye</h1></header><h2>{escape(title)}</h2><p class='facts'>{escape(line)}</p>"
            f"<div class='place'><div>{drawn(board, board.turn, best=best)}</div><div><h2>{escape(verdict)}</h2>"
            f"<p>{escape(' '.join(sans(board, list(summary.pv))))}</p>{answers}</div></div>{pictured}"
            f"<footer>Searched by Barreleye {__version__}. {escape(board.fen())}</footer></main></body></html>\n")
