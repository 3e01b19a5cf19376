"""How often a move stays best with ten times the nodes: games are played, positions searched, a model fitted to both.

python benchmarks/confidence.py collect DATA.jsonl.gz --positions 2000 --books ../shared/data/books
python benchmarks/confidence.py fit DATA.jsonl.gz --png docs/confidence.png

Collecting goes on where it was stopped. Fitting prints the numbers for explain/stability.py.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import barreleye
from barreleye.core.position import Position
from barreleye.opening_books import open_book

LEVELS = (2_000, 20_000, 200_000)       # nodes; each is compared with the next
GAME_NODES = 400                        # of a move in the games that positions are taken from
BOOKS = ("UHO_4060_v4.epd.zip", "noob_3moves.epd.zip", "8moves_v3.pgn.zip", "endgames.epd.zip")
PER_GAME = 5                            # positions taken from one game
LONGEST_GAME = 140                      # plies
CHANCE_MOVE = 0.06                      # how often a game takes a random turn, as people's games do


def positions(books: Path, seed: int) -> Iterator[str]:
    """Positions of quick games that begin in books, some from the books themselves, without end."""
    rng = random.Random(seed)
    opened = [open_book(str(books / name), "random", seed) for name in BOOKS]
    engine = barreleye.Engine(Hash=1)
    number = 0
    while True:
        opening = opened[rng.randrange(len(opened))].opening(number)
        number += 1
        board = Position(opening.fen)
        for move in opening.moves:
            board.push(move)
        seen = [board.fen()]
        engine.new_game()
        for _ in range(LONGEST_GAME):
            moves = board.legal_moves()
            if not moves:
                break
            engine.position(board.fen())
            move = rng.choice(moves) if rng.random() < CHANCE_MOVE else engine.search(nodes=GAME_NODES).best_move
            board.push(move)
            if len(board.legal_moves()) > 1:
                seen.append(board.fen())
        yield from rng.sample(seen, min(PER_GAME, len(seen)))


def collect(path: Path, books: Path, count: int, seed: int) -> None:
    """Write what searches of each length thought of so many positions, a line each."""
    done = sum(1 for _ in read(path)) if path.exists() else 0
    engine = barreleye.Engine(Hash=16)
    with gzip.open(path, "at", encoding="utf-8") as file:
        for number, fen in zip(range(count), positions(books, seed), strict=False):
            if number < done:
                continue
            searches = []
            for nodes in LEVELS:
                engine.new_game()
                engine.position(fen)
                result = engine.search(nodes=nodes)
                ledger = engine.pool.ledger() if nodes < LEVELS[-1] else None
                searches.append({"nodes": nodes, "best": result.best_move, "score": result.info.score,
                                 "ledger": ledger})
            file.write(json.dumps({"fen": fen, "searches": searches}) + "\n")
            if number % 20 == 19:
                file.flush()
                print(f"{number + 1} positions", flush=True)


def read(path: Path) -> Iterator[dict[str, Any]]:
    """What was collected."""
    with gzip.open(path, "rt", encoding="utf-8") as file:
        try:
            for line in file:
                yield json.loads(line)
        except EOFError:                # it is still being written
            return


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    collecting = commands.add_parser("collect", help="search positions")
    collecting.add_argument("data", type=Path)
    collecting.add_argument("--positions", type=int, default=2000)
    collecting.add_argument("--books", type=Path, default=Path("../shared/data/books"))
    collecting.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    collect(args.data, args.books, args.positions, args.seed)


if __name__ == "__main__":
    main()
