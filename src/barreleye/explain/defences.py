"""Motifs of defence: pieces that hang, are trapped or cannot be saved; defenders removed, or asked too much."""

from __future__ import annotations

import chess

from barreleye.explain.endings import is_back_rank_mate
from barreleye.explain.material import Walk
from barreleye.explain.motifs import Motif, seen
from barreleye.explain.pieces import (
    VALUES,
    en_prise,
    exchange,
    gain,
    kind_name,
    mates_in_one,
    named,
    taken_value,
    value,
    with_turn,
)


def hanging(walk: Walk, ply: int) -> Motif | None:
    """A piece is taken that is not defended, or too little, and was not just offered for another one."""
    step = walk[ply]
    square = step.taken
    if ply != walk.first or square is None or gain(step.before, step.move) <= 0:
        return None
    board = step.before
    if ply and walk[0].taken is not None and walk[0].move.to_square == square and \
            taken_value(walk[0].before, walk[0].move) >= value(board, square):
        return None                 # it had taken as much: an exchange
    guards = step.after.attackers(not walk.attacker, step.move.to_square)
    kinds = {step.after.piece_type_at(guard) for guard in guards}
    can_take = any(move.to_square == step.move.to_square for move in step.after.legal_moves)
    if not guards:
        text = f"{named(board, square)} is undefended"
    elif not can_take and kinds == {chess.KING}:
        text = f"{named(board, square)} is defended only by the king"
    elif not can_take:
        return left_alone(walk, square)         # a pin or a check is the reason
    elif value(board, step.move.from_square) < value(board, square):
        text = f"{named(board, square)} can be taken by a {kind_name(board, step.move.from_square)}"
    else:
        text = f"{named(board, square)} is not defended well enough"
    return left_alone(walk, square) or seen("hanging piece", text, board, (square, step.move.from_square), ply,
                                            step.san, value(board, square))


def left_alone(walk: Walk, square: chess.Square) -> Motif | None:
    """The mistake took a defender away from the piece that is taken now."""
    if walk.first == 0:
        return None
    before, move, after = walk[0].before, walk[0].move, walk[0].after
    if before.is_castling(move) or square == move.to_square or en_prise(before, square):
        return None
    if square not in before.attacks(move.from_square) or square in after.attacks(move.to_square):
        return None
    text = f"the {kind_name(before, move.from_square)} no longer defends {named(before, square)}"
    return seen("removed defender", text, after, (square, move.to_square), 0, walk[0].san, value(after, square))


def removed_defender(walk: Walk, ply: int) -> Motif | None:
    """A defender is taken, and then what it defended, which could not be taken with profit before."""
    step = walk[ply]
    if step.taken is None or step.before.piece_type_at(step.taken) == chess.PAWN:
        return None
    pays = gain(step.before, step.move) > 0
    for later in range(ply + 2, min(len(walk), ply + 5), 2):
        target = walk[later].taken
        if pays and target is not None and value(step.before, target) < value(step.before, step.taken):
            continue                # it was worth taking for itself
        if target is None or target == step.move.to_square or target not in step.before.attacks(step.taken):
            continue
        if step.before.piece_at(target) != walk[later].before.piece_at(target) or moved(walk, ply, later, target):
            continue
        if exchange(step.before, target) == 0 and gain(walk[later].before, walk[later].move) > 0:
            text = (f"{step.san} removes the {kind_name(step.before, step.taken)} that defended "
                    f"{named(step.before, target)}")
            return seen("removed defender", text, step.before, (step.taken, target), ply, step.san,
                        value(step.before, target))
    return None


def moved(walk: Walk, first: int, last: int, square: chess.Square) -> bool:
    """Whether anything arrives on a square, or leaves it, between two moves."""
    return any(square in (walk[ply].move.from_square, walk[ply].move.to_square) for ply in range(first + 1, last))


def overloaded(walk: Walk, ply: int) -> Motif | None:
    """A defender takes back on one square, and cannot guard another one any more."""
    if ply + 2 >= len(walk):
        return None
    step, answer, then = walk[ply], walk[ply + 1], walk[ply + 2]
    square, guard = step.move.to_square, answer.move.from_square
    goal = then.move.to_square
    if step.taken is None or answer.move.to_square != square or goal == square:
        return None
    if step.before.piece_type_at(guard) == chess.KING or goal not in step.before.attacks(guard) or \
            square not in step.before.attacks(guard) or goal in then.before.attacks(square):
        return None
    if then.after.is_checkmate():
        if not any(move == then.move for move in mates_in_one(with_turn(step.before, walk.attacker))):
            return overload_of(walk, ply, guard, square, goal)
        return None
    same = then.taken == goal and step.before.piece_at(goal) == then.before.piece_at(goal)
    if same and exchange(step.before, goal) == 0 and gain(then.before, then.move) > 0:
        return overload_of(walk, ply, guard, square, goal)
    return None


