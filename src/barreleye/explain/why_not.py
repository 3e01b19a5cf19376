"""Why not another move: what refutes it, when it fell behind, how it was treated, and what it is worth when forced.

When the forced move turns out to be better than the chosen one, the search is wrong, and the answer says so and why.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any

from barreleye import wdl
from barreleye.explain import words
from barreleye.explain.answer import Answer, Sentence
from barreleye.explain.culprits import Culprits, culprits
from barreleye.explain.refutation import consequence, is_close, loss_of, motifs_against
from barreleye.explain.techniques import hiding
from barreleye.explain.why import EXHAUSTED, gap

if TYPE_CHECKING:
    import chess

    from barreleye.explain.inquiry import Finding, Inquiry

FORCED_NODES = 4                # times the nodes of the search that forcing a move may cost
WRONG = 30                      # centipawns by which a forced move must be better for the search to be called wrong
AFFORDABLE_NODES = 30_000       # a search up to which the culprit is looked for without being asked


class Reason(Enum):
    """Why a move was not chosen."""

    CHOSEN = "chosen"                       # it was
    WORSE = "judged worse"                  # looked at for itself to the same depth it is still worse
    EQUAL = "judged equal"                  # or as good
    UNREACHED = "never reached"             # the search ended before its turn came
    REDUCED = "reduced"                     # looked at less deeply than the first move
    PRUNED = "pruned"                       # looked at, but what speaks for it was cut away below


MISSED = (Reason.UNREACHED, Reason.REDUCED, Reason.PRUNED)


@dataclass(frozen=True, slots=True)
class Treatment:
    """How a search dealt with a root move."""

    visits: int                             # how often it was looked at
    nodes: int
    share: float                            # of all nodes
    asked: int                              # depth of the root at the last visit
    known: int                              # depth to which the table knows what comes after it, 0 if it does not
    order: int                              # its turn at the last visit
    decisions: dict[str, int] | None = None     # how often each technique reduced or pruned it, where that is recorded


@dataclass(frozen=True, slots=True, kw_only=True)
class WhyNot(Answer):
    """Why a move was not chosen. Scores are for White."""

    move: str
    best_move: str
    reason: Reason
    refutation: tuple[str, ...]             # the line after the move, its first reply first
    score: dict[str, int]                   # of the move, forced
    best_score: dict[str, int]
    gap: int | None                         # centipawns behind the best; negative when the search is wrong
    depth: int                              # of the forced search
    cost: int                               # its nodes
    behind_since: int | None                # the iteration since which it was not first any more, None if it never was
    treatment: Treatment | None             # None when the search never came to it
    culprits: Culprits | None               # looked for when the search is wrong and somebody is ready to wait

    @property
    def is_search_wrong(self) -> bool:
        """Whether the move is better than the chosen one by the engine's own judgement."""
        return self.reason in MISSED


def why_not(inquiry: Inquiry, found: Finding, move: str, *, culprit: bool | None = None) -> WhyNot:
    """Explain why a search did not choose a move. culprit: look for what hides it, by default where that is quick."""
    board, best = inquiry.board, found.best_move
    assert best is not None
    san = words.san(board, move)
    if move == best:
        return chosen(inquiry, found, move)
    depth = max(1, found.ledger.depth)
    forced = inquiry.search(only=[move], depth=depth, nodes=max(1000, FORCED_NODES * found.nodes))
    dealt = treatment(found, move)
    behind = behind_since(found, move)
    reason = reason_of(found, forced, move)
    wanted = found.nodes <= AFFORDABLE_NODES if culprit is None else culprit
    blamed = culprits(inquiry, move, found.nodes) if wanted and (culprit or reason in MISSED) else None
    sentences = [*verdict(inquiry, found, forced, reason, san), *treated(inquiry, found, dealt, san, behind, reason)]
    if not inquiry.is_known:
        sentences.append(cost(found, forced, san))
    if blamed is not None:
        sentences.append(hiding(blamed, san))
    return WhyNot(question=f"Why not {words.numbered(board, move)}?", fen=inquiry.fen, sentences=tuple(sentences),
                  arrow=move, move=move, best_move=best, reason=reason, refutation=forced.moves[1:],
                  score=words.white_score(forced.score, board.turn),
                  best_score=words.white_score(found.score, board.turn), gap=gap(found.score, forced.score),
                  depth=forced.depth, cost=forced.nodes, behind_since=behind, treatment=dealt, culprits=blamed)


def chosen(inquiry: Inquiry, found: Finding, move: str) -> WhyNot:
    """The answer to a question that does not arise."""
    score = words.white_score(found.score, inquiry.board.turn)
    text = f"{words.san(inquiry.board, move)} is the move that Barreleye plays."
    return WhyNot(question=f"Why not {words.numbered(inquiry.board, move)}?", fen=inquiry.fen,
                  sentences=(Sentence(text, {"best_move": move, "score": score}),), arrow=move, move=move,
                  best_move=move, reason=Reason.CHOSEN, refutation=found.moves[1:], score=score, best_score=score,
                  gap=0, depth=found.depth, cost=found.nodes, behind_since=None, treatment=treatment(found, move),
                  culprits=None)


