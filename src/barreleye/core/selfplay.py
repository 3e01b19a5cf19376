"""Games against itself at full speed: the raw material of networks and weights.

One SelfPlay object plays one game at a time on one thread, without the GIL from the opening to the result. A game
depends only on its start, its seed, the settings and the games since new_game(), never on the thread.
"""
import cython
from cython.cimports.barreleye.core.bitboard import pop_lsb
from cython.cimports.barreleye.core.contender import Contender, Ending, ruled
from cython.cimports.barreleye.core.evaluate.nnue import Network
from cython.cimports.barreleye.core.harvest import MAX_PATH, MAX_SAMPLES, SPARE, Path, sample_count
from cython.cimports.barreleye.core.movegen import generate_captures, generate_legal
from cython.cimports.barreleye.core.position import Position, is_tactical
from cython.cimports.barreleye.core.see import see_ge
from cython.cimports.barreleye.core.selfplay import MAX_GAME_PLIES, NO_RESULT, Played, Record, write_record
from cython.cimports.barreleye.core.syzygy.probe import Tablebase
from cython.cimports.barreleye.core.types import (
    BLACK, MAX_MOVES, NO_SQUARE, WHITE, Bitboard, Key, Move, file_of,
)
from cython.cimports.barreleye.core.zobrist import next_random
from cython.cimports.libc.stdint import uint64_t
from cython.cimports.libc.string import memset


