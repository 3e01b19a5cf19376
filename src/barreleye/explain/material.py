"""What a line wins or loses: material counted where the dust has settled, and in the words of players."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import chess

from barreleye.explain.pieces import VALUES, exchange, gain, taken_square, taken_value, with_turn
from barreleye.explain.words import counted, listed

KINDS = (chess.QUEEN, chess.ROOK, chess.BISHOP, chess.KNIGHT, chess.PAWN)
MINORS = (chess.BISHOP, chess.KNIGHT)
DEEPEST_SETTLING = 4            # captures in a row at the end of a line
MOST_LEAD = 1000                # pawns: more than anybody has


@dataclass(frozen=True, slots=True)
class Step:
    """One move of a line."""

    before: chess.Board
    move: chess.Move
    after: chess.Board

    @property
    def san(self) -> str:
        """As books write it."""
        return self.before.san(self.move)

    @property
    def taken(self) -> chess.Square | None:
        """Where the piece stood that it took."""
        return taken_square(self.before, self.move)


class Walk:
    """A line of play, every position of it. The attacker moves first, or second where the first move is a mistake."""

    def __init__(self, board: chess.Board, moves: Sequence[chess.Move], first: int = 0) -> None:
        self.start = board
        self.first = first                  # the attacker's first move
        self.attacker = board.turn if first == 0 else not board.turn
        steps, here = [], board
        for move in moves:
            after = here.copy()             # with its moves: repetitions are asked for
            after.push(move)
            steps.append(Step(here, move, after))
            here = after
        self.steps = tuple(steps)
        self.end = here

    def __len__(self) -> int:
        return len(self.steps)

    def __getitem__(self, ply: int) -> Step:
        return self.steps[ply]

    def attacks(self, plies: int | None = None) -> range:
        """The places of the attacker's own moves, within so many plies."""
        return range(self.first, len(self.steps) if plies is None else min(plies, len(self.steps)), 2)

    @property
    def moves(self) -> tuple[chess.Move, ...]:
        """The moves alone."""
        return tuple(step.move for step in self.steps)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one side has won once the dust has settled: pieces more than before, less what they cost."""

    pawns: int                              # by the usual values; not negative
    ply: int                                # after so many moves of the line
    won: tuple[chess.PieceType, ...]        # net, most valuable first
    given: tuple[chess.PieceType, ...]
    promoted: tuple[chess.PieceType, ...]   # pieces that pawns became, and that are still there

    @property
    def text(self) -> str:
        """As the object of a verb: a knight, the exchange, the queen for a rook. Empty when nothing was won."""
        if not self.pawns:
            return ""
        parts = [f"a new {chess.piece_name(kind)}" for kind in self.promoted]
        won, given = list(self.won), list(self.given)
        minors = [kind for kind in given if kind in MINORS]
        if chess.ROOK in won and len(minors) == 1:
            won.remove(chess.ROOK)
            given.remove(minors[0])
            parts.append("the exchange")
        if won:
            parts.append(pieces_text(won))
        return listed(parts) + (f" for {pieces_text(given)}" if given and parts else "")


NOTHING = Outcome(0, 0, (), (), ())


def pieces_text(kinds: Sequence[chess.PieceType]) -> str:
    """Pieces as words.

    >>> pieces_text([chess.QUEEN]), pieces_text([chess.ROOK, chess.PAWN, chess.PAWN])
    ('the queen', 'a rook and two pawns')
    """
    if len(kinds) == 2 and set(kinds) == set(MINORS):
        return "two minor pieces"
    words = []
    for kind in KINDS:
        count, name = kinds.count(kind), chess.piece_name(kind)
        if count == 1:
            words.append("the queen" if kind == chess.QUEEN else f"a {name}")
        elif count:
            words.append(counted(count, name))
    return listed(words)


def balance(board: chess.Board, color: chess.Color) -> int:
    """A side's lead in material, in pawns."""
    return sum(VALUES[kind] * (len(board.pieces(kind, color)) - len(board.pieces(kind, not color))) for kind in KINDS)


