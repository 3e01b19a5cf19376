"""Reviews, and how they are written into games."""

import io
from dataclasses import replace

import chess.pgn
from tests.analysis.conftest import looked_at, parsed

from barreleye.analysis.annotate import annotate, as_pgn
from barreleye.analysis.chunks import of_pgn
from barreleye.analysis.games import read_games
from barreleye.analysis.judgement import Judgement
from barreleye.analysis.review import review


def test_a_review_knows_the_blunder_and_what_was_better(scholar_review):
    bad = scholar_review.moves[5]
    assert bad.label == "3…Nf6??" and bad.judgement is Judgement.BLUNDER
    assert bad.comment.startswith("Checkmate is now unavoidable. ") and bad.comment.endswith(" was best.")
    assert bad.after.mate == 1 and bad.accuracy < 15 and bad.clock is None
    assert scholar_review.moves[1].clock == 178
    assert scholar_review.black.counts[Judgement.BLUNDER] == 1 and scholar_review.white.counts[Judgement.BLUNDER] == 0
    assert scholar_review.moves[-1].is_over and scholar_review.moves[-1].accuracy == 100
    white, black = scholar_review.white, scholar_review.black
    assert white.accuracy > black.accuracy and white.average_loss < black.average_loss
    assert white.rating == "1500" and black.rating == "" and list(white.phases) == ["opening"]


def test_the_engines_own_move_is_never_found_fault_with(scholar, scholar_records, scholar_review):
    for move, record in zip(scholar_review.moves, scholar_records, strict=False):
        if record.best_move == move.move.uci():
            assert move.judgement is None


def test_annotating_keeps_what_was_there(scholar, scholar_review):
    annotate(scholar, scholar_review)
    again = parsed(as_pgn(scholar))
    nodes = list(again.mainline())
    assert nodes[0].clock() == 180 and "a classic" in nodes[1].comment and nodes[1].clock() == 178
    assert nodes[4].nags == {5} and nodes[5].nags == {2}            # signs that people gave stay
    assert any(node.comment == "calm" for variation in nodes[4].variations for node in variation.mainline())
    assert all(node.eval() is not None for node in nodes[:-1]) and nodes[-1].eval() is None
    assert "[%eval #1]" in nodes[5].comment and "Checkmate is now unavoidable" in nodes[5].comment
    better = scholar_review.moves[5].best[0]
    assert nodes[4].has_variation(better)
    assert again.headers["Annotator"].startswith("Barreleye") and float(again.headers["WhiteAccuracy"]) > 50


def test_signs_are_given_where_there_are_none():
    game = parsed("1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0")
    annotate(game, review(game, looked_at(game)))
    assert list(game.mainline())[5].nags == {4} and "$4" in as_pgn(game)


def test_annotating_again_changes_nothing(scholar, scholar_records, scholar_review):
    annotate(scholar, scholar_review)
    once = as_pgn(scholar)
    again = parsed(once)
    annotate(again, review(again, scholar_records))
    assert as_pgn(again) == once


def test_another_review_takes_the_place_of_the_first():
    game = parsed("1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 { oh no } (3... Qe7 { safe }) 4. Qxf7# 1-0")
    first = review(game, looked_at(game))
    for found in (replace(first.moves[5], line=("g7g6", "h5f3")),
                  replace(first.moves[5], line=("d8f6",))):
        annotate(game, replace(first, moves=[*first.moves[:5], found, first.moves[6]]))
        game = parsed(as_pgn(game))
    node = list(game.mainline())[5]
    assert [other.san() for other in node.parent.variations] == ["Nf6", "Qe7", "Qf6"] and node.nags == {4}
    assert node.comment == "oh no [%eval #1] Checkmate is now unavoidable. Qf6 was best."
    calm = [replace(move, judgement=None) for move in first.moves]
    annotate(game, replace(first, moves=calm))
    node = list(game.mainline())[5]
    assert [other.san() for other in node.parent.variations] == ["Nf6", "Qe7"] and node.nags == set()
    assert node.comment == "oh no [%eval #1]"


def test_openings_are_named_where_the_game_names_none(scholar, scholar_review):
    assert str(scholar_review.opening) == "C23 Bishop's Opening" and scholar_review.opening.ply == 3
    annotate(scholar, scholar_review)
    assert scholar.headers["ECO"] == "C23" and scholar.headers["Opening"] == "Bishop's Opening"
    assert "C23" in as_pgn(scholar)
    scholar.headers.update(ECO="C20", Opening="?")
    annotate(scholar, scholar_review)
    assert scholar.headers["ECO"] == "C20" and scholar.headers["Opening"] == "Bishop's Opening"


def test_a_game_from_another_position_begins_with_its_own_score():
    game = parsed('[FEN "7k/8/6K1/5Q2/8/8/8/8 b - - 0 60"]\n[SetUp "1"]\n\n60... Kg8 61. Qc8# 1-0')
    found = review(game, looked_at(game))
    assert found.start.mate is not None and found.moves[0].label == "60…Kg8"
    assert found.black.average_loss == 0 and found.white.accuracy == 100
    assert [move.phase for move in found.moves] == ["endgame", "endgame"]


def test_chess960():
    game = parsed('[Variant "Chess960"]\n[FEN "nrk4r/pppppppp/8/8/8/8/PPPPPPPP/NRK4R w KQkq - 0 1"]\n[SetUp "1"]\n\n'
                  "1. O-O O-O *")
    start = of_pgn(game)
    assert start.chess960 and start.moves == ["c1h1", "c8h8"]
    found = review(game, looked_at(game))
    assert [move.san for move in found.moves] == ["O-O", "O-O"]
    annotate(game, found)
    again = chess.pgn.read_game(io.StringIO(as_pgn(game)))
    assert again is not None and again.errors == []


def test_games_that_cannot_be_read_are_told_and_left_out(scholar_text):
    problems: list[str] = []
    text = f'[Event "a"]\n\n1. e4 e5 2. Ke3 *\n\n{scholar_text}\n[Event "b"]\n[Variant "Atomic"]\n\n1. e4 *\n\n' \
           '[Event "c"]\n[FEN "8/8/8/8/8/8/8/8 w - - 0 1"]\n[SetUp "1"]\n\n1. e4 *\n\n[Event "d"]\n\n*\n'
    assert [game.headers["White"] for game in read_games(text, problems.append)] == ["Anna"]
    assert len(problems) == 4
    assert "game 1" in problems[0] and "Ke3" in problems[0]
    assert "atomic" in problems[1] and "no moves" in problems[3]


def test_explanations_go_and_own_words_stay(scholar_records):
    game = parsed("1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0")
    plain, explained = review(game, scholar_records), review(game, scholar_records, explains=True)
    assert explained.moves[5].explanation.startswith("Nf6 allows mate: 4.Qxf7#. ")
    assert [move.explanation for move in plain.moves] == [""] * 7
    annotate(game, explained)
    bad = list(game.mainline())[5]
    assert bad.comment.endswith(explained.moves[5].explanation)
    bad.comment += " Nf6 was played in ten seconds. Never mind."
    annotate(game, explained)
    annotate(game, explained)
    assert bad.comment.count("allows") == 1 and bad.comment.count("in ten seconds. Never mind.") == 1
    annotate(game, plain)
    assert "allows" not in bad.comment and "would have" not in bad.comment
    assert "Nf6 was played in ten seconds. Never mind." in bad.comment and bad.comment.count("was best.") == 1
