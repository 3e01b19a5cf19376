"""A recorded search for other programs: numpy, SQLite, Parquet, speedscope, flame graphs."""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from barreleye import __version__, output
from barreleye.core.recorder import ENDINGS, EVENT_FIELDS, FIRST_ENDING, KINDS, OUTCOMES, RELATIONS, VISIT_FIELDS
from barreleye.core.techniques import TECHNIQUES
from barreleye.tree.visit import EVENT, VISIT, Visit

if TYPE_CHECKING:
    import numpy

    from barreleye.tree.tree import Tree

TYPES = {"Q": "<u8", "I": "<u4", "i": "<i4", "h": "<i2", "H": "<u2", "B": "u1"}
BATCH = 10_000
SCHEMA = "https://www.speedscope.app/file-format-schema.json"


def fields(form: str, names: tuple[str, ...]) -> list[tuple[str, str]]:
    """Names and types of a cell, as numpy wants them, from the format that `struct` reads."""
    letters, count = "", ""
    for sign in form.lstrip("<"):
        if sign.isdigit():
            count += sign
        else:
            letters, count = letters + sign * int(count or 1), ""
    return [(name, TYPES[letter]) for name, letter in zip(names, letters, strict=True)]


def arrays(tree: Tree, thread: int = 0) -> tuple[numpy.ndarray, numpy.ndarray]:
    """Visits and events of a thread as structured arrays over the same memory."""
    try:
        import numpy
    except ImportError as error:
        from barreleye.extras import how_to_install

        raise ImportError(f"arrays need numpy, which is not installed: {how_to_install('train')}") from error

    visits = numpy.frombuffer(tree.cells(thread), dtype=fields(VISIT.format, VISIT_FIELDS))
    events = numpy.frombuffer(tree.event_cells(thread), dtype=fields(EVENT.format, EVENT_FIELDS))
    return visits, events


def write_parquet(tree: Tree, path: str | os.PathLike[str]) -> None:
    """Two files for each list, all threads in one, the thread in a column of its own."""
    try:
        import numpy
        import pyarrow
        from pyarrow import parquet
    except ImportError as error:
        from barreleye.extras import how_to_install

        raise ValueError(f"Parquet files need {error.name}: {how_to_install('arrow')}") from error
    for number, name in enumerate(("visits", "events")):
        columns: dict[str, Any] = {}
        lists = [arrays(tree, thread)[number] for thread in range(tree.threads)]
        columns["thread"] = numpy.repeat(numpy.arange(tree.threads, dtype="u2"), [len(part) for part in lists])
        for column in lists[0].dtype.names or ():
            columns[column] = numpy.concatenate([part[column] for part in lists])
        file = Path(f"{os.fspath(path).removesuffix('.parquet')}.{name}.parquet")
        with output.writing(file, "wb") as sink:
            parquet.write_table(pyarrow.table(columns), sink, compression="zstd")


def write_sqlite(tree: Tree, path: str | os.PathLike[str]) -> None:
    """Numbers as they are, and tables that say in words what they stand for."""
    target = Path(path)
    if target.exists() and not target.is_file():
        raise ValueError(f"{target} is no file that a database could be written to")
    with output.beside(Path(os.path.realpath(target)), str(target)) as temporary:
        temporary.unlink(missing_ok=True)
        base = sqlite3.connect(temporary)
        try:
            with base:
                fill(base, tree)
        finally:
            base.close()
        os.replace(temporary, os.path.realpath(target))


def fill(base: sqlite3.Connection, tree: Tree) -> None:
    """All tables of a database."""
    summary = tree.summary
    base.execute("CREATE TABLE search (name TEXT PRIMARY KEY, value TEXT)")
    facts = {"version": __version__, "fen": tree.position.fen(shredder=tree.chess960), "best_move": summary.best_move,
             "score": summary.score, "depth": summary.depth, "pv": " ".join(summary.pv), "nodes": summary.nodes,
             "visits": tree.total, "options": json.dumps(summary.options), "limits": json.dumps(summary.limits)}
    base.executemany("INSERT INTO search VALUES (?, ?)", facts.items())
    name_numbers(base, "kinds", dict(enumerate(KINDS)))
    name_numbers(base, "techniques", {number: technique.name for number, technique in enumerate(TECHNIQUES)})
    name_numbers(base, "endings", {**{number: technique.name for number, technique in enumerate(TECHNIQUES)},
                                   **{FIRST_ENDING + number: name for number, name in enumerate(ENDINGS)}})
    visit_names = ["thread", *(name for name in VISIT_FIELDS if name != "reserved")]
    base.execute(f"CREATE TABLE visits ({', '.join(visit_names)}, move_text TEXT, PRIMARY KEY (thread, number))")
    base.executemany(f"INSERT INTO visits VALUES ({', '.join('?' * (len(visit_names) + 1))})", visit_rows(tree))
    base.execute("CREATE TABLE events (thread, visit, left, right, after, move_text TEXT, technique, outcome TEXT, "
                 "relation TEXT)")
    base.executemany("INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", event_rows(tree))
    base.execute("CREATE INDEX visits_by_parent ON visits (thread, parent)")
    base.execute("CREATE INDEX events_by_visit ON events (thread, visit)")


