"""Motifs on well-known and plain positions, and positions that only look like them."""

import chess
import pytest

from barreleye.explain.material import Walk, outcome
from barreleye.explain.motifs import motifs


def parsed(fen, mistake, line):
    """The board, the mistake and the line as moves."""
    board = chess.Board(fen)
    walk = board.copy()
    wrong = walk.push_san(mistake) if mistake else None
    return board, wrong, [walk.push_san(word) for word in line.split()]


# kind, FEN, mistake or none, line, what is won, words
FOUND = {
    "knight fork": ("fork", "r3k3/8/8/3N4/8/8/8/4K3 w - - 0 1", None, "Nc7+ Kd7 Nxa8", "a rook",
                    "the knight on c7 forks king and rook"),
    "pawn fork": ("fork", "4k3/8/2n1b3/8/3P4/8/6B1/4K3 w - - 0 1", None, "d5 Bg4 dxc6", "a knight",
                  "the pawn on d5 forks knight and bishop"),
    "queen attacks two": ("fork", "rn1qkbnr/ppp1pppp/3p4/8/6b1/2P5/PP1PPPPP/RNBQKBNR w KQkq - 0 1", None,
                          "Qa4+ c6 Qxg4", "a bishop", "the queen on a4 attacks king and bishop at the same time"),
    "both rooks": ("fork", "r5r1/8/8/3N4/8/1k6/8/4K3 w - - 0 1", None, "Nb6 Kc3 Nxa8 Rxa8", "the exchange", None),
    "absolute pin": ("pin", "4k3/8/2n5/1B6/3P4/8/8/4K3 w - - 0 1", None, "d5 Ke7 dxc6", "a knight",
                     "the bishop on b5 pins the knight on c6 to the king"),
    "relative pin": ("pin", "3qk3/8/5n2/6B1/4P3/8/8/4K3 w - - 0 1", None, "e5 Qd7 exf6", "a knight",
                     "the bishop on g5 pins the knight on f6 to the queen"),
    "the pinned queen takes": ("pin", "r2qk2r/1ppb1ppp/p7/4p3/P1Q1P3/2P5/5PPP/R1B2KNR b kq - 0 1", None,
                               "Bb5 Qxb5+ axb5 Ke2 Rxa4", "the queen and a pawn for a bishop",
                               "the bishop on b5 pins the queen on c4 to the king"),
    "pinned pawn": ("pinned defender", "6k1/5pp1/6n1/8/2B5/6Q1/8/6K1 w - - 0 1", None, "Qxg6", "a knight",
                    "the pawn on f7 is pinned and cannot take on g6"),
    "skewer": ("skewer", "8/8/8/q3k3/8/8/8/1K5R w - - 0 1", None, "Rh5+ Kd4 Rxa5", "the queen",
               "the rook on h5 skewers king and queen"),
    "skewered queen": ("skewer", "5rk1/8/3q4/8/8/P7/3B4/6K1 w - - 0 1", None, "Bb4 Qd1+ Kh2 Qd4 Bxf8", "the exchange",
                       "the bishop on b4 skewers queen and rook"),
    "discovered attack": ("discovered attack", "r1b1kbnr/pp3ppp/4p3/3pP3/3q4/3B4/PP3PPP/RNBQ1RK1 w kq - 0 9", None,
                          "Bb5+ Bd7 Bxd7+ Kxd7 Qxd4", "the queen",
                          "the bishop uncovers an attack by the queen on d1 on the queen on d4"),
    "petroff": ("discovered check", "rnbqkb1r/pppp1ppp/8/4N3/4n3/8/PPPPQPPP/RNB1KB1R b KQkq - 1 4", "Nf6",
                "Nc6+ Be7 Nxd8 Kxd8", "the queen for a knight", "the knight uncovers a check by the queen on e2"),
    "Reti - Tartakower": ("double check", "rnb1kb1r/pp3ppp/2p2n2/4q3/4N3/3Q4/PPPB1PPP/2KR1BNR b kq - 1 8", "Nxe4",
                          "Qd8+ Kxd8 Bg5+ Kc7 Bd8#", "",
                          "it is double check, from the rook on d1 and the bishop on g5"),
    "mate there": ("mate", "rnb1kb1r/pp3ppp/2p2n2/4q3/4N3/3Q4/PPPB1PPP/2KR1BNR b kq - 1 8", "Nxe4",
                   "Qd8+ Kxd8 Bg5+ Kc7 Bd8#", "", "there is mate in three"),
    "hanging": ("hanging piece", "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3", "Ng5", "Qxg5 d4",
                "a knight", "the knight on g5 is undefended"),
    "by a pawn": ("hanging piece", "4k3/8/4p3/8/8/8/3R4/3RK3 w - - 0 1", "Rd5", "exd5 Rxd5", "a rook for a pawn",
                  "the rook on d5 can be taken by a pawn"),
    "too few defenders": ("hanging piece", "3rk3/3r4/8/8/3N4/8/3R4/4K3 b - - 0 1", None, "Rxd4 Rxd4 Rxd4", "a knight",
                          "the knight on d4 is not defended well enough"),
    "queen walks off": ("removed defender", "3r2k1/5ppp/8/8/3N4/3Q4/5PPP/6K1 w - - 0 1", "Qc2", "Rxd4 h3",
                        "a knight", "the queen no longer defends the knight on d4"),
    "defender taken": ("removed defender", "4k3/6p1/5n2/3b4/8/8/1B6/3RK3 w - - 0 1", None, "Bxf6 gxf6 Rxd5", "a knight",
                       "Bxf6 removes the knight that defended the bishop on d5"),
    "defender driven off": ("removed defender", "6k1/5ppp/8/2bq4/8/4B3/4NPPP/R5K1 w - - 0 1", None, "Nc3 Qd7 Bxc5",
                            "a bishop", "Nc3 drives the queen away from the bishop on c5"),
    "overloaded queen": ("overloaded defender", "3q2k1/5ppp/8/3n4/7b/7Q/5PP1/3R2K1 w - - 0 1", None,
                         "Rxd5 Qxd5 Qxh4", "two minor pieces for a rook",
                         "the queen on d8 is overloaded: it cannot guard both d5 and h4"),
    "back rank": ("back rank", "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", None, "Ra8#", "", "Ra8# is mate on the back rank"),
    "untouchable queen": ("back rank", "3r2k1/5ppp/8/3q4/8/8/3Q1PPP/3RR1K1 w - - 0 1", None, "Qxd5 Rf8", "the queen",
                          "the queen on d5 cannot be taken because of Re8#"),
    "smothered": ("mate", "5r1k/6pp/7N/8/2Q5/8/8/6K1 w - - 0 1", None, "Qg8+ Rxg8 Nf7#", "",
                  "there is smothered mate in two"),
    "scholar": ("mate", "r1bqkbnr/pppp1ppp/2n5/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 3 3", "Nf6", "Qxf7#", "a pawn",
                "Qxf7# is mate"),
    "promotion": ("promotion", "7k/P7/8/8/8/8/8/K7 w - - 0 1", None, "a8=Q+ Kg7", "a new queen",
                  "the pawn on a7 becomes a queen"),
    "underpromotion": ("promotion", "8/5P1k/8/8/8/8/8/K7 w - - 0 1", None, "f8=R Kg7 Rf1", "a new rook",
                       "the pawn on f7 becomes a rook"),
    "mate threat": ("mate threat", "5rk1/1n3ppp/8/8/8/3B4/8/4QK2 w - - 0 1", None, "Qe4 g6 Qxb7", "a knight",
                    "Qe4 threatens mate on h7"),
    "a2 bishop": ("trapped piece", "2k5/ppp5/8/8/8/4B3/5PPP/6K1 w - - 0 1", "Bxa7", "b6 Kf1 Kb7 Ke2 Kxa7",
                  "a bishop for a pawn", "the bishop on a7 is trapped"),
    "check comes first": ("piece that cannot be defended", "6k1/5pp1/8/2n5/8/4B3/5PPP/R5K1 w - - 0 1", None,
                          "Ra8+ Kh7 Bxc5", "a knight", "the knight on c5 cannot be saved"),
    "stalemate": ("stalemate", "7k/8/6K1/5Q2/8/8/8/8 w - - 0 1", "Qf7", "", "", "Black is stalemated"),
    "perpetual": ("perpetual check", "6k1/6p1/8/7Q/8/8/q4r2/7K w - - 0 1", None,
                  "Qe8+ Kh7 Qh5+ Kg8 Qe8+ Kh7 Qh5+", "", "White has perpetual check"),
}


