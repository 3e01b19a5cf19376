"""The shape of a network, declared once for the trainer, the file and the engine.

Its weights are rows of `width` numbers: one for each input of each region, the feature biases, then for each bucket the
output weights of the side to move and of the other side. An output bias for each bucket follows.
"""
from cython.cimports.barreleye.core.evaluate.shape import INPUTS, MAX_BUCKETS, MAX_REGIONS, MAX_WIDTH, WIDTH_STEP


def check_shape(width: int, buckets: int, regions: int = 1) -> None:
    """ValueError unless there can be such a network."""
    if regions not in (1, MAX_REGIONS):
        raise ValueError(f"a network with {regions} regions cannot be used, expected 1 or {MAX_REGIONS}")
    if not WIDTH_STEP <= width <= MAX_WIDTH or width % WIDTH_STEP or not 1 <= buckets <= MAX_BUCKETS:
        raise ValueError(f"a network of width {width} with {buckets} buckets cannot be used, expected a multiple of "
                         f"{WIDTH_STEP} up to {MAX_WIDTH} and 1 to {MAX_BUCKETS} buckets")


def row_count(buckets: int, regions: int = 1) -> int:
    """Rows of weights in a network with so many buckets and regions."""
    return INPUTS * regions + 1 + 2 * buckets


def parameter_count(width: int, buckets: int, regions: int = 1) -> int:
    """Weights of a network, output biases included."""
    return row_count(buckets, regions) * width + buckets
