"""The tables at the root of a search: which moves keep the result, and how the line ends."""
from libc.stdint cimport int64_t
from barreleye.core.position cimport Position
from barreleye.core.syzygy.decode cimport Status
from barreleye.core.syzygy.probe cimport Tablebase
from barreleye.core.types cimport MAX_MOVES, Move
from barreleye.core.worker cimport RootMove, Worker

cdef enum:
    MAX_RANK = 1 << 18            # a sure win; a sure loss is its negative
    CERTAIN_PLIES = 99            # distance and counter together may be so much
    PAWN_CENTIPAWNS = 100

cdef struct Ranking:              # legal moves of a position, as the tables see them
    int count
    Move move[MAX_MOVES]
    int rank[MAX_MOVES]
    int wdl[MAX_MOVES]
    int dtz[MAX_MOVES]            # 0 if only results are known
    bint mates[MAX_MOVES]
    bint has_dtz

cdef bint rank_all(Tablebase tables, Position pos, Ranking* ranking, bint rule50, bint by_distance) noexcept nogil
cdef bint rank_by_dtz(Tablebase tables, Position pos, Ranking* ranking, bint rule50, bint by_distance) noexcept nogil
cdef bint rank_by_wdl(Tablebase tables, Position pos, Ranking* ranking, bint rule50) noexcept nogil
cdef int dtz_after(Tablebase tables, Position pos, bint* mates, Status* status) noexcept nogil
cdef int rank_of_dtz(int dtz, int counter, bint repeated, bint by_distance) noexcept nogil
cdef int score_of_rank(int rank, bint rule50) noexcept nogil
cdef bint has_repeated(Position pos) noexcept nogil
cdef int best_index(Position pos, Ranking* ranking) noexcept nogil
cdef void rank_root(Worker w, int limit) noexcept nogil
cdef void extend_line(Worker w, RootMove* root_move, int64_t budget_us) noexcept nogil
cdef bint keeps_result(Position pos, Ranking* ranking, Move move, int best, bint rule50) noexcept nogil
