"""Games against itself at full speed: the raw material of networks and weights."""
cimport cython
from libc.stdint cimport int16_t, uint8_t, uint16_t, uint64_t
from barreleye.core.contender cimport Contender
from barreleye.core.harvest cimport Harvest, MAX_SAMPLES, Path
from barreleye.core.position cimport Position
from barreleye.core.types cimport Key, Move
from barreleye.core.worker cimport Worker

cdef enum:
    MAX_GAME_PLIES = 600
    NO_RESULT = 3                 # of a position that was found by the search and not played

cdef struct Record:               # one position, 32 bytes
    uint64_t occupied
    uint8_t pieces[16]            # a nibble for each occupied square from a1 up: type + 8 * colour
    int16_t score                 # centipawns, white's view
    uint8_t result                # white's half points: 0, 1, 2; or NO_RESULT
    uint8_t side_ep               # 128: black to move; low bits: en-passant file + 1, 0 for none
    uint8_t rule50
    uint8_t castling
    uint16_t ply

cdef struct Played:               # one move of a game with the score that chose it
    Move move
    int16_t score                 # centipawns, white's view


@cython.final
cdef class SelfPlay:
    cdef Contender player                 # of both sides
    cdef Worker worker                    # its
    cdef Record records[MAX_GAME_PLIES * (1 + MAX_SAMPLES)]
    cdef Played played[MAX_GAME_PLIES]
    cdef int record_count
    cdef int played_count
    cdef Harvest harvest
    # settings
    cdef public int random_plies
    cdef public uint64_t soft_nodes
    cdef public uint64_t hard_nodes
    cdef public uint64_t check_nodes      # enough in check, where positions are not kept; 0 for soft_nodes
    cdef public int samples               # positions of the search tree for each one kept
    cdef public uint64_t sample_nodes     # for the score of one
    cdef public int opening_limit         # openings that a short search scores beyond this are thrown away
    cdef public int win_score             # a win is adjudicated at this score,
    cdef public int win_plies             # held for so many plies
    cdef public int draw_score            # a draw likewise,
    cdef public int draw_plies
    cdef public int draw_after            # and not before this ply
    cdef public int first_ply             # positions before this ply are not kept
    cdef public int score_limit           # nor those with a score beyond this

    cdef int play_game(self, Key seed) noexcept nogil
    cdef bint random_opening(self, Key* seed) noexcept nogil
    cdef bint is_worth_keeping(self, int score) noexcept nogil
    cdef void record(self, int score, int result, int ply) noexcept nogil
    cdef void reap(self) noexcept nogil
    cdef bint wins_material(self) noexcept nogil

cdef void write_record(Record* record, Position pos, int score, int result, int ply) noexcept nogil
