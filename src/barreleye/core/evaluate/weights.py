"""The numbers of the hand-written evaluation: (midgame, endgame) in centipawns, king danger in units of its own.

`barreleye train tune` fits them to games and writes them back here; groups stand in the order of layout.pxd.
"""

WEIGHTS = {
    # Material and squares.
    # pawn, knight, bishop, rook, queen
    "material": [(  39,  129), ( 296,  351), ( 327,  358), ( 408,  587), ( 978, 1024)],
    # files a to d, rank 1 first; files e to h mirror them
    "pawn_squares": [
        (   0,    0), (   0,    0), (   0,    0), (   0,    0),
        (   2,    8), (   7,   -3), (  10,   12), (  -5,   10),
        (  -6,   -2), (  -2,   13), (  -4,   10), (  -1,  -11),
        (   9,    4), ( -10,    4), (  14,   -9), (  17,  -10),
        (  -5,   34), (  10,   16), (   8,   16), (   4,   11),
        (  17,   33), (  10,   32), (  14,   38), (   8,   24),
        (  27,   52), (  33,   45), (  31,   50), (  36,   46),
        (   0,    0), (   0,    0), (   0,    0), (   0,    0),
    ],
    "knight_squares": [
        ( -45,  -41), ( -40,  -24), ( -35,  -12), (  -3,    2),
        ( -21,  -32), ( -16,  -11), (  -2,    2), ( -12,   12),
        ( -12,    3), (  -8,   -2), (   5,    1), (   3,   32),
        (   4,  -19), (   7,    3), (  20,   26), (  20,   20),
        (  -7,   -6), (   4,   12), (  13,   15), (  25,   22),
        ( -14,  -12), (   3,   -6), (   3,  -12), (  25,   15),
        ( -24,  -29), ( -23,  -19), (  -7,  -17), (  -1,    3),
        ( -46,  -44), ( -36,  -31), ( -22,  -15), ( -11,   -9),
    ],
    "bishop_squares": [
        ( -24,  -20), ( -16,   -7), ( -12,    0), ( -11,   -1),
        (  -3,   -5), (  -1,  -12), (   5,   -5), (   5,   12),
        (   8,    1), (   3,   -8), (  14,    7), (   0,    6),
        (   9,   -4), (  12,    2), (   0,   15), (  10,    4),
        (   4,   -4), (   6,    0), (   4,    3), (   7,   17),
        (   1,   -7), (  -1,    3), (  -1,    2), (  12,    7),
        ( -21,  -16), (  -4,   -7), (  -4,   -1), (   4,   -1),
        ( -19,  -14), (  -6,  -10), (  -8,   -9), (  -8,   -5),
    ],
    "rook_squares": [
        ( -21,    9), ( -12,    4), (   9,   -7), (  18,   -4),
        ( -35,   -5), ( -19,   -2), (  11,   -4), (   3,   -8),
        ( -15,    1), (  -5,   -2), ( -11,   -3), (  -4,    6),
        ( -11,   18), ( -15,    3), (   1,    0), (   7,   13),
        ( -15,   13), (  -5,    2), (   1,    0), (   3,   10),
        ( -12,   16), (  -5,    8), (  -7,    5), (   7,    9),
        (   7,    9), (   1,    2), (   7,   13), (  14,    5),
        (  -1,    8), (  -6,    9), (   2,   11), (   7,   11),
    ],
    "queen_squares": [
        (   6,  -29), (   2,  -22), (  -3,  -15), (   4,  -13),
        (  -9,  -27), (  -7,  -10), (   3,   -5), (   5,    4),
        ( -11,  -13), (   8,    0), (   4,    8), (   2,   24),
        (  -7,    2), (   5,   11), (   2,   15), (  -5,   34),
        (   5,    0), (   8,    8), (  -2,   20), (  -2,   25),
        (  12,   -4), (  -3,   -1), (   0,    8), (  -2,   19),
        (  -7,  -13), (   1,   -7), (   0,    5), (  -3,   11),
        ( -17,  -28), (  -1,  -16), (  -6,  -12), (  -2,    0),
    ],
    "king_squares": [
        (  24,  -51), (  29,  -34), (  -1,  -21), (  -6,  -13),
        (   8,  -39), (  20,  -19), (  -6,    4), ( -24,    6),
        ( -11,  -23), (  -1,    1), ( -28,   10), ( -41,   27),
        ( -28,   -3), ( -20,   10), ( -44,   26), ( -58,   34),
        ( -38,    2), ( -28,   17), ( -52,   27), ( -66,   47),
        ( -44,  -10), ( -33,    8), ( -57,   24), ( -74,   33),
        ( -51,  -26), ( -42,  -11), ( -66,    3), ( -81,   18),
        ( -60,  -44), ( -49,  -26), ( -74,  -11), ( -88,    3),
    ],
    # bishops on both colours
    "bishop_pair": [(  13,   70)],
    # for each knight and own pawn beyond five
    "knight_pawns": [(   2,    3)],
    # for each rook and own pawn beyond five
    "rook_pawns": [(   3,  -24)],
    # the side to move
    "tempo": [(  27,   22)],

    # Mobility, by the number of safe squares in reach.
    "knight_mobility": [
        ( -10,  -19), ( -18,  -26), (  -8,   -5), (  -2,   14), (  -1,   17),
        (   1,   20), (   4,   20), (   9,   19), (  13,   13),
    ],
    "bishop_mobility": [
        ( -34,  -38), ( -24,  -32), ( -20,  -25), ( -11,   -8), (  -6,   -3), (  -2,    0), (  -3,   11),
        (   3,   10), (   8,   21), (  11,   18), (  12,   22), (  25,   23), (  25,   25), (  31,   33),
    ],
    "rook_mobility": [
        ( -32,  -68), ( -35,  -51), ( -10,  -30), (  -8,  -18), ( -14,   -9),
        (  -8,    4), (   0,    8), (   3,   11), (  -1,   20), (   9,   30),
        (  12,   29), (   1,   45), (  10,   35), (  11,   45), (  17,   46),
    ],
    "queen_mobility": [
        ( -26,  -65), ( -18,  -51), ( -20,  -44), ( -13,  -37), ( -14,  -32), ( -12,  -23), (  -5,  -21),
        (  -6,  -15), (  -2,  -10), (   1,   -3), (  -3,   -2), (   0,    3), (  11,   10), (   8,   15),
        (   8,   20), (  12,   28), (   8,   26), (  11,   32), (   8,   32), (   6,   30), (  13,   35),
        (  16,   37), (  17,   40), (  17,   40), (  17,   42), (  16,   42), (  18,   47), (  19,   48),
    ],

    # Pawn structure.
    # facing an enemy pawn on its file; on a half-open file
    "isolated": [(  -4,    1), (  -7,   -7)],
    # the same two
    "backward": [(  -1,   -1), ( -13,   -5)],
    # an own pawn ahead on the file
    "doubled": [(   7,  -11)],
    # a neighbour beside it, by rank
    "phalanx": [
        (   0,    0), (   6,   -1), (  13,   -2), (   9,   18), (  21,   21), (  51,   61), (  79,   89), (   0,    0),
    ],
    # each pawn that defends it, by rank
    "supported": [
        (   0,    0), (   0,    0), (  12,   11), (  12,   -4), (   6,   10), (  46,   41), (  84,   82), (   0,    0),
    ],

    # Passed pawns, by rank.
    "passed": [
        (   0,    0), (  -2,   15), ( -10,   19), ( -12,   31), (  14,   47), (  61,   96), ( 114,  163), (   0,    0),
    ],
    # something stands before it
    "passed_blocked": [
        (   0,    0), (   0,    0), (   0,    0), (  -1,   -2), (  19,    0), (  -2,  -28), ( -24,  -69), (   0,    0),
    ],
    # the square before it is safe or defended
    "passed_safe_stop": [
        (   0,    0), (   0,    0), (   0,    0), (  -1,    8), (  -2,   11), (   8,   26), (  21,   43), (   0,    0),
    ],
    # so is the whole way to the last rank
    "passed_safe_path": [
        (   0,    0), (   0,    0), (   0,    0), (   4,   23), (  12,   34), (  25,   64), (  43,  111), (   0,    0),
    ],
    # for each step of our king to the square before it, and each rank beyond the third
    "passed_our_king": [(  -2,   -7)],
    # for each step of theirs
    "passed_their_king": [(  -1,   14)],
    # a rook of ours behind it
    "passed_rook_behind": [(  12,   32)],

    # Pieces.
    # a knight, a bishop where no enemy pawn can drive it off
    "outpost": [(  33,    4), (  24,   16)],
    # a knight can go to such a square
    "outpost_reach": [(  14,    8)],
    # a minor piece shielded by a pawn
    "behind_pawn": [(   4,   13)],
    # each own pawn on the bishop's colour
    "bishop_pawns": [(  -2,   -3)],
    # and again if it is stuck on a central file
    "bishop_blocked": [(  -3,   -3)],
    # a bishop looks across the centre
    "long_diagonal": [(  21,    4)],
    # each step from a knight to its king
    "knight_steps": [(  -5,   -2)],
    # from a bishop
    "bishop_steps": [(  -1,    1)],
    # a rook on a half-open, an open file
    "rook_file": [(  19,   14), (  19,   14)],
    # a rook on the seventh with something to eat
    "rook_seventh": [(   2,   32)],
    # a rook shut in by its king
    "rook_trapped": [(  -6,   -2)],
    # the right to castle king-side, queen-side
    "castling": [(  17,   -2), (   9,   11)],

    # Threats, by the piece attacked: pawn, knight, bishop, rook, queen.
    # by a safe pawn
    "pawn_threat": [(   0,    0), (  66,   40), (  61,   47), (  74,   41), (  67,   38)],
    # by a knight or bishop
    "minor_threat": [(   7,   13), (  19,   32), (  39,   27), (  53,   41), (  55,   60)],
    # by a rook
    "rook_threat": [(  -3,   24), (   7,   23), (  23,   26), (   6,   19), (  50,   31)],
    # by the king
    "king_threat": [(  27,   43)],
    # undefended, or attacked twice and defended once
    "hanging": [(  17,   34)],
    # by a pawn's next step
    "push_threat": [(  21,   12)],
    # a knight can safely attack the queen from here
    "queen_knight": [(   9,  -11)],
    # a bishop or rook can
    "queen_slider": [(  15,  -10)],
    # each square of theirs that we attack too
    "restricted": [(   4,   -1)],
    # each safe square of our side of the centre, more behind pawns
    "space": [(   2,   -5)],

    # King shelter.
    # own pawn nearest the king, by rank (first: none); one row for each file from the edge
    "shelter": [
        (   0,   -1), (  19,  -11), (  34,  -10), (  -5,    3), ( -18,    8), (   4,    4), (  -6,   -1), (   0,    0),
        ( -15,   -1), (  30,    3), (  23,   -7), (  -5,   -3), (   3,    7), (  -4,    3), (  -1,    4), (   0,    0),
        ( -12,    1), (  29,   -7), (  10,   10), (  -3,  -15), (   9,    8), (   0,    3), (  -7,    0), (   0,    0),
        (  -3,   -7), (   9,   -3), (   9,    1), (   5,    4), (   3,    1), (  -5,    3), (  -2,    4), (   0,    0),
    ],
    # enemy pawn nearest the king, by rank (first: none); rows as above
    "storm": [
        (   1,    0), (  16,    6), ( -16,   -8), ( -12,   -9), (  -6,    3), (  -5,   -7), ( -15,  -12), (   0,    0),
        ( -15,   -3), (   7,   -1), ( -37,   -1), ( -22,    1), (  -6,  -10), (   3,   20), (  -8,    1), (   0,    0),
        (  -2,   15), (   7,   -3), ( -37,    5), ( -21,    2), (  -8,    3), (   7,    4), (   7,   -5), (   0,    0),
        ( -10,    2), (  10,    2), ( -43,    3), ( -21,    5), (  -7,    1), (  -3,   -8), ( -12,    5), (   0,    0),
    ],
    # the same when it has run into our pawn, by rank
    "storm_blocked": [
        (   0,    0), (   0,    0), ( -13,  -15), (  -9,  -22), (  -5,   -7), (   4,    0), (   1,    2), (   0,    0),
    ],
    # the king on a half-open, an open file
    "king_file": [(  -5,    2), ( -27,   -8)],

    # King danger, in units that are added up and then squared.
    # each square of the ring that a pawn attacks, and each knight, bishop, rook, queen that does
    "danger_attacker": [22, 70, 44, 39, 41],
    # each square next to the king that it attacks
    "danger_ring": [36],
    # each weak square of the ring
    "danger_weak": [54],
    # a safe check by pawn (unused), knight, bishop, rook, queen
    "danger_check": [0, 220, 128, 247, 215],
    # each other square from which to check
    "danger_unsafe_check": [40],
    # each piece that shields the king
    "danger_pinned": [29],
    # they have no queen
    "danger_queenless": [-358],
    # no knight of ours is near the king
    "danger_no_knight": [40],
    # each attack on our side of the king's flank
    "danger_flank": [19],
    # each square we hold there
    "danger_flank_defence": [-9],
    # each of the three files without a pawn of ours
    "danger_open": [32],
    # always
    "danger_base": [-79],
}
