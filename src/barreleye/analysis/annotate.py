"""Writing a review into the game it is about: evaluations, signs, words and better lines, beside what was there."""

from __future__ import annotations

import chess
import chess.engine
import chess.pgn

from barreleye import __version__
from barreleye.analysis.accuracy import Score
from barreleye.analysis.review import Move, Review

LONGEST_VARIATION = 12              # plies
MOVE_SIGNS = {chess.pgn.NAG_GOOD_MOVE, chess.pgn.NAG_MISTAKE, chess.pgn.NAG_BRILLIANT_MOVE, chess.pgn.NAG_BLUNDER,
              chess.pgn.NAG_SPECULATIVE_MOVE, chess.pgn.NAG_DUBIOUS_MOVE}
ANNOTATOR = f"Barreleye {__version__}"


def annotate(game: chess.pgn.Game, review: Review) -> None:
    """Put a review into its game. Comments, clocks, signs and variations stay; doing it again is idle."""
    for node, move in zip(list(game.mainline()), review.moves, strict=True):
        if not move.is_over:
            node.set_eval(pov(move.after))
        if move.judgement is not None:
            mark(node, move)
    if review.opening is not None:
        game.headers["ECO"], game.headers["Opening"] = review.opening[:2]
    for color, side in (("White", review.white), ("Black", review.black)):
        if side.accuracy is not None:
            game.headers[f"{color}Accuracy"] = f"{side.accuracy:.1f}"
            game.headers[f"{color}ACPL"] = str(side.average_loss)
    if game.headers.get("Annotator", "?") in ("", "?"):
        game.headers["Annotator"] = ANNOTATOR


def mark(node: chess.pgn.ChildNode, move: Move) -> None:
    """A sign, a sentence and the better line; a sign somebody else gave is left alone."""
    assert move.judgement is not None
    if not node.nags & MOVE_SIGNS:
        node.nags.add(move.judgement.nag)
    if move.comment not in node.comment:
        node.comment = f"{node.comment} {move.comment}".strip()
    if move.best and not node.parent.has_variation(move.best[0]):
        node.parent.add_line(move.best[:LONGEST_VARIATION])


def pov(score: Score) -> chess.engine.PovScore:
    """A score as python-chess knows it."""
    value = chess.engine.Cp(score.cp) if score.mate is None else chess.engine.Mate(score.mate)
    return chess.engine.PovScore(value, chess.WHITE)


def as_pgn(game: chess.pgn.Game) -> str:
    """The game as text, an empty line after it."""
    return str(game.accept(chess.pgn.StringExporter(columns=100))) + "\n\n"
