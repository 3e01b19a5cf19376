"""How often a move stays best with ten times the nodes: games are played, positions searched, a model fitted to both.

python benchmarks/confidence.py collect DATA.jsonl.gz --positions 3000
python benchmarks/confidence.py collect MORE.jsonl.gz --positions 150 --seed 2 --nodes 200000 2000000
python benchmarks/confidence.py fit DATA.jsonl.gz MORE.jsonl.gz --png docs/confidence.png

Fitting prints the numbers for explain/stability.py, and how good they are on positions that they were not fitted to.
"""

from __future__ import annotations

import argparse
import gzip
import itertools
import json
import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import barreleye
from barreleye.core.position import Position
from barreleye.explain import stability
from barreleye.explain.confidence import Signs, signs_of
from barreleye.ledger import Ledger
from barreleye.opening_books import open_book

LEVELS = [2_000, 20_000, 200_000]       # nodes; each is compared with the next
GAME_NODES = 400                        # of a move in the games that positions are taken from
BOOKS = ("UHO_4060_v4.epd.zip", "noob_3moves.epd.zip", "8moves_v3.pgn.zip", "endgames.epd.zip")
PER_GAME = 5                            # positions taken from one game
LONGEST_GAME = 140                      # plies
CHANCE_MOVE = 0.06                      # how often a game takes a random turn, as people's games do
FOLDS = 10                              # parts that are left out in turn to judge the fit
LEAST_IN_BIN = 10
NOTHING = Signs(0, 0, 0.0, 0, 0.0, 0.0, 0.0, 0, 2, 0, 0)

Floats = np.ndarray[Any, Any]


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
            found = None if rng.random() < CHANCE_MOVE else engine.search(nodes=GAME_NODES).best_move
            board.push(found or rng.choice(moves))
            if len(board.legal_moves()) > 1:
                seen.append(board.fen())
        yield from rng.sample(seen, min(PER_GAME, len(seen)))


def collect(path: Path, books: Path, count: int, seed: int, levels: list[int]) -> None:
    """Write what searches of each length thought of so many positions, a line each."""
    engine = barreleye.Engine(Hash=16)
    with gzip.open(path, "wt", encoding="utf-8") as file:
        for number, fen in zip(range(count), positions(books, seed), strict=False):
            searches = []
            for nodes in levels:
                engine.new_game()
                engine.position(fen)
                result = engine.search(nodes=nodes)
                ledger = engine.pool.ledger() if nodes < levels[-1] else None
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


@dataclass(frozen=True)
class Examples:
    """Searches with what ten times their nodes chose."""

    nodes: Floats
    features: Floats
    stayed: Floats                      # 1 where the move was the same
    groups: Floats                      # the position of each


def examples(paths: list[Path]) -> Examples:
    """Every two neighbouring searches that were collected."""
    nodes, features, stayed, groups = [], [], [], []
    for group, found in enumerate(itertools.chain.from_iterable(map(read, paths))):
        legal = len(Position(found["fen"]).legal_moves())
        for search, longer in itertools.pairwise(found["searches"]):
            signs = signs_of(Ledger.of(search["ledger"]), search["score"], search["nodes"], legal)
            nodes.append(search["nodes"])
            features.append(list(stability.features(signs).values()))
            stayed.append(search["best"] == longer["best"])
            groups.append(group)
    return Examples(np.array(nodes), np.array(features), np.array(stayed, float), np.array(groups))


def fitted(features: Floats, stayed: Floats) -> Floats:
    """Intercept and weights of the most likely logistic model, by Newton's method, held back a little."""
    columns = np.hstack([np.ones((len(features), 1)), features])
    weights, ridge = np.zeros(columns.shape[1]), np.eye(columns.shape[1])
    ridge[0, 0] = 0
    for _ in range(50):
        chance = 1 / (1 + np.exp(-columns @ weights))
        slope = columns.T @ (chance - stayed) + ridge @ weights
        step = np.linalg.solve((columns.T * (chance * (1 - chance))) @ columns + ridge, slope)
        weights -= step
        if np.abs(step).max() < 1e-9:
            break
    return weights


