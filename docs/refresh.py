"""Bring the numbers quoted in the documents up to date: every `NAME`=12 takes the value NAME has in core/params.pxd."""

import re
import sys
from pathlib import Path

DOCS = Path(__file__).resolve().parent
PARAMS = DOCS.parent / "src" / "barreleye" / "core" / "params.pxd"
QUOTED = re.compile(r"`([A-Z][A-Z0-9_]+)`=(-?\d+)")


def parameters() -> dict[str, str]:
    """Every tunable number of the search by its name."""
    return dict(re.findall(r"^    ([A-Z][A-Z0-9_]+) = (-?\d+)", PARAMS.read_text(encoding="utf-8"), re.MULTILINE))


def refreshed(text: str) -> str:
    """The text with present values; KeyError names a parameter that is gone."""
    values = parameters()
    return QUOTED.sub(lambda quote: f"`{quote[1]}`={values[quote[1]]}", text)


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
