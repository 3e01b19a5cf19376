"""An ablation as tables: Markdown for docs/techniques.md, rich for a terminal."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from barreleye.lab.effect import Effect
from barreleye.lab.notebook import Notebook
from barreleye.lab.strength import Strength

MARKS = "<!-- ablation -->", "<!-- /ablation -->"
HEADS = ("technique", "step", "nodes", "time", "Elo", "tried", "succeeded", "re-searched")


def sections(notebook: Notebook) -> list[tuple[str, list[Effect]]]:
    """What is on by default and what is off, each by the size of its effect."""
    rows = sorted(notebook.effects.values(), key=lambda row: -row.node_ratio)
    parts = [("Switched off, against the engine as it is", [row for row in rows if row.default]),
             ("Switched on, against the engine as it is", [row for row in rows if not row.default])]
    return [(title, rows) for title, rows in parts if rows]


def cells(row: Effect, strength: Strength | None) -> tuple[str, ...]:
    """A row in words. `>` marks a ratio that would be larger, had all positions been searched to the end."""
    more = ">" if row.given_up else ""
    return (row.technique, row.item, f"{more}{row.node_ratio:.2f}", f"{more}{row.time_ratio:.2f}",
            elo_cell(strength), *(short(count) for count in (row.tried, row.succeeded, row.researched)))


def elo_cell(strength: Strength | None) -> str:
    """The Elo the change costs as a signed difference of the changed engine, with half the 95 % interval."""
    if strength is None or strength.elo is None:
        return "" if strength is None else "all games alike"
    if strength.low is None or strength.high is None:
        return f"{-strength.elo:+.0f}"
    return f"{-strength.elo:+.0f} ± {(strength.high - strength.low) / 2:.0f}"


def short(count: int) -> str:
    """A count in at most four letters.

    >>> short(0), short(950), short(1234), short(45678), short(2345678)
    ('', '950', '1.2k', '46k', '2.3M')
    """
    if count < 1000:
        return str(count or "")
    for size, unit in ((1e3, "k"), (1e6, "M"), (1e9, "G")):
        if count < 999.5 * size:
            return f"{count / size:.1f}{unit}" if count < 9.95 * size else f"{count / size:.0f}{unit}"
    return f"{count:.0e}"


def markdown(notebook: Notebook) -> str:
    """Both tables, ready for a document."""
    blocks = [description(notebook)]
    for title, rows in sections(notebook):
        lines = ["| " + " | ".join(HEADS) + " |", "|---|---|" + "---:|" * (len(HEADS) - 2)]
        lines += ["| " + " | ".join(cells(row, notebook.strengths.get(row.technique))) + " |" for row in rows]
        blocks += [f"**{title}**", "\n".join(lines)]
    return "\n\n".join(blocks) + "\n"


def insert(table: str, document: str) -> str:
    """A document with the tables between its marks, in place of those that were there."""
    before, begin, rest = document.partition(MARKS[0])
    _, end, after = rest.partition(MARKS[1])
    if not end:
        raise ValueError(f"the document has no lines {MARKS[0]} and {MARKS[1]} to put the tables between")
    return f"{before}{begin}\n{table}{end}{after}"


def description(notebook: Notebook) -> str:
    """How the figures came about."""
    head = notebook.head
    text = (f"Bench signature {head['signature']} at depth {head['depth']}, one thread. Nodes and CPU time to that "
            "depth relative to the engine as it is: above 1 the change costs.")
    played = list(notebook.strengths.values())
    if played:
        text += (f" Elo of the changed engine in at least {min(one.games for one in played)} games each at "
                 f"{played[0].nodes} nodes a move, with its 95 % interval.")
    return text


def terminal(notebook: Notebook) -> Iterable[Any]:
    """The same tables as rich draws them."""
    from rich import box
    from rich.table import Table

    for title, rows in sections(notebook):
        table = Table(title=title, title_justify="left", title_style="bold", box=box.SIMPLE_HEAD, pad_edge=False)
        for head in HEADS[:-1]:
            table.add_column(head, justify="left" if head in HEADS[:2] else "right", no_wrap=True)
        for row in rows:
            style = "green" if row.node_ratio > 1.05 else "red" if row.node_ratio < 0.95 else ""
            table.add_row(*cells(row, notebook.strengths.get(row.technique))[:-1], style=style)
        yield table
    yield description(notebook)
