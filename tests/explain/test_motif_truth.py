"""Whatever is said of a line is true: checked by other means than those that found it, over lines from random games.

The checks read boards from FENs with a few loops of their own; for moves and exchanges they ask Barreleye's Position.
"""

import random
from collections import Counter

import chess
import pytest

from barreleye import Position, nets
from barreleye.core.notation import move_name
from barreleye.core.pool import Pool
from barreleye.explain.material import Walk, outcome
from barreleye.explain.motifs import MOST_PLIES, motifs

WORTH = {"p": 1, "n": 3, "b": 3, "r": 5, "q": 9, "k": 0}
STEPS = {"n": [(1, 2), (2, 1), (-1, 2), (-2, 1), (1, -2), (2, -1), (-1, -2), (-2, -1)],
         "b": [(1, 1), (1, -1), (-1, 1), (-1, -1)], "r": [(0, 1), (1, 0), (0, -1), (-1, 0)]}
STEPS["q"] = STEPS["k"] = STEPS["b"] + STEPS["r"]


class Plain:
    """A position as a dictionary of squares, from its FEN."""

    def __init__(self, fen):
        self.fen = fen
        self.men = {}
        for rank, row in enumerate(fen.split()[0].split("/")):
            file = 0
            for letter in row:
                if letter.isdigit():
                    file += int(letter)
                else:
                    self.men[file, 7 - rank] = letter
                    file += 1

    def at(self, name):
        return self.men.get(place(name), "")

    def seen_from(self, name, without=()):
        """Squares that a piece attacks, with what is in the way taken off the board or not."""
        (file, rank), letter = place(name), self.at(name)
        kind = letter.lower()
        if not kind:
            return set()
        if kind == "p":
            up = 1 if letter.isupper() else -1
            return {(file - 1, rank + up), (file + 1, rank + up)}
        found = set()
        for dx, dy in STEPS[kind]:
            x, y = file + dx, rank + dy
            while 0 <= x < 8 and 0 <= y < 8:
                found.add((x, y))
                if kind in "nk" or ((x, y) in self.men and (x, y) not in map(place, without)):
                    break
                x, y = x + dx, y + dy
        return found

    def attacks(self, name, target, without=()):
        return place(target) in self.seen_from(name, without)

    def lead(self, white):
        total = sum(WORTH[man.lower()] * (1 if man.isupper() else -1) for man in self.men.values())
        return total if white else -total


def place(name):
    return ord(name[0]) - 97, int(name[1]) - 1


class Told:
    """A line with a motif, replayed by Barreleye."""

    def __init__(self, board, moves, first):
        self.positions = [Position(board.fen())]
        self.moves = [move.uci() for move in moves]
        for move in self.moves:
            position = self.positions[-1].copy()
            position.push(move)
            self.positions.append(position)
        self.first = first

    def before(self, ply):
        return Plain(self.positions[ply].fen())

    def after(self, ply):
        return Plain(self.positions[ply + 1].fen())

    def taken_from(self, name, ply):
        """The squares that a piece moves to from here on."""
        return {move[2:4] for move in self.moves[ply + 1:] if move[:2] == name}


def mates(position):
    found = []
    for move in position.legal_moves():
        position.push(move)
        if position.is_checkmate():
            found.append(move)
        position.pop()
    return found


def king_of(plain, white):
    return next(f"{chr(97 + x)}{y + 1}" for (x, y), man in plain.men.items() if man == ("K" if white else "k"))


def is_behind(plain, pinner, front, rear):
    """Whether two pieces stand in a row before a slider, with nothing between them."""
    return plain.attacks(pinner, front) and plain.attacks(pinner, rear, [front]) and not plain.attacks(pinner, rear)


def check_fork(told, motif):
    plain = told.after(motif.ply)
    assert all(plain.attacks(motif.squares[0], target) for target in motif.squares[1:])
    assert len({plain.at(target).isupper() for target in motif.squares[1:]}) == 1
    assert told.taken_from(motif.squares[0], motif.ply) & set(motif.squares[1:])


def check_skewer(told, motif):
    plain = told.after(motif.ply)
    assert is_behind(plain, *motif.squares) and motif.squares[2] in told.taken_from(motif.squares[0], motif.ply)
    assert plain.at(motif.squares[1]).lower() == "k" or WORTH[plain.at(motif.squares[1]).lower()] >= WORTH[
        plain.at(motif.squares[2]).lower()]


