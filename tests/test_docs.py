"""The documents say what the code says: numbers, techniques, items of the specification, functions, links."""

import importlib.util
import re

import pytest

from barreleye.core.techniques import TECHNIQUES
from barreleye.engine.options import OPTIONS, PARAMETERS
from barreleye.levels import LEVELS


@pytest.fixture(scope="module")
def docs(root_dir):
    return {path.name: path.read_text(encoding="utf-8") for path in (root_dir / "docs").glob("*.md")}


@pytest.fixture(scope="module")
def refresh(root_dir):
    spec = importlib.util.spec_from_file_location("refresh", root_dir / "docs" / "refresh.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_quoted_numbers_are_those_of_the_search(docs, refresh):
    assert len(refresh.QUOTED.findall(docs["search.md"])) > 30
    for name, text in docs.items():
        stale = [f"{old[0]} is {refresh.parameters().get(old[0])}, not {old[1]}"
                 for old in refresh.QUOTED.findall(text) if refresh.parameters().get(old[0]) != old[1]]
        assert not stale, f"docs/{name}: {'; '.join(stale)}: run `make docs`"


def test_the_table_of_levels_is_that_of_the_engine(docs, refresh):
    assert refresh.LEVELS in docs["cli.md"]
    assert refresh.refreshed(docs["cli.md"]) == docs["cli.md"], "run `make docs`"
    assert all(f"| `{level.name}` | {level.elo} |" in docs["cli.md"] for level in LEVELS)


def test_every_technique_has_its_row(docs):
    rows = dict(re.findall(r"^\| ([A-Z][^|]*?) \| ([a-z][a-z0-9 ]*) \| ", docs["techniques.md"], re.MULTILINE))
    explained = " ".join(docs["search.md"].split())
    for technique in TECHNIQUES:
        assert rows.get(technique.name) == technique.item, technique.name
        assert technique.name in explained, technique.name
    off = re.search(r"off by default: ([^.]*)\.", docs["techniques.md"])
    assert off and set(off[1].split(", ")) == {technique.name for technique in TECHNIQUES if not technique.default}


def test_every_option_has_its_row(docs):
    rows = re.findall(r"^\| `([^`]+)` \| [^|]* \| [^|]+ \|$", docs["cli.md"].partition("## Options\n")[2], re.MULTILINE)
    own = {*(technique.option for technique in TECHNIQUES), *(option.name for option in PARAMETERS)}
    assert rows == [option.name for option in OPTIONS if option.name not in own]


def test_every_step_has_its_place(docs, root_dir):
    table = docs["techniques.md"].partition("## Where everything is")[2]
    core = root_dir / "src" / "barreleye" / "core"
    for title, file in (("The node", "search.py"), ("Quiescence", "qsearch.py")):
        part = table.partition(f"### {title}\n")[2].partition("###")[0]
        placed = sorted({int(step) for step in re.findall(r"^\| (\d+) \| [^|]+ \| [^|]+ \|$", part, re.MULTILINE)})
        steps = re.findall(r"# Step (\d+)\.", (core / file).read_text(encoding="utf-8"))
        assert placed == list(range(1, len(placed) + 1)) == sorted({int(step) for step in steps})


def test_techniques_are_placed_in_steps_and_sections_that_exist(docs):
    sections = {"deepening", "draws", "evaluation", "histories", "ordering", "table"}
    for technique in TECHNIQUES:
        assert technique.item in sections or re.fullmatch(r"(quiescence )?step \d+", technique.item), technique
    for section in sections:
        assert section in docs["search.md"].lower()


def test_functions_and_files_named_in_the_tables_exist(docs, root_dir):
    source = root_dir / "src" / "barreleye"
    named = re.findall(r"`((?:[a-z_]+/)*[a-z_]+)\.([A-Za-z_.]+)`", docs["techniques.md"])
    assert len(named) > 60
    for module, name in named:
        if name in ("py", "pxd", "md"):
            continue
        texts = [path.read_text(encoding="utf-8")
                 for folder in (source, source / "core") for path in folder.glob(f"{module}.p*")]
        last = name.split(".")[-1]
        assert texts, f"no module {module}"
        assert any(re.search(rf"\b{last}\b", text) for text in texts), f"{module} has no {name}"


def test_links_between_documents_lead_somewhere(docs, root_dir):
    for name, text in {**docs, "../README.md": (root_dir / "README.md").read_text(encoding="utf-8")}.items():
        for target, anchor in re.findall(r"\]\((?!https?:)([^)#]*)(#[^)]*)?\)", text):
            path = (root_dir / "docs" / name).resolve().parent / target if target else (root_dir / "docs" / name)
            assert path.exists(), f"{name} links to {target}"
            if anchor and path.suffix == ".md":
                heads = re.findall(r"^#+ (.*)$", path.read_text(encoding="utf-8"), re.MULTILINE)
                slugs = {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}
                assert anchor[1:] in slugs, f"{name} links to {target}{anchor}"
