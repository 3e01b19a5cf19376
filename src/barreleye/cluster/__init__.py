"""Many machines: a cluster by its address, as an executor that every function with `executor=` takes."""

from barreleye.cluster.address import connect
from barreleye.work.errors import ClusterError

__all__ = ["ClusterError", "connect"]
