"""Why not another move: what refutes it, when it fell behind, how it was treated, and what it is worth when forced.

When the forced move turns out to be better than the chosen one, the search is wrong, and the answer says so and why.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum
from typing import TYPE_CHECKING, Any

from barreleye import wdl
from barreleye.explain import words
from barreleye.explain.answer import Answer, Sentence
from barreleye.explain.culprits import Culprits, culprits
from barreleye.explain.refutation import BEYOND, consequence, is_close, loss_of, motifs_against
from barreleye.explain.techniques import hiding
from barreleye.explain.treatment import Treatment, treatment
from barreleye.explain.why import EXHAUSTED, WRONG, Compared, gap

if TYPE_CHECKING:
    import chess

    from barreleye.explain.inquiry import Finding, Inquiry, Line

FORCED_NODES = 4                # times the nodes of the search that forcing a move may cost
AFFORDABLE_NODES = 30_000       # a search up to which the culprit is looked for without being asked


class Reason(Enum):
    """Why a move was not chosen."""

    CHOSEN = "chosen"                       # it was
    WORSE = "judged worse"                  # looked at for itself to the same depth it is still worse
    EQUAL = "judged equal"                  # or as good
    UNREACHED = "never reached"             # the search ended before its turn came
    REDUCED = "reduced"                     # looked at less deeply than the first move
    PRUNED = "pruned"                       # looked at in full, but what speaks for it was cut away below


MISSED = (Reason.UNREACHED, Reason.REDUCED, Reason.PRUNED)


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
    forced: Line                            # the move searched for itself

    @property
    def is_search_wrong(self) -> bool:
        """Whether the move is better than the chosen one by the engine's own judgement."""
        return self.reason in MISSED


def why_not(inquiry: Inquiry, found: Finding, move: str, *, culprit: bool | None = None,
            better: Compared | None = None) -> WhyNot:
    """Explain why a search did not choose a move. culprit: look for what hides it, by default where that is quick.

    better is a line of the move by which it is known to be better than what was chosen, from a closer look at it.
    """
    board, best = inquiry.board, found.best_move
    assert best is not None
    san = words.san(board, move)
    if move == best:
        return chosen(inquiry, found, move)
    depth = max(1, found.ledger.depth)
    alone = inquiry.search(only=[move], depth=depth, nodes=max(1000, FORCED_NODES * found.nodes))
    closer = better is not None and better.score > alone.score
    forced = alone
    if better is not None and closer:
        forced = replace(alone, lines=(replace(alone.lines[0], score=better.score, moves=better.moves,
                                               depth=better.depth),))
    dealt = treatment(inquiry, found, move)
    behind = behind_since(found, move)
    reason = reason_of(found, forced, dealt)
    wanted = found.nodes <= AFFORDABLE_NODES if culprit is None else culprit
    blamed = culprits(inquiry, move, found.nodes) if wanted and (culprit or reason in MISSED) else None
    sentences = [*verdict(inquiry, found, forced, reason, san, closer),
                 *treated(inquiry, found, dealt, san, behind, reason)]
    if not inquiry.is_known and len(forced.moves) > 1:
        sentences.append(cost(found, alone, san, closer))
    if blamed is not None:
        sentences.append(hiding(blamed, san))
    return WhyNot(question=f"Why not {words.numbered(board, move)}?", fen=inquiry.fen, sentences=tuple(sentences),
                  arrow=move, move=move, best_move=best, reason=reason, refutation=forced.moves[1:],
                  score=words.white_score(forced.score, board.turn),
                  best_score=words.white_score(found.score, board.turn), gap=gap(found.score, forced.score),
                  depth=forced.depth, cost=alone.nodes, behind_since=behind, treatment=dealt, culprits=blamed,
                  forced=forced.lines[0])


def chosen(inquiry: Inquiry, found: Finding, move: str) -> WhyNot:
    """The answer to a question that does not arise."""
    score = words.white_score(found.score, inquiry.board.turn)
    text = f"{words.san(inquiry.board, move)} is the move that Barreleye plays."
    return WhyNot(question=f"Why not {words.numbered(inquiry.board, move)}?", fen=inquiry.fen,
                  sentences=(Sentence(text, {"best_move": move, "score": score}),), arrow=move, move=move,
                  best_move=move, reason=Reason.CHOSEN, refutation=found.moves[1:], score=score, best_score=score,
                  gap=0, depth=found.depth, cost=found.nodes, behind_since=None,
                  treatment=treatment(inquiry, found, move), culprits=None, forced=found.lines[0])


