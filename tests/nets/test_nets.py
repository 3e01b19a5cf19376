"""Network files: written, read back, and refused when anything about them is wrong."""

import gc
import struct
import subprocess
import sys
import weakref
from pathlib import Path

import pytest

from barreleye import nets
from barreleye.core.evaluate.nnue import Accumulators, evaluate_with
from barreleye.core.position import Position
from barreleye.engine import Engine

WIDTH, BUCKETS = 16, 1
VALUES = nets.payload_size(WIDTH, BUCKETS) // 2
WEIGHTS = struct.pack(f"<{VALUES}h", *(value % 121 - 60 for value in range(VALUES)))


@pytest.fixture
def net_file(tmp_path: Path) -> Path:
    path = tmp_path / "some.net"
    nets.save(path, WIDTH, BUCKETS, WEIGHTS, "trained for a test")
    return path


def test_round_trip(net_file: Path) -> None:
    facts = nets.inspect(net_file)
    assert (facts.width, facts.buckets, facts.note) == (WIDTH, BUCKETS, "trained for a test")
    assert nets.load(net_file).width == WIDTH


def test_regions_round_trip(tmp_path: Path) -> None:
    path = tmp_path / "regions.net"
    nets.save(path, WIDTH, BUCKETS, bytes(nets.payload_size(WIDTH, BUCKETS, 4)), "with regions", regions=4)
    assert (nets.inspect(path).regions, nets.inspect(path).note, nets.load(path).regions) == (4, "with regions", 4)
    path.write_bytes(path.read_bytes()[:nets.HEADER.size] + b"\x03" + path.read_bytes()[nets.HEADER.size + 1:])
    with pytest.raises(ValueError, match="3 regions"):
        nets.load(path)


def test_reads_the_first_version(net_file: Path) -> None:
    """It had no regions: the note came where they stand now."""
    data = net_file.read_bytes()
    head = bytearray(data[:nets.HEADER.size] + data[nets.HEADER.size + nets.REGIONS.size:nets.HEADER_SIZE])
    struct.pack_into("<I", head, len(nets.MAGIC), 1)
    net_file.write_bytes(head.ljust(nets.HEADER_SIZE, b"\0") + WEIGHTS)
    assert (nets.inspect(net_file).regions, nets.inspect(net_file).note) == (1, "trained for a test")
    assert nets.load(net_file).width == WIDTH


def test_engines_share_a_file(net_file: Path) -> None:
    assert nets.load(net_file) is nets.load(net_file)


@pytest.mark.parametrize(("damage", "problem"), [
    (lambda data: data[:-1], "cut short"),
    (lambda data: data + b"x", "cut short"),
    (lambda data: data[:100], "not a Barreleye network"),
    (lambda data: b"", "not a Barreleye network"),
    (lambda data: b"X" + data[1:], "not a Barreleye network"),
    (lambda data: data[:16] + b"\x09" + data[17:], "version 9"),
    (lambda data: data[:20] + b"\x11" + data[21:], "width 17"),
    (lambda data: data[:-1] + bytes([data[-1] ^ 1]), "checksum"),
])
def test_refuses_damage(net_file: Path, damage, problem: str) -> None:
    net_file.write_bytes(damage(net_file.read_bytes()))
    with pytest.raises(ValueError, match=problem):
        nets.load(net_file)


def test_missing_file_is_an_os_error(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="missing"):
        nets.load(tmp_path / "missing.net")


def test_refuses_to_save_the_wrong_size(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="expected"):
        nets.save(tmp_path / "bad.net", WIDTH, BUCKETS, b"too short")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(("first", "count", "value"), [
    (0, 1, 993), (768 * WIDTH, 1, -993), (769 * WIDTH, WIDTH, 4129), (770 * WIDTH, WIDTH, -4129)])
def test_refuses_weights_that_would_overflow(net_file: Path, first: int, count: int, value: int) -> None:
    def save(value: int) -> None:
        weights = bytearray(WEIGHTS)
        struct.pack_into(f"<{count}h", weights, 2 * first, *[value] * count)
        nets.save(net_file, WIDTH, BUCKETS, bytes(weights))
    save(value - 1 if value > 0 else value + 1)
    nets.load(net_file)
    save(value)
    with pytest.raises(ValueError, match="too large"):
        nets.load(net_file)


def test_reads_coarser_output_weights(net_file: Path, tmp_path: Path) -> None:
    """An output weight of one was 64; the same numbers in a file of today stand for a quarter as much."""
    outputs = struct.Struct(f"<{2 * WIDTH}hi")
    finer = WEIGHTS[:-outputs.size] + outputs.pack(*(4 * number for number in outputs.unpack(WEIGHTS[-outputs.size:])))
    nets.save(tmp_path / "finer.net", WIDTH, BUCKETS, finer)
    data = bytearray(net_file.read_bytes())
    struct.pack_into("<I", data, len(nets.MAGIC) + 16, 64)
    net_file.write_bytes(data)
    assert nets.read(net_file)[1] == finer
    values = [evaluate_with(Accumulators(nets.load(path)), Position()) for path in (net_file, tmp_path / "finer.net")]
    assert values[0] == values[1] != 0


def test_refuses_coarser_weights_that_are_too_large(net_file: Path) -> None:
    weights = bytearray(WEIGHTS)
    struct.pack_into("<h", weights, 2 * 769 * WIDTH, 9000)
    nets.save(net_file, WIDTH, BUCKETS, bytes(weights))
    data = bytearray(net_file.read_bytes())
    struct.pack_into("<I", data, len(nets.MAGIC) + 16, 64)
    net_file.write_bytes(data)
    with pytest.raises(ValueError, match=r"some\.net cannot be used.*too large"):
        nets.load(net_file)


def test_a_file_may_be_overwritten_while_it_is_used(net_file: Path) -> None:
    accumulators = Accumulators(nets.load(net_file))
    before = evaluate_with(accumulators, Position())
    net_file.write_bytes(b"")
    assert evaluate_with(accumulators, Position()) == before


def test_a_network_that_nobody_uses_is_forgotten(net_file: Path) -> None:
    network = weakref.ref(nets.load(net_file))
    gc.collect()
    assert network() is None and not [key for key in nets._loaded if key[0] == net_file]
    engine = Engine(Hash=1, EvalFile=str(net_file))
    assert nets.load(net_file) is engine.network
    default = nets.load_default()
    assert default is not None and default is nets.load_default()


def test_a_file_may_be_cut_short_while_it_is_used(net_file: Path) -> None:
    """In a process of its own, because reading past the end of a mapped file ends it."""
    program = ("import sys, shutil, barreleye\nfrom pathlib import Path\nfrom barreleye import nets\n"
               "path = nets.DEFAULT = Path(sys.argv[1])\n"
               "engine = barreleye.Engine(Hash=1)\npath.write_bytes(b'')\n"
               "assert engine.network.width == 16\nprint(engine.search(depth=4).best_move)")
    said = subprocess.run([sys.executable, "-c", program, str(net_file)], capture_output=True, text=True)
    assert said.returncode == 0 and len(said.stdout.strip()) == 4, said.stderr