def chances(weights: Floats, features: Floats) -> Floats:
    """What a model expects."""
    expected: Floats = 1 / (1 + np.exp(-(weights[0] + features @ weights[1:])))
    return expected


def loss(expected: Floats, stayed: Floats) -> float:
    """Mean negative log-likelihood."""
    return float(-np.log(np.where(stayed == 1, expected, 1 - expected)).mean())


def fit(paths: list[Path], png: Path | None) -> None:
    """Fit to all, judge by positions left out in turn, print and draw."""
    known = examples(paths)
    unseen = np.zeros(len(known.stayed))
    for part in range(FOLDS):
        left_out = known.groups % FOLDS == part
        unseen[left_out] = chances(fitted(known.features[~left_out], known.stayed[~left_out]), known.features[left_out])
    plain = np.array([known.stayed[known.nodes == nodes].mean() for nodes in known.nodes])
    print(f"{len(known.stayed)} searches of {len(set(known.groups))} positions")
    for nodes in sorted(set(known.nodes)):
        some = known.nodes == nodes
        print(f"{nodes:>9} nodes: {some.sum()} searches, {known.stayed[some].mean():.3f} stayed best, "
              f"{unseen[some].mean():.3f} expected")
    print(f"log-loss on positions left out: {loss(unseen, known.stayed):.4f}; of the mere share: "
          f"{loss(plain, known.stayed):.4f}")
    weights = fitted(known.features, known.stayed)
    names = list(stability.features(NOTHING))
    print(f"INTERCEPT = {weights[0]:.3f}")
    print("WEIGHTS = {" + ", ".join(f'"{name}": {weight:.3f}' for name, weight in zip(names, weights[1:], strict=True))
          + "}")
    if png is not None:
        draw(known, unseen, png)


def draw(known: Examples, unseen: Floats, path: Path) -> None:
    """What happened over what was expected, in tenths, with two standard errors either way."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6, 5), dpi=120, layout="constrained")
    axes = figure.add_subplot()
    axes.plot([0, 1], [0, 1], color="tab:gray", linewidth=1)
    for number, nodes in enumerate(sorted(set(known.nodes))):
        some = known.nodes == nodes
        points = []
        for low in np.arange(0, 1, 0.1):
            inside = some & (unseen >= low) & (unseen < low + 0.1)
            if (count := inside.sum()) >= LEAST_IN_BIN:
                share = known.stayed[inside].mean()
                points.append((unseen[inside].mean() + 0.006 * (number - 1), share,
                               2 * np.sqrt(max(share * (1 - share), 0.01) / count)))
        if points:
            expected, happened, error = np.array(points).T
            axes.errorbar(expected, happened, yerr=error, fmt="o", capsize=2,
                          label=f"{nodes:,} to {10 * nodes:,} nodes ({some.sum():,} searches)")
    axes.set(title="Does the best move stay best with ten times the nodes?", xlabel="expected by the model",
             ylabel="share that happened, positions left out of the fit", xlim=(0, 1), ylim=(0, 1))
    axes.grid(alpha=0.3)
    axes.legend(loc="upper left")
    figure.savefig(path)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    collecting = commands.add_parser("collect", help="search positions")
    collecting.add_argument("data", type=Path)
    collecting.add_argument("--positions", type=int, default=2000)
    collecting.add_argument("--books", type=Path, default=Path("../shared/data/books"))
    collecting.add_argument("--seed", type=int, default=1)
    collecting.add_argument("--nodes", type=int, nargs="+", default=LEVELS, help="lengths of the searches")
    fitting = commands.add_parser("fit", help="fit the model to what was collected")
    fitting.add_argument("data", type=Path, nargs="+")
    fitting.add_argument("--png", type=Path, help="draw what happened over what was expected")
    args = parser.parse_args()
    if args.command == "collect":
        collect(args.data, args.books, args.positions, args.seed, args.nodes)
    else:
        fit(args.data, args.png)


if __name__ == "__main__":
    main()
