"""Many positions at once: in order, the same on any number of threads, and resumable."""

import io
import json
import random
import sys
import threading
from typing import Any

import chess
import chess.pgn
import pytest
from chess.engine import Limit, Mate

import barreleye
from barreleye.analysis.accuracy import WhiteScore
from barreleye.analysis.chunks import GAME_CHUNK, chunks_of
from barreleye.analysis.many import Request, run
from barreleye.analysis.workers import Workers
from barreleye.core.position import Position
from barreleye.engine.bench import POSITIONS

MATED = "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"
PGN = '[White "A"]\n[Black "B"]\n\n1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0\n'


def random_game(plies: int, seed: int) -> barreleye.Game:
    chance, position = random.Random(seed), Position()
    moves: list[str] = []
    while len(moves) < plies and (legal := position.legal_moves()):
        moves.append(chance.choice(legal))
        position.push(moves[-1])
    return barreleye.Game(moves)


def mixed() -> list[Any]:
    return [*POSITIONS[:7], random_game(17, 1), chess.pgn.read_game(io.StringIO(PGN)), MATED, POSITIONS[8],
            (chess.STARTING_FEN, ["e2e4", "e7e5"])]


def test_records_come_in_order_and_are_of_the_positions_given():
    records = list(barreleye.analyse_many(mixed(), Limit(nodes=200), 2))
    assert [record.index for record in records] == list(range(7 + 18 + 8 + 3))
    assert [record.game for record in records] == [*range(7), *[7] * 18, *[8] * 8, 9, 10, 11]
    assert [record.ply for record in records[7:33]] == [*range(18), *range(8)]
    board = chess.Board()
    board.push_uci("e2e4")
    assert records[26].fen == board.fen(en_passant="legal")
    mated = records[33]
    assert (mated.best_move, mated.mate, mated.cp, mated.score.relative) == (None, 0, None, Mate(0))
    assert records[31].score.white() == Mate(1) and records[31].best_move == "h5f7"
    for record in records:
        assert record.best_move is None or chess.Move.from_uci(record.best_move) in chess.Board(record.fen).legal_moves


def test_the_same_results_on_any_number_of_threads():
    items = mixed()
    found = [list(barreleye.analyse_many(items, {"nodes": 300}, workers, options={"Hash": 1}, chunk=chunk))
             for chunk in (None, 3) for workers in (1, 2, 3)]
    assert found[0] == found[1] == found[2]
    assert found[3] == found[4] == found[5]


def test_with_chunks_of_one_a_result_depends_on_its_position_alone():
    def scores(items):
        return {record.fen: record.lines for record in barreleye.analyse_many(items, {"nodes": 300}, 1, chunk=1)}

    assert scores(POSITIONS[:4]) == scores(POSITIONS[3::-1])


@pytest.mark.parametrize("size", [None, 1, 2, 5])
def test_chunks_cover_a_game_once(size):
    for plies in range(12):
        chunks = list(chunks_of([random_game(plies, plies)], size))
        covered = [ply for chunk in chunks for ply in range(chunk.start, chunk.start + chunk.size)]
        assert covered == list(range(plies + 1))
        assert all(chunk.size + chunk.overlap <= max(2, size or GAME_CHUNK) for chunk in chunks)
        assert not chunks[-1].overlap


def test_several_lines():
    lines = next(barreleye.analyse_many(POSITIONS[:1], {"nodes": 2000}, 1, multipv=3)).lines
    assert len({line.pv[0] for line in lines}) == 3
    scores = [line.cp or 0 for line in lines]
    assert scores == sorted(scores, reverse=True)


def test_an_interrupted_analysis_goes_on_where_it_was(tmp_path):
    items, path = mixed(), tmp_path / "kept.jsonl"
    whole = list(barreleye.analyse_many(items, {"nodes": 200}, 1))
    for taken in (5, 20):
        with barreleye.analyse_many(items, {"nodes": 200}, 2, resume=path) as batch:
            assert [next(batch) for _ in range(taken)] == whole[:taken]
        with open(path, "ab") as file:
            file.write(b"[[7,7,0")                      # a crash in the middle of a line
    kept = len(path.read_bytes().splitlines())
    assert kept > 3
    assert list(barreleye.analyse_many(items, {"nodes": 200}, 2, resume=path)) == whole
    before = path.read_bytes()
    assert len(before.splitlines()) > kept
    assert list(barreleye.analyse_many(items, {"nodes": 200}, 1, resume=path)) == whole
    assert path.read_bytes() == before


def test_a_file_of_another_analysis_is_not_touched(tmp_path):
    path = tmp_path / "kept.jsonl"
    list(barreleye.analyse_many(POSITIONS[:2], {"nodes": 50}, 1, resume=path))
    before = path.read_bytes()
    assert json.loads(before.splitlines()[0])["limit"] == {"nodes": 50}
    with pytest.raises(ValueError, match="another analysis"):
        barreleye.analyse_many(POSITIONS[:2], {"nodes": 60}, 1, resume=path)
    with pytest.raises(ValueError, match="other positions"):
        list(barreleye.analyse_many(POSITIONS[2:4], {"nodes": 50}, 1, resume=path))
    assert path.read_bytes() == before
    path.write_text("my diary")
    with pytest.raises(ValueError, match="no file of an analysis"):
        barreleye.analyse_many(POSITIONS[:2], {"nodes": 50}, 1, resume=path)
    assert path.read_text() == "my diary"