def check_pin(told, motif):
    takes = told.moves[motif.ply][2:4] == motif.squares[1]
    shown = motif.ply + 2 if not takes and motif.ply + 2 < len(told.moves) and is_behind(
        told.after(motif.ply), *motif.squares) else motif.ply       # the move that takes the pinned piece
    plain = told.before(shown - 1)
    assert is_behind(plain, *motif.squares)
    front, rear = (plain.at(name).lower() for name in motif.squares[1:])
    assert rear == "k" or WORTH[rear] > WORTH[front]
    assert told.moves[shown][2:4] == motif.squares[1] or (
        told.moves[shown - 1] == motif.squares[1] + motif.squares[0] and rear == "k")


def check_pinned_defender(told, motif):
    square, defender = motif.squares
    plain, position = told.after(motif.ply), told.positions[motif.ply + 1]
    assert plain.attacks(defender, square) and told.moves[motif.ply][2:4] == square
    assert not any(move.startswith(defender + square) for move in position.legal_moves())
    king = king_of(plain, plain.at(defender).isupper())
    assert any(plain.attacks(f"{chr(97 + x)}{y + 1}", king, [defender])
               for (x, y), man in plain.men.items() if man.isupper() != plain.at(defender).isupper())


def check_discovered_attack(told, motif):
    origin, moved, target = motif.squares
    assert told.moves[motif.ply][2:4] == moved
    assert told.after(motif.ply).attacks(origin, target) and not told.before(motif.ply).attacks(origin, target)


def check_discovered_check(told, motif):
    _, moved, king = motif.squares
    check_discovered_attack(told, motif)
    plain = told.after(motif.ply)
    assert told.positions[motif.ply + 1].is_check() and plain.at(king).lower() == "k"
    assert not plain.attacks(moved, king)


def check_double_check(told, motif):
    *checkers, king = motif.squares
    assert len(checkers) == 2 and all(told.after(motif.ply).attacks(checker, king) for checker in checkers)


def check_hanging(told, motif):
    move, position = told.moves[motif.ply], told.positions[motif.ply]
    assert move[:2] == motif.squares[1] and position.see(move, 1)
    replies = [reply for reply in told.positions[motif.ply + 1].legal_moves() if reply[2:4] == move[2:4]]
    assert not replies or not ("undefended" in motif.text or "only by the king" in motif.text)
    if "undefended" in motif.text:
        plain = told.after(motif.ply)
        assert not any(plain.attacks(f"{chr(97 + x)}{y + 1}", move[2:4]) for (x, y), man in plain.men.items()
                       if man.isupper() != plain.at(move[2:4]).isupper())


def check_removed_defender(told, motif):
    if "no longer" in motif.text:
        move = told.moves[0]
        assert told.before(0).attacks(move[:2], motif.squares[0])
        assert not told.after(0).attacks(move[2:4], motif.squares[0]) and told.moves[1][2:4] == motif.squares[0]
    elif "drives" in motif.text:
        attacker, guard, target = motif.squares
        assert told.after(motif.ply).attacks(attacker, guard) and told.before(motif.ply).attacks(guard, target)
        assert told.moves[motif.ply + 1][:2] == guard and told.moves[motif.ply + 2][2:4] == target
        assert not told.after(motif.ply + 1).attacks(told.moves[motif.ply + 1][2:4], target)
    else:
        assert told.before(motif.ply).attacks(*motif.squares)
        assert motif.squares[1] in {move[2:4] for move in told.moves[motif.ply + 2:]}


def check_overloaded(told, motif):
    guard, one, other = motif.squares
    plain = told.before(motif.ply)
    assert plain.attacks(guard, one) and plain.attacks(guard, other)
    assert [move[2:4] for move in told.moves[motif.ply:motif.ply + 3]] == [one, one, other]
    assert told.moves[motif.ply + 1][:2] == guard


def check_trapped(told, motif):
    position = told.positions[motif.ply + 1]
    flights = [move for move in position.legal_moves() if move[:2] == motif.squares[0]]
    assert not any(position.see(move, 0) for move in flights)


def check_cannot_be_saved(told, motif):
    position = told.positions[motif.ply + 1]
    for move in position.legal_moves():
        after = position.copy()
        after.push(move)
        square = move[2:4] if move[:2] == motif.squares[0] else motif.squares[0]
        assert any(reply[2:4] == square and after.see(reply, 1) for reply in after.legal_moves())


def check_mate(told, motif):
    if "cannot be taken" in motif.text:
        return check_untouchable(told, motif)
    assert told.positions[-1].is_checkmate()
    if motif.kind == "back rank":
        assert motif.squares[0][1] == motif.squares[1][1] == ("1" if told.positions[-1].turn else "8")


def check_untouchable(told, motif):
    position, square = told.positions[motif.ply + 1], motif.squares[0]
    takers = [move for move in position.legal_moves() if move[2:4] == square]
    assert takers
    for move in takers:
        after = position.copy()
        after.push(move)
        assert mates(after)


