"""Writing a review into the game it is about: evaluations, signs, words and better lines, beside what was there."""

from __future__ import annotations

import chess
import chess.engine
import chess.pgn

from barreleye import __version__
from barreleye.analysis.accuracy import WhiteScore
from barreleye.analysis.comments import SENTENCE, is_ours, without_explanation
from barreleye.analysis.judgement import Judgement, judge
from barreleye.analysis.review import Move, Review

LONGEST_VARIATION = 12              # plies
MOVE_SIGNS = {chess.pgn.NAG_GOOD_MOVE, chess.pgn.NAG_MISTAKE, chess.pgn.NAG_BRILLIANT_MOVE, chess.pgn.NAG_BLUNDER,
              chess.pgn.NAG_SPECULATIVE_MOVE, chess.pgn.NAG_DUBIOUS_MOVE}
ANNOTATOR = f"Barreleye {__version__}"


def annotate(game: chess.pgn.Game, review: Review) -> None:
    """Put a review into its game. Comments, clocks, signs and variations stay, but not those of an earlier review."""
    if is_ours(game):
        strip(game)
    for node, move in zip(list(game.mainline()), review.moves, strict=True):
        if not move.is_over:
            node.set_eval(pov(move.after))
        if move.judgement is not None:
            mark(node, move)
    if review.opening is not None:
        for name, text in (("ECO", review.opening.eco), ("Opening", review.opening.name)):
            if game.headers.get(name, "?") in ("", "?"):
                game.headers[name] = text
    for color, side in (("White", review.white), ("Black", review.black)):
        if side.accuracy is not None:
            game.headers[f"{color}Accuracy"] = f"{side.accuracy:.1f}"
            game.headers[f"{color}ACPL"] = str(side.average_loss)
    annotator = game.headers.get("Annotator", "?")
    if annotator in ("", "?") or annotator.startswith("Barreleye "):
        game.headers["Annotator"] = ANNOTATOR


def strip(game: chess.pgn.Game) -> None:
    """Take an earlier review's sentences, signs and lines out of the main line."""
    for node in list(game.mainline()):
        for found in SENTENCE.finditer(node.comment):
            node.nags.discard(sign_of(node, found["what"]))
            for other in node.parent.variations[1:]:
                if found["best"] and other.san() == found["best"] and is_bare(other):
                    node.parent.remove_variation(other)
        node.comment = SENTENCE.sub("", without_explanation(node)).strip()


def sign_of(node: chess.pgn.ChildNode, what: str) -> int:
    """The sign that went with a sentence: what it is called, or for mates what the scores make of it."""
    for judgement in Judgement:
        if judgement.title == what:
            return judgement.nag
    before, after = node.parent.eval(), node.eval()
    if before is None or after is None:
        return Judgement.BLUNDER.nag
    found = judge(score_of(before), score_of(after), not node.turn())
    return found.nag if found is not None else Judgement.BLUNDER.nag


def is_bare(node: chess.pgn.ChildNode) -> bool:
    """Whether a variation is as we write them: moves alone, not too many."""
    line = [node, *node.mainline()]
    return len(line) <= LONGEST_VARIATION and not any(
        one.comment or one.starting_comment or one.nags or len(one.variations) > 1 for one in line)


def mark(node: chess.pgn.ChildNode, move: Move) -> None:
    """A sign, a sentence, the explanation if there is one, the better line; a sign somebody else gave is left alone."""
    assert move.judgement is not None
    if not node.nags & MOVE_SIGNS:
        node.nags.add(move.judgement.nag)
    for said in (move.comment, move.explanation):
        if said not in node.comment:
            node.comment = f"{node.comment} {said}".strip()
    if move.best_move and not node.parent.has_variation(move.best_move):
        node.parent.add_line(move.best[:LONGEST_VARIATION])


def pov(score: WhiteScore) -> chess.engine.PovScore:
    """A score as python-chess knows it."""
    value = chess.engine.Cp(score.cp) if score.mate is None else chess.engine.Mate(score.mate)
    return chess.engine.PovScore(value, chess.WHITE)


def score_of(score: chess.engine.PovScore) -> WhiteScore:
    """And back."""
    white = score.white()
    return WhiteScore(white.score() or 0, white.mate())


def as_pgn(game: chess.pgn.Game) -> str:
    """The game as text, an empty line after it."""
    return str(game.accept(chess.pgn.StringExporter(columns=100))) + "\n\n"