def overload_of(walk: Walk, ply: int, guard: chess.Square, square: chess.Square, goal: chess.Square) -> Motif:
    board = walk[ply].before
    text = (f"{named(board, guard)} is overloaded: it cannot guard both {chess.square_name(square)} and "
            f"{chess.square_name(goal)}")
    return seen("overloaded defender", text, board, (guard, square, goal), ply, walk[ply].san, value(board, goal))


def falls(walk: Walk, ply: int, square: chess.Square) -> bool:
    """Whether the piece that stands on a square after this move is taken by the attacker's next one, where it is."""
    if ply + 2 >= len(walk):
        return False
    answer, then = walk[ply + 1], walk[ply + 2]
    place = answer.move.to_square if answer.move.from_square == square else square
    return then.taken == place and not (answer.move.to_square == place and answer.move.from_square != square)


def trapped(walk: Walk, ply: int) -> Motif | None:
    """An attacked piece that would be lost on every square it can go to, and is taken."""
    board = walk[ply].after
    for square in chess.SquareSet(board.occupied_co[not walk.attacker]):
        if value(board, square) < VALUES[chess.KNIGHT] or board.is_pinned(not walk.attacker, square):
            continue
        if not falls(walk, ply, square) or not en_prise(board, square) or board.is_check():
            continue
        flights = [move for move in board.legal_moves if move.from_square == square]
        if all(gain(board, move) < 0 for move in flights):
            return seen("trapped piece", f"{named(board, square)} is trapped", board, (square,), ply, walk[ply].san,
                        value(board, square))
    return None


def lost(walk: Walk, ply: int) -> Motif | None:
    """An attacked piece that can be taken with profit whatever is played, and is."""
    board = walk[ply].after
    for square in chess.SquareSet(board.occupied_co[not walk.attacker]):
        if value(board, square) < VALUES[chess.KNIGHT] or not falls(walk, ply, square) or not en_prise(board, square):
            continue
        if all(is_lost_after(board, move, square) for move in board.legal_moves):
            text = f"{named(board, square)} cannot be saved"
            return seen("piece that cannot be defended", text, board, (square,), ply, walk[ply].san,
                        value(board, square))
    return None


def is_lost_after(board: chess.Board, move: chess.Move, square: chess.Square) -> bool:
    """Whether a piece can still be taken, at more than the move has won, wherever it is after the move."""
    after = board.copy(stack=False)
    after.push(move)
    place = move.to_square if move.from_square == square else square
    return exchange(after, place) > taken_value(board, move)


def untouchable(walk: Walk, ply: int) -> Motif | None:
    """A piece that could be taken, but whoever takes it is mated at once."""
    step = walk[ply]
    square = step.move.to_square
    board = step.after
    takers = [move for move in board.legal_moves if move.to_square == square]
    if not takers or value(board, square) < VALUES[chess.KNIGHT] or exchange(board, square) == 0:
        return None
    mates = []
    on_back_rank = True
    for move in takers:
        after = board.copy(stack=False)
        after.push(move)
        found = mates_in_one(after)
        if not found:
            return None
        mates.append(after.san(found[0]))
        after.push(found[0])
        on_back_rank = on_back_rank and is_back_rank_mate(after)
    text = f"{named(board, square)} cannot be taken because of {mates[0]}"
    return seen("back rank" if on_back_rank else "mate threat", text, board, (square,), ply, step.san,
                taken_value(step.before, step.move))


def driven_off(walk: Walk, ply: int) -> Motif | None:
    """A defender is attacked, goes away, and what it defended is taken, which could not be taken with profit before."""
    if ply + 2 >= len(walk):
        return None
    step, answer, then = walk[ply], walk[ply + 1], walk[ply + 2]
    guard, target = answer.move.from_square, then.taken
    if target is None or target != then.move.to_square or answer.taken is not None or \
            step.before.piece_at(target) != then.before.piece_at(target):
        return None
    if step.before.piece_type_at(guard) == chess.KING or target not in step.before.attacks(guard) or \
            target in answer.after.attacks(answer.move.to_square):
        return None
    attacked = guard in step.after.attacks(step.move.to_square) and en_prise(step.after, guard)
    if attacked and exchange(step.before, target) == 0 and gain(then.before, then.move) > 0:
        text = f"{step.san} drives the {kind_name(step.before, guard)} away from {named(step.before, target)}"
        return seen("removed defender", text, step.after, (step.move.to_square, guard, target), ply, step.san,
                    value(step.before, target))
    return None


FINDERS = (untouchable, overloaded, removed_defender, driven_off, hanging, trapped)
LAST = (lost,)
