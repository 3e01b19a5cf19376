"""Each technique is named once for the compiler and once for people, in the same place, and is asked for somewhere."""

import re
from pathlib import Path

from barreleye.core import linking
from barreleye.core.techniques import INDEX, TECHNIQUES

CORE = Path(linking.__file__).parent          # beside the sources, wherever the compiled modules are


def declared() -> list[str]:
    """The names of the enum, in its order."""
    header = (CORE / "techniques.pxd").read_text(encoding="utf-8")
    body = header.partition("cdef enum Technique:\n")[2].partition("\n\n")[0]
    return [line.strip() for line in body.splitlines()][:-1]


def test_rows_stand_in_the_order_of_the_enum():
    assert [technique.name.upper().replace(" ", "_") for technique in TECHNIQUES] == declared()
    assert len(INDEX) == len(TECHNIQUES)


def test_each_is_switched_and_counted():
    files = [path for path in CORE.rglob("*.p*") if path.suffix in (".py", ".pxd")]
    source = "\n".join(path.read_text(encoding="utf-8") for path in files)
    uncounted = {"THREAT_HISTORY"}      # it tells the entries of another apart, wherever that is read
    for name in declared():
        assert re.search(rf"\buses\((?:w|self), techniques\.{name}\)", source), f"nobody asks for {name}"
        counted = rf"\b(?:tally|decide|at_least|above|at_most|below|begin|consider)\((?:w|self), techniques\.{name}\b"
        assert name in uncounted or re.search(counted, source), name


def test_modules_of_the_library_exist():
    """A name left behind in linking.py would only make the search slower."""
    assert len(set(linking.MODULES)) == len(linking.MODULES)
    for module in (*linking.MODULES, linking.LIBRARY):
        assert (CORE.parent.parent / module.replace(".", "/")).with_suffix(".pxd").exists(), module


def test_descriptions_are_sentences_without_an_end():
    for technique in TECHNIQUES:
        assert re.fullmatch(r"[a-z].*[a-z]", technique.description), technique