class SelfPlay:
    """A player of both sides, with the settings of one data set."""

    def __cinit__(self, hash_mb: int = 8):
        self.player = Contender(hash_mb)
        self.worker = self.player.worker
        self.random_plies = 8
        self.soft_nodes = 2000
        self.hard_nodes = 16000
        self.check_nodes = 0
        self.samples = 0
        self.sample_nodes = 200
        self.opening_limit = 600
        self.win_score = 1500
        self.win_plies = 5
        self.draw_score = 10
        self.draw_plies = 10
        self.draw_after = 70
        self.first_ply = 8
        self.score_limit = 5000

    def use_network(self, network: Network = None) -> None:
        """Evaluate by this network."""
        self.player.use_network(network)

    def use_tables(self, tables: Tablebase) -> None:
        """End games with the result that these tables know, right after a capture or pawn move."""
        self.worker.tables = tables

    def play(self, start: Position, seed: int) -> tuple:
        """Play a game from a start position after random moves.

        Returns (result, positions, moves): white's half points or -2 for an opening thrown away, the kept positions as
        32-byte records and the moves with their scores as 4-byte pairs. Positions of the search tree follow the one
        that was searched and have its ply, but no result.
        """
        if not 0 <= self.random_plies < MAX_GAME_PLIES - 1:
            raise ValueError(f"random plies are {self.random_plies}, but a game has room for {MAX_GAME_PLIES} plies")
        if not 0 <= self.samples <= MAX_SAMPLES:
            raise ValueError(f"samples are {self.samples}, expected 0 to {MAX_SAMPLES}")
        number: Key = seed & 0xFFFFFFFFFFFFFFFF
        result: cython.int
        self.player.take_up(start, MAX_GAME_PLIES + MAX_PATH)
        with cython.nogil:
            result = self.play_game(number)
        index: cython.int
        for index in range(self.record_count):
            if self.records[index].result != NO_RESULT:
                self.records[index].result = max(result, 0)
        return (result, cython.cast(cython.p_char, self.records)[:self.record_count * cython.sizeof(Record)],
                cython.cast(cython.p_char, self.played)[:self.played_count * cython.sizeof(Played)])

    @property
    def nodes(self) -> int:
        """Nodes spent since the object was made."""
        return self.player.nodes

    def judge(self, position: Position) -> int:
        """White's score of a position by a search, which may use what was learned since new_game()."""
        score: cython.int
        pos: Position = self.worker.pos
        self.player.take_up(position, 0)
        self.player.noisy_nodes = 0
        with cython.nogil:
            score = self.player.think(self.soft_nodes, self.hard_nodes) if pos.has_legal_moves() else 0
        return score if pos.side == WHITE else -score

    def new_game(self) -> None:
        """Forget what earlier games or positions taught."""
        with cython.nogil:
            self.player.forget()

    def play_game(self, seed: Key) -> cython.int:
        """One game on the worker's board; the result in white's half points, or REJECTED."""
        result: cython.int
        ending: Ending
        winning: cython.int = 0
        drawing: cython.int = 0
        last_side: cython.int = 0
        self.record_count = 0
        self.played_count = 0
        self.player.noisy_nodes = 0
        if not self.random_opening(cython.address(seed)):
            return -2
        self.harvest.seed = seed
        self.harvest.wanted = SPARE * self.samples
        self.harvest.limit = self.win_score
        if abs(self.player.think(self.soft_nodes // 2, self.soft_nodes)) > self.opening_limit:
            return -2
        while True:
            result = ruled(self.worker.pos, self.worker.tables, cython.address(ending))
            if result != -1:
                return result
            if self.played_count >= MAX_GAME_PLIES - 1:
                return 1
            if self.samples:
                self.harvest.root = cython.cast(cython.int, self.worker.pos.st - self.worker.pos.states)
                self.harvest.seen = 0
                self.worker.harvest = cython.address(self.harvest)
            self.player.noisy_nodes = 0
            is_check: cython.bint = self.worker.pos.st.checkers != 0
            soft: uint64_t = self.check_nodes if is_check and self.check_nodes else self.soft_nodes
            score: cython.int = self.player.think(soft, self.hard_nodes)
            self.worker.harvest = cython.NULL
            white: cython.int = score if self.worker.pos.side == WHITE else -score
            # Both sides agree for long enough: the game is decided.
            side: cython.int = 1 if white > 0 else -1
            if abs(score) < self.win_score:
                winning = 0
            else:
                winning = winning + 1 if side == last_side else 1
            last_side = side
            if winning >= self.win_plies:
                return 2 if white > 0 else 0
            drawing = drawing + 1 if abs(score) <= self.draw_score else 0
            if drawing >= self.draw_plies and self.worker.pos.game_ply >= self.draw_after:
                return 1
            move: Move = self.worker.order[0].move
            if self.played_count >= self.first_ply and self.is_worth_keeping(white):
                self.record(white, 0, self.worker.pos.game_ply)
                if self.samples:
                    self.reap()
            self.played[self.played_count].move = move
            self.played[self.played_count].score = max(-32000, min(32000, white))
            self.played_count += 1
            self.worker.pos.do_move(move, self.worker.pos.gives_check(move))

    def random_opening(self, seed: cython.pointer[Key]) -> cython.bint:
        """Some random plies, one more by coin flip; False when the game ended on the way."""
        moves: Move[MAX_MOVES]
        ply: cython.int
        for ply in range(self.random_plies + cython.cast(cython.int, next_random(seed) & 1)):
            count: cython.int = cython.cast(cython.int, generate_legal(self.worker.pos, moves) - moves)
            if count == 0:
                return False
            move: Move = moves[next_random(seed) % cython.cast(Key, count)]
            self.played[self.played_count].move = move
            self.played[self.played_count].score = 0
            self.played_count += 1
            self.worker.pos.do_move(move, self.worker.pos.gives_check(move))
        return self.worker.pos.has_legal_moves()

    def reap(self) -> cython.void:
        """Record what the last search picked from its tree, each scored by a search of its own."""
        ply: cython.int = self.worker.pos.game_ply
        left: cython.int = self.samples
        self.player.noisy_nodes = 1
        index: cython.int
        for index in range(sample_count(cython.address(self.harvest))):
            path: cython.pointer[Path] = cython.address(self.harvest.paths[index])
            step: cython.int
            for step in range(path.length):
                move: Move = path.moves[step]
                self.worker.pos.do_move(move, self.worker.pos.gives_check(move))
            if self.worker.pos.has_legal_moves() and not self.wins_material():
                score: cython.int = self.player.think(self.sample_nodes, self.hard_nodes)
                if self.worker.pos.side == BLACK:
                    score = -score
                if self.is_worth_keeping(score):
                    self.record(score, NO_RESULT, ply)
                    left -= 1
            for step in range(path.length):
                self.worker.pos.undo_move(path.moves[path.length - 1 - step])
            if left == 0:
                return

    def wins_material(self) -> cython.bint:
        """Whether some capture does by the exchange alone: then it is best, and no search need find that out."""
        moves: Move[MAX_MOVES]
        end: cython.pointer[Move] = generate_captures(self.worker.pos, moves)
        move: cython.pointer[Move] = moves
        while move < end:
            if see_ge(self.worker.pos, move[0], 1):
                return True
            move += 1
        return False

    def is_worth_keeping(self, score: cython.int) -> cython.bint:
        """Whether the position just searched is quiet enough to learn from."""
        return (self.worker.pos.st.checkers == 0 and abs(score) <= self.score_limit
                and not is_tactical(self.worker.pos, self.worker.order[0].move))

    def record(self, score: cython.int, result: cython.int, ply: cython.int) -> cython.void:
        """Write the present position down."""
        write_record(cython.address(self.records[self.record_count]), self.worker.pos, score, result, ply)
        self.record_count += 1


def write_record(record: cython.pointer[Record], pos: Position, score: cython.int, result: cython.int,
                 ply: cython.int) -> cython.void:
    """What stands on the board, and what is known of it."""
    men: Bitboard = pos.by_type[0]
    record.occupied = men
    memset(record.pieces, 0, 16)
    index: cython.int = 0
    while men:
        piece: cython.int = pos.board[pop_lsb(cython.address(men))]
        record.pieces[index >> 1] |= piece << (4 * (index & 1))
        index += 1
    record.score = score
    record.result = result
    record.side_ep = 128 if pos.side == BLACK else 0
    if pos.st.ep_square != NO_SQUARE:
        record.side_ep |= file_of(pos.st.ep_square) + 1
    record.rule50 = pos.st.rule50
    record.castling = pos.st.castling
    record.ply = ply
