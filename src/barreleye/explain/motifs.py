"""Motifs: why a line works, in words. Each is a predicate on the line that finds it, and true of the board.

A line begins with the move of the side that profits from it, the attacker: the refutation of a mistake, a threat, the
best move. A motif counts only where the line makes use of it: a fork that takes nothing is none. Where no predicate
holds there is no motif, and what is left to say is what the line costs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import chess

from barreleye.explain.material import Outcome, Walk, outcome
from barreleye.explain.words import capital, number

MOST_PLIES = 12                 # of a line that are looked at: what comes later is not forced


@dataclass(frozen=True, slots=True)
class Motif:
    """One idea in a line, as a clause without capital letter and full stop."""

    kind: str                       # fork, pin, hanging piece, ...
    text: str                       # the knight on c7 forks king and rook
    squares: tuple[str, ...]        # those concerned, the acting piece first
    pieces: tuple[str, ...]         # what stands on them, as FEN letters; "" on an empty one
    ply: int                        # which move of the line shows it, 0 for the first
    move: str                       # that move as books write it
    worth: int                      # of what is won by it, in pawns; 0 where that cannot be told

    @property
    def sentence(self) -> str:
        """On its own."""
        return capital(self.text) + "."


def seen(kind: str, text: str, board: chess.Board, squares: Sequence[chess.Square], ply: int, san: str,
         worth: int = 0) -> Motif:
    """A motif on a board."""
    letters = (piece.symbol() if (piece := board.piece_at(square)) else "" for square in squares)
    return Motif(kind, text, tuple(map(chess.square_name, squares)), tuple(letters), ply, san, worth)


def motifs(board: chess.Board, line: Sequence[chess.Move], mistake: chess.Move | None = None) -> tuple[Motif, ...]:
    """The motifs of a line that begins with the attacker's move, after a mistake if there was one. The best come first.

    >>> board = chess.Board("r3k3/8/8/3N4/8/8/8/4K3 w - - 0 1")
    >>> [motif.text for motif in motifs(board, [chess.Move.from_uci(move) for move in ("d5c7", "e8d7", "c7a8")])]
    ['the knight on c7 forks king and rook']
    """
    walk = Walk(board, [*([mistake] if mistake else []), *line[:MOST_PLIES]], 1 if mistake else 0)
    return motifs_of(walk, outcome(walk, walk.attacker))


def motifs_of(walk: Walk, won: Outcome) -> tuple[Motif, ...]:
    """The same of a line that has been walked through, and what it wins."""
    from barreleye.explain import defences, double_attacks, endings

    ended = [motif for find in endings.FINDERS if (motif := find(walk)) is not None]
    if ended:
        return (*ended, *along(walk, len(walk), double_attacks.CHECKS))
    if not won.pawns:
        return ()
    found = along(walk, won.ply, (*defences.FINDERS, *double_attacks.FINDERS, *endings.GAINS))
    ordered = sorted(found, key=lambda motif: -motif.worth)
    return tuple(ordered or along(walk, won.ply, defences.LAST))


def along(walk: Walk, plies: int, finders: Sequence[Callable[[Walk, int], Motif | None]]) -> list[Motif]:
    """What is found at each of the attacker's moves, in the order of the line; of a kind only what wins most."""
    kinds: dict[str, Motif] = {}
    for ply in walk.attacks(plies):
        for find in finders:
            motif = find(walk, ply)
            if motif is not None and (motif.kind not in kinds or motif.worth > kinds[motif.kind].worth):
                kinds[motif.kind] = motif
    return list(kinds.values())


def loss(won: Outcome, verb: str = "loses") -> str:
    """What an outcome is for the side that pays for it: loses a knight. Empty when it costs nothing."""
    return f"{verb} {won.text}" if won.pawns and not won.promoted else ""


def moves_text(count: int) -> str:
    """A number of moves to mate: mate in one, mate in 14."""
    return f"mate in {number(count)}"
