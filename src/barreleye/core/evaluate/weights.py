"""The numbers of the hand-written evaluation: (midgame, endgame) in centipawns, king danger in units of its own.

`barreleye train tune` fits them to games and writes them back here; groups stand in the order of layout.pxd.
"""

WEIGHTS = {
    # Material and squares.
    # pawn, knight, bishop, rook, queen
    "material": [(  90,  100), ( 310,  300), ( 330,  320), ( 460,  510), ( 950,  950)],
    # files a to d, rank 1 first; files e to h mirror them
    "pawn_squares": [
        (   0,    0), (   0,    0), (   0,    0), (   0,    0),
        (   0,    0), (   0,    0), (   0,    0), (   0,    0),
        (  -5,    2), (  -1,    2), (   3,    2), (   7,    2),
        (  -5,    6), (   1,    6), (   7,    6), (  13,    6),
        (   7,   16), (  11,   16), (  15,   16), (  19,   16),
        (  15,   30), (  19,   30), (  23,   30), (  27,   30),
        (  25,   45), (  29,   45), (  33,   45), (  37,   45),
        (   0,    0), (   0,    0), (   0,    0), (   0,    0),
    ],
    "knight_squares": [
        ( -45,  -40), ( -33,  -29), ( -22,  -18), ( -10,   -7),
        ( -33,  -29), ( -22,  -18), ( -10,   -7), (   2,    4),
        ( -17,  -18), (  -5,   -7), (   7,    4), (  18,   15),
        (  -5,   -7), (   7,    4), (  18,   15), (  30,   26),
        (  -5,   -7), (   7,    4), (  18,   15), (  30,   26),
        ( -17,  -18), (  -5,   -7), (   7,    4), (  18,   15),
        ( -33,  -29), ( -22,  -18), ( -10,   -7), (   2,    4),
        ( -45,  -40), ( -33,  -29), ( -22,  -18), ( -10,   -7),
    ],
    "bishop_squares": [
        ( -23,  -18), ( -18,  -13), ( -13,   -8), (  -8,   -3),
        ( -10,  -13), (  -5,   -8), (   0,   -3), (   5,    2),
        (  -5,   -8), (   0,   -3), (   5,    2), (  10,    7),
        (   0,   -3), (   5,    2), (  10,    7), (  15,   12),
        (   0,   -3), (   5,    2), (  10,    7), (  15,   12),
        (  -5,   -8), (   0,   -3), (   5,    2), (  10,    7),
        ( -10,  -13), (  -5,   -8), (   0,   -3), (   5,    2),
        ( -15,  -18), ( -10,  -13), (  -5,   -8), (   0,   -3),
    ],
    "rook_squares": [
        (  -8,    0), (  -4,    0), (   0,    0), (   4,    0),
        ( -12,    0), (  -8,    0), (  -4,    0), (   0,    0),
        ( -12,    0), (  -8,    0), (  -4,    0), (   0,    0),
        (  -8,    0), (  -4,    0), (   0,    0), (   4,    0),
        (  -8,    0), (  -4,    0), (   0,    0), (   4,    0),
        (  -8,    6), (  -4,    6), (   0,    6), (   4,    6),
        (   4,    6), (   8,    6), (  12,    6), (  16,    6),
        (  -8,    6), (  -4,    6), (   0,    6), (   4,    6),
    ],
    "queen_squares": [
        (  -5,  -30), (  -4,  -21), (  -2,  -12), (   0,   -3),
        (  -4,  -21), (  -2,  -12), (   0,   -3), (   1,    6),
        (  -2,  -12), (   0,   -3), (   1,    6), (   2,   15),
        (   0,   -3), (   1,    6), (   2,   15), (   4,   24),
        (   0,   -3), (   1,    6), (   2,   15), (   4,   24),
        (  -2,  -12), (   0,   -3), (   1,    6), (   2,   15),
        (  -8,  -21), (  -6,  -12), (  -4,   -3), (  -3,    6),
        (  -9,  -30), (  -8,  -21), (  -6,  -12), (  -4,   -3),
    ],
    "king_squares": [
        (  25,  -45), (  35,  -31), (  10,  -17), (  -5,   -3),
        (   8,  -31), (  18,  -17), (  -8,   -3), ( -22,   11),
        ( -14,  -17), (  -4,   -3), ( -28,   11), ( -44,   25),
        ( -28,   -3), ( -18,   11), ( -42,   25), ( -58,   39),
        ( -38,    1), ( -28,   15), ( -53,   29), ( -68,   43),
        ( -45,  -13), ( -35,    1), ( -60,   15), ( -75,   29),
        ( -52,  -27), ( -42,  -13), ( -67,    1), ( -82,   15),
        ( -59,  -41), ( -49,  -27), ( -74,  -13), ( -89,    1),
    ],
    # bishops on both colours
    "bishop_pair": [(  30,   50)],
    # for each knight and own pawn beyond five
    "knight_pawns": [(   3,    4)],
    # for each rook and own pawn beyond five
    "rook_pawns": [(  -4,   -2)],
    # the side to move
    "tempo": [(  20,   15)],

    # Mobility, by the number of safe squares in reach.
    "knight_mobility": [
        ( -32,  -32), ( -19,  -19), ( -10,  -10), (  -3,   -3), (   3,    3),
        (   9,    9), (  14,   14), (  18,   18), (  23,   23),
    ],
    "bishop_mobility": [
        ( -44,  -47), ( -31,  -33), ( -22,  -23), ( -14,  -16), (  -8,   -9), (  -3,   -3), (   3,    3),
        (   7,    8), (  12,   13), (  16,   17), (  20,   21), (  24,   25), (  27,   29), (  31,   33),
    ],
    "rook_mobility": [
        ( -28,  -64), ( -20,  -46), ( -15,  -34), ( -10,  -24), (  -6,  -15),
        (  -3,   -7), (   0,    0), (   3,    7), (   5,   13), (   8,   19),
        (  10,   24), (  13,   29), (  15,   35), (  17,   39), (  19,   44),
    ],
    "queen_mobility": [
        ( -26,  -65), ( -21,  -52), ( -17,  -43), ( -14,  -36), ( -12,  -30), ( -10,  -24), (  -8,  -19),
        (  -6,  -14), (  -4,  -10), (  -2,   -6), (  -1,   -2), (   1,    2), (   2,    5), (   4,    9),
        (   5,   12), (   6,   16), (   7,   19), (   9,   22), (  10,   25), (  11,   27), (  12,   30),
        (  13,   33), (  14,   36), (  15,   38), (  16,   41), (  17,   43), (  18,   46), (  19,   48),
    ],

    # Pawn structure.
    # facing an enemy pawn on its file; on a half-open file
    "isolated": [(  -8,  -10), ( -16,  -16)],
    # the same two
    "backward": [(  -6,   -8), ( -14,  -14)],
    # an own pawn ahead on the file
    "doubled": [(  -6,  -24)],
    # a neighbour beside it, by rank
    "phalanx": [
        (   0,    0), (   2,    0), (   8,    4), (  12,    8), (  25,   25), (  50,   60), (  80,   90), (   0,    0),
    ],
    # each pawn that defends it, by rank
    "supported": [
        (   0,    0), (   0,    0), (  12,    6), (  10,    6), (  15,   12), (  40,   40), (  80,   80), (   0,    0),
    ],

    # Passed pawns, by rank.
    "passed": [
        (   0,    0), (   0,    8), (   2,   14), (   5,   28), (  25,   50), (  60,   95), ( 110,  150), (   0,    0),
    ],
    # something stands before it
    "passed_blocked": [
        (   0,    0), (   0,    0), (   0,    0), (  -2,   -5), (  -8,  -15), ( -15,  -40), ( -30,  -80), (   0,    0),
    ],
    # the square before it is safe or defended
    "passed_safe_stop": [
        (   0,    0), (   0,    0), (   0,    0), (   3,    4), (   6,   10), (  10,   20), (  15,   35), (   0,    0),
    ],
    # so is the whole way to the last rank
    "passed_safe_path": [
        (   0,    0), (   0,    0), (   0,    0), (   5,   12), (  12,   28), (  25,   60), (  45,  110), (   0,    0),
    ],
    # for each step of our king to the square before it, and each rank beyond the third
    "passed_our_king": [(   0,   -4)],
    # for each step of theirs
    "passed_their_king": [(   0,    7)],
    # a rook of ours behind it
    "passed_rook_behind": [(   5,   12)],

    # Pieces.
    # a knight, a bishop where no enemy pawn can drive it off
    "outpost": [(  35,   20), (  25,    8)],
    # a knight can go to such a square
    "outpost_reach": [(  12,    6)],
    # a minor piece shielded by a pawn
    "behind_pawn": [(   8,    2)],
    # each own pawn on the bishop's colour
    "bishop_pawns": [(  -3,   -5)],
    # and again if it is stuck on a central file
    "bishop_blocked": [(  -4,   -5)],
    # a bishop looks across the centre
    "long_diagonal": [(  18,    0)],
    # a rook on a half-open, an open file
    "rook_file": [(  12,    6), (  28,   10)],
    # a rook on the seventh with something to eat
    "rook_seventh": [(   8,   18)],
    # a rook shut in by its king
    "rook_trapped": [( -35,   -8)],
    # the right to castle king-side, queen-side
    "castling": [(  20,    0), (  12,    0)],

    # Threats, by the piece attacked: pawn, knight, bishop, rook, queen.
    # by a safe pawn
    "pawn_threat": [(   0,    0), (  60,   35), (  60,   45), (  75,   40), (  70,   40)],
    # by a knight or bishop
    "minor_threat": [(   4,   20), (  30,   25), (  30,   28), (  50,   50), (  45,   60)],
    # by a rook
    "rook_threat": [(   2,   20), (  20,   28), (  20,   28), (   5,   15), (  45,   30)],
    # by the king
    "king_threat": [(  10,   40)],
    # undefended, or attacked twice and defended once
    "hanging": [(  25,   15)],
    # by a pawn's next step
    "push_threat": [(  16,   14)],
    # a knight can safely attack the queen from here
    "queen_knight": [(   8,    6)],
    # a bishop or rook can
    "queen_slider": [(  25,   10)],
    # each square of theirs that we attack too
    "restricted": [(   3,    3)],
    # each safe square of our side of the centre, more behind pawns
    "space": [(   2,    0)],

    # King shelter.
    # own pawn nearest the king, by rank (first: none); one row for each file from the edge
    "shelter": [
        ( -18,    0), (  25,    0), (  22,    0), (   5,    0), (   0,    0), (  -3,    0), (  -5,    0), (   0,    0),
        ( -23,    0), (  32,    0), (  29,    0), (   6,    0), (   0,    0), (  -4,    0), (  -6,    0), (   0,    0),
        ( -18,    0), (  25,    0), (  22,    0), (   5,    0), (   0,    0), (  -3,    0), (  -5,    0), (   0,    0),
        ( -11,    0), (  15,    0), (  13,    0), (   3,    0), (   0,    0), (  -2,    0), (  -3,    0), (   0,    0),
    ],
    # enemy pawn nearest the king, by rank (first: none); rows as above
    "storm": [
        (   0,    0), (   5,    0), ( -20,    0), ( -14,    0), (  -6,    0), (  -2,    0), (   0,    0), (   0,    0),
        (   0,    0), (  10,    0), ( -40,    0), ( -28,    0), ( -12,    0), (  -4,    0), (   0,    0), (   0,    0),
        (   0,    0), (  10,    0), ( -40,    0), ( -28,    0), ( -12,    0), (  -4,    0), (   0,    0), (   0,    0),
        (   0,    0), (  10,    0), ( -40,    0), ( -28,    0), ( -12,    0), (  -4,    0), (   0,    0), (   0,    0),
    ],
    # the same when it has run into our pawn, by rank
    "storm_blocked": [
        (   0,    0), (   0,    0), ( -15,  -20), (  -2,   -8), (   2,   -4), (   2,    0), (   2,    0), (   0,    0),
    ],
    # the king on a half-open, an open file
    "king_file": [( -15,    0), ( -30,    0)],

    # King danger, in units that are added up and then squared.
    # each piece that attacks the ring: pawn (unused), knight, bishop, rook, queen
    "danger_attacker": [0, 70, 50, 45, 30],
    # each square next to the king that it attacks
    "danger_ring": [35],
    # each weak square of the ring
    "danger_weak": [70],
    # a safe check by pawn (unused), knight, bishop, rook, queen
    "danger_check": [0, 220, 130, 250, 200],
    # each other square from which to check
    "danger_unsafe_check": [35],
    # each piece that shields the king
    "danger_pinned": [35],
    # they have no queen
    "danger_queenless": [-350],
    # no knight of ours is near the king
    "danger_no_knight": [40],
    # each attack on our side of the king's flank
    "danger_flank": [6],
    # each square we hold there
    "danger_flank_defence": [-6],
    # each of the three files without a pawn of ours
    "danger_open": [40],
    # always
    "danger_base": [-80],
}
