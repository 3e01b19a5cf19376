"""Searching on a cluster: what threads do here is done by its workers, with a searcher that each of them keeps."""

from __future__ import annotations

import threading
from collections.abc import Generator, Iterable, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass
from pathlib import Path

from barreleye import nets
from barreleye.analysis.workers import AHEAD, SearchTask, T, complete
from barreleye.engine.options import PARAMETERS
from barreleye.engine.searcher import Searcher
from barreleye.work import parcels
from barreleye.work.crew import Crew
from barreleye.work.facts import needs_of

NETWORK, TABLES = "EvalFile", "SyzygyPath"


class SearchTool:
    """A searcher on a worker, and what it had to say."""

    def __init__(self, options: Mapping[str, object]) -> None:
        self.notes: list[str] = []
        self.searcher = Searcher()
        self.searcher.on_note = self._note
        for name, value in options.items():
            self.searcher.set_option(name, value)

    def _note(self, text: str) -> None:
        if not text.startswith("Found"):
            self.notes.append(text)

    def stop(self) -> None:
        self.searcher.pool.stop()

    def close(self) -> None:
        """Nothing is held that is not freed with it."""


@dataclass(frozen=True)
class SearchWork:
    """Tasks for a pool, with options of the engine; a network among them is named by its digest."""

    options: tuple[tuple[str, object], ...]
    network: str = ""

    def tool(self) -> SearchTool:
        sent = {NETWORK: str(parcels.path_of(self.network))} if self.network else {}
        return SearchTool({**dict(self.options), **sent})

    def do(self, tool: SearchTool, item: SearchTask[T], over: threading.Event) -> T:
        tool.searcher.pool.new_game()
        found = item(tool.searcher.pool, over)
        tool.searcher.note_broken_tables()
        return found

    def identity(self) -> str:
        return ""


class RemoteWorkers:
    """A cluster's workers, each with a searcher of these options. ClusterError when one of them is not fit for it."""

    is_remote = True

    def __init__(self, executor: Executor, options: Mapping[str, object], name: str) -> None:
        Searcher(**options)                         # what is wrong with the options is said here
        whole = complete(options)
        path = str(whole.pop(NETWORK, "") or "")
        digest = nets.inspect(path).digest if path else ""
        tables = str(whole.get(TABLES, "") or "")
        tuned = {option.name for option in PARAMETERS} & set(whole)
        needs, networks = needs_of([Path(path)] if path else [], [tables], is_tuning=bool(tuned))
        self._crew = Crew(executor, SearchWork(tuple(sorted(whole.items())), digest), name, needs, networks)

    def in_order(self, tasks: Iterable[SearchTask[T]], ahead: int = AHEAD) -> Generator[T, None, None]:
        """The result of each task, in the order of the tasks."""
        return self._crew.in_order(tasks)

    def close(self) -> None:
        self._crew.close()

    def __enter__(self) -> RemoteWorkers:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
