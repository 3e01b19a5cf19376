"""Pictures for reports, as SVG that takes its colours from the page's style: the graph of a game, rings, the fish."""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape

from barreleye.analysis.accuracy import win_percent
from barreleye.analysis.review import Move, Review

WIDTH, HEIGHT, MARGIN = 1000, 240, 6          # of the graph
RING = 54.0                                   # radius
MOST_TICKS = 8                                # numbers below the graph
ROOM_FOR_A_NAME, ROOM_AT_THE_EDGE = 0.32, 0.7 # of a phase, as parts of a phone's width


def graph(review: Review, anchor: str, shown: Sequence[int]) -> str:
    """White's chances over the game, the phases marked, every judged move a dot that leads to its picture."""
    shares = [win_percent(review.start.ceiled), *(win_percent(move.after.ceiled) for move in review.moves)]
    step = WIDTH / max(1, len(shares) - 1)
    points = [(index * step, height_of(share)) for index, share in enumerate(shares)]
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    middle = height_of(50)
    parts = [f"<rect class='black-area' width='{WIDTH}' height='{HEIGHT}'/>",
             f"<polygon class='white-area' points='0,{HEIGHT} {path} {WIDTH},{HEIGHT}'/>",
             f"<line class='even' x1='0' y1='{middle:.1f}' x2='{WIDTH}' y2='{middle:.1f}'/>"]
    parts += [f"<line class='phase' x1='{index * step:.1f}' y1='0' x2='{index * step:.1f}' y2='{HEIGHT}'/>"
              for _, index in phases(review)]
    parts.append(f"<polyline class='curve' points='{path}'/>")
    parts += [hover(move, *points[index], step) for index, move in enumerate(review.moves, 1)]
    parts += [dot(move, *points[index], f"{anchor}-{index}" if index - 1 in shown else None)
              for index, move in enumerate(review.moves, 1) if move.judgement]
    return (f"<svg class='graph' viewBox='0 0 {WIDTH} {HEIGHT}' preserveAspectRatio='none' role='group' "
            f"aria-label='White&#39;s winning chances over the game'>{''.join(parts)}</svg>{phase_names(review)}")


def phases(review: Review) -> list[tuple[str, int]]:
    """What begins after how many moves."""
    found = (("middlegame", review.division.middle), ("endgame", review.division.end))
    return [(name, index) for name, index in found if index is not None]


def phase_names(review: Review) -> str:
    """Above the graph's lines: text that stays as large as it is on a narrow screen. A second name that would stand
    in the first one's way goes below it, and one near the right edge to the left of its line."""
    names, last = [], -1.0
    for name, index in phases(review):
        share = index / max(1, len(review.moves))
        is_end = share > ROOM_AT_THE_EDGE
        places = ["end"] if is_end else []
        places += ["low"] if last >= 0 and share - last < ROOM_FOR_A_NAME * (1 + is_end) else []
        names.append(f"<span class='{' '.join(['phase', *places])}' style='left:{100 * share:.2f}%'>{name}</span>")
        last = share
    return "".join(names)


def axis(review: Review) -> str:
    """The numbers of some moves below the graph: text that stays as large as it is on a narrow screen."""
    count = len(review.moves)
    wanted = next(step for step in (1, 2, 5, 10, 20, 50, 100, 1000) if count / 2 / step <= MOST_TICKS or step == 1000)
    ticks = "".join(f"<span style='left:{min(98.0, 100 * index / count):.2f}%'>{move.number}</span>"
                    for index, move in enumerate(review.moves, 1) if move.white and move.number % wanted == 0)
    return f"<div class='axis' aria-hidden='true'>{ticks}</div>"


def height_of(share: float) -> float:
    """Where a share of per cent is drawn, from the bottom up."""
    return MARGIN + (HEIGHT - 2 * MARGIN) * (100 - share) / 100


def hover(move: Move, x: float, y: float, step: float) -> str:
    """A strip that says what the move was when the mouse rests on it."""
    said = escape(f"{move.label}  {'' if move.is_over else move.after.text}".strip(), quote=True)
    return (f"<rect class='strip' x='{max(0.0, x - step / 2):.1f}' y='0' width='{step:.1f}' height='{HEIGHT}'>"
            f"<title>{said}</title></rect>")


def dot(move: Move, x: float, y: float, target: str | None) -> str:
    """A judged move; its colour says how bad it was."""
    assert move.judgement is not None
    inside = min(max(x, 7), WIDTH - 7)
    # The round end of a line without length is a circle that keeps its size and shape however the graph is stretched.
    point = f"d='M{inside:.1f},{y:.1f}h0'"
    circle = (f"<g class='dot {move.judgement.name.lower()}'><path class='rim' {point}/><path {point}/>"
              f"<title>{escape(move.label)}: {escape(move.comment)}</title></g>")
    return circle if target is None else f"<a href='#{target}'>{circle}</a>"


def ring(share: float | None) -> str:
    """A share of per cent as part of a circle, the number inside."""
    around = 2 * math.pi * RING
    filled = around * (share or 0) / 100
    text = "-" if share is None else f"{share:.0f}"
    return (f"<svg class='ring' viewBox='0 0 128 128' role='img' aria-label='accuracy {text} per cent'>"
            f"<circle class='rest' cx='64' cy='64' r='{RING}'/>"
            f"<circle class='done' cx='64' cy='64' r='{RING}' stroke-dasharray='{filled:.1f} {around:.1f}' "
            f"transform='rotate(-90 64 64)'/><text x='64' y='73' text-anchor='middle'>{text}<tspan>%</tspan></text>"
            "</svg>")


def fish() -> str:
    """Our own mark: a fish with a clear head."""
    return ("<svg class='fish' viewBox='0 0 64 40' aria-hidden='true'>"
            "<path class='body' d='M4 8 18 19 4 32c3-8 3-16 0-24z"
            "M14 20C22 6 40 2 50 8c8 4 11 9 11 12s-3 9-11 12c-12 5-28 1-36-12z'/><path class='head' d='M42 7c10 0 17 7 "
            "17 13s-7 13-17 12c4-8 4-17 0-25z'/><circle class='eye' cx='49' cy='16' r='4.5'/></svg>")


def key_moments(moves: Sequence[Move], most: int) -> list[int]:
    """Numbers (from 0) of the moves worth a picture: those that lost most of the chances, in the order of the game."""
    judged = [index for index, move in enumerate(moves) if move.judgement]
    return sorted(sorted(judged, key=lambda index: moves[index].accuracy)[:most])
