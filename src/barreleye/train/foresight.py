"""What a position should say, by what its game said later: scores averaged over the positions that follow.

The score of a short search is a noisy guess, and the searches a few moves later know more. So a position learns from an
average of its own score and those that follow in its game, each counting less the further away it is, up to the result
(the lambda-return of temporal-difference learning, R. Sutton). Averages are of chances, as scores say little of how
much a large one is worth.
"""

from __future__ import annotations

import numpy as np

from barreleye.train.dataset import NO_RESULT, Records, game_numbers

LARGEST_CHANCE = 1 - 1e-5
LARGEST_SCORE = np.iinfo(np.int16).max         # that fits a record


def look_ahead(records: Records, scale: float, fade: float) -> None:
    """Replace the scores of whole games by such averages; what comes a ply later counts fade times as much.

    scale is the centipawns at a logit of one. Positions that nobody played keep their scores.
    """
    places = np.flatnonzero(records["result"] < NO_RESULT)
    if not len(places):
        return
    played = records[places]
    chance = 1 / (1 + np.exp(-played["score"] / scale))
    ply = played["ply"].astype(np.int64)
    bounds = np.flatnonzero(np.diff(game_numbers(played), prepend=-1, append=-1))
    first, place = bounds[:-1], bounds[1:] - 1
    # All games at once, each from its end; the last position is taken to be one ply before the result.
    average, later = played["result"][place] / 2.0, ply[place] + 1
    while len(place):
        weight = fade ** (later - ply[place])
        average = weight * average + (1 - weight) * chance[place]
        chance[place] = average
        later = ply[place]
        going = place > first
        first, place, average, later = first[going], place[going] - 1, average[going], later[going]
    chance = np.clip(chance, 1 - LARGEST_CHANCE, LARGEST_CHANCE)
    scores = np.rint(scale * np.log(chance / (1 - chance)))
    records["score"][places] = np.clip(scores, -LARGEST_SCORE, LARGEST_SCORE)
