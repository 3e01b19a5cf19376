"""What must be the same wherever a piece of work is done: version, core, network, tablebases; all but words by hash."""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from barreleye import __version__, nets, syzygy_files
from barreleye.core.pool import IS_TUNING_BUILD
from barreleye.engine.bench import POSITIONS, bench

SIGNATURE_DEPTH, SIGNATURE_POSITIONS = 7, POSITIONS[::6]        # a short bench that tells one core from another
SHOWN = 12                                                      # characters of a hash that a sentence quotes


@dataclass(frozen=True)
class Facts:
    """What a Barreleye is, as far as its results depend on it."""

    version: str
    signature: int                          # nodes of a short bench
    network: str                            # the digest of the one in the package, "" without one
    is_tuning: bool = False                 # whether parameters can be set

    def difference(self, other: Facts) -> str | None:
        """How another one differs from this, in words that begin with what it has; None when it does not."""
        if other.version != self.version:
            return f"has Barreleye {other.version}, and {self.version} is wanted"
        if other.network != self.network:
            return (f"has {_net(other.network)} in its package, and {_net(self.network)} is wanted: "
                    "install the same Barreleye on it")
        if other.signature != self.signature:
            return (f"has a core that searches differently (signature {other.signature}, and {self.signature} is "
                    "wanted): install the same Barreleye on it")
        if self.is_tuning and not other.is_tuning:
            return "has no tuning build, and parameters are to be set: build it with BARRELEYE_TUNE=1"
        return None


def _net(digest: str) -> str:
    return f"the network {digest[:SHOWN]}" if digest else "no network"


@cache
def facts() -> Facts:
    """This Barreleye's."""
    network = nets.inspect(nets.DEFAULT).digest if nets.DEFAULT.exists() else ""
    return Facts(__version__, bench(SIGNATURE_DEPTH, positions=SIGNATURE_POSITIONS).nodes, network, IS_TUNING_BUILD)


def tables_digest(path: str) -> str:
    """What tells one set of tablebases from another: a hash of the names and sizes of the files in these folders."""
    found = sorted((os.path.basename(file.path), os.path.getsize(file.path))
                   for file in syzygy_files.open_tables(path).files)
    return hashlib.sha256(repr(found).encode()).hexdigest() if found else ""


@dataclass(frozen=True)
class Needs:
    """What a worker must be and have before it is given anything to do."""

    facts: Facts
    nets: tuple[str, ...] = ()                          # digests of the networks that are sent to it
    tables: tuple[tuple[str, str], ...] = ()            # folders, and the digest of what must be in them

    def problem(self, here: Facts) -> str | None:
        """What keeps the Barreleye that runs this from doing the work; None when nothing does."""
        if (difference := self.facts.difference(here)) is not None:
            return difference
        for path, digest in self.tables:
            try:
                there = tables_digest(path)
            except OSError as error:
                return f"cannot read the tablebases in {path}: {error.strerror or error}"
            if there != digest:
                return f"has {'other' if there else 'no'} tablebases in {path}: put the same files there"
        return None


def needs_of(networks: list[Path], tables: list[str], *, is_tuning: bool = False) -> tuple[Needs, dict[str, Path]]:
    """What workers must have to use these network files and folders of tablebases; the files by their digests."""
    files = {nets.inspect(path).digest: path for path in networks}
    here = facts()
    wanted = Facts(here.version, here.signature, here.network, is_tuning)
    return Needs(wanted, tuple(sorted(files)), tuple((path, tables_digest(path)) for path in tables if path)), files
