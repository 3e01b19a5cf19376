"""Every tunable number of the search: one per line, with its range and meaning.

Suffixes: BASE flat term, MARGIN per ply, SCALE factor, DIVISOR, MAX_DEPTH/MIN_DEPTH guard, LIMIT clamp, BONUS/MALUS
history points. Values are centipawns; reductions are 1/1024 of a ply.
"""

# A2 aspiration
cdef enum:
    ASPIRATION_DELTA = 6              # [3, 30]    half window around the average score
    ASPIRATION_THREADS = 8            # [1, 16]    threads differ by up to this many centipawns
    ASPIRATION_DIVISOR = 4500         # [1000, 20000] mean squared score that widens by one
    ASPIRATION_WIDEN = 3              # [1, 6]     the window grows by one part in this many
    ASPIRATION_LIMIT = 2000           # a window wider than this is opened altogether
    SEARCH_AGAIN_PART = 2             # beyond one part in so many of the optimum, iterations repeat their depth:
    SEARCH_AGAIN_SCALE = 3            # of 4: plies less for each of them

# A5 threads
cdef enum:
    VOTE_BASE = 14                    # what the vote of the thread with the lowest score counts, times its depth

# B5 tablebases
cdef enum:
    TABLEBASE_DEPTH_BONUS = 6         # a result from the tables is stored as if searched so much deeper
    EXTEND_LINE_US = 50000            # time to lengthen a line with tablebase moves when no clock runs

# B6 static evaluation, correction, hindsight
cdef enum:
    PAWN_CORRECTION_SCALE = 10000     # [4000, 20000] weights of the correction tables,
    MINOR_CORRECTION_SCALE = 8000     # [2000, 20000]
    NON_PAWN_CORRECTION_SCALE = 10000  # [4000, 20000]
    CONTINUATION_CORRECTION_SCALE = 7000  # [2000, 20000]
    CORRECTION_DIVISOR = 262144       # [65536, 1048576] from weighted entries to centipawns
    CORRECTION_BONUS_SCALE = 2        # [1, 4]     how fast the tables learn,
    CORRECTION_HIGH_DIVISOR = 10      # [4, 20]    from a best move
    CORRECTION_LOW_DIVISOR = 8        # [4, 20]    and from none
    CORRECTION_BONUS_LIMIT = 256      # [64, 1024] one result teaches no more than this
    FOURTH_PLY_CORRECTION = 768       # [0, 1024]  of 1024: what the move four plies back learns of it
    EVAL_HISTORY_SCALE = 18           # [4, 40]    the evaluation's change as a bonus for the move before
    EVAL_HISTORY_LIMIT = 1600         # [400, 3000]
    EVAL_HISTORY_BASE = 500           # [0, 1000]
    HINDSIGHT_REDUCTION = 3           # [2, 5]     plies of reduction worth regretting
    HINDSIGHT_MARGIN = 85             # [20, 200]  both sides' evaluations add up to this much: too deep
    RULE50_DIVISOR = 212              # [150, 400] evaluation fades as the fifty-move counter grows

# B7 razoring
cdef enum:
    RAZOR_BASE = 240                  # [100, 500]
    RAZOR_MARGIN = 140                # [50, 300]  per squared ply

# B8, B9, B12 cuts before any move is tried
cdef enum:
    LOST_MARGIN = 800                 # [400, 2000] a side so far behind must show by moves that it is not mated

# B8 futility
cdef enum:
    FUTILITY_MAX_DEPTH = 14           # [8, 18]    deepest node where it applies
    FUTILITY_MARGIN = 55              # [30, 140]  per ply left
    FUTILITY_NO_TT_CUT = 11           # [0, 30]    less at cut nodes the table does not know
    FUTILITY_IMPROVING = 2            # [0, 4]     margins less when improving
    FUTILITY_WORSENING = 3            # [1, 8]     margin divided by this, less when the opponent worsens
    FUTILITY_BLEND = 3                # [1, 6]     the value returned lies one part in so many above beta

# B9 null move
cdef enum:
    NULL_BASE = 190                   # [50, 400]  static evaluation may be this far below beta,
    NULL_MARGIN = 9                   # [0, 30]    less this per ply
    NULL_REDUCTION = 5                # [2, 8]
    NULL_DEPTH_DIVISOR = 3            # [2, 6]
    NULL_EVAL_DIVISOR = 116           # [50, 300]  one more ply per so much above beta,
    NULL_EVAL_LIMIT = 6               # [2, 8]     at most so many
    NULL_VERIFICATION_MIN_DEPTH = 16  # [8, 20]
    NULL_VERIFICATION_PLIES = 3       # of 4: share of the verifying depth without null moves
    IMPROVING_MARGIN = 47             # [0, 150]   static evaluation this far above beta counts as improving

