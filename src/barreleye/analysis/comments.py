"""What players and annotators wrote beside the moves, told apart from what an earlier review of ours put there."""

from __future__ import annotations

import re

import chess.pgn

from barreleye.analysis.judgement import LOST_MATE, MATED, Judgement

SAYINGS = (*(judgement.title for judgement in Judgement), MATED, LOST_MATE)
SENTENCE = re.compile(rf"\s*\b(?P<what>{'|'.join(SAYINGS)})\.(?:\s+(?P<best>\S+)\s+was\s+best\.|\s*$)")
# What an explanation says of the move that was played, and of the better one: each up to a full stop at a word's end.
FAULT = r"\s+{}\s+(?:allows|costs|does|lets|loses|misses|stalemates)\b.*?\.(?=\s|$)"
REMEDY = r"\s+{}\s+would\s+have\b.*?\.(?=\s|$)"
COMMAND = re.compile(r"\[%[^\]]*\]")        # clocks, evaluations, arrows: for programs


def is_ours(game: chess.pgn.Game) -> bool:
    """Whether a review was written into this game before; lichess's words are the same as ours, its headers are not."""
    headers = game.headers
    return headers.get("Annotator", "").startswith("Barreleye ") or "WhiteACPL" in headers or "BlackACPL" in headers


def without_explanation(node: chess.pgn.ChildNode) -> str:
    """A move's comment without the explanation behind an earlier review's sentence."""
    found = SENTENCE.search(node.comment)
    if found is None:
        return node.comment
    rest = re.sub("^" + FAULT.format(re.escape(node.san())), "", node.comment[found.end():], flags=re.DOTALL)
    if found["best"] and len(rest) < len(node.comment) - found.end():
        rest = re.sub("^" + REMEDY.format(re.escape(found["best"])), "", rest, flags=re.DOTALL)
    return node.comment[:found.end()] + rest


def own_comment(node: chess.pgn.GameNode, reviewed: bool = False) -> str:
    """The words that somebody wrote behind a move, or before the first one. In a game that was reviewed before, the
    review's words are left out."""
    text = node.comment
    if reviewed and isinstance(node, chess.pgn.ChildNode):
        text = SENTENCE.sub("", without_explanation(node))
    return " ".join(COMMAND.sub(" ", text).split())
