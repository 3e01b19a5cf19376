"""A rating table over several players: the maximum-likelihood ratings of all their games, with error bars."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from barreleye.match.statistics.score import ELO_PER_NAT, PAIR_SCORES, Score, score_from_elo

PRIOR_SIGMA = 3000.0  # Elo; so weak that it only keeps the rating of a player who won or lost everything finite
_Z95 = 1.959964
Matrix = list[list[float]]


@dataclass(frozen=True)
class Rating:
    """One row of the table. `elo` is relative to the average of the pool, `error` half its 95 % interval."""

    name: str
    elo: float
    error: float
    points: float
    games: int
    draws: int


def rating_table(names: Sequence[str], scores: Mapping[tuple[str, str], Score]) -> list[Rating]:
    """Rows, best first. `scores` maps (player, opponent) to the player's results, each pairing once.

    The ratings make every player's expected score equal to the real one. The error bars follow from the spread of the
    pairs that was seen, so that many draws make them narrow, as they should.
    """
    index = {name: i for i, name in enumerate(names)}
    played = [(index[a], index[b], score) for (a, b), score in scores.items() if score.games]
    elos = _solve_ratings(len(names), played)
    errors = _standard_errors(elos, played)
    points = dict.fromkeys(names, 0.0)
    games = dict.fromkeys(names, 0)
    draws = dict.fromkeys(names, 0)
    for pairing, score in scores.items():
        for name, own in zip(pairing, (score, score.reversed()), strict=True):
            points[name] += own.points
            games[name] += own.games
            draws[name] += own.draws
    rows = [Rating(n, elos[i], _Z95 * errors[i], points[n], games[n], draws[n]) for n, i in index.items()]
    return sorted(rows, key=lambda row: -row.elo)


def _solve_ratings(size: int, played: Sequence[tuple[int, int, Score]]) -> list[float]:
    """Newton's method on the log-likelihood, steps kept short where it is flat; the average is zero."""
    elos = [0.0] * size
    for _ in range(200):
        gradient = [-elo / PRIOR_SIGMA**2 for elo in elos]
        for i, j, score in played:
            surplus = (score.points - score.games * score_from_elo(elos[i] - elos[j])) / ELO_PER_NAT
            gradient[i] += surplus
            gradient[j] -= surplus
        step = _solve(_information(elos, played), [[g] for g in gradient])
        longest = max(abs(row[0]) for row in step)
        scale = min(1.0, 200 / longest) if longest else 1.0
        elos = [elo + scale * row[0] for elo, row in zip(elos, step, strict=True)]
        if longest < 1e-9:
            break
    average = sum(elos) / size
    return [elo - average for elo in elos]


def _information(elos: Sequence[float], played: Sequence[tuple[int, int, Score]]) -> Matrix:
    matrix = [[1 / PRIOR_SIGMA**2 if i == j else 0.0 for j in range(len(elos))] for i in range(len(elos))]
    for i, j, score in played:
        expected = score_from_elo(elos[i] - elos[j])
        _add_edge(matrix, i, j, score.games * expected * (1 - expected) / ELO_PER_NAT**2)
    return matrix


def _standard_errors(elos: Sequence[float], played: Sequence[tuple[int, int, Score]]) -> list[float]:
    """The sandwich estimate: the curvature of the likelihood on both sides of the noise that was seen."""
    size = len(elos)
    noise = [[0.0] * size for _ in range(size)]
    for i, j, score in played:
        expected = score_from_elo(elos[i] - elos[j])
        _add_edge(noise, i, j, score.games * _game_variance(score, expected) / ELO_PER_NAT**2)
    inverse = _solve(_information(elos, played), [[float(i == j) for j in range(size)] for i in range(size)])
    for column in range(size):  # the pool's average is fixed: only differences are known
        average = sum(inverse[i][column] for i in range(size)) / size
        for i in range(size):
            inverse[i][column] -= average
    cells = [(a, b) for a in range(size) for b in range(size)]
    return [math.sqrt(max(0.0, sum(row[a] * noise[a][b] * row[b] for a, b in cells))) for row in inverse]


def _game_variance(score: Score, expected: float) -> float:
    """Variance of one game's score, from the pairs when they show any, else as if there were no draws."""
    pairs = sum(score.pairs)
    spread = sum(n * (a - expected) ** 2 for n, a in zip(score.pairs, PAIR_SCORES, strict=True))
    mixed = pairs > 1 and max(score.pairs) < pairs
    return 2 * spread / pairs if mixed else expected * (1 - expected)


def _add_edge(matrix: Matrix, i: int, j: int, weight: float) -> None:
    matrix[i][i] += weight
    matrix[j][j] += weight
    matrix[i][j] -= weight
    matrix[j][i] -= weight


def _solve(matrix: Matrix, right: Matrix) -> Matrix:
    """Gauss-Jordan elimination with pivoting, for a handful of players."""
    size = len(matrix)
    rows = [list(a) + list(b) for a, b in zip(matrix, right, strict=True)]
    for k in range(size):
        pivot = max(range(k, size), key=lambda r: abs(rows[r][k]))
        rows[k], rows[pivot] = rows[pivot], rows[k]
        head = rows[k][k]
        rows[k] = [value / head for value in rows[k]]
        for r in range(size):
            if r != k and rows[r][k]:
                factor = rows[r][k]
                rows[r] = [value - factor * base for value, base in zip(rows[r], rows[k], strict=True)]
    return [row[size:] for row in rows]
