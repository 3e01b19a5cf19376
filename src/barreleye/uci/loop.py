"""The UCI loop: text in, text out.

The loop runs on the main thread and never waits for a search; the search thread writes its own lines as they come.
"""

from __future__ import annotations

import gc
import io
import sys
import threading
from collections.abc import Callable, Iterable
from typing import TextIO

from barreleye.core.notation import START_FEN
from barreleye.core.report import SearchInfo
from barreleye.engine import ID, Engine, Limits, Result, options
from barreleye.engine.own_book import BOOK_LIMIT
from barreleye.uci.go import parse_go
from barreleye.uci.text import HELP, board_text, flipped, format_info, stats_text


class Uci:
    """One conversation. Every answer goes through `say`, whole lines at a time."""

    def __init__(self, out: TextIO | None = None) -> None:
        self.out = out or sys.stdout
        self.engine = Engine()
        self.engine.on_note = lambda note: self.say(f"info string {note}")
        self.engine.on_log = self.set_log
        self.lock = threading.Lock()
        self.log: TextIO | None = None
        self.refused: str | None = None       # what was wrong with the last position; nothing is searched then
        self.searched = self.engine.board     # the position that is searched or was last
        self.game = ("", self.engine.board)   # the last position as it was said and as it stands on the board
        self.commands: dict[str, Callable[[list[str]], None]] = {
            "uci": self.uci, "isready": lambda _: self.say("readyok"), "ucinewgame": lambda _: self.engine.new_game(),
            "setoption": self.setoption, "position": self.position, "go": self.go,
            "stop": lambda _: self.engine.stop(), "ponderhit": lambda _: self.engine.ponderhit(),
            "debug": lambda _: None, "register": lambda _: None, "d": self.show, "eval": self.eval, "flip": self.flip,
            "bench": self.bench, "compiler": self.compiler, "help": lambda _: self.say(HELP.rstrip()),
            "stats": self.stats, "genfens": self.genfens,
        }

    def say(self, text: str) -> None:
        """Write whole lines at once, from whichever thread."""
        with self.lock:
            problem = self.write_log("<< ", text) if self.log else ""
            try:
                self.out.write(f"{text}\n{problem}")
                self.out.flush()
            except (OSError, ValueError):
                pass              # nobody listens any more; the loop ends when its input does

    def write_log(self, sign: str, text: str) -> str:
        """Note down what was said. A log that cannot be written is given up: what to say about it, once."""
        if self.log is None:
            return ""
        try:
            self.log.write("".join(f"{sign}{line}\n" for line in text.split("\n")))
            self.log.flush()
        except (OSError, ValueError) as problem:
            path, self.log = self.log.name, None
            return f"info string error: nothing more is written to {path}: {problem}\n"
        return ""

    def complain(self, problem: object) -> None:
        """One clear line about bad input; the conversation goes on."""
        self.say(f"info string error: {' '.join(str(problem).split())}")

    # The loop

    def loop(self, lines: Iterable[str]) -> None:
        """Answer each line until `quit` or the end of the input, then end the running search."""
        for line in lines:
            if not self.handle(line):
                break
        self.engine.finish()

    def handle(self, line: str) -> bool:
        """Answer one line; False after `quit`. Nothing a line says may end the program."""
        if self.log:
            with self.lock:
                self.write_log(">> ", line.rstrip())
        command: Callable[[list[str]], None] = self.play_on
        if (words := self.further_moves(line)) is None:
            words = line.split()
            if words and words[0].startswith("#"):
                return True
            while words and words[0] not in self.commands and words[0] != "quit":
                words.pop(0)
            if not words:
                if line.strip():
                    self.say(f"Unknown command: '{line.strip()[:200]}'. Type help for more information.")
                return True
            if words[0] == "quit":
                return False
            command = self.commands[words.pop(0)]
        try:
            command(words)
        except OSError as problem:
            self.complain(f"{problem.filename}: {problem.strerror}" if problem.filename else problem)
        except Exception as problem:        # whatever it was, the conversation goes on
            self.complain(problem)
        return True

    # Commands of the protocol

    def uci(self, _: list[str]) -> None:
        declarations = "\n".join(option.declaration() for option in options.OPTIONS)
        self.say(f"id name {ID['name']}\nid author {ID['author']}\n\n{declarations}\nuciok")

    def setoption(self, words: list[str]) -> None:
        if words[:1] != ["name"] or len(words) < 2:
            raise ValueError("expected: setoption name NAME value VALUE")
        split = words.index("value") if "value" in words else len(words)
        name, value = " ".join(words[1:split]), " ".join(words[split + 1:])
        self.game = ("", self.engine.board)             # as Chess960 the same words may mean another board
        self.engine.set_option(name, value)

    def set_log(self, path: str) -> None:
        with self.lock:
            if self.log is not None:
                self.log.close()
                self.log = None
            if path:
                self.log = open(path, "a", encoding="utf-8")        # noqa: SIM115  (open as long as the conversation)

    def position(self, words: list[str]) -> None:
        try:
            self.set_position(words)
        except Exception as problem:
            self.refused = str(problem)
            raise
        self.refused = None
        self.game = (" ".join(["position", *words]) if "moves" in words else "", self.engine.board)

    def further_moves(self, line: str) -> list[str] | None:
        """The moves by which a `position` goes on from the last one, as they do in a game; None for any other line."""
        said, board = self.game
        if not said or not line.startswith(said) or board is not self.engine.board:
            return None
        rest = line[len(said):]
        return rest.split() if rest[:1].isspace() else None

    def play_on(self, moves: list[str]) -> None:
        try:
            self.engine.play_on(moves)
        except Exception as problem:
            self.refused = str(problem)
            raise
        self.refused = None
        self.game = (" ".join([self.game[0], *moves]), self.engine.board)

    def set_position(self, words: list[str]) -> None:
        split = words.index("moves") if "moves" in words else len(words)
        if words[:1] == ["startpos"] and split == 1:
            fen = START_FEN
        elif words[:1] == ["fen"]:
            fen = " ".join(words[1:split])
        else:
            raise ValueError("expected: position startpos [moves ...] or position fen FEN [moves ...]")
        self.engine.position(fen, words[split + 1:])

    def go(self, words: list[str]) -> None:
        asked = parse_go(words)
        self.engine.finish()
        if self.refused is not None:
            # The board is an older one: a move on it would answer a question that nobody asked.
            self.complain(f"nothing to search, the last position was refused: {self.refused}")
            if asked.perft is None:
                self.say("bestmove 0000")
            return
        if asked.perft is not None:
            self.perft(asked.perft)
            return
        board = self.engine.board
        legal = [move for move in asked.searchmoves if board.is_legal(move)]
        wrong = [f"{move} is not a legal move here" for move in asked.searchmoves if move not in legal]
        for problem in (*asked.problems, *wrong):
            self.complain(problem)
        limits = asked.limits
        if not legal and (known := self.engine.own_book.move(board, limits, self.engine.values)) is not None:
            self.say(f"info string {known} is a move from the book")
            limits, legal = Limits.of(BOOK_LIMIT), [known]
        self.searched = board
        self.engine.go(limits, searchmoves=legal or None, on_info=self.hear, on_done=self.done,
                       on_error=self.failed, sparing=True)

    def hear(self, info: SearchInfo) -> None:
        """The search has something to say."""
        self.say(self.info_line(info))

    def done(self, result: Result) -> None:
        """The search is over: its last line unless that has been told, the move, and what we expect in reply."""
        last = f"{self.info_line(result.info)}\n" if self.engine.pool.is_untold else ""
        reply = f" ponder {result.ponder}" if result.ponder else ""
        self.say(f"{last}bestmove {result.best_move or '(none)'}{reply}")

    def failed(self, problem: BaseException) -> None:
        """A search broke down: say why, and still answer with a move."""
        self.complain(f"the search failed: {problem!r}")
        self.say(f"bestmove {next(iter(self.searched.legal_moves()), '(none)')}")

    def info_line(self, info: SearchInfo) -> str:
        """A report of the search as a line."""
        return format_info(info, self.searched, bool(self.engine.values["UCI_ShowWDL"]))

    # Commands for people

    def perft(self, depth: int) -> None:
        from barreleye.engine.perft import iter_divide

        if depth < 1:
            raise ValueError(f"perft depth is {depth}, expected at least 1")
        total = 0
        for move, leaves in iter_divide(depth, self.engine.board.fen(), chess960=self.engine.board.chess960):
            self.say(f"{move}: {leaves}")
            total += leaves
        self.say(f"\nNodes searched: {total}\n")

    def show(self, _: list[str]) -> None:
        self.say(board_text(self.engine.board))

    def eval(self, _: list[str]) -> None:
        from barreleye.engine.evaluation import evaluation_text

        self.say(evaluation_text(self.engine.board, self.engine.network))

    def flip(self, _: list[str]) -> None:
        self.engine.position(flipped(self.engine.board.fen()))

    def stats(self, _: list[str]) -> None:
        self.say(stats_text(self.engine.stats()))

    def bench(self, words: list[str]) -> None:
        from barreleye.uci.bench import run_bench

        run_bench(words, self.engine, self.say)

    def genfens(self, words: list[str]) -> None:
        from barreleye.uci.genfens import openings

        given = dict(zip(words[1::2], words[2::2], strict=False))
        try:
            count, seed = int(words[0]), int(given.get("seed", "1"))
        except (IndexError, ValueError):
            raise ValueError("expected: genfens N seed S book None, or a book of EPD lines or PGN games") from None
        if count < 1:
            raise ValueError(f"genfens is asked for {count} openings, expected at least 1")
        for fen in openings(count, seed, given.get("book", "None")):
            self.say(f"info string genfens {fen}")

    def compiler(self, _: list[str]) -> None:
        import platform

        from barreleye.core import origin

        instructions = origin.VECTORS + (" and PEXT" if origin.PEXT else "")
        guided = ", guided by a profile" if origin.PROFILED else ""
        self.say(f"Python {platform.python_version()} ({platform.python_compiler()}) on {platform.platform()}\n"
                 f"core {origin.CORE} with {instructions}, compiled by Cython and {origin.COMPILER}{guided}: "
                 f"{origin.__file__}")


def main(kind: type[Uci] = Uci) -> int:
    """`barreleye` with no arguments."""
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(encoding="utf-8", errors="replace")      # no byte a GUI sends may end the program
    talk = kind()
    gc.freeze()            # what is there now stays: looking through it for garbage between two moves costs time
    talk.loop(iter(sys.stdin.readline, ""))
    return 0


def run_once(commands: list[str]) -> int:
    """Commands given as arguments: run each, wait for its answer, leave after `quit` or the last one."""
    talk = Uci()
    for number, command in enumerate(commands):
        if not talk.handle(command):
            break
        upcoming = commands[number + 1:number + 2]
        if talk.engine.is_searching and upcoming not in (["stop"], ["ponderhit"], ["isready"]):
            talk.engine.wait()
    return 0
