"""What a profile-guided build is trained on: the same searches every time, through most of what the engine can do.

setup.py runs it on an instrumented build. It needs nothing but Barreleye.
"""

from barreleye import perft
from barreleye.engine import Engine
from barreleye.engine.bench import POSITIONS, bench

ENDGAMES = (
    "8/5k2/3p4/1p1Pp2p/pP2Pp1P/P4P1K/8/8 b - - 99 50",
    "8/8/1p1k4/1P1p4/1K1P1p2/5P2/8/8 w - - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "8/8/8/3k4/8/2BNK3/8/8 w - - 0 1",
)
GAME_PLIES = 80


def multipv(depth: int) -> None:
    """Several lines at once."""
    engine = Engine(Hash=16)
    for fen in POSITIONS[::6]:
        engine.set_option("MultiPV", 3)
        engine.position(fen)
        engine.search(depth=depth)


def endgames(depth: int) -> None:
    """Few men and long lines."""
    engine = Engine(Hash=16)
    for fen in ENDGAMES:
        engine.new_game()
        engine.position(fen)
        engine.search(depth=depth)


def game(fen: str, nodes: int) -> None:
    """A game against itself: the table and the histories stay warm, searches are short."""
    engine = Engine(Hash=4)
    moves: list[str] = []
    for _ in range(GAME_PLIES):
        engine.position(fen, moves)
        move = engine.search(nodes=nodes).best_move
        if move is None:
            return
        moves.append(move)


def main() -> None:
    bench(12)
    multipv(9)
    endgames(14)
    for fen in POSITIONS[1:5]:
        game(fen, 2000)
    by_hand = Engine()
    by_hand.set_option("Use NNUE", False)
    bench(7, engine=by_hand)
    for fen in POSITIONS[::9]:
        perft(4, fen)


if __name__ == "__main__":
    main()
