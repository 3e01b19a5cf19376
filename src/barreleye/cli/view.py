"""How an analysis looks in a terminal: the board with its evaluation bar, the facts beside it, the lines below."""

from __future__ import annotations

from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.measure import Measurement
from rich.padding import Padding
from rich.panel import Panel
from rich.segment import Segment
from rich.style import Style
from rich.table import Table
from rich.text import Text

from barreleye import __version__, wdl
from barreleye.cli.board import ACCENT, QUIET, Screen, board_text
from barreleye.cli.thinking import Thinking, numbered, score_text, verdict, white_share

EIGHTHS = " ▁▂▃▄▅▆▇█"
WHITE_BAR, DRAW_BAR, BLACK_BAR = "#f2f4f5", "#7a8b96", "#2c4152"
EASING = 0.35                                        # part of the way the evaluation bar goes in one frame
NARROW, WIDEST = 66, 100                             # columns: below the first the facts go under the board
MARGIN = 3                                           # room for the ^C that a terminal echoes, so that no line wraps


class View:
    """Draws a Thinking; remembers only where the evaluation bar stands, so that it glides."""

    def __init__(self, thinking: Thinking, console: Console, *, flipped: bool = False) -> None:
        self.thinking = thinking
        self.flipped = flipped
        self.screen = Screen.of(console)
        self.unicode, self.has_colors = self.screen.unicode, self.screen.has_colors
        self.shown_share = 0.5

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        best = self.thinking.lines.get(1)
        target = white_share(self.thinking, best) if best else 0.5
        self.shown_share = target if self.thinking.result else (
            self.shown_share + EASING * (target - self.shown_share))
        width = min(options.max_width - MARGIN, WIDEST)
        top = beside(self.board(), self.facts(width), width)
        done = self.thinking.result is not None
        yield Panel(
            Padding(Group(self.heading(), top, Text(), self.lines()), (1 - bool(self.thinking.heading()), 2, 0, 2)),
            title=self.title(), title_align="left",
            subtitle=None if done else Text(" Ctrl-C ends the search ", style=QUIET), subtitle_align="right",
            border_style=ACCENT if not done else QUIET, width=width)

    def title(self) -> Text:
        """Who we are and whose move it is."""
        board = self.thinking.board
        title = Text.assemble((f" Barreleye {__version__} ", f"bold {ACCENT}"))
        title.append(f" move {board.fullmove_number}, {'White' if board.turn else 'Black'} to play ", style=QUIET)
        return title

    def heading(self) -> Text:
        """The game and the opening, one a line."""
        return Text("".join(f"{line}\n" for line in self.thinking.heading()), style=QUIET)

    # The board

    def board(self) -> Text:
        """Eight ranks with the evaluation bar to their left."""
        return board_text(self.thinking.board, self.screen, flipped=self.flipped, best=self.thinking.best_move(),
                          bar=self.bar)

    def bar(self, row: int) -> Text:
        """One row of the evaluation bar: white's expected points rise from white's side of the board."""
        share = 1 - self.shown_share if self.flipped else self.shown_share
        below, above = (BLACK_BAR, WHITE_BAR) if self.flipped else (WHITE_BAR, BLACK_BAR)
        filled = max(0, min(8, round(64 * share) - 8 * (7 - row)))
        if not self.unicode:
            filled = 8 * (filled >= 4)
        return Text(EIGHTHS[filled] * 2 if self.unicode else " ", style=Style(
            color=below, bgcolor=above if filled < 8 or self.unicode else below))

    # The facts

    def facts(self, width: int) -> RenderableType:
        """Score, chances, move, depth, speed, table, time."""
        thinking, best = self.thinking, self.thinking.lines.get(1)
        if best is None:
            return Text("thinking …", style=QUIET)
        head = Text()
        head.append(score_text(thinking, best), style=f"bold {ACCENT}")
        head.append(f"   {verdict(thinking, best)}")
        bar_width = max(20, min(44, width - (6 if width < NARROW else 42)))
        win, draw, loss = (share / 10 for share in wdl.white_chances(best.score, thinking.board))
        chances = Text(f"White {win:.0f} %   draw {draw:.0f} %   Black {loss:.0f} %", style=QUIET)
        rows = Table.grid(padding=(0, 2))
        for name, fact in self.numbers():
            rows.add_row(Text(name, style=QUIET), fact)
        marks = "   " if self.has_colors else "█▒░" if self.unicode else "#-."
        shares = tuple(zip((win, draw, loss), (WHITE_BAR, DRAW_BAR, BLACK_BAR), marks, strict=True))
        return Group(head, Shares(shares, bar_width), chances, Text(), rows)

    def numbers(self) -> list[tuple[str, Text]]:
        """The rows of figures, name and value."""
        thinking = self.thinking
        info = thinking.lines[1]
        moves = thinking.san(info)
        move = Text()
        move.append(moves[0] if moves else "-", style="bold")
        if len(moves) > 1:
            move.append(f"  then {moves[1]}", style=QUIET)
        depth = Text(f"{info.depth}")
        depth.append(f"  up to {info.sel_depth}", style=QUIET)
        current = thinking.current
        if current and not thinking.result and current.depth >= info.depth:
            depth.append(f"  now move {current.currmovenumber} of {thinking.board.legal_moves.count()}", style=QUIET)
        nodes = Text(f"{thinking.nodes:,}")
        nodes.append(f"  {thinking.nps / 1e6:.2f} million a second", style=QUIET)
        seconds = Text(f"{thinking.seconds:.1f} s")
        seconds.append(f"  hash {thinking.hash_permille / 10:.0f} % full", style=QUIET)
        progress = thinking.progress
        if progress is not None and not thinking.result:
            done = round(20 * progress)
            marks = "━━" if self.unicode else "=-"
            seconds.append("  ")
            seconds.append(marks[0] * done, style=ACCENT)
            seconds.append(marks[1] * (20 - done), style=BLACK_BAR if self.unicode else QUIET)
        return [("move", move), ("depth", depth), ("nodes", nodes), ("time", seconds)]

    # The lines

    def lines(self) -> RenderableType:
        """Every line with its score: a single one in full, several on one row each."""
        thinking = self.thinking
        table = Table.grid(padding=(0, 2))
        table.add_column(justify="right", no_wrap=True)
        table.add_column(ratio=1)
        several = len(thinking.lines) > 1
        for _, info in sorted(thinking.lines.items()):
            line = Text(no_wrap=several, overflow="ellipsis")
            for index, (number, move) in enumerate(numbered(thinking.board, thinking.san(info))):
                line.append(" " if index else "")
                line.append(number, style=QUIET)
                line.append(move, style="bold" if index == 0 else "")
            table.add_row(Text(score_text(thinking, info), style=ACCENT), line)
        return table


def beside(board: Text, facts: RenderableType, width: int) -> RenderableType:
    """A board with what is to be said of it: to its right, or below where there is no room."""
    if width < NARROW:
        return Group(board, Text(), facts)
    both = Table.grid(padding=(0, 3))
    both.add_row(board, facts)
    return both


class Shares:
    """A bar of parts, each with its share, colour and mark, as wide as it is told."""

    def __init__(self, parts: tuple[tuple[float, str, str], ...], width: int) -> None:
        self.parts = parts
        self.width = width

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        return Measurement(self.width, self.width)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        total = sum(share for share, _, _ in self.parts) or 1
        start, reached = 0, 0.0
        for share, color, mark in self.parts:
            reached += share
            end = round(self.width * reached / total)
            yield Segment(mark * (end - start), Style(bgcolor=color))
            start = end
        yield Segment.line()
