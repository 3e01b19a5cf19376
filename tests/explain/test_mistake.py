"""What is wrong with a move, and what was better, told from lines that are given."""

import chess
import pytest

from barreleye.explain.mistake import Worth, what_is_wrong


def moves(board, text):
    walk = board.copy()
    return [walk.push_san(word) for word in text.split()]


# FEN, the mistake, its refutation, the better line, worths, the sentences
CASES = {
    "hanging": ("r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3", "Ng5", "Qxg5 d4", "Bb5 a6",
                Worth(30), Worth(-400), "Ng5 loses a knight to 3...Qxg5: the knight on g5 is undefended. "
                                        "Bb5 would have lost no material."),
    "mate in one": ("r1bqkbnr/pppp1ppp/2n5/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 3 3", "Nf6", "Qxf7#", "g6 Qf3",
                    Worth(20), Worth(mate=-1),
                    "Nf6 allows mate: 4.Qxf7#. g6 would have avoided that and kept the game even."),
    "back rank": ("3r2k1/5ppp/8/8/8/8/r4PPP/1R4K1 w - - 0 1", "Rb7", "Rd1#", "h3 Rdd2", Worth(-900), Worth(mate=-1),
                  "Rb7 allows mate on the back rank: 1...Rd1#. h3 would have held out longer."),
    "mate to come": ("rnb1kb1r/pp3ppp/2p2n2/4q3/4N3/3Q4/PPPB1PPP/2KR1BNR b kq - 1 8", "Nxe4",
                     "Qd8+ Kxd8 Bg5+ Kc7 Bd8#", "Be7 Nxf6+", Worth(-150), Worth(mate=-3),
                     "Nxe4 allows mate in three, beginning with 9.Qd8+. Be7 would have avoided that and kept White's "
                     "lead at 1.5."),
    "stalemate": ("7k/8/6K1/5Q2/8/8/8/8 w - - 0 1", "Qf7", "", "Qf8#", Worth(mate=1), Worth(0),
                  "Qf7 stalemates Black. Qf8# would have mated at once."),
    "missed mate": ("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", "Ra7", "g6 Kf1", "Ra8#", Worth(mate=1), Worth(500),
                    "Ra7 misses a chance. Ra8# would have mated at once."),
    "missed fork": ("r3k3/8/8/3N4/8/8/8/4K3 w - - 0 1", "Kd2", "Kd7 Ke3", "Nc7+ Kd7 Nxa8", Worth(300), Worth(0),
                    "Kd2 misses a chance. Nc7+ would have won a rook: the knight on c7 forks king and rook."),
    "a pawn not taken": ("rnbqkbnr/pppp1ppp/8/4N3/8/8/PPPPPPPP/RNBQKB1R b KQkq - 0 2", "a6", "d4 d6 Nf3",
                       "d6 Nf3", Worth(-30), Worth(-120), "a6 costs 0.90 pawns; the best reply is 3.d4. d6 would have "
                                                          "kept White's lead at 0.30."),
    "positional": (chess.STARTING_FEN, "f3", "e5 e4", "e4 e5", Worth(30), Worth(-60),
                   "f3 costs 0.90 pawns; the best reply is 1...e5. e4 would have kept White ahead by 0.30."),
    "perpetual": ("7k/6p1/8/7Q/8/8/q4r2/7K b - - 0 1", "Kg8", "Qe8+ Kh7 Qh5+ Kg8 Qe8+", "Kg8 Qe8+", Worth(500),
                  Worth(0), "Kg8 allows perpetual check, beginning with 2.Qe8+."),
    "to safety": ("6k1/5ppp/8/4p3/3N4/8/5PPP/6K1 w - - 0 1", "h3", "exd4 Kf1", "Nf3 f6", Worth(300), Worth(-150),
                  "h3 loses a knight to 1...exd4: the knight on d4 is undefended. Nf3 would have brought the knight "
                  "to safety."),
}


