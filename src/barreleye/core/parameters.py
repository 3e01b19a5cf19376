"""The numbers of params.pxd as data: the name, value, range and meaning of each. setup.py reads them here as well."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

HEADER = os.path.join(os.path.dirname(__file__), "params.pxd")
ENTRY = re.compile(r"^    ([A-Z][A-Z0-9_]*) = (-?\d+) *(?:# *(?:\[(-?\d+), (-?\d+)\] *)?(.*))?$", re.MULTILINE)


class Parameter(NamedTuple):
    """One tunable number of the search."""

    name: str
    default: int
    low: int
    high: int
    meaning: str


def parse(text: str) -> list[Parameter]:
    """The parameters that a header declares. A line without a range allows half to twice its number."""
    found = []
    for name, number, low, high, meaning in ENTRY.findall(text):
        default = int(number)
        nearer, further = (1 if default > 0 else -1) * max(1, abs(default) // 2), 2 * default
        lowest, highest = (int(low), int(high)) if low else sorted((nearer, further))
        found.append(Parameter(name, default, lowest, highest, meaning.strip()))
    return found


@cache
def tunable() -> tuple[Parameter, ...]:
    """Every tunable number of the search, in the order of params.pxd."""
    with open(HEADER, encoding="utf-8") as header:
        return tuple(parse(header.read()))


def numbers(changes: Mapping[str, int]) -> list[int]:
    """All numbers in the order of params.pxd, with these changes; ValueError for a name or number that cannot be."""
    known = {parameter.name: parameter for parameter in tunable()}
    for name, value in changes.items():
        if name not in known:
            raise ValueError(f"{name!r} is not a parameter: core/params.pxd has them all")
        if not known[name].low <= value <= known[name].high:
            raise ValueError(f"{name} is {value}, expected a number from {known[name].low} to {known[name].high}")
    return [changes.get(parameter.name, parameter.default) for parameter in known.values()]


def rewritten(text: str, changes: Mapping[str, int]) -> str:
    """A header with other numbers; ranges and meanings stay where they are. ValueError when it lacks a name.

    >>> rewritten("    RAZOR_BASE = 240                  # [100, 500]   far below\\n", {"RAZOR_BASE": 90})
    '    RAZOR_BASE = 90                   # [100, 500]   far below\\n'
    """
    missing = set(changes)

    def replaced(found: re.Match[str]) -> str:
        name, number = found[1], found[2]
        if name not in changes:
            return found[0]
        missing.discard(name)
        before, after = found[0].split(f"{name} = {number}", 1)
        fresh = f"{before}{name} = {changes[name]}"
        remark = after.lstrip()
        column = len(found[0]) - len(remark)
        return fresh + after if not remark else fresh.ljust(column - 2) + "  " + remark

    fresh_text = ENTRY.sub(replaced, text)
    if missing:
        raise ValueError(f"{', '.join(sorted(missing))} cannot be found there: is it core/params.pxd?")
    return fresh_text
