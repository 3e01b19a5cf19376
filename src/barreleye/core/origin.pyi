CORE: str
COMPILER: str
VECTORS: str
PEXT: bool
PROFILED: bool
