"""The cores that a wheel may hold, for CPUs of different age, and which of them this CPU gets.

A wheel has them side by side in core/compiled, and their names in names.txt there. What is built from source is one
core for the CPU it is built on, which knows what the compiler was free to use and is asked only whether it can run.
"""

from collections.abc import Callable

VERSION_2 = frozenset({"cx16", "lahf", "popcnt", "sse3", "sse4.1", "sse4.2", "ssse3"})
VERSION_3 = VERSION_2 | {"avx", "avx2", "bmi1", "bmi2", "f16c", "fma", "lzcnt", "movbe"}
# Best first. What a CPU must have to run each, by the levels of the x86-64 psABI. The fourth, AVX-512, searches no
# faster than the third (docs/performance.md).
NEEDS = {
    "x86-64-v3-pext": VERSION_3,
    "x86-64-v3": VERSION_3,
    "x86-64-v2": VERSION_2,
    "x86-64": frozenset(),
}
# AMD before Zen 3 takes hundreds of cycles for a PEXT where magics take four: it can run this, and should not.
WITH_PEXT = {"x86-64-v3-pext"}
FAST_PEXT = "fast pext"

# Where CPUID says so: page, register, bit.
BITS = {
    "sse3": (1, 2, 0), "ssse3": (1, 2, 9), "fma": (1, 2, 12), "cx16": (1, 2, 13), "sse4.1": (1, 2, 19),
    "sse4.2": (1, 2, 20), "movbe": (1, 2, 22), "popcnt": (1, 2, 23), "avx": (1, 2, 28), "f16c": (1, 2, 29),
    "lahf": (0x80000001, 2, 0), "lzcnt": (0x80000001, 2, 5),
    "bmi1": (7, 1, 3), "avx2": (7, 1, 5), "bmi2": (7, 1, 8),
    # No core of a wheel needs these, but a compiler may use them in what it makes for one CPU.
    "sse4a": (0x80000001, 2, 6), "xop": (0x80000001, 2, 11), "fma4": (0x80000001, 2, 16), "tbm": (0x80000001, 2, 21),
    "adx": (7, 1, 19), "gfni": (7, 2, 8),
    "avx512f": (7, 1, 16), "avx512dq": (7, 1, 17), "avx512ifma": (7, 1, 21), "avx512cd": (7, 1, 28),
    "avx512bw": (7, 1, 30), "avx512vl": (7, 1, 31), "avx512vbmi": (7, 2, 1), "avx512vbmi2": (7, 2, 6),
    "avx512vnni": (7, 2, 11), "avx512bitalg": (7, 2, 12), "avx512vpopcntdq": (7, 2, 14),
}
# What gcc and clang define where they may use it, if that is not __NAME__.
MACROS = {"bmi1": "__BMI__", "cx16": "__GCC_HAVE_SYNC_COMPARE_AND_SWAP_16", "lahf": "__LAHF_SAHF__"}
OSXSAVE = 1 << 27
# Registers that the system must save between programs: XMM and YMM, and for AVX-512 its masks and ZMM as well.
KEPT, KEPT_512 = 0x06, 0xE6
SHOWN = 5                            # names in a message
WIDE = {"avx", "avx2", "f16c", "fma", "fma4", "xop"}


def features(leaf: Callable[[int], tuple[int, int, int, int]], saved_state: Callable[[], int]) -> frozenset[str]:
    """What a CPU has of all this and the system lets programs use; nothing on a CPU that is no x86."""
    most, *_ = leaf(0)
    if not most:
        return frozenset()
    pages = {1: leaf(1), 7: leaf(7) if most >= 7 else (0, 0, 0, 0),
             0x80000001: leaf(0x80000001) if leaf(0x80000000)[0] > 0x80000000 else (0, 0, 0, 0)}
    found = {name for name, (page, register, bit) in BITS.items() if pages[page][register] >> bit & 1}
    state = saved_state() if pages[1][2] & OSXSAVE else 0
    if state & KEPT != KEPT:
        found -= WIDE
    if state & KEPT_512 != KEPT_512:
        found = {name for name in found if not name.startswith("avx512")}
    if "bmi2" in found and _pext_is_fast(leaf(0), pages[1][0]):
        found.add(FAST_PEXT)
    return frozenset(found)


def _pext_is_fast(identity: tuple[int, int, int, int], signature: int) -> bool:
    _, first, third, second = identity
    vendor = b"".join(part.to_bytes(4, "little") for part in (first, second, third))
    family = signature >> 8 & 0xF
    if family == 0xF:
        family += signature >> 20 & 0xFF
    return vendor == b"GenuineIntel" or (vendor == b"AuthenticAMD" and family >= 0x19)


def used(macros: set[str]) -> list[str]:
    """What a compiler that defines these macros may use of all this."""
    return sorted(name for name in BITS if MACROS.get(name, f"__{name.upper().replace('.', '_')}__") in macros)


def require(needs: frozenset[str], have: frozenset[str]) -> None:
    """ImportError for a CPU that cannot run what was compiled for another one."""
    if lacks := sorted(needs - have):
        more = f" and {len(lacks) - SHOWN} more" if len(lacks) > SHOWN else ""
        raise ImportError(f"This Barreleye was built for the CPU of another machine, and this CPU lacks "
                          f"{', '.join(lacks[:SHOWN])}{more}: build it here with 'pip install .' in its source folder, "
                          "or install a wheel of 'make dist', which runs on every CPU.")


def choose(names: list[str], have: frozenset[str], forced: str | None = None) -> str:
    """The best of these cores for a CPU with these features, or the one that is asked for; ImportError if none is."""
    names = [name for name in NEEDS if name in names]
    if not names:
        raise ImportError("Barreleye knows none of the cores it was installed with: install Barreleye again.")
    if forced:
        if forced not in names:
            raise ImportError(f"BARRELEYE_CORE={forced} is not one of the cores of this Barreleye: it has "
                              f"{', '.join(names)}.")
        if NEEDS[forced] - have:
            raise ImportError(f"This CPU cannot run BARRELEYE_CORE={forced}: it has no "
                              f"{', '.join(sorted(NEEDS[forced] - have))}.")
        return forced
    able = [name for name in names if not NEEDS[name] - have]
    wise = [name for name in able if name not in WITH_PEXT or FAST_PEXT in have]
    if not able:
        oldest = names[-1]
        raise ImportError(f"This Barreleye was built for newer CPUs: its oldest core, {oldest}, needs "
                          f"{', '.join(sorted(NEEDS[oldest] - have))}, which this CPU lacks; build it here from its "
                          f"source folder with 'pip install .'.")
    return (wise or able)[0]
