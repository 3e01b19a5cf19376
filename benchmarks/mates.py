"""Mates found in so many nodes, beside Stockfish, and whether the lines they are announced with end in mate.

A mate counts when the last line of an ordinary search announces one for the side to move. A line is false when it has a
move that is not legal, or as many moves as it says and no mate at the end.
"""

import argparse
import re
import shutil
import sys
from pathlib import Path

import chess
import chess.engine
from search import barreleye_command

MATE = re.compile(r"ce \+M(\d+);")


def positions(path: Path, step: int) -> list[tuple[str, int]]:
    """The positions of an EPD file, every so-manieth of them, with the length of their mates from `ce +M3`."""
    found = []
    for line in path.read_text().splitlines()[::step]:
        length = MATE.search(line)
        if length is None:
            sys.exit(f"{path}: a line without the length of its mate (ce +M3;): {line}")
        found.append((" ".join(line.split()[:4]) + " 0 1", int(length[1])))
    return found


def is_false(board: chess.Board, mate: int, moves: list[chess.Move]) -> bool:
    """Whether a line that should mate in so many moves does something else. A line cut short proves nothing."""
    board = board.copy()
    for move in moves:
        if not board.is_legal(move):
            return True
        board.push(move)
    whole = len(moves) >= (2 * mate - 1 if mate > 0 else -2 * mate)
    return whole and not board.is_checkmate()


def search(engine: chess.engine.SimpleEngine, fen: str, nodes: int) -> tuple[int, int]:
    """The length of the mate announced last, 0 for none, and how many lines on the way were false."""
    board, last, false = chess.Board(fen), 0, 0
    with engine.analysis(board, chess.engine.Limit(nodes=nodes), game=object()) as lines:
        for info in lines:
            if "score" not in info or info.get("lowerbound") or info.get("upperbound"):
                continue
            mate = info["score"].relative.mate()
            last = max(0, mate or 0)
            false += mate is not None and is_false(board, mate, info.get("pv", []))
    return last, false


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path, help="an EPD file of mates with their lengths, as mate_in_4.epd")
    parser.add_argument("--nodes", type=int, nargs="+", default=[5000, 30_000, 100_000], help="nodes for each position")
    parser.add_argument("--step", type=int, default=1, help="take every so-manieth position (default: all)")
    parser.add_argument("--hash", type=int, default=64, help="MiB of table (default 64)")
    parser.add_argument("--stockfish", default=shutil.which("stockfish") or "/usr/games/stockfish")
    options = parser.parse_args()
    if not options.file.is_file():
        parser.error(f"there is no file {options.file}")
    if shutil.which(options.stockfish) is None:
        parser.error(f"there is no program {options.stockfish}: name a Stockfish with --stockfish")
    cases = positions(options.file, options.step)
    commands = {"Barreleye": barreleye_command(), "Stockfish": [options.stockfish]}
    print(f"{options.file.name}: {len(cases)} positions\n")
    print("| nodes | engine | found | in the stated length | false lines |")
    print("|---:|---|---:|---:|---:|")
    for nodes in options.nodes:
        for name, command in commands.items():
            with chess.engine.SimpleEngine.popen_uci(command) as engine:
                engine.configure({"Hash": options.hash, "Threads": 1})
                results = [(search(engine, fen, nodes), length) for fen, length in cases]
            found = sum(mate > 0 for (mate, _), _ in results)
            exact = sum(0 < mate <= length for (mate, _), length in results)
            print(f"| {nodes:,} | {name} | {found} | {exact} | {sum(false for (_, false), _ in results)} |", flush=True)


if __name__ == "__main__":
    main()
