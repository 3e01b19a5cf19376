"""Moves that few nodes miss: the reason is true, and the switches that are blamed really hide the move."""

import importlib.util
import sys

import chess
import pytest

import barreleye
from barreleye.explain.inquiry import Inquiry
from barreleye.explain.why_not import why_not

NODES, POSITIONS = 20_000, 8


@pytest.mark.slow
def test_reasons_are_true_and_switches_find_the_move(root_dir, data_dir):
    spec = importlib.util.spec_from_file_location("missed", root_dir / "benchmarks" / "missed.py")
    assert spec and spec.loader
    missed = sys.modules["missed"] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(missed)
    engine, asked, named = barreleye.Engine(Hash=16), 0, 0
    for text in (data_dir / "suites" / "wacnew.epd").read_text(encoding="utf-8").splitlines():
        board, operations = chess.Board.from_epd(text)
        right = operations["bm"]
        assert isinstance(right, list)
        engine.position(board.fen())
        inquiry = Inquiry(engine, nodes=NODES)
        found = inquiry.search()
        if found.best_move in {move.uci() for move in right}:
            continue
        answer = why_not(inquiry, found, right[0].uci(), culprit=True)
        assert missed.is_true(answer, inquiry, found), text
        verdict = missed.finds(answer, inquiry, NODES)
        assert verdict in ("yes", "none"), text
        assert answer.culprits is not None
        assert ("No technique hides" in str(answer)) == (verdict == "none")
        asked, named = asked + 1, named + (verdict == "yes")
        if asked == POSITIONS:
            break
    assert asked == POSITIONS and named >= POSITIONS // 2
