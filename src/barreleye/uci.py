"""The UCI loop: text in, text out. The only place that knows the word "info".

The loop runs on the main thread and never waits for a search; the search thread writes its own lines as they come.
"""

from __future__ import annotations

import io
import sys
import threading
from collections.abc import Callable, Iterable
from typing import Any, TextIO

from barreleye import options, wdl
from barreleye.core.notation import START_FEN, move_name
from barreleye.core.position import Position
from barreleye.core.report import SearchInfo
from barreleye.engine import ID, Engine, Limits, Result

NUMBER_WORDS = ("wtime", "btime", "winc", "binc", "movestogo", "depth", "nodes", "mate", "movetime", "perft")
LEAST = {"depth": 1, "nodes": 1, "mate": 1, "movetime": 1}     # inside the engine 0 means that there is no such limit
GO_WORDS = (*NUMBER_WORDS, "searchmoves", "ponder", "infinite")
HELP = """\
Barreleye speaks UCI, the language of chess GUIs. Some of what you can type:
  uci                               name and options            isready   answer when ready
  setoption name Hash value 64      set an option               ucinewgame   forget earlier games
  position startpos moves e2e4      or: position fen FEN moves ...
  go movetime 1000                  or: depth 12, nodes 100000, wtime 60000 btime 60000 winc 1000 binc 1000,
                                    movestogo 20, mate 3, infinite, ponder, searchmoves e2e4 d2d4, perft 5
  stop   ponderhit   quit
And what is ours or Stockfish's habit:
  d   show the board                eval   explain the evaluation       flip   change sides
  stats   what the last search did  bench [depth] [threads] [hash]      compiler   how this was built
'barreleye --help' in a terminal tells what else Barreleye does.
"""


