"""Searches written down: a search of its own for each, so that it begins with nothing and can be repeated."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from barreleye.core.position import Position
from barreleye.core.recorder import ALWAYS, Recording
from barreleye.core.report import SearchInfo
from barreleye.engine.limits import Limits
from barreleye.engine.python_chess import legal_move
from barreleye.engine.search_thread import Search
from barreleye.engine.searcher import Searcher
from barreleye.tree.tree import Summary, Tree

if TYPE_CHECKING:
    import chess

    from barreleye.engine.limits import AnyLimit

DEFAULT_NODES = 100_000
DEFAULT_BUDGET_MB = 256
LEAST_BUDGET_MB, MOST_BUDGET_MB = 1, 1 << 24
MOST = (1 << 31) - 1            # plies and iterations that a filter can name
# Limits that end a search where they ended it before.
REPEATABLE = frozenset({"depth", "nodes", "softnodes", "mate"})


def record(position: Position, limit: AnyLimit | None, options: Mapping[str, Any], *, multipv: int | None = None,
           root_moves: Iterable[str] | None = None, budget_mb: float = DEFAULT_BUDGET_MB,
           on_info: Callable[[SearchInfo], None] | None = None, on_start: Callable[[Search], None] | None = None,
           **filters: Any) -> Tree:
    """Search from a clean start with these options, and write down what is done.

    on_start gets the search as it begins, and that of every later look into the tree: it can stop them.
    """
    limits = Limits(nodes=DEFAULT_NODES) if limit is None else Limits.of(limit)
    if not limits.ends or set(limits.words()) == {"mate"}:        # there may be no such mate
        raise ValueError("a recorded search needs a limit that ends it, such as {'nodes': 100_000} or {'depth': 12}")
    check(budget_mb, multipv, filters)
    wanted = None if root_moves is None else tuple(root_moves)
    if wanted == ():
        raise ValueError("root_moves is empty: there is no move to choose from")
    searcher = Searcher(**options)
    multipv = int(searcher.values["MultiPV"] or 1) if multipv is None else multipv
    threads = int(searcher.values["Threads"] or 1)
    budget = max(LEAST_BUDGET_MB << 20, int(budget_mb * (1 << 20)) // threads)
    recordings = [Recording(budget, **filters) for _ in range(threads)]
    searcher.pool.set_recordings(recordings)
    try:
        search = searcher._go(position, limits, wanted, multipv, False, {}, on_info=on_info)
        if on_start is not None:
            on_start(search)
        result = search.wait()
        stats = searcher.stats()
    finally:
        searcher.finish()
        searcher.pool.set_recordings(None)
    words = limits.words()
    summary = Summary(position.fen(shredder=position.chess960), result.best_move, result.info.score, result.info.depth,
                      tuple(text for move in result.info.pv if (text := searcher.text(move))), result.nodes, stats,
                      dict(options), dict(words), wanted, multipv)
    exact = threads == 1 and set(words) <= REPEATABLE
    return Tree(recordings, position, summary, replaying(on_start) if exact else None)


def check(budget_mb: float, multipv: int | None, filters: Mapping[str, Any]) -> None:
    """ValueError says which of these numbers cannot be meant."""
    for name in ("plies", "iterations", "first", "last"):
        whole(name if name in ("plies", "iterations") else "visits", filters.get(name, 0))
    if not LEAST_BUDGET_MB <= budget_mb <= MOST_BUDGET_MB:
        raise ValueError(f"a budget of {budget_mb:g} MiB, expected a number from {LEAST_BUDGET_MB} to {MOST_BUDGET_MB}")
    if multipv is not None and whole("multipv", multipv) < 1:
        raise ValueError(f"multipv is {multipv}, expected a whole number from 1 on")
    if not 0 <= filters.get("plies", 0) <= MOST:
        raise ValueError(f"plies is {filters['plies']}, expected a whole number from 0 to {MOST}")
    for name, (first, last) in (("iterations", filters.get("iterations", (0, MOST))),
                                ("visits", (filters.get("first", 0), filters.get("last", ALWAYS)))):
        if not 0 <= first <= last <= (MOST if name == "iterations" else ALWAYS):
            raise ValueError(f"{name} from {first} to {last} cannot be kept: give two numbers, the smaller one first")


def whole(name: str, value: Any) -> Any:
    """A number, or several, that must not have a fraction; ValueError says which has."""
    for number in value if isinstance(value, (tuple, list)) else [value]:
        if not hasattr(number, "__index__"):
            raise ValueError(f"{name} is {value!r}, expected whole numbers")
    return value


def replaying(on_start: Callable[[Search], None] | None) -> Callable[[Tree, dict[str, Any]], Tree]:
    """What searches again, telling whoever wants to know as the search begins."""
    return replay if on_start is None else partial(replay, on_start=on_start)


def replay(tree: Tree, wanted: dict[str, Any], on_start: Callable[[Search], None] | None = None) -> Tree:
    """The same search again, with another part of it written down, and no further than that."""
    summary = tree.summary
    filters = dict(wanted)
    enough = filters.pop("nodes")
    limits = dict(summary.limits)
    limits["nodes"] = min(enough, limits.get("nodes", enough))
    return record(tree.position, limits, summary.options, multipv=summary.multipv, root_moves=summary.root_moves,
                  on_start=on_start, **filters)


def move_numbers(position: Position, line: chess.Move | str | Iterable[chess.Move | str]) -> tuple[int, ...]:
    """Moves from a position on as the search writes them; ValueError names one that cannot be played."""
    board, numbers = position.copy(), []
    for named in [line] if isinstance(line, str) or not isinstance(line, Iterable) else line:
        move = legal_move(board, named)
        numbers.append(board.move_number(move))
        board.push(move)
    return tuple(numbers)
