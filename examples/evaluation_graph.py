"""Draw how a game went: the winning chances after every move. In Jupyter, `plot(game)` shows the figure.

python examples/evaluation_graph.py game.pgn graph.png        (needs matplotlib; without it, bars of text)
"""

from __future__ import annotations

import sys
from typing import Any

import chess.engine
import chess.pgn

import barreleye
from barreleye import wdl


def white_share(record: Any) -> float:
    """The points White can expect, from 0 to 1."""
    if record.mate is not None:
        return float(record.mate > 0 or (record.mate == 0 and not record.white_to_move))
    win, draw, _ = wdl.chances(record.cp, wdl.material(record.fen))
    return (win + draw / 2) / 1000


def shares(game: chess.pgn.Game, nodes: int = 20_000) -> list[float]:
    """White's chances in every position of a game."""
    return [white_share(record) for record in barreleye.analyse_many([game], chess.engine.Limit(nodes=nodes))]


def plot(game: chess.pgn.Game, nodes: int = 20_000) -> Any:
    """A matplotlib figure."""
    from matplotlib.figure import Figure

    values = shares(game, nodes)
    figure = Figure(figsize=(8, 2.5))
    axes = figure.subplots()
    axes.fill_between(range(len(values)), values, 0.5, alpha=0.4)
    axes.plot(values)
    axes.set(xlabel="ply", ylabel="White's chances", ylim=(0, 1),
             title=f"{game.headers.get('White')} - {game.headers.get('Black')}, {game.headers.get('Result')}")
    return figure


def main(arguments: list[str]) -> None:
    if not 1 <= len(arguments) <= 2 or arguments[0] in ("-h", "--help"):
        print(__doc__, end="")
        sys.exit(0 if arguments[:1] and arguments[0] in ("-h", "--help") else 2)
    with open(arguments[0], encoding="utf-8", errors="replace") as file:
        game = chess.pgn.read_game(file)
    if game is None:
        sys.exit(f"there is no game in {arguments[0]}")
    if len(arguments) > 1:
        plot(game).savefig(arguments[1])
    else:
        for ply, value in enumerate(shares(game)):
            print(f"{ply:3} {value:.2f} {'#' * round(40 * value)}")


if __name__ == "__main__":
    main(sys.argv[1:])
