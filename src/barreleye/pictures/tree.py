"""A recorded search as a picture: an icicle, in which a visit is as wide as the visits within it are many."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any

from barreleye.pictures.notebook import DATA, new_name

if TYPE_CHECKING:
    from barreleye.tree import Tree, Visit

WIDTH, ROW, ROWS = 960, 26, 12
NARROWEST = 0.6             # pixels: what is narrower is not drawn
LETTER = 7.2                # pixels of a label
# What colours say, in the order of the legend. A technique that is not named here is one that cuts a node short.
COLOURS = {
    "exact": ("#f2c94c", "best move found"),
    "fail high": ("#2f9e6e", "a move is good enough"),
    "fail low": ("#d1495b", "no move is good enough"),
    "TT Cutoff": ("#7fa3b8", "known from the table"),
    "stand pat": ("#b9cfdb", "the evaluation is good enough"),
    "technique": ("#8067b7", "cut short by a technique"),
    "other": ("#9aa7ae", "draw, mate, tables, stopped"),
}
OTHERS = frozenset({"draw", "repetition", "mate", "stalemate", "alone", "too deep", "stopped", "unknown", "Tablebases",
                    "Mate Distance"})


def colour_name(visit: Visit) -> str:
    """Which of the colours a visit has."""
    return visit.ending if visit.ending in COLOURS else "other" if visit.ending in OTHERS else "technique"


def icicle(visit: Visit, width: int = WIDTH, rows: int = ROWS) -> str:
    """What lies within a visit, a row for each step down, as SVG that needs nothing else."""
    parts: list[str] = []
    deepest = draw(parts, visit, 0.0, width / visit.size, 0, rows)
    legend_y = (deepest + 1) * ROW + 22
    x = 0.0
    for colour, text in COLOURS.values():
        if x + 24 + LETTER * len(text) > width:
            x, legend_y = 0.0, legend_y + 20
        parts.append(f"<rect x='{x:.0f}' y='{legend_y - 10}' width='12' height='12' rx='2' fill='{colour}'/>"
                     f"<text x='{x + 18:.0f}' y='{legend_y}' fill='#5d7280'>{escape(text)}</text>")
        x += 40 + LETTER * len(text)
    height = legend_y + 12
    return (f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {width} {height}' width='{width}' height='{height}' "
            f"font-family='system-ui, sans-serif' font-size='12' role='img' "
            f"aria-label='Tree of {visit.size:,} visits'>{''.join(parts)}</svg>")


def draw(parts: list[str], visit: Visit, x: float, scale: float, row: int, rows: int) -> int:
    """A visit and what lies within it; says how far down it goes."""
    width = visit.size * scale
    label = (f"depth {visit.depth}" if visit.kind == "window" else
             "pass" if visit.move == "0000" else san(visit) if visit.move else visit.kind)
    colour = COLOURS[colour_name(visit)][0]
    parts.append(f"<g><title>{escape(str(visit))}</title><rect x='{x:.2f}' y='{row * ROW}' "
                 f"width='{max(width - 0.5, 0.3):.2f}' height='{ROW - 2}' rx='2' fill='{colour}'/>")
    if width > LETTER * len(label) + 6:
        parts.append(f"<text x='{x + 4:.2f}' y='{row * ROW + 16}' fill='#12222e'>{escape(label)}</text>")
    parts.append("</g>")
    deepest = row
    if row + 1 < rows:
        at = x + scale                     # the visit itself comes before those within it
        for child in visit.children:
            if child.size * scale >= NARROWEST:
                deepest = max(deepest, draw(parts, child, at, scale, row + 1, rows))
            at += child.size * scale
    return deepest


def san(visit: Visit) -> str:
    """The move that led to a visit, as people write it."""
    board = visit.board()
    move = board.pop()
    return board.san(move)


def of_tree(tree: Tree) -> dict[str, Any]:
    """The last window that was searched to its end."""
    summary = tree.summary
    data = {"fen": tree.position.fen(), "best_move": summary.best_move, "score": summary.score, "depth": summary.depth,
            "nodes": summary.nodes, "visits": tree.total, "kept": len(tree)}
    if not len(tree):
        return {"text/plain": repr(tree), DATA: data}
    html = f"<div id='{new_name()}'>{icicle(tree.root)}</div>"
    return {"text/plain": repr(tree), "text/html": html, DATA: data}
