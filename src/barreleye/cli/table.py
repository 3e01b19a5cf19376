"""The table a game is played at: board, clock, what the player may say, and the game's record."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path

import chess
import chess.pgn
from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from barreleye import __version__
from barreleye.cli.board import ACCENT, BAD, QUIET, Screen, board_text
from barreleye.cli.moves import parse_move
from barreleye.engine import Engine, Result
from barreleye.levels import Level

HINT_NODES = 200_000
DRAW_LIMIT = 30             # centipawns: the engine agrees to a draw when it is not better than this
DRAW_AFTER = 20             # and the game is so many moves old
HELP = """\
a move    Nf3, exd5, O-O, e8=Q or g1f3        back     take back your last move
hint      what Barreleye would play           moves    all legal moves
flip      turn the board round                draw     offer a draw
resign    give up                             quit     leave; the game is saved"""


@dataclass
class Clock:
    """Both sides' time in seconds, from the first move on."""

    base_s: float
    increment_s: float
    left: dict[bool, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.left = {True: self.base_s, False: self.base_s}

    @classmethod
    def parse(cls, text: str) -> Clock:
        """Minutes and seconds a move, as 10+5 or 10.

        >>> Clock.parse("3+2").left
        {True: 180.0, False: 180.0}
        """
        minutes, _, seconds = text.partition("+")
        try:
            base, increment = 60 * float(minutes), float(seconds or 0)
        except ValueError:
            base = increment = -1.0
        if not 0 < base < 1e6 or not 0 <= increment < 1e6:
            raise ValueError(f"--time is {text!r}, expected minutes and seconds a move, as 10+5")
        return cls(base, increment)

    def spend(self, white: bool, seconds: float) -> bool:
        """Take time off a side's clock; False when it has run out."""
        self.left[white] -= seconds
        if self.left[white] <= 0:
            return False
        self.left[white] += self.increment_s
        return True

    def text(self, white: bool) -> str:
        seconds = max(0, int(self.left[white]))
        return f"{seconds // 60}:{seconds % 60:02}"


class Table:
    """One game between a person and the engine."""

    def __init__(self, engine: Engine, board: chess.Board, is_white: bool, level: Level | None, seed: int,
                 clock: Clock | None, think_s: float, path: Path, name: str) -> None:
        self.engine, self.board, self.is_white, self.clock = engine, board, is_white, clock
        self.level, self.seed, self.think_s, self.path = level, seed, think_s, path
        self.start = board.root()
        self.flipped = not is_white
        self.console = Console(highlight=False)
        self.screen = Screen.of(self.console)
        self.clocks: list[float | None] = [None] * len(board.move_stack)        # what each mover had left
        self.result, self.reason = "*", ""
        self.hint: chess.Move | None = None
        self.name = name

    @property
    def opponent(self) -> str:
        rating = f" ({self.level.name}, {self.level.elo})" if self.level else ""
        return f"Barreleye {__version__}{rating}"

    # The game

    def play(self) -> None:
        """From the first move to the end, or to the end of the input."""
        existed = self.path.exists()
        self.path.open("a", encoding="utf-8").close()           # better to know now that it cannot be written
        if not existed:
            self.path.unlink()
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

    def reply(self) -> None:
        """The engine's move."""
        self.set_up(self.engine)
        started = time.perf_counter()
        with self.console.status("thinking", spinner_style=ACCENT):
            if self.clock:
                milliseconds = {color: max(1, round(1000 * left)) for color, left in self.clock.left.items()}
                increment = round(1000 * self.clock.increment_s)
                result = self.engine.search(wtime=milliseconds[True], btime=milliseconds[False], winc=increment,
                                            binc=increment)
            else:
                result = self.engine.search(movetime=max(1, round(1000 * self.think_s)))
        assert result.best_move is not None
        move = self.board.parse_uci(result.best_move)
        number = f"{self.board.fullmove_number}{'.' if self.board.turn else '…'}"
        self.say(f"Barreleye plays {number}{self.board.san(move)}", style=f"bold {ACCENT}")
        self.push(move, time.perf_counter() - started)

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
            if word.lower() in self.commands():
                if self.commands()[word.lower()]():
                    return True
                continue
            try:
                move = parse_move(self.board, word.removesuffix("!").removesuffix("?"))
            except ValueError:
                self.say(f"{word!r} is not a legal move here; moves lists those there are, help all commands", BAD)
                continue
            self.push(move, time.perf_counter() - started)
            return True

    def commands(self) -> dict[str, Callable[[], bool]]:
        """What else may be typed; True when it changed the game or the board."""
        return {"back": self.back, "undo": self.back, "hint": self.give_hint, "moves": self.list_moves,
                "flip": self.flip, "draw": self.offer_draw, "resign": self.resign, "help": self.help,
                "board": lambda: True}

    def back(self) -> bool:
        """Take back to before the person's last move."""
        count = 2 if len(self.board.move_stack) >= 2 else 0
        if not count:
            self.say("there is no move of yours to take back", BAD)
            return False
        for _ in range(count):
            self.board.pop()
            self.clocks.pop()
        if self.clock:
            for white in (True, False):
                own = self.clocks[white != self.start.turn::2]
                self.clock.left[white] = self.clock.base_s if not own or own[-1] is None else own[-1]
        self.hint = None
        return True

    def give_hint(self) -> bool:
        """What the engine would play at its best."""
        result = self.advice(HINT_NODES)
        assert result.best_move is not None
        self.hint = self.board.parse_uci(result.best_move)
        self.say(f"hint: {self.board.san(self.hint)}", ACCENT)
        return True

    def list_moves(self) -> bool:
        self.say("  ".join(sorted(self.board.san(move) for move in self.board.legal_moves)))
        return False

    def flip(self) -> bool:
        self.flipped = not self.flipped
        return True

    def offer_draw(self) -> bool:
        """The engine agrees when the game is old enough and it is not better."""
        score = -int(self.advice(HINT_NODES // 4).info.score)
        if self.board.fullmove_number >= DRAW_AFTER and score <= DRAW_LIMIT:
            self.end("1/2-1/2", "draw agreed")
            return True
        self.say("Barreleye would rather play on", QUIET)
        return False

    def resign(self) -> bool:
        self.win_for(not self.is_white, "resignation")
        return True

    def help(self) -> bool:
        self.say(HELP, QUIET)
        return False

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
            game.headers["TimeControl"] = f"{self.clock.base_s:g}+{self.clock.increment_s:g}"
        if self.reason:
            game.headers["Termination"] = self.reason
        for node, left in zip(game.mainline(), self.clocks, strict=True):
            if left is not None:
                node.set_clock(left)
        return game

    def save(self) -> None:
        """Append the game to its file, if a move was made."""
        if self.result != "*":
            self.show_result()
        if self.board.move_stack:
            with self.path.open("a", encoding="utf-8") as file:
                print(self.game(), end="\n\n", file=file)
            self.say(f"saved in {self.path}", QUIET)

    def show_result(self) -> None:
        text = board_text(self.board, self.screen, flipped=self.flipped)
        self.console.print(Padding(text, (1, 2)))
        self.say(f"{self.result.replace('1/2-1/2', '½-½') if self.screen.unicode else self.result}: {self.reason}",
                 f"bold {ACCENT}")
