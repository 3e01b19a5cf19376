"""What the CPU says about itself. Compiled for the oldest CPU there is, because it is asked before a core is chosen."""
from cython.cimports.barreleye.core.cpu import NEEDED, cpuid, xgetbv
from cython.cimports.libc.stdint import uint32_t

NEEDS = frozenset(NEEDED.decode().split("+")) - {""}       # by the rest of this core, in the words of core/variants.py


def leaf(number: uint32_t, part: uint32_t = 0) -> tuple:
    """The four registers of one page of CPUID; zeros from a CPU that is no x86."""
    found: uint32_t[4]
    cpuid(number, part, found)
    return found[0], found[1], found[2], found[3]


def saved_state() -> int:
    """Which registers the system keeps for a program (XCR0). A CPU without OSXSAVE must not be asked."""
    return xgetbv()
