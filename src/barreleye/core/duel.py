"""Games between two contenders at full speed: how engines that differ in something are compared.

One Duel object plays one game at a time on one thread, without the GIL from the first move to the result. A game
depends only on its start, the two contenders' settings and who has which colour: both forget everything before it.
"""
import cython
from cython.cimports.barreleye.core.contender import (
    ABANDONED, AGREED, RESIGNED, TOO_LONG, Contender, ruled,
)
from cython.cimports.barreleye.core.duel import MOST_PLIES, Step
from cython.cimports.barreleye.core.platform import load_flag, store_flag
from cython.cimports.barreleye.core.position import Position
from cython.cimports.barreleye.core.syzygy.probe import Tablebase
from cython.cimports.barreleye.core.types import WHITE, Move

LONGEST = MOST_PLIES
# In the order of the enum in contender.pxd.
ENDINGS = ("goes on", "checkmate", "stalemate", "insufficient material", "fifty moves", "threefold repetition",
           "tablebase", "resign adjudication", "draw adjudication", "maximum length", "abandoned")


class Duel:
    """Two contenders and the rules by which their games end."""

    def __cinit__(self, first: Contender, second: Contender):
        if first is second:
            raise ValueError("a duel needs two contenders, not one twice")
        self.first = first
        self.second = second
        self.tables = Tablebase([])
        self.win_score = 600
        self.win_plies = 6
        self.draw_score = 10
        self.draw_plies = 16
        self.draw_after = 80
        self.longest = 600

    def use_tables(self, tables: Tablebase) -> None:
        """End games with the result that these tables know, right after a capture or pawn move."""
        self.tables = tables

    def play(self, start: Position, first_is_white: bool = True) -> tuple:
        """Play a game from a position, which may have a history.

        Returns (points, ending, moves): the first contender's half points, why the game is over as a place in ENDINGS,
        and the moves with white's scores as 4-byte pairs. Points are -1 for a game abandoned because of stop().
        """
        if not 1 <= self.longest <= MOST_PLIES:
            raise ValueError(f"the longest game has {self.longest} plies, expected 1 to {MOST_PLIES}")
        white: Contender = self.first if first_is_white else self.second
        black: Contender = self.second if first_is_white else self.first
        result: cython.int
        white.take_up(start, self.longest)
        black.take_up(start, self.longest)
        with cython.nogil:
            result = self.play_game(white, black)
        if result >= 0 and not first_is_white:
            result = 2 - result
        return (result, cython.cast(cython.int, self.ending),
                cython.cast(cython.p_char, self.steps)[:self.count * cython.sizeof(Step)])

    def stop(self) -> None:
        """Abandon the running game after its next move, and every later one; from any thread."""
        store_flag(cython.address(self.stopping), 1)

    def play_game(self, white: Contender, black: Contender) -> cython.int:
        """One game on the contenders' boards; white's half points, -1 if it was abandoned."""
        result: cython.int
        self.count = 0
        white.forget()
        black.forget()
        while True:
            result = ruled(white.worker.pos, self.tables, cython.address(self.ending))
            if result < 0:
                result = self.adjudicated(white.worker.pos.game_ply)
            if result >= 0:
                return result
            score: cython.int
            move: Move
            if white.worker.pos.side == WHITE:
                score = white.find_move(cython.address(move))
            else:
                score = -black.find_move(cython.address(move))
            if load_flag(cython.address(self.stopping)):
                self.ending = ABANDONED
                return -1
            self.steps[self.count].move = move
            self.steps[self.count].score = score
            self.count += 1
            white.worker.pos.do_move(move, white.worker.pos.gives_check(move))
            black.worker.pos.do_move(move, black.worker.pos.gives_check(move))

    def adjudicated(self, game_ply: cython.int) -> cython.int:
        """White's half points where both sides have agreed for long enough, or the game is too long; else -1."""
        winning: cython.int = 0
        losing: cython.int = 0
        level: cython.int = 0
        back: cython.int
        score: cython.int
        for back in range(1, min(self.count, max(self.win_plies, self.draw_plies)) + 1):
            score = self.steps[self.count - back].score
            winning += winning == back - 1 and score >= self.win_score
            losing += losing == back - 1 and score <= -self.win_score
            level += level == back - 1 and abs(score) <= self.draw_score
        if self.win_plies and max(winning, losing) >= self.win_plies:
            self.ending = RESIGNED
            return 2 if winning else 0
        if self.draw_plies and level >= self.draw_plies and game_ply >= self.draw_after:
            self.ending = AGREED
            return 1
        if self.count >= self.longest:
            self.ending = TOO_LONG
            return 1
        return -1
