"""Where a cluster is: `tcp://host:8786`, a scheduler's file, or `local:N` for workers on this machine."""

from __future__ import annotations

import contextlib
import importlib.util
import json
import logging
import os
import re
import signal
import threading
import warnings
from collections.abc import Iterator
from concurrent.futures import Executor
from typing import Any

from barreleye import caution
from barreleye.extras import how_to_install
from barreleye.work.errors import ClusterError

ANSWER_S = 10.0             # that a scheduler has to answer
ARRIVAL_S = 10.0            # that a first worker has to come
MOST_LOCAL = 1024
# On workers that live for one command, Dask need not look so often at what each of them is doing.
CALM = {"distributed.admin.tick.interval": "500ms", "distributed.worker.profile.enabled": False,
        "distributed.scheduler.work-stealing-interval": "1s"}
LOCAL = re.compile(r"local:(\d+)")
SCHEMES = re.compile(r"(tcp|tls|ws|wss)://\S+:(\d+)")
MOST_PORT = 65535
FORMS = "tcp://HOST:8786, tls://HOST:8786, a scheduler's file FILE.json, or local:N for N workers on this machine"
# How Dask's table of differing versions names a package, and those that no work of ours sends anything of.
TABLE_ROW = re.compile(r"^\| (?!Package )(\S+)", re.MULTILINE)
UNUSED = {"numpy", "pandas"}

CERTIFICATES = ("set DASK_DISTRIBUTED__COMM__TLS__CA_FILE, DASK_DISTRIBUTED__COMM__TLS__CLIENT__CERT and "
                "DASK_DISTRIBUTED__COMM__TLS__CLIENT__KEY to their paths (see docs/cluster.md)")


@contextlib.contextmanager
def connect(address: str) -> Iterator[Executor]:
    """The executor of the cluster at an address; workers that were started for it end with the block.

    ClusterError says in one sentence what is wrong: the address, nobody there, no workers.
    """
    local, remote = LOCAL.fullmatch(address), SCHEMES.fullmatch(address)
    if local is None and remote is None and not address.endswith(".json"):
        raise ClusterError(f"{address!r} is not the address of a cluster: give {FORMS}")
    if remote is not None and not 1 <= int(remote[2]) <= MOST_PORT:
        raise ClusterError(f"{address} has port {remote[2]}, expected a number from 1 to {MOST_PORT}")
    if local is not None and not 1 <= int(local[1]) <= MOST_LOCAL:
        raise ClusterError(f"{address} asks for {local[1]} workers, expected a number from 1 to {MOST_LOCAL}")
    if address.endswith(".json") and not os.path.isfile(address):
        raise ClusterError(f"there is no scheduler's file {address}: is the scheduler running, with --scheduler-file?")
    if address.endswith(".json") and not is_scheduler_file(address):
        raise ClusterError(f"{address} says nothing of a scheduler: give the file of 'dask scheduler --scheduler-file "
                           "FILE.json', and start the scheduler again if the file is damaged")
    if not is_installed("distributed"):
        raise ClusterError(f"a cluster needs distributed, which is not installed: {how_to_install('cluster')}")
    silence()
    with contextlib.ExitStack() as stack:
        client = stack.enter_context(started(int(local[1])) if local else joined(address))
        yield client.get_executor()


@contextlib.contextmanager
def started(count: int) -> Iterator[Any]:
    """A client of so many workers on this machine, a process each, which are ended afterwards."""
    from dask import config
    from distributed import Client, LocalCluster

    dashboard = "127.0.0.1:8787" if is_installed("bokeh") else "127.0.0.1:0"
    with deaf_children(), config.set(CALM), warnings.catch_warnings():
        warnings.simplefilter("ignore")             # another dashboard is there: this one takes another port
        cluster = LocalCluster(n_workers=count, threads_per_worker=1, processes=True, host="127.0.0.1",
                               dashboard_address=dashboard, silence_logs=logging.CRITICAL)
    with cluster, Client(cluster) as client:
        yield client


@contextlib.contextmanager
def deaf_children() -> Iterator[None]:
    """Processes started in this block do not hear Ctrl-C, which a terminal sends to all: they are told what to do."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


@contextlib.contextmanager
def joined(address: str) -> Iterator[Any]:
    """A client of the scheduler there, once it has a worker."""
    from distributed import Client

    try:
        with plain_versions():
            client = (Client(scheduler_file=address, timeout=ANSWER_S) if address.endswith(".json")
                      else Client(address, timeout=ANSWER_S))
    except FileNotFoundError as error:
        raise ClusterError(f"cannot connect to {address}: Dask is told of certificates in files that are not there"
                           f"{f' ({error.filename})' if error.filename else ''}; {CERTIFICATES}") from None
    except (OSError, TimeoutError) as error:
        raise ClusterError(f"no scheduler answers at {address}: is it running there, and can it be reached from here?"
                           f"{why(error)}") from None
    except (ValueError, TypeError) as error:
        if "ssl_context" in str(error):
            raise ClusterError(f"cannot connect to {address} without certificates: {CERTIFICATES}") from None
        raise ClusterError(f"cannot connect to {address}: {error}") from None
    with client:
        try:
            client.wait_for_workers(1, timeout=ARRIVAL_S)
        except TimeoutError:
            raise ClusterError(f"there are no workers at {address}: start some with 'dask worker {address}'") from None
        yield client


@contextlib.contextmanager
def plain_versions() -> Iterator[None]:
    """Say in one sentence what Dask draws a table of: packages whose versions are not the same everywhere."""
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        yield
    tables = [str(one.message) for one in said if one.category.__name__ == "VersionMismatchWarning"]
    if differ := sorted({name for table in tables for name in TABLE_ROW.findall(table)} - UNUSED):
        caution.warn(f"this machine, the scheduler and the workers differ in their version of {', '.join(differ)}: if "
                     "something fails, install the same one everywhere")


def is_scheduler_file(path: str) -> bool:
    """Whether a file names the address of a scheduler, as Dask writes it."""
    try:
        with open(path, encoding="utf-8") as file:
            return isinstance(json.load(file)["address"], str)
    except (ValueError, KeyError, TypeError):
        return False


def silence() -> None:
    """Have Dask log nothing: what goes wrong is said in one sentence by whoever raises it."""
    import distributed  # noqa: F401  (it sets the levels of its loggers when it is imported)

    for name in list(logging.root.manager.loggerDict):
        if name.startswith("distributed"):
            logging.getLogger(name).setLevel(logging.CRITICAL)


def is_installed(package: str) -> bool:
    try:
        return importlib.util.find_spec(package) is not None
    except ValueError:                      # somebody has made it impossible to import
        return False


def why(error: BaseException) -> str:
    """The first cause of a failure that has words for it, in parentheses; nothing when it only took too long."""
    words = ""
    cause: BaseException | None = error.__cause__ or error
    while cause is not None:
        words = " ".join(str(cause).split())[:200] or words
        cause = cause.__cause__
    return f" ({words})" if words else ""