# B10 internal iterative reduction
cdef enum:
    INTERNAL_REDUCTION_MIN_DEPTH = 6  # [3, 10]
    INTERNAL_REDUCTION_PRIOR = 3      # [1, 6]     plies of reduction before that are enough

# B11, B12 ProbCut
cdef enum:
    PROBCUT_BASE = 100                # [50, 250]
    PROBCUT_IMPROVING = 28            # [0, 80]
    PROBCUT_MIN_DEPTH = 3             # [2, 8]
    PROBCUT_REDUCTION = 4             # [3, 6]
    SMALL_PROBCUT_BASE = 200          # [100, 400]
    SMALL_PROBCUT_DEPTH = 4           # [2, 6]     the table may be so much shallower

# B14 shallow pruning
cdef enum:
    LATE_MOVE_BASE = 3                # [1, 8]
    CAPTURE_FUTILITY_MAX_DEPTH = 7    # [3, 12]
    CAPTURE_FUTILITY_BASE = 115       # [50, 300]
    CAPTURE_FUTILITY_MARGIN = 110     # [50, 300]
    CAPTURE_FUTILITY_HISTORY = 15     # [5, 40]    history points for a centipawn
    CAPTURE_SEE_MARGIN = 75           # [30, 200]
    CAPTURE_SEE_HISTORY = 64          # [16, 200]
    HISTORY_PRUNING_MARGIN = 4100     # [1000, 8000]
    HISTORY_DEPTH_DIVISOR = 3500      # [1000, 8000]
    QUIET_FUTILITY_MAX_DEPTH = 12     # [6, 16]
    QUIET_FUTILITY_BASE = 25          # [0, 150]
    QUIET_FUTILITY_NO_BEST = 75       # [0, 200]   more while no best move is known
    QUIET_FUTILITY_MARGIN = 58        # [30, 150]
    QUIET_SEE_MARGIN = 13             # [5, 50]    per squared ply

# B15 singular extensions
cdef enum:
    SINGULAR_MIN_DEPTH = 6            # [4, 9]
    SINGULAR_MARGIN = 30              # [10, 80]   per ply, in parts of the divisor below
    SINGULAR_PV_MARGIN = 38           # [10, 100]  more at former pv nodes
    SINGULAR_DIVISOR = 57             # [30, 100]
    SINGULAR_TT_DEPTH = 3             # [1, 5]     the table may be so much shallower
    SINGULAR_DEPTH_DIVISOR = 2        # [2, 3]     the other moves are searched to this part of the depth
    EXTENSION_PLIES = 2               # [1, 3]     no extensions beyond so many times the root depth
    DOUBLE_MARGIN_BASE = 15           # [-20, 60]  the others fail so far below: a second ply,
    DOUBLE_MARGIN_PV = 110            # [20, 300]  with so much more at pv nodes
    TRIPLE_MARGIN = 60                # [10, 200]  and a third
    TRIPLE_MARGIN_PV = 130            # [20, 400]
    TRUST_MARGIN = 30                 # [0, 80]    most that the table move's record changes the margin
    NEGATIVE_TT = 3                   # [1, 4]
    NEGATIVE_CUT = 2                  # [1, 4]

# B24 check extension
cdef enum:
    CHECK_EXTENSION_MIN_DEPTH = 9     # [4, 14]

# B17, B18 late-move reductions, in 1/1024 ply
cdef enum:
    LMR_MIN_DEPTH = 2                 # [1, 4]
    LMR_TABLE_SCALE = 2747            # [2000, 3600] 1/128 of the logarithm's factor
    LMR_DELTA = 608                   # [200, 1200]
    LMR_NOT_IMPROVING = 238           # [100, 400]   of 512
    LMR_BASE = 1182                   # [500, 2000]
    LMR_PV_BASE = 2719                # [1000, 4000]
    LMR_PV_NODE = 983                 # [0, 2000]
    LMR_PV_VALUE = 922                # [0, 2000]
    LMR_PV_DEPTH = 934                # [0, 2000]
    LMR_PV_DEPTH_CUT = 1011           # [0, 2000]
    LMR_FORMER_PV = 946               # [0, 2000]
    LMR_MOVE_COUNT = 66               # [0, 150]
    LMR_OFFSET = 500                  # [0, 1500]
    LMR_CORRECTION = 15000            # [5000, 60000]
    LMR_CUT_NODE = 3000               # [1000, 5000]
    LMR_CUT_NODE_NO_MOVE = 997        # [0, 2000]
    LMR_TT_CAPTURE = 1119             # [0, 2000]
    LMR_CUTOFFS = 1000                # [0, 2000]
    LMR_CUTOFF_COUNT = 2              # [1, 5]
    LMR_TT_MOVE = 2150                # [0, 4000]
    LMR_HISTORY_SCALE = 850           # [400, 1600]  of 8192
    LMR_HISTORY_BASE = 3400           # [0, 6000]
    LMR_CAPTURE_VALUE = 13            # [4, 30]      history points for a centipawn captured
    DEEPER_BASE = 22                  # [5, 80]
    SHALLOWER_MARGIN = 5              # [0, 30]
    RESEARCH_BONUS = 1365             # [500, 2500]
    FULL_DEPTH_NO_MOVE = 1118         # [0, 2000]
    FULL_DEPTH_ONE = 3200             # [2000, 5000]
    FULL_DEPTH_TWO = 4700             # [3000, 7000]
    FULL_DEPTH_MIN = 2                # [1, 4]       the second ply comes off only above this depth

