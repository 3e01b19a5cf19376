"""`--cluster`, for every command that can have its work done elsewhere."""

from __future__ import annotations

import argparse
import contextlib
import sys
import warnings
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from concurrent.futures import Executor


def add_cluster(parser: Any) -> None:
    """The option, for a parser or a group of options."""
    parser.add_argument("--cluster", metavar="ADDRESS",
                        help="have it done by the Dask workers of a cluster instead of threads here: tcp://HOST:8786, "
                             "or local:N for N workers on this machine (see docs/cluster.md)")


@contextlib.contextmanager
def cluster_of(args: argparse.Namespace) -> Iterator[Executor | None]:
    """The executor of the cluster that was asked for, None without one; ClusterError says what is wrong with it."""
    if args.cluster is None:
        yield None
        return
    from barreleye.cluster import connect

    def show(message: Warning | str, *_: Any, **__: Any) -> None:
        print(f"barreleye: {message}", file=sys.stderr)

    with warnings.catch_warnings():
        warnings.simplefilter("always", RuntimeWarning)
        warnings.showwarning = show
        with connect(args.cluster) as executor:
            yield executor
