"""Which technique decides: the same search with each technique off in turn; does the move change, what does it cost?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from barreleye.core.techniques import TECHNIQUES
from barreleye.explain import words
from barreleye.explain.answer import Answer, Sentence
from barreleye.explain.culprits import WITHOUT_EFFECT, Culprits, culprits

if TYPE_CHECKING:
    import chess

    from barreleye.explain.inquiry import Finding, Inquiry

MOST_TIMES = 8                  # a search without a technique may cost so many times the nodes, then it is ended
DEAR = 1.25                     # times the nodes that are worth a word
NAMED = 3                       # techniques that a sentence names


@dataclass(frozen=True, slots=True)
class Without:
    """The same search without one technique."""

    technique: str
    best_move: str
    score: dict[str, int]           # for White
    depth: int
    nodes: int
    cost: float                     # nodes, as a multiple of those with the technique; a lower bound if it was ended
    ended: bool                     # it was given up before it had reached the depth
    changes_move: bool
    used: int                       # how often the technique worked in the search with all of them


@dataclass(frozen=True, slots=True, kw_only=True)
class Techniques(Answer):
    """What each technique does for the search of a position."""

    best_move: str
    depth: int                      # to which all were searched
    nodes: int                      # with all techniques
    without: tuple[Without, ...]    # those that change the move first, then the dearest to do without
    culprits: Culprits | None       # for a move that only more search finds


def techniques(inquiry: Inquiry, found: Finding, nodes: int, wanted: str | None = None) -> Techniques:
    """Search again without each technique that is on, to the depth that so many nodes reach with all of them.

    wanted is a move that only more search finds; which switches hide it is told too.
    """
    depth = max(1, inquiry.search(nodes=nodes).ledger.depth)
    whole = inquiry.search(depth=depth)
    white, rows = inquiry.board.turn, []
    for technique in TECHNIQUES:
        if technique.name in WITHOUT_EFFECT or not inquiry.engine.values[technique.option]:
            continue
        other = inquiry.search(without=[technique.name], depth=depth, nodes=MOST_TIMES * whole.nodes + 1000)
        rows.append(Without(technique.name, other.best_move or "", words.white_score(other.score, white), other.depth,
                            other.nodes, other.nodes / max(1, whole.nodes), other.ledger.depth < depth,
                            other.best_move != whole.best_move,
                            whole.counters["techniques"][technique.name]["succeeded"]))
    rows.sort(key=lambda row: (not row.changes_move, -row.cost))
    hidden = wanted if wanted not in (None, whole.best_move) else None
    if hidden is None and found.best_move != whole.best_move:
        hidden = found.best_move
    blamed = culprits(inquiry, hidden, nodes) if hidden is not None else None
    return Techniques(question="Which technique decides?", fen=inquiry.fen,
                      sentences=tuple(said(inquiry, found, whole, rows, depth, blamed)), arrow=whole.best_move,
                      best_move=whole.best_move or "", depth=depth, nodes=whole.nodes, without=tuple(rows),
                      culprits=blamed)


def said(inquiry: Inquiry, found: Finding, whole: Finding, rows: list[Without], depth: int,
         blamed: Culprits | None) -> list[Sentence]:
    """Which techniques change the move, which are dear to do without, and which hide a move."""
    board = inquiry.board
    best, base = words.san(board, whole.best_move), {"depth": depth, "nodes": whole.nodes, "move": whole.best_move}
    changing = [row for row in rows if row.changes_move]
    evidence = {**base, "without": {row.technique: row.best_move for row in changing}}
    sentences = []
    if whole.best_move != found.best_move:
        sentences.append(Sentence(f"This test looks at fewer positions, and then the choice is {best} instead "
                                  f"of {words.san(board, found.best_move)}.", {**base, "found": found.best_move}))
    start = f"To depth {depth}, which takes {whole.nodes:,} positions, "
    if not changing:
        sentences.append(Sentence(f"{start}{best} is found whichever technique is switched off: it depends on none of "
                                  f"the {len(rows)}.", {**base, "searches": len(rows)}))
    else:
        sentences.append(Sentence(f"{start}the choice of {best} depends on {words.number(len(changing))} of "
                                  f"{len(rows)} techniques: it would be {'; '.join(instead(board, changing))}.",
                                  evidence))
    dear = sorted((row for row in rows if row.cost >= DEAR), key=lambda row: -row.cost)[:NAMED]
    if dear:
        named = [f"{'over ' * row.ended}{row.cost:.1f} times as many positions without {row.technique}"
                 for row in dear[:1]]
        named += [f"{'over ' * row.ended}{row.cost:.1f} times without {row.technique}" for row in dear[1:]]
        sentences.append(Sentence(f"It would take {words.listed(named)}.",
                                  {**base, "cost": {row.technique: round(row.cost, 2) for row in dear}}))
    if blamed is not None:
        sentences.append(hiding(blamed, words.san(board, blamed.move)))
    return sentences


def instead(board: chess.Board, changing: list[Without]) -> list[str]:
    """What would be played, and without which techniques; the moves that come up most often first."""
    by_move: dict[str, list[str]] = {}
    for row in changing:
        by_move.setdefault(row.best_move, []).append(row.technique)
    told = []
    for move, names in sorted(by_move.items(), key=lambda one: -len(one[1]))[:NAMED]:
        shown = names if len(names) <= NAMED else [*names[:NAMED - 1], words.counted(len(names) - NAMED + 1, "other")]
        told.append(f"{words.san(board, move)} without {words.listed(shown, 'or')}")
    rest = len(by_move) - len(told)
    return [*told, f"{words.counted(rest, 'other move')} without the rest"] if rest else told


def hiding(blamed: Culprits, san: str) -> Sentence:
    """Which switches hide a move, or that none do."""
    evidence = {"move": blamed.move, "switches": list(blamed.switches), "nodes": blamed.nodes,
                "searches": blamed.searches, "alone": list(blamed.alone)}
    if not blamed.switches:
        return Sentence(f"No technique hides {san}: none of {blamed.searches} searches of {blamed.nodes:,} positions "
                        "with techniques switched off chooses it.", evidence)
    others = [name for name in blamed.alone if name not in blamed.switches]
    more = f"; so they are without {words.listed(others[:NAMED], 'or')}" if others else ""
    return Sentence(f"Without {words.listed(list(blamed.switches))}, {blamed.nodes:,} positions are enough to find "
                    f"{san}{more}.", evidence)
