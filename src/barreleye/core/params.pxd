"""Every tunable number of the search: one per line, with its range and meaning.

Suffixes: BASE flat term, MARGIN per ply, SCALE factor, DIVISOR, MAX_DEPTH/MIN_DEPTH guard, LIMIT clamp, BONUS/MALUS
history points. Values are centipawns; reductions are 1/1024 of a ply.
"""

# Aspiration windows (docs/search.md, section 3)
cdef enum:
    ASPIRATION_DELTA = 10             # [3, 30]      half window around the average score
    ASPIRATION_THREADS = 8            # [1, 16]      threads differ by up to this many centipawns
    ASPIRATION_DIVISOR = 4500         # [1000, 20000] mean squared score that widens by one
    ASPIRATION_WIDEN = 3              # [1, 6]       the window grows by one part in this many
    ASPIRATION_LIMIT = 2000           # [500, 8000]  a window wider than this is opened altogether
    SEARCH_AGAIN_PART = 2             # [1, 8]       beyond one part in so many of the optimum, depths repeat:
    SEARCH_AGAIN_SCALE = 3            # [1, 8]       of 4: plies less for each of them

# Threads
cdef enum:
    VOTE_BASE = 14                    # [1, 100]     what the lowest-scored thread's vote counts, times its depth

# Step 5: tablebases
cdef enum:
    TABLEBASE_DEPTH_BONUS = 6         # [0, 12]      a result from the tables is stored as if searched so much deeper
    EXTEND_LINE_US = 50000            # [1000, 1000000] time to lengthen a line with tablebase moves when no clock runs

# Step 6: static evaluation, correction, hindsight
cdef enum:
    PAWN_CORRECTION_SCALE = 10000     # [4000, 20000] weight of the correction by pawn structure,
    MINOR_CORRECTION_SCALE = 8000     # [2000, 20000] by king and minor pieces,
    NON_PAWN_CORRECTION_SCALE = 10000  # [4000, 20000] by each side's pieces,
    CONTINUATION_CORRECTION_SCALE = 7000  # [2000, 20000] and by the last moves
    CORRECTION_DIVISOR = 262144       # [65536, 1048576] from weighted entries to centipawns
    CORRECTION_BONUS_SCALE = 2        # [1, 4]       how fast the tables learn,
    CORRECTION_HIGH_DIVISOR = 10      # [4, 20]      from a best move
    CORRECTION_LOW_DIVISOR = 8        # [4, 20]      and from none
    CORRECTION_BONUS_LIMIT = 256      # [64, 1024]   one result teaches no more than this
    FOURTH_PLY_CORRECTION = 768       # [0, 1024]    of 1024: what the move four plies back learns of it
    EVAL_HISTORY_SCALE = 18           # [4, 40]      the evaluation's change as a bonus for the move before
    EVAL_HISTORY_LIMIT = 1600         # [400, 3000]  at most so much either way,
    EVAL_HISTORY_BASE = 500           # [0, 1000]    and this on top: most moves are worth repeating
    HINDSIGHT_REDUCTION = 3           # [2, 5]       plies of reduction worth regretting
    HINDSIGHT_MARGIN = 85             # [20, 200]    both sides' evaluations add up to this much: too deep
    RULE50_DIVISOR = 212              # [150, 400]   evaluation fades as the fifty-move counter grows

# Step 7: razoring
cdef enum:
    RAZOR_BASE = 240                  # [100, 500]   the evaluation is so far below alpha,
    RAZOR_MARGIN = 140                # [50, 300]    and so much more per squared ply

# Steps 8, 9, 12, 14, 15 and 16: where there may be a mate
cdef enum:
    LOST_MARGIN = 800                 # [400, 2000]  so far from even the game may be about mate

# Step 8: futility
cdef enum:
    FUTILITY_MAX_DEPTH = 14           # [8, 18]      deepest node where it applies
    FUTILITY_MARGIN = 55              # [30, 140]    per ply left
    FUTILITY_NO_TT_CUT = 11           # [0, 30]      less at cut nodes the table does not know
    FUTILITY_IMPROVING = 2            # [0, 4]       margins less when improving
    FUTILITY_WORSENING = 3            # [1, 8]       margin divided by this, less when the opponent worsens
    FUTILITY_BLEND = 3                # [1, 6]       the value returned lies one part in so many above beta