@pytest.mark.parametrize("name", CASES)
def test_sentences(name):
    fen, mistake, refutation, better, before, after, said = CASES[name]
    board = chess.Board(fen)
    move = board.parse_san(mistake)
    walk = board.copy()
    walk.push(move)
    found = what_is_wrong(board, move, moves(walk, refutation), moves(board, better), before, after)
    assert str(found) == said
    assert found.question == f"What is wrong with {mistake}?" and found.move == move.uci()
    assert all(sentence.evidence["before"] for sentence in found.sentences)


def explained(fen, last, mistake, refutation, better, before, after):
    """With the move that led to the position."""
    board = chess.Board(fen)
    board.push_san(last)
    move = board.parse_san(mistake)
    walk = board.copy()
    walk.push(move)
    return str(what_is_wrong(board, move, moves(walk, refutation), moves(board, better), before, after))


def test_taking_back_is_not_winning():
    start = "r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 0 4"
    assert explained(start, "Bxc6", "a6", "Ba4 b5 Bb3", "dxc6 O-O", Worth(-20), Worth(-280)) == (
        "a6 does not take back on c6. dxc6 would have won back a bishop.")
    # A pawn that was just taken is won back later, by another way.
    start = "rnbqkb1r/ppp1pppp/5n2/3p4/3P4/5N2/PPP1PPPP/RNBQKB1R w KQkq - 0 1"
    assert "won" not in explained(start, "Nc3", "a6", "Bf4 e6", "e6 Bg5", Worth(-10), Worth(-120))


def test_a_defended_piece():
    fen = "3r2k1/5ppp/8/8/3N4/8/5PPP/1Q4K1 w - - 0 1"
    board = chess.Board(fen)
    found = what_is_wrong(board, board.parse_san("h3"), moves_after(board, "h3", "Rxd4 Kf1"),
                          moves(board, "Qb4 h6"), Worth(700), Worth(350))
    assert str(found).endswith("Qb4 would have defended the knight on d4.")


def moves_after(board, first, text):
    walk = board.copy()
    walk.push_san(first)
    return moves(walk, text)


def test_material_that_the_score_does_not_miss_is_not_called_lost():
    """A gambit: a pawn is gone, the score hardly changes."""
    board = chess.Board()
    for word in ("e4", "e5"):
        board.push_san(word)
    found = what_is_wrong(board, board.parse_san("f4"), moves_after(board, "f4", "exf4 Nf3 g5"),
                          moves(board, "Nf3 Nc6"), Worth(30), Worth(0))
    assert found.loses == "" and str(found).startswith("f4 costs 0.30 pawns")


def test_only_less_is_lost():
    fen = "3r2k1/5ppp/8/8/3Q4/8/4PPPP/3R2K1 w - - 0 1"
    board = chess.Board(fen)
    found = what_is_wrong(board, board.parse_san("h3"), moves_after(board, "h3", "Rxd4 Rxd4"), moves(board, "Qxd8#"),
                          Worth(mate=1), Worth(200))
    assert str(found) == ("h3 loses the queen for a rook to 1...Rxd4: the queen on d4 can be taken by a rook. "
                          "Qxd8# would have mated at once.")


def test_promotions_are_not_lost():
    board = chess.Board("8/P6k/8/8/8/8/1r6/6K1 b - - 0 1")
    found = what_is_wrong(board, board.parse_san("Rb7"), moves_after(board, "Rb7", "a8=Q Rb1+ Kf2"),
                          moves(board, "Ra2 Kf1 Rxa7"), Worth(500), Worth(-400))
    assert str(found) == ("Rb7 allows a new queen after 2.a8=Q: the pawn on a7 becomes a queen. "
                          "Ra2 would have won a pawn.")