def test_progress_and_input_without_end():
    heard = []
    items: list[Any] = [random_game(3, 1), MATED]
    list(barreleye.analyse_many(items, {"nodes": 50}, 1, progress=lambda *news: heard.append(news)))
    assert heard == [(done, 5) for done in range(1, 6)]

    def endless():
        while True:
            yield POSITIONS[0]

    with barreleye.analyse_many(endless(), {"nodes": 50}, 2, chunk=1) as batch:
        assert [next(batch).index for _ in range(3)] == [0, 1, 2]
        assert batch.total is None


def test_what_is_refused():
    for limit in ({"infinite": True}, {"wtime": 1000}, {}, Limit(), {"nodes": 0}, {"knots": 3}):
        with pytest.raises(ValueError):
            barreleye.analyse_many([], limit)
    with pytest.raises(ValueError):
        barreleye.analyse_many([], {"nodes": 1}, 0)
    assert list(barreleye.analyse_many([], {"nodes": 1})) == []


def test_a_bad_item_ends_no_analysis():
    """A null move, malformed FENs, illegal moves: told by number, and everything else is analysed as if alone."""
    null = chess.pgn.read_game(io.StringIO("1. e4 Z0 2. d4 *"))
    good: list[Any] = [POSITIONS[0], random_game(5, 1), POSITIONS[1], POSITIONS[2]]
    items: list[Any] = ["rubbish", good[0], null, good[1], (chess.STARTING_FEN, ["e2e5"]), good[2], "8/8 w", good[3]]
    told: list[tuple[int, ValueError]] = []
    batch = barreleye.analyse_many(items, {"nodes": 100}, 2, on_problem=lambda *problem: told.append(problem))
    records = list(batch)
    assert [number for number, _ in told] == [0, 2, 4, 6] and "piece placement" in str(told[0][1])
    assert [record.game for record in records] == [1, *[3] * 6, 5, 7] and batch.total == len(records) == batch.done
    assert [record.index for record in records] == list(range(9))
    alone = list(barreleye.analyse_many(good, {"nodes": 100}, 1))
    assert [record.lines for record in records[:-2]] == [record.lines for record in alone[:-2]]
    with pytest.warns(RuntimeWarning, match=r"item 1 is left out: .*piece placement") as heard:
        assert len(list(barreleye.analyse_many([MATED, "rubbish"], {"nodes": 1}, 1))) == 1
    assert heard[0].filename == __file__


def test_a_second_run_on_one_journal_is_refused(tmp_path):
    path = tmp_path / "kept.jsonl"
    with barreleye.analyse_many(POSITIONS[:3], {"nodes": 50}, 1, resume=path, chunk=1) as batch:
        next(batch)
        with pytest.raises(BlockingIOError, match=r"kept\.jsonl is in use by another run"):
            barreleye.analyse_many(POSITIONS[:3], {"nodes": 50}, 1, resume=path)
    assert len(list(barreleye.analyse_many(POSITIONS[:3], {"nodes": 50}, 1, resume=path, chunk=1))) == 3


def test_rows_tell_what_was_played_and_by_whom(tmp_path):
    game = chess.pgn.read_game(io.StringIO(PGN))
    castled = barreleye.Game(["e1h1"], "4k3/8/8/8/8/8/8/4K2R w K - 0 1", True, {"White": "C"})
    path = tmp_path / "kept.jsonl"
    items: list[Any] = [POSITIONS[0], game, castled]
    for _ in range(2):                          # the second time from the journal
        rows = list(barreleye.analyse_many(items, {"nodes": 100}, 1, resume=path).to_rows())
        assert len(rows) == 1 + 8 + 2 and "White" not in rows[0] and rows[0]["played"] is None
        assert [row["played_san"] for row in rows[1:9]] == ["e4", "e5", "Bc4", "Nc6", "Qh5", "Nf6", "Qxf7#", None]
        assert {(row["White"], row["Black"]) for row in rows[1:9]} == {("A", "B")}
        assert rows[7]["best_san"] == "Qxf7#" and rows[7]["played"] == rows[7]["best_move"] == "h5f7"
        assert rows[9]["played_san"] == "O-O" and rows[9]["White"] == "C"
    columns = barreleye.analyse_many(items, {"nodes": 100}, 1).to_columns(headers=["White"])
    assert columns["White"] == [None, *["A"] * 8, *["C"] * 2] and columns["played"][1] == "e2e4"


def test_tables():
    items = [*POSITIONS[:2], MATED]
    columns = barreleye.analyse_many(items, {"nodes": 100}, 1, multipv=2).to_columns()
    assert columns["index"] == [0, 1, 2] and columns["mate"] == [None, None, 0]
    assert columns["best_move"][2] is None and columns["pv"][0].split()[0] == columns["best_move"][0]
    assert [len(lines) for lines in columns["lines"]] == [2, 2, 1]