# Step 9: null move
cdef enum:
    NULL_BASE = 190                   # [50, 400]    static evaluation may be this far below beta,
    NULL_MARGIN = 9                   # [0, 30]      less this per ply
    NULL_REDUCTION = 5                # [2, 8]       plies that a null move is searched less deeply,
    NULL_DEPTH_DIVISOR = 3            # [2, 6]       and one more per so many of depth
    NULL_EVAL_DIVISOR = 116           # [50, 300]    one more ply per so much above beta,
    NULL_EVAL_LIMIT = 6               # [2, 8]       at most so many
    NULL_VERIFICATION_MIN_DEPTH = 16  # [8, 20]      from here on a cutoff is verified by a search without passing
    NULL_VERIFICATION_PLIES = 3       # [1, 4]       of 4: share of the verifying depth without null moves
    IMPROVING_MARGIN = 47             # [0, 150]     static evaluation this far above beta counts as improving

# Step 10: internal iterative reduction
cdef enum:
    INTERNAL_REDUCTION_MIN_DEPTH = 6  # [3, 10]      shallowest node where it applies
    INTERNAL_REDUCTION_PRIOR = 3      # [1, 6]       plies of reduction before that are enough

# Steps 11 and 12: ProbCut
cdef enum:
    PROBCUT_BASE = 100                # [50, 250]    a capture must beat beta by this much,
    PROBCUT_IMPROVING = 28            # [0, 80]      by so much less when improving
    PROBCUT_MIN_DEPTH = 3             # [2, 8]       shallowest node where it applies
    PROBCUT_REDUCTION = 4             # [3, 6]       plies that its search is less deep
    SMALL_PROBCUT_BASE = 200          # [100, 400]   the table's bound must beat beta by this much
    SMALL_PROBCUT_DEPTH = 4           # [2, 6]       the table may be so much shallower

# Step 14: pruning at shallow depth
cdef enum:
    LATE_MOVE_BASE = 3                # [1, 8]       quiets before the rest is skipped, plus depth squared
    CAPTURE_FUTILITY_MAX_DEPTH = 7    # [3, 12]      deepest reduced depth where it applies
    CAPTURE_FUTILITY_BASE = 115       # [50, 300]    evaluation, victim and this together do not reach alpha,
    CAPTURE_FUTILITY_MARGIN = 110     # [50, 300]    nor with so much per ply of reduced depth
    CAPTURE_FUTILITY_HISTORY = 15     # [5, 40]      history points for a centipawn
    CAPTURE_SEE_MARGIN = 75           # [30, 200]    an exchange may lose so much per ply,
    CHECK_SEE_MARGIN = 300            # [50, 500]    and so much where a check may begin a mate,
    CAPTURE_SEE_HISTORY = 64          # [16, 200]    and a centipawn more or less for so many history points
    HISTORY_PRUNING_MARGIN = 4100     # [1000, 8000] history points below zero per ply that rule a quiet move out
    HISTORY_DEPTH_DIVISOR = 3500      # [1000, 8000] history points that change the reduced depth by a ply
    QUIET_FUTILITY_MAX_DEPTH = 12     # [6, 16]      deepest reduced depth where it applies
    QUIET_FUTILITY_BASE = 25          # [0, 150]     evaluation and this together do not reach alpha,
    QUIET_FUTILITY_NO_BEST = 75       # [0, 200]     more while no best move is known
    QUIET_FUTILITY_MARGIN = 58        # [30, 150]    nor with so much per ply of reduced depth
    QUIET_SEE_MARGIN = 13             # [5, 50]      the moved piece may lose so much per squared ply

