"""Which core of a wheel a CPU gets, for CPUs as their CPUID describes them."""

import struct
from collections.abc import Callable
from functools import partial

import pytest

from barreleye.core import cpu, origin, variants
from barreleye.core.variants import FAST_PEXT, NEEDS, choose, features

ALL = list(NEEDS)
XMM_AND_YMM = 0x7
# Vendor, signature, and what CPUID lists on pages 1, 7 and 0x80000001: a Zen 4 as it answers, the others as qemu
# models them.
CPUS = {
    "Opteron": (b"AuthenticAMD", 0x000F61, 0x80000001, 0x00000000, 0x00000000),
    "Core 2": (b"GenuineIntel", 0x0006F3, 0x80000201, 0x00000000, 0x00000001),
    "Nehalem": (b"GenuineIntel", 0x0106A3, 0x80982201, 0x00000000, 0x00000001),
    "Sandy Bridge": (b"GenuineIntel", 0x0206A1, 0x9E982203, 0x00000000, 0x00000001),
    "Haswell": (b"GenuineIntel", 0x0306C4, 0xFED83203, 0x000003A9, 0x00000021),
    "Zen 1": (b"AuthenticAMD", 0x800F12, 0xFED8320B, 0x009801A9, 0x00000075),
    "Zen 2": (b"AuthenticAMD", 0x830F10, 0xFED8320B, 0x019801A9, 0x00000075),
    "Zen 3": (b"AuthenticAMD", 0xA00F11, 0xFED8320B, 0x019803A9, 0x00000075),
    "Zen 4": (b"AuthenticAMD", 0xA10F11, 0xFFFA3203, 0xF1BF07AB, 0x004003F3),
    "Dhyana": (b"HygonGenuine", 0x900F01, 0xFCD83209, 0x009801A9, 0x00000075),
}


def pages(cpu_name: str) -> Callable[[int], tuple[int, int, int, int]]:
    """CPUID of one of these."""
    vendor, signature, ecx, extended, amd = CPUS[cpu_name]
    first, second, third = struct.unpack("<III", vendor)
    book = {0: (13, first, third, second), 1: (signature, 0, ecx, 0), 7: (0, extended, 0, 0),
            0x80000000: (0x80000008, 0, 0, 0), 0x80000001: (0, 0, amd, 0)}
    return book.__getitem__


@pytest.mark.parametrize(("name", "state", "core"), [
    ("Opteron", 0, "x86-64"),
    ("Core 2", 0, "x86-64"),
    ("Nehalem", 0, "x86-64-v2"),
    ("Sandy Bridge", XMM_AND_YMM, "x86-64-v2"),
    ("Haswell", XMM_AND_YMM, "x86-64-v3-pext"),
    ("Zen 1", XMM_AND_YMM, "x86-64-v3"),
    ("Zen 2", XMM_AND_YMM, "x86-64-v3"),
    ("Zen 3", XMM_AND_YMM, "x86-64-v3-pext"),
    ("Zen 4", 0xE7, "x86-64-v3-pext"),
    ("Dhyana", XMM_AND_YMM, "x86-64-v3"),
])
def test_each_cpu_gets_its_core(name: str, state: int, core: str):
    assert choose(ALL, features(pages(name), lambda: state)) == core


def test_cores_of_names_that_nobody_knows_are_not_taken():
    have = features(pages("Haswell"), lambda: XMM_AND_YMM)
    assert choose(["x86-64-v9", "x86-64"], have) == "x86-64"
    with pytest.raises(ImportError, match="x86-64-v9 is not one of the cores of this Barreleye: it has x86-64"):
        choose(["x86-64-v9", "x86-64"], have, "x86-64-v9")
    with pytest.raises(ImportError, match="install Barreleye again"):
        choose(["x86-64-v9"], have)


def test_registers_that_the_system_does_not_keep_are_not_used():
    assert choose(ALL, features(pages("Haswell"), lambda: 0x3)) == "x86-64-v2"


