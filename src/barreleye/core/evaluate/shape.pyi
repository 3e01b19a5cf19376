INPUTS: int
MAX_REGIONS: int
MAX_MEN: int
WIDTH_STEP: int
MAX_WIDTH: int
MAX_BUCKETS: int
QA: int
QB: int
LARGEST_SUM: int
LARGEST_FEATURE: int

def check_shape(width: int, buckets: int, regions: int = 1) -> None: ...
def row_count(buckets: int, regions: int = 1) -> int: ...
def parameter_count(width: int, buckets: int, regions: int = 1) -> int: ...