# Step 15: singular extensions
cdef enum:
    SINGULAR_MIN_DEPTH = 6            # [4, 9]       shallowest node where it applies, a ply deeper on former pv nodes
    SINGULAR_MARGIN = 30              # [10, 80]     per ply, in parts of the divisor below
    SINGULAR_PV_MARGIN = 38           # [10, 100]    more at former pv nodes
    SINGULAR_DIVISOR = 57             # [30, 100]    turns these two into centipawns
    SINGULAR_TT_DEPTH = 3             # [1, 5]       the table may be so much shallower
    SINGULAR_DEPTH_DIVISOR = 2        # [2, 3]       the other moves are searched to this part of the depth
    EXTENSION_PLIES = 2               # [1, 3]       no extensions beyond so many times the root depth
    DOUBLE_MARGIN_BASE = 15           # [-20, 60]    the others fail so far below: a second ply,
    DOUBLE_MARGIN_PV = 110            # [20, 300]    with so much more at pv nodes
    TRIPLE_MARGIN = 60                # [10, 200]    and a third
    TRIPLE_MARGIN_PV = 130            # [20, 400]    with so much more at pv nodes
    TRUST_MARGIN = 30                 # [0, 80]      most that the table move's record changes the margin
    NEGATIVE_TT = 3                   # [1, 4]       plies less when the table's value beats beta but others do as well,
    NEGATIVE_CUT = 2                  # [1, 4]       or when the node was expected to fail high

# Step 15: check extension
cdef enum:
    CHECK_EXTENSION_MIN_DEPTH = 9     # [4, 14]      shallowest node where a check is searched a ply deeper

# Steps 13, 17 and 18: late-move reductions, in 1/1024 ply
cdef enum:
    LMR_MIN_DEPTH = 2                 # [1, 4]       shallowest node where moves are reduced
    LMR_TABLE_SCALE = 2747            # [2000, 3600] 1/128 of the logarithm's factor
    LMR_DELTA = 608                   # [200, 1200]  less for a window as wide as the root's
    LMR_NOT_IMPROVING = 238           # [100, 400]   of 512: share of the table's number on top when not improving
    LMR_BASE = 1182                   # [500, 2000]  more for every move
    LMR_PV_BASE = 2719                # [1000, 4000] less at nodes that were on a principal variation,
    LMR_PV_NODE = 983                 # [0, 2000]    less still if they are now,
    LMR_PV_VALUE = 922                # [0, 2000]    if the table's value is above alpha,
    LMR_PV_DEPTH = 934                # [0, 2000]    if the table has searched them this deep,
    LMR_PV_DEPTH_CUT = 1011           # [0, 2000]    and are expected to fail high
    LMR_FORMER_PV = 946               # [0, 2000]    more there when it comes to pruning
    LMR_MOVE_COUNT = 66               # [0, 150]     less for each move tried before
    LMR_OFFSET = 500                  # [0, 1500]    more for every move, but not when it comes to pruning
    LMR_CORRECTION = 15000            # [5000, 60000] one less for so much correction of the evaluation
    LMR_CUT_NODE = 3000               # [1000, 5000] more at nodes expected to fail high,
    LMR_CUT_NODE_NO_MOVE = 997        # [0, 2000]    and more still without a table move
    LMR_TT_CAPTURE = 1119             # [0, 2000]    more when the table's move is a capture
    LMR_CUTOFFS = 1000                # [0, 2000]    more when the replies fail high easily, twice that at all-nodes
    LMR_CUTOFF_COUNT = 2              # [1, 5]       so many such replies are easily
    LMR_CHECK = 1000                  # [0, 3000]    less for a check where it may begin a mate
    LMR_TT_MOVE = 2150                # [0, 4000]    less for the table's move
    LMR_HISTORY_SCALE = 850           # [400, 1600]  of 8192: less by this share of what the histories say
    LMR_HISTORY_BASE = 3400           # [0, 6000]    what they say of an ordinary quiet move
    LMR_CAPTURE_VALUE = 13            # [4, 30]      history points for a centipawn captured
    DEEPER_BASE = 22                  # [5, 80]      a reduced move this and the depth above the best goes deeper;
    SHALLOWER_MARGIN = 5              # [0, 30]      one that is no further above it than this, less deeply
    RESEARCH_BONUS = 1365             # [500, 2500]  for a quiet move that beat alpha in spite of a reduction
    FULL_DEPTH_NO_MOVE = 1118         # [0, 2000]    more without a table move,
    FULL_DEPTH_ONE = 3200             # [2000, 5000] a reduction beyond this takes a ply off,
    FULL_DEPTH_TWO = 4700             # [3000, 7000] beyond this a second one
    FULL_DEPTH_MIN = 2                # [1, 4]       the second ply comes off only above this depth

