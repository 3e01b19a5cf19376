"""The table a game is played at: board, clock, what the player may say, and the game's record."""

from __future__ import annotations

import random
import time
from datetime import date

import chess
import chess.pgn
from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from barreleye import __version__
from barreleye.cli.board import ACCENT, BAD, QUIET, Screen, board_text
from barreleye.cli.clock import Clock
from barreleye.cli.orders import COMMANDS
from barreleye.cli.saved import SavedGame
from barreleye.engine import Engine, Result
from barreleye.levels import Level
from barreleye.openings import opening
from barreleye.polyglot import PolyglotBook
from barreleye.typed_moves import parse_move


class Table:
    """One game between a person and the engine."""

    def __init__(self, engine: Engine, board: chess.Board, is_white: bool, level: Level | None, seed: int, *,
                 clock: Clock | None, think_s: float, saved: SavedGame, name: str,
                 book: PolyglotBook | None = None) -> None:
        self.engine, self.board, self.is_white, self.clock = engine, board, is_white, clock
        self.seed, self.think_s, self.saved, self.name, self.book = seed, think_s, saved, name, book
        self.start = board.root()
        self.flipped = not is_white
        self.console = Console(highlight=False)
        self.screen = Screen.of(self.console)
        self.clocks: list[float | None] = [None] * len(board.move_stack)        # what each mover had left
        self.result, self.reason = "*", ""
        self.hint: chess.Move | None = None
        self.given = list(board.move_stack)         # moves that were there before the game
        self.named = str(opening(board) or "")
        engine.set_option("Strength Seed", seed)
        self.set_level(level)

    def set_level(self, level: Level | None) -> None:
        """Play at this level from now on, at full strength without one."""
        self.level = level
        self.engine.set_option("UCI_LimitStrength", level is not None)
        if level is not None:
            self.engine.set_option("UCI_Elo", level.elo)

    @property
    def opponent(self) -> str:
        rating = f" ({self.level.title})" if self.level else ""
        return f"Barreleye {__version__}{rating}"

    # The game

    def play(self) -> None:
        """From the first move to the end, or to the end of the input."""
        self.saved.check()
        self.say(f"{self.opponent}, seed {self.seed}. You have {'White' if self.is_white else 'Black'}; type help.")
        try:
            while not self.is_over():
                if self.board.turn != self.is_white:
                    self.reply()
                    continue
                self.show()
                if not self.person():
                    break
        except (EOFError, KeyboardInterrupt):
            self.console.print()
        finally:
            self.engine.finish()
            self.save()

    def is_over(self) -> bool:
        """Whether the game has ended, by what was said or by the rules; draws need not be claimed."""
        if self.result == "*" and (outcome := self.board.outcome(claim_draw=False) or self.drawn()):
            self.end(outcome.result(), outcome.termination.name.lower().replace("_", " "))
        return self.result != "*"

    def drawn(self) -> chess.Outcome | None:
        """A draw that a player could claim on the board."""
        if self.board.is_repetition(3):
            return chess.Outcome(chess.Termination.THREEFOLD_REPETITION, None)
        return chess.Outcome(chess.Termination.FIFTY_MOVES, None) if self.board.is_fifty_moves() else None

    def end(self, result: str, reason: str) -> None:
        self.result, self.reason = result, reason

    def win_for(self, white: bool, reason: str) -> None:
        self.end("1-0" if white else "0-1", reason)

    def push(self, move: chess.Move, seconds: float) -> None:
        """Make a move, unless its time had run out before."""
        mover = self.board.turn
        if self.clock and not self.clock.spend(mover, seconds):
            self.win_for(not mover, "time forfeit")
            return
        self.board.push(move)
        self.clocks.append(self.clock.left[mover] if self.clock else None)
        self.hint = None
        named = str(opening(self.board) or "")
        if named != self.named:
            self.named = named
            self.say(named, QUIET)

    def reply(self) -> None:
        """The engine's move."""
        started = time.perf_counter()
        # Chance drawn from the seed and the move's number, so that the same game is played again.
        chance = random.Random(f"{self.seed} {len(self.board.move_stack)}")
        known = self.book.choose(self.board, chance) if self.book else None
        move = known.move if known else self.found()
        number = f"{self.board.fullmove_number}{'.' if self.board.turn else '…'}"
        source = " from the book" if known else ""
        self.say(f"Barreleye plays {number}{self.board.san(move)}{source}", style=f"bold {ACCENT}")
        self.push(move, time.perf_counter() - started)

    def found(self) -> chess.Move:
        """What the engine finds by thinking."""
        self.set_up(self.engine)
        with self.console.status("thinking", spinner_style=ACCENT):
            if self.clock:
                milliseconds = {color: max(1, round(1000 * left)) for color, left in self.clock.left.items()}
                increment = round(1000 * self.clock.increment_s)
                result = self.engine.search(wtime=milliseconds[True], btime=milliseconds[False], winc=increment,
                                            binc=increment)
            else:
                result = self.engine.search(movetime=max(1, round(1000 * self.think_s)))
        assert result.best_move is not None
        return self.board.parse_uci(result.best_move)

    def set_up(self, engine: Engine) -> None:
        """Show an engine the game so far."""
        engine.position(self.start.fen(), [move.uci() for move in self.board.move_stack])

    def advice(self, nodes: int) -> Result:
        """What an engine at full strength thinks; the one that plays is not to learn from it."""
        adviser = Engine(Hash=16, UCI_Chess960=self.board.chess960)
        self.set_up(adviser)
        with self.console.status("thinking", spinner_style=ACCENT):
            return adviser.search(nodes=nodes)

    # The person

    def person(self) -> bool:
        """Ask until a move is made or the game is ended; False to leave the table."""
        started = time.perf_counter()
        while True:
            clock = f"[{self.clock.text(self.is_white)}] " if self.clock else ""
            prompt = f"{clock}{self.board.fullmove_number}{'.' if self.is_white else '…'} "
            words = self.console.input(Text(prompt, style=QUIET)).split()
            if not words:
                continue
            word = words[0]
            if word.lower() in ("quit", "exit", "q"):
                return False
            if word.lower() in COMMANDS:
                if COMMANDS[word.lower()](self, " ".join(words[1:])):
                    return True
                continue
            try:
                move = parse_move(self.board, word)
            except ValueError as error:
                self.say(f"{error} (moves lists the legal moves, help all commands)", BAD)
                continue
            self.push(move, time.perf_counter() - started)
            return True

    # Showing and keeping

    def say(self, text: str, style: str = "") -> None:
        self.console.print(Text(text, style=style))

    def show(self) -> None:
        """The board, with the clocks below it."""
        text = board_text(self.board, self.screen, flipped=self.flipped, best=self.hint)
        if self.clock:
            text.append(f"\n   White {self.clock.text(True)}   Black {self.clock.text(False)}", style=QUIET)
        self.console.print(Padding(text, (1, 2)))

    def game(self) -> chess.pgn.Game:
        """The record so far."""
        game = chess.pgn.Game.from_board(self.board)
        people = {self.is_white: self.name, not self.is_white: self.opponent}
        game.headers.update({"Event": "Game against Barreleye", "Site": "terminal", "Round": "-",
                             "Date": date.today().strftime("%Y.%m.%d"), "White": people[True], "Black": people[False],
                             "Result": self.result, "Seed": str(self.seed)})
        if self.level:
            game.headers[f"{'Black' if self.is_white else 'White'}Elo"] = str(self.level.elo)
        if self.clock:
            game.headers["TimeControl"] = self.clock.header
        if named := opening(self.board):
            game.headers["ECO"], game.headers["Opening"] = named.eco, named.name
        if self.reason:
            game.headers["Termination"] = self.reason
        for node, left in zip(game.mainline(), self.clocks, strict=True):
            if left is not None:
                node.set_clock(left)
        return game

    def save(self) -> None:
        """Append the game to its file, if something has happened in it."""
        if self.result != "*":
            self.show_result()
        if self.board.move_stack != self.given or self.result != "*":
            self.saved.write(self.game())
            self.say(f"saved in {self.saved.path}", QUIET)

    def show_result(self) -> None:
        text = board_text(self.board, self.screen, flipped=self.flipped)
        self.console.print(Padding(text, (1, 2)))
        self.say(f"{self.result.replace('1/2-1/2', '½-½') if self.screen.unicode else self.result}: {self.reason}",
                 f"bold {ACCENT}")
