"""Random UCI scripts: sensible, fuzzed, truncated, out of order; storms of stop and ponderhit; quit at any moment.

    python scripts.py COUNT SEED    runs them in this process and prints each problem with its script
"""

import random
import sys
import threading
import time
from collections.abc import Iterator

import chess
from tests.uci.rules import BEST
from tests.uci.talker import PATIENCE_S, Conversation, Talker

from barreleye.uci.go import parse_go

POSITIONS = (
    chess.STARTING_FEN, "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "7k/8/8/8/8/8/8/K6R w - - 98 120",
    "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3", "8/P6k/8/8/8/8/7p/K7 w - - 0 1",
    "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
)
OPTIONS = ("Hash", "Threads", "MultiPV", "Ponder", "Move Overhead", "nodestime", "UCI_Chess960", "UCI_ShowWDL",
           "Clear Hash", "Use Null Move", "Use TT Cutoff", "Use Late Move Reduction", "No Such Option", "")
WORDS = ("go", "position", "startpos", "fen", "moves", "e2e4", "e7e8q", "depth", "nodes", "1", "-1", "0", "9" * 21,
         "value", "name", "Hash", "setoption", "wtime", "0x10", "1e9", "\x00", "é", "\u2028", "infinite", "ponder",
         "searchmoves", "mate", "stop", "ponderhit", "--help", "'", '"', "w", "-", "KQkq", "8/8/8/8/8/8/8/8", "isready",
         "uci", "d", "eval")
COMPLAINT, NULL_MOVE = "info string error", "bestmove 0000"       # the second answers go after a refused position
ASIDES = ("ucinewgame", "isready", "uci", "d", "eval", "flip", "stats", "go perft 1", "debug on", "help")


def position(rng: random.Random) -> str:
    fen = rng.choice(POSITIONS)
    board = chess.Board(fen, chess960="HFhf" in fen)
    moves = []
    for _ in range(rng.choice((0, 0, 2, 9))):
        if not any(board.legal_moves):
            break
        move = rng.choice(list(board.legal_moves))
        moves.append(board.uci(move))
        board.push(move)
    start = "startpos" if fen == chess.STARTING_FEN else f"fen {fen}"
    return f"position {start}" + (f" moves {' '.join(moves)}" if moves else "")


def limits(rng: random.Random) -> str:
    """What ends soon by itself. Larger searches are left to `endless`, which a stop follows."""
    return rng.choice((
        f"nodes {rng.randint(0, 300)}", f"depth {rng.randint(0, 4)}", f"movetime {rng.randint(-1, 3)}",
        f"wtime {rng.randint(-5, 20)} btime {rng.randint(-5, 20)}", f"wtime 0 btime 0 winc {rng.randint(0, 9)} binc 1",
        f"wtime 20 btime 20 movestogo {rng.randint(0, 3)}", "mate 1 nodes 200",
        "nodes 50 searchmoves e2e4 e7e5 a1a1 rubbish", f"depth 3 nodes {rng.randint(1, 99)} wtime x",
        "btime 5 wtime 5 binc -3",
    ))


def endless(rng: random.Random) -> str:
    return rng.choice(("infinite", "ponder", "", "ponder wtime 5 btime 5", "ponder nodes 20", "infinite depth 2",
                       "wtime", "winc 5", "mate 1 ponder", "ponder depth 1"))


def setoption(rng: random.Random) -> str:
    name = rng.choice(OPTIONS)
    value = {"Hash": rng.choice(("1", "2", "4", "0", "33554432", "x")),
             "Threads": rng.choice(("1", "2", "3", "4", "0", "")),
             "MultiPV": rng.choice(("1", "2", "5", "256", "-1")), "nodestime": rng.choice(("0", "0", "1", "100"))
             }.get(name, rng.choice(("true", "false", "1", "", "value value")))
    return rng.choice((f"setoption name {name} value {value}", f"setoption name {name.upper()} value {value}",
                       f"setoption name {name}", f"setoption {name} {value}"))


def damaged(rng: random.Random, line: str) -> str:
    """A line cut, doubled, with letters or words exchanged."""
    kind = rng.randrange(5)
    if kind == 0:
        return line[:rng.randint(0, len(line))]
    if kind == 1 and line:
        spot = rng.randrange(len(line))
        return line[:spot] + chr(rng.choice((0, 9, 32, 65, 127, 233, 0x2028))) + line[spot + 1:]
    words = line.split()
    if kind == 2:
        rng.shuffle(words)
    elif kind == 3:
        words.insert(rng.randint(0, len(words)), rng.choice(WORDS))
    else:
        words += rng.choices(WORDS, k=rng.randint(1, 6))
    return " ".join(words)