# Step 20: after a raise of alpha
cdef enum:
    ALPHA_REDUCTION_MAX_DEPTH = 14    # [8, 20]      at nodes less deep than this,
    ALPHA_REDUCTION = 2               # [1, 3]       plies that the remaining moves lose

# Quiescence
cdef enum:
    QS_FUTILITY_BASE = 175            # [80, 400]    evaluation, victim and this together do not reach alpha
    QS_SEE_FLOOR = 38                 # [0, 150]     what an exchange may lose
    QS_MOVE_LIMIT = 2                 # [1, 5]       so many moves are tried; checks, recaptures and promotions always
    QS_HISTORY = 0                    # [-6000, 12000] quiet checks and second evasions need more than this
    QS_BLEND = 2                      # [1, 4]       the value returned lies one part in so many above beta

# Histories: starting points, bonus and malus
cdef enum:
    MAIN_HISTORY_START = 68           # [-500, 500]  of main history, in a new game
    LOW_PLY_HISTORY_START = 97        # [-500, 500]  of low-ply history, at every search
    CAPTURE_HISTORY_START = -689      # [-2000, 500] of capture history, in a new game
    PAWN_HISTORY_START = -1238        # [-3000, 500] of pawn history, in a new game
    CONTINUATION_HISTORY_START = -529  # [-2000, 500] of continuation history, in a new game
    BONUS_DEPTH = 116                 # [50, 250]    for the best move: per ply,
    BONUS_BASE = -81                  # [-300, 200]  on top,
    BONUS_LIMIT = 1515                # [800, 3000]  at most so much,
    BONUS_TT_MOVE = 347               # [0, 800]     more if the table knew it
    MALUS_DEPTH = 848                 # [300, 1500]  for the moves tried before it: per ply,
    MALUS_BASE = -207                 # [-500, 200]  on top,
    MALUS_LIMIT = 2446                # [1000, 4000] at most so much,
    MALUS_COUNT = 17                  # [0, 50]      less for each of them
    CAPTURE_BONUS = 1400              # [600, 2500]  of 1024: share of the bonus for captures,
    CAPTURE_MALUS = 1400              # [600, 2500]  of the malus for captures,
    QUIET_BONUS = 950                 # [500, 2000]  of the bonus for quiet moves,
    QUIET_MALUS = 1100                # [500, 2000]  of the malus for quiet moves;
    LOW_PLY_BONUS = 780               # [300, 2000]  of that, in low-ply history,
    CONTINUATION_BONUS = 950          # [300, 2000]  in continuation history,
    PAWN_BONUS = 850                  # [300, 2000]  and in pawn history
    EARLY_REFUTATION = 500            # [100, 1500]  of 1024: share of the malus for an early quiet move refuted at once
    HISTORY_MAIN_WEIGHT = 2           # [1, 4]       the main history against the continuations, wherever they are added
    TT_CUTOFF_MIN_DEPTH = 5           # [2, 9]       up to here a bound of the unexpected kind is not believed
    TT_CUTOFF_RULE50 = 90             # [60, 99]     plies without progress after which no bound is
    TT_CUTOFF_BONUS = 130             # [50, 300]    for the quiet move of a cutoff by the table: per ply,
    TT_CUTOFF_BASE = -71              # [-400, 200]  on top,
    TT_CUTOFF_LIMIT = 1043            # [400, 2500]  at most so much
    TT_CUTOFF_PRIOR_MALUS = 2140      # [500, 4000]  for the move before, which allowed it
    TT_CUTOFF_PRIOR_COUNT = 4         # [1, 8]       the move before must have been among the first so many
    PRIOR_BONUS_DEPTH = 144           # [50, 300]    for the move before when none works here: per ply,
    PRIOR_BONUS_BASE = -92            # [-400, 200]  on top,
    PRIOR_BONUS_LIMIT = 1365          # [500, 3000]  at most so much, times the surprise below
    TT_MOVE_HISTORY_BONUS = 800       # [200, 2000]  when the table's move was the best one,
    TT_MOVE_HISTORY_MALUS = 870       # [200, 2000]  when it was not
    FOLLOW_UP_BASE = 88               # [0, 300]     extra for the reply to the very last move
    SURPRISE_BASE = -228              # [-600, 200]  how unexpected a fail-low was, in the eyes of the move before:
    SURPRISE_DEPTH = 78               # [20, 200]    it grows with depth,
    SURPRISE_DEPTH_LIMIT = 312        # [100, 800]   so far,
    SURPRISE_LATE = 184               # [50, 500]    with the move having been tried late,
    SURPRISE_LATE_COUNT = 8           # [3, 16]      after so many others,
    SURPRISE_EVAL = 143               # [50, 400]    and when the score fell below the evaluation here
    SURPRISE_EVAL_MARGIN = 50         # [0, 200]     by so much
    SURPRISE_PRIOR_EVAL = 149         # [50, 400]    or the one before
    SURPRISE_PRIOR_MARGIN = 45        # [0, 200]     by so much
    PRIOR_CONTINUATION = 400          # [100, 1200]  of 32768: share of that bonus in continuation history,
    PRIOR_MAIN = 220                  # [50, 800]    in main history,
    PRIOR_PAWN = 1164                 # [300, 3000]  in pawn history