def reason_of(found: Finding, forced: Finding, move: str) -> Reason:
    """Why the search passed a move over: judged by what the move is worth for itself at the same depth."""
    if is_close(found.score, forced.score):
        return Reason.EQUAL
    if forced.score < found.score:
        return Reason.WORSE
    visit = found.ledger.last(move, max(1, found.ledger.depth))
    later = found.ledger.last(move)
    if visit is None or later is None:
        return Reason.UNREACHED
    return Reason.REDUCED if later.reply_depth < later.depth - 1 else Reason.PRUNED


def treatment(found: Finding, move: str) -> Treatment | None:
    """How the search dealt with a move."""
    visits = found.ledger.of_move(move)
    if not visits:
        return None
    nodes, last = sum(visit.nodes for visit in visits), visits[-1]
    return Treatment(len(visits), nodes, nodes / max(1, found.nodes), last.depth, last.reply_depth, last.order)


def behind_since(found: Finding, move: str) -> int | None:
    """The first iteration after the last one that the move led."""
    led = [leader.iteration for leader in found.ledger.leaders() if leader.move == move]
    return led[-1] + 1 if led else None


def verdict(inquiry: Inquiry, found: Finding, forced: Finding, reason: Reason, san: str) -> list[Sentence]:
    """What the move leads to; and if that is better than what was chosen, that the search is wrong."""
    board = inquiry.board
    evidence: dict[str, Any] = {
        "move": forced.best_move, "line": list(forced.moves), "score": words.white_score(forced.score, board.turn),
        "depth": forced.depth, "best_move": found.best_move, "best_score": words.white_score(found.score, board.turn),
        "best_depth": found.depth, "gap": gap(found.score, forced.score)}
    if reason not in MISSED:
        first = Sentence(f"{san} {consequence(inquiry, forced.moves, forced.score, found.score)}.", evidence)
        if reason is Reason.EQUAL or not is_refuted(board, forced, found):
            return [first]
        return [first, *(Sentence(motif.sentence, {"motif": motif.kind, "squares": motif.squares, "move": motif.move,
                                                   "line": list(forced.moves)})
                         for motif in motifs_against(board, forced.moves)[:1])]
    better = gap(forced.score, found.score)
    by = "better" if better is None else f"better by {words.pawns(better)}"
    best = words.san(board, found.best_move)
    after = board.copy(stack=False)
    after.push(board.parse_uci(forced.moves[0]))
    line = words.line(after, forced.moves[1:])
    told = f"after {line} {inquiry.standing(forced.score)}" if line else inquiry.standing(forced.score)
    wrong = "is" if better is None or better >= WRONG else "may be"
    return [Sentence(f"The search {wrong} wrong here: looked at on its own to the same depth, {san} is {by} than "
                     f"{best}; {told}.", evidence)]


def is_refuted(board: chess.Board, forced: Finding, found: Finding) -> bool:
    """Whether the move costs material or the king, so that there is an idea behind the reply."""
    mate = wdl.mate_moves(forced.score)
    return (mate is not None and mate < 0) or bool(loss_of(board, forced.moves, forced.score, found.score).text)


def treated(inquiry: Inquiry, found: Finding, dealt: Treatment | None, san: str, behind: int | None,
            reason: Reason) -> list[Sentence]:
    """How far the search looked at the move, and when it dropped it."""
    best, depth = words.san(inquiry.board, found.best_move), found.ledger.depth
    if dealt is None and inquiry.is_known:
        return [Sentence(f"The endgame tables rule {san} out, so the search did not look at it.",
                         {"visits": 0, "legal_moves": len(inquiry.position.legal_moves()),
                          "searched": len(found.ledger.moves)})]
    if dealt is None:
        return [Sentence(f"The search ended before it came to {san}.", {"visits": 0, "nodes": found.nodes})]
    evidence = {"visits": dealt.visits, "nodes": dealt.nodes, "share": round(dealt.share, 4), "asked": dealt.asked,
                "known": dealt.known, "order": dealt.order, "behind_since": behind}
    if behind is not None and behind <= depth:
        when = f"It was the first choice until depth {behind - 1}, and fell behind at depth {behind}"
    elif behind is not None:
        when = f"It was the first choice up to depth {behind - 1}"
    else:
        when = "It was never the first choice"
    short = dealt.asked - 1 - dealt.known if depth < EXHAUSTED else 0
    if reason is Reason.UNREACHED:
        less = f", and at depth {depth} the search ended before its turn came"
    elif short > 0:
        less = (f", and at the last look it was searched {words.counted(short, 'ply', 'plies')} less deeply "
                f"than {best}" if dealt.known else ", and at the last look it was hardly searched at all")
    else:
        less = ""
    return [Sentence(f"{when}{less}; {words.percent(dealt.share)} of the {found.nodes:,} positions come after it.",
                     evidence)]


def cost(found: Finding, forced: Finding, san: str) -> Sentence:
    """What it takes to look at the move alone."""
    evidence = {"nodes": forced.nodes, "depth": forced.depth, "wanted_depth": found.ledger.depth}
    reached = (f"to the same depth, {forced.depth}," if forced.depth >= found.ledger.depth
               else f"to depth {forced.depth}" + f", short of {found.ledger.depth}," * (found.ledger.depth < EXHAUSTED))
    return Sentence(f"Looking at {san} alone {reached} takes {words.counted(forced.nodes, 'position')}.", evidence)
