"""A search written down: every visit of a node and every decision in it, with the numbers that were compared.

Visits stand in the order in which they began, so that all that lies within one follows it; each has the exact number of
visits within, whether they are kept or not. Events stand in the order in which they happened, each with the number of
its visit. When the budget is used up, what lies within the smallest visits is given up, all over the tree alike.
"""
import struct

import cython
from cython.cimports.barreleye.core.bitboard import expect
from cython.cimports.barreleye.core.move import NO_MOVE
from cython.cimports.barreleye.core.recorder import (
    BEGUN, COLLAPSE_START, CONFIRMED, ENDED_EXACT, ENDED_FAIL_HIGH, ENDED_FAIL_LOW, ENDED_STOPPED, ENDED_UNKNOWN,
    FIRST_ROOM, FLAG_COLLAPSED, KIND_COUNT, LEAST_BUDGET, MAX_OPEN, MAX_PREFIX, NO_VISIT, WINDOW, WORKED,
    Event, Filter, OpenVisit, Outcome, Recorder, Recording, Relation, Visit, collapse_small, drop_events, drop_visits,
    ends_node, find_visit, first_event, grow, grow_events, grow_visits, is_wanted, measure_spans, open_visit,
)
from cython.cimports.barreleye.core.techniques import Technique
from cython.cimports.barreleye.core.types import Move
from cython.cimports.cpython.buffer import Py_buffer, PyBuffer_FillInfo
from cython.cimports.libc.stdint import uint64_t
from cython.cimports.libc.stdlib import free, realloc
from cython.cimports.libc.string import memcpy, memset

from barreleye.core.techniques import index_of

ALWAYS = (1 << 64) - 1
# What the numbers in a visit and an event mean, in the order of the enums in the header.
KINDS = ("reduced", "again", "scout", "pass", "verify", "singular", "capture", "razor", "leaf", "first", "open",
         "open leaf", "window")
ENDINGS = ("fail low", "exact", "fail high", "stand pat", "draw", "repetition", "mate", "stalemate", "alone",
           "too deep", "stopped", "unknown")
FIRST_ENDING = cython.cast(cython.int, ENDED_FAIL_LOW)
FLAGS = ("cut_node", "in_check", "improving", "worsening", "table_hit", "former_pv", "quiescence", "collapsed")
OUTCOMES = ("worked", "begun", "confirmed", "repeated")
RELATIONS = ("", ">=", ">", "<=", "<", "exchange <")
VISIT_FORMAT = "<QQQQQII11h4H3H4B"
EVENT_FORMAT = "<QiiIHBB"
VISIT_FIELDS = ("number", "parent", "size", "key", "nodes", "span", "events", "alpha", "beta", "value", "evaluation",
                "static_eval", "estimate", "tt_value", "tt_depth", "depth", "depth_left", "ply", "move", "best_move",
                "tt_move", "excluded", "flags", "move_number", "line", "kind", "ending", "iteration", "reserved")
EVENT_FIELDS = ("visit", "left", "right", "after", "move", "technique", "what")

if (len(KINDS) != cython.cast(cython.int, KIND_COUNT) or struct.calcsize(VISIT_FORMAT) != cython.sizeof(Visit)
        or struct.calcsize(EVENT_FORMAT) != cython.sizeof(Event)
        or FIRST_ENDING + len(ENDINGS) != cython.cast(cython.int, ENDED_UNKNOWN) + 1):
    raise ImportError("recorder.py and recorder.pxd describe different cells")


