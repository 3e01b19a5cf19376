"""Positions from the games that self-play stores: other filters without playing again, or a lost file made anew."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import IO

from barreleye import output
from barreleye.core.notation import START_FEN
from barreleye.core.position import Position
from barreleye.core.replay import Replay
from barreleye.train import curate, dataset
from barreleye.train.generate import BEFORE


def rebuild(paths: Iterable[Path], target: Path, first_ply: int | None = None, score_limit: int | None = None) -> int:
    """Write the positions of some games files, by the filters given or those that the games were made with.

    Returns how many. Positions of search trees are not in the games, and so not among them.
    """
    files = dataset.find_files(paths, "games")
    if not output.is_replaced(target):
        raise ValueError(f"{target} cannot be written to in the middle, as a device or a pipe cannot: name a file")
    with output.writing(target, "wb") as file:
        file.write(b" " * dataset.HEADER_SIZE)
        sources = write_all(files, file, first_ply, score_limit)
        facts = {"sources": curate.shortened(sources),
                 "replayed": {"first_ply": first_ply, "score_limit": score_limit}}
        file.seek(0)
        file.write(dataset.POSITIONS_MAGIC + json.dumps(facts, sort_keys=True).encode())
    return sum(sources.values())


def write_all(files: Iterable[Path], file: IO[bytes], first_ply: int | None,
              score_limit: int | None) -> dict[str, int]:
    """Append the records of every game; returns how many came from which folder."""
    replay, usual = Replay(), Position()
    sources: dict[str, int] = {}
    for path in files:
        settings = {**BEFORE, **(dataset.read_facts(path, dataset.GAMES_MAGIC).get("settings") or {})}
        replay.random_plies = settings["random_plies"]
        replay.first_ply = settings["first_ply"] if first_ply is None else first_ply
        replay.score_limit = settings["score_limit"] if score_limit is None else score_limit
        written = 0
        for game in dataset.read_games(path):
            start = usual if game.start == START_FEN else Position(game.start, game.chess960)
            try:
                written += file.write(replay.positions(start, game.seed, game.result, game.moves))
            except ValueError as error:
                raise ValueError(f"{path}: {error}") from error
        sources[str(path.parent)] = sources.get(str(path.parent), 0) + written // dataset.RECORD.itemsize
    return sources