def script(rng: random.Random) -> list[str]:
    """One conversation of up to a dozen and some lines."""
    lines: list[str] = []
    for _ in range(rng.randint(1, 8)):
        kind = rng.random()
        if kind < 0.22:
            lines.append(position(rng))
        elif kind < 0.40:
            lines.append(f"go {limits(rng)}")
        elif kind < 0.55:
            lines += [f"go {endless(rng)}", *rng.choices(("stop", "ponderhit", "isready"), k=rng.randint(1, 4)), "stop"]
        elif kind < 0.70:
            lines.append(setoption(rng))
        elif kind < 0.80:
            lines += rng.choices(("stop", "ponderhit"), k=rng.randint(1, 6))
        elif kind < 0.88:
            lines.append(rng.choice(ASIDES))
        elif kind < 0.95:
            lines.append(" ".join(rng.choices(WORDS, k=rng.randint(1, 8))))
        else:
            lines.append(f"go {endless(rng)}")
    if rng.random() < 0.5:
        lines = [damaged(rng, line) if rng.random() < 0.3 else line for line in lines]
    if rng.random() < 0.2:
        rng.shuffle(lines)
    if rng.random() < 0.3:
        lines.insert(rng.randint(0, len(lines)), "quit")
    # A line break inside a line would make two of it.
    return [" ".join(line.splitlines()) for line in lines]


def is_known(word: str, talk: Conversation) -> bool:
    return word in talk.uci.commands or word == "quit"


def run(lines: list[str]) -> Iterator[str]:
    """Hold one conversation in this process; yields what was wrong: a go without its legal move, an exception."""
    talk = Conversation()
    alive = True
    is_refused = False
    boards: list[chess.Board | None] = []
    for line in lines:
        words = line.split()
        while words and not is_known(words[0], talk):
            words.pop(0)
        if line.lstrip().startswith("#"):
            words = []
        is_perft = words[:1] == ["go"] and parse_go(words[1:]).perft is not None
        if words[:1] == ["go"] and not is_perft:
            # The search sees the position as it is now, none when the last one was refused.
            board = talk.uci.engine.board
            boards.append(None if is_refused else chess.Board(board.fen(), chess960=board.chess960))
        complaints = sum(said.startswith(COMPLAINT) for said in talk.out.lines)
        try:
            alive = talk.uci.handle(line)
        except Exception as problem:
            yield f"{problem!r} escaped from {line!r}"
        if words[:1] == ["position"]:
            is_refused = sum(said.startswith(COMPLAINT) for said in talk.out.lines) > complaints
        if not alive:
            break
    ending = threading.Thread(target=talk.uci.engine.finish, daemon=True)
    ending.start()
    ending.join(PATIENCE_S)
    if ending.is_alive():
        yield "the last search does not end"
        return
    if (error := talk.uci.engine.last_error) is not None:
        yield f"the search failed: {error!r}"
    yield from answers(talk.out.lines, boards)


def answers(said: list[str], boards: list[chess.Board | None]) -> Iterator[str]:
    """Whether each go has its one right answer."""
    best = [line for line in said if line.startswith("bestmove")]
    if len(best) != len(boards):
        yield f"{len(best)} moves for {len(boards)} times go"
    for line, board in zip(best, boards, strict=False):
        if board is None:
            if line != NULL_MOVE:
                yield f"{line} after a refused position"
            continue
        found = BEST.fullmatch(line)
        if not found:
            yield f"malformed: {line}"
        elif found[1] == "(none)":
            if any(board.legal_moves):
                yield f"no move in {board.fen()}"
        else:
            if found[1] not in {board.uci(move) for move in board.legal_moves}:
                yield f"{line} in {board.fen()}"


def run_process(talk: Talker, lines: list[str]) -> Iterator[str]:
    """Hold one conversation with a real process and leave it; it must end well, with a move for each plain go."""
    talk.send(*lines)
    said = talk.quit()
    if talk.errors:
        yield f"on stderr: {''.join(talk.errors)}"
    heard = lines[:lines.index("quit")] if "quit" in lines else lines
    expected = sum(line.split()[:1] == ["go"] and "perft" not in line for line in heard)
    best = [line for line in said if line.startswith("bestmove")]
    if len(best) < expected:
        yield f"{len(best)} moves for {expected} times go"
    for line in best:
        if line != NULL_MOVE and not BEST.fullmatch(line):
            yield f"malformed: {line}"


def main(count: int, seed: int) -> int:
    problems = 0
    started = time.monotonic()
    for number in range(count):
        rng = random.Random(f"{seed}:{number}")
        lines = script(rng)
        for problem in run(lines):
            problems += 1
            print(f"{seed}:{number}: {problem}", *lines, sep="\n    ", flush=True)
        if number % 1000 == 999:
            print(f"{number + 1} scripts, {problems} problems, {time.monotonic() - started:.0f} s", flush=True)
    return problems


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:3])) > 0)
