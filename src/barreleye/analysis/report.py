"""A report on games as one HTML file that needs nothing else: no fonts, no links out of it. Its script steps through
the games; without it everything else is there."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from importlib.resources import files
from itertools import zip_longest

from barreleye import __version__
from barreleye.analysis import replay
from barreleye.analysis.drawing import axis, fish, graph, key_moments, ring
from barreleye.analysis.games import plain
from barreleye.analysis.judgement import Judgement
from barreleye.analysis.review import Move, Review, Side
from barreleye.pictures.board import board, sprites

MOST_MOMENTS = 9
LINE_PLIES = 10
STYLES = (("barreleye.pictures", "palette.css"), ("barreleye.analysis", "report.css"))
PLURALS = {Judgement.INACCURACY: "Inaccuracies", Judgement.MISTAKE: "Mistakes", Judgement.BLUNDER: "Blunders"}


def page(reviews: Sequence[Review], nodes: int) -> str:
    """The whole document."""
    style = "".join(files(room).joinpath(name).read_text(encoding="utf-8") for room, name in STYLES)
    title = "Barreleye: " + (versus(reviews[0]) if len(reviews) == 1 else f"{len(reviews)} games")
    games = "".join(section(review, number) for number, review in enumerate(reviews, 1))
    shared = f"<svg class='sprites' aria-hidden='true'>{sprites()}</svg>"
    return (f"<!doctype html>\n<html lang='en'><head><meta charset='utf-8'><title>{escape(title)}</title>"
            "<meta name='viewport' content='width=device-width, initial-scale=1'>"
            f"<style>{style}</style></head><body>{shared}<main><header><h1>{fish()} Game report</h1></header>"
            f"{index(reviews) if len(reviews) > 1 else ''}{games}<footer>{footer(nodes)}</footer></main>"
            f"<script>{replay.script()}</script></body></html>\n")


def footer(nodes: int) -> str:
    return (f"Analysed by Barreleye {__version__}, {nodes:,} nodes a position. Judgements, accuracy and phases follow "
            "lichess's formulas. Red arrows show what was played, green ones what is better. The left and right arrow "
            "keys step through a game.")


def versus(review: Review) -> str:
    """Who played, or where when nobody is named."""
    white, black, event = (review.headers.get(name) or "?" for name in ("White", "Black", "Event"))
    if white == black == "?" and event != "?":
        return plain(event)
    return f"{review.white.name} - {review.black.name}"


def index(reviews: Sequence[Review]) -> str:
    """All games of the page, each a link to its section."""
    rows = "".join(
        f"<tr><td><a href='#game-{number}'>{escape(versus(review))}</a></td><td>{escape(result_of(review))}</td>"
        f"<td>{percent(review.white.accuracy)}</td><td>{percent(review.black.accuracy)}</td>"
        f"<td>{(len(review.moves) + 1) // 2}</td><td>{escape(opening_name(review))}</td></tr>"
        for number, review in enumerate(reviews, 1))
    return ("<div class='card index'><table><tr><th>game</th><th>result</th><th>White</th><th>Black</th><th>moves</th>"
            f"<th>opening</th></tr>{rows}</table></div>")


def section(review: Review, number: int) -> str:
    """One game: who and where, the graph, both sides, the key moments, all moves."""
    anchor = f"game-{number}"
    moments = key_moments(review.moves, MOST_MOMENTS)
    shown = "".join(moment(review.moves[ply], f"{anchor}-{ply + 1}") for ply in moments)
    return (f"<section class='game' id='{anchor}'><div class='versus'><h2>{escape(versus(review))}</h2>"
            f"<span class='result'>{escape(result_of(review))}</span></div><p class='facts'>{escape(facts(review))}</p>"
            f"<div class='card'><div class='chart'>{graph(review, anchor, moments)}</div>{axis(review)}</div>"
            f"<div class='card player' hidden></div>{replay.told(review) if review.moves else ''}"
            f"<div class='sides'>{side(review.white, 'white')}{side(review.black, 'black')}</div>"
            + (f"<h3>Key moments</h3><div class='moments'>{shown}</div>" if shown else "")
            + f"<details><summary>All moves</summary><div class='moves'>{move_list(review)}</div></details>"
            + "</section>")


def result_of(review: Review) -> str:
    return review.headers.get("Result", "*").replace("1/2-1/2", "½-½")


def opening_name(review: Review) -> str:
    """As the game itself says, or by its positions."""
    own = review.headers.get("Opening", "")
    if review.opening and own in ("", "?"):
        return str(review.opening)
    words = (review.headers.get("ECO", ""), own)
    return plain(" ".join(word for word in words if word and word != "?"))


def facts(review: Review) -> str:
    """Where, when and what was played."""
    headers = review.headers
    words = [plain(headers.get("Event", "")), headers.get("Date", "").replace(".??", "").replace(".", "-"),
             opening_name(review), f"{(len(review.moves) + 1) // 2} moves"]
    return " · ".join(word for word in words if word and not word.startswith("?"))


def percent(share: float | None) -> str:
    return "-" if share is None else f"{share:.1f} %"


def side(player: Side, color: str) -> str:
    """A player's accuracy, average loss, how many moves were found fault with, and the phases."""
    rating = f" <small>{escape(player.rating)}</small>" if player.rating else ""
    counts = "".join(f"<dt>{PLURALS[judgement]}</dt><dd class='{judgement.name.lower() if count else ''}'>{count}</dd>"
                     for judgement, count in player.counts.items())
    loss = "-" if player.average_loss is None else player.average_loss
    phases = "".join(f"<span>{phase.capitalize()}</span><i style='--share:{share:.0f}%'></i><b>{share:.0f} %</b>"
                     for phase, share in player.phases.items())
    return (f"<div class='card side'>{ring(player.accuracy)}<div><h4><span class='man {color}'></span>"
            f"{escape(player.name)}{rating}</h4><dl><dt>Average centipawn loss</dt><dd>{loss}</dd>{counts}</dl></div>"
            f"<div class='phases'><small>Mean accuracy of the moves in each phase</small>{phases}</div></div>")


