"""What a tab can ask beside searching: each takes the session and the message, and answers now or as its job."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

import chess

from barreleye import levels, tablebase
from barreleye.core.techniques import TECHNIQUES
from barreleye.web import positions, questions
from barreleye.web.export import document
from barreleye.web.games import MOST_GAMES
from barreleye.web.job import Job
from barreleye.web.messages import Problem, Request

if TYPE_CHECKING:
    from barreleye.web.session import Session

PROGRESS_S = 0.1
QUESTIONS = ("why", "why not", "threat", "technique")
SQUARES = frozenset(file + rank for file in "abcdefgh" for rank in "12345678")
Answer = dict[str, Any] | None


async def prepared(session: Session, request: Request) -> questions.Place:
    """The position of a question, with the engine set as the message says."""
    place = positions.place_of(request)
    positions.board_of(*place)
    settings = session.settings(request)
    await session.jobs.stop()
    session.engine.configure(settings)
    return place


async def why(session: Session, request: Request) -> None:
    question, move = request.text("question", "why", 20), request.text("move", "", 5)
    if question not in QUESTIONS or (question == "why not") != bool(move):
        raise Problem("Ask why, why not a move, for the threat or for the technique.")
    nodes, place = request.number("nodes", 1000, 20_000_000, 200_000), await prepared(session, request)
    await session.later(request, lambda job: questions.ask_why(session.engine, place, job, question, move, nodes))


async def ledger(session: Session, request: Request) -> None:
    nodes, place = request.number("nodes", 1000, 20_000_000, 200_000), await prepared(session, request)
    await session.later(request, lambda job: questions.ledger(session.engine, place, job, nodes))


async def network(session: Session, request: Request) -> None:
    square = request.text("square", "", 2)
    if square and square not in SQUARES:
        raise Problem(f"{square} is not a square.")
    place = await prepared(session, request)
    await session.later(request, lambda job: questions.network(session.engine, place, job, square))


async def compare(session: Session, request: Request) -> None:
    names = {technique.name for technique in TECHNIQUES}
    without = request.words("without", most=len(names))
    if not without or set(without) - names:
        raise Problem("Choose a technique to do without.")
    nodes, place = request.number("nodes", 1000, 5_000_000, 100_000), await prepared(session, request)

    def work(job: Job) -> dict[str, Any]:
        return questions.compare(session.engine, place, job, without, nodes)

    await session.later(request, work)


async def annotate(session: Session, request: Request) -> None:
    """Judge a game that was brought, telling how far it is."""
    name, number = request.text("upload", most=40), request.number("game", 0, MOST_GAMES)
    nodes, loop = request.number("nodes", 1000, 10_000_000, 50_000), asyncio.get_running_loop()
    session.shelf.game(name, number)
    told = [0.0]

    def progress(done: int, total: int) -> None:
        if time.monotonic() - told[0] > PROGRESS_S or done == total:
            told[0] = time.monotonic()
            event = {"event": "progress", "done": done, "total": total}
            asyncio.run_coroutine_threadsafe(session.tell(event), loop)

    await session.later(request, lambda job: session.shelf.annotate(name, number, nodes, job, progress))


async def move(session: Session, request: Request) -> None:
    """The engine's move in a game, at a level, with a clock or without."""
    place, level = positions.place_of(request), levels.of_name(request.text("level", "club", 20))
    board = positions.board_of(*place)
    if not any(board.legal_moves):
        raise Problem("The game is over.")
    limit: dict[str, float] = {"time": request.number("think", 10, 60_000, 1000) / 1000}
    if "wtime" in request.fields:
        limit = {name: request.number(name, 0, 86_400_000, 0) for name in ("wtime", "btime", "winc", "binc")}
    options: dict[str, Any] = {"UCI_LimitStrength": level is not None}
    if level is not None:
        options["UCI_Elo"] = level.elo
    await session.jobs.stop()

    def work(job: Job) -> dict[str, Any]:
        job.at_stop(session.engine.stop)
        found = session.engine.play(place, limit, options=options).move
        return {"move": None if found is None else found.uci()}

    await session.later(request, work)


async def tables(session: Session, request: Request) -> Answer:
    """What endgame tables know of a position; nothing where there are none for it."""
    path = request.text("path", "", 1000)
    board = positions.board_of(*positions.place_of(request))
    try:
        found = tablebase.tables_at(path or None)
    except OSError as error:
        raise Problem(f"{path} cannot be read: {error.strerror or error}") from None
    if not found.cardinality:
        return {"men": 0, "moves": []}
    ranked = [] if chess.popcount(board.occupied) > found.cardinality else tablebase.moves(board, path or None) or []
    return {"men": found.cardinality, "moves": [
        {"uci": one.uci, "san": board.san(board.parse_uci(one.uci)), "verdict": one.verdict, "dtz": one.dtz}
        for one in ranked]}


async def save(session: Session, request: Request) -> None:
    """All of it as one file."""
    nodes, place = request.number("nodes", 1000, 20_000_000, 200_000), await prepared(session, request)
    await session.later(request, lambda job: {"html": document(session.engine, place, job, nodes)})


COMMANDS: dict[str, Callable[[Session, Request], Awaitable[Answer]]] = {
    "why": why, "ledger": ledger, "network": network, "compare": compare, "annotate": annotate, "move": move,
    "tables": tables, "export": save,
}