# B20 after a raise of alpha
cdef enum:
    ALPHA_REDUCTION_MAX_DEPTH = 14    # [8, 20]
    ALPHA_REDUCTION = 2               # [1, 3]

# C quiescence
cdef enum:
    QS_FUTILITY_BASE = 175            # [80, 400]
    QS_SEE_FLOOR = 38                 # [0, 150]
    QS_MOVE_LIMIT = 2                 # [1, 5]
    QS_HISTORY = 0                    # [-6000, 12000] quiet checks and second evasions need more than this
    QS_BLEND = 2                      # [1, 4]     the value returned lies one part in so many above beta

# D histories: starting points, bonus and malus
cdef enum:
    MAIN_HISTORY_START = 68
    LOW_PLY_HISTORY_START = 97
    CAPTURE_HISTORY_START = -689
    PAWN_HISTORY_START = -1238
    CONTINUATION_HISTORY_START = -529
    BONUS_DEPTH = 116                 # [50, 250]
    BONUS_BASE = -81                  # [-300, 200]
    BONUS_LIMIT = 1515                # [800, 3000]
    BONUS_TT_MOVE = 347               # [0, 800]
    MALUS_DEPTH = 848                 # [300, 1500]
    MALUS_BASE = -207                 # [-500, 200]
    MALUS_LIMIT = 2446                # [1000, 4000]
    MALUS_COUNT = 17                  # [0, 50]
    CAPTURE_BONUS = 1400              # [600, 2500]  of 1024
    CAPTURE_MALUS = 1400              # [600, 2500]
    QUIET_BONUS = 950                 # [500, 2000]
    QUIET_MALUS = 1100                # [500, 2000]
    LOW_PLY_BONUS = 780               # [300, 2000]
    CONTINUATION_BONUS = 950          # [300, 2000]
    PAWN_BONUS = 850                  # [300, 2000]
    EARLY_REFUTATION = 500            # [100, 1500]
    HISTORY_MAIN_WEIGHT = 2           # [1, 4]       the main history against the continuations, wherever they are added
    TT_CUTOFF_MIN_DEPTH = 5           # [2, 9]       up to here a bound of the unexpected kind is not believed
    TT_CUTOFF_RULE50 = 90             # [60, 99]     plies without progress after which no bound is
    TT_CUTOFF_BONUS = 130             # [50, 300]    per ply
    TT_CUTOFF_BASE = -71
    TT_CUTOFF_LIMIT = 1043
    TT_CUTOFF_PRIOR_MALUS = 2140      # [500, 4000]
    TT_CUTOFF_PRIOR_COUNT = 4         # [1, 8]       the move before must have been among the first so many
    PRIOR_BONUS_DEPTH = 144
    PRIOR_BONUS_BASE = -92
    PRIOR_BONUS_LIMIT = 1365
    TT_MOVE_HISTORY_BONUS = 800
    TT_MOVE_HISTORY_MALUS = 870
    FOLLOW_UP_BASE = 88               # extra for the reply to the very last move
    SURPRISE_BASE = -228              # how unexpected a fail-low was, in the eyes of the move before:
    SURPRISE_DEPTH = 78               # it grows with depth,
    SURPRISE_DEPTH_LIMIT = 312
    SURPRISE_LATE = 184               # with the move having been tried late,
    SURPRISE_LATE_COUNT = 8
    SURPRISE_EVAL = 143               # and when the score fell below the evaluation here
    SURPRISE_EVAL_MARGIN = 50
    SURPRISE_PRIOR_EVAL = 149         # or the one before
    SURPRISE_PRIOR_MARGIN = 45
    PRIOR_CONTINUATION = 400          # of 32768: the bonus in each table
    PRIOR_MAIN = 220
    PRIOR_PAWN = 1164