class Recording:
    """What one thread's search wrote down, as bytes: visits of 88 each, events of 24. It grows while it searches.

    first and last are numbers of visits, path the numbers of those that the first belongs to; plies, iterations and a
    prefix of moves say what is kept, the rest is counted only. techniques names those whose events are
    wanted.
    """

    def __cinit__(self, budget: int = 256 << 20, first: int = 0, last: int = ALWAYS, path: tuple = (),
                  plies: int = 1 << 30, iterations: tuple = (0, 1 << 30), prefix: tuple = (),
                  techniques: tuple = None):
        if budget < LEAST_BUDGET:
            raise ValueError(f"a budget of {budget} bytes is too small: at least {LEAST_BUDGET}")
        if len(prefix) > MAX_PREFIX:
            raise ValueError(f"a line of {len(prefix)} moves is too long to look for: at most {MAX_PREFIX}")
        memset(cython.address(self.recorder), 0, cython.sizeof(Recorder))
        self.recorder.budget = budget
        self.recorder.window = NO_VISIT
        wanted: cython.pointer[Filter] = cython.address(self.recorder.filter)
        wanted.first = first
        wanted.last = last
        wanted.path_length = min(len(path), MAX_OPEN)
        wanted.plies = plies
        wanted.first_iteration, wanted.last_iteration = iterations
        wanted.prefix_length = len(prefix)
        index: cython.int
        for index in range(wanted.path_length):
            wanted.path[index] = path[index]
        for index in range(wanted.prefix_length):
            wanted.prefix[index] = prefix[index]
        wanted.techniques = ALWAYS if techniques is None else sum({1 << index_of(name) for name in techniques})

    def __dealloc__(self):
        free(self.recorder.visits)
        free(self.recorder.events)

    @property
    def total(self) -> int:
        """Visits of the search, kept or not."""
        return self.recorder.entered

    @property
    def visit_count(self) -> int:
        """Visits that are kept."""
        return self.recorder.visit_count

    @property
    def event_count(self) -> int:
        """Events that are kept."""
        return self.recorder.event_count

    @property
    def collapse(self) -> int:
        """Visits of up to so many visits were given up for want of room; 0 when none was."""
        return self.recorder.collapse

    def __reduce__(self):
        return restored, (bytes(self.visits()), bytes(self.events()), self.total, self.collapse)

    def seal(self) -> None:
        """The search is over: from now on it may be looked at."""
        self.is_sealed = True

    def visits(self) -> memoryview:
        """The visits that are kept, as they lie in memory and in files."""
        return memoryview(Cells(self, False))

    def events(self) -> memoryview:
        """The events that are kept, as they lie in memory and in files."""
        return memoryview(Cells(self, True))

    def find(self, number: int) -> int:
        """Where among the kept visits the one with this number stands, or the one that it was given up with."""
        r: cython.pointer[Recorder] = cython.address(self.recorder)
        place: cython.size_t = find_visit(r, number)
        if place == r.visit_count or r.visits[place].number + r.visits[place].size <= number:
            raise IndexError(f"visit {number} was not recorded")
        return place

    def events_within(self, index: int) -> tuple:
        """Where the events of a kept visit and of all within it begin and end."""
        r: cython.pointer[Recorder] = cython.address(self.recorder)
        visit: cython.pointer[Visit] = r.visits + cython.cast(cython.size_t, index)
        first: cython.size_t = first_event(r, visit.number + 1)
        last: cython.size_t = first_event(r, visit.number + visit.size)
        while (last < r.event_count and r.events[last].visit + 1 + r.events[last].after == visit.number + visit.size
               and r.events[last].visit >= visit.number):
            last += 1
        return first, max(first, last)

    def own_events(self, index: int) -> list:
        """Where the events of a kept visit itself stand."""
        first: cython.size_t
        last: cython.size_t
        first, last = self.events_within(index)
        number: uint64_t = self.recorder.visits[cython.cast(cython.size_t, index)].number
        return [place for place in range(first, last)
                if self.recorder.events[cython.cast(cython.size_t, place)].visit == number]


def restored(visits: bytes, events: bytes, total: int, collapse: int) -> Recording:
    """A recording from its bytes, to be read as it was where it came from."""
    recording: Recording = Recording(max(LEAST_BUDGET, len(visits) + len(events)))
    r: cython.pointer[Recorder] = cython.address(recording.recorder)
    r.visits = cython.cast(cython.pointer[Visit], realloc(cython.NULL, len(visits) + 1))
    r.events = cython.cast(cython.pointer[Event], realloc(cython.NULL, len(events) + 1))
    if r.visits == cython.NULL or r.events == cython.NULL:
        raise MemoryError
    memcpy(r.visits, cython.cast(cython.p_char, visits), len(visits))
    memcpy(r.events, cython.cast(cython.p_char, events), len(events))
    r.visit_count = r.visit_room = len(visits) // cython.sizeof(Visit)
    r.event_count = r.event_room = len(events) // cython.sizeof(Event)
    r.entered = total
    r.collapse = collapse
    recording.seal()
    return recording