def name_numbers(base: sqlite3.Connection, table: str, names: dict[int, str]) -> None:
    """A table that says what the numbers of a column stand for."""
    base.execute(f"CREATE TABLE {table} (number INTEGER PRIMARY KEY, name TEXT)")
    base.executemany(f"INSERT INTO {table} VALUES (?, ?)", names.items())


def signed(number: int) -> int:
    """SQLite's integers have a sign."""
    return number - (1 << 64) if number >> 63 else number


def visit_rows(tree: Tree) -> Iterator[tuple[Any, ...]]:
    """Rows of the table of visits; the parent of a visit of the root is -1."""
    from barreleye.core.notation import move_name

    move = VISIT_FIELDS.index("move")
    for thread in range(tree.threads):
        for cell in VISIT.iter_unpack(tree.cells(thread)):
            text = move_name(cell[move], tree.chess960) if cell[move] else None
            yield (thread, *map(signed, cell[:5]), *cell[5:-1], text)


def event_rows(tree: Tree) -> Iterator[tuple[Any, ...]]:
    """Rows of the table of events."""
    from barreleye.core.notation import move_name

    for thread in range(tree.threads):
        for visit, left, right, after, move, technique, what in EVENT.iter_unpack(tree.event_cells(thread)):
            yield (thread, visit, left, right, after, move_name(move, tree.chess960) if move else None, technique,
                   OUTCOMES[what & 7], RELATIONS[what >> 3])


def label(visit: Visit) -> str:
    """What a visit is called in a profile."""
    return f"{visit.move or f'depth {visit.iteration}' if visit.kind == 'window' else visit.move or '='} {visit.kind}"


def write_speedscope(tree: Tree, path: str | os.PathLike[str]) -> None:
    """An evented profile for each thread: time is counted in visits."""
    names: dict[str, int] = {}
    profiles = []
    for thread, recording in enumerate(tree.recordings):
        events: list[dict[str, Any]] = []
        still_open: list[tuple[int, int]] = []         # frame and end
        start = None
        for index in range(recording.visit_count):
            visit = Visit(tree, thread, index)
            start = visit.number if start is None else start
            close(events, still_open, visit.number)
            frame = names.setdefault(label(visit), len(names))
            events.append({"type": "O", "frame": frame, "at": visit.number})
            still_open.append((frame, visit.number + visit.size))
        close(events, still_open, None)
        profiles.append({"type": "evented", "name": f"thread {thread + 1}", "unit": "none", "startValue": start or 0,
                         "endValue": events[-1]["at"] if events else 0, "events": events})
    content = {"$schema": SCHEMA, "exporter": f"Barreleye {__version__}", "name": tree.position.fen(),
               "activeProfileIndex": 0, "shared": {"frames": [{"name": name} for name in names]}, "profiles": profiles}
    output.write_text(path, json.dumps(content, separators=(",", ":")))


def close(events: list[dict[str, Any]], still_open: list[tuple[int, int]], until: int | None) -> None:
    """End the visits that had ended when so many had begun; None for all."""
    while still_open and (until is None or still_open[-1][1] <= until):
        frame, end = still_open.pop()
        events.append({"type": "C", "frame": frame, "at": end})


def write_stacks(tree: Tree, path: str | os.PathLike[str]) -> None:
    """Lines as Brendan Gregg's flame graphs read them: names joined by semicolons, a blank, a count."""
    counts: dict[str, int] = {}
    for thread, recording in enumerate(tree.recordings):
        stack: list[tuple[str, int]] = []              # the line so far and where it ends
        for index in range(recording.visit_count):
            visit = Visit(tree, thread, index)
            while stack and stack[-1][1] <= visit.number:
                stack.pop()
            line = f"{stack[-1][0]};{label(visit)}" if stack else label(visit)
            stack.append((line, visit.number + visit.size))
            counts[line] = counts.get(line, 0) + visit.size
            if len(stack) > 1:
                counts[stack[-2][0]] -= visit.size
    output.write_text(path, "".join(f"{line} {count}\n" for line, count in counts.items() if count))
