"""Games of self-play played again, for the positions in them: filters can be chosen anew, and games take little room.

What self-play keeps and what a replay keeps is the same for the same settings.
"""
import cython
from cython.cimports.barreleye.core.position import Position, is_tactical
from cython.cimports.barreleye.core.replay import MAX_GAME_PLIES, Played, Record
from cython.cimports.barreleye.core.selfplay import write_record
from cython.cimports.barreleye.core.types import Key, Move
from cython.cimports.barreleye.core.zobrist import next_random


class Replay:
    """A board to replay games on, and what to keep of them."""

    def __cinit__(self):
        self.pos = Position()
        self.random_plies = 8
        self.first_ply = 8
        self.score_limit = 5000

    def positions(self, start: Position, seed: int, result: int, moves: bytes) -> bytes:
        """The kept positions of a game as 32-byte records; ValueError when a move in it cannot be played."""
        count: cython.int = len(moves) // cython.sizeof(Played)
        if count > MAX_GAME_PLIES:
            raise ValueError(f"a game of {count} moves is longer than self-play makes them")
        chance: Key = seed & 0xFFFFFFFFFFFFFFFF
        opening: cython.int = self.random_plies + cython.cast(cython.int, next_random(cython.address(chance)) & 1)
        points: cython.int = result
        played: cython.pointer[cython.const[Played]] = cython.cast(cython.pointer[cython.const[Played]],
                                                                   cython.cast(cython.p_char, moves))
        kept: cython.int
        self.pos.reserve(cython.cast(cython.int, start.st - start.states))
        self.pos.copy_from(start)
        self.pos.reserve(count + 1)
        with cython.nogil:
            kept = self.collect(played, count, max(opening, self.first_ply), points)
        if kept < 0:
            raise ValueError(f"move {-kept} of the game with seed {seed} is not legal: the file is damaged")
        return cython.cast(cython.p_char, self.records)[:kept * cython.sizeof(Record)]

    def collect(self, played: cython.pointer[cython.const[Played]], count: cython.int, first: cython.int,
                result: cython.int) -> cython.int:
        """How many positions were kept, or minus the number of the first move that is not legal."""
        kept: cython.int = 0
        index: cython.int
        for index in range(count):
            move: Move = played[index].move
            score: cython.int = played[index].score
            if not (self.pos.is_pseudo_legal(move) and self.pos.is_legal_move(move)):
                return -1 - index
            if (index >= first and self.pos.st.checkers == 0 and abs(score) <= self.score_limit
                    and not is_tactical(self.pos, move)):
                write_record(cython.address(self.records[kept]), self.pos, score, result, self.pos.game_ply)
                kept += 1
            self.pos.do_move(move, self.pos.gives_check(move))
        return kept
