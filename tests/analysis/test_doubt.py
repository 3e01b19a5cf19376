"""Second looks at positions that the next one contradicts."""

from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from tests.analysis.conftest import looked_at

from barreleye.analysis import doubt, many
from barreleye.analysis.chunks import of_pgn
from barreleye.analysis.doubt import MORE, is_doubtful, settle
from barreleye.analysis.games import read_games
from barreleye.analysis.judgement import Judgement
from barreleye.analysis.many import analyse_many
from barreleye.analysis.record import Line, Record
from barreleye.analysis.review import review
from barreleye.analysis.workers import Workers

FAMOUS = Path(__file__).with_name("famous.pgn")


def record(cp, best, white, mate=None):
    return Record(0, 0, 0, f"8/8/8/8/8/8/8/8 {'w' if white else 'b'} - - 0 1", 1, 1,
                  (Line(None if mate else cp, mate, (best,), 1, True),))


@pytest.mark.parametrize(("before", "after", "played", "expected"), [
    (50, 40, "e2e4", False), (300, 0, "e2e4", True), (300, 0, "d2d4", False), (0, 300, "d2d4", True),
    (0, 300, "e2e4", True), (900, 1200, "e2e4", False),
])
def test_contradictions(before, after, played, expected):
    """The best move loses much, or something is much better than the best; another move that loses is a mistake."""
    assert is_doubtful(record(before, "e2e4", True), record(after, "e7e5", False), played) is expected
    assert is_doubtful(record(-before, "e2e4", False), record(-after, "e7e5", True), played) is expected


def test_a_mate_is_as_good_as_won():
    assert not is_doubtful(record(1500, "e2e4", True), record(0, "e7e5", False, mate=4), "e2e4")
    assert is_doubtful(record(0, "e2e4", True), record(0, "e7e5", False, mate=-4), "e2e4")


@pytest.fixture(scope="module")
def immortal():
    return next(read_games(FAMOUS.read_text(encoding="utf-8"), print))


def settled(game, records, nodes):
    with Workers(1, {"Hash": 1}) as workers:
        return workers.submit(partial(settle, game=of_pgn(game), records=records, nodes=nodes)).result()


def test_only_what_is_doubtful_is_searched_again(immortal, monkeypatch):
    looks, analyse_one = [], many.analyse_one

    def counted(pool, position, request, index, game, ply, played):
        looks.append((ply, request.limits["nodes"]))
        return analyse_one(pool, position, request, index, game, ply, played)

    monkeypatch.setattr(doubt, "analyse_one", counted)
    records, moves = looked_at(immortal, nodes=1000), of_pgn(immortal).moves
    found = settled(immortal, records, 1000)
    plies = [ply for ply, _ in looks]
    assert 0 < len(plies) == len(set(plies)) < len(records) / 2 and {nodes for _, nodes in looks} == {1000 * MORE}
    assert all(found[ply] == records[ply] for ply in range(len(records)) if ply not in plies)
    assert all((found[ply].index, found[ply].ply, found[ply].fen) == (records[ply].index, ply, records[ply].fen)
               for ply in plies)
    doubts = [sum(is_doubtful(before, after, move) for before, after, move
                  in zip(some, some[1:], moves, strict=False)) for some in (records, found)]
    assert doubts[1] < doubts[0]
    assert settled(immortal, records, 1000) == found


def test_a_score_that_was_wrong_is_put_right():
    """The mover's best move is said to win, and once it is played it does not: a mistake nobody made."""
    text = '[FEN "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1"]\n[SetUp "1"]\n\n1. h3 h6 2. Rd8+ Kh7 *'
    game = next(read_games(text, print))
    records = list(analyse_many([game], {"nodes": 2000}, 1, options={"Hash": 1}))
    assert records[0].mate == 1
    wrong = [*records[:2], replace(records[2], lines=(Line(-900, None, ("d1d8",), 9, True),)), *records[3:]]
    assert review(game, wrong).moves[1].judgement is None
    right = settled(game, wrong, 2000)
    assert right[2].cp is not None and right[2].cp > 300


def test_the_real_blunder_is_found_also_where_a_short_search_would_have_played_it():
    """Bernstein - Capablanca, Moscow 1914: a short search takes the pawn as White did, and sees 29... Qb2 too late."""
    [game] = [game for game in read_games(FAMOUS.read_text(encoding="utf-8"), print)
              if game.headers["Black"] == "Capablanca"]
    ply, seen = 2 * 26, []
    for nodes in range(1000, 6000, 500):
        records = looked_at(game, nodes=nodes)
        taken = review(game, settled(game, records, nodes)).moves[ply]
        assert taken.san.endswith("xc3")
        seen.append((records[ply].best_move == of_pgn(game).moves[ply], taken.judgement))
    assert (True, Judgement.BLUNDER) in seen, seen          # else another search needs another game to show it
