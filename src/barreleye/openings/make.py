"""Make names.bin from lichess's tables of openings: python -m barreleye.openings.make names.bin a.tsv b.tsv c.tsv ...

A table has the columns eco, name and pgn, with tabs between them. Where several lines lead to the same position, the
first one names it.
"""

from __future__ import annotations

import csv
import sys
import zlib
from pathlib import Path

from barreleye.openings import HEAD, LONGEST, MOVE_NUMBERS, key_of, played


def main(paths: list[str]) -> int:
    if len(paths) < 2:
        print(__doc__, file=sys.stderr)
        return 2
    data = pack(read(paths[1:]))
    Path(paths[0]).write_bytes(data)
    print(f"{paths[0]}: {len(data)} bytes")
    return 0


def read(paths: list[str]) -> dict[bytes, str]:
    """Key of a position: its code and name."""
    found: dict[bytes, str] = {}
    for path in paths:
        with open(path, encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
                *_, last = line = list(played(MOVE_NUMBERS.sub(" ", row["pgn"]).split()))
                if len(line) > LONGEST + 1:
                    raise ValueError(f"{path}: {row['name']} is longer than {LONGEST} plies: raise LONGEST")
                found.setdefault(key_of(last), f"{row['eco']} {row['name']}")
    return found


def pack(found: dict[bytes, str]) -> bytes:
    """The file: names, one a line, then their keys in the same order. Sorted by name they compress best."""
    rows = sorted(found.items(), key=lambda row: (row[1][4:], row))
    texts = "\n".join(name for _, name in rows).encode()
    return HEAD + zlib.compress(texts + b"\0" + b"".join(key for key, _ in rows), 9)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
