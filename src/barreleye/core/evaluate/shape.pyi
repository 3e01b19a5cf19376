INPUTS: int
MAX_MEN: int
WIDTH_STEP: int
MAX_WIDTH: int
MAX_BUCKETS: int
QA: int
QB: int

def check_shape(width: int, buckets: int) -> None: ...
def row_count(buckets: int) -> int: ...
def parameter_count(width: int, buckets: int) -> int: ...