@pytest.mark.parametrize(("chess960", "castling"), [(False, "e8g8"), (True, "e8h8")])
def test_castling_in_a_line(chess960, castling):
    fen = "r3k2r/ppp2ppp/2n5/3q4/8/5N2/PPP2PPP/R2QK2R w KQkq - 0 1"
    board = chess.Board(fen, chess960=chess960)
    move, *refutation = (chess.Move.from_uci(word) for word in ("a2a3", "d5d1", "a1d1", castling))
    found = what_is_wrong(board, move, refutation, [chess.Move.from_uci("d1d5")], Worth(900), Worth(0))
    assert found.refutation[-1] == castling and "Qxd5 would have won the queen" in str(found)


def test_a_mate_that_is_avoided_comes_before_a_pawn_in_a_worse_game():
    board = chess.Board()
    for san in ("f3", "e5"):
        board.push_san(san)
    better, walk = [], board.copy()
    for san in ["e4", "Bc5", "Bc4", "Nf6", "Nc3", "Nc6", "Nge2", "O-O", "Bb3", "d5", "Nxd5", "Nxd5"]:
        better.append(walk.push_san(san))
    told = what_is_wrong(board, chess.Move.from_uci("g2g4"), [chess.Move.from_uci("d8h4")], better, Worth(-93),
                         Worth(-10_000, -1))
    assert str(told) == "g4 allows mate: 2...Qh4#. e4 would have avoided that and kept Black's lead at 0.93."


def damiano(refutation, after):
    board = chess.Board()
    for san in ("e4", "e5", "Nf3"):
        board.push_san(san)
    return what_is_wrong(board, board.parse_san("f6"), moves_after(board, "f6", refutation), moves(board, "Nc6 Bb5"),
                         Worth(-30), after)


def test_a_pawn_that_is_won_back_is_not_lost():
    """3.Nxe5 Qe7 4.Nf3 Qxe4+: wherever the line breaks off, the queen still looks at e4."""
    for line in ("Nxe5 Qe7 Nf3", "Nxe5 Qe7 Nf3 Qxe4+", "Nxe5 Qe7 Nf3 Qxe4+ Be2 d5", "Nxe5 Qe7 Nf3 d5"):
        found = damiano(line, Worth(-170))
        assert found.loses == "" and str(found).startswith("f6 costs 1.4 pawns; the best reply is 3.Nxe5."), line


def test_the_line_is_shown_until_it_is_calm():
    assert "loses a pawn after 3.Nxe5 Qe7 4.Nf3 h6 5.d3." in str(damiano("Nxe5 Qe7 Nf3 h6 d3", Worth(-170)))


def test_what_is_lost_late_counts_only_if_it_is_much():
    """The pawn on e4 hangs until the tenth ply; a knight that falls so late is worth a word all the same."""
    kept = "Nxe5 Qe7 Nf3 d5 d3 dxe4 dxe4 a6 Nbd2 h6"
    assert str(damiano(kept, Worth(-170))).startswith("f6 costs 1.4 pawns; the best reply is 3.Nxe5.")
    lost = "Nc3 a6 d3 h6 Be2 Ne7 O-O Ng6 a3 Nh4 Nxh4"
    assert str(damiano(lost, Worth(-400))).startswith("f6 loses a knight in the long run, beginning with 3.Nc3.")


def test_a_pawn_in_a_line_whose_score_does_not_show_it_is_not_won():
    """The open Ruy Lopez: Black takes on e4, and White gets it back later than the line goes."""
    board = chess.Board()
    for san in ("e4", "e5", "Nf3"):
        board.push_san(san)
    better = moves(board, "Nc6 Bb5 Nf6 O-O Bc5 c3 Nxe4 d4 exd4 cxd4 Bb6")
    found = what_is_wrong(board, board.parse_san("f6"), moves_after(board, "f6", "Nc3 d6"), better, Worth(-29),
                          Worth(-180))
    assert found.misses == "" and str(found).endswith("Nc6 would have kept White's lead at 0.29.")
    assert "would have won a pawn" in str(what_is_wrong(
        board, board.parse_san("f6"), moves_after(board, "f6", "Nc3 d6"), better, Worth(80), Worth(-80)))