# The transposition table
cdef enum:
    TT_KEEP_DEPTH = 4                 # [1, 8]       a result so much shallower still replaces one of the same position
    TT_PV_BONUS = 2                   # [0, 4]       and so many plies shallower still if it lay on a pv
    TT_FADE_MIN_DEPTH = 5             # [3, 9]       from here on a kept bound loses a ply each time

# Exchanges: what each man counts in them
cdef enum:
    SEE_PAWN = 100                    # [60, 160]    centipawns for a pawn,
    SEE_KNIGHT = 375                  # [200, 500]   a knight,
    SEE_BISHOP = 397                  # [200, 500]   a bishop,
    SEE_ROOK = 613                    # [350, 800]   a rook,
    SEE_QUEEN = 1220                  # [600, 1500]  a queen

# Move ordering
cdef enum:
    GOOD_QUIET_LIMIT = -14000         # [-20000, -6000] quiets below this wait behind the losing captures
    GOOD_CAPTURE_DIVISOR = 36         # [12, 80]     a capture may lose a centipawn per so much of its score
    SORT_MARGIN = 3560                # [1000, 6000] quiets down to so far below zero per ply are sorted
    CAPTURE_VICTIM_SCALE = 14         # [4, 30]      what a captured centipawn counts beside capture history
    CHECK_ORDER_BONUS = 16000         # [4000, 30000] for a quiet move that gives check,
    CHECK_ORDER_SEE = -38             # [-200, -1]   if the exchange then loses no more than this
    THREAT_ORDER_SCALE = 42           # [5, 60]      per centipawn of a piece that leaves a lesser one's attack
    ORDER_PAWN_WEIGHT = 2             # [0, 4]       of pawn history beside the continuations
    ORDER_LOW_PLY_WEIGHT = 8          # [0, 16]      of low-ply history, divided by the ply plus one
    EVASION_CAPTURE_BONUS = 16777216  # [1048576, 16777216] captures out of check come before all else
    KILLER_BONUS = 8000               # [0, 30000]   for a quiet move that cut off at this ply
    COUNTER_BONUS = 4000              # [0, 30000]   for the one that last refuted the move before

