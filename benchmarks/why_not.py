"""How often "why not this move?" agrees with an independent search: python-chess and Debian's stockfish.

Positions come from quick games that begin in the books of ../shared/data. In each a legal move is drawn that Stockfish
calls clearly refuted: it costs a pawn and a half or more, and one reply to it is better than every other by a pawn or
more, or alone mates. The answer agrees when it calls the move worse and refutes it with the same reply, or with one
that Stockfish likes as much to within half a pawn.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import chess
import chess.engine
from judge import AS_GOOD, CEILING, CLEAR_COST, CLEAR_GAP, points

import barreleye
from barreleye.core.position import Position
from barreleye.explain.inquiry import Inquiry
from barreleye.explain.why_not import Reason, WhyNot, why_not
from barreleye.opening_books import open_book

BOOKS = Path(__file__).resolve().parent.parent.parent / "shared" / "data" / "books"
GAME_NODES, LONGEST_GAME = 300, 60
DRAWN = 6                       # moves of a position that Stockfish is asked about


def positions(books: Path, rng: random.Random) -> Iterator[chess.Board]:
    """One position from each of many quick games."""
    book = open_book(str(books / "8moves_v3.pgn.zip"), "random", rng.randrange(1 << 30))
    engine = barreleye.Engine(Hash=1)
    for number in range(len(book)):
        opening = book.opening(number)
        board = Position(opening.fen)
        for move in opening.moves:
            board.push(move)
        engine.new_game()
        for _ in range(rng.randrange(LONGEST_GAME)):
            engine.position(board.fen())
            found = engine.search(nodes=GAME_NODES).best_move
            if found is None:
                break
            board.push(found)
        if len(board.legal_moves()) > 1:
            yield chess.Board(board.fen())


def refuted(stockfish: chess.engine.SimpleEngine, board: chess.Board, limit: chess.engine.Limit,
            rng: random.Random) -> tuple[chess.Move, chess.Move, int] | None:
    """A move that Stockfish calls clearly refuted, the reply that does it, and what that is worth to who replies."""
    best = points(stockfish.analyse(board, limit, game=object())["score"], board.turn)
    moves = list(board.legal_moves)
    for move in rng.sample(moves, min(DRAWN, len(moves))):
        after = board.copy(stack=False)
        after.push(move)
        if after.is_game_over() or after.legal_moves.count() < 2:
            continue
        lines = stockfish.analyse(after, limit, multipv=2, game=object())
        first, second = (points(line["score"], after.turn) for line in lines)
        if best + first >= CLEAR_COST and first - second >= CLEAR_GAP and first > -CEILING:
            return move, lines[0]["pv"][0], first
    return None


def agrees(answer: WhyNot, board: chess.Board, move: chess.Move, reply: chess.Move, worth: int,
           stockfish: chess.engine.SimpleEngine, limit: chess.engine.Limit) -> bool:
    """Whether the answer calls the move worse and refutes it as well as Stockfish does."""
    if answer.reason is not Reason.WORSE or not answer.refutation:
        return False
    if answer.refutation[0] == reply.uci():
        return True
    after = board.copy(stack=False)
    after.push(move)
    ours = stockfish.analyse(after, limit, root_moves=[after.parse_uci(answer.refutation[0])], game=object())
    return points(ours["score"], after.turn) >= worth - AS_GOOD


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=200, help="moves with a clear refutation (default %(default)s)")
    parser.add_argument("--nodes", type=int, default=50_000, help="Barreleye's, for each search (default %(default)s)")
    parser.add_argument("--stockfish-nodes", type=int, default=100_000, help="Stockfish's (default %(default)s)")
    parser.add_argument("--stockfish", default="/usr/games/stockfish", help="the program (default %(default)s)")
    parser.add_argument("--books", type=Path, default=BOOKS, help="the folder of the books")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    limit, rng = chess.engine.Limit(nodes=args.stockfish_nodes), random.Random(args.seed)
    engine = barreleye.Engine(Hash=16)
    asked = agreed = 0
    used = 0.0
    with chess.engine.SimpleEngine.popen_uci(args.stockfish) as stockfish:
        for board in positions(args.books, rng):
            if asked == args.count:
                break
            clear = refuted(stockfish, board, limit, rng)
            if clear is None:
                continue
            move, reply, worth = clear
            engine.position(board.fen())
            inquiry = Inquiry(engine, nodes=args.nodes)
            start = time.process_time()
            answer = why_not(inquiry, inquiry.search(), move.uci(), culprit=False)
            used += time.process_time() - start
            asked += 1
            if agrees(answer, board, move, reply, worth, stockfish, limit):
                agreed += 1
            else:
                print(f"{board.fen()}\n    {board.san(move)}, Stockfish replies {reply.uci()}; Barreleye: {answer}",
                      flush=True)
    print(f"{agreed} of {asked} clear refutations agree: {100 * agreed / max(1, asked):.1f} %; "
          f"{used / max(1, asked):.2f} s of processor time each")
    return 0 if asked == args.count else 1


if __name__ == "__main__":
    sys.exit(main())
