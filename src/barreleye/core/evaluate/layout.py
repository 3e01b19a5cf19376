"""Puts the numbers of weights.py where the evaluation reads them."""
import cython
from cython.cimports.barreleye.core.evaluate.layout import HALF, WEIGHTS, Weights, fill_squares, half_square
from cython.cimports.barreleye.core.evaluate.score import Score, make_score
from cython.cimports.barreleye.core.types import BLACK, KING, PAWN, SQUARES, WHITE, make_piece, relative_square

from barreleye.core.evaluate.weights import WEIGHTS as NUMBERS


def fill_squares(weights: cython.pointer[Weights]) -> cython.void:
    """Add up material and square for every piece, negative for black, mirrored for files e to h."""
    table: cython.pointer[Score] = weights.pawn_squares
    kind: cython.int
    sq: cython.int
    for kind in range(PAWN, KING + 1):
        worth: Score = weights.material[kind - PAWN] if kind < KING else 0
        for sq in range(SQUARES):
            score: Score = worth + table[(kind - PAWN) * HALF + half_square(sq)]
            weights.psq[make_piece(WHITE, kind)][sq] = score
            weights.psq[make_piece(BLACK, kind)][relative_square(BLACK, sq)] = -score


def fill_weights() -> None:
    """Read weights.py into WEIGHTS. Import does it; nothing else may."""
    flat: cython.pointer[Score] = cython.cast(cython.pointer[Score], cython.address(WEIGHTS))
    room: cython.Py_ssize_t = cython.cast(cython.pointer[Score], WEIGHTS.psq) - flat
    values: list = [value for group in NUMBERS.values() for value in group]
    if len(values) != room:
        raise ImportError(f"weights.py holds {len(values)} weights, the evaluation has {room}")
    index: cython.Py_ssize_t
    for index in range(room):
        value: object = values[index]
        flat[index] = make_score(value[0], value[1]) if isinstance(value, tuple) else value
    fill_squares(cython.address(WEIGHTS))


fill_weights()
