from barreleye.core.evaluate.nnue import Network
from barreleye.core.position import Position

def marginals(network: Network, position: Position, orders: bytes) -> tuple[int, list[int], list[int]]: ...