def test_a_cpu_that_cannot_say_is_not_asked():
    """XGETBV is illegal before OSXSAVE, and a page above the last one says nothing about this CPU."""
    def refused():
        raise AssertionError("asked")

    assert features(lambda page: (0, 0, 0, 0), refused) == frozenset()
    assert "popcnt" in features(pages("Nehalem"), refused)
    haswell = pages("Haswell")
    limited = features(lambda page: (4, *haswell(0)[1:]) if page == 0 else haswell(page), lambda: XMM_AND_YMM)
    assert {"avx", "fma"} < limited and {"avx2", "bmi1", "bmi2", FAST_PEXT}.isdisjoint(limited)


def test_a_core_built_on_another_machine_says_what_this_cpu_lacks():
    needs = frozenset(variants.used({"__AVX2__", "__BMI__", "__SSE4_1__", "__AVX512F__", "__LAHF_SAHF__", "__linux__"}))
    assert needs == {"avx2", "avx512f", "bmi1", "lahf", "sse4.1"}
    variants.require(needs, features(pages("Zen 4"), lambda: 0xE7))
    for name, state, lacks in (("Zen 4", XMM_AND_YMM, "avx512f"), ("Zen 3", 0xE7, "avx512f"),
                               ("Nehalem", 0, "avx2, avx512f, bmi1")):
        have = features(pages(name), partial(int, state))
        with pytest.raises(ImportError, match=rf"^This Barreleye was built for the CPU of another machine, and this "
                                              rf"CPU lacks {lacks}: build it here with 'pip install \.' .*\.$"):
            variants.require(needs, have)


def test_this_core_knows_what_it_needs():
    """What it was compiled with, if it is one core; the module that a wheel's cores share needs nothing."""
    have = features(cpu.leaf, cpu.saved_state)
    assert not cpu.NEEDS - have
    if origin.CORE not in NEEDS:
        assert ("avx2" in cpu.NEEDS) == (origin.VECTORS in {"AVX2", "AVX-512"})


def test_this_cpu_runs_what_it_is_given():
    have = features(cpu.leaf, cpu.saved_state)
    assert NEEDS[choose(ALL, have)] <= have


def test_a_core_may_be_asked_for():
    zen_2 = features(pages("Zen 2"), lambda: XMM_AND_YMM)
    assert FAST_PEXT not in zen_2
    for name in ALL:
        assert choose(ALL, zen_2, name) == name, "slow is no reason to refuse"
    with pytest.raises(ImportError, match=r"^This CPU cannot run BARRELEYE_CORE=x86-64-v3: it has no avx, avx2, .*\.$"):
        choose(ALL, features(pages("Nehalem"), lambda: 0), "x86-64-v3")
    with pytest.raises(ImportError, match=r"^BARRELEYE_CORE=sse2 is not one of the cores .*: it has x86-64-v3-pext, "):
        choose(ALL, zen_2, "sse2")


def test_a_wheel_with_fewer_cores_gives_the_best_of_them():
    zen_2 = features(pages("Zen 2"), lambda: XMM_AND_YMM)
    assert choose(["x86-64", "x86-64-v2"], zen_2) == "x86-64-v2"
    assert choose(["x86-64-v3-pext"], zen_2) == "x86-64-v3-pext", "slow is better than nothing"


def test_a_cpu_older_than_every_core_is_told_so_in_one_sentence():
    with pytest.raises(ImportError, match=r"^This Barreleye was built for newer CPUs: its oldest core, x86-64-v3, "
                                          r"needs avx, avx2, .*, which this CPU lacks; build .* 'pip install \.'\.$"):
        choose(["x86-64-v3-pext", "x86-64-v3"], features(pages("Nehalem"), lambda: 0))


def test_levels_contain_each_other():
    assert variants.VERSION_2 < variants.VERSION_3 < set(variants.BITS)
    assert set(variants.WITH_PEXT) < set(NEEDS)
