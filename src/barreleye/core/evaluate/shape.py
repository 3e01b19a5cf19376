"""The shape of a network, declared once for the trainer, the file and the engine.

Its weights are rows of `width` numbers: one for each input, the feature biases, then for each bucket the output weights
of the side to move and of the other side. An output bias for each bucket follows.
"""
from cython.cimports.barreleye.core.evaluate.shape import INPUTS, MAX_BUCKETS, MAX_WIDTH, WIDTH_STEP


def check_shape(width: int, buckets: int) -> None:
    """ValueError unless there can be such a network."""
    if not WIDTH_STEP <= width <= MAX_WIDTH or width % WIDTH_STEP or not 1 <= buckets <= MAX_BUCKETS:
        raise ValueError(f"a network of width {width} with {buckets} buckets cannot be used, expected a multiple of "
                         f"{WIDTH_STEP} up to {MAX_WIDTH} and 1 to {MAX_BUCKETS} buckets")


def row_count(buckets: int) -> int:
    """Rows of weights in a network with so many buckets."""
    return INPUTS + 1 + 2 * buckets


def parameter_count(width: int, buckets: int) -> int:
    """Weights of a network, output biases included."""
    return row_count(buckets) * width + buckets
