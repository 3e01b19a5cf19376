"""How a level chooses among the lines it sees: by chance, the better the more often.

The chance is drawn from a seed, the position and the ply, so that the same game is played again when asked for again.
"""
import cython
from cython.cimports.barreleye.core.chance import DECIDED, chance_of, choose_line
from cython.cimports.barreleye.core.types import MAX_MOVES, Key
from cython.cimports.barreleye.core.zobrist import next_random
from cython.cimports.libc.math import exp


def chosen(scores: object, spread: float, seed: int, key: int, ply: int) -> int:
    """Which of these lines a level plays; a line that is `spread` centipawns worse is e times less likely."""
    values: cython.int[MAX_MOVES]
    count: cython.int = min(len(scores), MAX_MOVES)
    index: cython.int
    for index in range(count):
        values[index] = scores[index]
    return choose_line(values, count, spread, chance_of(seed, key, ply))


def chance_of(seed: Key, key: Key, ply: cython.int) -> Key:
    """A number that is as good as random, and the same for the same seed in the same place."""
    state: Key = seed
    state = next_random(cython.address(state)) ^ key
    state = next_random(cython.address(state)) ^ cython.cast(Key, ply)
    return next_random(cython.address(state))


def choose_line(scores: cython.pointer[cython.const[cython.int]], count: cython.int, spread: cython.double,
                chance: Key) -> cython.int:
    """The index of a line, drawn with weights that fall with what it gives away against the best."""
    best: cython.int = -DECIDED
    total: cython.double = 0
    weight: cython.double[MAX_MOVES]
    index: cython.int
    for index in range(count):
        best = max(best, min(DECIDED, scores[index]))
    for index in range(count):
        weight[index] = exp((max(-DECIDED, min(DECIDED, scores[index])) - best) / spread)
        total += weight[index]
    rest: cython.double = total * (chance >> 11) / 9007199254740992.0     # 53 random bits as a fraction
    for index in range(count - 1):
        rest -= weight[index]
        if rest < 0:
            return index
    return count - 1
