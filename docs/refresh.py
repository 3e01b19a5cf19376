"""Bring the numbers quoted in the documents up to date.

Every `NAME`=12 takes the value NAME has in core/params.pxd; the table of levels is that of levels.py.
"""

import importlib.util
import re
import runpy
import sys
from pathlib import Path

DOCS = Path(__file__).resolve().parent
SOURCE = DOCS.parent / "src" / "barreleye"
LEVELS = "| level | Elo | | level | Elo |\n|---|---:|---|---|---:|\n"
QUOTED = re.compile(r"`([A-Z][A-Z0-9_]+)`=(-?\d+)")


def parameters() -> dict[str, str]:
    """Every tunable number of the search by its name."""
    tunable = runpy.run_path(str(SOURCE / "core" / "parameters.py"))["tunable"]
    return {parameter.name: str(parameter.default) for parameter in tunable()}


def level_rows() -> str:
    """The levels with their ratings, half of them beside the other half."""
    spec = importlib.util.spec_from_file_location("levels", SOURCE / "levels.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module             # where dataclasses look for the names of their own module
    spec.loader.exec_module(module)
    cells = [f"`{level.name}` | {level.elo}" for level in module.LEVELS] + ["`full` | "]
    half = (len(cells) + 1) // 2
    right = [*cells[half:], *[" | "] * (2 * half - len(cells))]
    return "".join(f"| {one} | | {other} |\n" for one, other in zip(cells[:half], right, strict=True))


def refreshed(text: str) -> str:
    """The text with present values; KeyError names a parameter that is gone."""
    values = parameters()
    text = QUOTED.sub(lambda quote: f"`{quote[1]}`={values[quote[1]]}", text)
    before, head, rest = text.partition(LEVELS)
    return before + head + level_rows() + rest[rest.find("\n\n") + 1:] if head else text


def main() -> int:
    for path in sorted(DOCS.glob("*.md")):
        text = path.read_text(encoding="utf-8")
        new = refreshed(text)
        if new != text:
            path.write_text(new, encoding="utf-8")
            print(f"refreshed {path.name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
