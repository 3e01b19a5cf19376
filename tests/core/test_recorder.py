"""A recording tells what the search did, all of it and nothing else, and changes nothing."""

import random
import struct
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import chess
import pytest
from tests.core.monsters import MOST_MOVES, ordinary

from barreleye import nets, syzygy_files
from barreleye.core.notation import move_name
from barreleye.core.pool import Pool
from barreleye.core.position import Position
from barreleye.core.recorder import (
    ENDINGS,
    EVENT_FIELDS,
    EVENT_FORMAT,
    FIRST_ENDING,
    KINDS,
    OUTCOMES,
    RELATIONS,
    VISIT_FIELDS,
    VISIT_FORMAT,
    Recording,
)
from barreleye.core.techniques import DEFAULT_MASK, TECHNIQUES

NODES = 400
NO_VISIT = (1 << 64) - 1
Visit = NamedTuple("Visit", [(name, int) for name in VISIT_FIELDS])                # type: ignore[misc]
Event = NamedTuple("Event", [(name, int) for name in EVENT_FIELDS])                # type: ignore[misc]
# What orders moves, learns or evaluates decides nothing in the tree: it is counted only.
BEGUN = ("Null Move", "Null Verification", "ProbCut", "Singular Extension", "Late Move Reduction", "Tablebases",
         "Aspiration")
SILENT = {technique.name for technique in TECHNIQUES
          if technique.item in ("histories", "ordering", "table", "evaluation")} | {"Draw Randomisation"}


@dataclass(frozen=True)
class Place:
    """A position to search, and how."""

    fen: str
    chess960: bool = False
    multipv: int = 1
    tables: bool = False


