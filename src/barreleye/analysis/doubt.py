"""Second looks: where the next position contradicts what a search said, both are searched again before anyone judges.

A search may praise a move whose refutation it has not seen, or miss a move that was then played. Judged by such a score
a good move looks like a mistake, and the real one, a move earlier, goes unnoticed.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence

from barreleye.analysis.accuracy import WhiteScore, winning_chances
from barreleye.analysis.chunks import Game, position_at
from barreleye.analysis.many import Request, analyse_one
from barreleye.analysis.record import Record
from barreleye.core.pool import Pool

SWING = 0.15                    # of winning chances, between -1 and 1: more than an inaccuracy
MORE = 4                        # times the nodes of the first look


def is_doubtful(before: Record, after: Record, played: str) -> bool:
    """Whether two positions in a row contradict each other: the best move lost much, or another one was much better."""
    gain = mover_chances(after, before.white_to_move) - mover_chances(before, before.white_to_move)
    return gain >= SWING or (played == before.best_move and gain <= -SWING)


def mover_chances(record: Record, white: bool) -> float:
    """A side's winning chances by a record."""
    chances = winning_chances(WhiteScore.of(record.lines[0], record.white_to_move).ceiled)
    return chances if white else -chances


def settle(pool: Pool, over: threading.Event, game: Game, records: Sequence[Record], nodes: int) -> list[Record]:
    """The records of a game with the doubtful ones searched again, from the last to the first. A task for Workers.

    What a position turns out to be worth may cast doubt on the one before it, which comes next.
    """
    found = list(records)
    request = Request({"nodes": MORE * nodes}, len(records[0].lines), prefers_exact=True)
    settled: set[int] = set()

    def look_again(ply: int) -> None:
        if ply not in settled and not over.is_set() and found[ply].best_move is not None:
            known = found[ply]
            found[ply] = analyse_one(pool, position_at(game, ply), request, known.index, known.game, ply, known.played)
            settled.add(ply)

    for ply in range(len(found) - 2, -1, -1):
        if is_doubtful(found[ply], found[ply + 1], game.moves[ply]):
            look_again(ply + 1)
            look_again(ply)
    return found