def test_arrow_and_parquet(tmp_path):
    pytest.importorskip("pyarrow")
    from pyarrow import parquet

    items = [*POSITIONS[:2], MATED]
    table = barreleye.analyse_many(items, {"nodes": 100}, 1).to_arrow()
    assert table.num_rows == 3 and table.column("mate").to_pylist() == [None, None, 0]
    barreleye.analyse_many(items, {"nodes": 100}, 1).to_parquet(tmp_path / "table.parquet")
    assert parquet.read_table(tmp_path / "table.parquet").equals(table)


@pytest.mark.slow
def test_some_two_thousand_positions_are_the_same_on_two_threads_and_after_an_interruption(tmp_path):
    items = [random_game(79, seed) for seed in range(25)]
    path = tmp_path / "kept.jsonl"
    one = list(barreleye.analyse_many(items, Limit(nodes=10_000), 1))
    assert len(one) > 1900
    with barreleye.analyse_many(items, Limit(nodes=10_000), 2, resume=path) as batch:
        assert [next(batch) for _ in range(700)] == one[:700]
    assert list(barreleye.analyse_many(items, Limit(nodes=10_000), 2, resume=path)) == one


def test_what_is_no_list_and_no_journal_is_refused(tmp_path, monkeypatch):
    with pytest.raises(TypeError, match="items is a str"):
        barreleye.analyse_many(chess.STARTING_FEN, {"nodes": 50}, 1)
    path = tmp_path / "garbage"
    for garbage in (b"garbage\n", b"\xff\xfe\x00\n", b"[1]\n", b"{}\n"):
        path.write_bytes(garbage)
        with pytest.raises(ValueError, match="is no file of an analysis"):
            barreleye.analyse_many(POSITIONS[:1], {"nodes": 50}, 1, resume=path)
        assert path.read_bytes() == garbage
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(ImportError, match="pip install numpy pyarrow"):
        barreleye.analyse_many(POSITIONS[:1], {"nodes": 50}, 1).to_arrow()


def test_exact_scores_can_be_preferred():
    games = [random_game(40, seed) for seed in range(3)]

    def records(multipv, prefers_exact):
        return list(run(chunks_of(games), Request({"nodes": 1000}, multipv, prefers_exact), Workers(1, {"Hash": 1})))

    for multipv in (1, 2):
        last, exact = records(multipv, False), records(multipv, True)
        assert last == list(barreleye.analyse_many(games, {"nodes": 1000}, 1, multipv=multipv, options={"Hash": 1}))
        bounds, left = ([line for one in found for line in one.lines if not line.exact] for found in (last, exact))
        assert len(left) < len(bounds)
        for one, other in zip(last, exact, strict=True):
            assert one.best_move == other.best_move
            assert all(line == twin for line, twin in zip(one.lines, other.lines, strict=True) if line.exact)


def test_listeners_hear_of_every_position():
    seen: list[str] = []
    request = Request({"nodes": 50}, on_position=lambda: seen.append(threading.current_thread().name))
    records = list(run(chunks_of([random_game(12, 1), random_game(3, 2)]), request, Workers(2, {"Hash": 1})))
    assert len(seen) == len(records) == 13 + 4
    assert all(name.startswith("barreleye analysis") for name in seen)


@pytest.mark.parametrize(("fen", "moves", "score"), [
    (chess.STARTING_FEN, ["e2e4", "e7e5", "f1c4", "b8c6", "d1h5", "g8f6", "h5f7"], WhiteScore(mate=1)),
    (chess.STARTING_FEN, ["f2f3", "e7e5", "g2g4", "d8h4"], WhiteScore(mate=-1)),
    ("7k/8/6K1/5Q2/8/8/8/8 w - - 0 1", ["f5f7"], WhiteScore(0)),
])
def test_scores_of_ended_games_are_whites(fen, moves, score):
    *_, before, end = barreleye.analyse_many([barreleye.Game(moves, fen)], {"nodes": 500}, 1, options={"Hash": 1})
    assert WhiteScore.of(end.lines[0], end.white_to_move) == score
    if score.mate:
        assert WhiteScore.of(before.lines[0], before.white_to_move) == score and before.best_move == moves[-1]


def test_a_damaged_journal_is_named(tmp_path):
    path = tmp_path / "kept.jsonl"
    list(barreleye.analyse_many(POSITIONS[:1], {"nodes": 50}, 1, resume=path))
    for line in (b"[[1, 2, 3]]\n", b"[7]\n", b"7\n", b'[[0, 0, 0, "x", 1, 1, [[1]], null]]\n'):
        path.write_bytes(path.read_bytes().splitlines(keepends=True)[0] + line)
        with pytest.raises(ValueError, match=r"kept\.jsonl was written by another version, or is damaged"):
            list(barreleye.analyse_many(POSITIONS[:1], {"nodes": 50}, 1, resume=path))
