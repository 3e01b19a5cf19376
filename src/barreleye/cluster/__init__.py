"""The same work on many machines: pieces of it are sent to the workers of an executor, and come back in order.

Whatever is a pure function of settings and seed, or of positions, can be done anywhere with the same result. The
executor may be Dask's, of processes, of MPI: anything that is a `concurrent.futures.Executor`.
"""

from barreleye.cluster.address import connect
from barreleye.cluster.errors import ClusterError

__all__ = ["ClusterError", "connect"]
