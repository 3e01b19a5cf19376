"""How this core was made: for which CPUs, with which instructions, by which compiler."""
from cython.cimports.barreleye.core.bitboard import HAS_PEXT
from cython.cimports.barreleye.core.origin import ARCH, GUIDED, MADE_BY, WIDEST

CORE = ARCH.decode()                 # one of core/variants.py, or what BARRELEYE_ARCH said
COMPILER = MADE_BY.decode()
VECTORS = WIDEST.decode()
PEXT = bool(HAS_PEXT)
PROFILED = bool(GUIDED)