# Time, in thousandths unless the name says otherwise
cdef enum:
    SHARE_BASE = 12                   # [4, 30]      sudden death: part of the time left for one move,
    SHARE_PLY_POWER = 462             # [200, 900]   growing with this power of the ply,
    SHARE_PLY_SCALE = 308             # [100, 800]   in units of 1/100000,
    SHARE_PLY_OFFSET = 3              # [0, 12]      as if the game were so many plies older,
    SHARE_MAGNITUDE = 32              # [0, 100]     faster by this for each power of ten seconds left,
    SHARE_SCALE_LIMIT = 506           # [200, 1200]  up to this,
    SHARE_CLOCK_LIMIT = 213           # [80, 500]    but never more than this part of the clock
    STRETCH_BASE = 3390               # [1500, 7000] how many optima a move may take at most,
    STRETCH_MAGNITUDE = 3010          # [500, 6000]  more for each power of ten seconds left,
    STRETCH_MIN = 2930                # [1000, 5000] never fewer than this
    STRETCH_LIMIT = 6640              # [3000, 13280] nor more than this,
    STRETCH_PLIES = 12                # [4, 40]      one more for so many plies played
    CONTROL_SHARE = 880               # [500, 1000]  moves to go: an equal share, a little less early on
    CONTROL_PLIES = 116               # [50, 400]    and one share more for so many plies played
    CONTROL_STRETCH = 1300            # [1000, 3000] how many optima a move may take at most,
    CONTROL_STRETCH_MOVES = 110       # [0, 300]     more for each move to go,
    CONTROL_STRETCH_LIMIT = 6300      # [2000, 10000] never more than this
    PONDER_SHARE = 1250               # [1000, 2000] of the optimum with pondering, which may save some of it
    FALLING_BASE = 113                # [50, 500]    falling evaluation: this part of the optimum,
    FALLING_AVERAGE = 42              # [0, 100]     more for each centipawn below the last search's average
    FALLING_RECENT = 20               # [0, 60]      or below the score of four iterations ago,
    FALLING_MIN = 570                 # [300, 1000]  at least this part,
    FALLING_MAX = 1570                # [1000, 3000] at most this
    STABLE_BASE = 723                 # [300, 1500]  a best move that holds is searched shorter: divided by this
    STABLE_SCALE = 790                # [300, 1600]  plus this over a logistic curve,
    STABLE_OFFSET = 1104              # [500, 2200]  with this floor,
    STABLE_SLOPE = 519                # [200, 1000]  this slope per iteration,
    STABLE_DEPTH = 11600              # [5000, 20000] and its middle at so many iterations
    STABLE_PREVIOUS = 1455            # [700, 3000]  what the last move saved is given back: this on top of it,
    STABLE_DIVISOR = 2238             # [1000, 4500] divided by this
    FIRST_TIME_REDUCTION = 850        # [400, 1700]  what the first move of a game takes as saved before
    INSTABILITY_BASE = 1040           # [500, 2000]  best-move instability: this part of the optimum,
    INSTABILITY_SCALE = 1896          # [900, 3800]  more for each change of the best move, by thread
    EFFORT_SHARE = 920                # [700, 990]   nodes spent on the best move that make it clear
    EFFORT_FACTOR = 670               # [400, 1000]  this part of the optimum is then enough,
    EFFORT_MIN_DEPTH = 10             # [5, 20]      from this depth on
    ONE_MOVE_US = 500000              # [10000, 2000000] with a single legal move there is little to think about

    HORIZON_MOVES = 50                # [30, 60]     moves a sudden-death clock must last
    MAXIMUM_SHARE = 800               # [600, 900]   thousandths of the clock one move may take
    MIN_MOVE_US = 1000                # [100, 10000] even with no time at all
    MOVE_TIME_SPARE = 300             # [0, 900]     the overhead takes no more than this part of a fixed time
    OVERHEAD_PART = 8                 # [2, 32]      nor more than one part in so many of the clock,
    OVERHEAD_MOVES = 2                # [0, 10]      and is set aside for so many moves beyond the horizon
    LEFT_MIN = 50                     # [10, 200]    whatever overheads say, this part of the clock is left
    REPORT_BOUNDS_US = 3000000        # [100000, 10000000] searches longer than this report bounds and current moves
    REPORT_PAUSE_US = 50000           # [1000, 500000] between two reports of a search that is sparing with them


# How much a move's bonus counts on the page of the move so many plies before it, of 1024.
cdef inline int continuation_weight(int plies) noexcept nogil:
    return (1133 if plies == 1 else 683 if plies == 2 else 312 if plies == 3 else 582 if plies == 4
            else 149 if plies == 5 else 474)