def is_quiet(board: chess.Board) -> bool:
    """Whether nobody is in check and nobody could win material by an exchange on one square, whoever's move it is."""
    if board.is_check():
        return False
    for color in (board.turn, not board.turn):
        turned = with_turn(board, color)
        for square in chess.SquareSet(board.occupied_co[not color]):
            if board.is_attacked_by(color, square) and exchange(turned, square):
                return False
        if any(gain(turned, move) > 0 for move in turned.legal_moves if move.promotion):
            return False
    return True


def settled(walk: Walk, color: chess.Color) -> chess.Board:
    """The end of a line, which may break off amid captures, after those that can be counted on.

    The side that claims a gain begins no captures of its own, it only takes back what was taken with the last move.
    Where it is its move and something hangs, it saves what one move can save. The other side takes whatever pays.
    """
    end = walk.end.copy(stack=False)
    if end.turn != color:
        return after_captures(end)
    taken = walk[-1].taken if len(walk) else None
    back = [] if taken is None else [move for move in end.generate_legal_captures(to_mask=chess.BB_SQUARES[
        walk[-1].move.to_square]) if gain(end, move) > 0]
    if not back and is_quiet(end):
        return end
    ends = []
    for move in back or end.legal_moves:
        after = end.copy(stack=False)
        after.push(move)
        if back or not after.is_check():        # which would only put it off
            ends.append(after_captures(after))
    best = max(ends, key=lambda board: balance(board, color), default=end)
    return best if back else min(end, best, key=lambda board: balance(board, color))    # no more than it has already


def after_captures(board: chess.Board, depth: int = DEEPEST_SETTLING, ceiling: int = MOST_LEAD) -> chess.Board:
    """Where both sides end up by taking whatever pays them, the one to move first; either may stop at any time.

    A lead of the ceiling is enough for the side to move: the other one would not come here.
    """
    best, most = board, balance(board, board.turn)
    captures = sorted(board.generate_legal_captures(), key=lambda move: -taken_value(board, move)) if depth else []
    for move in captures:
        if most >= ceiling:
            break
        after = board.copy(stack=False)
        after.push(move)
        end = after_captures(after, depth - 1, -most)
        lead = balance(end, board.turn)
        if lead > most:
            best, most = end, lead
    return best


def outcome(walk: Walk, color: chess.Color, since: chess.Board | None = None) -> Outcome:
    """What a side wins by a line for good: at its first quiet position that shows a gain which nothing later undoes.

    It is counted from the line's start, or since an earlier position.
    """
    start = walk.start if since is None else since
    before = balance(start, color)
    points = [(ply + 1, step.after) for ply, step in enumerate(walk.steps) if is_quiet(step.after)]
    points.append((len(walk), settled(walk, color)))
    leads = [balance(board, color) - before for _, board in points]
    for index in range(len(points)):
        least = min(leads[index:])
        if least > 0:
            chosen = leads.index(least, index)
            return net(walk, points[chosen], color, start)
    return NOTHING


def net(walk: Walk, point: tuple[int, chess.Board], color: chess.Color, start: chess.Board) -> Outcome:
    """What has changed on the board from the start to this point of a line."""
    ply, board = point
    changes = {kind: sum(sign * (len(board.pieces(kind, side)) - len(start.pieces(kind, side)))
                         for side, sign in ((color, 1), (not color, -1))) for kind in KINDS}
    pawns = sum(VALUES[kind] * change for kind, change in changes.items())
    promoted = []
    for step in walk.steps[:ply]:
        if step.move.promotion and step.before.turn == color and changes[step.move.promotion] > 0:
            promoted.append(step.move.promotion)
            changes[step.move.promotion] -= 1
            changes[chess.PAWN] += 1
    # A bishop for a knight is no gain to speak of.
    while changes[chess.BISHOP] * changes[chess.KNIGHT] < 0:
        for kind in MINORS:
            changes[kind] -= 1 if changes[kind] > 0 else -1
    won = tuple(kind for kind in KINDS for _ in range(changes[kind]))
    given = tuple(kind for kind in KINDS for _ in range(-changes[kind]))
    return Outcome(pawns, ply, won, given, tuple(promoted))
