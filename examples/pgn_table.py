"""Analyse every position of a PGN collection into a table: CSV, or Parquet when pyarrow is installed.

python examples/pgn_table.py games.pgn table.csv --nodes 20000 --resume kept.jsonl
"""

from __future__ import annotations

import argparse
import csv
import sys
from collections.abc import Iterator

import chess.engine
import chess.pgn

import barreleye

COLUMNS = ["game", "ply", "fen", "cp", "mate", "best_move", "depth", "played_san", "best_san", "White", "Black"]


def games(path: str) -> Iterator[chess.pgn.Game]:
    """The games of a file, one at a time: a collection may be larger than memory."""
    with open(path, encoding="utf-8", errors="replace") as file:
        while (game := chess.pgn.read_game(file)) is not None:
            yield game


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pgn")
    parser.add_argument("table", help="where to write: NAME.csv or NAME.parquet")
    parser.add_argument("--nodes", type=int, default=20_000, help="positions to look at for each (default %(default)s)")
    parser.add_argument("--workers", type=int, help="threads (default: one for each processor)")
    parser.add_argument("--resume", help="a file that an interrupted run goes on from")
    args = parser.parse_args(arguments)

    def progress(done: int, total: int | None) -> None:
        print(f"\r{done} positions", end="", file=sys.stderr)

    batch = barreleye.analyse_many(games(args.pgn), chess.engine.Limit(nodes=args.nodes), args.workers,
                                   resume=args.resume, progress=progress)
    if args.table.endswith(".parquet"):
        batch.to_parquet(args.table, headers=["White", "Black"])
    else:
        with open(args.table, "w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, COLUMNS, extrasaction="ignore")
            writer.writeheader()
            writer.writerows(batch.to_rows())
    print(file=sys.stderr)


if __name__ == "__main__":
    main()
