"""Games that somebody brings: read from PGN, listed for the page, annotated, reported."""

from __future__ import annotations

import secrets
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import CancelledError
from functools import partial
from typing import Any

import chess
import chess.pgn

from barreleye.analysis.accuracy import win_percent
from barreleye.analysis.chunks import chunks_of, of_pgn
from barreleye.analysis.comments import is_ours, own_comment
from barreleye.analysis.doubt import settle
from barreleye.analysis.games import read_games, title
from barreleye.analysis.many import Request, run
from barreleye.analysis.replay import clock
from barreleye.analysis.report import page
from barreleye.analysis.review import Review, review
from barreleye.analysis.workers import Workers
from barreleye.web.job import Job
from barreleye.web.messages import Problem

MOST_GAMES = 500
MOST_UPLOADS = 8
MOST_REPORTS = 16
SHOWN = ("Event", "Date", "White", "Black", "Result", "WhiteElo", "BlackElo")


class Shelf:
    """The games and reports that the tabs of this server have brought and made; the oldest make room for new ones."""

    def __init__(self) -> None:
        self.uploads: OrderedDict[str, list[chess.pgn.Game]] = OrderedDict()
        self.reports: OrderedDict[str, str] = OrderedDict()

    def bring(self, text: str) -> dict[str, Any]:
        """Read a file of games."""
        problems: list[str] = []
        found: list[chess.pgn.Game] = []
        for game in read_games(text, problems.append):
            if len(found) == MOST_GAMES:
                problems.append(f"Only the first {MOST_GAMES} games are shown.")
                break
            found.append(game)
        if not found:
            raise Problem("There is no game in this text that can be read." + (f" {problems[0]}" if problems else ""))
        name = kept(self.uploads, found, MOST_UPLOADS)
        return {"upload": name, "games": [listed(game) for game in found], "problems": problems[:5]}

    def game(self, name: str, number: int) -> chess.pgn.Game:
        """One of the games that were brought."""
        games = self.uploads.get(name)
        if games is None or not 0 <= number < len(games):
            raise Problem("This game is no longer here: bring it again.")
        return games[number]

    def annotate(self, name: str, number: int, nodes: int, job: Job,
                 progress: Callable[[int, int], None]) -> dict[str, Any]:
        """Judge a game move by move, and make its report."""
        game = self.game(name, number)
        total = sum(1 for _ in game.mainline()) + 1
        if total == 1:
            raise Problem("There is no move in this game.")

        done = 0

        def looked_at() -> None:
            nonlocal done
            done += 1
            progress(done, total)

        try:
            with Workers(1, {}) as workers:
                job.at_stop(workers.close)
                request = Request({"nodes": nodes}, prefers_exact=True, on_position=looked_at)
                records = list(run(chunks_of([game]), request, workers))
            job.check()
            with Workers(1, {}) as workers:
                job.at_stop(workers.close)
                records = workers.submit(partial(settle, game=of_pgn(game), records=records, nodes=nodes)).result()
        except CancelledError:
            job.check()
            raise
        job.check()
        found = review(game, records, explains=True)
        report = kept(self.reports, page([found], nodes), MOST_REPORTS)
        return {**judged(found), "report": f"report/{report}"}


def kept(shelf: OrderedDict[str, Any], what: Any, most: int) -> str:
    """Put something on a shelf under a new name, and drop the oldest when it is full."""
    name = secrets.token_urlsafe(12)
    shelf[name] = what
    while len(shelf) > most:
        shelf.popitem(last=False)
    return name


def listed(game: chess.pgn.Game) -> dict[str, Any]:
    """A game as the page lists it, with all it takes to walk through it."""
    board = game.board()
    return {"title": title(game), "headers": {name: game.headers.get(name, "") for name in SHOWN},
            "fen": "" if board.fen() == chess.STARTING_FEN else board.fen(),
            "moves": [node.move.uci() for node in game.mainline()],
            "comments": {ply: text for ply, node in enumerate([game, *game.mainline()])
                         if (text := own_comment(node, is_ours(game)))},
            "clocks": {ply: clock(left) for ply, node in enumerate(game.mainline(), 1)
                       if (left := node.clock()) is not None}}


def judged(found: Review) -> dict[str, Any]:
    """A review for the page: each move with its score and what there is to say of it."""
    moves = [{"label": move.label, "cp": move.after.cp, "mate": move.after.mate,
              "share": win_percent(move.after.ceiled),
              "judgement": move.judgement.name.lower() if move.judgement else "",
              "comment": f"{move.comment} {move.explanation}".strip(),
              "best": " ".join(move.best_san[:6])} for move in found.moves]
    sides = [{"name": side.name, "accuracy": side.accuracy, "loss": side.average_loss,
              "counts": {judgement.title: count for judgement, count in side.counts.items()}}
             for side in (found.white, found.black)]
    return {"moves": moves, "sides": sides, "start": win_percent(found.start.ceiled)}