def check_mate_threat(told, motif):
    if "cannot be taken" in motif.text:
        return check_untouchable(told, motif)
    position = told.positions[motif.ply + 1].copy()
    position.push_null()
    assert motif.squares[1] in {move[2:4] for move in mates(position)}


def check_promotion(told, motif):
    assert told.moves[motif.ply][4:] and told.moves[motif.ply][:2] in motif.text


def check_stalemate(told, motif):
    assert told.positions[-1].is_stalemate()


def check_perpetual(told, motif):
    keys = Counter(position.fen().rsplit(" ", 2)[0] for position in told.positions)
    assert keys.most_common(1)[0][1] > 1
    assert told.positions[motif.ply + 1].is_check() or told.positions[motif.ply].is_check()


CHECKS = {"fork": check_fork, "skewer": check_skewer, "pin": check_pin, "pinned defender": check_pinned_defender,
          "discovered attack": check_discovered_attack, "discovered check": check_discovered_check,
          "double check": check_double_check, "hanging piece": check_hanging,
          "removed defender": check_removed_defender, "overloaded defender": check_overloaded,
          "trapped piece": check_trapped, "piece that cannot be defended": check_cannot_be_saved, "mate": check_mate,
          "back rank": check_mate, "mate threat": check_mate_threat, "promotion": check_promotion,
          "stalemate": check_stalemate, "perpetual check": check_perpetual}


def check_outcome(told, walk, won):
    """The material that a line wins is on the board at its end, however the other side goes on taking."""
    side = walk.attacker
    start = Plain(walk.start.fen()).lead(side)
    assert Plain(told.positions[-1].fen()).lead(side) - start >= 1 or told.positions[-1].turn == side
    last = chess.Board(told.positions[-1].fen())
    floor = -taking(last, 4) if last.turn != side else max(taking_back(last, walk), 0) + Plain(last.fen()).lead(side)
    assert floor - start >= 1


def taking(board, depth):
    """The lead that the side to move gets by captures alone, free to stop at any time."""
    best = Plain(board.fen()).lead(board.turn)
    if depth:
        for move in list(board.generate_legal_captures()):
            board.push(move)
            best = max(best, -taking(board, depth - 1))
            board.pop()
    return best


def taking_back(board, walk):
    """What taking back on the last move's square wins."""
    if not walk.steps or walk.steps[-1].taken is None:
        return 0
    lead = Plain(board.fen()).lead(board.turn)
    best = 0
    for move in list(board.generate_legal_captures()):
        if move.to_square == walk.steps[-1].move.to_square:
            board.push(move)
            best = max(best, -taking(board, 4) - lead)
            board.pop()
    return best


def lines(seed, count):
    """Lines of short searches in random games, half of them after a random move."""
    chance, pool = random.Random(seed), Pool(1, 1, nets.load_default())

    def best(board, nodes):
        pool.new_game()
        _, _, info = pool.search(Position(board.fen()), {"nodes": nodes})
        return [chess.Move.from_uci(move_name(move, False)) for move in info.pv]

    while count:
        board = chess.Board()
        for _ in range(chance.randint(6, 60)):
            if board.is_game_over():
                break
            moves = list(board.legal_moves)
            board.push(chance.choice(moves) if chance.random() < 0.4 else best(board, 30)[0])
        if board.is_game_over():
            continue
        board.clear_stack()
        mistake = chance.choice(list(board.legal_moves)) if chance.random() < 0.6 else None
        after = board.copy()
        if mistake:
            after.push(mistake)
        line = [] if after.is_game_over() else best(after, chance.choice((50, 1000)))
        count -= 1
        yield board, mistake, line[:MOST_PLIES]


def told_truly(seed, count):
    found: Counter[str] = Counter()
    for board, mistake, line in lines(seed, count):
        walk = Walk(board, [*([mistake] if mistake else []), *line], 1 if mistake else 0)
        told = Told(board, walk.moves, walk.first)
        won = outcome(walk, walk.attacker)
        if won.pawns:
            found["material"] += 1
            try:
                check_outcome(told, walk, won)
            except AssertionError as error:
                raise AssertionError(f"{won.text}: {board.fen()} {told.moves}") from error
        for motif in motifs(board, line, mistake):
            found[motif.kind] += 1
            try:
                CHECKS[motif.kind](told, motif)
            except AssertionError as error:
                raise AssertionError(f"{motif}: {board.fen()} {told.moves}") from error
    return found


def test_every_statement_is_true():
    found = told_truly(1, 80)
    assert found["material"] > 20 and found["hanging piece"] > 10 and len(found) > 5


@pytest.mark.slow
def test_every_statement_is_true_of_many_lines():
    found = told_truly(2, 5000)
    assert set(CHECKS) - set(found) <= {"stalemate", "perpetual check"}
