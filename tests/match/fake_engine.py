"""A UCI engine that plays the first legal move and misbehaves on request: fake_engine.py MODE [MOVE NUMBER]."""

import os
import signal
import sys
import time

import chess

OPTIONS = """\
option name Hash type spin default 16 min 1 max 64
option name Ponder type check default true
option name Style type combo default Calm var Calm var Very Wild
option name Clear Hash type button
option name UCI_Chess960 type check default false"""


def say(text):
    print(text, flush=True)


def read_position(words, chess960):
    at = words.index("moves") if "moves" in words else len(words)
    fen = chess.STARTING_FEN if words[1] == "startpos" else " ".join(words[2:at])
    board = chess.Board(fen, chess960=chess960)
    for move in words[at + 1 :]:
        board.push(board.parse_uci(move))
    return board


def misbehave(mode):
    """Return when the move is to be played after all."""
    if mode == "killed":
        os.kill(os.getpid(), signal.SIGKILL)
    if mode == "exit":
        print("assertion failed: king is missing", file=sys.stderr, flush=True)
        sys.exit(3)
    if mode == "illegal":
        say("bestmove e2e5")
    if mode == "none":
        say("bestmove (none)")
    if mode == "silent":
        time.sleep(3600)
    if mode == "flood":
        while True:
            say("\n".join(f"info depth {n} score cp {n} nodes {n} pv e2e4 e7e5 g1f3" for n in range(100)))
            time.sleep(0.01)
    if mode == "endless":
        while True:
            sys.stdout.write("x" * 100_000)
    if mode == "digits":
        say(f"info depth {'9' * 4000} score cp {'9' * 4000} pv e2e4\ninfo depth 3 score mate -{'7' * 4000}")
    if mode == "escape":
        say("info string \x1b]0;gotcha\x07 \u202e\nbestmove \x1b[2J" + "x" * 5000)
    if mode == "slow":
        time.sleep(0.05)
    return mode in ("good", "slow", "late", "digits")


def main():
    mode = sys.argv[1]
    number = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    if "FAKE_PIDS" in os.environ:
        with open(os.environ["FAKE_PIDS"], "a") as file:
            file.write(f"{os.getpid()}\n")
    board, played, chess960 = chess.Board(), 0, False
    for line in sys.stdin:
        words = line.split()
        if words[0] == "uci" and mode != "mute":
            say(f"id name Fake {mode}\nid author nobody\n{OPTIONS}\nuciok")
        elif words[0] == "isready":
            say("readyok")
        elif line.startswith("setoption name UCI_Chess960 value true"):
            chess960 = True
        elif words[0] == "ucinewgame":
            played = 0
        elif words[0] == "position":
            board = read_position(words, chess960)
        elif words[0] == "go":
            played += 1
            if played >= number and not misbehave(mode):
                continue
            move = min(board.legal_moves, key=lambda one: one.uci())
            say(f"info depth 1 seldepth 2 score cp 20 nodes 1 pv {move.uci()}")
            if played >= number and mode == "late":
                time.sleep(0.4)
            say(f"bestmove {board.uci(move)}")
        elif words[0] == "quit":
            return


main()