class Uci:
    """One conversation. Every answer goes through `say`, whole lines at a time."""

    def __init__(self, out: TextIO | None = None) -> None:
        self.out = out or sys.stdout
        self.engine = Engine()
        self.engine.on_note = lambda note: self.say(f"info string {note}")
        self.lock = threading.Lock()
        self.log: TextIO | None = None
        self.refused: str | None = None       # what was wrong with the last position; nothing is searched then
        self.commands: dict[str, Callable[[list[str]], None]] = {
            "uci": self.uci, "isready": lambda _: self.say("readyok"), "ucinewgame": lambda _: self.engine.new_game(),
            "setoption": self.setoption, "position": self.position, "go": self.go,
            "stop": lambda _: self.engine.stop(), "ponderhit": lambda _: self.engine.ponderhit(),
            "debug": lambda _: None, "register": lambda _: None, "d": self.show, "eval": self.eval, "flip": self.flip,
            "bench": self.bench, "compiler": self.compiler, "help": lambda _: self.say(HELP.rstrip()),
            "stats": self.stats,
        }

    def say(self, text: str) -> None:
        """Write whole lines at once, from whichever thread."""
        with self.lock:
            if self.log is not None:
                self.log.write("".join(f"<< {line}\n" for line in text.split("\n")))
                self.log.flush()
            try:
                self.out.write(text + "\n")
                self.out.flush()
            except (BrokenPipeError, ValueError):
                pass              # nobody listens any more; the loop ends when its input does

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
        if self.log is not None:
            self.log.write(f">> {line.rstrip()}\n")
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
        try:
            self.commands[words[0]](words[1:])
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
        option = options.find(name)
        if option.name == "Debug Log File":
            self.set_log(str(option.parse(value)))
        self.engine.set_option(name, value)

    def set_log(self, path: str) -> None:
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

    def set_position(self, words: list[str]) -> None:
        split = words.index("moves") if "moves" in words else len(words)
        if words[:1] == ["startpos"]:
            fen = START_FEN
        elif words[:1] == ["fen"]:
            fen = " ".join(words[1:split])
        else:
            raise ValueError("expected: position startpos [moves ...] or position fen FEN [moves ...]")
        self.engine.position(fen, words[split + 1:])

    def go(self, words: list[str]) -> None:
        limits, searchmoves, problems = parse_go(words)
        self.engine.finish()
        if self.refused is not None:
            # The board is an older one: a move on it would answer a question that nobody asked.
            self.complain(f"nothing to search, the last position was refused: {self.refused}")
            if "perft" not in limits:
                self.say("bestmove 0000")
            return
        if "perft" in limits:
            self.perft(limits["perft"])
            return
        show_wdl = bool(self.engine.values["UCI_ShowWDL"])
        board = self.engine.board
        legal = [move for move in searchmoves if board.is_legal(move)]
        problems += [f"{move} is not a legal move here" for move in searchmoves if move not in legal]
        for problem in problems:
            self.complain(problem)
        self.engine.go(limits, searchmoves=legal or None,
                       on_info=lambda info: self.say(format_info(info, board, show_wdl)), on_done=self.done,
                       on_error=lambda problem: self.failed(problem, board))

    def done(self, result: Result) -> None:
        """The search is over: the move, and what we expect in reply."""
        line = f"bestmove {result.best_move or '(none)'}"
        self.say(f"{line} ponder {result.ponder}" if result.ponder else line)

    def failed(self, problem: BaseException, board: Position) -> None:
        """A search broke down: say why, and still answer with a move."""
        self.complain(f"the search failed: {problem!r}")
        self.say(f"bestmove {next(iter(board.legal_moves()), '(none)')}")

    # Commands for people

    def perft(self, depth: int) -> None:
        from barreleye.counting import iter_divide

        if depth < 1:
            raise ValueError(f"perft depth is {depth}, expected at least 1")
        total = 0
        for move, leaves in iter_divide(self.engine.board.fen(), depth, chess960=self.engine.board.chess960):
            self.say(f"{move}: {leaves}")
            total += leaves
        self.say(f"\nNodes searched: {total}\n")

    def show(self, _: list[str]) -> None:
        self.say(board_text(self.engine.board))

    def eval(self, _: list[str]) -> None:
        from barreleye.evaluation import evaluation_text

        self.say(evaluation_text(self.engine.board, self.engine.network))

    def flip(self, _: list[str]) -> None:
        self.engine.position(flipped(self.engine.board.fen()))

    def stats(self, _: list[str]) -> None:
        self.say(stats_text(self.engine.stats()))

    def bench(self, words: list[str]) -> None:
        from barreleye.bench import DEPTH, HASH, POSITIONS, THREADS, bench

        try:
            depth, threads, hash_mb = (int(word) for word in [*words, *map(str, (DEPTH, THREADS, HASH)[len(words):])])
        except ValueError:
            raise ValueError("expected: bench [depth] [threads] [hash], each a number") from None

        def progress(number: int, fen: str, nodes: int) -> None:
            print(f"position {number:2}/{len(POSITIONS)}  {nodes:9} nodes  {fen}", file=sys.stderr)

        self.engine.finish()
        fresh = Engine()              # with the switches and the network of this one, without its tables
        for option in options.OPTIONS:
            if option.name == "EvalFile" or option.name.startswith("Use "):
                fresh.set_option(option.name, self.engine.values[option.name])
        result = bench(depth, threads, hash_mb, engine=fresh, on_position=progress)
        print(f"\nTotal time (ms) : {result.time_ms}\nNodes searched  : {result.nodes}\n"
              f"Nodes/second    : {result.nps}", file=sys.stderr, flush=True)
        self.say(f"{result.nodes} nodes {result.nps} nps")

    def compiler(self, _: list[str]) -> None:
        import platform

        import barreleye.core.position as core

        self.say(f"Python {platform.python_version()} ({platform.python_compiler()}) on {platform.platform()}\n"
                 f"core compiled by Cython: {core.__file__}")


def parse_go(words: list[str]) -> tuple[Limits, list[str], list[str]]:
    """What `go` asks for: limits by their UCI names, the moves it restricts the search to, and what it got wrong.

    A GUI that says `go` waits for a move, so what cannot be understood is left out and the rest counts.
    """
    limits: Limits = {}
    searchmoves: list[str] = []
    problems: list[str] = []
    in_moves = False
    rest = list(words)
    while rest:
        word = rest.pop(0)
        if word == "searchmoves":
            in_moves = True
        elif word in ("ponder", "infinite"):
            limits[word] = True
        elif word in NUMBER_WORDS:
            try:
                limits[word] = max(LEAST.get(word, 0), min(int(rest[0]), (1 << 62) if word == "nodes" else (1 << 30)))
                rest.pop(0)
            except (IndexError, ValueError):
                problems.append(f"go {word} is {rest.pop(0) if rest and rest[0] not in GO_WORDS else None!r}, "
                                f"expected a number")
        elif in_moves:
            searchmoves.append(word)
        else:
            problems.append(f"go does not know {word!r}; it knows {', '.join(GO_WORDS)}")
    if not limits.keys() - {"ponder", "winc", "binc", "movestogo"}:
        limits["infinite"] = True
    return limits, searchmoves, problems