# E table
cdef enum:
    TT_KEEP_DEPTH = 4                 # [1, 8]     a result so much shallower still replaces one of the same position
    TT_PV_BONUS = 2                   # [0, 4]     and so many plies shallower still if it lay on a pv
    TT_FADE_MIN_DEPTH = 5             # [3, 9]     from here on a kept bound loses a ply each time

# F exchanges: what each man counts in them
cdef enum:
    SEE_PAWN = 100                    # [60, 160]
    SEE_KNIGHT = 375                  # [200, 500]
    SEE_BISHOP = 397                  # [200, 500]
    SEE_ROOK = 613                    # [350, 800]
    SEE_QUEEN = 1220                  # [600, 1500]

# F move ordering
cdef enum:
    GOOD_QUIET_LIMIT = -14000         # [-20000, -6000] quiets below this wait behind the losing captures
    GOOD_CAPTURE_DIVISOR = 36         # [12, 80]
    SORT_MARGIN = 3560                # [1000, 6000]
    CAPTURE_VICTIM_SCALE = 14         # [4, 30]
    CHECK_ORDER_BONUS = 16000         # [4000, 30000]
    CHECK_ORDER_SEE = -38
    THREAT_ORDER_SCALE = 42           # [5, 60]
    ORDER_PAWN_WEIGHT = 2             # [0, 4]
    ORDER_LOW_PLY_WEIGHT = 8          # [0, 16]
    EVASION_CAPTURE_BONUS = 16777216  # captures out of check come before all else
    KILLER_BONUS = 8000               # [0, 30000]
    COUNTER_BONUS = 4000              # [0, 30000]

# A8 time, in thousandths unless the name says otherwise
cdef enum:
    SHARE_BASE = 12                   # sudden death: part of the time left for one move,
    SHARE_PLY_POWER = 462             # growing with the game,
    SHARE_PLY_SCALE = 308             # in units of 1/100000,
    SHARE_PLY_OFFSET = 3
    SHARE_MAGNITUDE = 32              # and with the length of the clock,
    SHARE_SCALE_LIMIT = 506
    SHARE_CLOCK_LIMIT = 213           # but never more than this part of the clock
    STRETCH_BASE = 3390               # how many optima a move may take at most
    STRETCH_MAGNITUDE = 3010
    STRETCH_MIN = 2930
    STRETCH_LIMIT = 6640
    STRETCH_PLIES = 12
    CONTROL_SHARE = 880               # moves to go: an equal share, a little less early on
    CONTROL_PLIES = 116
    CONTROL_STRETCH = 1300
    CONTROL_STRETCH_MOVES = 110
    CONTROL_STRETCH_LIMIT = 6300
    PONDER_SHARE = 1250
    FALLING_BASE = 113                # falling evaluation: more time when the score drops
    FALLING_AVERAGE = 42              # below the last search's average
    FALLING_RECENT = 20               # or that of four iterations ago
    FALLING_MIN = 570
    FALLING_MAX = 1570
    STABLE_BASE = 723                 # best-move stability
    STABLE_SCALE = 790
    STABLE_OFFSET = 1104
    STABLE_SLOPE = 519
    STABLE_DEPTH = 11600
    STABLE_PREVIOUS = 1455
    STABLE_DIVISOR = 2238
    FIRST_TIME_REDUCTION = 850
    INSTABILITY_BASE = 1040           # best-move instability
    INSTABILITY_SCALE = 1896
    EFFORT_SHARE = 920                # nodes spent on the best move that make it clear
    EFFORT_FACTOR = 670
    EFFORT_MIN_DEPTH = 10
    ONE_MOVE_US = 500000              # with a single legal move there is little to think about

    HORIZON_MOVES = 50                # [30, 60]    moves a sudden-death clock must last
    MAXIMUM_SHARE = 800               # [600, 900]  thousandths of the clock one move may take
    MIN_MOVE_US = 1000                # even with no time at all
    MOVE_TIME_SPARE = 300             # the overhead takes no more than this part of a fixed time
    OVERHEAD_PART = 8                 # nor more than one part in so many of the clock,
    OVERHEAD_MOVES = 2                # and is set aside for so many moves beyond the horizon
    LEFT_MIN = 50                     # whatever overheads say, this part of the clock is left
    REPORT_BOUNDS_US = 3000000        # searches longer than this report bounds and current moves
    REPORT_PAUSE_US = 50000           # between two reports of a search that is sparing with them


# How much a move's bonus counts on the page of the move so many plies before it, of 1024.
cdef inline int continuation_weight(int plies) noexcept nogil:
    return (1133 if plies == 1 else 683 if plies == 2 else 312 if plies == 3 else 582 if plies == 4
            else 149 if plies == 5 else 474)