def places(count: int) -> Iterator[Place]:
    """Positions of all kinds: from random games, Chess960, in check, with many moves, several lines."""
    chance = random.Random(7)
    for number, fen in enumerate(ordinary(count // 2)):
        yield Place(fen, multipv=3 if number % 5 == 0 else 1)
    yield Place(MOST_MOVES)
    for _ in range(count // 4):
        board = chess.Board.from_chess960_pos(chance.randrange(960))
        for _ in range(chance.randrange(30)):
            if moves := list(board.legal_moves):
                board.push(chance.choice(moves))
        if any(board.legal_moves):
            yield Place(board.fen(shredder=True), chess960=True)
    found = 0
    while found < count // 4:
        board = chess.Board()
        for _ in range(80):
            if not (moves := list(board.legal_moves)):
                break
            board.push(chance.choice([move for move in moves if board.gives_check(move)] or moves))
            if board.is_check() and any(board.legal_moves):
                found += 1
                yield Place(board.fen())
                break


def endings() -> Iterator[Place]:
    """Positions that the tables know, and some a capture away."""
    for fen in ("8/8/8/8/8/2k5/8/KQ6 w - - 0 1", "8/8/4k3/8/8/2KR4/8/8 b - - 0 1", "8/3k4/8/3P4/3K4/8/8/8 w - - 0 1",
                "8/8/3k4/3r4/3P4/3K4/3B4/8 w - - 0 1", "4k3/8/8/8/2n5/8/1PKN4/8 w - - 0 1",
                "8/2p5/8/1P1k4/8/4K3/8/8 w - - 0 1"):
        yield Place(fen, tables=True)


@pytest.fixture(scope="module")
def pool() -> Pool:
    return Pool(2, 1, nets.load_default())


def search(pool: Pool, place: Place, recording: Recording | None = None, **limits: int) -> tuple[Any, dict[str, Any]]:
    """The answer and the counters of a search from a clean start."""
    pool.new_game()
    pool.set_multipv(place.multipv)
    pool.set_recordings(None if recording is None else [recording])
    best, _, info = pool.search(Position(place.fen, place.chess960), limits or {"nodes": NODES})
    stats = pool.stats()
    pool.set_recordings(None)
    return (best, info.score, info.pv, info.depth), stats


def visits_of(recording: Recording) -> list[Any]:
    return [Visit(*cell) for cell in struct.iter_unpack(VISIT_FORMAT, recording.visits())]


def events_of(recording: Recording) -> list[Any]:
    return [Event(*cell) for cell in struct.iter_unpack(EVENT_FORMAT, recording.events())]


def check_sizes(visits: list[Any], total: int) -> None:
    """Every visit is as large as those within it and itself; all together are the search."""
    inside: Counter[int] = Counter()
    for visit in reversed(visits):
        if visit.span > 1:
            assert visit.size == 1 + inside[visit.number]
        assert visit.size >= visit.span >= 1
        inside[visit.parent] += visit.size
    assert inside[NO_VISIT] == total


def check_counts(events: list[Any], stats: dict[str, Any]) -> None:
    """The events of a technique are what its counters say."""
    seen = Counter((TECHNIQUES[event.technique].name, OUTCOMES[event.what & 7]) for event in events)
    for name, counted in stats["techniques"].items():
        told = {outcome: seen[name, outcome] for outcome in OUTCOMES}
        if name in SILENT:
            assert not any(told.values()), name
            continue
        assert counted["tried"] >= told["worked"] + told["begun"], name
        assert name not in BEGUN or counted["tried"] == told["begun"], name
        assert counted["succeeded"] == told["worked"] + told["confirmed"], name
        assert counted["researched"] == told["repeated"], name


def check_truth(place: Place, visits: list[Any], events: list[Any]) -> None:
    """Every line leads by legal moves to the recorded position, and every inequality holds."""
    by_visit: dict[int, list[Any]] = {}
    for event in events:
        by_visit.setdefault(event.visit, []).append(event)
    position = Position(place.fen, place.chess960)
    path: list[Any] = []
    for visit in visits:
        while path and visit.number >= path[-1].number + path[-1].size:
            if path.pop().move:
                position.pop()
        assert visit.parent == (path[-1].number if path else NO_VISIT)
        if visit.move == 65:
            position.push_null()
        elif visit.move:
            position.push(move_name(visit.move, place.chess960))
        path.append(visit)
        assert position.key == visit.key
        assert KINDS[visit.kind] == "window" or path[-2].ply + bool(visit.move) == visit.ply
        for event in by_visit.get(visit.number, ()):
            check_relation(position, event, place.chess960)


def check_relation(position: Position, event: Any, chess960: bool) -> None:
    outcome, relation = OUTCOMES[event.what & 7], RELATIONS[event.what >> 3]
    if event.move:
        assert position.is_legal(move_name(event.move, chess960))
    if outcome == "begun":
        return
    holds = {"": lambda: True, ">=": lambda: event.left >= event.right, ">": lambda: event.left > event.right,
             "<=": lambda: event.left <= event.right, "<": lambda: event.left < event.right,
             "exchange <": lambda: not position.see(move_name(event.move, chess960), event.left)}
    assert holds[relation](), event


def check_all(pool: Pool, place: Place) -> Counter[str]:
    """Everything that must be true of the recording of one search; says how its visits ended."""
    plain = search(pool, place)
    whole, small = Recording(), Recording(plies=3, techniques=("Futility",))
    assert all(search(pool, place, recording) == plain for recording in (whole, small))
    visits, events = visits_of(whole), events_of(whole)
    assert whole.total == len(visits) == plain[1]["main_nodes"] + plain[1]["quiescence_nodes"]
    assert [visit.number for visit in visits] == list(range(len(visits)))
    assert all(visit.size == visit.span for visit in visits)
    check_sizes(visits, whole.total)
    check_counts(events, plain[1])
    check_truth(place, visits, events)
    # Filtered, all sizes are the same.
    check_sizes(visits_of(small), whole.total)
    sizes = {visit.number: visit.size for visit in visits}
    assert all(visit.size == sizes[visit.number] and visit.ply <= 3 for visit in visits_of(small))
    assert {TECHNIQUES[event.technique].name for event in events_of(small)} <= {"Futility"}
    return Counter(ENDINGS[visit.ending - FIRST_ENDING] if visit.ending >= FIRST_ENDING
                   else TECHNIQUES[visit.ending].name for visit in visits)


def test_recordings_are_true(pool: Pool):
    endings: Counter[str] = Counter()
    for place in places(200):
        endings += check_all(pool, place)
    # The checks above have seen something.
    for name in ("fail low", "fail high", "exact", "stand pat", "draw", "mate", "stopped", "TT Cutoff", "Futility",
                 "Null Move", "Mate Distance"):
        assert endings[name], name
    assert not endings["unknown"]


def test_recordings_with_tables_are_true(data_dir):
    pool = Pool(2, 1, nets.load_default())
    pool.set_tables(syzygy_files.open_tables(str(data_dir / "syzygy"), print))
    endings_seen: Counter[str] = Counter()
    for place in endings():
        endings_seen += check_all(pool, place)
    assert endings_seen["Tablebases"]


def test_every_deciding_technique_is_seen(pool: Pool):
    """With those on that are off by default, and deep enough for all of them."""
    seen: Counter[str] = Counter()
    for number in range(len(TECHNIQUES)):
        if not DEFAULT_MASK >> number & 1:
            pool.switch(number, True)
    for fen in ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
                "r1bq1rk1/pp2nppp/2n1p3/2ppP3/3P4/P1PB1N2/2P2PPP/R1BQK2R w KQ - 1 10",
                "8/8/1p1r1k2/p1pPN1p1/P3KnP1/1P6/8/3R4 b - - 0 1",
                "2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - 0 1",
                "r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1"):             # a mate in three
        recording = Recording()
        _, stats = search(pool, Place(fen), recording, nodes=12_000)
        events = events_of(recording)
        check_counts(events, stats)
        check_truth(Place(fen), visits_of(recording), events)
        seen += Counter(TECHNIQUES[event.technique].name for event in events)
    for number in range(len(TECHNIQUES)):
        pool.switch(number, bool(DEFAULT_MASK >> number & 1))
    missing = {technique.name for technique in TECHNIQUES} - SILENT - set(seen)
    assert missing <= {"Tablebases", "Null Verification"}


def test_a_small_budget_keeps_every_size(pool: Pool):
    place = Place("r1bq1rk1/pp2nppp/2n1p3/2ppP3/3P4/P1PB1N2/2P2PPP/R1BQK2R w KQ - 1 10")
    plain, small = Recording(budget=1 << 28), Recording(budget=1 << 20)
    answers = [search(pool, place, recording, nodes=60_000) for recording in (plain, small)]
    assert answers[0] == answers[1] == search(pool, place, nodes=60_000)
    assert plain.collapse == 0 < small.collapse
    assert 88 * small.visit_count + 24 * small.event_count <= 1 << 20
    all_visits, kept = {visit.number: visit for visit in visits_of(plain)}, visits_of(small)
    assert small.total == plain.total
    check_sizes(kept, plain.total)
    for visit in kept:
        collapsed = visit.flags >> 7 & 1
        assert collapsed == (visit.size <= small.collapse)
        assert visit.span == 1 if collapsed else True
        known = all_visits[visit.number]
        assert visit._replace(flags=visit.flags & ~128, span=known.span, events=known.events) == known
    kept_whole = {visit.number for visit in kept if not visit.flags >> 7 & 1}
    assert events_of(small) == [event for event in events_of(plain) if event.visit in kept_whole]


def check_replay(pool: Pool, place: Place, nodes: int, chance: random.Random, count: int) -> None:
    """Parts of a search recorded by searching again are those of the whole record, byte for byte."""
    whole = Recording()
    search(pool, place, whole, nodes=nodes)
    visits = visits_of(whole)
    parents = {visit.number: visit.parent for visit in visits}
    for index in [0, *(chance.randrange(len(visits)) for _ in range(count))]:
        visit = visits[index]
        path: list[int] = []
        number = visit.parent
        while number != NO_VISIT:
            path.insert(0, number)
            number = parents[number]
        part = Recording(first=visit.number, last=visit.number + visit.size, path=tuple(path))
        search(pool, place, part, nodes=nodes)
        begin = part.find(visit.number)
        assert part.visits()[88 * begin:] == whole.visits()[88 * index:88 * (index + visit.size)]
        mine, theirs = part.events_within(begin), whole.events_within(index)
        assert (part.events()[24 * mine[0]:24 * mine[1]] == whole.events()[24 * theirs[0]:24 * theirs[1]])
        assert part.visit_count == visit.size + len(path)


def test_a_part_searched_again_is_the_same_byte_for_byte(pool: Pool):
    chance = random.Random(3)
    for place in [*places(8), Place(chess.STARTING_FEN, multipv=4)]:
        check_replay(pool, place, 3000, chance, 6)
    for place in places(200):
        check_replay(pool, place, NODES, chance, 1)


def test_a_stopped_search_closes_its_visits(pool: Pool):
    chance = random.Random(5)
    for number, place in enumerate(places(200)):
        recording = Recording()
        _, stats = search(pool, place, recording, nodes=(1, 7, 50, chance.randrange(1, NODES))[number % 4])
        check_sizes(visits_of(recording), stats["main_nodes"] + stats["quiescence_nodes"])


def test_filters_keep_what_they_say(pool: Pool):
    place = Place(chess.STARTING_FEN)
    whole = Recording()
    search(pool, place, whole, nodes=5000)
    sizes = {visit.number: visit.size for visit in visits_of(whole)}
    prefix = [Position().move_number("e2e4"), 0]
    after = Position()
    after.push("e2e4")
    prefix[1] = after.move_number("e7e5")
    line = Recording(prefix=tuple(prefix))
    search(pool, place, line, nodes=5000)
    for visit in visits_of(line):
        assert visit.size == sizes[visit.number]
        if visit.ply == 1:
            assert visit.span == 1 or visit.move in (prefix[0], 0)
        if visit.ply == 2:
            assert visit.span == 1 or visit.move in (prefix[1], 0)
    assert any(visit.ply > 3 for visit in visits_of(line))
    some = Recording(iterations=(4, 5))
    search(pool, place, some, nodes=5000)
    assert {visit.iteration for visit in visits_of(some) if visit.span > 1} == {4, 5}
    middle = Recording(first=1000, last=2000)
    search(pool, place, middle, nodes=5000)
    numbers = [visit.number for visit in visits_of(middle)]
    assert set(range(1000, 2000)) <= set(numbers) and numbers[-1] == 1999


def test_two_threads_write_a_recording_each():
    pool = Pool(2, 2, nets.load_default())
    recordings = [Recording(), Recording()]
    pool.set_recordings(recordings)
    pool.search(Position(), {"nodes": 20_000})
    stats = pool.stats()
    pool.set_recordings(None)
    assert sum(recording.total for recording in recordings) == stats["main_nodes"] + stats["quiescence_nodes"]
    for recording in recordings:
        check_sizes(visits_of(recording), recording.total)


def test_what_cannot_be_recorded():
    with pytest.raises(ValueError, match="too small"):
        Recording(budget=10)
    with pytest.raises(ValueError, match="not a technique"):
        Recording(techniques=("Magic",))
    with pytest.raises(ValueError, match="too long"):
        Recording(prefix=(1,) * 100)
    with pytest.raises(RuntimeError, match="over"):
        Recording().visits()