# What it looks like, FEN, mistake or none, line
NOT_FOUND = {
    "the forking knight is taken": ("fork", "r2qk3/8/8/3N4/8/8/8/4K3 w - - 0 1", None, "Nc7+ Qxc7"),
    "defended pawns are not forked": ("fork", "4k3/1p3p2/2p1p3/8/3N4/8/8/4K3 w - - 0 1", None, "Kd2 Kd7 Nxe6 fxe6"),
    "a fork that takes nothing": ("fork", "r3k3/8/8/3N4/8/8/8/4K3 w - - 0 1", None, "Nc7+ Kd7 Nb5"),
    "the pinned knight was not attacked": ("pin", "4k3/8/2n5/1B6/8/8/8/4K3 w - - 0 1", None, "Bxc6+ Kd8"),
    "not pinned to the lesser piece": ("pin", "3bk3/8/5q2/6B1/8/4P3/8/4K3 w - - 0 1", None, "Bxf6 Bxf6"),
    "pinned, but on the line it takes along": ("pinned defender", "6k1/5q2/8/3B4/8/8/8/6K1 b - - 0 1", None,
                                               "Qxd5 Kf1"),
    "the piece in front is the lesser one": ("skewer", "3qk3/8/5n2/8/8/8/3B4/4K3 w - - 0 1", None,
                                             "Bg5 Ke7 Bxf6+ Kxf6"),
    "uncovered, but defended by a pawn": ("discovered attack", "4k3/2p5/3n4/8/8/3N4/8/3RK3 w - - 0 1", None,
                                          "Nc5 Ke7 Rxd6 cxd6"),
    "a plain check": ("discovered check", "4k3/8/8/8/8/8/8/R3K3 w - - 0 1", None, "Ra8+ Kd7 Ra7+"),
    "an even exchange": ("hanging piece", "3rk3/8/8/3n4/8/2N5/8/4K3 w - - 0 1", None, "Nxd5 Rxd5"),
    "taken back": ("hanging piece", "r3k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "Rxa8+", "Kd7"),
    "it took as much before": ("hanging piece", "rn2k3/8/8/8/8/8/8/RN2K3 w - - 0 1", "Rxa8", "Kd7 Rxb8"),
    "the defender stays a defender": ("removed defender", "3r2k1/5ppp/8/8/3N4/3Q4/5PPP/6K1 w - - 0 1", "Qd2",
                                      "Rxd4 Qxd4"),
    "it hung before": ("removed defender", "4k3/6p1/5n2/3b4/2P5/8/1B6/4K3 w - - 0 1", None, "Bxf6 gxf6 cxd5"),
    "the king has a way out": ("back rank", "6k1/5pp1/7p/8/8/8/8/R5K1 w - - 0 1", None, "Ra8+ Kh7"),
    "mate, but not by the pawns": ("back rank", "6k1/R7/8/8/8/8/8/1R4K1 w - - 0 1", None, "Rb8#"),
    "a new queen that is taken": ("promotion", "1r5k/P7/8/8/8/8/8/K7 w - - 0 1", None, "a8=Q Rxa8"),
    "the bishop gets out": ("trapped piece", "2k5/p1p5/1p6/8/8/4B3/5PPP/6K1 w - - 0 1", "Bxb6", "axb6"),
    "it could have moved away": ("piece that cannot be defended", "6k1/5pp1/8/2n5/8/8/3B1PPP/R5K1 w - - 0 1", None,
                                 "Bb4 Kh7 Bxc5"),
    "it could have been defended": ("piece that cannot be defended", "6k1/1p3pp1/8/2n5/8/4B3/5PPP/R5K1 w - - 0 1", None,
                                    "h3 Kh7 Bxc5"),
    "check leaves a move": ("stalemate", "7k/8/6K1/5Q2/8/8/8/8 w - - 0 1", "Qf8+", ""),
    "repeated without checks": ("perpetual check", "6k1/6p1/8/7Q/8/8/8/7K w - - 0 1", None,
                                "Qe8+ Kh7 Qe4+ Kg8 Qe1 Kh8 Qe8+ Kh7"),
    "no mate threatened": ("mate threat", "5rk1/1n3pp1/7p/8/8/8/8/4QK2 w - - 0 1", None, "Qe4 g6 Qxb7"),
    "one guard, one task": ("overloaded defender", "3q2k1/5ppp/8/3n4/8/7Q/5PP1/3R2K1 w - - 0 1", None, "Rxd5 Qxd5"),
}


def walked(fen, mistake, line):
    board, wrong, moves = parsed(fen, mistake, line)
    return motifs(board, moves, wrong), Walk(board, [*([wrong] if wrong else []), *moves], 1 if wrong else 0)


@pytest.mark.parametrize("name", FOUND)
def test_found(name):
    kind, fen, mistake, line, won, words = FOUND[name]
    found, walk = walked(fen, mistake, line)
    assert outcome(walk, walk.attacker).text == won
    texts = [motif.text for motif in found if motif.kind == kind]
    if words is not None:
        assert words in texts
        assert found[0].sentence[0].isupper() and found[0].sentence.endswith(".")
        assert all(len(motif.squares) == len(motif.pieces) for motif in found)
    else:
        assert not texts


@pytest.mark.parametrize("name", NOT_FOUND)
def test_not_found(name):
    kind, fen, mistake, line = NOT_FOUND[name]
    found, _ = walked(fen, mistake, line)
    assert kind not in {motif.kind for motif in found}