class Cells:
    """One of the two lists of a recording, for those who read memory."""

    def __cinit__(self, recording: Recording, events: cython.bint):
        if not recording.is_sealed:
            raise RuntimeError("a recording can be read when its search is over")
        self.recording = recording
        r: cython.pointer[Recorder] = cython.address(recording.recorder)
        self.start = (cython.cast(cython.p_void, r.events) if events else cython.cast(cython.p_void, r.visits))
        self.length = r.event_count * cython.sizeof(Event) if events else r.visit_count * cython.sizeof(Visit)

    def __getbuffer__(self, buffer: cython.pointer[Py_buffer], flags: cython.int):
        PyBuffer_FillInfo(buffer, self, self.start if self.length else cython.cast(cython.p_void, b""), self.length,
                          True, flags)

    def __releasebuffer__(self, buffer: cython.pointer[Py_buffer]):
        pass


def first_event(r: cython.pointer[Recorder], time: uint64_t) -> cython.size_t:
    """Where the first event stands before which so many visits had begun."""
    low: cython.size_t = 0
    high: cython.size_t = r.event_count
    while low < high:
        middle: cython.size_t = (low + high) // 2
        if r.events[middle].visit + 1 + r.events[middle].after < time:
            low = middle + 1
        else:
            high = middle
    return low


def enter_visit(r: cython.pointer[Recorder], cell: cython.pointer[Visit], hand: cython.pointer[Move]) -> cython.void:
    """A visit begins. The caller knows its window, move and position; where it stands is found here."""
    number: uint64_t = r.entered
    r.entered += 1
    if cell.kind == WINDOW:
        r.window = number
    parent: cython.pointer[OpenVisit] = r.open + max(0, r.depth_open - 1)
    if (r.skipped or (r.depth_open and not parent.is_kept) or number >= r.filter.last
            or (number < r.filter.first and r.filter.path_length > 0
                and (r.depth_open >= r.filter.path_length or number != r.filter.path[r.depth_open]))
            or (r.visit_count == r.visit_room and not grow_visits(r))):
        r.skipped += 1
        return
    expect(r.depth_open < MAX_OPEN)
    opened: cython.pointer[OpenVisit] = r.open + r.depth_open
    cell.number = number
    cell.parent = parent.number if r.depth_open else NO_VISIT
    cell.size = 0
    cell.span = 1
    cell.events = 0
    cell.ending = ENDED_UNKNOWN
    opened.number = number
    opened.cell = r.visit_count
    opened.events = r.event_count
    opened.hand = hand
    opened.is_kept = is_wanted(r, cell)
    r.visits[r.visit_count] = cell[0]
    r.visit_count += 1
    r.depth_open += 1


def is_wanted(r: cython.pointer[Recorder], cell: cython.pointer[Visit]) -> cython.bint:
    """Whether what lies within a visit shall be kept."""
    wanted: cython.pointer[Filter] = cython.address(r.filter)
    if cell.iteration < wanted.first_iteration or cell.iteration > wanted.last_iteration or cell.ply >= wanted.plies:
        return False
    return (cell.ply == 0 or cell.ply > wanted.prefix_length or cell.move == NO_MOVE
            or cell.move == wanted.prefix[cell.ply - 1])


