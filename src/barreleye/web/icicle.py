"""A recorded search laid out as an icicle: only what is a pixel wide or more, as an array of small cells.

A tree has a million visits and a screen a thousand pixels: what is too narrow to be seen is not sent. Narrow neighbours
are drawn together as one grey strip, so that no width is lost.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any
from weakref import WeakKeyDictionary

import chess

from barreleye.core.notation import move_name
from barreleye.core.recorder import EVENT_FIELDS, EVENT_FORMAT, KINDS
from barreleye.core.techniques import TECHNIQUES, index_of
from barreleye.pictures.tree import COLOURS, colour_name
from barreleye.tree import Tree, Visit
from barreleye.tree.visit import EVENT, FIELD, VISIT

# number of the visit, left edge and width in sixteenths of a pixel, row, colour, flags
CELL = struct.Struct("<IHHBBH")
FINE = 16
MOST_CELLS = 16_000             # 192 KB
ROWS = 40
NARROWEST = 1.0                 # pixels
WORTH_OPENING = 2.5             # pixels below which a visit's own visits are not looked for
LABELLED = 34.0                 # pixels that a move needs
COLLAPSED, STRIP, HAS_TECHNIQUE = 1, 2, 4
COLOUR_NAMES = tuple(COLOURS)
TECHNIQUE_OFFSET = struct.calcsize(EVENT_FORMAT[:1 + EVENT_FIELDS.index("technique")])
NUMBER, SIZE, SPAN, MOVE, ENDING, FLAGS, KIND, DEPTH = (
    FIELD[name] for name in ("number", "size", "span", "move", "ending", "flags", "kind", "depth"))
COLLAPSED_BIT = 1 << 7
ENDING_COLOURS: dict[int, int] = {}


def colour_of(tree: Tree, index: int, ending: int) -> int:
    """The number of a colour, looked up once for each way to end."""
    if ending not in ENDING_COLOURS:
        ENDING_COLOURS[ending] = COLOUR_NAMES.index(colour_name(Visit(tree, 0, index)))
    return ENDING_COLOURS[ending]


_techniques: WeakKeyDictionary[Tree, bytes] = WeakKeyDictionary()


def techniques_of(tree: Tree) -> bytes:
    """The technique of every kept decision, a byte each; gathering them takes longer than a picture may."""
    if tree not in _techniques:
        _techniques[tree] = bytes(tree.event_cells()[TECHNIQUE_OFFSET::EVENT.size])
    return _techniques[tree]


@dataclass
class Layout:
    """What is drawn of a visit, or of the whole search when there is none."""

    tree: Tree
    width: int
    technique: int | None = None
    cells: bytearray = field(default_factory=bytearray)
    labels: list[tuple[int, str]] = field(default_factory=list)         # index of a cell, and its text
    count: int = 0
    rows: int = 0

    def __post_init__(self) -> None:
        self._visits = self.tree.cells()
        self._techniques = b"" if self.technique is None else techniques_of(self.tree)

    def add(self, number: int, x: float, width: float, row: int, colour: int, flags: int) -> bool:
        """One rectangle; False when there is no room for more."""
        if self.count >= MOST_CELLS:
            return False
        left = round(x * FINE)
        self.cells += CELL.pack(number & 0xFFFFFFFF, left, max(1, round((x + width) * FINE) - left), row, colour, flags)
        self.count += 1
        self.rows = max(self.rows, row + 1)
        return True

    def draw(self, start: Visit | None) -> None:
        """Row by row, so that it is the deepest rows that are left out when there are too many rectangles."""
        board = self.tree.board() if start is None else start.board()
        level: list[tuple[int, int, float, float, chess.Board | None]]
        if start is None:
            total = self.tree.recordings[0].total
            self.add(0, 0, self.width, 0, COLOUR_NAMES.index("exact"), 0)
            self.labels.append((0, "the whole search"))
            level = [(0, self.tree.recordings[0].visit_count, 0.0, self.width / max(1, total), board)]
        else:
            scale = self.width / start.size
            cell = VISIT.unpack_from(self._visits, start.index * VISIT.size)
            self.add(start.number, 0, self.width, 0, colour_of(self.tree, start.index, cell[ENDING]),
                     self.flags(cell, start.index))
            self.labels.append((0, label(start)))
            level = [(start.index + 1, start.index + start.span, scale, scale, board)]
        for row in range(1, ROWS):
            below: list[tuple[int, int, float, float, chess.Board | None]] = []
            for first, last, x, scale, here in level:
                below += self.children(first, last, x, scale, row, here)
            if not below:
                break
            level = below

    def children(self, first: int, last: int, x: float, scale: float, row: int,
                 board: chess.Board | None) -> Iterator[tuple[int, int, float, float, chess.Board | None]]:
        """Draw the visits from one index to another; says which of them are worth a look inside."""
        strip_x, strip_number, index = x, -1, first
        while index < last:
            cell = VISIT.unpack_from(self._visits, index * VISIT.size)
            width = cell[SIZE] * scale
            if width < NARROWEST:
                if strip_number < 0:
                    strip_x, strip_number = x, cell[NUMBER]
            else:
                self.strip(strip_number, strip_x, x, row)
                strip_number = -1
                if not self.add(cell[NUMBER], x, width, row, colour_of(self.tree, index, cell[ENDING]),
                                self.flags(cell, index)):
                    return
                below = self.named(cell, board) if width >= LABELLED else None
                if width >= WORTH_OPENING and cell[SPAN] > 1:
                    yield index + 1, index + cell[SPAN], x + scale, scale, below
            x += width
            index += cell[SPAN]
        self.strip(strip_number, strip_x, x, row)

    def strip(self, number: int, left: float, right: float, row: int) -> None:
        """Neighbours that are too narrow to be drawn one by one."""
        if number >= 0 and right - left >= NARROWEST:
            self.add(number, left, right - left, row, COLOUR_NAMES.index("other"), STRIP)

    def named(self, cell: tuple[int, ...], board: chess.Board | None) -> chess.Board | None:
        """Write a move on the rectangle drawn last; the board after it, for the moves within."""
        if not cell[MOVE]:
            kind = KINDS[cell[KIND]]
            self.labels.append((self.count - 1, f"depth {cell[DEPTH]}" if kind == "window" else kind))
            return board
        name = move_name(cell[MOVE], self.tree.chess960)
        if board is None:
            return None
        after = board.copy(stack=False)
        move = chess.Move.from_uci(name)
        self.labels.append((self.count - 1, board.san(move) if move else "pass"))
        after.push(move)
        return after

    def flags(self, cell: tuple[int, ...], index: int) -> int:
        """What else the page wants to know of a rectangle."""
        flags = COLLAPSED if cell[FLAGS] & COLLAPSED_BIT else 0
        if self.technique is not None:
            first, last = self.tree.recordings[0].events_within(index)
            if self._techniques.find(self.technique, first, last) >= 0:
                flags |= HAS_TECHNIQUE
        return flags


def label(visit: Visit) -> str:
    """What stands on the first rectangle."""
    if visit.kind == "window":
        return f"depth {visit.depth}"
    if visit.move == "0000":
        return "pass"
    if visit.move is None:
        return visit.kind
    board = visit.board()
    move = board.pop()
    return str(board.san(move))


def picture(tree: Tree, start: Visit | None, width: int, technique: str = "") -> tuple[dict[str, Any], bytes]:
    """The icicle of a visit or of the whole search: what to know of it, and its rectangles."""
    layout = Layout(tree, width, index_of(technique) if technique else None)
    layout.draw(start)
    return {"count": layout.count, "rows": layout.rows, "labels": layout.labels, "width": width,
            "node": None if start is None else start.number}, bytes(layout.cells)


def legend() -> list[dict[str, str]]:
    """The colours and what they say, in the order of their numbers."""
    return [{"name": name, "colour": colour, "text": text} for name, (colour, text) in COLOURS.items()]


def decisive() -> list[str]:
    """The techniques whose decisions are recorded."""
    from barreleye.tree.words import BEGUN, WORKED

    return [technique.name for technique in TECHNIQUES if technique.name in WORKED or technique.name in BEGUN]
