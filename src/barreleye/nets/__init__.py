"""Network files: how they are written, and how they are checked and read before the core may look at them.

A file is a header of 256 bytes and the weights: magic, version, width, output buckets and the three scales, the SHA-256
of the weights, since version 2 the king's regions, and a note on how they were trained. The weights are little-endian:
16-bit feature weights by region and input, the feature biases, the output weights by bucket and side, then 32-bit
output biases.
"""

from __future__ import annotations

import hashlib
import struct
import threading
from dataclasses import dataclass
from pathlib import Path
from weakref import WeakValueDictionary

from barreleye import output
from barreleye.core.evaluate.nnue import Network
from barreleye.core.evaluate.shape import QA, QB, check_shape, row_count

MAGIC = b"BARRELEYE NET\0\0\0"
VERSIONS = (1, 2)                # the first has a single region
COARSE_QB = 64                   # an output weight of one in older files
DEFAULT_SCALE = 400
DEFAULT = Path(__file__).with_name("barreleye.net")
HEADER = struct.Struct("<16sIIIIII32s")
HEADER_SIZE = 256
REGIONS = struct.Struct("<I")
NOTE_SIZE = HEADER_SIZE - HEADER.size - REGIONS.size


@dataclass(frozen=True, slots=True)
class NetFile:
    """What a network file says of itself."""

    path: Path
    width: int
    buckets: int
    regions: int
    scale: int
    digest: str
    note: str
    unit: int                       # an output weight of one


# Each network once, for as long as somebody uses it; the one in the package is kept.
_loaded: WeakValueDictionary[tuple[Path, int, int, int | None], Network] = WeakValueDictionary()
_default: Network | None = None
_lock = threading.Lock()


def payload_size(width: int, buckets: int, regions: int = 1) -> int:
    """Bytes of weights in a network of this shape."""
    return 2 * width * row_count(buckets, regions) + 4 * buckets


def inspect(path: str | Path) -> NetFile:
    """Read and check a file's header; ValueError says what is wrong with the file."""
    path = Path(path)
    with path.open("rb") as file:
        head = file.read(HEADER_SIZE)
        size = path.stat().st_size
    if len(head) < HEADER_SIZE or head[:16] != MAGIC:
        raise ValueError(f"{path} is not a Barreleye network")
    _, version, width, buckets, qa, qb, scale, digest = HEADER.unpack(head[:HEADER.size])
    if version not in VERSIONS:
        raise ValueError(f"{path} is a network of format version {version}, which this Barreleye cannot read")
    if qa != QA or qb not in (COARSE_QB, QB):
        raise ValueError(f"{path} has weights in units of 1/{qa} and 1/{qb}, which this Barreleye cannot read")
    place = HEADER.size
    regions = 1
    if version > 1:
        regions, = REGIONS.unpack_from(head, place)
        place += REGIONS.size
    try:
        check_shape(width, buckets, regions)
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None
    if not 1 <= scale <= 10_000:
        raise ValueError(f"{path} has an impossible scale of {scale}")
    expected = HEADER_SIZE + payload_size(width, buckets, regions)
    if size != expected:
        raise ValueError(f"{path} has {size} bytes, expected {expected}: it is cut short or damaged")
    note = head[place:].rstrip(b"\0").decode("utf-8", "replace")
    return NetFile(path, width, buckets, regions, scale, digest.hex(), note, qb)


def read(path: str | Path) -> tuple[NetFile, memoryview]:
    """What a file says of itself, and its weights, checked to the last byte."""
    facts = inspect(path)
    weights = memoryview(Path(path).read_bytes())[HEADER_SIZE:]     # nobody knows who writes to it while we read
    if hashlib.sha256(weights).hexdigest() != facts.digest:
        raise ValueError(f"{path} is damaged: its weights do not match their checksum")
    return facts, weights if facts.unit == QB else memoryview(_refine(facts, weights))


def _refine(facts: NetFile, weights: memoryview) -> bytes:
    """Weights of a file with coarser output weights, as the engine has them."""
    outputs = struct.Struct(f"<{2 * facts.buckets * facts.width}h{facts.buckets}i")
    split = len(weights) - outputs.size
    finer = (number * QB // facts.unit for number in outputs.unpack(weights[split:]))
    try:
        return bytes(weights[:split]) + outputs.pack(*finer)
    except struct.error:
        raise ValueError(f"{facts.path} cannot be used: its weights are too large for the integers of the "
                         f"engine") from None


def load(path: str | Path, scale: int | None = None) -> Network:
    """Load a network file, checked to the last byte; engines that ask for the same file share it.

    Another scale than the file's makes all its evaluations larger or smaller.
    """
    path = Path(path).resolve()
    stat = path.stat()
    key = (path, stat.st_mtime_ns, stat.st_size, scale)
    with _lock:
        network = _loaded.get(key)
        if network is None:
            facts, weights = read(path)
            try:
                network = _loaded[key] = Network(weights, facts.width, facts.buckets, scale or facts.scale,
                                                  facts.regions)
            except ValueError as error:
                raise ValueError(f"{path} cannot be used: {error}") from None
        return network


def file_of(network: Network) -> Path:
    """The file that a network was loaded from; ValueError when it came from elsewhere."""
    with _lock:
        for (path, *_), loaded in _loaded.items():
            if loaded is network:
                return path
    raise ValueError("this network was not loaded from a file: it cannot be sent to other machines")


def load_default() -> Network | None:
    """The network that comes with the package; None where it was left out."""
    global _default
    _default = load(DEFAULT) if DEFAULT.exists() else None
    return _default


def save(path: str | Path, width: int, buckets: int, weights: bytes, note: str = "", scale: int = DEFAULT_SCALE,
         regions: int = 1) -> None:
    """Write a network file, whole or not at all."""
    if len(weights) != payload_size(width, buckets, regions):
        raise ValueError(f"the weights take {len(weights)} bytes, expected {payload_size(width, buckets, regions)}")
    head = HEADER.pack(MAGIC, VERSIONS[-1], width, buckets, QA, QB, scale, hashlib.sha256(weights).digest())
    head += REGIONS.pack(regions)
    text = note.encode()[:NOTE_SIZE]
    output.write_bytes(path, (head + text).ljust(HEADER_SIZE, b"\0") + weights)