def leave_visit(r: cython.pointer[Recorder], value: cython.int, was_stopped: cython.bint) -> cython.void:
    """A visit ends with this value; only now it is known whether it is large enough to be kept whole."""
    if r.skipped:
        r.skipped -= 1
        return
    expect(r.depth_open > 0)
    r.depth_open -= 1
    opened: cython.pointer[OpenVisit] = r.open + r.depth_open
    cell: cython.pointer[Visit] = r.visits + opened.cell
    cell.size = r.entered - opened.number
    cell.value = value
    if was_stopped:
        cell.ending = ENDED_STOPPED
    elif cell.ending == ENDED_UNKNOWN:
        cell.ending = (ENDED_FAIL_HIGH if value >= cell.beta else ENDED_EXACT if value > cell.alpha
                       else ENDED_FAIL_LOW)
    if r.entered <= r.filter.first:                    # all of it came before what is wanted
        r.visit_count = opened.cell
        r.event_count = opened.events
        return
    if cell.size <= r.collapse or not opened.is_kept:
        r.visit_count = opened.cell + 1
        r.event_count = opened.events
        cell.events = 0
        cell.flags |= FLAG_COLLAPSED
    cell.span = r.visit_count - opened.cell


def note_event(r: cython.pointer[Recorder], technique: Technique, outcome: Outcome, relation: Relation,
               left: cython.int, right: cython.int) -> cython.void:
    """A decision of the visit being written; between two visits of the root, of the last one or the one to come."""
    if r.skipped:
        return
    cell: cython.pointer[Visit] = open_visit(r)
    owner: uint64_t
    if cell == cython.NULL:
        owner = r.entered if outcome == BEGUN else r.window
        if owner < r.filter.first or owner >= r.filter.last:
            return
    else:
        owner = cell.number
        if (outcome == WORKED or outcome == CONFIRMED) and ends_node(technique):
            cell.ending = cython.cast(cython.uchar, technique)
        if not r.open[r.depth_open - 1].is_kept:
            return
    if not r.filter.techniques >> cython.cast(cython.int, technique) & 1:
        return
    if r.event_count == r.event_room and not grow_events(r):
        return
    cell = open_visit(r)                               # it may have moved
    event: cython.pointer[Event] = r.events + r.event_count
    event.visit = owner
    event.left = left
    event.right = right
    event.after = cython.cast(cython.uint, r.entered - owner - 1) if r.entered > owner else 0
    event.move = r.open[r.depth_open - 1].hand[0] if cell != cython.NULL else NO_MOVE
    event.technique = cython.cast(cython.uchar, technique)
    event.what = cython.cast(cython.uchar, cython.cast(cython.int, outcome) + 8 * cython.cast(cython.int, relation))
    if cell != cython.NULL:
        cell.events += 1
    r.event_count += 1


def end_visit(r: cython.pointer[Recorder], ending: cython.int) -> cython.void:
    """Say how the visit being written ends, where its value does not tell."""
    cell: cython.pointer[Visit] = open_visit(r)
    if cell != cython.NULL:
        cell.ending = cython.cast(cython.uchar, ending)


def grow(r: cython.pointer[Recorder], cells: cython.pp_void, room: cython.pointer[cython.size_t], cell: cython.size_t,
         others: cython.size_t) -> cython.bint:
    """Give a list twice its room, or what the budget leaves beside the other; False when nothing is left."""
    left: cython.size_t = (r.budget - others) // cell if r.budget > others else 0
    wanted: cython.size_t = min(max(2 * room[0], cython.cast(cython.size_t, FIRST_ROOM)), left)
    moved: cython.p_void = cython.NULL
    if wanted > room[0]:
        moved = realloc(cells[0], wanted * cell)
    if moved == cython.NULL:
        return False
    cells[0] = moved
    room[0] = wanted
    return True


def grow_visits(r: cython.pointer[Recorder]) -> cython.bint:
    """Make room for another visit, within the budget; False when there is no memory at all."""
    if not grow(r, cython.cast(cython.pp_void, cython.address(r.visits)), cython.address(r.visit_room),
                cython.sizeof(Visit), r.event_room * cython.sizeof(Event)):
        collapse_small(r)
    return r.visit_count < r.visit_room


