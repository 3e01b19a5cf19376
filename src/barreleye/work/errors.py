"""What can go wrong with a cluster, each in one sentence."""

from __future__ import annotations


class ClusterError(ValueError):
    """Work cannot be done there, or not go on: nobody answers, no worker is left, a worker is not like this one."""
