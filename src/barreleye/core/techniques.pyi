from typing import NamedTuple

class TechniqueInfo(NamedTuple):
    name: str
    item: str
    description: str
    default: bool = True
    behind: str = ...
    @property
    def option(self) -> str: ...

TECHNIQUES: tuple[TechniqueInfo, ...]
MATE_BLIND: frozenset[str]
MATE_MASK: int
DEFAULT_MASK: int
INDEX: dict[str, int]

def index_of(name: str) -> int: ...