def grow_events(r: cython.pointer[Recorder]) -> cython.bint:
    """Make room for another event, within the budget; False when there is no memory at all."""
    if not grow(r, cython.cast(cython.pp_void, cython.address(r.events)), cython.address(r.event_room),
                cython.sizeof(Event), r.visit_room * cython.sizeof(Visit)):
        collapse_small(r)
    return r.event_count < r.event_room


def collapse_small(r: cython.pointer[Recorder]) -> cython.void:
    """Give up what lies within the smallest visits until half of the budget is free again, and share it out anew."""
    used: cython.size_t = r.budget
    while used > r.budget // 2 and r.collapse < r.entered:
        r.collapse = 2 * r.collapse if r.collapse else COLLAPSE_START
        drop_visits(r)
        drop_events(r)
        measure_spans(r)
        used = r.visit_count * cython.sizeof(Visit) + r.event_count * cython.sizeof(Event)
    moved: cython.p_void = realloc(r.visits, (2 * r.visit_count + 1) * cython.sizeof(Visit))
    if moved != cython.NULL:
        r.visits = cython.cast(cython.pointer[Visit], moved)
        r.visit_room = 2 * r.visit_count + 1
    moved = realloc(r.events, (2 * r.event_count + 1) * cython.sizeof(Event))
    if moved != cython.NULL:
        r.events = cython.cast(cython.pointer[Event], moved)
        r.event_room = 2 * r.event_count + 1


def drop_visits(r: cython.pointer[Recorder]) -> cython.void:
    """Close the ranks of the visits that are kept."""
    opened: cython.int = 0
    kept: cython.size_t = 0
    index: cython.size_t = 0
    while index < r.visit_count:
        step: cython.size_t = 1
        cell: cython.pointer[Visit] = r.visits + kept
        cell[0] = r.visits[index]
        if opened < r.depth_open and r.open[opened].cell == index:
            r.open[opened].cell = kept
            opened += 1
        elif cell.size <= r.collapse:
            step = cell.span
            cell.span = 1
            cell.events = 0
            cell.flags |= FLAG_COLLAPSED
        kept += 1
        index += step
    r.visit_count = kept


def drop_events(r: cython.pointer[Recorder]) -> cython.void:
    """Close the ranks of the events whose visits are kept whole, or lie outside of all."""
    kept: cython.size_t = 0
    index: cython.size_t
    opened: cython.int = 0
    for index in range(r.event_count):
        while opened < r.depth_open and r.open[opened].events == index:
            r.open[opened].events = kept
            opened += 1
        place: cython.size_t = find_visit(r, r.events[index].visit)
        if place == r.visit_count or not r.visits[place].flags & FLAG_COLLAPSED:
            r.events[kept] = r.events[index]
            kept += 1
    while opened < r.depth_open:
        r.open[opened].events = kept
        opened += 1
    r.event_count = kept


def find_visit(r: cython.pointer[Recorder], number: uint64_t) -> cython.size_t:
    """Where the visit with this number stands, or the one that it was given up with; the count if it is to come."""
    low: cython.size_t = 0
    high: cython.size_t = r.visit_count
    while low < high:
        middle: cython.size_t = (low + high) // 2
        if r.visits[middle].number <= number:
            low = middle + 1
        else:
            high = middle
    if low == 0 or number >= r.entered:
        return r.visit_count
    return low - 1


def measure_spans(r: cython.pointer[Recorder]) -> cython.void:
    """Count again how many visits are kept within each; for those that are still open this waits until they end."""
    path: cython.size_t[MAX_OPEN]
    depth: cython.int = 0
    opened: cython.int = 0
    index: cython.size_t
    for index in range(r.visit_count + 1):
        while depth > 0 and (index == r.visit_count or r.visits[path[depth - 1]].number + r.visits[path[depth - 1]].size
                             <= r.visits[index].number):
            depth -= 1
            r.visits[path[depth]].span = index - path[depth]
        if index == r.visit_count:
            break
        if opened < r.depth_open and r.open[opened].cell == index:
            opened += 1                                # holds whatever comes
            continue
        path[depth] = index
        depth += 1
