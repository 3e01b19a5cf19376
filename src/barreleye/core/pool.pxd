"""The threads of one engine: workers, their shared table, the vote on the best move."""
cimport cython
from barreleye.core.control cimport Control
from barreleye.core.evaluate.nnue cimport Network
from barreleye.core.position cimport Position
from barreleye.core.syzygy.probe cimport Tablebase
from barreleye.core.tt cimport TranspositionTable
from barreleye.core.types cimport Move
from barreleye.core.worker cimport Worker


@cython.final
cdef class Pool:
    cdef readonly TranspositionTable tt
    cdef readonly Control control
    cdef readonly list workers
    cdef unsigned long long enabled
    cdef readonly dict params            # of a tuning build: those that are not as they are by default
    cdef readonly Network network
    cdef object wake                     # set by stop and ponderhit
    cdef object wanted                   # the root moves that the search may choose from, None for all
    cdef long long node_us               # processor time spent in nodes, of all timed searches
    cdef readonly Tablebase tables
    cdef int tb_limit                    # men up to which the tables are asked
    cdef int tb_depth
    cdef bint tb_rule50
    cdef long long tb_extend_us          # at the end of a search with a clock
    cdef Worker winner                   # of the last search's vote
    cdef readonly bint is_untold         # the result of the last search tells of a line that was not reported
    cdef bint released                   # stop was called: an answer may be given
    cdef int nodes_per_ms
    cdef long long node_clock            # nodestime: nodes left on our clock, -1 before the first move
    cdef int moves_to_go                 # and how many moves it had to last when it was last looked at

    cdef int set_limits(self, dict limits, Position position) except -1
    cdef bint ends_by_clock(self) noexcept nogil
    cdef int set_worker(self, Worker w, Worker main) except -1
    cdef int set_root_moves(self, Worker w) except -1
    cdef int ask_tables(self, Worker w) except -1
    cdef void share_root_moves(self, Worker w, Worker main) noexcept nogil
    cdef Worker vote(self)
    cdef Move ponder_move(self, Worker best)
