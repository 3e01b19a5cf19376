"""How sure: do the last iterations agree, how calm is the score, how far behind are the others, will the move last?"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from barreleye import wdl
from barreleye.core.facts import TABLEBASE_RANGE
from barreleye.explain import stability, words
from barreleye.explain.answer import Answer, Sentence

if TYPE_CHECKING:
    from barreleye.explain.inquiry import Finding, Inquiry
    from barreleye.ledger import Ledger

LOOKED_BACK = 6                 # iterations whose agreement is counted
CALM = 4                        # iterations whose scores are compared
MOST_SPREAD, MOST_GAP = 200, 300        # centipawns beyond which more says nothing more
SURE, LIKELY, OPEN = 0.9, 0.75, 0.55


@dataclass(frozen=True, slots=True)
class Signs:
    """What a search shows of how settled it is; the model in stability.py turns it into a probability."""

    depth: int
    held: int                       # completed iterations, counted back from the last, that the move led
    agreement: float                # share of the last six that it led
    leaders: int                    # different moves that led in the last six
    spread: float                   # standard deviation of the last four scores, in centipawns
    effort: float                   # share of all nodes that was spent on it
    late_effort: float              # the same for the last completed iteration
    gap: int                        # centipawns by which the last iteration saw every other move behind, at least
    replies: int                    # legal moves there were to choose from
    score: int                      # for the side to move
    nodes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Confidence(Answer):
    """How sure the engine is of its move and of its score."""

    signs: Signs
    chances: tuple[int, int, int]   # White wins, draw, Black wins, in permille
    stays_best: float               # probability that ten times the nodes would choose the same move


def confidence(inquiry: Inquiry, found: Finding, doubt: str | None = None) -> Confidence:
    """Say how sure a search can be. doubt is a move that did better when it was compared with the chosen one."""
    signs = signs_of(found.ledger, found.score, found.nodes, len(inquiry.position.legal_moves()))
    known = inquiry.is_known or inquiry.draws_at_once(found.best_move)
    proven = certain(found.score if inquiry.board.turn else -found.score, known)
    chances = proven or wdl.white_chances(found.score, inquiry.board)
    stays = 1.0 if signs.replies < 2 else stability.probability(signs)
    sentences = [lasting(inquiry, found, signs, stays, doubt), expected(inquiry, found, chances, proven is not None)]
    if signs.replies > 1 and wdl.mate_moves(found.score) is None:
        sentences.insert(1, agreed(inquiry, found, signs))
    return Confidence(question="How sure is it?", fen=inquiry.fen, sentences=tuple(sentences), arrow=found.best_move,
                      signs=signs, chances=chances, stays_best=stays)


def certain(score: int, known: bool) -> tuple[int, int, int] | None:
    """White's chances where they are none any more, by White's score."""
    if abs(score) < TABLEBASE_RANGE:
        return (0, 1000, 0) if known and abs(score) < words.KNOWN_DRAW else None
    return (1000, 0, 0) if score > 0 else (0, 0, 1000)


def signs_of(ledger: Ledger, score: int, nodes: int, legal: int) -> Signs:
    """What the ledger shows."""
    leaders, best = ledger.leaders(), ledger.best_move
    recent = leaders[-LOOKED_BACK:]
    held = 0
    for leader in reversed(leaders):
        if leader.move != best:
            break
        held += 1
    effort, late = ledger.effort(), [visit for visit in ledger.visits if visit.iteration == max(1, ledger.depth)]
    scores = [clamp(leader.value, 2000) for leader in leaders[-CALM:]]
    mean = sum(scores) / max(1, len(scores))
    spread = math.sqrt(sum((value - mean) ** 2 for value in scores) / max(1, len(scores)))
    final = {visit.move: visit for visit in late}
    top = final[best].value if best in final else score
    others = [visit.value for move, visit in final.items() if move != best]
    late_nodes = sum(visit.nodes for visit in late)
    return Signs(ledger.depth, held, sum(leader.move == best for leader in recent) / max(1, len(recent)),
                 len({leader.move for leader in recent}), round(min(spread, MOST_SPREAD), 1),
                 round(effort.get(best or "", 0) / max(1, sum(effort.values())), 4),
                 round(sum(visit.nodes for visit in late if visit.move == best) / max(1, late_nodes), 4),
                 clamp(top - max(others, default=top - MOST_GAP), MOST_GAP), legal, score, nodes)


def clamp(value: int, most: int) -> int:
    """Within plus and minus most."""
    return max(-most, min(most, value))


def lasting(inquiry: Inquiry, found: Finding, signs: Signs, stays: float, doubt: str | None) -> Sentence:
    """Whether more search would choose the same."""
    san = words.san(inquiry.board, found.best_move)
    evidence = {"stays_best": round(stays, 3), "nodes": signs.nodes, "signs": dict(zip(
        Signs.__slots__, (getattr(signs, name) for name in Signs.__slots__), strict=True))}
    if signs.replies < 2:
        return Sentence(f"There is no other move than {san}.", evidence)
    mate = wdl.mate_moves(found.score)
    if mate is not None and mate > 0:
        more = "" if mate <= 2 else "; more search could only find a shorter way"
        return Sentence(f"It is certain of {san}, because the mate is proven{more}.", evidence)
    if mate is None and inquiry.is_known and len(found.ledger.moves) == 1:
        return Sentence(f"It is certain of {san}: the endgame tables rule out every other move.",
                        {**evidence, "legal_moves": signs.replies, "searched": 1})
    if doubt is not None:
        other = words.san(inquiry.board, doubt)
        return Sentence(f"It is not sure of {san}: looked at more closely, {other} did better.",
                        {**evidence, "doubt": doubt})
    sure = ("It is very sure of" if stays >= SURE else "It is fairly sure of" if stays >= LIKELY else
            "It leans towards" if stays >= OPEN else "It is not sure of")
    return Sentence(f"{sure} {san}: in {words.percent(stays)} of such cases ten times as many positions "
                    "lead to the same move.", evidence)


def agreed(inquiry: Inquiry, found: Finding, signs: Signs) -> Sentence:
    """What the last iterations thought, and how the score moved."""
    seen = min(LOOKED_BACK, signs.depth)
    chose = round(signs.agreement * seen)
    evidence = {"agreement": round(signs.agreement, 3), "iterations": seen, "spread": signs.spread,
                "scores": [words.white_score(leader.value, inquiry.board.turn)
                           for leader in found.ledger.leaders()[-CALM:]]}
    if seen < 2:
        return Sentence("It has hardly begun to search.", evidence)
    last = f"of its last {words.number(seen)} iterations"
    which = {seen: f"All {last}", 0: f"None {last}", 1: f"Only one {last}"}.get(
        chose, f"{words.capital(words.number(chose))} {last}")
    agree = f"{which} chose it"
    calm = ("the score has hardly moved" if signs.spread < 8 else
            f"the score has moved by about {words.pawns(round(signs.spread))}")
    join = "and" if (chose == seen) == (signs.spread < 8) else "but"
    return Sentence(f"{agree}, {join} {calm} over the last {words.number(min(CALM, signs.depth))}.", evidence)


def expected(inquiry: Inquiry, found: Finding, chances: tuple[int, int, int], known: bool) -> Sentence:
    """What the score means for the result."""
    win, draw, loss = (share / 1000 for share in chances)
    evidence = {"white": win, "draw": draw, "black": loss, "score": words.white_score(found.score, inquiry.board.turn)}
    mate = wdl.mate_moves(found.score)
    if mate is not None:
        return Sentence(f"The result is settled: {inquiry.standing(found.score)}.", evidence)
    if known:
        return Sentence(f"The result is known: {inquiry.standing(found.score, found.best_move)}.", evidence)
    bare = [words.side(white) for white in (True, False) if inquiry.board.has_insufficient_material(white)]
    if bare and max(win, loss) <= 0.99:
        return Sentence(f"{words.listed(bare)} cannot win any more, having nothing left to mate with.", evidence)
    if max(win, loss) > 0.99:
        return Sentence(f"With such a score {words.side(win > loss)} wins nearly every game.", evidence)
    return Sentence(f"Of games with such a score and so many men left White wins {words.percent(win)} and Black "
                    f"{words.percent(loss)}; {words.percent(draw)} are drawn.", evidence)
