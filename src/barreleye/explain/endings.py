"""Motifs that end a game or decide it: mates, threats of mate, stalemate, perpetual check, promotion."""

from __future__ import annotations

import chess

from barreleye.explain.material import Walk
from barreleye.explain.motifs import Motif, seen
from barreleye.explain.pieces import VALUES, exchange, gain, mates_in_one
from barreleye.explain.words import number


def mate(walk: Walk) -> Motif | None:
    """The line ends with the attacker's mate."""
    board = walk.end
    if not board.is_checkmate() or board.turn == walk.attacker:
        return None
    king = board.king(board.turn)
    assert king is not None
    count = (len(walk) - walk.first + 1) // 2
    squares = (king, *board.checkers())
    if is_back_rank_mate(board):
        kind, where = "back rank", " on the back rank"
    else:
        kind, where = "mate", ""
    words = "smothered mate" if is_smothered_mate(board) else "mate"
    text = f"{walk[-1].san} is {words}{where}" if count == 1 else f"there is {words} in {number(count)}{where}"
    return seen(kind, text, board, squares, walk.first, walk[walk.first].san)


def is_back_rank_mate(board: chess.Board) -> bool:
    """Whether a king is mated along its first rank by a rook or queen, its own men in front of it.

    >>> is_back_rank_mate(chess.Board("3R2k1/5ppp/8/8/8/8/8/6K1 b - - 0 1"))
    True
    """
    king = board.king(board.turn)
    if king is None or not board.is_checkmate() or chess.square_rank(king) != (0 if board.turn else 7):
        return False
    checkers = list(board.checkers())
    if len(checkers) != 1 or chess.square_rank(checkers[0]) != chess.square_rank(king) or \
            board.piece_type_at(checkers[0]) not in (chess.ROOK, chess.QUEEN):
        return False
    in_front = [square for square in chess.SquareSet(chess.BB_KING_ATTACKS[king])
                if chess.square_rank(square) == (1 if board.turn else 6)]
    own = [square for square in in_front if board.color_at(square) == board.turn]
    return len(own) >= 2


def is_smothered_mate(board: chess.Board) -> bool:
    """Whether a knight mates a king that has its own men on every square around it.

    >>> is_smothered_mate(chess.Board("6rk/5Npp/8/8/8/8/8/6K1 b - - 0 1"))
    True
    """
    king = board.king(board.turn)
    checkers = list(board.checkers())
    return (king is not None and board.is_checkmate() and len(checkers) == 1
            and board.piece_type_at(checkers[0]) == chess.KNIGHT
            and all(board.color_at(square) == board.turn for square in chess.SquareSet(chess.BB_KING_ATTACKS[king])))


def stalemate(walk: Walk) -> Motif | None:
    """The line ends with no move left."""
    if not walk.end.is_stalemate():
        return None
    king = walk.end.king(walk.end.turn)
    assert king is not None
    side = "White" if walk.end.turn else "Black"
    return seen("stalemate", f"{side} is stalemated", walk.end, (king,), len(walk) - 1, walk[-1].san)


def perpetual(walk: Walk) -> Motif | None:
    """A position comes again, and on the way the attacker has given check with every move."""
    seen_at: dict[object, int] = {}
    for ply in range(len(walk)):
        key = walk[ply].after._transposition_key()
        if key in seen_at:
            own = [walk[at] for at in range(seen_at[key] + 1, ply + 1) if walk[at].before.turn == walk.attacker]
            if own and all(step.after.is_check() for step in own):
                king = walk[ply].after.king(not walk.attacker)
                assert king is not None
                side = "White" if walk.attacker else "Black"
                return seen("perpetual check", f"{side} has perpetual check", walk[ply].after, (king,), ply, own[0].san)
        seen_at.setdefault(key, ply)
    return None


def promotion(walk: Walk, ply: int) -> Motif | None:
    """A pawn promotes, and what it becomes is not taken with profit."""
    step = walk[ply]
    if not step.move.promotion or exchange(step.after, step.move.to_square):
        return None
    text = f"the pawn on {chess.square_name(step.move.from_square)} becomes a {chess.piece_name(step.move.promotion)}"
    return seen("promotion", text, step.after, (step.move.to_square,), ply, step.san,
                VALUES[step.move.promotion] - VALUES[chess.PAWN])


def mate_threat(walk: Walk, ply: int) -> Motif | None:
    """A move that neither gives check nor wins anything itself threatens mate in one."""
    step = walk[ply]
    if step.after.is_check() or step.after.is_game_over() or gain(step.before, step.move) > 0:
        return None
    passed = step.after.copy(stack=False)
    passed.push(chess.Move.null())
    found = mates_in_one(passed)
    if not found or mates_in_one(step.before):
        return None
    square = found[0].to_square
    text = f"{step.san} threatens mate on {chess.square_name(square)}"
    return seen("mate threat", text, step.after, (step.move.to_square, square), ply, step.san)


FINDERS = (mate, stalemate, perpetual)
GAINS = (promotion, mate_threat)