def reason_of(found: Finding, forced: Finding, dealt: Treatment | None) -> Reason:
    """Why the search passed a move over: judged by what the move is worth for itself at the same depth."""
    mates = wdl.mate_moves(found.score), wdl.mate_moves(forced.score)
    same_end = None not in mates and (found.score > 0) == (forced.score > 0)
    if is_close(found.score, forced.score) or (same_end and forced.score > found.score):
        return Reason.EQUAL                 # a quicker mate is not what makes a search wrong
    if forced.score < found.score:
        return Reason.WORSE
    if dealt is None or dealt.last.iteration < found.ledger.depth:
        return Reason.UNREACHED
    return Reason.REDUCED if dealt.last.short else Reason.PRUNED


def behind_since(found: Finding, move: str) -> int | None:
    """The first iteration after the last one that the move led."""
    led = [leader.iteration for leader in found.ledger.leaders() if leader.move == move]
    return led[-1] + 1 if led else None


def verdict(inquiry: Inquiry, found: Finding, forced: Finding, reason: Reason, san: str,
            closer: bool) -> list[Sentence]:
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
    by = "better" if better is None else "much better" if better >= BEYOND else f"better by {words.pawns(better)}"
    best = words.san(board, found.best_move)
    after = board.copy(stack=False)
    after.push(board.parse_uci(forced.moves[0]))
    line = words.line(after, forced.moves[1:])
    mate = wdl.mate_moves(forced.score)
    told = f"after {line} {inquiry.standing(forced.score)}" if line else inquiry.standing(forced.score)
    if mate is not None and mate > 0 and line:
        told = f"it forces mate in {words.number(mate)}: {line}"
    wrong = "is" if better is None or better >= WRONG else "may be"
    look = "looked at more closely" if closer else "looked at on its own to the same depth"
    return [Sentence(f"The search {wrong} wrong here: {look}, {san} is {by} than {best}; {told}.", evidence)]


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
    last = dealt.last
    evidence = {"looks": len(dealt.looks), "reduced": dealt.reduced, "cut_by": dealt.cut_by, "nodes": dealt.nodes,
                "share": round(dealt.share, 4), "behind_since": behind,
                "last": {"iteration": last.iteration, "kind": last.kind, "depth": last.depth, "full": last.full,
                         "ending": last.ending}}
    if behind is not None and behind <= depth:
        when = f"It was the first choice until depth {behind - 1} and fell behind at depth {behind}"
    elif behind is not None:
        when = f"It was the first choice up to depth {behind - 1}"
    else:
        when = "It was never the first choice"
    parts = [f"{words.percent(dealt.share)} of the {found.nodes:,} positions come after it"]
    if reason is Reason.UNREACHED:
        parts.insert(0, f"at depth {depth} the search ended before its turn came")
    elif last.short and depth < EXHAUSTED:
        plies = words.counted(last.short, "ply", "plies")
        parts.insert(0, f"at the last look it was searched {plies} less deeply than {best}")
    sentences = [Sentence(f"{when}; {', and '.join(parts)}.", evidence)]
    if reason in MISSED and last.cut_by is not None:
        sentences.append(Sentence(f"The last look at it was ended at once by {last.cut_by}, before any reply was "
                                  "searched.", evidence))
    elif reason in MISSED and dealt.cut_by:
        name, count = next(iter(dealt.cut_by.items()))
        sentences.append(Sentence(f"Of {words.counted(len(dealt.looks), 'look')} at it, {words.number(count)} "
                                  f"{'was' if count == 1 else 'were'} ended at once by {name}.", evidence))
    return sentences


def cost(found: Finding, forced: Finding, san: str, closer: bool) -> Sentence:
    """What it takes to look at the move alone, and that it is not enough if only a closer look shows its worth."""
    evidence = {"nodes": forced.nodes, "depth": forced.depth, "wanted_depth": found.ledger.depth}
    reached = (f"to the same depth, {forced.depth}," if forced.depth >= found.ledger.depth
               else f"to depth {forced.depth}" + f", short of {found.ledger.depth}," * (found.ledger.depth < EXHAUSTED))
    return Sentence(f"Looking at {san} alone {reached} takes {words.counted(forced.nodes, 'position')}"
                    f"{', which do not show it yet' * closer}.", evidence)
