"""How a tuning is shown: the numbers and their paths, live in a terminal, now and then a line elsewhere."""

from __future__ import annotations

import importlib.util
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Group
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from barreleye.cli.board import ACCENT, QUIET
from barreleye.cli.duel_view import Silent, going, view_of
from barreleye.extras import how_to_install

if TYPE_CHECKING:
    from barreleye.lab.spsa import Knob
    from barreleye.lab.tuning import Tuning

BLOCKS = "▁▂▃▄▅▆▇█"
PICTURES = (".png", ".svg", ".pdf")
COLUMNS = 24                # letters of a path


def tuning_view(is_quiet: bool) -> Silent[Tuning]:
    """Who shows how a tuning goes on."""
    return view_of(is_quiet, lambda tuning: tuning.standing, line, panel)


def line(tuning: Tuning) -> str:
    """The numbers that have moved furthest, for a log."""
    furthest = sorted(rows(tuning), key=lambda row: -abs(row[1] - row[0].start) / row[0].step)[:3]
    moved = ", ".join(f"{knob.name} {knob.start} -> {value:.1f}" for knob, value, _ in furthest)
    return f"{tuning.standing.games}/{tuning.standing.total}  {moved}"


def rows(tuning: Tuning) -> list[tuple[Knob, float, list[float]]]:
    """Each number with its present value and its path."""
    paths = [list(path) for path in zip(*tuning.spsa.path, strict=True)]
    return list(zip(tuning.spsa.knobs, tuning.spsa.values, paths, strict=True))


def sparkline(path: Sequence[float], width: int = COLUMNS) -> str:
    """A path as a row of blocks between its lowest and its highest point.

    >>> sparkline([1, 2, 3, 4, 5, 6, 7, 8], width=8), sparkline([3.0])
    ('▁▂▃▄▅▆▇█', '▁')
    """
    width = min(width, len(path))
    points = [path[round(column * (len(path) - 1) / max(1, width - 1))] for column in range(width)]
    low, high = min(points), max(points)
    return "".join(BLOCKS[int((point - low) / ((high - low) or 1) * 7.999)] for point in points)


def panel(tuning: Tuning) -> Panel:
    """A tuning as it is drawn."""
    table = Table(box=None, padding=(0, 2, 0, 0), header_style=QUIET)
    for name, justify in (("parameter", "left"), ("from", "right"), ("to", "right"), ("steps", "right"), ("", "left")):
        table.add_column(name, justify=justify, no_wrap=True)       # type: ignore[arg-type]
    for knob, value, path in rows(tuning):
        table.add_row(knob.name, str(knob.start), Text(f"{value:.1f}", style=ACCENT),
                      f"{(value - knob.start) / knob.step:+.2f}", Text(sparkline(path), style=QUIET))
    standing = tuning.standing
    pace = f"; {going(standing)}" if standing.seconds else ""
    return Panel(Group(Text(f"{standing.games} of {standing.total} games{pace}"), table), title="tuning",
                 title_align="left", expand=False, border_style=QUIET)


def lines(tuning: Tuning) -> list[str]:
    """What came out, in words."""
    width = max(len(knob.name) for knob in tuning.spsa.knobs)
    told = [f"{tuning.standing.games} of {tuning.standing.total} games"]
    told += [f"{knob.name:<{width}}  {knob.start:>8} -> {tuning.spsa.rounded[knob.name]:<8} {sparkline(path)}"
             for knob, _, path in rows(tuning)]
    if tuning.validation is not None:
        told += ["", *tuning.validation.lines()]
    elif tuning.is_complete and not tuning.changes:
        told.append("no number has become another one: there is nothing to validate")
    return told


def check_plot(path: Path) -> None:
    """ValueError when there is no drawing into such a file, said before the games are played."""
    if importlib.util.find_spec("matplotlib") is None:
        raise ValueError(f"--plot needs matplotlib: {how_to_install('plot')}")
    if path.suffix not in PICTURES:
        raise ValueError(f"--plot is {path}, expected a name that ends in {', '.join(PICTURES)}")


def save_plot(tuning: Tuning, path: Path) -> None:
    """Draw the paths into a file, in steps from the start."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9, 6), dpi=120, layout="constrained")
    axes = figure.add_subplot()
    games = [min(2 * number * tuning.spsa.schedule.batch, tuning.standing.total)
             for number in range(len(tuning.spsa.path))]
    for knob, _, values in rows(tuning):
        axes.plot(games, [(value - knob.start) / knob.step for value in values], linewidth=1, label=knob.name)
    axes.set(xlabel="games", ylabel="steps from the start", title="Parameters on their way")
    axes.grid(alpha=0.3)
    axes.legend(fontsize=6, ncols=2, loc="center left", bbox_to_anchor=(1, 0.5))
    figure.savefig(path)
