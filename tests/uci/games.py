"""Plays fast games of the engine against itself, and has every line of every search judged.

    python games.py GAMES NODES SEED    prints each violation with what reproduces it
"""

import random
import sys
from collections.abc import Iterator

import chess
from tests.uci.rules import end_of_game, search_violations
from tests.uci.talker import Conversation

# Beginnings that soon lead to where rules end games: endgames, mates, fifty moves near, few pieces.
ENDINGS = (
    "8/8/8/5k2/8/8/1R6/K7 w - - 0 1", "8/8/3k4/8/8/3K4/3P4/8 w - - 90 80", "4k3/8/8/8/8/8/4Q3/4K3 b - - 0 1",
    "8/8/1p1r1k2/p1pPN1p1/P3KnP1/1P6/8/3R4 b - - 0 1", "r6k/8/8/8/8/8/8/R6K w - - 88 120",
    "8/5pk1/6p1/R6p/5P1P/6P1/r5K1/8 w - - 4 45", "8/8/8/8/5kp1/P7/8/1K1N4 w - - 0 80",
    "4k3/8/8/8/8/8/3BB3/4K3 w - - 0 1", "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", "7k/8/8/8/8/8/PPP5/K7 w - - 0 1",
)
MAX_PLIES = 400


def random_start(rng: random.Random) -> chess.Board:
    """An endgame of the list, or a few random moves from the beginning."""
    if rng.random() < 0.4:
        return chess.Board(rng.choice(ENDINGS))
    board = chess.Board()
    for _ in range(rng.randint(2, 10)):
        if end_of_game(board):
            break
        board.push(rng.choice(list(board.legal_moves)))
    return chess.Board() if end_of_game(board) else chess.Board(board.fen())


def play(talk: Conversation, board: chess.Board, limit: str, one_thread: bool = True) -> Iterator[str]:
    """One game; yields each violation with the commands that lead there."""
    start = board.fen()
    talk.send("ucinewgame")
    while not end_of_game(board) and len(board.move_stack) < MAX_PLIES:
        moves = " ".join(move.uci() for move in board.move_stack)
        command = f"position fen {start} moves {moves}" if moves else f"position fen {start}"
        talk.send(command)
        lines = talk.go(limit)
        for problem in search_violations(board, lines, one_thread=one_thread):
            yield f"{problem}\n    {command}\n    {limit}"
        board.push_uci(lines[-1].split()[1])


def play_games(count: int, nodes: int, seed: int, settings: tuple[str, ...] = (),
               one_thread: bool = True) -> Iterator[str]:
    """So many games, each with other randomness; yields the violations."""
    rng = random.Random(seed)
    talk = Conversation()
    talk.send(*settings)
    for _ in range(count):
        yield from play(talk, random_start(rng), f"go nodes {rng.randint(nodes // 2, nodes)}", one_thread=one_thread)


if __name__ == "__main__":
    games_asked, nodes_asked, seed_asked = map(int, sys.argv[1:4])
    for violation in play_games(games_asked, nodes_asked, seed_asked, tuple(sys.argv[4:])):
        print(violation, flush=True)
