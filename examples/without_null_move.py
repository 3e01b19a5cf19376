"""An experiment with the search: what does each technique save on some positions, at the same depth?

python examples/without_null_move.py "Null Move" "Late Move Reduction" --depth 10
"""

from __future__ import annotations

import argparse

import chess.engine

import barreleye
from barreleye.engine.bench import POSITIONS


def nodes(engine: barreleye.Engine, depth: int, options: dict[str, object], positions: list[str]) -> int:
    """Nodes to a depth, summed; every position is a new game, so that nothing is remembered."""
    return sum(engine.analyse(fen, chess.engine.Limit(depth=depth), game=object(), options=options)["nodes"]
               for fen in positions)


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("technique", nargs="+", help="as `uci` lists them: Use NAME")
    parser.add_argument("--depth", type=int, default=9)
    parser.add_argument("--positions", type=int, default=8)
    args = parser.parse_args(arguments)
    positions = list(POSITIONS[:args.positions])
    with barreleye.Engine(Hash=16) as engine:
        usual = nodes(engine, args.depth, {}, positions)
        print(f"{'everything on':<24}{usual:>12} nodes")
        for name in args.technique:
            without = nodes(engine, args.depth, {f"Use {name}": False}, positions)
            print(f"{'without ' + name:<24}{without:>12} nodes  {without / usual - 1:+.0%}")
            tried = engine.stats()["techniques"][name]["tried"]
            assert tried == 0, "a technique that is off is not tried"


if __name__ == "__main__":
    main()
