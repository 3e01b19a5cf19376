"""Motifs of attack: forks, skewers, pins, discovered attacks and checks."""

from __future__ import annotations

from collections.abc import Iterator

import chess

from barreleye.explain.material import Walk
from barreleye.explain.motifs import Motif, seen
from barreleye.explain.pieces import (
    SLIDERS,
    VALUES,
    both_named,
    capture_of,
    en_prise,
    exchange,
    kind_name,
    named,
    rank,
    value,
    wins_by,
)
from barreleye.explain.words import listed

PATIENCE = 5                    # plies within which the line must make use of a motif
FORKERS = (chess.PAWN, chess.KNIGHT, chess.KING)


def takes_later(walk: Walk, ply: int, origin: chess.Square) -> chess.Square | None:
    """Where the piece that stands on a square after a move next goes, if it takes something there, soon, and it is its
    first move since."""
    for later in range(ply + 1, min(len(walk), ply + 1 + PATIENCE)):
        step = walk[later]
        if step.move.from_square == origin:
            return step.move.to_square if step.taken is not None else None
        if step.move.to_square == origin:
            return None
    return None


def fork(walk: Walk, ply: int) -> Motif | None:
    """A piece attacks two others at once, each of which it could take with profit, and takes one of them."""
    step = walk[ply]
    board, square = step.after, step.move.to_square
    if step.before.is_castling(step.move) or exchange(board, square):
        return None
    targets = [target for target in board.attacks(square) & board.occupied_co[not walk.attacker]
               if board.piece_type_at(target) == chess.KING or wins_by(board, square, target)]
    taken = takes_later(walk, ply, square)
    if taken is None or taken not in targets:
        return None
    large = [target for target in targets if board.piece_type_at(target) != chess.PAWN]
    chosen = large if len(large) > 1 and taken in large else [*large, taken]
    chosen = sorted(set(chosen), key=lambda target: -rank(board, target))
    if len(chosen) < 2:
        return None
    verb = f"forks {both_named(board, chosen)}" if board.piece_type_at(square) in FORKERS else \
        f"attacks {both_named(board, chosen)} at the same time"
    return seen("fork", f"{named(board, square)} {verb}", board, (square, *chosen), ply, step.san,
                value(board, taken))


def beyond(board: chess.Board, origin: chess.Square, square: chess.Square) -> chess.Square | None:
    """The first piece behind another one, seen from a slider."""
    ray = chess.ray(origin, square)
    behind = [other for other in chess.SquareSet(ray & board.occupied)
              if chess.between(origin, other) & chess.BB_SQUARES[square]]
    return min(behind, key=lambda other: chess.square_distance(square, other), default=None)


def skewer(walk: Walk, ply: int) -> Motif | None:
    """A slider attacks a piece that has to move, and takes the lesser one behind it."""
    step = walk[ply]
    board, square = step.after, step.move.to_square
    if board.piece_type_at(square) not in SLIDERS or exchange(board, square):
        return None
    taken = takes_later(walk, ply, square)
    for front in board.attacks(square) & board.occupied_co[not walk.attacker]:
        rear = beyond(board, square, front)
        if rear is None or rear != taken or board.color_at(rear) == walk.attacker or rank(board, front) < value(
                board, rear) or board.piece_type_at(front) == chess.PAWN:
            continue
        is_king = board.piece_type_at(front) == chess.KING
        if (is_king or wins_by(board, square, front)) and any(
                walk[later].move.from_square == front for later in range(ply + 1, min(len(walk), ply + PATIENCE))):
            return seen("skewer", f"{named(board, square)} skewers {both_named(board, (front, rear))}", board,
                        (square, front, rear), ply, step.san, value(board, rear))
    return None


def pins(board: chess.Board, color: chess.Color) -> Iterator[tuple[chess.Square, chess.Square, chess.Square]]:
    """Every pin of this side's pieces to its king, or to a better piece that would be lost: pinner, pinned, behind."""
    for origin in chess.SquareSet(board.occupied_co[not color]):
        if board.piece_type_at(origin) not in SLIDERS:
            continue
        for front in board.attacks(origin) & board.occupied_co[color]:
            rear = beyond(board, origin, front)
            if rear is None or board.color_at(rear) != color or rank(board, rear) <= rank(board, front):
                continue
            if board.piece_type_at(rear) == chess.KING:
                yield origin, front, rear
            elif board.piece_type_at(front) != chess.PAWN:
                bare = board.copy(stack=False)
                bare.remove_piece_at(front)
                if wins_by(bare, origin, rear):
                    yield origin, front, rear


