"""A real scheduler and real workers on 127.0.0.1, each a process of its own that a test may kill."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from tests.waiting import eventually

from barreleye import nets

START_S = 60.0
FAMOUS = Path(__file__).parent.parent / "analysis" / "famous.pgn"
BARRELEYE = (sys.executable, "-m", "barreleye")
QUIET = {**os.environ, "DASK_DISTRIBUTED__LOGGING__DISTRIBUTED": "critical"}


class Cluster:
    """A scheduler and its workers. All that is left of them ends with the test."""

    def __init__(self, folder: Path, path: Path | None = None) -> None:
        self._folder = folder
        self._stack = ExitStack()
        self.workers: dict[str, subprocess.Popen[bytes]] = {}
        self.port = 0
        self.start_scheduler(path)

    def _start(self, *words: str, path: Path | None = None,
               programs: Path | None = None) -> subprocess.Popen[bytes]:
        said = self._stack.enter_context((self._folder / "log").open("ab"))
        environment = QUIET if path is None else {**QUIET, "PYTHONPATH": str(path)}
        if programs is not None:
            environment = {**environment, "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}"}
        process = subprocess.Popen([sys.executable, "-m", *words], stdout=said, stderr=said, env=environment,
                                   cwd=self._folder)
        self._stack.callback(end, process)
        return process

    def start_scheduler(self, path: Path | None = None) -> None:
        """Start it; a second one answers where the first did."""
        file = self._folder / "scheduler.json"
        file.unlink(missing_ok=True)
        self.scheduler = self._start("distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", str(self.port),
                                     "--scheduler-file", str(file), "--no-dashboard", path=path)
        eventually(lambda: file.exists() and file.stat().st_size > 0)
        self.address: str = json.loads(file.read_text())["address"]
        self.port = int(self.address.rpartition(":")[2])

    def add(self, name: str, *words: str, path: Path | None = None, programs: Path | None = None,
            awaited: bool = True) -> None:
        """Start a worker with one thread, and wait until the scheduler knows it.

        path is one for its Python to find modules in, programs one for programs.
        """
        self.workers[name] = self._start("distributed.cli.dask_worker", self.address, "--name", name, "--nthreads", "1",
                                         "--no-nanny", "--no-dashboard", "--local-directory", str(self._folder),
                                         *words, path=path, programs=programs)
        if awaited:
            eventually(lambda: name in self.names())

    def names(self) -> set[str]:
        from distributed import Client

        with Client(self.address, set_as_default=False) as client:
            return {str(worker["name"]) for worker in client.scheduler_info(n_workers=-1)["workers"].values()}

    def kill(self, name: str) -> None:
        """As the system does when it is out of memory."""
        process = self.workers.pop(name)
        process.send_signal(signal.SIGKILL)
        process.wait()

    def close(self) -> None:
        self._stack.close()


def client_of(executor: Any) -> Any:
    """Dask's client behind an executor."""
    return executor._client


def end(process: "subprocess.Popen[bytes]") -> None:
    process.kill()
    process.wait()


@pytest.fixture
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """A scheduler without workers."""
    pytest.importorskip("distributed")
    found = Cluster(tmp_path_factory.mktemp("cluster"))
    yield found
    found.close()


@pytest.fixture(scope="session")
def pair(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """A scheduler with two workers, for tests that leave them alone."""
    pytest.importorskip("distributed")
    found = Cluster(tmp_path_factory.mktemp("pair"))
    found.add("alice")
    found.add("bob")
    yield found
    found.close()


def other_net(path: Path) -> Path:
    """The network of the package with its last weight changed: another one by its digest and by its play."""
    facts = nets.inspect(nets.DEFAULT)
    weights = bytearray(nets.DEFAULT.read_bytes()[nets.HEADER_SIZE:])
    weights[-4] ^= 64
    nets.save(path, facts.width, facts.buckets, bytes(weights), scale=facts.scale)
    return path


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.suffix in (".positions", ".games")}