def moment(move: Move, anchor: str) -> str:
    """A board with both moves on it, and the words for them."""
    assert move.judgement is not None
    name = move.judgement.name.lower()
    first, *rest = move.best_san[:LINE_PLIES] or ("",)
    better = f"<p class='line'><b>{escape(first)}</b> {escape(' '.join(rest))}</p>" if first else ""
    why = f"<p class='why'>{escape(move.explanation)}</p>" if move.explanation else ""
    after = "mate" if move.is_over else move.after.text
    return (f"<article class='card moment' id='{anchor}'>"
            f"{board(move.board, move.white, move.move, move.best_move)}"
            f"<div><h4><span class='{name}'>{escape(move.label)}</span><span>{move.before.text} → {after}</span></h4>"
            f"<p>{escape(move.comment)}</p>{why}{better}</div></article>")


def hint(move: Move) -> str:
    """What the mouse finds on a move that has been explained."""
    return f" title='{escape(move.explanation)}'" if move.explanation else ""


def clock(move: Move) -> str:
    """The time a player had left after a move, where the game tells."""
    return "" if move.clock is None else f" <i>{replay.clock(move.clock)}</i>"


def move_list(review: Review) -> str:
    """The game in two columns, judged moves in their colours."""
    moves = list(review.moves)
    cells = ["<span></span>"] if moves and not moves[0].white else []
    cells += [f"<span data-ply='{ply}'{f' class={move.judgement.name.lower()!r}' if move.judgement else ''}"
              f"{hint(move)}>"
              f"{escape(move.san)}{move.judgement.sign if move.judgement else ''}"
              f"<small>{'' if move.is_over else move.after.text}{clock(move)}</small></span>"
              for ply, move in enumerate(moves, 1)]
    first = moves[0].number if moves else 1
    return "".join(f"<p><span>{first + row}.</span>{white}{black or ''}</p>"
                   for row, (white, black) in enumerate(zip_longest(cells[::2], cells[1::2])))
