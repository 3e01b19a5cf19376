"""How often "what is the threat?" agrees with an independent search: python-chess's null move and Debian's stockfish.

Positions come from the suites in ../shared/data: tactical positions in which the side that has the solution has just
moved, so that the solution is its threat. Stockfish searches the position and the one after a null move; a threat is
clear when passing costs a pawn and a half or more and the best move after it is better than the second by a pawn or
more, or the only one that mates. The answer agrees when it says that there is a threat and names the same move, or one
that Stockfish likes as much to within half a pawn.
"""

import argparse
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import chess
import chess.engine
from judge import AS_GOOD, CLEAR_COST, CLEAR_GAP, points

import barreleye
from barreleye.explain.inquiry import Inquiry
from barreleye.explain.threat import threat

DATA = Path(__file__).resolve().parent.parent.parent / "shared" / "data" / "suites"
SUITES = ("wacnew.epd", "bratko-kopec.epd", "mate_in_2.epd", "mate_in_3.epd")


def positions(folder: Path) -> Iterator[chess.Board]:
    """The positions of the suites with the other side to move, where that is legal and nobody is in check."""
    for suite in SUITES:
        for text in (folder / suite).read_text(encoding="utf-8").splitlines():
            if text.strip():
                board, _ = chess.Board.from_epd(text)
                if not board.is_check():
                    board.push(chess.Move.null())
                    if board.is_valid() and not board.is_check() and any(board.legal_moves):
                        yield chess.Board(board.fen())


def after_pass(board: chess.Board) -> chess.Board:
    """The position after a null move, without the move itself, which UCI cannot tell."""
    passed = board.copy(stack=False)
    passed.push(chess.Move.null())
    passed.clear_stack()
    return passed


def clear_threat(stockfish: chess.engine.SimpleEngine, board: chess.Board, limit: chess.engine.Limit,
                 ) -> tuple[chess.Move, int] | None:
    """What Stockfish would play after a null move and its worth, if that is a clear threat."""
    passed = after_pass(board)
    before = points(stockfish.analyse(board, limit, game=object())["score"], board.turn)
    lines = stockfish.analyse(passed, limit, multipv=2, game=object())
    scores = [points(line["score"], passed.turn) for line in lines]
    is_clear = before + scores[0] >= CLEAR_COST and (len(scores) < 2 or scores[0] - scores[1] >= CLEAR_GAP)
    return (lines[0]["pv"][0], scores[0]) if is_clear else None


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=200, help="positions with a clear threat (default %(default)s)")
    parser.add_argument("--nodes", type=int, default=200_000, help="Barreleye's, as in explain (default %(default)s)")
    parser.add_argument("--stockfish-nodes", type=int, default=200_000, help="Stockfish's (default %(default)s)")
    parser.add_argument("--stockfish", default="/usr/games/stockfish", help="the program (default %(default)s)")
    parser.add_argument("--data", type=Path, default=DATA, help="the folder of the suites")
    args = parser.parse_args()
    limit = chess.engine.Limit(nodes=args.stockfish_nodes)
    engine = barreleye.Engine(Hash=16)
    asked = agreed = 0
    used = 0.0
    with chess.engine.SimpleEngine.popen_uci(args.stockfish) as stockfish:
        for board in positions(args.data):
            if asked == args.count:
                break
            clear = clear_threat(stockfish, board, limit)
            if clear is None:
                continue
            best, worth = clear
            engine.position(board.fen())
            start = time.process_time()
            found = threat(Inquiry(engine, nodes=args.nodes))
            used += time.process_time() - start
            agrees = found.is_threat and found.move == best.uci()
            if found.is_threat and found.move is not None and not agrees:
                passed = after_pass(board)
                other = stockfish.analyse(passed, limit, root_moves=[chess.Move.from_uci(found.move)], game=object())
                agrees = points(other["score"], passed.turn) >= worth - AS_GOOD
            asked += 1
            agreed += agrees
            if asked % 25 == 0:
                print(f"{agreed} of {asked} so far", file=sys.stderr, flush=True)
            if not agrees:
                print(f"{board.fen()}\n    Stockfish: {best.uci()}; Barreleye: {found}", flush=True)
    print(f"{agreed} of {asked} clear threats agree: {100 * agreed / max(1, asked):.1f} %; "
          f"{used / max(1, asked):.2f} s of processor time each")
    return 0 if asked == args.count else 1


if __name__ == "__main__":
    sys.exit(main())