def format_info(info: SearchInfo, board: Position, show_wdl: bool = False) -> str:
    """An info line, its words in the order GUIs expect."""
    chess960 = board.chess960
    if info.currmove:
        return (f"info depth {info.depth} currmove {move_name(info.currmove, chess960)} "
                f"currmovenumber {info.currmovenumber}")
    mate = wdl.mate_moves(info.score)
    score = f"cp {wdl.centipawns(info.score)}" if mate is None else f"mate {mate}"
    if info.depth == 0:
        return f"info depth 0 score {score}"
    bound = (" upperbound", "", " lowerbound")[info.bound + 1]
    chances = " wdl {} {} {}".format(*wdl.chances(info.score)) if show_wdl else ""
    nps = info.nodes * 1_000_000 // max(1, info.time_us)
    line = " ".join(move_name(move, chess960) for move in info.pv)
    return (f"info depth {info.depth} seldepth {info.sel_depth} multipv {info.multipv} score {score}{bound}{chances} "
            f"nodes {info.nodes} nps {nps} hashfull {info.hashfull} tbhits {info.tbhits} "
            f"time {info.time_us // 1000} pv {line}")


def board_text(board: Position) -> str:
    """The board as a picture, with its FEN, key and checkers."""
    ranks = board.fen().split()[0]
    for digit in "12345678":
        ranks = ranks.replace(digit, " " * int(digit))
    edge = " +---+---+---+---+---+---+---+---+"
    lines = [edge]
    for number, rank in zip(range(8, 0, -1), ranks.split("/"), strict=True):
        lines += [" | " + " | ".join(rank) + f" | {number}", edge]
    return "\n".join([*lines, "   a   b   c   d   e   f   g   h", "", f"Fen: {board.fen()}", f"Key: {board.key:016X}",
                      f"Check: {'yes' if board.is_check() else 'no'}"])


def flipped(fen: str) -> str:
    """The same position with colours and sides exchanged."""
    board, side, castling, en_passant, *clocks = fen.split()
    ranks = "/".join(rank.swapcase() for rank in reversed(board.split("/")))
    if en_passant != "-":
        en_passant = en_passant[0] + ("6" if en_passant[1] == "3" else "3")
    rights = "".join(sorted(castling.swapcase(), key=lambda right: (right.islower(), right)))
    return " ".join([ranks, "b" if side == "w" else "w", rights, en_passant, *clocks])


def stats_text(stats: dict[str, Any]) -> str:
    """What the last search did: shares first, then every technique with its counters."""
    def share(part: int, whole: int) -> str:
        return f"{100 * part / whole:.1f} %" if whole else "-"

    nodes, depth = stats["nodes"], stats["depth"]
    lines = [
        f"nodes {nodes}  depth {depth}  branching factor {nodes ** (1 / depth) if depth and nodes else 0:.2f}",
        f"quiescence {share(stats['quiescence_nodes'], stats['quiescence_nodes'] + stats['main_nodes'])} of visits"
        f"  table hits {share(stats['tt_hits'], stats['tt_probes'])}"
        f"  first-move cutoffs {share(stats['first_move_cutoffs'], stats['beta_cutoffs'])}"
        f"  evaluations {stats['evaluations']}",
        "", f"{'technique':<24}{'tried':>12}{'succeeded':>12}{'re-searched':>12}",
    ]
    for name, row in stats["techniques"].items():
        off = "" if row["enabled"] else "  (off)"
        lines.append(f"{name:<24}{row['tried']:>12}{row['succeeded']:>12}{row['researched']:>12}{off}")
    return "\n".join(lines)


def main() -> int:
    """`barreleye` with no arguments."""
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(encoding="utf-8", errors="replace")      # no byte a GUI sends may end the program
    Uci().loop(iter(sys.stdin.readline, ""))
    return 0


def run_once(words: list[str], strict: bool = False) -> int:
    """A UCI command given as arguments: run it, wait for its answer, leave. If strict, bad input raises ValueError."""
    talk = Uci()
    if strict:
        talk.commands[words[0]](words[1:])
    else:
        talk.handle(" ".join(words))
    if talk.engine.is_searching:
        talk.engine.wait()
    return 0