def pin(walk: Walk, ply: int) -> Motif | None:
    """A piece is taken that was pinned, and attacked, when it should have got away."""
    step = walk[ply]
    if ply == 0 or step.taken is None:
        return None
    board, answer = walk[ply - 1].before, walk[ply - 1].move
    # A pinned piece may have taken the pinner.
    here = answer.from_square if answer.to_square == step.taken else step.taken
    if value(board, here) < VALUES[chess.KNIGHT] or board.color_at(here) == walk.attacker or not en_prise(board, here):
        return None
    found = [one for one in pins(board, not walk.attacker) if one[1] == here]
    if not found:
        return None
    pinner, front, rear = max(found, key=lambda one: rank(board, one[2]))
    if here != step.taken and (step.taken != pinner or board.piece_type_at(rear) != chess.KING):
        return None
    text = f"{named(board, pinner)} pins {named(board, front)} to the {kind_name(board, rear)}"
    shown = ply - 2 if ply - 2 >= walk.first else ply           # the attacker's last move before, if there was one
    return seen("pin", text, board, (pinner, front, rear), shown, walk[shown].san, value(board, front))


def pinned_defender(walk: Walk, ply: int) -> Motif | None:
    """A piece would take back, but is pinned to its king."""
    step = walk[ply]
    board, square = step.after, step.move.to_square
    if step.taken is None or exchange(board, square):
        return None
    for defender in board.attackers(not walk.attacker, square):
        if board.piece_type_at(defender) == chess.KING or square in board.pin(not walk.attacker, defender):
            continue
        if value(board, defender) > value(board, square) and board.is_attacked_by(walk.attacker, square):
            continue
        assert not board.is_legal(capture_of(board, defender, square))
        text = f"{named(board, defender)} is pinned and cannot take on {chess.square_name(square)}"
        return seen("pinned defender", text, board, (square, defender), ply, step.san, value(step.before, step.taken))
    return None


def discovered(walk: Walk, ply: int) -> Motif | None:
    """A piece moves out of the way of another one, which takes what it then attacks."""
    step = walk[ply]
    board, move = step.after, step.move
    if step.before.is_castling(move) or step.before.is_en_passant(move):
        return None
    for origin in chess.SquareSet(board.occupied_co[walk.attacker]):
        if board.piece_type_at(origin) not in SLIDERS or origin == move.to_square:
            continue
        for target in board.attacks(origin) & board.occupied_co[not walk.attacker]:
            if not chess.between(origin, target) & chess.BB_SQUARES[move.from_square]:
                continue
            if board.piece_type_at(target) == chess.KING or not wins_by(board, origin, target):
                continue
            if takes_later(walk, ply, origin) != target and takes_later(walk, ply, move.to_square) is None:
                continue
            text = (f"the {kind_name(board, move.to_square)} uncovers an attack by {named(board, origin)} on "
                    f"{named(board, target)}")
            return seen("discovered attack", text, board, (origin, move.to_square, target), ply, step.san,
                        value(board, target))
    return None


def discovered_check(walk: Walk, ply: int) -> Motif | None:
    """A check by a piece that did not move, or by two at once."""
    step = walk[ply]
    board, move = step.after, step.move
    checkers = list(board.checkers())
    if not checkers or checkers == [move.to_square] or step.before.is_castling(move) or step.before.is_en_passant(move):
        return None
    king = board.king(not walk.attacker)
    assert king is not None
    gone = takes_later(walk, ply, move.to_square)
    worth = value(board, gone) if gone is not None else 0
    if len(checkers) > 1:
        text = f"it is double check, from {listed([named(board, checker) for checker in checkers])}"
        return seen("double check", text, board, (*checkers, king), ply, step.san, worth)
    text = f"the {kind_name(board, move.to_square)} uncovers a check by {named(board, checkers[0])}"
    return seen("discovered check", text, board, (checkers[0], move.to_square, king), ply, step.san, worth)


CHECKS = (discovered_check,)
FINDERS = (discovered_check, fork, skewer, discovered, pinned_defender, pin)
