"""A position put up from the fields of a FEN."""
from barreleye.core.notation cimport Fen
from barreleye.core.position cimport Position, State

cdef int set_up(Position pos, Fen* fen) except -1
cdef void set_castling_right(Position pos, int color, int rook_sq) noexcept nogil
cdef void set_keys(Position pos, State* st) noexcept nogil
